"""The opened library, and what every call needs: exceptions, lifetimes, callbacks, memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cffi
import numpy as np
from numpy.typing import NDArray

from gibbous._declarations import DECLARATIONS
from gibbous.errors import ArgumentError, GibbousError, error_of

__all__ = [
    "Callback",
    "Handle",
    "check",
    "encoded",
    "encoded_path",
    "enumerators",
    "ffi",
    "library",
    "library_path",
    "take_text",
    "text",
    "texts",
    "view",
]

ffi = cffi.FFI()
ffi.cdef(DECLARATIONS)


def library_path() -> Path:
    """Where the shared library is: as GIBBOUS_LIBRARY says, else inside the package."""
    named = os.environ.get("GIBBOUS_LIBRARY", "")
    if named:
        return Path(named)
    folder = Path(__file__).parent
    name = {"darwin": "libgibbous.dylib", "win32": "gibbous.dll"}.get(sys.platform, "libgibbous.so")
    if not (folder / name).exists():
        raise ImportError(
            f"{folder / name} is not there: install the package (pip install ./bindings/python), "
            "or set GIBBOUS_LIBRARY to the path of libgibbous.so"
        )
    return folder / name


def _open() -> Any:
    path = library_path()
    try:
        opened = ffi.dlopen(str(path))
    except OSError as error:
        raise ImportError(f"{path}: {error}") from error
    version = text(opened.gb_version())
    wanted = f"{opened.GB_VERSION_MAJOR}.{opened.GB_VERSION_MINOR}.{opened.GB_VERSION_PATCH}"
    if version != wanted:
        raise ImportError(
            f"{path} is version {version} of gibbous, but this package is made for {wanted}"
        )
    return opened


def text(pointer: Any, length: int | None = None) -> str:
    """A text of the library; with a length it is not ended by a NUL."""
    if length is not None:
        return bytes(ffi.buffer(pointer, length)).decode() if length > 0 else ""
    return bytes(ffi.string(pointer)).decode()


library: Any = _open()


def enumerators(kind: str, prefix: str) -> list[str]:
    """The names of an enum of the library by their numbers: GB_ROLE_WEIGHT is "weight"."""
    elements = ffi.typeof(kind).elements
    names = (elements[number].removeprefix(prefix) for number in range(len(elements)))
    return [name.lower().replace("_", "-") for name in names]


def check(function: Callable[..., int], *arguments: Any) -> None:
    """Call a function whose last argument is a gb_error, and raise what it reports."""
    error = ffi.new("gb_error *")
    status = function(*arguments, error)
    if status != library.GB_OK:
        raise error_of(status, bytes(ffi.string(error.message)).decode(errors="replace"))


def take_text(pointer: Any) -> str:
    """A text that the caller owns: copy and free it."""
    try:
        return text(pointer)
    finally:
        library.gb_free(pointer)


def encoded(value: str | bytes, what: str = "a text") -> bytes:
    """A text for the library, to which a NUL would be its end: so one inside is refused."""
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"{what} is {value!r} ({type(value).__name__}), expected str")
    shown = repr(value) if len(value) <= 60 else f"{value[:57]!r}..."
    try:
        found = value.encode() if isinstance(value, str) else value
    except UnicodeEncodeError:
        raise ArgumentError(
            f"{what} has half of a surrogate pair in it: {shown}; "
            'text.encode("utf-8", "replace").decode() puts ? there'
        ) from None
    if b"\0" in found:
        raise ArgumentError(f"{what} has a NUL character in it: {shown}")
    return found


def encoded_path(path: str | bytes | os.PathLike[Any]) -> bytes:
    """The name of a file for the library."""
    return encoded(os.fsencode(path), "a path")


def texts(values: Iterable[str | bytes | None], what: str = "text") -> tuple[Any, Any]:
    """A C array of texts, NULL for None, and what must be kept as long as it is used.

    All texts lie in one block of memory: a vocabulary of a million words is two allocations.
    """
    parts = [
        None if value is None else encoded(value, f"{what} {i}") for i, value in enumerate(values)
    ]
    block = ffi.new("char[]", b"\0".join(b"" if part is None else part for part in parts) + b"\0")
    array = ffi.new("char *[]", len(parts))
    at = 0
    for i, part in enumerate(parts):
        if part is not None:
            array[i] = block + at
            at += len(part)
        at += 1
    return array, block


class Handle:
    """An object of the library that is freed once neither Python nor another object uses it.

    The garbage collector may end a chain, its plan and its corpus in any order.  So each object
    counts those that borrow it, and is freed after the last of them.  The counting is one pop from
    a list, which is atomic in every build of Python.
    """

    __slots__ = ("_claim", "pointer")

    def __init__(
        self, pointer: Any, free: Callable[[Any], None], borrows: Sequence[Handle] = ()
    ) -> None:
        self.pointer = pointer
        self._claim: _Claim | None = _Claim(
            pointer, free, [handle._claimed() for handle in borrows]
        )

    def _claimed(self) -> _Claim:
        claim = self._claim
        if claim is None:
            raise GibbousError("this object was closed")
        claim.more.append(None)
        return claim

    def __del__(self) -> None:
        claim, self._claim = getattr(self, "_claim", None), None
        if claim is not None:
            claim.give_up()


class _Claim:
    """An object of the library, and how many more there are that hold it (the length of `more`)."""

    __slots__ = ("borrows", "free", "more", "pointer")

    def __init__(self, pointer: Any, free: Callable[[Any], None], borrows: list[_Claim]) -> None:
        self.pointer, self.free, self.borrows = pointer, free, borrows
        self.more: list[None] = []

    def give_up(self) -> None:
        try:
            self.more.pop()
        except IndexError:
            self.free(self.pointer)
            for claim in self.borrows:
                claim.give_up()


_CALLBACKS = {
    kind: ffi.typeof(f"bool (*)({kind} const *, void *)")
    for kind in (
        "gb_progress",
        "gb_apply_progress",
        "gb_read_progress",
        "gb_file_progress",
        "gb_selection_progress",
    )
}


class Callback:
    """A function of Python that the library calls; returning False or raising stops the library.

    What is raised, KeyboardInterrupt too, is kept, and raised by :meth:`call` when the library has
    come back.
    """

    def __init__(self, kind: str, function: Callable[[Any], bool]) -> None:
        self.error: BaseException | None = None
        # A signal may be raised before the first line of the function: hence `onerror`.
        self.pointer = ffi.callback(
            _CALLBACKS[kind], lambda progress, _: function(progress), onerror=self._keep
        )

    def _keep(self, kind: Any, value: BaseException, traceback: Any) -> bool:
        self.error = value
        return False

    def call(self, function: Callable[..., int], *arguments: Any) -> tuple[int, str]:
        """Call a function that gets this callback; status and message, for callers that go on."""
        error = ffi.new("gb_error *")
        status = function(*arguments, error)
        return int(status), bytes(ffi.string(error.message)).decode(errors="replace")

    def check(self, function: Callable[..., int], *arguments: Any) -> None:
        """The same, raising what the callback has raised, or what the library reports."""
        status, message = self.call(function, *arguments)
        if self.error is not None:
            raise self.error
        if status != library.GB_OK:
            raise error_of(status, message)

    def run(self, function: Callable[..., int], given: tuple[Any, ...], *received: Any) -> None:
        """The same for a function that takes the callback between two kinds of arguments."""
        self.check(function, *given, self.pointer, ffi.NULL, *received)


_TYPES = {
    "U8": "|u1",
    "U16": "=u2",
    "U32": "=u4",
    "U64": "=u8",
    "I32": "=i4",
    "I64": "=i8",
    "F32": "=f4",
    "F64": "=f8",
}


class _Memory:
    """Memory of the library for NumPy: the array holds this, and this holds the object."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: Handle, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def view(
    owner: Handle,
    pointer: Any,
    kind: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...] | None = None,
) -> NDArray[Any]:
    """A read-only array over memory of the library, which lives as long as the array does."""
    dtype = np.dtype(_TYPES[kind])
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(shape, dtype)
    interface = {
        "version": 3,
        "typestr": dtype.str,
        "shape": shape,
        "strides": strides,
        "data": (int(ffi.cast("uintptr_t", pointer)), True),
    }
    return np.asarray(_Memory(owner, interface))
