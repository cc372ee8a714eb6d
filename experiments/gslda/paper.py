"""Improved Bayesian logistic supervised topic models with data augmentation (Zhu, Zheng and Zhang, ACL 2013)."""
import functools
import json
import pathlib
import subprocess

import fits
import frame

from . import settings

SIMULATES = False


def sampler(topics, alpha, burn_in, draws=1):
    """The sampler of the paper: burn-in, then one draw unless said otherwise."""
    return ["-k", topics, "--alpha", f"{alpha / topics:.6g}", "--burn-in", burn_in, "--sweeps", burn_in + draws, *settings.MODEL]


def _binary(chosen, add):
    """Figures 1, 3, 5 and 6: alt.atheism against talk.religion.misc."""
    for k in chosen["topics"]:
        for method, response in settings.METHODS.items():
            add("figure 1", f"{method}; K {k}", response + sampler(k, chosen["alpha"], chosen["burn_in"]))
        for method in ("gSLDA+", "topics, then classifier"):
            add("figure 1", f"{method}, {chosen['draws']} draws; K {k}",
                settings.METHODS[method] + sampler(k, chosen["alpha"], chosen["burn_in"], chosen["draws"]))
    for k in chosen["burn_in_topics"]:
        for m in chosen["burn_ins"]:
            add("figure 3", f"K {k}; M {m}", settings.METHODS["gSLDA+"] + sampler(k, chosen["alpha"], m))
    for name, options in chosen["burn_in_variants"].items():
        for m in chosen["burn_ins"]:
            add("figure 3", f"{name}; M {m}", settings.METHODS["gSLDA+"] + sampler(20, chosen["alpha"], m) + options)
    for k in chosen["cost_topics"]:
        for c in chosen["costs"]:
            add("figure 5", f"K {k}; c {c}",
                ["--response", "logistic", "--cost", c] + sampler(k, chosen["alpha"], chosen["burn_in"]))
    for c in chosen["alpha_costs"]:
        for alpha in chosen["alphas"]:
            add("figure 6", f"c {c}; alpha {alpha}",
                ["--response", "logistic", "--cost", c] + sampler(chosen["alpha_topics"], alpha, chosen["burn_in"]))


def _numbered(corpus, numbers, is_test):
    """A file for algorithm_1: a document a line, its class and the numbers of its words; words of the test part only are left out."""
    as_text, labels, written = (pathlib.Path(corpus).with_suffix(suffix) for suffix in (".jsonl", ".label", ".numbers"))
    frame.gibbous("convert", corpus, "-o", as_text, "-q", "--force")
    with open(as_text, encoding="utf-8") as documents, open(labels, encoding="utf-8") as classes, \
            open(written, "w", encoding="utf-8") as out:
        for document, label in zip(documents, classes):
            words = [word for word in json.loads(document)["text"].split() if word in numbers or not is_test]
            out.write(" ".join(map(str, [int(int(label) == fits.ATHEISM), *(numbers.setdefault(w, len(numbers)) for w in words)])) + "\n")
    return written


def _algorithm_1(binary, scratch):
    """The program of that name and its two files; made once."""
    @functools.cache
    def made():
        program, numbers = scratch / "algorithm_1", {}
        source = pathlib.Path(__file__).with_name("algorithm_1.c")
        subprocess.run(["cc", "-O2", "-std=gnu17", "-o", program, source, "-lm"], check=True)
        train, test = binary()
        return program, _numbered(train, numbers, False), _numbered(test, numbers, True)

    def accuracy(*options):
        done = subprocess.run([*made(), *map(str, options)], check=True, capture_output=True, text=True)
        return {"accuracy": float(done.stdout)}
    return accuracy


def _algorithm_1_cells(chosen, scratch, seed, binary):
    accuracy = _algorithm_1(binary, scratch)
    for start, meaning in settings.ALGORITHM_1_STARTS.items():
        for m in chosen["burn_ins"]:
            options = [20, chosen["alpha"], 0.01, 25, m, seed, start]
            yield frame.Cell("figure 3, start", f"{meaning}; M {m}", seed,
                             " ".join(map(str, [f"binary/{chosen['every']}", "algorithm_1", *options])),
                             functools.partial(accuracy, *options))


def _news(chosen, seed, add):
    """Figures 2 and 4: all 20 classes."""
    plus = ["--response", "logistic", "--cost", chosen["news_cost"]]
    alpha, burn_in = chosen["news_alpha"], chosen["news_burn_in"]
    methods = {"gSLDA+, shared": plus, "gSLDA, shared": settings.METHODS["gSLDA"],
               "topics, then classifier": settings.METHODS["topics, then classifier"]}
    for k in chosen["news_burn_in_topics"]:
        for m in chosen["news_burn_ins"]:
            add("figure 4", f"gSLDA+, shared, K {k}; M {m}", plus + sampler(k, alpha, m))
    for method, response in methods.items():
        for k in chosen["news_topics"]:
            sweeps = chosen["news_two_stage_burn_in"] if "--two-stage" in response else burn_in
            add("figure 2", f"{method}; K {k}", response + sampler(k, alpha, sweeps))
    for k in chosen["rest_topics"] if seed in chosen["rest_seeds"] else []:
        for method, response in (("gSLDA+", plus), ("gSLDA", settings.METHODS["gSLDA"])):
            add("one-vs-rest", f"{method}, one-vs-rest; K {k}", [*response, "--strategy", "one-vs-rest", *sampler(k, alpha, burn_in)])


def _counts(chosen, add):
    """Not in the paper, which names it as later work: the number of people who voted on a film, from what the film is about."""
    def model(k):
        return sampler(k, chosen["alpha"], chosen["burn_in"], chosen["draws"])[:-len(settings.MODEL)] + settings.COUNT_MODEL
    for k in chosen["count_topics"]:
        for method, response in settings.COUNT_METHODS.items():
            add("counts", f"{method}; K {k}", response + model(k))
    for k in chosen["count_variant_topics"]:
        for method, options in settings.COUNT_VARIANTS.items():
            add("counts", f"{method}; K {k}", model(k) + options)


def _times(chosen, data, scratch, seed):
    """Table 1: a sweep of one of the 20 classifiers, and of the same documents with one token each, which leaves the
    Polya-Gamma draws, the coefficients and what else a document costs."""
    every = chosen["news_every"]
    corpora = {"whole documents": fits.one_against_rest(data, scratch, "rest", every),
               "one token of each": fits.one_against_rest(data, scratch, "rest-short", every, one_word=True)}
    for k in chosen["time_topics"]:
        for (name, files), sweeps in zip(corpora.items(), chosen["time_sweeps"]):
            for response in ("logistic", "hinge"):
                options = ["--response", response, "--cost", chosen["news_cost"], *sampler(k, chosen["news_alpha"], 0)]
                yield fits.sweep_cell("table 1", f"{response}, {name}; K {k}", seed, f"one against rest/{every}, {name}", files,
                                      scratch, options[:options.index("--burn-in")] + settings.MODEL, sweeps)


def _cells_of_seed(chosen, data, scratch, seed, binary, news):
    made = []
    adder = fits.adder(made, seed, scratch, settings.INFER)
    _binary(chosen, adder(f"binary/{chosen['every']}", binary))
    made.extend(_algorithm_1_cells(chosen, scratch, seed, binary))
    _counts(chosen, adder(f"films/{chosen['count_every']}", fits.films(data, scratch, seed, chosen["count_every"])))
    made.extend(_times(chosen, data, scratch, seed))
    _news(chosen, seed, adder(f"news/{chosen['news_every']}", news))
    return made


def cells(chosen, data, scratch):
    return fits.cells_of_seeds(chosen, data, scratch, _cells_of_seed)


def report(results):
    scores = {"accuracy": 3, "train_s": 2, "test_s": 2}
    fits.print_curves(results, "figure 1", "two newsgroups, over the number of topics", scores)
    fits.print_curves(results, ("figure 2", "one-vs-rest"), "20 newsgroups, over the number of topics", scores)
    fits.print_curves(results, "table 1", "a sweep over one classifier of 20", {"sweep_ms": 1})
    fits.print_curves(results, "figure 3", "two newsgroups, over burn-in", {"accuracy": 3, "train_s": 2})
    fits.print_curves(results, "figure 3, start", "two newsgroups, over burn-in, 20 topics", {"accuracy": 3})
    fits.print_curves(results, "figure 4", "20 newsgroups, over burn-in", {"accuracy": 3, "train_s": 2})
    fits.print_curves(results, "counts", "votes on films, over the number of topics", {"r2": 3, "mae": 0, "coverage_90": 3, "train_s": 2})
    fits.print_curves(results, "figure 5", "two newsgroups, over c", {"accuracy": 3, "train_accuracy": 3})
    fits.print_curves(results, "figure 6", "two newsgroups, over alpha", {"accuracy": 3, "train_s": 2})
