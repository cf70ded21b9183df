"""What runs workers: a loop, processes of this machine, Dask, Ray. None of them is needed before it is asked for."""

from __future__ import annotations

import collections
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeAlias

from .task import timed

# The seconds that a worker took, and its answer.
Timed: TypeAlias = tuple[float, bytes]
# How often a task is tried again whose worker was lost, among others and then alone.
_RETRIES = 1
# Instances that an engine holds, because further tasks are likely to be of these.
_HELD = 8


class Work(NamedTuple):
    """A task: its key, its instance and the digest of that, and the rest of the task."""

    key: str
    digest: str
    instance: bytes
    task: bytes


class Lost(NamedTuple):
    """In place of an answer: why there is none, after some tries."""

    why: str


class Engine(Protocol):
    """Runs workers."""

    def window(self) -> int:
        """The number of tasks that it holds at a time: all that its workers do, and enough that they do not wait."""

    def submit(self, work: Work) -> Any:
        """Hands over a task. Returns a ticket."""

    def wait(self, tickets: list[Any]) -> list[tuple[Any, Timed | Lost]]:
        """Waits until some of the tasks are done. Returns their outcomes."""

    def close(self, tickets: list[Any]) -> None:
        """Gives up the tasks of these tickets, and ends what was started."""


def answers(engine: Engine, tasks: Iterable[Work]) -> Iterator[tuple[str, Timed | Lost]]:
    """The answers to tasks as they come, with the keys of the tasks. Closes the engine in the end.

    Tasks whose workers were lost come last, one by one: a worker that is lost with several tasks does not tell which of them took it,
    and one that lacked memory has more then.
    """
    rest = iter(tasks)
    waiting: dict[Any, Work] = {}
    lost: list[Work] = []
    more = True
    try:
        while more or waiting:
            while more and len(waiting) < engine.window():
                task = next(rest, None)
                more = task is not None
                if task is not None:
                    waiting[engine.submit(task)] = task
            for ticket, outcome in engine.wait(list(waiting)) if waiting else ():
                work = waiting.pop(ticket)
                if isinstance(outcome, Lost):
                    lost.append(work)
                else:
                    yield work.key, outcome
        for work in lost:
            waiting[engine.submit(work)] = work
            ((ticket, outcome),) = engine.wait(list(waiting))
            yield waiting.pop(ticket).key, outcome
    finally:
        engine.close(list(waiting))


def engine_of(engine: Any, workers: int | None) -> Engine:
    """The engine of that name, or of a client of Dask. Raises ImportError with the name of the extra that has it."""
    if workers is not None and workers < 1:
        raise ValueError("there must be at least one worker")
    if engine == "loop":
        if workers not in (None, 1):
            raise ValueError('the engine "loop" is one worker; take "processes"')
        return _Loop()
    if engine == "processes":
        return _Processes(workers or _processors())
    if engine == "ray":
        return _Ray(workers)
    if engine == "dask" or hasattr(engine, "scatter"):
        return _Dask(None if engine == "dask" else engine, workers)
    raise ValueError(f'there is no engine {engine!r}; there are "loop", "processes", "dask", "ray", and clients of Dask')


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Loop:
    """One task after the other, here."""

    def __init__(self) -> None:
        self._done: dict[int, Timed] = {}
        self._count = 0

    def window(self) -> int:
        return 1

    def submit(self, work: Work) -> int:
        self._count += 1
        self._done[self._count] = timed(work.instance, work.task)
        return self._count

    def wait(self, tickets: list[int]) -> list[tuple[int, Timed | Lost]]:
        return [(ticket, self._done.pop(ticket)) for ticket in tickets]

    def close(self, tickets: list[int]) -> None:
        pass


class _Processes:
    """Processes of this machine. Each is an executor of its own, so that one that is killed takes no other task with it. They read
    instances from files, which takes less time than sending one with each task."""

    def __init__(self, workers: int) -> None:
        import tempfile

        self._folder = tempfile.TemporaryDirectory(prefix="stowage-")
        # By digest, oldest first.
        self._files: dict[str, str] = {}
        self._idle = [self._new() for _ in range(workers)]
        self._workers = workers
        # By future: its executor, its work, and the tries that are left.
        self._running: dict[Any, tuple[Any, Work, int]] = {}
        self._check()

    def _new(self) -> Any:
        import concurrent.futures
        import multiprocessing

        # Not a copy of this process, which may have threads.
        context = multiprocessing.get_context("spawn")
        return concurrent.futures.ProcessPoolExecutor(1, context, _begin_worker, (self._folder.name,))

    def _check(self) -> None:
        """Starts the processes. Raises RuntimeError where they cannot."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            for ready in [executor.submit(int) for executor in self._idle]:
                ready.result()
        except BrokenProcessPool:
            self.close([])
            raise RuntimeError(
                "worker processes end as they start; a script that starts some has to ask: if __name__ == '__main__'"
            ) from None

    def window(self) -> int:
        return self._workers

    def submit(self, work: Work) -> str:
        if work.digest not in self._files:
            path = os.path.join(self._folder.name, work.digest)
            with open(path, "wb") as file:
                file.write(work.instance)
            self._files[work.digest] = path
        self._start(self._idle.pop(), work, _RETRIES)
        self._forget()
        return work.key

    def _forget(self) -> None:
        """Removes files of which there are many, and which no task that runs needs."""
        needed = {work.digest for _, work, _ in self._running.values()}
        for digest in [one for one in self._files if one not in needed][: max(0, len(self._files) - _HELD)]:
            os.unlink(self._files.pop(digest))

    def _start(self, executor: Any, work: Work, tries: int) -> None:
        from concurrent.futures.process import BrokenProcessPool

        task = (timed, self._files[work.digest], work.task)
        try:
            future = executor.submit(_with_file, *task)
        except BrokenProcessPool:  # its process was killed while it had nothing to do
            executor.shutdown(wait=False)
            executor = self._new()
            future = executor.submit(_with_file, *task)
        self._running[future] = (executor, work, tries)

    def wait(self, tickets: list[str]) -> list[tuple[str, Timed | Lost]]:
        import concurrent.futures
        from concurrent.futures.process import BrokenProcessPool

        found: list[tuple[str, Timed | Lost]] = []
        while not found:
            done, _ = concurrent.futures.wait(self._running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                executor, work, tries = self._running.pop(future)
                try:
                    outcome: Timed | Lost = future.result()
                except BrokenProcessPool:
                    executor.shutdown(wait=False)
                    executor = self._new()
                    if tries:
                        self._start(executor, work, tries - 1)
                        continue
                    outcome = Lost(f"{_RETRIES + 1} worker processes ended in this task")
                self._idle.append(executor)
                found.append((work.key, outcome))
        return found

    def close(self, tickets: list[str]) -> None:
        for executor, _, _ in self._running.values():
            # Its task ends at its work limit, which may be late; and nobody wants its answer.
            for process in list((executor._processes or {}).values()):
                process.terminate()
            executor.shutdown(wait=True, cancel_futures=True)
        for executor in self._idle:
            executor.shutdown(wait=True)
        self._folder.cleanup()


def _with_file(function: Callable[[bytes, bytes], Timed], path: str, task: bytes) -> Timed:
    """Calls a worker with an instance from a file."""
    with open(path, "rb") as file:
        return function(file.read(), task)


def _begin_worker(folder: str) -> None:
    """Leaves Ctrl-C, which reaches all processes of a terminal, to the driver. If the driver is killed, the worker ends too, and removes
    the folder of instances."""
    import multiprocessing
    import shutil
    import signal
    import threading

    driver = multiprocessing.parent_process()
    assert driver is not None

    def end() -> None:
        driver.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end, daemon=True).start()


class _Held:
    """What an engine knows instances by: those that were used last."""

    def __init__(self) -> None:
        self._held: collections.OrderedDict[str, Any] = collections.OrderedDict()

    def get(self, digest: str) -> Any:
        """What is held for an instance, or None."""
        if digest in self._held:
            self._held.move_to_end(digest)
        return self._held.get(digest)

    def put(self, digest: str, reference: Any) -> Any:
        """Holds a reference. Tasks that were handed over keep theirs, so that others may go."""
        self._held[digest] = reference
        if len(self._held) > _HELD:
            self._held.popitem(last=False)
        return reference


class _Dask:
    """Workers of Dask: those of the client that is given or current, else of a cluster on this machine."""

    def __init__(self, client: Any, workers: int | None) -> None:
        try:
            import dask
            import distributed
        except ImportError as failure:
            raise ImportError("the engine dask needs the extra: pip install 'stowage-planner[dask]'") from failure
        self._dask, self._distributed = dask, distributed
        self._cluster: Any = None
        if client is None:
            try:
                client = distributed.Client.current(allow_global=True)
            except ValueError:
                self._cluster = distributed.LocalCluster(
                    n_workers=workers or _processors(), threads_per_worker=1, processes=True, dashboard_address=None
                )
                client = distributed.Client(self._cluster)
        if workers is not None and self._cluster is None:
            raise ValueError("the client's cluster has its workers; leave the number out")
        if client.asynchronous:
            raise ValueError("the client is asynchronous")
        self._client: Any = client
        self._held = _Held()

    def window(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(8, 2 * threads)

    def submit(self, work: Work) -> Any:
        instance = self._held.get(work.digest)
        if instance is None:
            # As a task without arguments that come from elsewhere, so that an instance that a worker takes with it is there again.
            with self._dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
                instance = self._client.submit(bytes, work.instance, key=f"stowage-instance-{work.digest}")
            self._held.put(work.digest, instance)
        return self._client.submit(timed, instance, work.task, pure=False)

    def wait(self, tickets: list[Any]) -> list[tuple[Any, Timed | Lost]]:
        done = self._distributed.wait(tickets, return_when="FIRST_COMPLETED").done
        return [(future, self._outcome(future)) for future in done]

    def _outcome(self, future: Any) -> Timed | Lost:
        try:
            found: Timed = future.result()
            return found
        except self._distributed.KilledWorker as failure:
            return Lost(str(failure))

    def close(self, tickets: list[Any]) -> None:
        self._client.cancel(tickets)
        if self._cluster is not None:
            self._client.close()
            self._cluster.close()


class _Ray:
    """Workers of Ray: of the cluster that this program is connected to or RAY_ADDRESS names, else of this machine."""

    def __init__(self, workers: int | None) -> None:
        try:
            import ray
        except ImportError as failure:
            raise ImportError("the engine ray needs the extra: pip install 'stowage-planner[ray]'") from failure
        import logging

        self._ray: Any = ray
        self._own = not ray.is_initialized()
        here = self._own and "RAY_ADDRESS" not in os.environ
        if workers is not None and not here:
            raise ValueError("the cluster of Ray has its workers; leave the number out")
        if here:
            quiet: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}
            ray.init(address="local", num_cpus=workers or _processors(), **quiet)
        elif self._own:
            ray.init()
        self._run = ray.remote(timed).options(max_retries=_RETRIES)
        self._held = _Held()

    def window(self) -> int:
        return max(8, 2 * int(self._ray.cluster_resources().get("CPU", 0)))

    def submit(self, work: Work) -> Any:
        instance = self._held.get(work.digest) or self._held.put(work.digest, self._ray.put(work.instance))
        return self._run.remote(instance, work.task)

    def wait(self, tickets: list[Any]) -> list[tuple[Any, Timed | Lost]]:
        done, _ = self._ray.wait(tickets, num_returns=1)
        return [(reference, self._outcome(reference)) for reference in done]

    def _outcome(self, reference: Any) -> Timed | Lost:
        errors = self._ray.exceptions
        try:
            found: Timed = self._ray.get(reference)
            return found
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError, errors.ObjectLostError) as failure:
            return Lost(str(failure).splitlines()[0])

    def close(self, tickets: list[Any]) -> None:
        for reference in tickets:
            self._ray.cancel(reference, force=True)
        if self._own:
            self._ray.shutdown()
