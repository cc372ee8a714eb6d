"""Settings of the gSLDA paper (Zhu, Zheng and Zhang 2013).  The paper: standard normal prior of the coefficients, no intercept,
alpha is divided by the number of topics, beta 0.01, start from random topics, one draw of the coefficients."""
SEEDS = [1, 2, 3, 4, 5]

MODEL = ["--beta", "0.01", "--no-intercept", "--variance", "1", "--growth", "0", "--calibrate", "0", "--chains", "1"]
INFER = ["--infer-burn-in", "10", "--infer-sweeps", "10"]

METHODS = {
    "gSLDA": ["--response", "logistic", "--cost", "1"],
    "gSLDA+": ["--response", "logistic", "--cost", "25"],
    "Gibbs MedLDA": ["--response", "hinge", "--cost", "1.6", "--margin", "164"],
    "topics, then classifier": ["--response", "hinge", "--cost", "262.4", "--two-stage"],
}

# Counts, which the paper leaves to later work: means are exponential in the topics, and need an intercept.
COUNT_MODEL = [*(option for option in MODEL if option != "--no-intercept"), "--intercept"]
COUNT_METHODS = {
    "negative binomial": ["--response", "negative-binomial"],
    "topics, then negative binomial": ["--response", "negative-binomial", "--two-stage"],
    "normal noise": ["--response", "gaussian"],
}
# The default, which fits what a score says of a count to counts held out; and a second stage long enough for its intercept to settle.
COUNT_VARIANTS = {
    "negative binomial, calibrated": ["--response", "negative-binomial", "--calibrate", "auto"],
    "topics, then 400 sweeps of negative binomial": ["--response", "negative-binomial", "--two-stage", "--sweeps", "500", "--thin", "10"],
}

# Starts of algorithm_1.c, which is the paper's sampler written anew.
ALGORITHM_1_STARTS = {"one": "as printed", "drawn": "first variables drawn", "later": "and topics before coefficients",
                      "words": "and first topics by words"}

FULL = {
    "seeds": SEEDS,
    "every": 1,                        # take each n-th document
    "topics": [5, 10, 20, 30, 50],
    "alpha": 1, "burn_in": 100, "draws": 10,
    "costs": [1, 4, 9, 25, 49, 100], "cost_topics": [10, 20, 30],
    "alphas": [0.1, 0.5, 1, 2, 5, 10], "alpha_costs": [1, 9], "alpha_topics": 20,
    "burn_ins": [0, 1, 2, 5, 10, 20, 50, 100], "burn_in_topics": [10, 20, 30],
    "burn_in_variants": {"K 20, one word block": ["--blocks", "1"],
                         "K 20, variance 100": ["--variance", "100"]},
    "time_topics": [20, 30, 40, 50], "time_sweeps": [40, 400],    # whole documents; one token of each
    "news_every": 1, "news_topics": [20, 40], "news_alpha": 5.6, "news_burn_in": 40, "news_cost": 256,
    "news_two_stage_burn_in": 100,
    "news_burn_ins": [0, 1, 5, 10, 20, 40], "news_burn_in_topics": [20],
    "rest_topics": [20], "rest_seeds": SEEDS,  # one-vs-rest takes 20 times as long
    "count_every": 1, "count_topics": [5, 10, 20, 50], "count_variant_topics": [5, 20],
}

QUICK = FULL | {
    "seeds": [1], "every": 4, "topics": [5], "burn_in": 5, "draws": 2, "costs": [1, 25], "cost_topics": [5], "alphas": [1],
    "alpha_topics": 5, "burn_ins": [0, 5], "burn_in_topics": [5], "burn_in_variants": {}, "time_topics": [5], "time_sweeps": [3, 10], "news_every": 20, "news_topics": [20], "news_burn_in": 3,
    "news_two_stage_burn_in": 5,
    "news_burn_ins": [3], "rest_topics": [20], "rest_seeds": [1], "count_every": 10, "count_topics": [5],
    "count_variant_topics": [5],
}
