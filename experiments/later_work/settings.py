"""Settings of the comparison with later work: SCHOLAR (Card, Tan and Smith 2018) and prediction-constrained sLDA (Hughes and others 2018).

From SCHOLAR: the vocabularies (2,000 and 5,000 words), 50 topics, words of three letters or more without stop words, the splits.  From
prediction-constrained sLDA: film reviews with the classes below 0.6 and from 0.6 on, and the shares of documents with a label.  All else in
gibbous is its default.
"""
# Collections of texts.py with their arguments, and the sizes of their vocabularies.
SCHOLAR = {"20 Newsgroups, whole posts": ("newsgroups", {}, 2000), "20 Newsgroups, bodies": ("newsgroups", {"whole": False}, 2000),
           "IMDb": ("imdb", {}, 5000)}
PATTERN = "[a-z]{3,}"
THRESHOLD = 0.6
MIN_DF = 5

GIBBOUS = {"gibbous, topics, hinge": [], "gibbous, topics, logistic": ["--response", "logistic"],
           "gibbous, topics and words": ["--word-effects", "tfidf"],
           "gibbous, topics and words, logistic": ["--word-effects", "tfidf", "--response", "logistic"]}
# What might keep topics and words behind a linear model on IMDb: one of the settings above at a time is another one.
CAUSES = {"2 topics": {"-k": "2"}, "labels not held out": {"--calibrate": "0"}}
# Two steps: topics of all documents without labels, then coefficients.
CURVE = {"gibbous, topics": [], "gibbous, topics and words": ["--word-effects", "tfidf"], "gibbous, two steps": ["--two-stage"]}
# What might keep topics and words behind logistic regression with few labels and with all.
CURVE_CAUSES = {"logistic": ["--response", "logistic"], "variance of words 1": ["--variance", "words=1"]}
# Topics, where the fewer documents have a label, the more it counts: a cost of this over the share of labels.
COST_OVER_SHARE = 16

FULL = {"seeds": [1, 2, 3, 4, 5], "cause_seeds": [1, 2, 3, 4, 5], "every": 1, "topics": 50, "curve_topics": 25, "shares": [0.05, 0.1, 0.2, 0.5, 1], "cause_shares": [0.05, 0.1, 1], "sweeps": ["--sweeps", "80", "--chains", "1"],
        "curve_sweeps": ["--sweeps", "60", "--chains", "1"]}
QUICK = {"seeds": [1], "cause_seeds": [1], "every": 20, "topics": 10, "curve_topics": 5, "shares": [0.2, 1], "cause_shares": [0.2], "sweeps": ["--sweeps", "10", "--chains", "1"],
         "curve_sweeps": ["--sweeps", "10", "--chains", "1"]}
