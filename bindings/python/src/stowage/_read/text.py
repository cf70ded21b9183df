"""JSON that people write, and explanations in words, by the library stowage_text."""

from __future__ import annotations

import _thread
import math
from collections.abc import Callable, Mapping
from typing import Any

from .._library import Buffer, Status, StowageError, call, half_a_character
from .._run import look

# Of fewer bytes, text is read and written in a few milliseconds.
_LARGE = 128 << 10
# Seconds between two looks at a call that may be cancelled.
_LOOK = 0.02


def convert(function: Callable[..., int], *arguments: Any, size: int) -> bytes:
    """The bytes that a function of the library makes of so many bytes. It has no control: a call that is cancelled, or whose thread
    gets an exception by a signal, goes on in a thread of its own, and nobody waits for it."""
    look()
    buffer = Buffer()

    def called() -> None:
        call(function, *arguments, buffer.receiver)
        buffer.receive()

    if size < _LARGE:
        called()
        return buffer.data
    failures: list[BaseException] = []
    # As in _run.py: what is written in Python may be left half done by an exception of a handler.
    running = _thread.allocate_lock()
    running.acquire()

    def target() -> None:
        try:
            called()
        except BaseException as failure:
            failures.append(failure)
        running.release()

    _thread.start_new_thread(target, ())
    while not running.acquire(timeout=_LOOK):
        look()
    if failures:
        raise failures.pop()
    return buffer.data


def letters(given: str | bytes) -> bytes:
    """A text in UTF-8; the library refuses halves of characters."""
    return given.encode("utf-8", "surrogatepass") if isinstance(given, str) else bytes(given)


def written(value: Any) -> bytes:
    """A value of dicts, lists, numbers and so on, with NumPy's as well, in JSON. Raises StowageError with the path of what JSON does
    not hold."""
    import json

    look()
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as failure:
        try:
            found = _fault(value, "")
        except RecursionError:
            found = None
        raise found or StowageError(Status.INVALID, f"cannot be written in JSON: {failure}") from None


def _plain(value: Any) -> Any:
    """What Python's writer of JSON does not know: arrays and numbers of NumPy, and mappings that are no dicts."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _fault(value: Any, path: str) -> StowageError | None:
    """The first value that JSON does not hold."""
    value = value.tolist() if hasattr(value, "tolist") else value
    members: Any = ()
    if isinstance(value, Mapping):
        members = [(f"{path}.{key}" if path else str(key), one) for key, one in value.items()]
        text = "".join(map(str, value))
    elif isinstance(value, (list, tuple)):
        members = [(f"{path}[{k}]", one) for k, one in enumerate(value)]
        text = ""
    elif isinstance(value, float) and not math.isfinite(value):
        return StowageError(Status.INVALID, "must be a number", path)
    elif value is None or isinstance(value, (bool, int, float, str)):
        text = str(value) if isinstance(value, str) else ""
    else:
        return StowageError(Status.INVALID, f"{type(value).__name__} has no form in JSON", path)
    try:
        text.encode()
    except UnicodeEncodeError as failure:
        return StowageError(Status.INVALID, half_a_character(failure), path)
    return next((found for at, one in members if (found := _fault(one, at)) is not None), None)
