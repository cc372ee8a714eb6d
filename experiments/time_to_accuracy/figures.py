"""A figure for each corpus: seconds of training against the score, with a band from the lowest to the highest seed."""
import functools

from . import settings

FIGURES = ["newsgroups", "imdb", "reuters", "films"]
STYLES = {"gibbous, topics": ("C0", "o"), "gibbous, topics and words": ("C1", "s"), settings.SLDA: ("C2", "^"),
          settings.LDA: ("C3", "D"), "linear SVM or ridge on words": ("0.2", "*"),
          "logistic regression on words": ("0.5", "P")}


def draw(name, plot, results):
    found = results.of(name)
    if not found:
        return None
    figure, axes = plot.subplots(figsize=(6.4, 3.6))
    for method, (colour, marker) in STYLES.items():
        runs = found.get(method)
        if not runs:
            continue
        seconds, scores = ([[run[key][i] for run in runs] for i in range(len(runs[0]["stop"]))] for key in ("train_s", "score"))
        x = [sum(values) / len(values) for values in seconds]
        y = [sum(values) / len(values) for values in scores]
        axes.plot(x, y, color=colour, marker=marker, markersize=8 if len(x) == 1 else 4, linewidth=1, label=method)
        axes.fill_between(x, [min(values) for values in scores], [max(values) for values in scores], color=colour, alpha=0.2, linewidth=0)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set(xlabel="CPU seconds of training, one thread", ylabel="R2" if name == "film ratings" else "accuracy", title=name)
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
    figure.tight_layout()
    return figure


newsgroups, imdb, reuters, films = (functools.partial(draw, name) for name in settings.CORPORA)
