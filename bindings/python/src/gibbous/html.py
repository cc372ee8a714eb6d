"""How models, corpora and diagnoses look in a notebook, light or dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from gibbous.tables import make_frame

if TYPE_CHECKING:
    from gibbous.corpus import Corpus
    from gibbous.diagnosis import Diagnosis, Judgement
    from gibbous.model import Model
    from gibbous.tables import Table

__all__ = ["corpus_html", "diagnosis_html", "estimate_html", "model_html", "rows_html"]

# Colours come from the page, so that dark notebooks stay dark; the two hues can be read on both.
_STYLE = (
    "<style scoped>"
    ".gb-view{font:13px/1.45 system-ui,sans-serif;max-width:60em}"
    ".gb-view table{border-collapse:collapse;margin:.4em 0;background:none;color:inherit}"
    ".gb-view th,.gb-view td{padding:.15em .7em .15em 0;text-align:left;vertical-align:top;"
    "border:0;background:none;color:inherit;white-space:normal;max-width:34em}"
    ".gb-view thead th{font-weight:600;border-bottom:1px solid currentColor}"
    ".gb-view td.n,.gb-view th.n{text-align:right;white-space:nowrap;"
    "font-variant-numeric:tabular-nums}"
    ".gb-view .bar{display:inline-block;height:.65em;background:currentColor;opacity:.4}"
    ".gb-view .up{color:#2b8cbe}.gb-view .down{color:#d95f0e}"
    ".gb-view .soft{opacity:.7}"
    ".gb-view summary{cursor:pointer}"
    "</style>"
)


def _page(*parts: str) -> str:
    return f'<div class="gb-view">{_STYLE}{"".join(parts)}</div>'


def _table(head: Sequence[tuple[str, bool]], rows: Iterable[Sequence[str]]) -> str:
    """Of cells that are HTML; the head says which columns are numbers."""
    kinds = [' class="n"' if number else "" for _, number in head]
    titles = "".join(
        f"<th{kind}>{escape(name)}</th>" for (name, _), kind in zip(head, kinds, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _bar(share: float, most: float) -> str:
    width = 4.0 * share / most if most > 0 else 0.0
    return f'<span class="bar" style="width:{width:.2f}em"></span> {100 * share:.1f} %'


def _folded(title: str, inside: str, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{title}</summary>{inside}</details>"


def _have_intervals(columns: dict[str, np.ndarray]) -> bool:
    """Most effects in a training have none."""
    return not np.isnan(columns["q05"].astype(float)).all()


def _effect_rows(
    columns: dict[str, np.ndarray], weights: np.ndarray, n_rows: int
) -> tuple[list[list[str]], int]:
    """The effects that say most, as the command shows them."""
    shown = np.isin(columns["kind"].astype(str), ("topic", "covariate", "word")) & ~np.isnan(
        columns["mean"].astype(float)
    )
    rows = np.flatnonzero(shown)
    order = rows[np.argsort(-weights[rows], kind="stable")][:n_rows]
    have_intervals = _have_intervals(columns)
    several = len(set(columns["output"])) > 1
    found = []
    for i in order:
        low, high = float(columns["q05"][i]), float(columns["q95"][i])
        kind = "up" if low > 0 else "down" if high < 0 else "soft"
        arrow = {"up": "▲ ", "down": "▼ ", "soft": ""}[kind]
        words = " ".join(str(columns["words"][i]).split()[:6])
        feature = str(columns["feature"][i])
        name = f"topic {feature}" if columns["kind"][i] == "topic" else feature
        output = [escape(str(columns["output"][i]))] if several else []
        found.append(
            [
                *output,
                escape(name),
                f'<span class="{kind}">{arrow}{float(columns["mean"][i]):+.3g}</span>',
                *([f"{low:.3g} to {high:.3g}" if low <= high else ""] if have_intervals else []),
                f'<span class="soft">{escape(words)}</span>',
            ]
        )
    return found, len(rows)


def _effects(table: Table, n_rows: int) -> tuple[str, str]:
    """What the rows are, and the rows."""
    columns = make_frame(table.columns, "arrays")
    rows, n_all = _effect_rows(columns, table.weights, n_rows)
    several = len(set(columns["output"])) > 1
    have_intervals = _have_intervals(columns)
    head = [("score", False)] if several else []
    head += [("effect of", False), ("mean", True)]
    head += [("5 % to 95 %", True)] if have_intervals else []
    head += [("words", False)]
    notes = "".join(f'<div class="soft">{escape(note)}.</div>' for note in table.doubts)
    what = f"the clearest {len(rows)} of {n_all} effects"
    if not have_intervals:
        what = f"means of {len(rows)} of {n_all} effects in the training"
    return what, _table(head, rows) + notes


def _sentence(judgement: Judgement, tag: str) -> str:
    signs = {True: '<span class="up">✓</span> ', False: '<span class="down">✗</span> ', None: ""}
    return f"{signs[judgement.holds]}<{tag}>{escape(str(judgement))}</{tag}>"


def _sentences(judgements: Iterable[Judgement]) -> str:
    said = [f"<li>{_sentence(one, 'span')}</li>" for one in judgements]
    return f"<ul>{''.join(said)}</ul>"


def model_html(
    model: Model,
    topics: dict[str, np.ndarray],
    effects: Table | None,
    verdict: Sequence[Judgement],
    n_topics: int = 10,
    n_effects: int = 10,
) -> str:
    """A model: what it is, what of it holds, its topics, and its effects.

    Parameters
    ----------
    model : Model
    topics : dict of ndarray
        Columns of :func:`gibbous.frames.topics`.
    effects : Table, optional
        The answer about effects; not used of a model without scores.
    verdict : sequence of Judgement
        Of :attr:`gibbous.Diagnosis.verdict`.
    n_topics, n_effects : int
        Rows that are shown.

    Returns
    -------
    str
        HTML; every text of the data is escaped.
    """
    responses = ", ".join(
        f"<b>{escape(r.field)}</b> ({escape(r.response)}, {escape(r.task)})"
        for r in model.responses
    )
    head = (
        f"<div><b>gibbous model</b>{': ' + responses if responses else ''}</div>"
        f'<div class="soft">{_count(model.n_topics, "topic")}, {_count(model.n_words, "word")}; '
        f"trained on {_count(model.n_training_docs, 'document')} with "
        f"{_count(model.n_training_tokens, 'token')}; "
        f"{_count(model.n_draws, 'draw')}, seed {model.seed}</div>"
    )
    share = np.nan_to_num(topics["share"])
    order = np.argsort(-share, kind="stable")[:n_topics]
    columns = ["topic", "share", *(["chains"] if "chains" in topics else []), "words"]
    words, named, chains = topics["words"], topics.get("name"), topics.get("chains")
    rows = [
        [
            topics["topic"][k],
            _bar(float(share[k]), float(share.max())),
            *([] if chains is None else [escape(chains[k])]),
            ("" if named is None or not named[k] else f"<b>{escape(named[k])}</b> ")
            + escape(words[k]),
        ]
        for k in order
    ]
    title = (
        "topics" if len(order) == len(share) else f"the largest {len(order)} of {len(share)} topics"
    )
    parts = [
        head,
        _folded(_sentence(verdict[0], "b"), _sentences(verdict[1:])),
        _folded(title, _table([(name, name == "topic") for name in columns], rows), is_open=True),
    ]
    if effects is not None:
        parts.append(_folded(*_effects(effects, n_effects)))
    return _page(*parts)


def rows_html(
    title: str, columns: Mapping[str, Any], n_rows: int = 10, notes: Iterable[str] = ()
) -> str:
    """The first rows of a table.

    Parameters
    ----------
    title : str
        What it is, such as "gibbous prediction of 3 documents".
    columns : mapping of str to list or ndarray
        Cells by the names of columns.
    n_rows : int
        Rows that are shown.
    notes : iterable of str
        Sentences that belong to the rows.

    Returns
    -------
    str
        HTML; every text of the data is escaped.

    Examples
    --------
    >>> "<td" in rows_html("two numbers", {"n": [1, 2]})
    True
    """
    cells = {name: np.asarray(values, dtype=object) for name, values in columns.items()}
    head = [(name, _are_numbers(values)) for name, values in cells.items()]
    n = max((len(values) for values in cells.values()), default=0)
    rows = [[escape(cell_text(v[i])) for v in cells.values()] for i in range(min(n, n_rows))]
    more = [f"{n - n_rows:,} more rows: to_frame() has all"] if n > n_rows else []
    below = "".join(f'<div class="soft">{escape(note)}</div>' for note in [*more, *notes])
    return _page(f"<div><b>{escape(title)}</b></div>", _table(head, rows), below)


def _are_numbers(values: np.ndarray) -> bool:
    return all(isinstance(v, (int, float, np.number)) for v in values.tolist())


def cell_text(value: Any) -> str:
    """A cell for people: four digits of a number, the items of a list."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else f"{value:.4g}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return ", ".join(cell_text(one) for one in value)
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def estimate_html(effects: Table, n_effects: int = 20) -> str:
    """Effects on other documents: the clearest of them.

    Parameters
    ----------
    effects : Table
        The answer about effects.
    n_effects : int
        Rows that are shown.

    Returns
    -------
    str
    """
    what, table = _effects(effects, n_effects)
    title = f"<div><b>gibbous estimate</b>: {what} on documents that the topics have not seen</div>"
    return _page(title, table)


def corpus_html(corpus: Corpus) -> str:
    """A corpus: its size and its fields.

    Parameters
    ----------
    corpus : Corpus

    Returns
    -------
    str
    """
    head = (
        f'<div><b>gibbous corpus</b></div><div class="soft">{_count(corpus.n_docs, "document")}, '
        f"{_count(corpus.n_tokens, 'token')}, {_count(corpus.n_words, 'word')}</div>"
    )
    rows = []
    for field in corpus.fields:
        classes = ", ".join(field.classes[:6]) + (", …" if len(field.classes) > 6 else "")
        what = (
            "numbers"
            if field.kind == "number"
            else f"{_count(len(field.classes), 'class', 'classes')}: {classes}"
        )
        rows.append([escape(field.name), escape(field.role), escape(what)])
    table = _table([("field", False), ("role", False), ("content", False)], rows) if rows else ""
    return _page(head, table)


def diagnosis_html(diagnosis: Diagnosis) -> str:
    """A diagnosis: the verdict, then R-hat and effective sample sizes.

    Parameters
    ----------
    diagnosis : Diagnosis

    Returns
    -------
    str
    """
    conclusion, *evidence = diagnosis.verdict
    verdict = f"<div>{_sentence(conclusion, 'b')}</div>{_sentences(evidence)}"
    columns = diagnosis.table(frame="arrays")
    rows = []
    for i in range(len(columns["name"])):
        name = str(columns["name"][i])
        if columns["kind"][i] in ("topic", "acceptance"):
            continue
        disagrees = columns["agrees"][i] == 0  # not where nothing varies: then there is no R-hat
        mark = ' class="down"' if disagrees else ""
        sign = " ✗" if disagrees else ""
        rows.append(
            [
                escape(name),
                f"<span{mark}>{_number(columns['r_hat'][i], 3)}{sign}</span>",
                _number(columns["ess_bulk"][i], 0),
                _number(columns["ess_tail"][i], 0),
            ]
        )
    table = _table(
        [
            ("quantity (the worst number of it)", False),
            ("R-hat", True),
            ("ESS bulk", True),
            ("ESS tail", True),
        ],
        rows,
    )
    title = f"<div><b>gibbous diagnosis</b> of {_count(diagnosis.n_chains, 'chain')}</div>"
    return _page(title, verdict, _folded("R-hat and effective sample sizes", table, is_open=True))


def _number(value: float, digits: int) -> str:
    return "-" if np.isnan(value) else f"{value:,.{digits}f}"
