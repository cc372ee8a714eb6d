"""Figures 4.1 to 4.5 of the paper from results.csv."""
import math
import re

from frame import mean_and_error

FIGURES = ["figure_4_1", "figure_4_2", "figure_4_3", "figure_4_4", "figure_4_5"]
STYLES = {"DOLDA, normal": ("o-", "C0"), "DOLDA, horseshoe": ("s-", "C1"),
          "two steps, normal": ("o--", "C0"), "two steps, horseshoe": ("s--", "C1")}


def accuracy_over_topics(plot, results, part, title):
    curves = {}
    for row, found in results.of(part).items():
        match = re.fullmatch(r"(.*), K (\d+)", row)
        if match:
            mean, error = mean_and_error(r["accuracy"] for r in found)
            curves.setdefault(match[1], []).append((int(match[2]), mean, error))
    if not curves:
        return None
    figure, axes = plot.subplots(figsize=(4.6, 3.2))
    for kind, points in curves.items():
        x, y, error = zip(*sorted(points))
        marker, colour = STYLES[kind]
        axes.errorbar(x, y, yerr=[0 if math.isnan(e) else e for e in error], fmt=marker, color=colour, markersize=4,
                      capsize=2, label=kind, linewidth=1)
    for row, found in results.of(part).items():
        if row == "without topics":
            mean, _ = mean_and_error(r["accuracy"] for r in found)
            axes.axhline(mean, color="0.5", linewidth=0.8, linestyle=":", label="linear model of the words")
    axes.set(xlabel="topics", ylabel="accuracy", title=title)
    axes.legend(frameon=False, fontsize=7)
    return figure


def figure_4_1(plot, results):
    return accuracy_over_topics(plot, results, "figure 4.1", "20 Newsgroups")


def figure_4_2(plot, results):
    return accuracy_over_topics(plot, results, "figure 4.2", "Films")


def figure_4_3(plot, results):
    found = {prior: r[0] for prior, r in results.of("figure 4.3").items()}
    genres = ("Romance", "Crime", "Science Fiction")
    if len(found) < 2 or not all(genre in r for r in found.values() for genre in genres):
        return None
    figure, both = plot.subplots(1, 2, figsize=(6.4, 2.8))
    for axes, (prior, r) in zip(both, found.items()):
        axes.hist([x for genre in genres for x in r[genre]], bins=60, color="C0")
        axes.set(xlabel="coefficient", title=prior)
    both[0].set_ylabel("topics of three genres")
    return figure


def stems(plot, results, genre):
    found = {prior: r[0] for prior, r in results.of("figure 4.3").items() if genre in r[0]}
    if len(found) < 2:
        return None
    figure, both = plot.subplots(2, 1, figsize=(6, 3.6), sharex=True)
    for axes, prior in zip(both, ("horseshoe", "normal")):
        values = found[prior][genre]
        axes.vlines(range(1, len(values) + 1), 0, values, color="C0", linewidth=1.5)
        axes.axhline(0, color="0.5", linewidth=0.6)
        axes.set(ylabel=prior)
    both[0].set_title(f"Coefficients of {genre}")
    both[1].set_xlabel("topic")
    return figure


def figure_4_4(plot, results):
    return stems(plot, results, "Romance")


def figure_4_5(plot, results):
    return stems(plot, results, "Crime")
