"""Gibbs max-margin topic models with data augmentation (Zhu, Chen, Perkins and Zhang, JMLR 2014)."""
import csv
import functools
import io
import math

import fits
import frame

from . import settings

SIMULATES = False


def model(topics, alpha, burn_in, draws=1):
    return [*settings.MODEL, "-k", topics, "--alpha", f"{alpha / topics:.6g}", "--burn-in", burn_in, "--sweeps", burn_in + draws]


def _binary(chosen, add):
    hinge, alpha, m = settings.HINGE, chosen["alpha"], chosen["burn_in"]
    for k in chosen["topics"]:
        add("binary", f"Gibbs MedLDA; K {k}", hinge + model(k, alpha, m))
        add("binary", f"Gibbs MedLDA, {chosen['draws']} draws; K {k}", hinge + model(k, alpha, m, chosen["draws"]))
        add("binary", f"topics, then classifier; K {k}", [*hinge, "--two-stage", *model(k, alpha, chosen["two_stage_burn_in"])])
    k = chosen["sensitivity_topics"]
    for burn_in in chosen["burn_ins"]:
        add("burn-in", f"K {k}; M {burn_in}", hinge + model(k, alpha, burn_in))
    for cost in chosen["costs"]:
        add("cost", f"margin 164; c {cost}", [*hinge, *model(k, alpha, m), "--cost", cost])
    for margin in chosen["margins"]:
        add("margin", f"c 1.6; margin {margin}", [*hinge, *model(k, alpha, m), "--margin", margin])
    for total in chosen["alphas"]:
        add("alpha", f"K {k}; alpha {total}", hinge + model(k, total, m))
    for draws in chosen["prediction_draws"]:
        add("draws", f"draws of the model; {draws}", [*hinge, *model(k, alpha, m, draws), "--snapshots", draws],
            settings.ONE_DRAW_INFER)
        add("draws", f"draws of the document's topics; {draws}", hinge + model(k, alpha, m),
            ["--infer-burn-in", "10", "--infer-sweeps", str(draws)])


def _hotels(chosen, add):
    def insensitive(epsilon, cost):
        return ["--response", "insensitive", "--epsilon", epsilon, "--cost", cost]
    alpha, m = chosen["hotel_alpha"], chosen["hotel_burn_in"]
    usual = insensitive(chosen["hotel_epsilon"], chosen["hotel_cost"])
    for k in chosen["hotel_topics"]:
        add("regression", f"Gibbs MedLDA; K {k}", usual + model(k, alpha, m))
        add("regression", f"Gibbs MedLDA, {chosen['draws']} draws; K {k}", usual + model(k, alpha, m, chosen["draws"]))
        add("regression", f"topics, then regression; K {k}",
            [*usual, "--two-stage", *model(k, alpha, chosen["two_stage_burn_in"])])
        add("regression", f"sLDA, Gaussian; K {k}", ["--response", "gaussian", "--cost", "1"] + model(k, alpha, 100))
    k = chosen["sensitivity_topics"]
    for epsilon in chosen["epsilons"]:
        add("regression, epsilon", f"K {k}; epsilon {epsilon}", insensitive(epsilon, chosen["hotel_cost"]) + model(k, alpha, m))
    for cost in chosen["hotel_costs"]:
        add("regression, cost", f"K {k}; c {cost}", insensitive(chosen["hotel_epsilon"], cost) + model(k, alpha, m))


def _of_20_classes(chosen, k):
    """Options of both methods for 20 classes or labels."""
    hinge, alpha = ["--cost", "1.6", "--margin", "64"], chosen["news_alpha"]
    return {"multi-task": hinge + model(k, alpha, chosen["news_burn_in"]),
            "topics, then classifier": [*hinge, "--two-stage", *model(k, alpha, chosen["two_stage_burn_in"])]}


def _news(chosen, add, with_rest):
    alpha, m = chosen["news_alpha"], chosen["news_burn_in"]
    for k in chosen["news_topics"]:
        for method, options in _of_20_classes(chosen, k).items():
            add("20 classes", f"{method}; K {k}", options)
    for k in chosen["rest_topics"] if with_rest else []:
        add("one-vs-rest", f"one-vs-rest; K {k}", ["--cost", "1.6", "--margin", "64", "--strategy", "one-vs-rest", *model(k, alpha, m)])


def _stories(chosen, add):
    for k in chosen["stories_topics"]:
        for method, options in _of_20_classes(chosen, k).items():
            add("several labels", f"{method}; K {k}", options)


def _table(*arguments):
    return list(csv.DictReader(io.StringIO(frame.gibbous(*arguments, "--table", "csv", "-q"))))


def _mean(values):
    values = list(values)
    return round(sum(values) / len(values), 4)


def _quality(files, scratch, options, seed):
    """Coherence of the top ten words of topics and how far topics share them; topics that a class has, as the exponential of the
    entropy of its mean shares in the test part; and how many of a class' coefficients are below a tenth of its largest."""
    corpus, test = files()
    trained = scratch / "model.gibbous"
    fits.train(corpus, trained, options, seed)
    topics = [row for row in _table("topics", "-m", trained, "--reference", corpus) if row["empty"] == "0"]
    by_class, shares = {}, _table("infer", test, "-m", trained, "--threads", "1", "--seed", seed, *settings.INFER)
    with open(test.replace(".gbc", ".label"), encoding="utf-8") as labels:
        for label, row in zip(labels, shares):
            by_class.setdefault(label, []).append([float(x) for name, x in row.items() if name.startswith("topic_")])
    mean_shares = [[sum(column) / len(rows) for column in zip(*rows)] for rows in by_class.values()]
    scores = {}
    for row in _table("effects", "-m", trained):
        if row["kind"] == "topic":
            scores.setdefault(row["output"], []).append(abs(float(row["mean"])))
    return {"npmi": _mean(float(row["npmi"]) for row in topics), "exclusivity": _mean(float(row["exclusivity"]) for row in topics),
            "topics_of_class": _mean(math.exp(-sum(p * math.log(p) for p in ps if p > 0)) for ps in mean_shares),
            "small": _mean(sum(c < 0.1 * max(cs) for c in cs) / len(cs) for cs in scores.values())}


def _quality_cells(chosen, scratch, seed, corpus, files):
    for k in chosen["quality_topics"]:
        for method, options in _of_20_classes(chosen, k).items():
            options = fits.last_wins(options)
            yield frame.Cell("topics", f"{method}; K {k}", seed, " ".join([corpus, *options, "quality", *settings.INFER]),
                             functools.partial(_quality, files, scratch, options, seed))


def _cells_of_seed(chosen, data, scratch, seed, binary, news):
    made = []
    adder = fits.adder(made, seed, scratch, settings.INFER)
    _binary(chosen, adder(f"binary/{chosen['every']}", binary))
    _hotels(chosen, adder(f"hotels/{chosen['every']}", fits.hotels(data, scratch, seed, chosen["every"])))
    news_name = f"news/{chosen['news_every']}"
    _news(chosen, adder(news_name, news), seed in chosen["rest_seeds"])
    made.extend(_quality_cells(chosen, scratch, seed, news_name, news))
    n_labels, every = chosen["stories_labels"], chosen["stories_every"]
    _stories(chosen, adder(f"stories of {n_labels} labels/{every}", fits.stories(data, scratch, n_labels, every)))
    return made


def cells(chosen, data, scratch):
    return fits.cells_of_seeds(chosen, data, scratch, _cells_of_seed)


def report(results):
    scores = {"accuracy": 3, "train_s": 2}
    fits.print_curves(results, "binary", "two newsgroups, over the number of topics", scores | {"test_s": 2})
    fits.print_curves(results, "burn-in", "two newsgroups", scores)
    for part in ("cost", "margin", "alpha", "draws"):
        fits.print_curves(results, part, "two newsgroups", {"accuracy": 3})
    fits.print_curves(results, "regression", "hotel reviews, over the number of topics", {"r2": 3, "train_s": 2})
    fits.print_curves(results, "regression, epsilon", "hotel reviews", {"r2": 3})
    fits.print_curves(results, "regression, cost", "hotel reviews", {"r2": 3})
    fits.print_curves(results, ("20 classes", "one-vs-rest"), "20 newsgroups, over the number of topics", scores)
    fits.print_curves(results, "topics", "20 newsgroups", {"npmi": 3, "exclusivity": 3, "topics_of_class": 1, "small": 3})
    fits.print_curves(results, "several labels", "stories with several labels each", {"micro_f1": 3, "macro_f1": 3, "train_s": 2})
