"""The shared library: where it is, how its calls fail, and what it hands out."""

from __future__ import annotations

import ctypes
import functools
import gc
import operator
import os
import sys
import threading
import weakref
from collections.abc import Callable
from enum import IntEnum
from typing import Any, NoReturn, TypeAlias

from . import _abi

Bytes: TypeAlias = bytes | bytearray | memoryview
# Stands for no index in the schemas.
NONE = 2**32 - 1


class Status(IntEnum):
    """Why a call failed: the statuses of stowage.h."""

    OK = _abi.STOWAGE_OK
    INVALID_ARGUMENT = _abi.STOWAGE_INVALID_ARGUMENT
    MALFORMED = _abi.STOWAGE_MALFORMED
    INVALID = _abi.STOWAGE_INVALID
    UNSUPPORTED = _abi.STOWAGE_UNSUPPORTED
    LIMIT_EXCEEDED = _abi.STOWAGE_LIMIT_EXCEEDED
    NOT_FOUND = _abi.STOWAGE_NOT_FOUND
    OUT_OF_MEMORY = _abi.STOWAGE_OUT_OF_MEMORY
    INTERNAL = _abi.STOWAGE_INTERNAL
    CANCELLED = _abi.STOWAGE_CANCELLED
    BUSY = _abi.STOWAGE_BUSY


class StowageError(Exception):
    """A call failed.

    `status` says why, `message` is a sentence, and `path` names the field at fault, such as "apps.demand[51]", or is "".
    """

    def __init__(self, status: Status, message: str, path: str = "") -> None:
        # What was given may be no text. What is said of it can be printed and sent.
        message, path = (text.encode(errors="backslashreplace").decode() for text in (message, path))
        super().__init__(f"{path}: {message}" if path else message)
        self.status = status
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.message, self.path)


def file_of(name: str, named: str | None) -> str:
    """The file of a library: the one that is named, or that of the package."""
    pattern = {"darwin": "lib{}.dylib", "win32": "{}.dll"}.get(sys.platform, "lib{}.so")
    path = named or os.path.join(os.path.dirname(__file__), pattern.format(name))
    if not os.path.exists(path):
        raise ImportError(f"there is no {path}; install the package, or let {name.upper()}_LIBRARY name the library")
    return path


library = ctypes.CDLL(file_of("stowage", os.environ.get("STOWAGE_LIBRARY")))
lib = _abi.Library(library)


@functools.cache
def text() -> _abi.TextLibrary:
    """The library stowage_text. It is in that of stowage.h, or a file of its own, which uses that and is loaded once it is needed."""
    named = os.environ.get("STOWAGE_TEXT_LIBRARY")
    if named is None and hasattr(library, "stowage_instance_from_json"):
        return _abi.TextLibrary(library)
    return _abi.TextLibrary(ctypes.CDLL(file_of("stowage_text", named)))


def version() -> str:
    """The version of the library, "major.minor.patch"."""
    text: bytes = lib.stowage_version()
    return text.decode()


def status_text(status: int) -> str:
    """The name of a status in stowage.h, such as "STOWAGE_INVALID"."""
    text: bytes = lib.stowage_status_text(status)
    return text.decode()


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last parameter is a stowage_error. Raises StowageError where it fails."""
    error = _abi.stowage_error()
    status = function(*arguments, ctypes.byref(error))
    if status != _abi.STOWAGE_OK:
        known = Status(status) if status < _abi.STOWAGE_STATUS_END else Status.INTERNAL
        raise StowageError(known, error.message.decode("utf-8", "replace"), error.path.decode("utf-8", "replace"))


def address(data: Bytes) -> tuple[Any, int]:
    """What to pass for bytes that the library reads during a call: they are not copied. Who holds it holds the bytes."""
    if isinstance(data, bytes):
        return data, len(data)
    whole = memoryview(data)
    if not whole.c_contiguous or not whole.nbytes:
        return bytes(whole), whole.nbytes
    import numpy as np

    view = np.frombuffer(whole, np.uint8)
    return view.ctypes.data_as(ctypes.c_void_p), view.size


def half_a_character(failure: UnicodeEncodeError) -> str:
    """Why a text has no form in UTF-8."""
    return f"is no Unicode text: character {failure.start} is half of a surrogate pair"


def in_utf8(text: str, path: str) -> str:
    """The text. Raises StowageError for one that has no form in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as failure:
        raise StowageError(Status.INVALID, half_a_character(failure), path) from None
    return text


def in_range(value: int, most: int, path: str = "") -> int:
    """A whole number from 0 to `most`. Raises StowageError for any other, which ctypes would cut."""
    if not 0 <= operator.index(value) <= most:
        raise StowageError(Status.INVALID_ARGUMENT, f"{value} is not in the range from 0 to {most}", path)
    return operator.index(value)


class Buffer:
    """Receives bytes of the library."""

    def __init__(self) -> None:
        self._buffer = _abi.stowage_buffer()
        self.receiver = ctypes.byref(self._buffer)
        self.data = b""

    def receive(self) -> None:
        """Copies what the library wrote to `data`, and frees it."""
        try:
            self.data = ctypes.string_at(self._buffer.data, self._buffer.size) if self._buffer.size else b""
        finally:
            lib.stowage_buffer_free(self.receiver)


class Handle:
    """Receives a handle of the library, and is passed in its place. It is freed once nothing refers to it: a call under way refers to
    what it was given."""

    def __init__(self, free: Callable[[Any], None]) -> None:
        self._as_parameter_ = ctypes.c_void_p()
        self.receiver = ctypes.byref(self._as_parameter_)
        entry = _Entry(self, _memory.entries.discard)
        entry.end = _End(self, free)
        entry.end._as_parameter_ = self._as_parameter_
        _memory.entries.add(entry)
        self._end = entry.end

    def receive(self) -> None:
        pass

    @property
    def weight(self) -> int:
        """About how many bytes of memory the handle has."""
        return self._end.weight

    def weigh(self, weight: int) -> None:
        """Says about how many bytes of memory the handle has, which Python's collector does not see."""
        self._end.weight = weight
        _memory.add(weight)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a handle of the library cannot be pickled or copied")


# In a method of Python that ends an object, such as __del__, a KeyboardInterrupt would be lost. Therefore, only functions of C are called
# once there is no handle: that of the library, with its own reference to the handle in the place of the handle, and that of a set.
class _End(weakref.ref[Handle]):
    """Frees what a handle refers to."""

    _as_parameter_: ctypes.c_void_p
    weight = 0


class _Entry(weakref.ref[Handle]):
    """Keeps the end of a handle while there is the handle."""

    end: _End


class _Memory:
    """The memory that handles have. An instance of a few Python objects may have a gigabyte in the library; if it is in a cycle,
    such as with the frames of an exception, it is freed by the collector alone, which runs by the number of Python objects."""

    # So much more than after the last collection, and twice as much, asks for another.
    _MORE = 64 << 20

    def __init__(self) -> None:
        self.entries: set[_Entry] = set()
        self._held = self._after = 0
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._summing = threading.Lock()

    def add(self, weight: int) -> None:
        """Counts memory that was taken, and collects garbage where it became much."""
        self._held += weight
        if not self._much() or not self._summing.acquire(blocking=False):
            return
        try:
            self._sum()
            if self._much() and gc.isenabled():
                gc.collect()
                self._sum()
                self._after = self._held
            self._after = min(self._after, self._held)
        finally:
            self._summing.release()

    def _much(self) -> bool:
        return self._held - self._after > max(self._MORE, self._after)

    def _sum(self) -> None:
        """Counts the handles that there are: nothing counts those that were freed."""
        self._held = sum(entry.end.weight for entry in self.entries.copy())


_memory = _Memory()
