"""What every public call has: options that completion sees, and errors that are short to read."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar

__all__ = ["plain", "short_errors", "short_errors_of", "with_options"]


def plain(options: Mapping[str, object]) -> dict[str, Any]:
    """Options of a call as a mapping to work with.

    Parameters
    ----------
    options : mapping

    Returns
    -------
    dict
    """
    return dict(options)


F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


def with_options(types: type) -> Callable[[F], F]:
    """Give a function with ``**options`` the names of these options as keywords.

    Parameters
    ----------
    types : type
        A TypedDict of ``_option_types``.

    Returns
    -------
    callable
        A decorator.
    """

    def decorate(function: F) -> F:
        given = inspect.signature(function)
        known = [p for p in given.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = {p.name for p in known}
        known += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=of)
            for name, of in types.__annotations__.items()
            if name not in names
        ]
        function.__signature__ = given.replace(parameters=known)  # type: ignore[attr-defined]
        return function

    return decorate


def short_errors(function: F) -> F:
    """Leave the inside of gibbous out of tracebacks, which otherwise fill a screen of a notebook.

    With the environment variable ``GIBBOUS_TRACEBACKS=full`` they are whole.

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if _is_of_package(error.__traceback__) and not _wants_all():
                error.__suppress_context__ = True
                raise error.with_traceback(None) from error.__cause__
            raise

    return call  # type: ignore[return-value]


def _wants_all() -> bool:
    return os.environ.get("GIBBOUS_TRACEBACKS") == "full"


def _is_of_package(traceback: TracebackType | None) -> bool:
    """Whether an exception comes from gibbous itself, and not from a callback of the user."""
    name = ""
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", ""))
        traceback = traceback.tb_next
    return name.partition(".")[0] == "gibbous"


def short_errors_of(of: C) -> C:
    """The same for the public methods of a class.

    Parameters
    ----------
    of : type

    Returns
    -------
    type
    """
    for name, member in vars(of).copy().items():
        if name.startswith("_") and name != "__init__":
            continue
        if inspect.isfunction(member):
            setattr(of, name, short_errors(member))
        elif isinstance(member, classmethod):
            setattr(of, name, classmethod(short_errors(member.__func__)))
    return of
