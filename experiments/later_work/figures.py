"""The curve over the share of documents with a label."""
import math

import frame

from .paper import curve

FIGURES = ["labels"]


def labels(plot, results):
    found = curve(results, "auc")
    if not found:
        return None
    figure, axes = plot.subplots(figsize=(6.4, 3.4))
    for method, points in found.items():
        xs = sorted(points)
        summary = [frame.mean_and_error(points[x]) for x in xs]
        axes.errorbar(xs, [mean for mean, _ in summary], yerr=[0 if math.isnan(error) else error for _, error in summary], marker="o",
                      markersize=4, linewidth=1, capsize=2, label=method)
    xs = sorted({x for points in found.values() for x in points})
    axes.set_xscale("log")
    axes.set_xticks(xs, [f"{x:g}" for x in xs])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="reviews with a label, %", ylabel="area under the curve", title="Film reviews")
    axes.legend(frameon=False, fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
    figure.tight_layout()
    return figure
