"""Topic shares by metadata: what a model with a formula says of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gibbous import plots
from gibbous._public import short_errors
from gibbous.errors import ArgumentError
from gibbous.html import rows_html
from gibbous.tables import Framed, Table, ask

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["Prevalence", "prevalence"]

_SHOWN = 12  # rows of a summary


@dataclass(frozen=True, repr=False)
class Prevalence(Framed):
    """Expected topic shares, or differences of them; from :meth:`Model.prevalence`.

    Attributes
    ----------
    kind : {"differences", "shares"}
    notes : list of str
        Over what shares are averaged, and what the intervals take for granted.
    """

    kind: str
    notes: list[str]
    _table: Table = field(repr=False, compare=False)

    def _cells(self) -> Table:
        return self._table

    def _clearest(self, n: int) -> dict[str, Any]:
        """The first rows of each change; of curves the first rows."""
        c = self._table.columns
        rows = np.arange(len(c["topic"]))
        if self.kind == "differences":
            clear = np.abs(c["mean"]) / np.where(c["sd"] > 0, c["sd"], np.inf)
            rows = np.sort(np.argsort(-clear, kind="stable")[:n])
        names = ["field", "value", "minus", "by_field", "by_value", "topic", "topic_name"]
        names += ["mean", "q05", "q95", "words"]
        return {name: [c[name][i] for i in rows] for name in names if name in c}

    def _title(self) -> str:
        return (
            f"{self.kind} of expected topic shares"
            if self.kind == "differences"
            else ("expected topic shares")
        )

    def __repr__(self) -> str:
        n = len(self._table.columns["topic"])
        shown = self._clearest(_SHOWN)
        lines = [f"<gibbous.Prevalence: {n} {self._title()}, with 90 % intervals>"]
        for row in (
            dict(zip(shown, cells, strict=True)) for cells in zip(*shown.values(), strict=True)
        ):
            setting = f"{row['field']} = {row['value']}"
            if "minus" in row:
                setting += f" minus {row['minus']}"
            if row.get("by_value"):
                setting += f", {row['by_field']} = {row['by_value']}"
            topic = " ".join(str(row.get(x, "")) for x in ("topic", "topic_name")).rstrip()
            number = "{:+.4f}" if self.kind == "differences" else "{:.4f}"
            mean, low, high = (number.format(row[x]) for x in ("mean", "q05", "q95"))
            lines.append(f"{setting}, topic {topic}: {mean} ({low} to {high})  {row['words']}")
        more = n - min(n, _SHOWN)
        if more > 0:
            lines.append(f"{more} more: to_frame() has all, plot() draws them")
        return "\n".join([*lines, *self.notes])

    def _repr_html_(self) -> str:
        title = f"gibbous prevalence: {self._title()}, with 90 % intervals"
        n = len(self._table.columns["topic"])
        more = [f"{n - _SHOWN:,} more rows: to_frame() has all"] if n > _SHOWN else []
        return rows_html(title, self._clearest(_SHOWN), _SHOWN, [*more, *self.notes])

    def plot(self, topics: Sequence[int] | None = None, **options: Any) -> Any:
        """Draw it: :func:`gibbous.plots.prevalence`."""
        return plots.prevalence(self, topics, **options)


def _values(name: str, values: Any) -> str:
    several = [values] if isinstance(values, str) or np.ndim(values) == 0 else list(values)
    return f"{name}=" + ",".join(
        f"{x:.17g}" if isinstance(x, (float, np.floating)) else str(x) for x in several
    )


def _curves(at: Any, fields: list[str]) -> list[str]:
    names = [at] if isinstance(at, str) else list(at)
    unknown = [name for name in names if name not in fields]
    if unknown:
        raise ArgumentError(
            f"at: {unknown[0]!r} is no field with a curve of its own; these have one:"
            f" {', '.join(fields)}. Or give values, as in at={{'year': [2000, 2010]}}"
        )
    return names


@short_errors
def prevalence(
    model: Model,
    field: str | None = None,
    *,
    at: Any = None,
    contrasts: Mapping[str, Any] | None = None,
    topics: Sequence[int] | None = None,
    n_words: int = 5,
) -> Prevalence:
    """How expected topic shares depend on metadata.

    Parameters
    ----------
    model : Model
        Trained with `prevalence`.
    field : str, optional
        Only the differences of this field.
    at : str, sequence of str or mapping, optional
        Shares instead of differences.  A field, such as "year", or two that meet in the formula:
        along their values in the training.  Or the values of one or two fields:
        ``{"year": [1990, 2010], "party": ["A", "B"]}``.
    contrasts : mapping of str to pair, optional
        The differences that are wanted, as ``{"party": ("A", "B")}`` for A minus B.  By default
        every level minus the most frequent one; of a number, half a standard deviation above the
        mean minus as much below, or the larger of two values, as of a treatment, minus the other.
    topics : sequence of int, optional
        Numbers of topics from 1; all by default.
    n_words : int
        Words of each topic.

    Returns
    -------
    Prevalence
        :meth:`~Framed.to_frame` has a row for each topic of each difference or value: ``field``,
        ``value``, ``minus`` (differences) or ``by_field``, ``by_value`` (two fields), ``topic``,
        ``mean``, ``sd``, ``q05``, ``median``, ``q95``, ``words``; of shares also ``band_low`` and
        ``band_high``, between which the whole curve lies in 90 percent of the posterior.

    Raises
    ------
    ArgumentError
        The model has no formula, or the formula no such field or level.

    Examples
    --------
    >>> import gibbous
    >>> posts = {"text": ["goal team", "court law"] * 30, "party": ["A", "B"] * 30}
    >>> model = gibbous.train(
    ...     posts["text"], prevalence=("party", {"party": posts["party"]}), topics=2,
    ...     prior="logistic-normal", sweeps=60, chains=1, seed=1,
    ... )
    >>> model.prevalence(contrasts={"party": ("A", "B")}).to_frame("arrays")["mean"].shape
    (2,)
    """
    if at is not None and (field is not None or contrasts is not None):
        raise ArgumentError("at: gives shares; field and contrasts give differences of them")
    asked: dict[str, Any] = {"words": n_words}
    if at is None:
        if contrasts is not None:
            asked["contrast"] = [_values(name, pair) for name, pair in contrasts.items()]
        table = ask("prevalence-contrasts", asked, model=model._pointer)
        if field is not None:
            if field not in table.columns["field"]:
                known = ", ".join(dict.fromkeys(table.columns["field"])) or "none"
                raise ArgumentError(f"field: {field!r} has no difference; these have: {known}")
            table = table.only("field", [field])
    elif isinstance(at, Mapping):
        asked["at"] = [_values(name, values) for name, values in at.items()]
        table = ask("prevalence", asked, model=model._pointer)
    else:
        table = ask("prevalence", asked, model=model._pointer)
        names = _curves(at, list(dict.fromkeys(table.columns["field"])))
        second = table.columns.get("by_field", [""] * len(table.columns["field"]))
        pairs = [{a, b} - {""} for a, b in zip(table.columns["field"], second, strict=True)]
        table.columns["_pair"] = [pair == set(names) for pair in pairs]
        table = table.only("_pair", [True])
        del table.columns["_pair"]
        if not table.columns["field"]:
            raise ArgumentError(
                f"at: {' and '.join(names)} do not meet in the formula; give values of both"
            )
    if topics is not None:
        chosen = {int(k) for k in topics}
        wanted = {t for t in table.columns["topic"] if int(t.split("+")[0]) in chosen}
        table = table.only("topic", wanted)
    kind = "differences" if at is None else "shares"
    return Prevalence(kind, [*table.doubts, *table.remarks], table)
