"""Runs: progress, cancelling, Ctrl-C, tasks of asyncio, threads."""

import asyncio
import contextlib
import io
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import pytest
import tqdm
from support import ROOT, SMALL, Large, instance_bytes, workload

import stowage
from stowage import records

#: Seconds of processor time that a call may go on after it was cancelled. It takes milliseconds; calls that are not cancelled take more.
SOON = 3.0
#: Seconds on the wall that it may take: machines that test are busy.
LATE = 600.0
TESTS = str(ROOT / "bindings/python/tests")
posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


@pytest.fixture(scope="module")
def hard() -> stowage.Instance:
    return workload(300, 250)


@pytest.fixture(scope="module")
def large() -> Large:
    return Large()


@pytest.fixture(autouse=True)
def ctrl_c() -> None:
    # A shell starts what runs in the background with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def send(after: float, sent: list[float]) -> None:
    """Sends Ctrl-C to this process, and notes the processor time."""

    def kill() -> None:
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(after, kill).start()


def interrupted(make: Callable[[], object], after: float) -> float:
    """Makes calls until Ctrl-C is raised. Returns the seconds of processor time that it took. Fails where it is not raised, or is
    raised twice."""
    sent: list[float] = []
    calls = 0
    try:
        send(after, sent)
        while not sent or time.process_time() - sent[0] < 2 * SOON:
            make()
            calls += 1
        pytest.fail(f"{calls} calls, and no KeyboardInterrupt")
    except KeyboardInterrupt:
        took = time.process_time() - sent[0]
    time.sleep(0.01)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return took


# ----------------------------------------------------------------------------------------------------------------- progress


def test_progress_is_reported_and_its_exception_cancels(hard: stowage.Instance) -> None:
    seen: list[stowage.Progress] = []
    hard.plan("auto", deadline_ms=400, progress=seen.append)
    assert len(seen) >= 3 and seen[-1].best > 0 and seen[-1].work > 0

    lines = io.StringIO()
    bar: tqdm.tqdm[NoReturn] = tqdm.tqdm(file=lines, mininterval=0)
    hard.plan("auto", deadline_ms=400, progress=stowage.progress_of(bar))
    assert bar.total == 400 and 100 < bar.n <= 400
    assert re.search(r"improve, \d+ nodes", lines.getvalue())
    bar.close()

    def fail(progress: stowage.Progress) -> None:
        raise RuntimeError(progress.phase)

    begin = time.perf_counter()
    with pytest.raises(RuntimeError):
        hard.plan("auto", deadline_ms=1_000_000, progress=fail)
    assert time.perf_counter() - begin < LATE / 2


def test_other_threads_run_while_a_plan_is_made(hard: stowage.Instance) -> None:
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    hard.plan("auto", deadline_ms=300)
    stop.set()
    other.join()
    assert counted[0] > 20


# ----------------------------------------------------------------------------------------------------------------- controls


def test_a_run_is_cancelled_from_another_thread(hard: stowage.Instance) -> None:
    waits = []
    for _ in range(5):
        control, plans = stowage.Control(), list[stowage.Plan]()
        thread = threading.Thread(target=lambda: plans.append(hard.plan("auto", deadline_ms=1_000_000, control=control)))
        thread.start()
        while thread.is_alive() and control.progress().best == 0:
            time.sleep(0.005)
        begin = time.perf_counter()
        control.cancel()
        thread.join()
        waits.append(time.perf_counter() - begin)
        assert plans[0].status is records.PlanStatus.CANCELLED and plans[0].complete
        assert hard.verify(plans[0]).ok
    assert statistics.median(waits) < SOON


def test_a_control_serves_one_call_at_a_time(hard: stowage.Instance) -> None:
    control = stowage.Control()
    outcomes: list[object] = []

    def plan() -> None:
        try:
            outcomes.append(hard.plan("auto", deadline_ms=1_000_000, control=control))
        except stowage.StowageError as failure:
            outcomes.append(failure.status)

    threads = [threading.Thread(target=plan) for _ in range(4)]
    for thread in threads:
        thread.start()
    while sum(thread.is_alive() for thread in threads) > 1:
        time.sleep(0.01)
    assert outcomes == [stowage.Status.BUSY] * 3
    with pytest.raises(stowage.StowageError, match="another call") as busy:
        hard.bound(control=control)
    assert busy.value.status is stowage.Status.BUSY
    control.cancel()
    control.reset()
    assert control.cancelled, "a control that is reset during a run loses no cancel"
    for thread in threads:
        thread.join()
    assert isinstance(outcomes[3], stowage.Plan) and outcomes[3].status is records.PlanStatus.CANCELLED
    control.reset()
    assert not control.cancelled
    assert hard.plan("ff", control=control).status is not records.PlanStatus.CANCELLED


def test_a_cancel_before_a_call_ends_it_and_nothing_changes(hard: stowage.Instance) -> None:
    control = stowage.Control()
    control.cancel()
    cluster = stowage.Instance.from_dict(SMALL)
    assert hard.plan("auto", deadline_ms=1_000_000, control=control).status is records.PlanStatus.CANCELLED
    session = stowage.Session(cluster)
    for make in (
        lambda: stowage.Instance(cluster.data, control=control),
        lambda: stowage.Instance.from_dict(SMALL, control=control),
        lambda: stowage.Instance.from_json("{}", control=control),
        lambda: cluster.scaled(replicas=2, control=control),
        lambda: cluster.derive(records.Derivation(demand=2), control=control),
        lambda: session.apply({"op": "scale", "app": "web", "replicas": 5}, control=control),
        lambda: session.snapshot(control=control),
    ):
        with pytest.raises(stowage.StowageError) as caught:
            make()
        assert caught.value.status is stowage.Status.CANCELLED
    assert session.version == 0
    control.reset()
    assert stowage.Instance.from_dict(SMALL, control=control).fingerprint == cluster.fingerprint


def test_a_deadline_of_a_control_ends_each_call(hard: stowage.Instance) -> None:
    control = stowage.Control(deadline_ms=100)
    for _ in range(2):
        begin = time.perf_counter()
        assert hard.verify(hard.plan("auto", deadline_ms=1_000_000, control=control)).ok
        assert time.perf_counter() - begin < LATE / 2
    assert not control.cancelled
    with pytest.raises(stowage.StowageError) as caught:
        control.deadline_ms = -1
    assert caught.value.path == "deadline_ms" and control.deadline_ms == 100


# ------------------------------------------------------------------------------------------------------------------ Ctrl-C


@posix
def test_ctrl_c_is_raised_once_in_a_loop_of_plans(hard: stowage.Instance) -> None:
    small, draw = stowage.Instance.from_dict(SMALL), random.Random(7)
    for _ in range(40):
        interrupted(lambda: small.plan("ff"), draw.uniform(0, 0.02))
    assert small.plan("ff").complete
    interrupted(lambda: hard.plan("auto", deadline_ms=1_000_000), 0.3)
    interrupted(lambda: hard.plan("auto", deadline_ms=1_000_000, progress=lambda one: None), 0.3)
    again = hard.plan("auto", work_limit=20_000)
    assert again.status is not records.PlanStatus.CANCELLED, "the next run is not cancelled"
    assert again.data == stowage.Instance(hard.data).plan("auto", work_limit=20_000).data


@posix
def test_signals_are_as_they_were_after_a_run(hard: stowage.Instance) -> None:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    try:
        interrupted(lambda: hard.plan("auto", deadline_ms=1_000_000), 0.2)
        ours.settimeout(5)
        assert ours.recv(1) == bytes([signal.SIGINT]), "who else waits for signals still learns of them"
    finally:
        assert signal.set_wakeup_fd(-1) == theirs.fileno()
        ours.close()
        theirs.close()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)


@posix
def test_a_handler_of_the_program_decides(hard: stowage.Instance) -> None:
    control, calls = stowage.Control(), list[float]()
    signal.signal(signal.SIGINT, lambda number, frame: calls.append(time.perf_counter()))
    sent: list[float] = []
    send(0.1, sent)
    while not calls:
        assert hard.plan("auto", deadline_ms=300).status is not records.PlanStatus.CANCELLED
    assert len(calls) == 1, "it is called, and ends nothing"

    signal.signal(signal.SIGINT, lambda number, frame: control.cancel())
    send(0.1, sent)
    plan = hard.plan("auto", deadline_ms=1_000_000, control=control)
    assert plan.status is records.PlanStatus.CANCELLED and hard.verify(plan).ok, "the best plan so far"

    def fail(number: int, frame: object) -> None:
        raise RuntimeError("enough")

    signal.signal(signal.SIGINT, fail)
    send(0.1, sent)
    begin = time.perf_counter()
    with pytest.raises(RuntimeError, match="enough"):
        hard.bound()
        hard.plan("auto", deadline_ms=1_000_000)
    assert time.perf_counter() - begin < LATE / 2


@posix
def test_a_child_process_is_interrupted_too(hard: stowage.Instance) -> None:
    hard.plan("ff")
    child = os.fork()
    if child == 0:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with contextlib.suppress(KeyboardInterrupt):
            hard.plan("auto", deadline_ms=20_000)
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


@posix
def test_ctrl_c_ends_every_call_that_may_take_long(large: Large) -> None:
    took = {name: interrupted(make, 0.03) for name, make in large.calls(None).items()}
    print("\nseconds until KeyboardInterrupt:", *(f"{name} {seconds:.3f}" for name, seconds in sorted(took.items(), key=lambda one: -one[1])))
    assert max(took.values()) < SOON, took


def test_a_control_cancels_every_call_that_may_take_long(large: Large) -> None:
    took: dict[str, float] = {}
    for name in large.calls(None):
        control = stowage.Control()
        cancelled: list[float] = []

        def cancel() -> None:
            cancelled.append(time.process_time())
            control.cancel()

        thread = threading.Timer(0.03, cancel)
        make = large.calls(control)[name]
        thread.start()
        with contextlib.suppress(stowage.StowageError):
            make()
        took[name] = max(0, time.process_time() - cancelled[0]) if cancelled else 0
        thread.join()
        # The same call again, which is cancelled before it begins.
        begin = time.process_time()
        try:
            make()
        except stowage.StowageError as failure:
            assert failure.status is stowage.Status.CANCELLED, name
        took[name] = max(took[name], time.process_time() - begin)
    print("\nseconds after cancel():", *(f"{name} {seconds:.3f}" for name, seconds in sorted(took.items(), key=lambda one: -one[1])))
    assert max(took.values()) < SOON, took


PROGRAM = """
import asyncio, sys, threading, time
import stowage
from support import workload
hard = workload(300, 250)
hard.plan("ff")
def ready():
    print("ready", flush=True)
{body}
"""


def program(tmp_path: Any, body: str) -> subprocess.Popen[str]:
    """Starts a program, which says when it is ready for Ctrl-C."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(body=body))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([TESTS, os.environ.get("PYTHONPATH", "")])}
    return subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


@posix
@pytest.mark.parametrize(
    "body",
    [
        # A call in a coroutine, which blocks its loop.
        "async def main():\n    ready()\n    hard.plan('auto', deadline_ms=1_000_000)\n    print('returned')\nasyncio.run(main())",
        "async def main():\n    ready()\n    await stowage.to_thread(hard.plan, 'auto', deadline_ms=1_000_000)\nasyncio.run(main())",
        # The main thread waits for another one, which it cancels.
        "control = stowage.Control()\n"
        "other = threading.Thread(target=lambda: hard.plan('auto', deadline_ms=1_000_000, control=control))\n"
        "other.start()\nready()\n"
        "try:\n    other.join()\nfinally:\n    control.cancel()",
    ],
)
def test_ctrl_c_ends_programs(tmp_path: Any, body: str) -> None:
    with program(tmp_path, body) as running:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        time.sleep(0.2)
        begin = time.perf_counter()
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate(timeout=LATE)
        assert time.perf_counter() - begin < LATE / 2
        assert said.rstrip().endswith("KeyboardInterrupt") and said.count("Traceback") <= 2 and "returned" not in said, said


@posix
def test_the_interrupt_of_a_notebook_is_raised_in_its_cell() -> None:
    from nbclient import NotebookClient
    from nbformat import v4

    cells = [
        "import stowage, time, threading, os, signal\nfrom support import workload\nhard = workload(300, 250)",
        # As the interrupt button does: a signal to the process of the kernel.
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "begin = time.perf_counter()\n"
        "try:\n    hard.plan('auto', deadline_ms=1_000_000)\n    print('returned')\n"
        "except KeyboardInterrupt:\n    print('raised', time.perf_counter() - begin < 300)",
        "print(hard.plan('ff').complete)",
    ]
    notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": TESTS}}).execute()
    assert [cell.outputs[0].text for cell in notebook.cells[1:]] == ["raised True\n", "True\n"]


# ------------------------------------------------------------------------------------------------------------------ asyncio


def test_a_task_that_is_cancelled_ends_its_call(hard: stowage.Instance) -> None:
    def several() -> None:
        while True:
            hard.plan("auto", deadline_ms=1_000_000)

    async def main() -> None:
        plan = await stowage.to_thread(hard.plan, "ff", seed=1)
        assert plan.complete
        with pytest.raises(stowage.StowageError):
            await stowage.to_thread(hard.plan, "nobody")
        for function, arguments in ((hard.plan, {"deadline_ms": 60_000}), (several, {})):
            begin = time.perf_counter()
            with pytest.raises(asyncio.TimeoutError):
                async with asyncio.timeout(0.2):
                    await stowage.to_thread(function, **arguments)  # type: ignore[arg-type]
            assert time.perf_counter() - begin < LATE / 2
        # A control of the caller, with a callback that makes calls itself.
        control, seen = stowage.Control(), list[bool]()
        task = asyncio.create_task(
            stowage.to_thread(
                hard.plan, deadline_ms=1_000_000, control=control, progress=lambda one: seen.append(len(hard.bound()) > 0)
            )
        )
        while not seen:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert control.cancelled and all(seen)

    asyncio.run(main())


def test_a_task_that_has_not_begun_never_does(hard: stowage.Instance) -> None:
    begun: list[int] = []

    async def main() -> None:
        from concurrent.futures import ThreadPoolExecutor

        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        first = asyncio.create_task(stowage.to_thread(hard.plan, deadline_ms=1_000_000))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(stowage.to_thread(begun.append, 1))
        await asyncio.sleep(0.1)
        for task in (second, first):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert not begun


# ------------------------------------------------------------------------------------------------------------------ threads


def test_threads_share_an_instance() -> None:
    cluster = stowage.Instance(instance_bytes("arbitrary"))
    plans: list[bytes] = []
    threads = [threading.Thread(target=lambda: plans.append(cluster.plan("auto", work_limit=50_000).data)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(plans) == 4 and len(set(plans)) == 1


def test_a_wait_for_a_session_is_cancelled(hard: stowage.Instance) -> None:
    session, first, second = stowage.Session(hard), stowage.Control(), stowage.Control()
    thread = threading.Thread(target=lambda: session.plan("auto", deadline_ms=1_000_000, control=first))
    thread.start()
    while first.progress().best == 0:
        time.sleep(0.005)
    threading.Timer(0.1, second.cancel).start()
    with pytest.raises(stowage.StowageError) as caught:
        session.snapshot(control=second)
    assert caught.value.status is stowage.Status.CANCELLED
    with pytest.raises(stowage.StowageError) as caught:
        session.snapshot(control=stowage.Control(deadline_ms=50))
    assert caught.value.status is stowage.Status.CANCELLED
    if sys.platform != "win32":
        interrupted(session.snapshot, 0.1)
    assert thread.is_alive(), "the run goes on"
    first.cancel()
    thread.join()
    assert session.version == 0


def test_a_callback_may_wait_for_a_thread_that_waits_for_its_session(hard: stowage.Instance) -> None:
    session, versions = stowage.Session(hard), list[int]()

    def wait(progress: stowage.Progress) -> None:
        if not versions:
            other = threading.Thread(target=lambda: versions.append(session.version))
            other.start()
            other.join()

    assert session.plan("auto", deadline_ms=300, progress=wait).complete and versions == [0]


def test_all_kinds_of_calls_in_many_threads(hard: stowage.Instance) -> None:
    """Nothing crashes, hangs or is lost where threads share all there is, and cancel each other."""
    cluster = stowage.Instance(instance_bytes("shop"))
    plan, session, controls = cluster.plan("ff"), stowage.Session(cluster), [stowage.Control() for _ in range(2)]
    end, failures = time.monotonic() + 3, list[BaseException]()

    def work(seed: int) -> None:
        draw = random.Random(seed)
        makes: list[Callable[[stowage.Control | None], object]] = [
            lambda control: cluster.verify(plan, control=control), lambda control: cluster.bound(control=control),
            lambda control: hard.plan("auto", deadline_ms=20, control=control),
            lambda control: stowage.Instance(cluster.data, control=control).columns, lambda control: cluster.explain(plan, control=control),
            lambda control: session.plan("ff", control=control), lambda control: session.snapshot(control=control),
            lambda control: session.commit(session.plan("ff"), stowage.CommitMode.WHOLE, control=control),
            lambda control: cluster.losses(plan, control=control), lambda control: stowage.Session(session.snapshot(), control=control),
            lambda control: draw.choice(controls).cancel(), lambda control: draw.choice(controls).reset(),
            lambda control: session.plan("ff", progress=lambda one: session.version),
        ]  # fmt: skip
        while time.monotonic() < end and not failures:
            try:
                draw.choice(makes)(draw.choice([None, *controls]))
            except stowage.StowageError as failure:
                if failure.status not in (stowage.Status.BUSY, stowage.Status.CANCELLED):
                    failures.append(failure)
            except BaseException as failure:
                failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5 * LATE)
    assert not failures and not any(thread.is_alive() for thread in threads)
