"""Settings of the DOLDA paper (Magnusson, Jonsson and Villani 2016).

From the paper: alpha = beta = 0.01, variance 100 of normal coefficients and of the intercept.  It does not give numbers of sweeps;
its program's settings for films have 2,000, of which 70 % are burn-in, and every tenth of the others.
"""
import pathlib

RESPONSE = ["--response", "probit"]
INTERCEPT = ["--intercept", "--chains", "1"]
PRIORS = {"normal": ["--coefficient-prior", "normal", "--variance", "topics=100,covariates=100,intercept=100"],
          "horseshoe": ["--coefficient-prior", "horseshoe", "--variance", "intercept=100"]}
COVARIATES = ["--covariates", "director:factor,companies:list", "--impute", "mean"]
SWEEPS = {80: ["--sweeps", "80", "--burn-in", "40", "--thin", "4"],
          100: ["--sweeps", "100", "--burn-in", "50", "--thin", "5"],
          120: ["--sweeps", "120", "--burn-in", "60", "--thin", "6"],
          200: ["--sweeps", "200", "--burn-in", "100", "--thin", "10"],
          500: ["--sweeps", "500", "--burn-in", "300", "--thin", "20"],
          1000: ["--sweeps", "1000", "--burn-in", "700", "--thin", "30"],
          12: ["--sweeps", "12", "--burn-in", "6", "--thin", "3"]}

# What may explain the difference to the paper: (documents, alpha, beta, sweeps, topics).
CAUSES = [("counts, by date", "0.01", "0.01", 100, 80), ("counts, by date", "0.1", "0.01", 100, 80),
          ("whole posts, by date", "0.1", "0.01", 100, 80), ("whole posts, at random", "0.1", "0.01", 100, 80),
          ("whole posts, at random", "0.01", "0.01", 100, 80), ("counts, by date", "0.1", "0.1", 100, 80),
          ("counts, by date", "0.1", "0.01", 500, 80), ("counts, by date", "0.1", "0.01", 1000, 80),
          ("whole posts, at random", "0.1", "0.01", 500, 80)]

# Packages of Debian (debian.py): classes with at least so many packages in the whole index, and rows: (options, with dependencies?).
DEBIAN_LEAST = {"section": 1, "maintainer": 50}
DEBIAN_STOP = set((pathlib.Path(__file__).parents[2] / "src/corpus/text/stopwords/en.txt").read_text(encoding="utf-8").split())
DEBIAN_COVARIATES = ["--covariates", "depends:list"]
DEBIAN_RARE = ["--min-level-count", "50"]
DEBIAN_ROWS = {
    "DOLDA: topics and dependencies": (["--coefficient-prior", "horseshoe", *DEBIAN_RARE], True),
    "topics alone": (["--coefficient-prior", "horseshoe"], False),
    "two steps: topics and dependencies": (["--coefficient-prior", "horseshoe", *DEBIAN_RARE, "--two-stage"], True),
    "topics and words": (["--coefficient-prior", "normal", "--word-effects", "tfidf"], False),
    "topics, words and dependencies": (["--coefficient-prior", "normal", "--word-effects", "tfidf", *DEBIAN_RARE], True),
}
# What may explain the difference to the linear model, for sections: (topics, sweeps) of the first row.
DEBIAN_CAUSES = {"DOLDA with 200 topics": (200, 80), "DOLDA with 200 sweeps": (100, 200)}
# Rows of the linear model: (what is drawn for training and test, which files).
DEBIAN_SVM = {"linear SVM on words": ("source", ""), "linear SVM on words and dependencies": ("source", "-depends"),
              "linear SVM on words, each package by itself": ("id", "")}

FULL = {
    "seeds": [1, 2, 3, 4, 5],
    "every": 1,                  # take each n-th document
    "alpha": "0.01",
    "news_topics": [20, 40, 80],
    "news_sweeps": 100,
    "film_topics": [10, 20, 40, 80],
    "film_sweeps": 120,
    "coefficient_topics": 80,
    "causes": CAUSES,
    "debian_seeds": [1, 2, 3],
    "debian_share": 1,           # of the sources of packages
    "debian_topics": 100,
    "debian_sweeps": 80,
    "debian_causes": DEBIAN_CAUSES,
}

QUICK = {
    "seeds": [1],
    "every": 10,
    "alpha": "0.01",
    "news_topics": [10],
    "news_sweeps": 12,
    "film_topics": [10],
    "film_sweeps": 12,
    "coefficient_topics": 10,
    "causes": [("whole posts, at random", "0.1", "0.01", 12, 10)],
    "debian_seeds": [1],
    "debian_share": 0.03,
    "debian_topics": 10,
    "debian_sweeps": 12,
    "debian_causes": {},
}
