"""The shared library: where it is, how its calls fail, and how a run is watched and cancelled."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple, Protocol, TypeAlias

from . import _abi

Bytes: TypeAlias = bytes | bytearray | memoryview


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


class StowageError(Exception):
    """A call failed.

    `status` says why, `message` is a sentence, and `path` names the field at fault, such as "apps.demand[51]", or is "".
    """

    def __init__(self, status: Status, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.status = status
        self.message = message
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.message, self.path)


def _load() -> _abi.Library:
    named = os.environ.get("STOWAGE_LIBRARY")
    suffix = {"darwin": "libstowage.dylib", "win32": "stowage.dll"}.get(sys.platform, "libstowage.so")
    path = named or os.path.join(os.path.dirname(__file__), suffix)
    if not os.path.exists(path):
        raise ImportError(f"there is no {path}; install the package, or let STOWAGE_LIBRARY name the library")
    return _abi.Library(ctypes.CDLL(path))


lib = _load()


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
    """What to pass for bytes that the library reads during a call: they are not copied."""
    if isinstance(data, bytes):
        return data, len(data)
    import numpy as np

    view = np.frombuffer(data, np.uint8)
    return view.ctypes.data_as(ctypes.c_void_p), view.size


def answer(function: Callable[..., int], *arguments: Any) -> bytes:
    """Calls a function whose last but one parameter receives a buffer. Returns its bytes."""
    buffer = _abi.stowage_buffer()
    call(function, *arguments, ctypes.byref(buffer))
    try:
        return ctypes.string_at(buffer.data, buffer.size) if buffer.size else b""
    finally:
        lib.stowage_buffer_free(ctypes.byref(buffer))


class Handle:
    """A handle of the library, which is freed once nothing refers to it and no call uses it."""

    def __init__(self, value: int | None, free: Callable[[int], None]) -> None:
        self.value = value
        self._free = free

    def __del__(self) -> None:
        if self.value is not None:
            self._free(self.value)
            self.value = None


class Progress(NamedTuple):
    """How far a run is.

    `done` of `total` says how far the phase has come (`total` 0: not known), in replicas or nodes; while a plan is improved, in work
    units of the work limit, else in milliseconds of the deadline. `best` is the number of nodes in use in the best plan so far (0:
    none yet), `value` what the objective minimizes in it (negative: not known), `left_over` the replicas that it leaves over. `work`
    counts the work units of all phases.
    """

    phase: str
    done: int
    total: int
    best: int
    value: float
    left_over: int
    work: int


_PHASES = {
    _abi.STOWAGE_PHASE_IDLE: "idle", _abi.STOWAGE_PHASE_PREPARE: "prepare", _abi.STOWAGE_PHASE_PLAN: "plan",
    _abi.STOWAGE_PHASE_IMPROVE: "improve", _abi.STOWAGE_PHASE_BOUND: "bound", _abi.STOWAGE_PHASE_VERIFY: "verify",
    _abi.STOWAGE_PHASE_DONE: "done",
}  # fmt: skip


class Bar(Protocol):
    """What progress_of() needs of a progress bar, such as tqdm's."""

    n: float
    total: float | None

    def refresh(self) -> object: ...

    def set_postfix_str(self, s: str = "") -> object: ...


def progress_of(bar: Bar) -> Callable[[Progress], None]:
    """A callback that shows on a progress bar how far a run is: `cluster.plan(progress=stowage.progress_of(tqdm.tqdm()))`.

    The bar counts what the phase counts, and starts again with each phase.
    """

    def show(progress: Progress) -> None:
        bar.total = progress.total or None
        bar.n = progress.done
        best = f", {progress.best} nodes" if progress.best else ""
        bar.set_postfix_str(f"{progress.phase}{best}")
        bar.refresh()

    return show


class Control:
    """Watches and cancels one run at a time, from any thread."""

    def __init__(self) -> None:
        made = ctypes.c_void_p()
        call(lib.stowage_control_new, ctypes.byref(made))
        self._handle = Handle(made.value, lib.stowage_control_free)

    @property
    def handle(self) -> int | None:
        """The address of the library's control."""
        return self._handle.value

    def cancel(self) -> None:
        """Asks the run to end with its best plan so far."""
        lib.stowage_control_cancel(self.handle)

    def reset(self) -> None:
        """Prepares the control for another run. Only while no run uses it."""
        lib.stowage_control_reset(self.handle)

    def progress(self) -> Progress:
        """How far the run is now."""
        found = _abi.stowage_progress(struct_size=ctypes.sizeof(_abi.stowage_progress))
        lib.stowage_control_progress(self.handle, ctypes.byref(found))
        return Progress(_PHASES.get(found.phase, "idle"), found.done, found.total, found.best, found.value, found.left_over, found.work)


# Seconds between two looks at a run with a callback.
_INTERVAL = 0.05


# Without the conversions to enums around them, which take longer than a small plan.
try:
    from _signal import getsignal as _handler, signal as _set_handler  # type: ignore[import-not-found]
except ImportError:
    from signal import getsignal as _handler
    from signal import signal as _set_handler
_CTRL_C = int(signal.SIGINT)


class _Interrupts:
    """Sees Ctrl-C while the main thread is in the library, where Python runs no handler: Python writes the number of the signal to a
    socket at once, and a thread that reads from it cancels the run."""

    def __init__(self) -> None:
        import socket

        self.process = os.getpid()
        self._control: Control | None = None
        self._spare: Control | None = None
        self._other = -1
        # Held while a control is cancelled, so that it is not cancelled once it serves the next call.
        self._cancelling = threading.Lock()
        self._read, self._write = socket.socketpair()
        self._write.setblocking(False)
        threading.Thread(target=self._watch, name="stowage", daemon=True).start()

    def _watch(self) -> None:
        while numbers := self._read.recv(64):
            other = self._other
            with self._cancelling:
                if self._control is not None and _CTRL_C in numbers:
                    self._control.cancel()
            if other >= 0:  # somebody else wants to know, such as an event loop
                with contextlib.suppress(OSError):
                    os.write(other, numbers)

    def run(self, function: Callable[..., int], arguments: tuple[Any, ...], control: Control | None) -> bytes:
        """Makes a call in the main thread, which Ctrl-C cancels."""
        own = None
        if control is None:
            # One that was used before, unless a call within this one, such as of a finalizer, has it.
            own, self._spare = self._spare or Control(), None
            control = own
        self._control = control
        self._other = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        try:
            _set_handler(_CTRL_C, _ignore)
            try:
                return answer(function, *arguments, control.handle)
            finally:
                _set_handler(_CTRL_C, signal.default_int_handler)
        finally:
            with self._cancelling:
                self._control = None
            signal.set_wakeup_fd(self._other)
            self._other = -1
            if own is not None:
                own.reset()
                self._spare = own


def _ignore(number: int, frame: object) -> None:
    """The handler of Ctrl-C while it cancels a run."""


_interrupts: _Interrupts | None = None


def watched(
    function: Callable[..., int],
    arguments: tuple[Any, ...],
    progress: Callable[[Progress], object] | None,
    control: Control | None,
) -> bytes:
    """Makes a call that ends in control and buffer, and can be cancelled.

    In the main thread, Ctrl-C cancels the run, whose best plan is returned. A program with a handler of its own for Ctrl-C keeps it,
    and nothing is cancelled. Where there is a callback, another thread makes the call; an exception of the
    callback is raised once the run has ended.
    """
    global _interrupts
    if progress is None:
        if threading.current_thread() is not threading.main_thread() or _handler(_CTRL_C) is not signal.default_int_handler:
            return answer(function, *arguments, None if control is None else control.handle)
        if _interrupts is None or _interrupts.process != os.getpid():  # a child process has no threads of its parent
            _interrupts = _Interrupts()
        return _interrupts.run(function, arguments, control)
    return _with_progress(function, arguments, progress, control or Control())


def _with_progress(
    function: Callable[..., int], arguments: tuple[Any, ...], progress: Callable[[Progress], object], watch: Control
) -> bytes:
    outcome: list[bytes | BaseException] = []
    ended = threading.Event()

    def run() -> None:
        try:
            outcome.append(answer(function, *arguments, watch.handle))
        except BaseException as failure:
            outcome.append(failure)
        ended.set()

    raised: BaseException | None = None
    interrupted = False
    thread = threading.Thread(target=run, name="stowage", daemon=True)
    thread.start()
    while True:
        try:
            if ended.wait(_INTERVAL):
                break
            if raised is None:
                progress(watch.progress())
        except KeyboardInterrupt as stop:
            raised = stop if interrupted else None
            interrupted = True
            watch.cancel()
        except BaseException as failure:
            raised = failure
            watch.cancel()
    if raised is not None:
        raise raised
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
