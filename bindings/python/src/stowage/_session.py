"""Sessions: a cluster over time."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from . import _abi, records
from ._instance import Instance, body, encoded, limits_of, plan_bytes, request_bytes
from ._library import Bytes, Handle, StowageError, address, lib, text
from ._plan import Plan
from ._read.text import convert, letters, written
from ._run import Control, Progress, Turns, answer, run, within


class CommitMode(enum.IntEnum):
    """What a session takes of a plan that was made for an earlier version of the cluster."""

    #: Nothing.
    EXACT = _abi.STOWAGE_COMMIT_EXACT
    #: The whole plan, if everything that it places still fits; else nothing.
    WHOLE = _abi.STOWAGE_COMMIT_WHOLE
    #: Each app whose replicas all still fit.
    FITTING = _abi.STOWAGE_COMMIT_FITTING


class Session:
    """A cluster over time (docs/understand/sessions.md). Threads take turns. A call that fails leaves the session as it was.

    A call from the callback of a run of the same session raises StowageError with the status BUSY. A `control` is as for Instance;
    it also cancels the wait for a turn.
    """

    def __init__(self, start: Instance | Bytes, *, limits: Mapping[str, int] | None = None, control: Control | None = None) -> None:
        """Opens a session on an instance, or on the bytes of an instance or of a snapshot. Raises StowageError."""
        data = start.data if isinstance(start, Instance) else start
        self._limits = limits
        self._turns = Turns()
        self._terms: bytes | None = None
        self._handle = Handle(lib.stowage_session_free)
        pointer, size = address(data)
        run(lib.stowage_session_open_watched, (pointer, size, limits_of(limits)), self._handle, control=control)
        # Names and states of everything, by themselves.
        self._handle.weigh(20 * size)

    @property
    def version(self) -> int:
        """Number of operations and commits so far."""
        with self._turns:
            return int(lib.stowage_session_version(self._handle))

    def apply(self, *operations: records.Operation | Mapping[str, Any], control: Control | None = None) -> None:
        """Applies operations: all of them, or none if one is refused; the path of the error then names it. An operation is a
        record, or an object as people write it: `session.apply({"op": "scale", "app": "web", "replicas": 5})`.
        """
        given = [k for k, one in enumerate(operations) if not isinstance(one, records.Operation)]
        with within(control):
            self.apply_bytes(self._mixed(list(operations), given) if given else _encoded(operations))

    def _mixed(self, operations: list[Any], given: list[int]) -> bytes:
        """The bytes of operations of which some, at these positions, are objects."""
        from ._codec import read

        try:
            found = self._read(written({"op": "batch", "operations": [operations[k] for k in given]}))
        except StowageError as failure:
            path = re.sub(r"(?<=^operations\[)\d+", lambda match: str(given[int(match[0])]), failure.path)
            raise StowageError(failure.status, failure.message, path) from None
        if len(given) == len(operations):
            return found
        for k, one in zip(given, read(found, records.Operations, b"STOS").operations, strict=True):
            operations[k] = one
        return _encoded(operations)

    def apply_json(self, json: str | bytes, *, control: Control | None = None) -> None:
        """Applies operations in the JSON of `stowage session` (docs/understand/sessions.md): a list of them, one, or a batch. Raises
        StowageError with the path of a wrong value, such as "[3].replicas".
        """
        with within(control):
            self.apply_bytes(self._read(letters(json)))

    def _read(self, json: bytes) -> bytes:
        """The bytes of operations in JSON. They depend on the session's resources, periods and kinds alone, which it never changes."""
        if self._terms is None:
            from ._codec import read

            now = read(self.snapshot(), records.Instance, b"STOI")
            none = records.Apps(replicas=[], demand=[])  # type: ignore[arg-type]
            terms = records.Instance(
                resources=now.resources, periods=now.periods, apps=none, classes=now.classes, interference=now.interference
            )
            self._terms = encoded(terms, b"STOI")
        arguments = (self._terms, len(self._terms), json, len(json), None)
        return convert(text().stowage_operations_from_json, *arguments, size=len(json))

    def apply_bytes(self, data: Bytes, *, control: Control | None = None) -> None:
        """Applies operations in their bytes."""
        run(lib.stowage_session_apply_watched, (self._handle, *address(data)), None, control=control, turns=self._turns)

    def instance(self, *, control: Control | None = None) -> Instance:
        """The cluster as it is now, with all pending replicas. Other threads may plan it while the session goes on."""
        handle = Handle(lib.stowage_instance_free)
        run(lib.stowage_session_instance_watched, (self._handle,), handle, control=control, turns=self._turns)
        handle.weigh(self._handle.weight // 10)
        return Instance._of_handle(handle, self._limits, saves=False)

    def plan(
        self,
        planner: str | records.Request = "auto",
        *,
        options: Mapping[str, float | str] | None = None,
        progress: Callable[[Progress], object] | None = None,
        control: Control | None = None,
        **fields: Any,
    ) -> Plan:
        """Runs a planner on the cluster as it is now, which does not change. As Instance.plan(), with indices of apps in
        `keep`."""
        arguments = (self._handle, *address(request_bytes(planner, options, fields)))
        return Plan.of(answer(lib.stowage_session_plan, *arguments, control=control, progress=progress, turns=self._turns))

    def commit(self, plan: Plan | Bytes, mode: CommitMode = CommitMode.EXACT, *, control: Control | None = None) -> records.Commit:
        """Commits a plan: its replicas run from now on. `committed` is False where nothing was taken."""
        arguments = (self._handle, *plan_bytes(plan), int(CommitMode(mode)))
        data = answer(lib.stowage_session_commit_watched, *arguments, control=control, turns=self._turns)
        found: records.Commit = body(data, records.Commit)
        return found

    def reject(self, plan: Plan | Bytes, *, control: Control | None = None) -> None:
        """Drops a plan: the session forgets the state that it was made for."""
        run(lib.stowage_session_reject_watched, (self._handle, *plan_bytes(plan)), None, control=control, turns=self._turns)

    def snapshot(self, *, control: Control | None = None) -> bytes:
        """The complete state: Session() continues from it, Instance() reads it as the cluster is now."""
        return answer(lib.stowage_session_snapshot_watched, self._handle, control=control, turns=self._turns)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session cannot be pickled or copied; Session(session.snapshot()) goes on from its state")

    def __repr__(self) -> str:
        return f"<stowage.Session at version {self.version}>"


def _encoded(operations: Iterable[Any]) -> bytes:
    return encoded(records.Operations(operations=list(operations)), b"STOS")
