"""One figure for each experiment of the Gibbs MedLDA paper that is made again; its own numbering is not at hand."""
import fits

FIGURES = ["binary", "twenty_classes", "regression", "burn_in", "cost", "margin", "alpha", "draws", "regression_epsilon",
           "regression_cost", "topics", "several_labels"]
TIMES = {"accuracy": "test accuracy", "train_s": "training, CPU s"}
ACCURACY = {"accuracy": "test accuracy"}
R2 = {"r2": "predictive R2"}


def binary(pyplot, results):
    return fits.plot_curves(pyplot, results, "binary", TIMES | {"test_s": "prediction, CPU s"}, "topics")


def twenty_classes(pyplot, results):
    return fits.plot_curves(pyplot, results, ("20 classes", "one-vs-rest"), TIMES, "topics")


def regression(pyplot, results):
    return fits.plot_curves(pyplot, results, "regression", R2 | {"train_s": "training, CPU s"}, "topics")


def burn_in(pyplot, results):
    return fits.plot_curves(pyplot, results, "burn-in", TIMES, "burn-in M")


def cost(pyplot, results):
    return fits.plot_curves(pyplot, results, "cost", ACCURACY, "c", log_x=True)


def margin(pyplot, results):
    return fits.plot_curves(pyplot, results, "margin", ACCURACY, "margin", log_x=True)


def alpha(pyplot, results):
    return fits.plot_curves(pyplot, results, "alpha", ACCURACY, "alpha (sum over topics)", log_x=True)


def draws(pyplot, results):
    return fits.plot_curves(pyplot, results, "draws", ACCURACY, "draws")


def regression_epsilon(pyplot, results):
    return fits.plot_curves(pyplot, results, "regression, epsilon", R2, "epsilon (stars)", log_x=True)


def regression_cost(pyplot, results):
    return fits.plot_curves(pyplot, results, "regression, cost", R2, "c", log_x=True)


def topics(pyplot, results):
    measures = {"npmi": "coherence (npmi)", "exclusivity": "exclusivity", "topics_of_class": "topics of a class",
                "small": "share of small coefficients"}
    return fits.plot_curves(pyplot, results, "topics", measures, "topics")


def several_labels(pyplot, results):
    return fits.plot_curves(pyplot, results, "several labels", {"micro_f1": "micro F1", "macro_f1": "macro F1"} | {"train_s": TIMES["train_s"]},
                            "topics")
