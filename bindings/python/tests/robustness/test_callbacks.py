"""Every function of the C ABI, called from every callback: an answer or the error that is documented, and no deadlock."""

import json
import pickle
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from support import ROOT, SMALL, workload

import stowage
from stowage import records

#: Seconds that a call from a callback may take. It takes milliseconds; machines that test are busy.
SOON = 30.0


class World:
    """Things to call, and a run that calls back."""

    def __init__(self) -> None:
        self.hard = workload(300, 250)
        self.cluster = stowage.Instance.from_dict(SMALL)
        self.plan = self.cluster.plan("ff")
        self.session = stowage.Session(self.hard)
        self.control = stowage.Control()
        self.samples = records.Samples(
            resources=["cpu"], apps=["a", "b"], row_app=np.repeat(np.arange(2, dtype=np.uint32), 2),
            row_amounts=np.array([1.0, 2, 1, 2]), row_value=np.array([0.4, 0.9, 0.5, 0.9]),
        )  # fmt: skip
        self.model = stowage.Model.learn(self.samples)
        self.usage = records.Usage(
            apps=["web"], resources=["cpu"], app=np.zeros(2, np.uint32), time=np.array([0.0, 60]), amount=np.array([1.0, 2]),
            rules=[records.SizeRule(percentile=0.75)],
        )  # fmt: skip


def loaded(world: World) -> stowage.Instance:
    return stowage.Instance(world.cluster.data)


#: What calls each function of the inventory; "X_watched" stands for "X" too. A new function needs an entry.
CALLS: dict[str, Callable[[World], object]] = {
    "stowage_bound_watched": lambda world: world.cluster.bound(),
    "stowage_buffer_free": lambda world: world.cluster.bound(),
    "stowage_check": lambda world: stowage.Plan.read(world.plan.data),
    "stowage_control_cancel": lambda world: stowage.Control().cancel(),
    "stowage_control_free": lambda world: stowage.Control(),
    "stowage_control_new": lambda world: stowage.Control(),
    "stowage_control_progress": lambda world: world.control.progress(),
    "stowage_control_reset": lambda world: world.control.reset(),
    "stowage_control_set_deadline": lambda world: stowage.Control(deadline_ms=5),
    "stowage_explain": lambda world: world.cluster.explain(world.plan),
    "stowage_headroom_watched": lambda world: world.cluster.headroom(world.plan, 0),
    "stowage_headroom_of_apps_watched": lambda world: world.cluster.headroom_of_apps(world.plan),
    "stowage_instance_derive_watched": lambda world: world.cluster.derive(records.Derivation(demand=1.1)),
    "stowage_instance_fingerprint": lambda world: world.cluster.fingerprint,
    "stowage_instance_free": loaded,
    "stowage_instance_load_watched": loaded,
    "stowage_instance_save_watched": lambda world: world.cluster.derive(records.Derivation(demand=1.1)).data,
    "stowage_losses": lambda world: world.cluster.losses(world.plan),
    "stowage_model_free": lambda world: stowage.Model.learn(world.samples),
    "stowage_model_learn_watched": lambda world: stowage.Model.learn(world.samples),
    "stowage_model_load_watched": lambda world: pickle.loads(pickle.dumps(world.model)),
    "stowage_model_recommend_watched": lambda world: world.model.recommend(world.samples, stowage.Goal(value=0.8)),
    "stowage_model_save_watched": lambda world: world.model.data,
    "stowage_order_moves": lambda world: world.cluster.order_moves(world.plan),
    "stowage_plan": lambda world: world.hard.plan("auto", work_limit=1000),
    "stowage_planners": lambda world: stowage.planners(),
    "stowage_session_apply_watched": lambda world: world.session.apply_bytes(b""),
    "stowage_session_commit_watched": lambda world: world.session.commit(world.plan),
    "stowage_session_free": lambda world: stowage.Session(world.cluster),
    "stowage_session_instance_watched": lambda world: world.session.instance(),
    "stowage_session_open_watched": lambda world: stowage.Session(world.cluster),
    "stowage_session_plan": lambda world: world.session.plan("ff"),
    "stowage_session_reject_watched": lambda world: world.session.reject(world.plan),
    "stowage_session_snapshot_watched": lambda world: world.session.snapshot(),
    "stowage_session_version": lambda world: world.session.version,
    "stowage_size_watched": lambda world: stowage.size(world.usage),
    "stowage_status_text": lambda world: stowage.status_text(1),
    "stowage_verify_watched": lambda world: world.cluster.verify(world.plan),
    "stowage_version": lambda world: stowage.version(),
}
#: Those that use the session whose run calls back.
OF_SESSION = {name for name in CALLS if name.startswith("stowage_session_") and not name.endswith(("_free", "_open_watched"))}
#: The function that takes a callback itself is for C and C++ alone.
FOR_C = {"stowage_control_set_solver"}


def test_every_function_is_called() -> None:
    functions = set(json.loads((ROOT / "capi/abi/abi.json").read_text(encoding="utf-8"))["functions"])
    called = set(CALLS) | {name.removesuffix("_watched") for name in CALLS}
    assert functions - called - FOR_C == set() and set(CALLS) <= functions


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def outcomes(world: World, run: Callable[[Callable[[object], None]], object]) -> dict[str, tuple[float, object]]:
    """Makes a run whose callback calls every function once. Returns the seconds and what became of each."""
    found: dict[str, tuple[float, object]] = {}

    def call_all(_: object) -> None:
        for name, make in CALLS.items():
            if name not in found:
                begin = time.perf_counter()
                try:
                    outcome: object = make(world)
                except stowage.StowageError as failure:
                    outcome = failure
                found[name] = (time.perf_counter() - begin, outcome)

    done = threading.Event()

    def target() -> None:
        run(call_all)
        done.set()

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    assert done.wait(10 * SOON), f"a deadlock, after {list(found)[-1:]}"
    assert set(found) == set(CALLS)
    slow = {name: seconds for name, (seconds, _) in found.items() if seconds > SOON}
    assert not slow
    print("\nlongest call from a callback:", max((seconds, name) for name, (seconds, _) in found.items()))
    return found


def test_the_callback_of_a_plan(world: World) -> None:
    found = outcomes(world, lambda callback: world.hard.plan("auto", deadline_ms=400, control=world.control, progress=callback))
    wrong = {name for name, (_, outcome) in found.items() if isinstance(outcome, stowage.StowageError)}
    # Empty bytes, and a plan of another instance: these calls reach the session.
    assert wrong == {"stowage_session_apply_watched", "stowage_session_commit_watched", "stowage_session_reject_watched"}


def test_the_callback_of_a_plan_of_a_session(world: World) -> None:
    found = outcomes(world, lambda callback: world.session.plan("auto", deadline_ms=400, control=world.control, progress=callback))
    busy = {name for name, (_, outcome) in found.items() if isinstance(outcome, stowage.StowageError)}
    assert busy == OF_SESSION
    assert {outcome.status for _, outcome in found.values() if isinstance(outcome, stowage.StowageError)} == {stowage.Status.BUSY}
    assert world.session.version == 0


def test_the_callback_of_a_sweep(world: World) -> None:
    scenarios = stowage.Scenario.grid(world.cluster, replicas=[1, 2])
    found = outcomes(world, lambda callback: stowage.sweep(scenarios, work_limit=100, progress=callback))
    assert not isinstance(found["stowage_plan"][1], stowage.StowageError)


def test_the_callback_of_a_fleet(world: World) -> None:
    outcomes(world, lambda callback: stowage.fleet({"one": world.cluster}, work_limit=100, progress=callback))


def test_the_control_of_a_run_is_busy_in_its_callback(world: World) -> None:
    control, statuses = stowage.Control(), set[stowage.Status]()

    def again(_: object) -> None:
        for make in (world.hard.plan, world.hard.bound, world.session.snapshot):
            with pytest.raises(stowage.StowageError) as caught:
                make(control=control)
            statuses.add(caught.value.status)
        control.reset()
        control.cancel()
        control.reset()

    plan = world.hard.plan("auto", deadline_ms=1_000_000, control=control, progress=again)
    assert statuses == {stowage.Status.BUSY} and plan.status is records.PlanStatus.CANCELLED


def test_a_handle_is_not_freed_while_a_run_uses_it() -> None:
    def fail(_: object) -> None:
        raise RuntimeError

    for _ in range(5):
        with pytest.raises(RuntimeError):
            workload(150, 120).plan("auto", deadline_ms=1_000_000, progress=fail)
        with pytest.raises(RuntimeError):
            stowage.Session(workload(150, 120)).plan("auto", deadline_ms=1_000_000, progress=fail)
