"""What a worker does: bytes to bytes, and nothing is kept between two tasks.

A task is a line of JSON, the bytes of a request, and the bytes of an instance:

    {"stowage-task": 1, "request": 88, "change": {"demand": 1.25}, "plan": true}

`request` is the number of bytes of the request, `change` has the arguments of Instance.scaled() and Instance.derived() (without
arrays; `counts` as pairs), and `plan` says whether the plan's bytes are wanted. An answer is a line of JSON and the bytes of the plan:

    {"stowage-answer": 1, "version": "0.1.0", "row": {"status": "optimal", "nodes": 2, ...}, "error": null}

With an error, `row` is null, and `error` has its `status`, `path` and `message`. The same task gives the same answer.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import records
from .._instance import Instance, planners
from .._library import Status, StowageError, version
from .._plan import Plan

if TYPE_CHECKING:
    from typing import TypeAlias

    Row: TypeAlias = dict[str, Any]

_FORMAT = 1
# What a change may have: arguments of Instance.scaled() and Instance.derived().
CHANGES = ("demand", "replicas", "capacity", "limits", "counts", "classes")
# What an objective minimizes or a planner maximizes, where a plan has it; negative where it has not.
_VALUES = ("cost", "ucac", "max_cost", "total_cost", "left_out", "remote_traffic")


class Answer(NamedTuple):
    """What a worker says of one task: a row and, if it was asked for, a plan; or an error."""

    row: Row | None
    error: StowageError | None
    plan: bytes


def packed(change: Mapping[str, Any], request: bytes, *, plan: bool) -> bytes:
    """A task without the bytes of its instance, which follow it."""
    return _line({"stowage-task": _FORMAT, "request": len(request), "change": change, "plan": plan}) + request


def unpacked(answer: bytes) -> Answer:
    """What an answer says. Raises StowageError for bytes that are none, and for those of a worker with another version."""
    head, plan = _head(answer, "stowage-answer")
    if head.get("version") != version():
        raise StowageError(
            Status.UNSUPPORTED, f"a worker has version {head.get('version')} of the library, and this is {version()}", "version"
        )
    row, error = head.get("row"), head.get("error")
    if error is not None and not (is_error(error) and error["status"] in Status.__members__):
        raise StowageError(Status.MALFORMED, "the answer has an error without status, message and path", "error")
    if (error is None) == (row is None) or not (row is None or is_row(row)):
        raise StowageError(Status.MALFORMED, "the answer has not one of row and error", "row")
    return Answer(row, None if error is None else StowageError(Status[error["status"]], error["message"], error["path"]), plan)


def is_row(row: Any) -> bool:
    """Whether this is a row: numbers and words by name, and the work among them."""
    plain = (bool, int, float, str, type(None))
    return isinstance(row, dict) and type(row.get("work")) is int and all(isinstance(one, plain) for one in row.values())


def is_error(error: Any) -> bool:
    """Whether this is an error: words for its status, path and message."""
    return isinstance(error, dict) and all(isinstance(error.get(key), str) for key in ("status", "path", "message"))


def work(task: bytes) -> bytes:
    """Plans what a task asks for, and answers: bytes to bytes, for any machine that has this package.

    Scenario.task() makes a task. The same task gives the same answer; `stowage.worker` is this function as a command. Errors are in
    the answer.
    """
    line = task.partition(b"\n")[0]
    try:
        size = _size(_head(task, "stowage-task")[0])
    except StowageError as failure:
        return _failed(failure)
    end = min(len(task), len(line) + 1 + size)
    return run(task[end:], task[:end])


def run(instance: bytes, task: bytes) -> bytes:
    """The answer to a task whose instance comes by itself."""
    try:
        head, request = _head(task, "stowage-task")
        if len(request) != _size(head):
            raise StowageError(Status.MALFORMED, "the task ends within the request", "request")
        plan, found = _planned(instance, head, request)
    except StowageError as failure:
        if failure.status is Status.CANCELLED:
            raise
        return _failed(failure)
    except MemoryError:
        return _failed(StowageError(Status.OUT_OF_MEMORY, "the worker has too little memory"))
    return _line({"stowage-answer": _FORMAT, "version": version(), "row": found, "error": None}) + (plan if head.get("plan") else b"")


def timed(instance: bytes, task: bytes) -> tuple[float, bytes]:
    """The seconds that a worker took for a task, and its answer."""
    import time

    begin = time.perf_counter()
    found = run(instance, task)
    return time.perf_counter() - begin, found


def check_request(request: records.Request) -> None:
    """Raises StowageError for a request whose plan would depend on the load of the machine, or whose planner there is not."""
    for field in ("deadline_ms", "patience_ms"):
        if getattr(request, field):
            raise StowageError(Status.INVALID, "a plan would depend on the load of the machine; give a work_limit instead", field)
    known = _default_deadlines()
    if request.planner not in known:
        raise StowageError(Status.NOT_FOUND, f'there is no planner "{request.planner}"', "planner")
    if not request.work_limit and known[request.planner]:
        raise StowageError(
            Status.INVALID, f"{request.planner} needs one: it would end after {known[request.planner]} ms on any machine", "work_limit"
        )


@functools.cache
def _default_deadlines() -> dict[str, int]:
    return {one.name: one.default_deadline_ms for one in planners()}


def changed(instance: Instance, change: Mapping[str, Any]) -> Instance:
    """An instance with a change as tasks have it. Raises StowageError with the path of a wrong value."""
    from .._read.derived import derive, scale

    unknown = sorted(set(change) - set(CHANGES))
    if unknown:
        raise StowageError(Status.INVALID, f"there is no such change; there are {', '.join(CHANGES)}", f"change.{unknown[0]}")
    if not change:
        return instance
    columns = instance.copy()
    try:
        columns = scale(columns, *(change.get(name, 1.0) for name in ("demand", "replicas", "capacity", "limits")))
        columns = derive(columns, None, None, None, dict(change.get("counts", ())), change.get("classes"))
    except StowageError as failure:
        raise StowageError(failure.status, failure.message, f"change.{failure.path}") from None
    except (TypeError, ValueError, OverflowError) as failure:
        raise StowageError(Status.INVALID, str(failure), "change") from None
    return Instance.from_columns(columns)


def _planned(instance: bytes, head: Mapping[str, Any], request: bytes) -> tuple[bytes, Row]:
    from .._codec import read_foreign

    wanted = read_foreign(request, records.Request, b"STOR")
    check_request(wanted)
    change = head.get("change", {})
    if not isinstance(change, dict):
        raise StowageError(Status.INVALID, "must be an object", "change")
    cluster = changed(Instance(instance), change)
    plan = cluster.plan(wanted)
    if plan.status is records.PlanStatus.CANCELLED:
        # With the sweep that this is of. Its plan is not that of the task.
        raise StowageError(Status.CANCELLED, "the sweep was cancelled")
    return plan.data, row_of(plan, cluster)


def row_of(plan: Plan, cluster: Instance) -> Row:
    """What a table says of a plan: numbers, words, and None for what is not known."""
    import hashlib

    row: Row = {"status": plan.status.name.lower().replace("_", " "), "nodes": plan.nodes_in_use}
    row["node_bound"] = None if plan.node_bound is None else plan.node_bound.value
    row["gap"] = _known(plan.gap)
    row["unplaced"], row["moves"], row["violations"] = plan.replicas_unplaced, plan.moves, plan.rule_violations
    for name in _VALUES:
        value, bound = getattr(plan, name), getattr(plan, f"{name}_bound")
        row[name] = _known(value)
        row[f"{name}_bound"] = None if bound is None or value < 0 else bound.value
    row["survives"] = plan.survives
    row["domains_in_use"], row["domain_bound"] = (None, None) if plan.leave_free is None else (plan.domains_in_use, plan.domain_bound)
    row["work"], row["verified"] = plan.work, cluster.verify(plan).ok
    row["plan"] = hashlib.sha256(plan.data).hexdigest()[:16]
    return row


def _known(value: float) -> float | None:
    return value if value >= 0 else None


def _failed(failure: StowageError) -> bytes:
    error = {"status": failure.status.name, "path": failure.path, "message": failure.message}
    return _line({"stowage-answer": _FORMAT, "version": version(), "row": None, "error": error})


def _line(head: Mapping[str, Any]) -> bytes:
    import json

    return json.dumps(head, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _head(data: bytes, kind: str) -> tuple[dict[str, Any], bytes]:
    """The line of JSON at the begin, and what follows it."""
    import json

    line, end, rest = data.partition(b"\n")
    try:
        head = json.loads(line) if end else None
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get(kind) != _FORMAT:
        raise StowageError(Status.MALFORMED, f'the bytes do not begin with a line of JSON with "{kind}": {_FORMAT}')
    return head, rest


def _size(head: Mapping[str, Any]) -> int:
    """The number of bytes of a task's request."""
    size = head.get("request")
    if type(size) is not int or size < 0:
        raise StowageError(Status.INVALID, "must be the number of bytes of the request", "request")
    return size
