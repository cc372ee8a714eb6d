"""Settings of the LightMedLDA paper (Zheng, Yu and Xing 2015).  The paper: lambda is the cost at a margin of 1, no intercept,
alpha = 6.4 / K, beta 0.01, 6 steps for each token, 2 passes over the coefficients; the variance of the coefficients is not
given (1 here)."""
SEEDS = [1, 2, 3, 4, 5]

MODEL = ["--beta", "0.01", "--no-intercept", "--variance", "1", "--growth", "0", "--calibrate", "0", "--chains", "1"]
INFER = ["--infer-burn-in", "10", "--infer-sweeps", "10"]

# The paper's own sampler, the exact one of the paper before it, and what gibbous takes by itself.
STEPS = ["--mh-steps", "6", "--mh-compose", "mixture", "--coefficient-sampler", "coordinate", "--coefficient-steps", "2"]
LIGHT = ["--sampler", "mh", *STEPS]
SAMPLERS = {"light": LIGHT, "exact": ["--sampler", "dense", "--coefficient-sampler", "block"]}
# One half of each, to see which of them makes a difference: tokens by steps, coefficients one by one.
HALVES = {"light, coefficients as a block": ["--sampler", "mh", "--mh-steps", "6", "--mh-compose", "mixture", "--coefficient-sampler", "block"],
          "exact, coefficients one by one": ["--sampler", "dense", "--coefficient-sampler", "coordinate", "--coefficient-steps", "4"]}
# What may keep light behind exact with the logistic response: the same halves, and more steps.
LOGISTIC_CAUSES = {"light, twelve steps": [*LIGHT, "--mh-steps", "12"], **HALVES}
# The variance that suits this cost (docs/measured/accuracy.md), and ten draws instead of one.
OWN = ["--variance", "0.01", "--cost", "16", "--alpha", "0.6"]

COMPOSITIONS = {
    "mixture": ["--mh-compose", "mixture"],
    "cycle": ["--mh-compose", "cycle"],
    "word only": ["--mh-proposals", "word"],
    "doc only": ["--mh-proposals", "doc"],
    "exp only": ["--mh-proposals", "exp"],
}

FULL = {
    "seeds": SEEDS,
    "every": 1,                        # take each n-th document of the binary task
    "alpha": 6.4,
    "topics": [10, 20, 40, 70, 100], "cost": 262.4, "burn_in": 10,
    "news_every": 1, "news_topics": [20, 100, 400], "news_cost": 102.4, "news_burn_in": 25,
    "rest_topics": [20], "rest_seeds": [1],    # 20 times the work
    "logistic_topics": [20, 100], "logistic_cost": 204.8, "logistic_burn_in": 40, "logistic_alpha": 5.6,
    "logistic_cause_topics": [20],
    "hotel_topics": [10, 20, 40, 70, 100], "hotel_cost": 262.4, "hotel_epsilon": 0.001, "hotel_burn_in": 15,
    "stories_every": 1, "stories_labels": 20, "stories_topics": [50, 100, 200], "stories_burn_ins": {"light": 80, "exact": 40},
    "stories_passes": 4,
    "drawn_documents": 110_000, "drawn_length": 50, "drawn_topics": [50], "drawn_seeds": [1],    # a tenth of the paper's
    "size_documents": [11_000, 110_000, 1_100_000], "size_topics": 50, "size_sweeps": 2,
    "halves_topics": 50, "halves_news_topics": 100, "halves_burn_in": 25,
    "composition_topics": [20, 100],
    "steps": [1, 2, 3, 6, 12], "steps_topics": [100],
    "passes": [1, 2, 4, 8], "passes_topics": [100],
    "many_topics": [20, 100, 1000, 10000], "many_burn_in": 4,
    "convergence": [2, 5, 10, 25, 50, 100], "convergence_topics": 100,
}

QUICK = FULL | {
    "seeds": [1], "every": 4, "topics": [10], "burn_in": 4, "news_every": 20, "news_topics": [20], "news_burn_in": 3,
    "rest_topics": [20], "rest_seeds": [1], "logistic_topics": [20], "logistic_burn_in": 3,
    "hotel_topics": [10], "hotel_burn_in": 3,
    "stories_every": 10, "stories_labels": 5, "stories_topics": [20], "stories_burn_ins": {"light": 4, "exact": 2},
    "halves_topics": 20, "halves_news_topics": 20, "halves_burn_in": 2,
    "drawn_documents": 500, "drawn_topics": [20], "size_documents": [500], "size_topics": 20,
    "composition_topics": [20], "steps": [1, 6], "steps_topics": [20], "passes": [2], "passes_topics": [20],
    "many_topics": [100], "many_burn_in": 2, "convergence": [2], "convergence_topics": 20,
}
