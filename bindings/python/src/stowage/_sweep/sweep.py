"""Many plans at once: sweep() for scenarios, fleet() for clusters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .. import records
from .._instance import Instance
from .._library import Status, StowageError, version
from .._plan import Plan
from .._run import Progress
from .._show.frame import Frame
from .engines import Lost, Timed, Work, answers, engine_of
from .results import Entry, Results
from .scenario import Scenario, said
from .table import Sweep, table_of
from .task import packed, unpacked

# Failures that the same task need not have again.
_PASSING = (Status.OUT_OF_MEMORY, Status.INTERNAL)


class _Job(NamedTuple):
    """A scenario, its whole request, and its task."""

    scenario: Scenario
    request: records.Request
    work: Work


def _jobs(
    scenarios: Iterable[Scenario], planner: str | records.Request, options: Any, fields: Mapping[str, Any], *, plan: bool
) -> list[_Job]:
    """The tasks of scenarios. Raises StowageError for a name that occurs twice, and for a request that no sweep has."""
    import hashlib
    import json

    from .._codec import read

    digests: dict[int, str] = {}
    names: set[str] = set()
    made = []
    for one in scenarios:
        if one.name in names:
            raise StowageError(Status.INVALID, "another scenario has the same name", f"scenarios[{one.name!r}]")
        names.add(one.name)
        request = one.request_bytes(planner, options, fields)
        data = one.instance.data
        if id(data) not in digests:
            digests[id(data)] = hashlib.sha256(data).hexdigest()
        digest = digests[id(data)]
        # All that a plan follows from.
        identity = json.dumps([version(), digest, one.change, request.hex()], sort_keys=True)
        key = hashlib.sha256(identity.encode()).hexdigest()[:32]
        work = Work(key, digest, data, packed(one.change, request, plan=plan))
        made.append(_Job(one, read(request, records.Request, b"STOR"), work))
    return made


class _Watch:
    """Reports to a callback how many of the scenarios are done."""

    def __init__(self, progress: Callable[[Progress], object] | None, jobs: list[_Job]) -> None:
        self._progress = progress
        self._total = len(jobs)
        self._times: dict[str, int] = {}
        for job in jobs:
            self._times[job.work.key] = self._times.get(job.work.key, 0) + 1
        self._done = self._work = 0

    def add(self, keys: Iterable[str], rows: Iterable[Mapping[str, Any] | None]) -> None:
        """Counts tasks that are done."""
        self._done += sum(self._times[key] for key in keys)
        self._work += sum(row["work"] for row in rows if row is not None)
        if self._progress is not None:
            self._progress(Progress("sweep", self._done, self._total, 0, -1.0, 0, self._work))


def _run(
    jobs: list[_Job], known: Mapping[str, Entry], engine: Any, workers: int | None, watch: _Watch
) -> Iterator[tuple[str, Entry, bytes]]:
    """An entry and a plan for each task that has no entry yet, as they come."""
    tasks = {job.work.key: job.work for job in jobs if job.work.key not in known}
    done = {job.work.key for job in jobs} - set(tasks)
    if done:
        watch.add(done, (known[key]["row"] for key in done))
    if not tasks:
        return
    for key, outcome in answers(engine_of(engine, workers), tasks.values()):
        entry, plan = _entry(outcome)
        yield key, entry, plan
        watch.add([key], [entry["row"]])


def _entry(outcome: Timed | Lost) -> tuple[Entry, bytes]:
    if isinstance(outcome, Lost):
        return {"row": None, "error": {"status": "LOST", "path": "", "message": outcome.why}, "seconds": None}, b""
    found = unpacked(outcome[1])
    error = None
    if found.error is not None:
        error = {"status": found.error.status.name, "path": found.error.path, "message": found.error.message}
    return {"row": found.row, "error": error, "seconds": round(outcome[0], 6)}, found.plan


def _lasts(entry: Entry) -> bool:
    """Whether the same task has the same outcome again."""
    return entry["error"] is None or entry["error"]["status"] not in ("LOST", *(one.name for one in _PASSING))


def sweep(
    scenarios: Iterable[Scenario],
    engine: Any = "loop",
    *,
    workers: int | None = None,
    results: str | os.PathLike[str] | None = None,
    planner: str | records.Request = "auto",
    options: Mapping[str, float | str] | None = None,
    progress: Callable[[Progress], object] | None = None,
    **fields: Any,
) -> Sweep:
    """Plans scenarios, and returns a table with a row for each, in their order (docs/cookbook/sweep.md).

    engine    "loop": one after the other, here. "processes": on this machine; a script then has to ask `if __name__ ==
              "__main__"`. "dask" (extra `dask`): by the current client, else on this machine; or a client. "ray" (extra `ray`): on
              the cluster that the program is connected to or RAY_ADDRESS names, else on this machine
    workers   number of workers on this machine; default: one for each processor
    results   a file to which each finished scenario is appended. A sweep that finds its scenarios there does not plan them again
    progress  is called with each finished scenario: Progress with the phase "sweep", `done` of `total`
    planner, options, fields   the request, as for Instance.plan(); a work limit, and neither a deadline nor patience

    All engines make the same table. A scenario that the library refuses has a row with `error`. A worker that is lost costs what it
    had begun, which others do again; a scenario whose workers are lost again and again has a row with `error`, which is not in the
    file. Ctrl-C ends the sweep; what is in the file stays. Raises StowageError for scenarios of the same name, and for a deadline.
    """
    jobs = _jobs(scenarios, planner, options, fields, plan=False)
    with Results(results) as kept:
        for key, entry, _ in _run(jobs, dict(kept.entries), engine, workers, _Watch(progress, jobs)):
            kept.add(key, entry, keep=_lasts(entry))
        entries = [kept.entries[job.work.key] for job in jobs]
    return table_of(_said_of(jobs), entries)


def _said_of(jobs: list[_Job]) -> list[tuple[str, dict[str, float | str | None]]]:
    """What the table says of each scenario. Fields of the request that only some scenarios name are told for all."""
    named = {name: None for job in jobs for name in job.scenario.request if name in vars(job.request) and name not in ("options", "keep")}
    made = []
    for job in jobs:
        told = {name: said(getattr(job.request, name)) for name in ["planner", *named] if name not in job.scenario.columns}
        made.append((job.scenario.name, job.scenario.columns | told))
    return made


class Fleet(Mapping[str, Plan]):
    """Plans by the names of their clusters. Asking for one that could not be made raises its StowageError."""

    def __init__(
        self, instances: Mapping[str, Instance], plans: Mapping[str, bytes], errors: Mapping[str, StowageError], table: Sweep
    ) -> None:
        self.errors: dict[str, StowageError] = dict(errors)
        self._instances, self._plans, self._table = dict(instances), plans, table

    def __getitem__(self, name: str) -> Plan:
        if name in self.errors:
            raise self.errors[name]
        return Plan.read(self._plans[name], self._instances[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._instances)

    def __len__(self) -> int:
        return len(self._instances)

    def frame(self) -> Frame:
        """A row per cluster, as of a sweep."""
        return self._table

    def __repr__(self) -> str:
        failed = f", {len(self.errors)} of them without a plan" if self.errors else ""
        return f"<stowage.Fleet of {len(self)} clusters{failed}>"

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


def fleet(
    instances: Mapping[str, Instance],
    engine: Any = "loop",
    *,
    workers: int | None = None,
    planner: str | records.Request = "auto",
    options: Mapping[str, float | str] | None = None,
    progress: Callable[[Progress], object] | None = None,
    **fields: Any,
) -> Fleet:
    """Plans many clusters, each by itself, and returns their plans by name. The arguments are those of sweep()."""
    jobs = _jobs((Scenario(name, one) for name, one in instances.items()), planner, options, fields, plan=True)
    entries: dict[str, Entry] = {}
    plans: dict[str, bytes] = {}
    for key, entry, plan in _run(jobs, entries, engine, workers, _Watch(progress, jobs)):
        entries[key], plans[key] = entry, plan
    errors = {job.scenario.name: _error(entries[job.work.key]["error"]) for job in jobs if entries[job.work.key]["error"]}
    table = table_of(_said_of(jobs), [entries[job.work.key] for job in jobs])
    return Fleet(instances, {job.scenario.name: plans[job.work.key] for job in jobs}, errors, table)


def _error(found: Mapping[str, str]) -> StowageError:
    lost = found["status"] == "LOST"
    return StowageError(Status.INTERNAL if lost else Status[found["status"]], found["message"], found["path"])
