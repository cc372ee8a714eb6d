"""Figures 1 to 6 of the gSLDA paper, and counts, which it leaves to later work."""
import fits

FIGURES = ["figure_1", "figure_2", "figure_3", "start", "figure_4", "figure_5", "figure_6", "counts"]
TIMES = {"accuracy": "test accuracy", "train_s": "training, CPU s"}


def figure_1(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 1", TIMES | {"test_s": "prediction, CPU s"}, "topics")


def figure_2(pyplot, results):
    return fits.plot_curves(pyplot, results, ("figure 2", "one-vs-rest"), TIMES, "topics")


def figure_3(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 3", TIMES, "burn-in M")


def start(pyplot, results):
    figure = fits.plot_curves(pyplot, results, "figure 3, start", {"accuracy": TIMES["accuracy"]}, "burn-in M")
    if figure is not None:
        figure.set_size_inches(6.5, 3.2)
        panel = figure.axes[0]
        panel.set_xscale("symlog", linthresh=1)
        panel.set_xlim(-0.1, 120)
        panel.set_xticks([0, 1, 2, 5, 10, 20, 50, 100], ["0", "1", "2", "5", "10", "20", "50", "100"])
        panel.set_xticks([], minor=True)
        figure.tight_layout()
    return figure


def figure_4(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 4", TIMES, "burn-in M")


def figure_5(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 5", {"accuracy": "test accuracy", "train_accuracy": "training accuracy"}, "c",
                            log_x=True)


def figure_6(pyplot, results):
    return fits.plot_curves(pyplot, results, "figure 6", TIMES, "alpha (sum over topics)", log_x=True)


def counts(pyplot, results):
    measures = {"r2": "predictive R2", "mae": "mean absolute error, votes", "coverage_90": "counts in 90 % intervals"}
    return fits.plot_curves(pyplot, results, "counts", measures, "topics")
