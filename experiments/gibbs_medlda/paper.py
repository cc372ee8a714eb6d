"""Gibbs max-margin topic models with data augmentation (Zhu, Chen, Perkins and Zhang, JMLR 2014)."""
import fits

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


def _news(chosen, add, with_rest):
    alpha, m = chosen["news_alpha"], chosen["news_burn_in"]
    for k in chosen["news_topics"]:
        add("20 classes", f"multi-task; K {k}", ["--cost", "1.6", "--margin", "64", *model(k, alpha, m)])
        add("20 classes", f"topics, then classifier; K {k}", ["--cost", "1.6", "--margin", "64", "--two-stage",
                                                              *model(k, alpha, chosen["two_stage_burn_in"])])
    for k in chosen["rest_topics"] if with_rest else []:
        add("one-vs-rest", f"one-vs-rest; K {k}", ["--cost", "1.6", "--margin", "64", "--strategy", "one-vs-rest", *model(k, alpha, m)])


def _cells_of_seed(chosen, data, scratch, seed, binary, news):
    made = []
    adder = fits.adder(made, seed, scratch, settings.INFER)
    _binary(chosen, adder(f"binary/{chosen['every']}", binary))
    _hotels(chosen, adder(f"hotels/{chosen['every']}", fits.hotels(data, scratch, seed, chosen["every"])))
    _news(chosen, adder(f"news/{chosen['news_every']}", news), seed in chosen["rest_seeds"])
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
