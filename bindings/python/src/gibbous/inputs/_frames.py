"""Documents with their fields, from data frames by the names of columns or from arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as member
from typing import Any

import numpy as np
import numpy.typing as npt

from gibbous.arrays import Field, rows_of_numbers

from ._documents import Documents, documents
from ._fields import Kind, fields, length
from ._formula import fields_of, split_formula
from ._values import as_column, as_frame, index_of, is_missing, opened, records, shown, text_of

ROLES = (
    "label",
    "labels",
    "target",
    "covariates",
    "exposure",
    "document_weight",
    "group",
    "cluster",
)
"""What a field can be for: the options of the same names."""

_ONE = ("exposure", "document_weight")
_KINDS: tuple[Kind, ...] = ("number", "date", "factor", "list")


@dataclass(frozen=True)
class Inputs:
    """Documents with their fields.

    Attributes
    ----------
    documents : Documents
        Texts or counts.
    fields : list of Field
        In the order label, labels, target, covariates, exposure, document weight, group, cluster,
        prevalence.
    ids : list of str or None
        An id for each document, "" where one is missing; None without ids.
    options : dict
        The options that name text, id and fields, as they would for a file with them.
    embeddings : array of shape (n_docs, n_numbers) or None
        A row of numbers for each document.
    """

    documents: Documents
    fields: list[Field] = member(default_factory=list)
    ids: list[str] | None = None
    options: dict[str, Any] = member(default_factory=dict)
    embeddings: npt.NDArray[np.float32] | None = None


def collect(
    data: Any,
    *,
    vocabulary: Any = None,
    text: Any = None,
    id: Any = None,
    label: Any = None,
    labels: Any = None,
    target: Any = None,
    covariates: Any = None,
    exposure: Any = None,
    document_weight: Any = None,
    group: Any = None,
    cluster: Any = None,
    prevalence: Any = None,
    embeddings: Any = None,
    kinds: Mapping[str, Kind] | None = None,
) -> Inputs:
    """Documents with their fields, from a data frame or from arrays.

    Parameters
    ----------
    data : data frame, matrix, list or column
        A data frame with a column of texts, a list of records, a mapping of columns, or anything
        that `documents` takes.
    vocabulary : sequence of str, optional
        As for `documents`.
    text : str or list of str, optional
        The column of a data frame with the texts, or with lists of words; of several,
        ``"title,body"``, the texts are joined, and with ``"title,body=body"`` each is a bag with
        words of its own.  By default the column
        ``text``, or the only column with texts.  A frame without one has counts in all columns that
        no other argument names.
    id : str or array-like of shape (n_docs,), optional
        Ids of documents, or their column; by default the column ``id`` if there is one.
    label, labels, target : str, list of str, or array-like of shape (n_docs,), optional
        What is to be predicted: one class, several classes or a number.  With a data frame the
        names of columns.  Values are taken in any case; a mapping of names to values gives several
        fields.
    covariates : str, list of str, mapping, data frame or array-like, optional
        What is known besides.  With a data frame the names of columns, ``"year"`` or
        ``"year:factor"``, or a mapping of names to kinds (``number``, ``date``, ``factor``,
        ``list`` or None).  Values may be a data frame, a mapping of names to values, or an array
        with a column for each covariate.
    exposure, document_weight : str or array-like of shape (n_docs,), optional
        Numbers, or their column.
    group : str, list of str or array-like of shape (n_docs,), optional
        The group of each document; several columns together make the group.
    cluster : str or array-like of shape (n_docs,), optional
        What each document comes from, where several come from one, such as its author.
    prevalence : str or (str, mapping or data frame), optional
        A formula of columns, ``"party * s(year) + (1|author)"``, or a formula and the values of its
        fields.  Fields that no other argument names are those of topics alone.
    embeddings : str or array-like of shape (n_docs, n_numbers), optional
        A row of numbers for each document, of a language model for example; or a column of a data
        frame with a list of numbers in each row.  They are kept as float32.
    kinds : mapping of str to {"number", "date", "factor", "list"}, optional
        Kinds of covariates by their names, where values would be taken for another.

    Returns
    -------
    Inputs
        Documents and fields.  Nothing that was given is changed.

    Raises
    ------
    ValueError
        No such column; fields and documents of different lengths or indexes; whatever `documents`
        and `field` refuse.
    TypeError
        Values of a type that has no meaning here.

    Notes
    -----
    Values go with documents by their position.  Where both have an index of pandas, it must be the
    same, row by row.

    Examples
    --------
    >>> import pandas as pd
    >>> from gibbous import inputs
    >>> films = pd.DataFrame(
    ...     {"plot": ["A shark.", "A ring."], "genre": ["horror", "fantasy"], "year": [1975, 2001]}
    ... )
    >>> found = inputs.collect(films, text="plot", label="genre", covariates="year")
    >>> [(field.name, field.role, field.kind) for field in found.fields]
    [('genre', 'response', 'one'), ('year', 'covariate', 'number')]
    """
    data = opened(records(data))
    text = ",".join(text) if isinstance(text, (list, tuple)) else text
    given = dict(
        zip(
            ROLES,
            (label, labels, target, covariates, exposure, document_weight, group, cluster),
            strict=True,
        )
    )
    formula, values = ("", None) if prevalence is None else split_formula(prevalence)
    wanted = fields_of(formula) if formula else {}
    of_formula = {name: kind for name, kind in wanted.items() if kind is not None}
    source = _Source(as_frame(data), {**of_formula, **(kinds or {})}, index_of(data))
    by_role = {
        role: source.fields(role, value) for role, value in given.items() if value is not None
    }
    found = [f for of_role in by_role.values() for f in of_role]
    known = {f.name for f in found}
    found += source.of_formula({n: k for n, k in wanted.items() if n not in known}, values)
    ids = source.ids(id)
    if isinstance(embeddings, str):
        embeddings = source.vectors(embeddings)
    of_documents = source.documents(data, text, vocabulary)
    _check_lengths(of_documents.n_docs, found, ids)
    options = {role: _option(role, given[role], of_role) for role, of_role in by_role.items()}
    named = {
        name: column for name, column in (("text", text), ("id", id)) if isinstance(column, str)
    }
    return Inputs(
        of_documents,
        found,
        ids,
        {**named, **{role: value for role, value in options.items() if value}},
        source.rows(embeddings, of_documents.n_docs),
    )


def _option(role: str, given: Any, found: list[Field]) -> Any:
    """What an option says to name these fields; None for covariates whose names cannot be given."""
    names = [f.name for f in found]
    if role in _ONE:
        return names[0]
    if role == "covariates" and any("," in name for name in names):
        return None
    if isinstance(given, (str, list, tuple)) and _are_names(given):
        texts = [name for name, _ in _names(given)]
        texts = texts[0].split(",") if len(texts) == 1 and len(names) > 1 else texts
        if len(texts) == len(names) and all(
            t.startswith(n) for t, n in zip(texts, names, strict=True)
        ):
            return given  # as the user has written it, with kinds
    return names


_BEGINS, _ENDS = "\x1e", "\x1f"  # GB_BAG_BEGINS, GB_BAG_ENDS


def bags_of(text: str) -> list[tuple[str, str]]:
    """Bags and columns that the option `text` names; "" where there are no bags."""
    found = []
    for item in text.split(","):
        bag, mark, name = item.partition("=")
        name = name.strip() if mark else item.strip()
        bag = bag.strip() if "=" in text else ""
        found.append(("".join(c.lower() if c.isascii() else c for c in bag), name))
    return found


def _as_columns(values: Any) -> Any:
    """A mapping of names to values as a data frame."""
    return _Columns(values) if isinstance(values, Mapping) else values


class _Columns:
    """What a formula needs of a data frame, from a mapping of names to values."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {str(name): opened(of) for name, of in values.items()}
        self.columns = list(self._values)

    def get_column(self, name: str) -> Any:
        return self._values[name]


class _Source:
    """Where values come from: a data frame, whose columns can be named, or nothing of the kind."""

    def __init__(self, frame: Any, kinds: Mapping[str, Kind], index: Any = None) -> None:
        self.frame = frame
        self.kinds = kinds
        self.index = index  # of the documents, if they are of pandas
        self.used: set[str] = set()  # columns that an argument names

    def check_index(self, what: str, values: Any) -> None:
        """Complain of values whose rows are in another order, or are others, than documents."""
        other = None if self.index is None else index_of(values)
        if other is None or len(other) != len(self.index) or other.equals(self.index):
            return
        row = next((i for i, (a, b) in enumerate(zip(self.index, other, strict=True)) if a != b), 0)
        raise ValueError(
            f"{what}: its index is not that of the documents: row {row} is {shown(other[row])}"
            f" here and {shown(self.index[row])} there; bring the rows into the same order, as with"
            " .loc[documents.index], or call reset_index(drop=True) on both if they are"
        )

    # ---- documents, ids and embeddings ----

    def rows(self, values: Any, n_docs: int) -> npt.NDArray[np.float32] | None:
        self.check_index("embeddings", values)
        return None if values is None else rows_of_numbers(values, n_docs)

    def vectors(self, name: str) -> npt.NDArray[Any]:
        """A column with a list of numbers in each row."""
        if self.frame is None:
            raise ValueError(
                f'embeddings="{name}" names a column, but the documents are no data frame;'
                " give an array of shape (n_docs, n_numbers)"
            )
        found = [np.asarray(row) for row in self.column("embeddings", name).to_list()]
        widths = {row.shape for row in found}
        if len(widths) != 1 or len(next(iter(widths))) != 1:
            raise ValueError(
                f'embeddings: the column "{name}" must have lists of numbers, all of one length'
            )
        return np.stack(found)

    def documents(self, data: Any, text: str | None, vocabulary: Any) -> Documents:
        if self.frame is None:
            if text is not None:
                raise ValueError(
                    f'text="{text}" names a column, but the documents are {type(data).__name__},'
                    " no data frame"
                )
            return documents(data, vocabulary)
        if isinstance(text, str) and text not in self.frame.columns and set(",=") & set(text):
            bags = bags_of(text)
            joined = self.joined([name for _, name in bags], [bag for bag, _ in bags])
            return documents(joined, vocabulary)
        if text is not None or "text" in self.frame.columns:
            return documents(self.column("text", text or "text"), vocabulary)
        rest = [column for column in self.frame.columns if column not in self.used]
        texts = [c for c in rest if c != "id" and _has_texts(self.frame.get_column(c))]
        if len(texts) == 1 and len(rest) == len(texts) + ("id" in rest):
            return documents(self.column("text", texts[0]), vocabulary)
        if not rest or not all(_is_count(self.frame.get_column(column)) for column in rest):
            raise ValueError(
                'no column is named "text"; say which has the texts, as in text="...";'
                f" {self.shown()}"
            )
        return documents(
            self.frame.drop([c for c in self.frame.columns if c in self.used]), vocabulary
        )

    def joined(self, names: Sequence[str], bags: Sequence[str]) -> list[str]:
        """The texts of several columns, as the library takes them.

        A blank line is between them, as the command joins them, or the name of its bag before each.
        """
        texts = []
        for row, values in enumerate(
            zip(*(self.column("text", name) for name in names), strict=True)
        ):
            given = ["" if is_missing(value) else value for value in values]
            for name, value in zip(names, given, strict=True):
                if not isinstance(value, str):
                    raise TypeError(
                        f'text "{name}", row {row}: expected a text, got {shown(value)}'
                    )
            if not any(bags):
                texts.append("\n\n".join(given))
                continue
            marked = (
                f"{_BEGINS}{bag}{_ENDS}{value.replace(_BEGINS, ' ')}"
                for bag, value in zip(bags, given, strict=True)
            )
            texts.append("".join(marked))
        return texts

    def ids(self, id: Any) -> list[str] | None:
        if id is None:
            if self.frame is None or "id" not in self.frame.columns:
                return None
            id = "id"
        values = self.column("id", id) if isinstance(id, str) else id
        self.check_index("id", values)
        column = as_column(values, "id")
        return [
            "" if is_missing(value) or value == "" else text_of(value, f"id, row {row}")
            for row, value in enumerate(column)
        ]

    # ---- fields ----

    def fields(self, role: str, value: Any) -> list[Field]:
        if isinstance(value, Field):
            return [value]
        value = opened(value)
        if self.frame is not None and _are_names(value):
            if role in ("covariates", "group") and isinstance(value, str):
                value = [value] if value in self.frame.columns else value.split(",")  # as in files
            return [f for name, kind in _names(value) for f in self.named(role, name, kind)]
        if isinstance(value, str):
            raise ValueError(
                f'{role}="{value}" names a column, but the documents are no data frame;'
                " give the values"
            )
        if isinstance(value, (list, tuple)) and value and all(isinstance(f, Field) for f in value):
            return list(value)
        if isinstance(value, Mapping):
            return [
                f for name, values in value.items() for f in self.of_values(role, values, str(name))
            ]
        return self.of_values(role, value)

    def of_values(self, role: str, values: Any, name: str | None = None) -> list[Field]:
        """Fields from values, named as their column if it has a name, else after their role."""
        if (
            role == "covariates"
            and isinstance(values, (list, tuple))
            and values
            and isinstance(values[0], (list, tuple))
        ):
            values = np.asarray(values)
        self.check_index(role, values)
        frame = None if role == "labels" else as_frame(values)
        if frame is not None:
            return [
                f
                for column in frame.columns
                for f in self.of_values(role, frame.get_column(column), str(column))
            ]
        name = name or _own_name(values) or ("covariate" if role == "covariates" else role)
        found = fields(name, values, role, self.kinds.get(name) if role == "covariates" else None)
        if role in _ONE and len(found) != 1:
            raise ValueError(
                f"{role}: expected one number for each document, got {len(found)} columns"
            )
        return found

    def of_formula(self, wanted: Mapping[str, Kind | None], values: Any) -> list[Field]:
        """The fields of a formula, from its own values or from columns."""
        own = values if isinstance(values, Mapping) else as_frame(values)
        source = self if own is None else _Source(_as_columns(own), self.kinds, self.index)
        if values is not None:
            self.check_index("prevalence", values)
        if source.frame is None and wanted:
            raise ValueError(
                "prevalence: the documents are no data frame; give the values of the fields as"
                ' well, as in prevalence=("party", {"party": [...]})'
            )
        return [f for name, kind in wanted.items() for f in source.named("prevalence", name, kind)]

    def named(self, role: str, name: str, kind: Kind | None) -> list[Field]:
        """Fields from a column; one of covariates may have its kind after a colon."""
        if role == "covariates" and kind is None and name not in self.frame.columns and ":" in name:
            name, _, after = name.rpartition(":")
            if after not in _KINDS:
                raise ValueError(
                    f'covariate "{name}": kind must be number, date, factor or list, not "{after}"'
                )
            kind = after
        return fields(
            name,
            self.column(role, name),
            role,
            kind or self.kinds.get(name) if role == "covariates" else kind,
        )

    def column(self, role: str, name: Any) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"{role}: expected the name of a column, got {name!r}")
        if name not in self.frame.columns:
            raise ValueError(f'{role}: no column is named "{name}"; {self.shown()}')
        self.used.add(name)
        return self.frame.get_column(name)

    def shown(self) -> str:
        names = [f'"{name}"' for name in self.frame.columns]
        return f"the columns are {', '.join(names[:20])}{', ...' if len(names) > 20 else ''}"


def _has_texts(column: Any) -> bool:
    """Whether a column has texts, or lists of words."""
    if column.dtype.is_numeric() or hasattr(column.to_native(), "sparse"):
        return False
    first = next((value for value in column.to_list() if not is_missing(value)), None)
    return isinstance(first, (str, list, tuple))


def _is_count(column: Any) -> bool:
    """Whether a column has numbers; narwhals does not know the sparse ones of pandas."""
    return bool(column.dtype.is_numeric()) or hasattr(column.to_native(), "sparse")


def _are_names(value: Any) -> bool:
    """Whether an argument names columns: a text, a list of them, or a mapping of names to kinds."""
    if isinstance(value, str):
        return True
    if isinstance(value, Mapping):
        return all(kind is None or isinstance(kind, str) for kind in value.values())
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(name, str) for name in value)
    )


def _names(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return [(name, None) for name in ([value] if isinstance(value, str) else value)]


def _own_name(values: Any) -> str | None:
    """The name of a column of a data frame, if it has one."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name != "" else None


def _check_lengths(n_docs: int, found: list[Field], ids: list[str] | None) -> None:
    lengths = [(f'{f.role} "{f.name}"', length(f)) for f in found]
    if ids is not None:
        lengths.append(("id", len(ids)))
    for what, n in lengths:
        if n != n_docs:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{n_docs}, {n}]:"
                f" {n_docs} documents, but {n} values of {what}"
            )
