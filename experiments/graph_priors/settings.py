"""Settings of the paper on graph-based priors (Mimno, Wallach and McCallum 2008).

From the paper: 50 topics, 1,000 sweeps, held-out likelihood by sampling from the prior, ten folds.  Here a seed is one of the folds (table 1), or a run on
the same held-out group (table 2), on a part of the documents.
"""
SWEEPS = {100: ["--sweeps", "100", "--thin", "10"], 300: ["--sweeps", "300", "--burn-in", "200", "--thin", "20"], 10: ["--sweeps", "10", "--thin", "2"]}
WORDS = ["--stopwords", "en", "--min-df", "5", "--max-df", "0.3"]
MODEL = ["--response", "none", "--beta", "0.01"]
HELD_OUT = ["--held-out", "empirical"]
N_FOLDS = 10

# Rows of table 1.  GibbsLogistic has one mean, a precision of 1 and the paper's sampler.
PRIORS = {"GibbsUniform": ["--prior", "uniform"],
          "GibbsLDA": ["--alpha", "optimise"],
          "GibbsLogistic": ["--prior", "logistic-normal", "--psi-covariance", "1", "--psi-update", "interval"],
          "variance learned": ["--prior", "logistic-normal"],
          "full covariance": ["--prior", "logistic-normal", "--covariance", "full"]}

SPLITS = {"acl": ["venue=semeval", "venue=mtsummit", "year=2008", "year=2014"], "sotu": ["party=Whig", "year=1974"]}
# Rows of table 2: fields of the groups and their graph.  FILE is the venue-to-venue graph; of parties all are neighbours.
GRAPHS = {"Single": (["all"], None), "Years": (["year"], "chain"), "Venues": (["venue"], "FILE"),
          "Years and Venues, one precision": (["venue", "year"], "one"),
          "Years and Venues": (["venue", "year"], "grid")}

FULL = {"seeds": [1, 2, 3, 4, 5], "acl_every": 6, "acl_least": 60, "sotu_every": 3, "topics": 50, "sweeps": 100,
        "trend_sweeps": 300, "trend_every": 2, "samples": 100}
QUICK = {"seeds": [1], "acl_every": 60, "acl_least": 300, "sotu_every": 30, "topics": 10, "sweeps": 10,
         "trend_sweeps": 10, "trend_every": 20, "samples": 20}
