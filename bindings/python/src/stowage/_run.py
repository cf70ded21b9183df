"""How calls that may take long are watched, cancelled and interrupted."""

from __future__ import annotations

import _thread
import contextlib
import contextvars
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn, ParamSpec, Protocol, TypeVar

from . import _abi
from ._library import Buffer, Handle, Status, StowageError, call, in_range, lib

T = TypeVar("T")
P = ParamSpec("P")
Output = TypeVar("Output", Buffer, Handle, None)


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


# ---------------------------------------------------------------------------------------------------------------- controls


class Control:
    """Watches, cancels and limits calls, one at a time, from any thread.

    A call that is given a control which another call uses raises StowageError with the status BUSY, and nothing is done. A call that
    is cancelled or at its deadline returns what it has, as plan(), bound(), explain(), losses() and order_moves() do, or raises
    StowageError with the status CANCELLED, and nothing has changed.
    """

    def __init__(self, *, deadline_ms: int = 0) -> None:
        """`deadline_ms`: each call of the library that is given the control ends so many milliseconds after it began; 0: at no time."""
        self._handle = Handle(lib.stowage_control_free)
        call(lib.stowage_control_new, self._handle.receiver)
        self._as_parameter_ = self._handle._as_parameter_
        # What Python itself does for a call that was given this control.
        self._scopes: set[_Scope] = set()
        self.deadline_ms = deadline_ms

    @property
    def deadline_ms(self) -> int:
        """Milliseconds that a call takes at most; 0: any number. A change counts for the next call."""
        return self._deadline_ms

    @deadline_ms.setter
    def deadline_ms(self, value: int) -> None:
        self._deadline_ms = in_range(value, 2**64 - 1, "deadline_ms")
        lib.stowage_control_set_deadline(self, value)

    def cancel(self) -> None:
        """Asks the call to end. A call that has not begun yet ends at its begin."""
        lib.stowage_control_cancel(self)
        for scope in tuple(self._scopes):
            scope.cancelled = True

    def reset(self) -> None:
        """Prepares a control that was cancelled for another call. Does nothing while a call uses it."""
        if not self._scopes:
            lib.stowage_control_reset(self)

    @property
    def cancelled(self) -> bool:
        """Whether cancel() was called, and not reset() since then. Ctrl-C cancels the control of the call that it ends."""
        return bool(self._progress().cancelled)

    def progress(self) -> Progress:
        """How far the run is now."""
        found = self._progress()
        return Progress(_PHASES.get(found.phase, "idle"), found.done, found.total, found.best, found.value, found.left_over, found.work)

    def _progress(self) -> _abi.stowage_progress:
        found = _abi.stowage_progress(struct_size=ctypes.sizeof(_abi.stowage_progress))
        lib.stowage_control_progress(self, ctypes.byref(found))
        return found

    def __reduce__(self) -> NoReturn:
        raise TypeError("a control cannot be pickled or copied: it belongs to the calls of this process")


class _Scope:
    """What ends together: the calls of a task, or what Python does for a call beside what the library does."""

    def __init__(self, control: Control | None = None) -> None:
        self.cancelled = False
        # That of the calls within, if they have none of their own.
        self.control = control
        self._controls: set[Control] = set()
        self._changing = threading.Lock()

    def cancel(self) -> None:
        with self._changing:
            self.cancelled = True
            controls = tuple(self._controls)
        for control in controls:
            control.cancel()

    @contextlib.contextmanager
    def holding(self, control: Control) -> Iterator[None]:
        """Lets the scope end calls with this control."""
        with self._changing:
            look()
            self._controls.add(control)
        try:
            yield
        finally:
            with self._changing:
                self._controls.discard(control)


_scope: contextvars.ContextVar[_Scope | None] = contextvars.ContextVar("stowage", default=None)


def look() -> None:
    """Raises StowageError where the call that Python works for was cancelled."""
    scope = _scope.get()
    if scope is not None and scope.cancelled:
        raise StowageError(Status.CANCELLED, "the call was cancelled")


@contextlib.contextmanager
def within(control: Control | None) -> Iterator[None]:
    """For calls of which Python does a part: calls of the library in the block have this control, and look() looks at it."""
    if control is None:
        yield
        return
    outer = _scope.get()
    scope = _Scope(control)
    with outer.holding(control) if outer is not None else contextlib.nullcontext():
        control._scopes.add(scope)
        scope.cancelled = control.cancelled
        token = _scope.set(scope)
        try:
            yield
        finally:
            _scope.reset(token)
            control._scopes.discard(scope)


async def to_thread(function: Callable[P, T], /, *arguments: P.args, **keywords: P.kwargs) -> T:
    """As asyncio.to_thread(), and a task that is cancelled ends the calls of this package in which the function is:

        plan = await stowage.to_thread(cluster.plan, "auto", deadline_ms=60_000)

    The function is one of this package, or one that calls some. CancelledError is raised once it has returned, or at once where it
    has not begun.
    """
    import asyncio
    import functools

    scope = _Scope()
    begun = threading.Event()

    def begin() -> T:
        with scope._changing:
            if scope.cancelled:
                raise asyncio.CancelledError
            begun.set()
        return function(*arguments, **keywords)

    context = contextvars.copy_context()
    context.run(_scope.set, scope)
    running = asyncio.get_running_loop().run_in_executor(None, functools.partial(context.run, begin))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        scope.cancel()
        if begun.is_set():
            await asyncio.wait([running])
        raise


# ------------------------------------------------------------------------------------------------------------------- turns

# Seconds between two looks at a call: of its callback, and of what may cancel a wait.
_INTERVAL = 0.05
_LOOK = 0.02


class Turns:
    """Lets one call at a time use a session; others wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Threads that wait for a call of theirs, and meanwhile call back.
        self.calling_back: set[int] = set()

    def check(self) -> None:
        """Raises StowageError in a callback of a call on the session: it would wait for itself."""
        if threading.get_ident() in self.calling_back:
            raise StowageError(Status.BUSY, "the session is used by the run whose callback this is")

    def take(self, control: Control | None) -> None:
        """Waits for the turn. Raises StowageError where the control is cancelled meanwhile, or at its deadline."""
        if self._lock.acquire(blocking=control is None):
            return
        assert control is not None
        begin = time.monotonic()
        while not self._lock.acquire(timeout=_LOOK):
            late = 0 < control.deadline_ms < (time.monotonic() - begin) * 1000
            if late or control.cancelled:
                raise StowageError(Status.CANCELLED, "the call ended while it waited for the session, which another call uses")

    def leave(self) -> None:
        """Gives the turn to the next."""
        self._lock.release()

    def __enter__(self) -> None:
        self.check()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


# -------------------------------------------------------------------------------------------------------------- interrupts

# Without the conversions to enums around them, which take longer than a small plan.
try:
    from _signal import getsignal as _handler, signal as _set_handler  # type: ignore[import-not-found]
except ImportError:
    from signal import getsignal as _handler
    from signal import signal as _set_handler
_CTRL_C = int(signal.SIGINT)
# Makes the call with a control.
_Make = Callable[[Control | None], None]


class _Interrupts:
    """Sees Ctrl-C while the main thread is in the library, where Python runs no handler: Python writes the number of the signal to a
    socket at once, and a thread that reads from it cancels the call."""

    def __init__(self) -> None:
        import socket

        self.process = os.getpid()
        self._control: Control | None = None
        self._spare: Control | None = None
        self._other = -1
        self._interrupted = False
        # Held while a control is cancelled, so that it is not cancelled once it serves the next call.
        self._cancelling = threading.Lock()
        self._read, self._write = socket.socketpair()
        self._write.setblocking(False)
        _thread.start_new_thread(self._watch, ())

    def _watch(self) -> None:
        while numbers := self._read.recv(64):
            other = self._other
            with self._cancelling:
                if self._control is not None and _CTRL_C in numbers:
                    self._control.cancel()
            if other >= 0:  # somebody else wants to know, such as an event loop
                with contextlib.suppress(OSError):
                    os.write(other, numbers)

    def _note(self, number: int, frame: object) -> None:
        """The handler of Ctrl-C during a call: KeyboardInterrupt is raised once everything is as it was."""
        self._interrupted = True

    def run(self, make: _Make, control: Control | None) -> None:
        """Makes a call in the main thread. Ctrl-C ends it, and raises KeyboardInterrupt."""
        self._interrupted = False
        _set_handler(_CTRL_C, self._note)
        try:
            self._run(make, control)
        finally:
            # Calls _note() first, if a signal came for which that was not called yet.
            _set_handler(_CTRL_C, signal.default_int_handler)
            if self._interrupted:
                raise KeyboardInterrupt from None

    def _run(self, make: _Make, control: Control | None) -> None:
        own = None
        if control is None:
            # One that was used before, unless a call within this one, such as of a finalizer, has it.
            own, self._spare = self._spare or Control(), None
        self._control = control or own
        self._other = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        try:
            make(self._control)
        finally:
            with self._cancelling:
                self._control = None
            signal.set_wakeup_fd(self._other)
            self._other = -1
            if own is not None:
                own.reset()
                self._spare = own


_interrupts: _Interrupts | None = None


def _interruptible(make: _Make, control: Control | None) -> None:
    global _interrupts
    if _interrupts is None or _interrupts.process != os.getpid():  # a child process has no threads of its parent
        _interrupts = _Interrupts()
    _interrupts.run(make, control)


def _beside(make: _Make, control: Control, progress: Callable[[Progress], object] | None) -> None:
    """Lets another thread make the call, so that this one calls back and runs handlers of signals. An exception of these ends the
    call, and is raised once it has ended. A second one does not wait for that."""
    failures: list[BaseException] = []
    # Neither an Event nor a Thread: they are written in Python, which an exception of a handler leaves half done.
    running = _thread.allocate_lock()
    running.acquire()

    def target() -> None:
        try:
            make(control)
        except BaseException as failure:
            failures.append(failure)
        running.release()

    begun = None
    cancellations = _cancellations()
    try:
        begun = _thread.start_new_thread(target, ())
        while not running.acquire(timeout=_INTERVAL if progress is not None else _LOOK):
            if progress is not None:
                progress(control.progress())
            if _cancellations() > cancellations:
                raise sys.modules["asyncio"].CancelledError
    except BaseException:
        control.cancel()
        if begun is not None:
            running.acquire()
        raise
    if failures:
        raise failures.pop()  # which then is in no cycle with this frame


def _cancellations() -> int:
    """How often the task in which this is was cancelled. In a loop that asyncio.run() made, Ctrl-C cancels the task, and no more."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return 0
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return 0
    return 0 if task is None else int(task.cancelling())


# ------------------------------------------------------------------------------------------------------------------- calls


def run(
    function: Callable[..., int],
    arguments: tuple[Any, ...],
    output: Output,
    *,
    control: Control | None = None,
    progress: Callable[[Progress], object] | None = None,
    turns: Turns | None = None,
) -> Output:
    """Makes a call that may take long: of a function that has, after its arguments, a control, what receives the answer and an error.

    In the main thread, Ctrl-C ends the call and raises KeyboardInterrupt. Where a program has a handler of its own for Ctrl-C, that
    is called at once, and its exception ends the call. With `turns`, the call waits for its turn.
    """
    if turns is not None:
        turns.check()
    scope = _scope.get()
    if scope is None:
        _run(function, arguments, output, control, progress, turns)
    else:
        control = control or scope.control or Control()
        with scope.holding(control):
            _run(function, arguments, output, control, progress, turns)
    return output


def _run(
    function: Callable[..., int],
    arguments: tuple[Any, ...],
    output: Buffer | Handle | None,
    control: Control | None,
    progress: Callable[[Progress], object] | None,
    turns: Turns | None,
) -> None:
    def called(control: Control | None) -> None:
        if output is None:
            call(function, *arguments, control)
        else:
            call(function, *arguments, control, output.receiver)
            output.receive()

    def make(control: Control | None) -> None:
        if turns is None:
            called(control)
            return
        turns.take(control)
        try:
            called(control)
        finally:
            turns.leave()

    handler = _handler(_CTRL_C) if threading.get_ident() == threading.main_thread().ident else None
    if progress is None and handler is signal.default_int_handler:
        _interruptible(make, control)
    elif progress is None and not callable(handler):
        make(control)
    else:
        here = threading.get_ident()
        if turns is not None:
            turns.calling_back.add(here)
        try:
            _beside(make, control or Control(), progress)
        finally:
            if turns is not None:
                turns.calling_back.discard(here)


def answer(
    function: Callable[..., int],
    *arguments: Any,
    control: Control | None = None,
    progress: Callable[[Progress], object] | None = None,
    turns: Turns | None = None,
) -> bytes:
    """The bytes that a call of run() receives."""
    return run(function, arguments, Buffer(), control=control, progress=progress, turns=turns).data
