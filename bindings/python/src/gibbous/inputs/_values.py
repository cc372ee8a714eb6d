"""Columns of data frames, arrays and lists; missing values; names of classes."""

from __future__ import annotations

import datetime
import decimal
import numbers
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from gibbous._library import check, encoded, ffi, library, take_text

_DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def is_missing(value: object) -> bool:
    """Whether a value says that nothing is known: None, NaN or ``pandas.NA``."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, (float, np.floating, decimal.Decimal)) and bool(value != value)


def name_of(value: object, where: str) -> str:
    """The name of a class, as the library makes it of a text or a number.

    Raises
    ------
    ValueError
        An empty text, blanks, or an infinite number.
    TypeError
        Anything else, dates among them.
    """
    name = value_name(text_of(value, where))
    if name == "":
        raise ValueError(f"{where} is an empty text; None stands for a missing value")
    return name


def text_of(value: object, where: str) -> str:
    """A value as a text: a whole number without point, ``true`` or ``false``.

    Raises
    ------
    ValueError
        An empty text or an infinite number.
    TypeError
        Anything else, dates among them.
    """
    if isinstance(value, str):
        if value == "":
            raise ValueError(f"{where} is an empty text; None stands for a missing value")
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, (float, np.floating, decimal.Decimal)):
        if not np.isfinite(float(value)):
            raise ValueError(f"{where} is {value}, expected the name of a class")
        return str(int(value)) if value == int(value) and abs(float(value)) < 2**53 else str(value)
    refuse_dates(value, where)
    raise TypeError(f"{where} is {shown(value)}, expected the name of a class: a text or a number")


@lru_cache(maxsize=1 << 16)
def value_name(text: str) -> str:
    """The one name of a value that may be written in several ways."""
    out, given = ffi.new("char **"), encoded(text, "the name of a class")
    check(library.gb_value_name, given, len(given), out)
    return take_text(out[0])


def number_of(value: object, where: str) -> float:
    """A number, NaN if it is missing.

    Raises
    ------
    ValueError
        A text, or a number that is too large.
    TypeError
        Anything else, dates among them.
    """
    if is_missing(value):
        return np.nan
    if isinstance(value, (numbers.Real, decimal.Decimal, np.bool_)):
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"{where} is too large for a number") from None
    refuse_dates(value, where)
    error = ValueError if isinstance(value, (str, bytes)) else TypeError
    raise error(f"{where} is {shown(value)}, expected a number")


def refuse_dates(value: object, where: str) -> None:
    """Complain of a date: what it is to the model, the user has to say."""
    if isinstance(value, _DATES) or type(value).__name__ == "NaTType":
        raise TypeError(
            f"{where} is {shown(value)}: dates and times are not taken,"
            " give a number or a name, such as the year"
        )


_DATE = re.compile(r"(\d{4})([-/])(\d\d)\2(\d\d)(?:[T ](\d\d):(\d\d).*)?", re.S)


def year_of(value: object, where: str) -> float:
    """A date as the library has it: the year, and the part of it that has passed.

    Raises
    ------
    ValueError
        It is no date.
    """
    if is_missing(value) or type(value).__name__ == "NaTType":
        return np.nan
    if isinstance(value, np.datetime64) and np.isnat(value):
        return np.nan
    found = _DATE.fullmatch(str(value).strip())
    try:
        assert found is not None
        day = datetime.date(int(found[1]), int(found[3]), int(found[4]))
    except (AssertionError, ValueError):
        raise ValueError(f"{where} is {shown(value)}, expected a date such as 2021-07-02") from None
    time = (int(found[5]) + int(found[6]) / 60.0) / 24 if found[5] else 0
    first, last = datetime.date(day.year, 1, 1), datetime.date(day.year, 12, 31)
    return day.year + ((day - first).days + time) / float((last - first).days + 1)


def years(values: Any, where: str, must: bool) -> Any:
    """Dates as numbers; what are none are left as they are, unless they must be."""
    series = as_series(values)
    column = series.to_list() if series is not None else values
    if not isinstance(column, (list, tuple, np.ndarray)) or getattr(column, "ndim", 1) != 1:
        return values
    first = next((value for value in column if not is_missing(value)), None)
    is_date = isinstance(first, (datetime.date, np.datetime64)) or (
        isinstance(first, str) and _DATE.fullmatch(first.strip()) is not None
    )
    if not is_date and not must:
        return values
    return np.array([year_of(value, f"{where}, row {row}") for row, value in enumerate(column)])


def shown(value: object) -> str:
    """A value for a message, with its type and of bounded length."""
    value = value.item() if isinstance(value, np.generic) else value
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"


# ---- columns ----


def opened(data: Any) -> Any:
    """Data that only speaks Arrow as a frame or a column, since a stream can be read once only."""
    if _is_hugging_face(data):
        return nw.from_native(data.with_format("arrow")[:], eager_only=True)
    if type(data).__name__ == "DatasetDict" and hasattr(data, "items"):
        raise TypeError(
            "expected one data set, got a DatasetDict: give one of its splits, "
            + ", ".join(f'["{name}"]' for name in data)
        )
    if isinstance(data, nw.LazyFrame) or _is_lazy(data):
        return nw.from_native(data).collect()
    if not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        return data
    if isinstance(data, (nw.DataFrame, nw.Series)):
        return data
    known = nw.from_native(data, allow_series=True, pass_through=True)
    if isinstance(known, (nw.DataFrame, nw.LazyFrame, nw.Series)):
        return data
    return _of_pyarrow(data) if _arrow_library(data) == "pyarrow" else _of_polars(data)


def records(data: Any) -> Any:
    """The frame of a list of mappings with a text in the first, or of a mapping of columns.

    That is what json.load() gives.  Anything else stays as it is, as do mappings of words to
    counts, and records where no package for frames is installed.
    """
    is_rows = isinstance(data, (list, tuple)) and len(data) > 0
    if is_rows and all(isinstance(row, Mapping) for row in data):
        if not any(isinstance(value, str) for value in data[0].values()):
            return data
        names = dict.fromkeys(name for row in data for name in row)
        columns = {name: [row.get(name) for row in data] for name in names}
    elif type(data) is dict and data and all(map(_is_column, data.values())):
        columns = data
    else:
        return data
    for backend in ("pandas", "polars", "pyarrow"):
        if find_spec(backend) is not None and all(isinstance(name, str) for name in columns):
            return nw.from_dict(columns, backend=backend)
    return data


def _is_column(values: Any) -> bool:
    return hasattr(values, "__len__") and not isinstance(values, (str, bytes, Mapping))


def _is_hugging_face(data: Any) -> bool:
    """A data set of the package datasets, which is in memory or mapped from a file."""
    return (
        type(data).__module__.partition(".")[0] == "datasets"
        and hasattr(data, "with_format")
        and hasattr(data, "features")
        and hasattr(data, "__len__")
    )


def _is_lazy(data: Any) -> bool:
    """A frame whose values are found when somebody asks, of polars for example."""
    if not hasattr(data, "collect") or hasattr(data, "to_numpy"):
        return False
    return isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame)


def as_frame(data: Any) -> nw.DataFrame[Any] | None:
    """A data frame of any library, or through Arrow; None for anything else."""
    if isinstance(data, nw.DataFrame):
        return data
    found = nw.from_native(opened(data), allow_series=True, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        raise TypeError(
            f"expected a data frame with its values, got a lazy one ({type(data).__name__}):"
            " call collect() first"
        )
    return found if isinstance(found, nw.DataFrame) else None


def as_series(data: Any) -> nw.Series[Any] | None:
    """A column of any library, or through Arrow; None for anything else."""
    if isinstance(data, nw.Series):
        return data
    found = nw.from_native(opened(data), allow_series=True, pass_through=True)
    return found if isinstance(found, nw.Series) else None


def index_of(data: Any) -> Any:
    """The index of a frame or column of pandas, which says what rows are; None for all else."""
    is_narwhals = isinstance(data, (nw.DataFrame, nw.Series))
    known = data if is_narwhals else nw.from_native(data, allow_series=True, pass_through=True)
    return nw.maybe_get_index(known) if isinstance(known, (nw.DataFrame, nw.Series)) else None


def _of_pyarrow(data: Any) -> nw.DataFrame[Any] | nw.Series[Any]:
    import pyarrow as pa

    is_stream = hasattr(data, "__arrow_c_stream__")
    array = pa.chunked_array(data) if is_stream else pa.chunked_array([pa.array(data)])
    if not pa.types.is_struct(array.type):
        column: nw.Series[Any] = nw.from_native(array, series_only=True)
        return column
    batches = [pa.RecordBatch.from_struct_array(chunk) for chunk in array.chunks]
    table = pa.Table.from_batches(batches, schema=pa.schema(list(array.type)))
    frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
    return frame


def _of_polars(data: Any) -> nw.DataFrame[Any] | nw.Series[Any]:
    import polars as pl

    series = pl.Series(data)
    if isinstance(series.dtype, pl.Struct):
        return nw.from_native(series.struct.unnest(), eager_only=True)
    return nw.from_native(series, series_only=True)


def _arrow_library(data: object) -> Literal["pyarrow", "polars"]:
    if find_spec("pyarrow") is not None:
        return "pyarrow"
    if find_spec("polars") is not None:
        return "polars"
    raise ImportError(
        f"{type(data).__name__} is read through Arrow, which needs pyarrow or polars:"
        " pip install pyarrow"
    )


def as_column(values: Any, where: str) -> npt.NDArray[Any]:
    """Values one below the other, as an array of NumPy: of a number type, of texts, or of objects.

    Parameters
    ----------
    values
        An array with one dimension (or a single column), a list, or a column of a data frame.
    where : str
        What to call the values in a message.
    """
    series = as_series(values)
    if series is not None:
        return _of_series(series, where)
    if is_bare_categorical(values):
        return _as_names(list(values), where)
    if isinstance(values, np.ma.MaskedArray):
        known = ~np.ma.getmaskarray(values)
        values = objects(
            [v if k else None for v, k in zip(values.data.tolist(), known, strict=True)]
        )
    if isinstance(values, (str, bytes)) or not (
        isinstance(values, Iterable) or hasattr(values, "__array__")
    ):
        raise TypeError(f"{where}: expected an array or a list, got {shown(values)}")
    if isinstance(values, np.ndarray) or hasattr(values, "__array__"):
        column = np.asarray(values)
        if column.ndim == 2 and column.shape[1] == 1:
            column = column.ravel()
        if column.ndim != 1:
            raise ValueError(
                f"{where}: expected an array with one dimension, got the shape {column.shape}"
            )
    else:
        column = objects(list(values))
    if column.dtype.kind in "Mm":
        raise TypeError(
            f"{where}: dates and times are not taken, give numbers or names, such as the year;"
            ' a covariate can be one: covariates="NAME:date"'
        )
    if column.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {where}")
    return column


def _of_series(series: nw.Series[Any], where: str) -> npt.NDArray[Any]:
    if series.dtype.is_temporal():
        raise TypeError(
            f"{where}: dates and times are not taken, give numbers or names, such as the year;"
            ' a covariate can be one: covariates="NAME:date"'
        )
    if series.dtype in (nw.Categorical, nw.Enum):
        return _as_names(series.to_list(), where)
    if series.dtype.is_integer() and series.null_count() == 0:
        return series.to_numpy()
    if series.dtype.is_float():
        numbers = series.cast(nw.Float64).to_numpy()
        return numbers if numbers.dtype.kind == "f" else objects(series.to_list())
    return objects(series.to_list())


def is_bare_categorical(values: Any) -> bool:
    """Whether values are a Categorical of pandas without a Series around it."""
    return hasattr(values, "categories") and hasattr(values, "codes")


class Categories(NamedTuple):
    """The categories of a column, in their order if they have one."""

    values: list[Any]
    is_ordered: bool


def categories_of(values: Any) -> Categories | None:
    """The categories of a categorical column; None for any other values."""
    if is_bare_categorical(values):
        return Categories(list(values.categories), bool(values.ordered))
    series = as_series(values)
    if series is None or series.dtype not in (nw.Categorical, nw.Enum):
        return None
    native: Any = getattr(series.to_native(), "cat", None)
    if hasattr(native, "ordered"):  # of pandas
        return Categories(list(native.categories), bool(native.ordered))
    return Categories(series.cat.get_categories().to_list(), series.dtype == nw.Enum)


def _as_names(values: list[Any], where: str) -> npt.NDArray[Any]:
    """Categories are names of classes, also where they look like numbers."""
    return objects(
        [
            None if is_missing(v) else name_of(v, f"{where}, row {row}")
            for row, v in enumerate(values)
        ]
    )


def objects(values: list[Any]) -> npt.NDArray[Any]:
    """An array of objects with one dimension, also where the objects are lists."""
    return np.fromiter(values, dtype=object, count=len(values))
