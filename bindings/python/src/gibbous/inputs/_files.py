"""Files of data frames, which the library does not read."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gibbous.errors import FormatError

_MAGIC = {b"PAR1": "Parquet", b"ARRO": "Arrow", b"FEA1": "Feather"}
_READERS = {
    "Parquet": (("polars", "read_parquet"), ("pyarrow.parquet", "read_table")),
    "Arrow": (("polars", "read_ipc"), ("pyarrow.feather", "read_table")),
    "Feather": (("pyarrow.feather", "read_table"),),
}


def loaded(data: Any) -> Any:
    """The data frame of a Parquet, Arrow or Feather file, known by its first bytes; else `data`.

    Raises
    ------
    FormatError
        No package that is installed reads the file.
    """
    if not isinstance(data, (str, os.PathLike)) or not os.path.isfile(data):
        return data
    with open(data, "rb") as file:
        kind = _MAGIC.get(file.read(4))
    if kind is None:
        return data
    path, article = os.fspath(data), "an" if kind == "Arrow" else "a"
    for module, function in _READERS[kind]:
        if find_spec(module.partition(".")[0]) is None:
            continue
        try:
            return getattr(import_module(module), function)(path)
        except Exception as failed:
            raise FormatError(
                f"{path}: cannot be read as {article} {kind} file: {failed}"
            ) from failed
    raise FormatError(
        f"{path}: {article} {kind} file is read with "
        f"{' or '.join(name.partition('.')[0] for name, _ in _READERS[kind])}; install one of them"
    )
