"""Settings of the time to accuracy.

Nothing is tuned: gibbous and the others have their defaults but for what stands here.  tomotopy's labels count little by default (its 0/1
responses have a scale of 1, its numbers a variance of 1); here they count 25 times as much, which is better for it (Reuters, 50 topics,
40 sweeps, seed 1: 0.950 in place of 0.944).
"""
# Collections of texts.py with the arguments that make them; stop words and words of fewer than five training documents are left out.
# Of 20 Newsgroups each second post, of IMDb each fifth review, to keep fits short.
CORPORA = {"20 Newsgroups": ("newsgroup_counts", {"every": 2}), "IMDb": ("imdb", {"every": 5}), "Reuters": ("reuters", {}),
           "film ratings": ("films", {"fold": 1})}
MIN_DF = 5

# Each number of sweeps of gibbous is a run of its own, half of it burn-in.
GIBBOUS = {"gibbous, topics": [], "gibbous, topics and words": ["--word-effects", "tfidf"]}
LINEAR = {"linear SVM or ridge on words": "svm", "logistic regression on words": "logistic"}
LDA = "scikit-learn LDA, then a classifier"
SLDA = "tomotopy SLDA"
SLDA_LABELS = {"classes": 25, "numbers": 0.04}

FULL = {"seeds": [1, 2, 3, 4, 5], "topics": 20, "every": 1, "sweeps": [5, 20, 80], "slda_sweeps": [5, 20, 80], "lda_passes": [1, 3, 9]}
QUICK = {"seeds": [1], "topics": 10, "every": 10, "sweeps": [4, 8], "slda_sweeps": [4, 8], "lda_passes": [1]}
