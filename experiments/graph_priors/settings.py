"""Settings of the paper on graph-based priors (Mimno, Wallach and McCallum 2008).

From the paper: 50 topics, 1,000 sweeps, held-out likelihood by sampling from the prior, ten folds.  Here a seed is one of the folds (table 1), or a run on
the same held-out group (table 2), on a part of the documents.
"""
SWEEPS = {80: ["--sweeps", "80", "--thin", "8"], 200: ["--sweeps", "200", "--burn-in", "120", "--thin", "16"],
          10: ["--sweeps", "10", "--thin", "2"]}
WORDS = ["--stopwords", "en", "--min-df", "5", "--max-df", "0.3"]
MODEL = ["--response", "none", "--beta", "0.01"]
# Empirical likelihood is a logarithm of a mean over samples of the prior; few samples make it too low, most so for a prior with few
# topics in a document: 50 samples for each of 5 draws instead of 500 lose 0.11 per word with GibbsLDA, 0.08 with a learned variance.
HELD_OUT = ["--held-out", "empirical"]
N_FOLDS = 10

# Rows of table 1.  GibbsLogistic has one mean, a precision of 1 and the paper's sampler.
PRIORS = {"GibbsUniform": ["--prior", "uniform"],
          "GibbsLDA": ["--alpha", "optimise"],
          "GibbsLogistic": ["--prior", "logistic-normal", "--psi-covariance", "1", "--psi-update", "interval"],
          "variance learned": ["--prior", "logistic-normal"],
          "full covariance": ["--prior", "logistic-normal", "--covariance", "full"]}

SPLITS = {"acl": ["venue=semeval", "venue=mtsummit", "year=2008", "year=2014"], "sotu": ["party=Whig", "year=1974"]}
# Rows of table 2: fields of the groups and their graph.  FILE is the venue-to-venue graph; of parties all are neighbours.  The paper has
# one "evolution" precision for all edges, and supposes that one for each kind would be better.  The last two rows are not in the paper.
GRAPHS = {"Single": (["all"], None), "Years": (["year"], "chain"), "Venues": (["venue"], "FILE"),
          "Years and Venues": (["venue", "year"], "one"),
          "Years and Venues, two precisions": (["venue", "year"], "grid"), "Venues, all neighbours": (["venue"], "complete")}
ONLY_ACL = "Venues, all neighbours"  # of parties all are neighbours anyway

FULL = {"seeds": [1, 2, 3, 4, 5], "acl_every": 8, "acl_least": 60, "sotu_every": 4, "topics": 50, "sweeps": 80,
        "trend_sweeps": 200, "trend_every": 4, "samples": 1000, "group_samples": 200}
QUICK = {"seeds": [1], "acl_every": 60, "acl_least": 300, "sotu_every": 30, "topics": 10, "sweeps": 10,
         "trend_sweeps": 10, "trend_every": 20, "samples": 50, "group_samples": 20}
