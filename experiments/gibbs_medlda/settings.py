"""Settings of the Gibbs MedLDA paper (Zhu, Chen, Perkins and Zhang 2014).  The text at hand ends before its experiments; the paper
of 2015 quotes 262.4 as the product of cost and margin and 10 sweeps of burn-in, here a cost of 1.6 and a margin of 164."""
SEEDS = [1, 2, 3, 4, 5]

MODEL = ["--beta", "0.01", "--no-intercept", "--variance", "1", "--growth", "0", "--calibrate", "0", "--chains", "1"]
INFER = ["--infer-burn-in", "10", "--infer-sweeps", "10"]
ONE_DRAW_INFER = ["--infer-burn-in", "10", "--infer-sweeps", "1"]
HINGE = ["--response", "hinge", "--cost", "1.6", "--margin", "164"]

FULL = {
    "seeds": SEEDS,
    "every": 1,                        # take each n-th document
    "alpha": 1, "burn_in": 10, "two_stage_burn_in": 100, "draws": 10,
    "topics": [5, 10, 20, 30, 50, 100],
    "sensitivity_topics": 20,
    "burn_ins": [0, 1, 2, 5, 10, 20, 50, 100],
    "costs": [0.01, 0.1, 0.4, 1.6, 6.4, 25],
    "margins": [1, 9, 36, 164, 400],
    "alphas": [0.1, 0.5, 1, 2, 5, 10],
    "prediction_draws": [1, 2, 5, 10, 20],
    "hotel_alpha": 1, "hotel_topics": [5, 10, 20, 30, 50], "hotel_burn_in": 10, "hotel_cost": 262.4,
    "hotel_epsilon": 0.001,
    "epsilons": [0.001, 0.1, 0.3, 1], "hotel_costs": [1.6, 6.4, 25, 100, 262.4, 1000],
    "news_every": 1, "news_alpha": 6.4, "news_burn_in": 20, "news_topics": [20, 40, 60, 100], "rest_topics": [20],
    "rest_seeds": SEEDS,                # one-vs-rest takes 20 times as long
    "quality_topics": [20, 100],
    "stories_every": 1, "stories_labels": 20, "stories_topics": [20, 50, 100],
}

QUICK = FULL | {
    "seeds": [1], "every": 4, "burn_in": 4, "two_stage_burn_in": 5, "draws": 2, "topics": [5], "sensitivity_topics": 5,
    "burn_ins": [2], "costs": [1.6], "margins": [164], "alphas": [1], "prediction_draws": [1, 3], "hotel_topics": [5],
    "hotel_burn_in": 3, "epsilons": [0.1], "hotel_costs": [25], "news_every": 20, "news_burn_in": 3, "news_topics": [20],
    "quality_topics": [20], "stories_every": 10, "stories_labels": 5, "stories_topics": [20],
}
