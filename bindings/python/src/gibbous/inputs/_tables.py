"""Options with edges, words or matrices in them, from what users have in memory."""

from __future__ import annotations

import atexit
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from ._counts import checked
from ._values import as_column, as_frame, is_missing, name_of, number_of, opened, shown, text_of

Row = tuple[str | float, ...]
_HEADER = ("from", "to", "weight", "type")


def graph(data: Any, option: str = "graph", names: Sequence[str] | None = None) -> str:
    """The option `graph` from edges that a program has in memory.

    Parameters
    ----------
    data : str, list of tuples, data frame, networkx graph or sparse matrix
        One of

        - a text: ``chain``, ``complete``, ``grid``, ``grid:FILE`` or a file, returned as it is;
        - a list of edges: two groups, if wanted a weight, if wanted a type.  A group alone,
          ``("x",)``, has no edges;
        - a data frame with the columns ``from`` and ``to``, if wanted ``weight`` and ``type``;
        - an undirected networkx graph; edges may have the attributes ``weight`` and ``type``;
        - a symmetric adjacency matrix, sparse or dense, whose entries are weights.
    option : str
        The name of the option.
    names : sequence of str, optional
        The groups of the rows of a matrix; by default 0, 1, and so on.

    Returns
    -------
    str
        A value of the option: the edges as JSON.

    Raises
    ------
    ValueError
        A directed graph, a matrix that is not symmetric, an edge without a group.
    TypeError
        Anything that is no graph.

    Examples
    --------
    >>> from gibbous import inputs
    >>> inputs.graph([("north", "east"), ("east", "south", 2.5, "river"), ("island",)])
    '[["north", "east"], ["east", "south", 2.5, "river"], ["island"]]'
    """
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    return json.dumps(list(_edges(data, names)), ensure_ascii=False, allow_nan=False)


def words(values: Any, option: str) -> str:
    """The option `stopwords` or `vocabulary` from a list of words.

    Parameters
    ----------
    values : str or sequence of str
        A value of the option, or the words.
    option : str
        The name of the option.

    Returns
    -------
    str
        A value of the option: the words as JSON, or for a vocabulary a temporary file, which is
        deleted when Python ends.
    """
    if isinstance(values, (str, os.PathLike)):
        return os.fspath(values)
    listed = sorted(values) if isinstance(values, (set, frozenset)) else values
    column = as_column(listed, option).tolist()
    names = [text_of(word, f"{option}, word {i}") for i, word in enumerate(column)]
    if option == "stopwords":
        return json.dumps(names, ensure_ascii=False)
    return _temporary("".join(f"{name}\n" for name in names))


def square(values: Any, option: str) -> str:
    """The option `psi_covariance` from an array.

    Parameters
    ----------
    values : str, float or array of shape (n, n)
        A value of the option, or the matrix.
    option : str
        The name of the option.

    Returns
    -------
    str
        A value of the option: the rows as JSON.
    """
    if np.ndim(values) == 0:
        return str(values)
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"{option}: expected a number or a square matrix, got the shape {matrix.shape}"
        )
    return json.dumps(matrix.tolist(), allow_nan=False)


# ---- edges ----


def _edges(data: Any, names: Sequence[str] | None) -> Iterator[Row]:
    data = opened(data)
    if hasattr(data, "is_directed") and hasattr(data, "edges"):
        return _of_networkx(data)
    frame = None if sparse.issparse(data) else as_frame(data)
    if frame is not None:
        return _of_frame(frame)
    if sparse.issparse(data) or (
        isinstance(data, np.ndarray) and data.ndim == 2 and data.shape[0] == data.shape[1]
    ):
        return _of_matrix(data, names)
    if isinstance(data, (Mapping, bytes)) or not isinstance(data, Iterable):
        raise TypeError(
            f"graph: expected edges, a networkx graph or an adjacency matrix, got {shown(data)}"
        )
    return _of_list(data)


def _of_list(edges: Iterable[Any]) -> Iterator[Row]:
    for i, edge in enumerate(edges):
        where = f"graph, edge {i}"
        if isinstance(edge, (str, bytes)) or not isinstance(edge, Iterable):
            raise TypeError(
                f"{where}: expected two groups and if wanted a weight and a type, got {shown(edge)}"
            )
        parts = tuple(edge)
        if not 1 <= len(parts) <= 4:
            raise ValueError(
                f"{where}: expected two groups and if wanted a weight and a type,"
                f" got {len(parts)} values"
            )
        yield _row(where, *parts)


def _of_frame(frame: Any) -> Iterator[Row]:
    for name in _HEADER[:2]:
        if name not in frame.columns:
            raise ValueError(f'graph: the data frame has no column "{name}"')
    columns = [frame.get_column(name).to_list() for name in _HEADER if name in frame.columns]
    given = [name for name in _HEADER if name in frame.columns]
    for i, values in enumerate(zip(*columns, strict=True)):
        edge = dict(zip(given, values, strict=True))
        yield _row(
            f"graph, row {i}", edge["from"], edge["to"], edge.get("weight"), edge.get("type")
        )


def _of_networkx(data: Any) -> Iterator[Row]:
    if data.is_directed():
        raise ValueError("graph: edges have no direction here; call to_undirected() first")
    for group in data.nodes:
        yield _row(f"graph, node {group!r}", group)
    for i, (a, b, attributes) in enumerate(data.edges(data=True)):
        yield _row(f"graph, edge {i}", a, b, attributes.get("weight"), attributes.get("type"))


def _of_matrix(matrix: Any, names: Sequence[str] | None) -> Iterator[Row]:
    n = matrix.shape[0]
    if matrix.shape != (n, n):
        raise ValueError(f"graph: expected a square matrix, got the shape {matrix.shape}")
    groups = (
        [str(i) for i in range(n)]
        if names is None
        else [name_of(name, "graph: a group") for name in names]
    )
    if len(groups) != n:
        raise ValueError(f"graph: {len(groups)} names of groups for {n} rows")
    rows = sparse.csr_array(checked(matrix) if sparse.issparse(matrix) else matrix)
    if abs(rows - rows.T).max() != 0:
        raise ValueError(
            "graph: an adjacency matrix must be symmetric, since edges have no direction"
        )
    for group in groups:
        yield (group,)
    upper = sparse.triu(rows).tocoo()
    for i, j, weight in zip(upper.row, upper.col, upper.data, strict=True):
        if weight != 0:
            yield _row(f"graph, entry [{i}, {j}]", groups[i], groups[j], weight)


def _row(where: str, a: Any, b: Any = None, weight: Any = None, kind: Any = None) -> Row:
    """An edge for the library; without `b` only the name of a group."""
    if is_missing(a) or (is_missing(b) and not (is_missing(weight) and is_missing(kind))):
        raise ValueError(f"{where}: an edge needs two groups")
    group = name_of(a, f"{where}: a group")
    if is_missing(b):
        return (group,)
    edge: Row = (group, name_of(b, f"{where}: a group"))
    if is_missing(weight) and is_missing(kind):
        return edge
    edge += (1.0 if is_missing(weight) else number_of(weight, f"{where}: the weight"),)
    return edge if is_missing(kind) else (*edge, name_of(kind, f"{where}: the type"))


# ---- temporary files ----

_made: set[str] = set()


def _temporary(content: str) -> str:
    """A file that is deleted when Python ends."""
    handle, path = tempfile.mkstemp(prefix="gibbous-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(content)
    _made.add(path)
    return path


def _clean(process: int = os.getpid()) -> None:
    if os.getpid() == process:  # not in a child, whose parent goes on
        for path in _made:
            Path(path).unlink(missing_ok=True)


atexit.register(_clean)
