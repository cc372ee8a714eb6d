"""What gibbous raises.

The library returns a status and a message; :func:`error_of` makes one of these exceptions of them.
Messages name options as Python does, with underscores.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gibbous.chain import Chain
    from gibbous.model import Model

__all__ = [
    "ArgumentError",
    "ConvergenceWarning",
    "DoubtWarning",
    "FormatError",
    "GibbousError",
    "NoDrawsError",
    "NoEffectWarning",
    "NumericError",
    "OutOfMemoryError",
    "ProbabilityWarning",
    "ReadWriteError",
    "Stopped",
    "SuspectWarning",
    "UnknownOptionError",
    "error_of",
]


class GibbousError(Exception):
    """Base class of the errors of gibbous."""


class ArgumentError(GibbousError, ValueError):
    """Wrong use: a value that an option cannot have, options that do not go together, ..."""


class UnknownOptionError(ArgumentError, TypeError):
    """An option that this function does not have; the message suggests the nearest one."""


class FormatError(GibbousError, ValueError):
    """Malformed input: the message says where, and what was expected."""


class ConvergenceWarning(UserWarning):
    """The predictions of a training are not settled: it was too short, or its chains differ."""


class DoubtWarning(UserWarning):
    """Numbers that must not be believed as they stand, such as intervals that are too narrow."""


class NoEffectWarning(UserWarning):
    """A call was given something that it does not look at, such as labels for a prediction."""


class ProbabilityWarning(UserWarning):
    """A classifier has no ``predict_proba`` after its fit."""


class SuspectWarning(UserWarning):
    """Something that looks wrong in documents, such as a class called NaN; it may be meant."""


class NumericError(GibbousError, ArithmeticError):
    """A quantity became NaN or infinite."""


class ReadWriteError(GibbousError, OSError):
    """A file could not be read or written."""


class OutOfMemoryError(GibbousError, MemoryError):
    """Memory ran out."""


class NoDrawsError(GibbousError):
    """A training was stopped by its callback or its time limit before the first draw was kept."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C, or the stop button of a notebook, while the library worked; nothing is lost.

    In an interactive session the exception that was shown last is ``sys.last_value``, so
    ``sys.last_value.model`` is the model.

    Attributes
    ----------
    model : Model or None
        The model of the draws that a training had kept.
    chain : Chain or None
        The chain that was stepped: it has finished its sweep, and can be stepped further.
    """

    def __init__(
        self, message: str = "", *, model: Model | None = None, chain: Chain | None = None
    ) -> None:
        super().__init__(message)
        self.model = model
        self.chain = chain


_CLASSES = {
    1: OutOfMemoryError,
    2: ReadWriteError,
    3: FormatError,
    4: ArgumentError,
    5: NumericError,
}


def depth_of_package() -> int:
    """The stack level at which a warning of the caller names the first line outside of gibbous."""
    frame, level = sys._getframe(1), 1
    while (
        frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "gibbous"
    ):
        frame, level = frame.f_back, level + 1
    return level


def in_python(message: str) -> str:
    """`burn-in` is burn_in in Python."""
    return re.sub(r"`[a-z0-9-]+`", lambda found: found.group().replace("-", "_"), message)


def error_of(status: int, message: str) -> Exception:
    """Make the exception of a status of the library (gibbous/status.h).

    Parameters
    ----------
    status : int
        A ``gb_status`` that is not 0.
    message : str
        The text of the library.
    """
    kind: Any = _CLASSES.get(status, GibbousError)
    error: Exception = kind(in_python(message))
    return error
