"""Figures of models with matplotlib.

Every function draws on ``ax`` (or a figure of its own) and returns the Axes; they can be changed
like any others.  Colours are those of Okabe and Ito, which colour-blind people tell apart, and no
figure depends on colour alone.  Topics have numbers from 1, as in the command.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous import frames
from gibbous._library import library, text
from gibbous.diagnosis import Diagnosis, diagnose
from gibbous.errors import ArgumentError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gibbous.explanation import Explanation
    from gibbous.frames import Estimate
    from gibbous.model import Model
    from gibbous.prevalence import Prevalence

__all__ = [
    "calibration",
    "classes",
    "coefficients",
    "documents",
    "explanation",
    "prevalence",
    "similarities",
    "topics",
    "traces",
    "trends",
]

#: Okabe and Ito (2008), without the yellow that is too light on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
#: Those of the page of ``report``: positive, negative, and what is behind.
_UP, _DOWN, _LINE, _MUTED = "#1f6f8b", "#c4551c", "#d4d9df", "#57606a"
_PAGE = (_UP, _DOWN, "#5b4fa8", "#2f7d32", "#a3326b", "#7a5b00", "#00708f", "#6b6b6b")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_STYLES = ("-", "--", "-.", ":")
_GREY = "#808080"


def _new_axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _tidy(ax: Axes) -> None:
    """No frame where nothing is read off, a light grid behind what is."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)


def _short(words: str, n: int, width: int = 34) -> str:
    """The first words, as many as fit."""
    return textwrap.shorten(" ".join(words.split()[:n]), width, placeholder=" …")


def _plain(text: str) -> str:
    """A dollar sign would begin a formula."""
    return text.replace("$", r"\$")


def _small_axes(n: int, n_columns: int, width: float, height: float, **shared: Any) -> Any:
    """Axes for n small figures, and the figure; the other axes are hidden."""
    from matplotlib import pyplot

    n_columns = max(1, min(n_columns, n))
    n_rows = -(-n // n_columns)
    figure, axes = pyplot.subplots(
        n_rows,
        n_columns,
        figsize=(width * n_columns, height * n_rows + 0.4),
        squeeze=False,
        layout="constrained",
        **shared,
    )
    for ax in axes.ravel()[n:]:
        ax.set_visible(False)
    return figure, axes


# ---- topics over groups


def trends(
    model: Model,
    topics: Sequence[int] | None = None,
    *,
    n_words: int = 4,
    n_columns: int = 3,
    share_y: bool = False,
) -> NDArray[Any]:
    """Topic shares over the groups of a model: a small figure for each topic.

    Parameters
    ----------
    model : Model
        Trained with ``prior="graph"``: the groups are on the horizontal axis, as numbers if all
        names are numbers, such as years.
    topics : sequence of int, optional
        Numbers of topics from 1; by default the six whose share changes most, compared with how
        well it is known.
    n_words : int
        Words in the titles.
    n_columns : int
        Figures side by side.
    share_y : bool
        One scale for all topics, instead of one for each.

    Returns
    -------
    ndarray of Axes
        The line is the posterior mean, the band the interval from 5 % to 95 %, and dots are groups
        with documents.
    """
    trend = "all" if topics is None else topics
    table = model.table("groups", trend=trend, words=n_words, frame="arrays")
    names = frames.group_names(model)
    by_topic = {name: cells.reshape(-1, len(names)).T for name, cells in table.items()}
    mean, low, high = (by_topic[name] for name in ("mean", "q05", "q95"))
    has_documents = by_topic["n_documents"][:, 0] > 0
    number, words = by_topic["topic"][0], by_topic["words"][0]
    chosen = list(range(len(number)))
    if topics is None:
        change = (mean.max(0) - mean.min(0)) / np.maximum((high - low).mean(0), 1e-12)
        chosen = sorted(np.argsort(-change, kind="stable")[:6].tolist())
    x, is_number = _positions(names)
    n_columns = min(n_columns, len(chosen))
    figure, axes = _small_axes(len(chosen), n_columns, 3.3, 2.2, sharex=True, sharey=share_y)
    for i, (ax, k) in enumerate(zip(axes.ravel(), chosen, strict=False)):
        colour = COLOURS[0]
        ax.fill_between(x, 100 * low[:, k], 100 * high[:, k], color=colour, alpha=0.22, linewidth=0)
        ax.plot(x, 100 * mean[:, k], color=colour, linewidth=1.6)
        if len(x) <= 40:
            ax.plot(x[has_documents], 100 * mean[has_documents, k], "o", color=colour, markersize=3)
        ax.set_title(
            _plain(f"{number[k]}  {_short(str(words[k]), n_words, 36)}"), fontsize=9, loc="left"
        )
        ax.set_ylim(bottom=0)
        ax.grid(axis="y", color="#e0e0e0", linewidth=0.7)
        ax.tick_params(labelsize=8, labelbottom=i + n_columns >= len(chosen))
        _tidy(ax)
        if not is_number:
            step = -(-len(names) // 8)
            ax.set_xticks(x[::step], names[::step], rotation=45, ha="right")
    figure.supylabel("expected share of a document (%)", fontsize=9)
    figure.supxlabel(_plain(_group_field(model)), fontsize=9)
    return np.asarray(axes)


def _group_field(model: Model) -> str:
    return text(library.gb_model_group_field(model._pointer))


def _positions(names: Sequence[str]) -> tuple[NDArray[np.float64], bool]:
    """Where groups stand: at their numbers, if all names are numbers and ascend."""
    try:
        x = np.array([float(name) for name in names])
    except ValueError:
        return np.arange(len(names), dtype=np.float64), False
    return (
        (x, True)
        if bool((np.diff(x) > 0).all())
        else (np.arange(len(names), dtype=np.float64), False)
    )


# ---- topic shares by metadata


def prevalence(
    shown: Prevalence,
    topics: Sequence[int] | None = None,
    *,
    n_words: int = 4,
    n_columns: int = 3,
) -> NDArray[Any]:
    """Topic shares by metadata, as :meth:`Model.prevalence` found them.

    Parameters
    ----------
    shown : Prevalence
        Differences: a forest plot for each change.  Shares: a small figure for each topic, with
        lines and bands over numbers (a line for each value of a second field), or points.
    topics : sequence of int, optional
        Numbers of topics from 1; by default all, or of shares the six that change most.
    n_words : int
        Words of each topic.
    n_columns : int
        Figures side by side.

    Returns
    -------
    ndarray of Axes, shape (n_rows, n_columns)
        Bands and thin lines are intervals from 5 % to 95 %; between dotted lines the whole curve
        lies in 90 percent of the posterior.  Filled dots are differences whose interval does not
        contain 0.

    Examples
    --------
    >>> axes = prevalence(model.prevalence(at="year"))  # doctest: +SKIP
    """
    c = {name: np.asarray(cells) for name, cells in shown._table.columns.items()}
    c["number_of_topic"] = np.array([int(str(t).split("+")[0]) for t in c["topic"]])
    if topics is not None:
        keep = np.isin(c["number_of_topic"], topics)
        c = {name: cells[keep] for name, cells in c.items()}
    if len(c["topic"]) == 0:
        raise ArgumentError("topics: none of them is there")
    draw = _changes if shown.kind == "differences" else _curves
    return np.asarray(draw(c, topics is None, n_words, n_columns))


def _topic_title(c: dict[str, NDArray[Any]], i: int, n_words: int) -> str:
    name = str(c["topic_name"][i]) if "topic_name" in c else ""
    return _plain(f"{c['topic'][i]}  {name or _short(str(c['words'][i]), n_words, 36)}")


def _changes(c: dict[str, NDArray[Any]], _: bool, n_words: int, n_columns: int) -> NDArray[Any]:
    keys = list(zip(c["field"], c["value"], c["minus"], strict=True))
    changes = list(dict.fromkeys(keys))
    most = max(keys.count(change) for change in changes)
    figure, axes = _small_axes(len(changes), n_columns, 5.0, 0.6 + 0.24 * most)
    for ax, change in zip(axes.ravel(), changes, strict=False):
        rows = np.flatnonzero([key == change for key in keys])
        rows = rows[np.argsort(c["mean"][rows], kind="stable")]
        mean, low, high = (100 * c[name][rows] for name in ("mean", "q05", "q95"))
        ax.axvline(0, color=_GREY, linewidth=0.8)
        for i in range(len(rows)):
            colour = _DOWN if mean[i] < 0 else _UP
            face = colour if low[i] > 0 or high[i] < 0 else "white"
            ax.hlines(i, low[i], high[i], color=colour, linewidth=1.6)
            marker = "s" if mean[i] < 0 else "o"
            ax.plot(mean[i], i, marker, color=colour, markerfacecolor=face, markersize=5)
        ax.set_yticks(
            np.arange(len(rows)), [_topic_title(c, i, n_words) for i in rows.tolist()], fontsize=8
        )
        title = f"{change[0]} = {change[1]} minus {change[2]}"
        ax.set_title(_plain(_short(title, 99, 60)), fontsize=9, loc="left")
        ax.grid(axis="x", color="#e8e8e8", linewidth=0.7)
        ax.set_ylim(-0.7, len(rows) - 0.3)
        ax.tick_params(axis="y", length=0)
        ax.tick_params(axis="x", labelsize=8)
        _tidy(ax)
        ax.spines["left"].set_visible(False)
    figure.supxlabel("difference of expected shares (points of percent)", fontsize=9)
    return np.asarray(axes)


def _curves(
    c: dict[str, NDArray[Any]], is_choice: bool, n_words: int, n_columns: int
) -> NDArray[Any]:
    chosen = list(dict.fromkeys(c["number_of_topic"].tolist()))
    rows_of = {k: np.flatnonzero(c["number_of_topic"] == k) for k in chosen}
    if is_choice:
        gain = {k: c["q05"][rows].max() - c["q95"][rows].min() for k, rows in rows_of.items()}
        chosen = sorted(sorted(chosen, key=lambda k: -gain[k])[:6])
    is_number = not np.isnan(c["number"]).any()
    by = c.get("by_value", np.full(len(c["topic"]), ""))
    figure, axes = _small_axes(len(chosen), n_columns, 3.3, 2.3, sharex=True)
    for ax, k in zip(axes.ravel(), chosen, strict=False):
        lines = list(dict.fromkeys(by[rows_of[k]].tolist()))
        for j, line in enumerate(lines):
            rows = rows_of[k][by[rows_of[k]] == line]
            colour = _PAGE[j % len(_PAGE)]
            marker, style = _MARKERS[j % len(_MARKERS)], _STYLES[j % len(_STYLES)]
            mean, low, high = (100 * c[name][rows] for name in ("mean", "q05", "q95"))
            label = _plain(str(line)) or None
            if is_number:
                x = c["number"][rows]
                ax.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
                for side in ("band_low", "band_high"):
                    ax.plot(x, 100 * c[side][rows], ":", color=colour, linewidth=0.8)
                ax.plot(x, mean, style, color=colour, linewidth=1.6, label=label)
            else:
                at = np.arange(len(rows)) + 0.18 * (j - (len(lines) - 1) / 2)
                ax.vlines(at, low, high, color=colour, linewidth=1.6)
                ax.plot(at, mean, marker, color=colour, markersize=5, label=label)
                values = [_plain(_short(str(v), 9, 14)) for v in c["value"][rows]]
                ax.set_xticks(np.arange(len(rows)), values, fontsize=8)
        ax.set_title(_topic_title(c, int(rows_of[k][0]), n_words), fontsize=9, loc="left")
        ax.set_ylim(bottom=0)
        ax.grid(axis="y", color="#e0e0e0", linewidth=0.7)
        ax.tick_params(labelsize=8)
        _tidy(ax)
        if len(lines) > 1 and k == chosen[0]:
            ax.legend(fontsize=8, frameon=False)
    figure.supylabel("expected share of a document (%)", fontsize=9)
    figure.supxlabel(_plain(str(c["field"][0])), fontsize=9)
    return np.asarray(axes)


# ---- effects


def coefficients(
    model: Model | Estimate,
    output: str | None = None,
    *,
    n_rows: int = 20,
    kind: str | None = None,
    n_words: int = 4,
    ax: Axes | None = None,
) -> Axes:
    """Effects of topics and covariates on one score, with their intervals: a forest plot.

    Parameters
    ----------
    model : Model or Estimate
    output : str, optional
        The score: a class, or the field of a number.  It may be left out if there is only one.
    n_rows : int
        The clearest effects (largest ``|mean| / sd``; in a training largest ``|mean|``), sorted by
        their means.
    kind : {"topic", "covariate", "word"}, optional
        Effects of one kind only.
    n_words : int
        Words of a topic.
    ax : Axes, optional

    Returns
    -------
    Axes
        Thin lines are intervals from 5 % to 95 %; filled dots are effects whose interval does not
        contain 0.  Most effects in a training have no intervals, and no filled dots.
    """
    shown = model if not isinstance(model, frames.Estimate) else model.model
    if output is None:
        if shown.n_outputs != 1:
            raise ArgumentError(
                f"choose an output: {', '.join(shown.outputs) or 'the model has none'}"
            )
        output = shown.outputs[0]
    if output not in shown.outputs:
        raise ArgumentError(f"{output!r} is not one of the outputs {', '.join(shown.outputs)}")
    table = frames.effects(model, n_words=n_words, outputs=[output], frame="arrays")
    kinds = ("topic", "covariate", "word") if kind is None else (kind,)
    rows = np.flatnonzero(np.isin(table["kind"].astype(str), kinds) & ~np.isnan(table["mean"]))
    have_intervals = not np.isnan(table["sd"][rows]).all()
    deviation = np.nan_to_num(table["sd"][rows], nan=1.0)
    deviation[deviation == 0] = np.inf
    clear = np.abs(table["mean"][rows]) / (deviation if have_intervals else 1.0)
    rows = rows[np.argsort(-clear, kind="stable")[:n_rows]]
    rows = rows[np.argsort(table["mean"][rows], kind="stable")]
    ax = _new_axes(ax, 7.0, 1.2 + 0.27 * len(rows))
    at = np.arange(len(rows))
    mean, low, high = (table[name][rows] for name in ("mean", "q05", "q95"))
    is_clear = (low > 0) | (high < 0)
    ax.axvline(0, color=_GREY, linewidth=0.8)
    for sure, side in ((True, 1), (True, -1), (False, 0)):
        pick = (is_clear == sure) & ((np.sign(mean) == side) | (not sure))
        colour = {1: COLOURS[0], -1: COLOURS[1], 0: _GREY}[side]
        ax.hlines(at[pick], low[pick], high[pick], color=colour, linewidth=1.6)
        face = colour if sure else "white"
        ax.plot(mean[pick], at[pick], "o", color=colour, markerfacecolor=face, markersize=5.5)
    names = []
    for i in rows:
        feature = str(table["feature"][i])
        is_topic = table["kind"][i] == "topic"
        names.append(
            _plain(f"{feature}  {_short(str(table['words'][i]), n_words)}" if is_topic else feature)
        )
    ax.set_yticks(at, names, fontsize=9)
    ax.set_ylim(-0.7, len(rows) - 0.3)
    field = str(table["field"][0])
    label = _effect_label(shown, field, output)
    ax.set_xlabel(label if have_intervals else f"{label}, in the training", fontsize=9)
    ax.grid(axis="x", color="#e8e8e8", linewidth=0.7)
    ax.tick_params(axis="y", length=0)
    ax.tick_params(axis="x", labelsize=8)
    _tidy(ax)
    ax.spines["left"].set_visible(False)
    return ax


def _effect_label(model: Model, field: str, output: str) -> str:
    response = next(r for r in model.responses if r.field == field)
    if not response.classes:
        what = f"{response.scale} {field}".strip()
    elif response.task == "ordinal":
        what = f"{field} (standard deviations of its noise)"
    else:
        what = f"the {response.scale or 'score'} of {field} = {output}"
    return _plain(
        f"effect on {textwrap.shorten(what, 50, placeholder=' …')}\nagainst the average document"
    )


def classes(
    model: Model | Estimate,
    field: str | None = None,
    *,
    topics: Sequence[int] | None = None,
    n_words: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Effects of all topics on all classes as a map.

    Parameters
    ----------
    model : Model or Estimate
    field : str, optional
        A response with a score for each class.  It may be left out if there is only one.
    topics : sequence of int, optional
        Numbers of topics from 1; all by default.
    n_words : int
        Words of a topic.
    ax : Axes, optional

    Returns
    -------
    Axes
        Blue raises the score of the class, orange lowers it.  Cells whose interval from 5 % to 95 %
        contains 0, or that have none, are pale; they have no sign, and neither have effects that
        are small beside the largest.  Topics stand next to the class that they raise most.
    """
    shown = model if not isinstance(model, frames.Estimate) else model.model
    suitable = [r for r in shown.responses if r.n_outputs > 1]
    found = [r for r in suitable if field in (None, r.field)]
    if len(found) != 1:
        have = ", ".join(r.field for r in suitable) or "none"
        raise ArgumentError(f"choose a field with a score for each class: {have}")
    response = found[0]
    if shown.is_one_vs_rest:
        raise ArgumentError(
            "with one-vs-rest each class has topics of its own: use coefficients(model, output)"
        )
    table = frames.effects(model, n_words=n_words, frame="arrays")
    pick = (table["kind"] == "topic") & (table["field"] == response.field)
    shape = (response.n_outputs, -1)
    mean, low, high, title, words = (
        table[name][pick].reshape(shape) for name in ("mean", "q05", "q95", "feature", "words")
    )
    numbers = list(title[0])
    wanted = numbers if topics is None else [str(topic) for topic in topics]
    if not set(wanted) <= set(numbers):
        raise ArgumentError(f"topics are {', '.join(numbers)}")
    chosen = np.array([numbers.index(number) for number in wanted])
    known = np.nan_to_num(mean[:, chosen])
    best = known.argmax(axis=0)
    chosen = chosen[np.lexsort((-known.max(axis=0), best))]
    mean, low, high = mean[:, chosen].T, low[:, chosen].T, high[:, chosen].T
    is_clear = (low > 0) | (high < 0)
    ax = _new_axes(ax, 3.2 + 0.42 * shape[0], 1.6 + 0.27 * len(chosen))
    _colour_map(ax, np.where(is_clear, mean, 0.3 * mean), is_clear, mean)
    ax.set_yticks(
        np.arange(len(chosen)) + 0.5,
        [_plain(f"{numbers[k]}  {_short(words[0, k], n_words, 30)}") for k in chosen],
        fontsize=8.5,
    )
    ax.set_xticks(
        np.arange(shape[0]) + 0.5,
        [_plain(name) for name in response.classes],
        rotation=45,
        ha="right",
        fontsize=8.5,
    )
    ax.set_xlabel(_plain(response.field), fontsize=9)
    return ax


def _colour_map(
    ax: Axes, value: NDArray[np.float64], is_clear: NDArray[np.bool_], mean: NDArray[np.float64]
) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list(
        "gibbous", ["#B84A00", "#F3B98F", "#FFFFFF", "#93C3E4", "#00588F"]
    )
    most = float(np.nanquantile(np.abs(mean), 0.98)) or 1.0
    ax.set_facecolor("#f0f0f0")  # where no chain has the topic
    image = ax.pcolormesh(
        value, cmap=colours, vmin=-most, vmax=most, edgecolors="white", linewidth=0.8
    )
    ax.set_xlim(0, value.shape[1])
    ax.set_ylim(value.shape[0], 0)
    for (i, j), clear in np.ndenumerate(is_clear):
        if clear and abs(mean[i, j]) > 0.08 * most:
            strong = abs(mean[i, j]) > 0.55 * most
            sign = "+" if mean[i, j] > 0 else "\N{MINUS SIGN}"
            ax.text(
                j + 0.5,
                i + 0.5,
                sign,
                ha="center",
                va="center",
                fontsize=8,
                color="white" if strong else "#303030",
            )
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.5, pad=0.02, extend="both")
    bar.set_label("effect on the score", fontsize=8.5)
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_visible(False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


# ---- chains


def traces(model: Model | Diagnosis) -> NDArray[Any]:
    """The log joint and the losses of all chains from their first sweep on.

    Parameters
    ----------
    model : Model or Diagnosis

    Returns
    -------
    ndarray of Axes
        Burn-in is shaded.  The title says what the trend of the last half is.
    """
    from matplotlib import pyplot

    diagnosis = model if isinstance(model, Diagnosis) else diagnose(model)
    names = list(dict.fromkeys(trace.name for trace in diagnosis.traces))
    if not names:
        raise ArgumentError("the model has no traces")
    figure, axes = pyplot.subplots(
        len(names),
        1,
        figsize=(7, 2.1 * len(names) + 0.4),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, name in zip(axes[:, 0], names, strict=True):
        of_name = [trace for trace in diagnosis.traces if trace.name == name]
        for c, trace in enumerate(of_name):
            style = {
                "color": COLOURS[c % len(COLOURS)],
                "linestyle": _STYLES[c // len(COLOURS) % len(_STYLES)],
            }
            ax.plot(
                trace.sweeps, trace.values, linewidth=1.1, label=f"chain {trace.chain + 1}", **style
            )
        first = min(trace.first_kept for trace in of_name)
        if first > 0:
            ax.axvspan(0, first, color="#000000", alpha=0.06, linewidth=0)
        _zoom(ax, of_name)
        trends_found = [trace.trend for trace in of_name]
        told = ", ".join(
            f"{trend} in {trends_found.count(trend)}" for trend in dict.fromkeys(trends_found)
        )
        ax.yaxis.set_major_formatter("{x:,.10g}")
        ax.set_title(_plain(f"{name}: {told} of {len(of_name)}"), fontsize=9, loc="left")
        ax.grid(color="#e8e8e8", linewidth=0.7)
        ax.tick_params(labelsize=8)
        ax.margins(x=0.01)
        _tidy(ax)
    axes[-1, 0].set_xlabel("sweep (burn-in is shaded)", fontsize=9)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    if 1 < len(labels) <= 12:
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=min(len(labels), 6),
            fontsize=8,
            frameon=False,
        )
    return np.asarray(axes)


def _zoom(ax: Axes, traces_of_name: Sequence[Any]) -> None:
    """The first sweeps are far from all others: those after a twentieth decide the scale."""
    late = np.concatenate([trace.values[len(trace.values) // 20 :] for trace in traces_of_name])
    late = late[np.isfinite(late)]
    if len(late) > 0 and late.max() > late.min():
        margin = 0.06 * (late.max() - late.min())
        ax.set_ylim(late.min() - margin, late.max() + margin)


# ---- calibration


def calibration(
    table: Any, field: str | None = None, *, label: str | None = None, ax: Axes | None = None
) -> Axes:
    """How often predicted probabilities came true.

    Parameters
    ----------
    table : Evaluation, data frame, structured array or mapping of columns
        ``n``, ``mean_probability`` and ``share`` of each bin, or an evaluation that has them.
    field : str, optional
        Of an evaluation of several responses, the one that is meant.
    label : str, optional
        Name of the line, for several on the same `ax`.
    ax : Axes, optional

    Returns
    -------
    Axes
        On the dashed line probabilities mean what they say.  Lines through the dots are what chance
        alone would do to the share, two standard errors either way; the area of a dot is the number
        of predictions.
    """
    if hasattr(table, "calibration"):
        table = table.calibration(field)
    n, mean, share = (
        np.asarray(table[name], dtype=float) for name in ("n", "mean_probability", "share")
    )
    known = n > 0
    n, mean, share = n[known], mean[known], share[known]
    is_new = ax is None
    ax = _new_axes(ax, 4.4, 4.4)
    drawn = sum(1 for line in ax.lines if str(line.get_gid()) == "gibbous-calibration")
    colour = COLOURS[drawn % len(COLOURS)]
    if is_new or drawn == 0:
        ax.plot([0, 1], [0, 1], color=_GREY, linestyle="--", linewidth=1)
    error = 2 * np.sqrt(mean * (1 - mean) / n)
    low, high = np.clip(share - error, 0, 1), np.clip(share + error, 0, 1)
    ax.vlines(mean, low, high, color=colour, linewidth=1.4, alpha=0.7)
    (line,) = ax.plot(mean, share, color=colour, linewidth=1, alpha=0.6)
    line.set_gid("gibbous-calibration")
    size = 18 + 160 * n / n.max() if len(n) > 0 else n
    ax.scatter(
        mean,
        share,
        s=size,
        color=colour,
        edgecolors="white",
        linewidths=0.8,
        zorder=3,
        label=label,
        marker="osD^v"[drawn % 5],
    )
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_aspect("equal")
    ax.set_xlabel("predicted probability", fontsize=9)
    ax.set_ylabel("share that came true", fontsize=9)
    ax.tick_params(labelsize=8)
    ax.grid(color="#e8e8e8", linewidth=0.7)
    if label is not None:
        ax.legend(fontsize=8, frameon=False, loc="upper left")
    _tidy(ax)
    return ax


# ---- topics, documents and explanations, as on the page of report


def topics(
    model: Model,
    topics: Sequence[int] | None = None,
    *,
    n_words: int = 8,
    n_columns: int = 3,
) -> NDArray[Any]:
    """The words of topics with their probabilities: a small figure for each topic.

    Parameters
    ----------
    model : Model
    topics : sequence of int, optional
        Numbers of topics from 1; by default the nine largest.
    n_words : int
        Words of each topic.
    n_columns : int
        Figures side by side.

    Returns
    -------
    ndarray of Axes, shape (n_rows, n_columns)

    Examples
    --------
    >>> axes = topics(model)  # doctest: +SKIP
    """
    from matplotlib import pyplot

    share, names = model.topic_shares, model.topic_names
    chosen = (
        sorted(np.argsort(-share, kind="stable")[:9].tolist())
        if topics is None
        else [k - 1 for k in topics]
    )
    if not chosen or min(chosen) < 0 or max(chosen) >= model.n_topics:
        raise ArgumentError(f"topics are numbers from 1 to {model.n_topics}")
    word, probability = model.top_words(n_words)
    vocabulary = model.vocabulary
    n_columns = min(n_columns, len(chosen))
    n_rows = -(-len(chosen) // n_columns)
    figure, axes = pyplot.subplots(
        n_rows,
        n_columns,
        figsize=(3.3 * n_columns, (0.22 * n_words + 0.6) * n_rows),
        squeeze=False,
        layout="constrained",
    )
    for ax in axes.ravel()[len(chosen) :]:
        ax.set_visible(False)
    for ax, k in zip(axes.ravel(), chosen, strict=False):
        rows = np.arange(word.shape[1])
        ax.barh(rows, 100 * probability[k], color=_UP, height=0.7)
        ax.set_yticks(rows, [_plain(vocabulary[w]) for w in word[k].tolist()], fontsize=8)
        ax.invert_yaxis()
        ax.tick_params(labelsize=8, left=False)
        title = f"{k + 1}  {names[k]}".rstrip()
        ax.set_title(_plain(f"{title}  ({100 * share[k]:.1f} %)"), fontsize=9, loc="left")
        ax.grid(axis="x", color=_LINE, linewidth=0.7)
        _tidy(ax)
    figure.supxlabel("probability of the word in the topic (%)", fontsize=9)
    return np.asarray(axes)


def documents(
    model: Model,
    data: Any,
    *,
    by: Sequence[Any] | None = None,
    ax: Axes | None = None,
    **options: Any,
) -> Axes:
    """A map of documents: near to each other are those with similar topics.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, Corpus, or documents in memory
    by : sequence of n_docs values, optional
        What colours and marks say; by default the largest topic of each document.  The seven most
        frequent values have a colour of their own.
    ax : Axes, optional
    **options
        As for :meth:`gibbous.Model.infer`.

    Returns
    -------
    Axes
        The first two principal components of the square roots of topic shares, so that distances
        are nearly those of Hellinger.

    Examples
    --------
    >>> ax = documents(model, texts)  # doctest: +SKIP
    """
    shares = model.infer(data, **options)
    roots = np.sqrt(shares)
    left, scale, _ = np.linalg.svd(roots - roots.mean(axis=0), full_matrices=False)
    at = np.zeros((len(roots), 2))
    n = min(2, len(scale))
    at[:, :n] = left[:, :n] * scale[:n]
    if by is None:
        largest = shares.argmax(axis=1)
        names = model.topic_names
        words = model.topic_words(2)
        by = [f"{k + 1}  {names[k] or ' '.join(words[k])}" for k in largest.tolist()]
    if len(by) != len(shares):
        raise ArgumentError(f"by has {len(by)} values for {len(shares)} documents")
    kinds = np.array([str(value) for value in by], dtype=object)
    values, counts = np.unique(kinds.astype(str), return_counts=True)
    order = values[np.argsort(-counts, kind="stable")]
    ax = _new_axes(ax, 6.4, 5)
    rest = np.isin(kinds.astype(str), order[7:])
    if rest.any():
        ax.plot(*at[rest].T, ".", color=_LINE, markersize=4, label=f"{len(order) - 7} others")
    for i, value in enumerate(order[:7]):
        here = at[kinds.astype(str) == value]
        label = _plain(_short(str(value), 6))
        ax.plot(*here.T, _MARKERS[i], color=_PAGE[i], markersize=4, alpha=0.75, label=label)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    ax.spines[:].set_color(_LINE)
    return ax


def similarities(model: Model, *, n_words: int = 2, ax: Axes | None = None) -> Axes:
    """How alike topics are by their words, as a map.

    Parameters
    ----------
    model : Model
        Not one with topics of their own for each class.
    n_words : int
        Words in the labels.
    ax : Axes, optional

    Returns
    -------
    Axes
        1 (dark): the same distribution of words; 0: no word in common.

    Examples
    --------
    >>> ax = similarities(model)  # doctest: +SKIP
    """
    if model.is_one_vs_rest:
        raise ArgumentError("each class has topics of its own, which cannot be compared in one map")
    table = model.table("similarities", frame="arrays")
    rows = model.table("topics", words=n_words, frame="arrays")
    titles = [str(title) for title in rows["topic"]]
    place = {title: i for i, title in enumerate(titles)}
    matrix = np.eye(len(titles))
    for one, other, affinity in zip(table["topic"], table["with"], table["affinity"], strict=True):
        i, j = place[str(one)], place[str(other)]
        matrix[i, j] = matrix[j, i] = affinity
    size = min(3 + 0.22 * len(titles), 12)
    ax = _new_axes(ax, size + 1.5, size)
    image = ax.imshow(matrix, cmap="Blues", vmin=0, vmax=1)
    labels = [
        _plain(f"{title}  {_short(str(words), n_words, 24)}")
        for title, words in zip(titles, rows["words"], strict=True)
    ]
    ax.set_yticks(range(len(titles)), labels, fontsize=7)
    ax.set_xticks(range(len(titles)), titles, fontsize=7, rotation=90)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, shrink=0.6, label="affinity of words")
    return ax


def explanation(
    of: Explanation, document: int = 0, *, n_rows: int = 10, ax: Axes | None = None
) -> Axes:
    """Why a document has its score: the parts of which it is the sum.

    Parameters
    ----------
    of : Explanation
        From :meth:`gibbous.Model.explain`.
    document : int
        Which of its scores, from 0, in the order of :meth:`gibbous.Explanation.parts`.
    n_rows : int
        Parts that are shown; the smaller ones are one.
    ax : Axes, optional

    Returns
    -------
    Axes
        Bars go from where the sum stands before a part to where it stands after it.

    Examples
    --------
    >>> ax = explanation(model.explain(texts[:1]))  # doctest: +SKIP
    """
    table = of.parts(n_rows, frame="arrays")
    named = [table[name].tolist() for name in ("id", "field", "class") if name in table]
    keys = list(zip(*named, strict=True))
    order = list(dict.fromkeys(keys))
    if not 0 <= document < len(order):
        raise ArgumentError(f"the explanation has {len(order)} scores, from 0")
    chosen = [i for i, key in enumerate(keys) if key == order[document]]
    part = table["part"][chosen].astype(float)
    labels = [_part_label(table, i) for i in chosen]
    ax = _new_axes(ax, 6.4, 0.32 * len(chosen) + 1)
    after = np.cumsum(part)
    rows = np.arange(len(part))
    colours = [_UP if value >= 0 else _DOWN for value in part]
    ax.barh(rows, part, left=after - part, color=colours, height=0.65)
    for row, (value, end) in enumerate(zip(part, after, strict=True)):
        ax.annotate(
            f"{value:+.3g}",
            (max(end, end - value), row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=_MUTED,
        )
    ax.axvline(after[-1], color=_MUTED, linewidth=0.8, linestyle="--")
    ax.axvline(0, color=_LINE, linewidth=0.8)
    ax.set_yticks(rows, labels, fontsize=8)
    ax.invert_yaxis()
    ax.margins(x=0.12)
    title = " ".join(str(cell) for cell in order[document] if str(cell) != "")
    ax.set_title(_plain(f"{title}: {after[-1]:.3g}"), fontsize=9, loc="left")
    _tidy(ax)
    return ax


def _part_label(table: dict[str, NDArray[Any]], i: int) -> str:
    kind, feature = str(table["kind"][i]), str(table["feature"][i])
    words = table["words"][i] if "words" in table else []
    listed = [str(word).split()[0] for word in words] if isinstance(words, (list, tuple)) else []
    name = kind.replace("-", " ") if feature in ("", kind) else f"{kind} {feature}"
    return _plain(_short(f"{name}  {' '.join(listed)}".strip(), 8, 44))
