"""Figures 1 to 8 of the LightMedLDA paper, and two that it does not have."""
import fits

FIGURES = ["figure_1", "figure_2", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "figure_8", "time_over_topics",
           "convergence"]
TIMES = {"accuracy": "test accuracy", "train_s": "training, CPU s"}


def figure_1(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 1", TIMES, "topics")


def figure_2(pyplot, results):
    return fits.plot_curves(pyplot, results, ("figure 2", "one-vs-rest"), TIMES, "topics", log_x=True)


def figure_3(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 3", {"micro_f1": "micro F1", "train_s": TIMES["train_s"]}, "topics")


def figure_4(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 4", TIMES, "topics")


def figure_5(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 5", {"r2": "predictive R2", "train_s": "training, CPU s"}, "topics")


def figure_6(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 6", TIMES, "topics", log_x=True)


def figure_7(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 7", TIMES, "steps for each token")


def figure_8(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 8", TIMES, "passes")


def time_over_topics(pyplot, results):
    return fits.plot_curves(pyplot, results, "time over topics", {"train_s": "5 sweeps, CPU s"}, "topics", log_x=True)


def convergence(pyplot, results):
    return fits.plot_curves(pyplot, results, "convergence", TIMES, "burn-in M", log_x=True)
