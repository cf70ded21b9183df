"""Sessions: a cluster over time."""

from __future__ import annotations

import ctypes
import enum
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import _abi, records
from ._instance import Instance, body, encoded, limits_of, parsed, plan_bytes, request_bytes
from ._library import Bytes, Control, Handle, Progress, address, answer, call, lib, watched
from ._plan import Plan

if TYPE_CHECKING:
    from ._read.operations import OperationReader


class CommitMode(enum.IntEnum):
    """What a session takes of a plan that was made for an earlier version of the cluster."""

    #: Nothing.
    EXACT = _abi.STOWAGE_COMMIT_EXACT
    #: The whole plan, if everything that it places still fits; else nothing.
    WHOLE = _abi.STOWAGE_COMMIT_WHOLE
    #: Each app whose replicas all still fit.
    FITTING = _abi.STOWAGE_COMMIT_FITTING


class Session:
    """A cluster over time (docs/sessions.md). Threads take turns. A call that fails leaves the session as it was."""

    def __init__(self, start: Instance | Bytes, *, limits: Mapping[str, int] | None = None) -> None:
        """Opens a session on an instance, or on the bytes of an instance or of a snapshot. Raises StowageError."""
        data = start.data if isinstance(start, Instance) else start
        made = ctypes.c_void_p()
        call(lib.stowage_session_open, *address(data), limits_of(limits), ctypes.byref(made))
        self._handle = Handle(made.value, lib.stowage_session_free)
        self._turn = threading.Lock()
        self._operations: OperationReader | None = None

    @property
    def version(self) -> int:
        """Number of operations and commits so far."""
        with self._turn:
            return int(lib.stowage_session_version(self._handle.value))

    def apply(self, *operations: records.Operation | Mapping[str, Any]) -> None:
        """Applies operations: all of them, or none if one is refused; the path of the error then names it. An operation is a
        record, or an object as people write it: `session.apply({"op": "scale", "app": "web", "replicas": 5})`.
        """
        self._apply([one if isinstance(one, records.Operation) else self._reader().entry(one, k) for k, one in enumerate(operations)])

    def apply_json(self, text: str | bytes) -> None:
        """Applies operations in the JSON of `stowage session` (docs/sessions.md): a list of them, one, or a batch. Raises
        StowageError with the path of a wrong value, such as "[3].replicas".
        """
        self._apply(self._reader().text(parsed(text)))

    def _apply(self, operations: list[records.Operation]) -> None:
        self.apply_bytes(encoded(records.Operations(operations=operations), b"STOS"))

    def _reader(self) -> OperationReader:
        """What turns quantities into amounts. It depends on nothing that a session changes."""
        if self._operations is None:
            from ._codec import read
            from ._read.operations import OperationReader

            self._operations = OperationReader(read(self.snapshot(), records.Instance, b"STOI"))
        return self._operations

    def apply_bytes(self, data: Bytes) -> None:
        """Applies operations in their bytes."""
        with self._turn:
            call(lib.stowage_session_apply, self._handle.value, *address(data))

    def instance(self) -> Instance:
        """The cluster as it is now, with all pending replicas. Other threads may plan it while the session goes on."""
        made = ctypes.c_void_p()
        with self._turn:
            call(lib.stowage_session_instance, self._handle.value, ctypes.byref(made))
        return Instance._of_handle(Handle(made.value, lib.stowage_instance_free))

    def plan(
        self,
        planner: str | records.Request = "auto",
        *,
        options: Mapping[str, float | str] | None = None,
        progress: Callable[[Progress], object] | None = None,
        control: Control | None = None,
        **fields: Any,
    ) -> Plan:
        """Runs a planner on the cluster as it is now, which does not change. As Instance.plan(), with indices of apps in `keep`."""
        request = request_bytes(planner, options, fields)
        with self._turn:
            arguments = (self._handle.value, *address(request))
            return Plan.read(watched(lib.stowage_session_plan, arguments, progress, control))

    def commit(self, plan: Plan | Bytes, mode: CommitMode = CommitMode.EXACT) -> records.Commit:
        """Commits a plan: its replicas run from now on. `committed` is False where nothing was taken."""
        with self._turn:
            data = answer(lib.stowage_session_commit, self._handle.value, *plan_bytes(plan), int(mode))
        found: records.Commit = body(data, records.Commit)
        return found

    def reject(self, plan: Plan | Bytes) -> None:
        """Drops a plan: the session forgets the state that it was made for."""
        with self._turn:
            call(lib.stowage_session_reject, self._handle.value, *plan_bytes(plan))

    def snapshot(self) -> bytes:
        """The complete state: Session() continues from it, Instance() reads it as the cluster is now."""
        with self._turn:
            return answer(lib.stowage_session_snapshot, self._handle.value)

    def __repr__(self) -> str:
        return f"<stowage.Session at version {self.version}>"
