"""Memory of the library: it is freed once nothing uses it, also where nobody closes anything; copies and pickles."""

import copy
import ctypes
import gc
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support import SMALL, instance_bytes

import stowage
from stowage import records

# ------------------------------------------------------------------------------------------------------------------ memory


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


def in_use() -> int:
    """Bytes that the C allocator has handed out, over all arenas."""
    gc.collect()
    found = ctypes.CDLL(None).mallinfo2
    found.restype = Mallinfo2
    info = found()
    return int(info.uordblks + info.hblkhd)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="there is no mallinfo2")
def test_nothing_is_left_after_many_plans() -> None:
    data = instance_bytes("racks")

    def round_trip() -> None:
        cluster = stowage.Instance(data)
        plan = cluster.plan("ff")
        cluster.verify(plan)
        str(cluster.explain(plan))
        session = stowage.Session(data)
        session.commit(session.plan("ff"))
        stowage.Session(session.snapshot()).instance()
        for wrong in (lambda: cluster.plan("nobody"), lambda: stowage.Instance(data[:90])):
            with pytest.raises(stowage.StowageError):
                wrong()

    for _ in range(100):
        round_trip()
    before = in_use()
    for _ in range(500):
        round_trip()
    # An instance alone takes more than 100 bytes; what Python and NumPy keep does not grow with the number of rounds.
    assert in_use() - before < 500 * 100


UNCLOSED = """
import gc, resource
import numpy as np
import stowage
from stowage import records

apps = 32_000
columns = records.Instance(
    resources=[records.Resource(name="cpu"), records.Resource(name="memory")], classes=[records.NodeClass(capacity=np.array([64.0, 64.0]))],
    apps=records.Apps(replicas=np.ones(apps, np.uint32), demand=np.ones((apps, 2)), weight=np.arange(1.0, apps + 1), priority=np.arange(apps)),
)
data = stowage.Instance.from_columns(columns).data
assert 900_000 < len(data) < 1_200_000, len(data)

class Holder:
    pass

# A program with few objects: the collector does not run by itself.
gc.set_threshold(10**9)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for k in range({count}):
    one = Holder()
    one.itself = one
    one.cluster = {kind}
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss is that of Linux")
@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("stowage.Instance(data)", 1000),
        # A session has about 20 MB for such an instance.
        ("stowage.Session(data)", 100),
        ("stowage.Instance(data).derive(records.Derivation(demand=1.5))", 400),
    ],
)
def test_instances_that_nobody_closed_do_not_fill_the_memory(kind: str, count: int) -> None:
    """Instances of 1 MB."""
    run = subprocess.run([sys.executable, "-c", UNCLOSED.format(kind=kind, count=count)], check=True, capture_output=True, text=True)
    print("\nMB more:", run.stdout.strip())
    assert int(run.stdout) < 500


def test_the_collector_runs_by_memory_only_where_it_may() -> None:
    runs: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            runs.append(phase)

    from stowage._library import Handle

    def fill() -> None:
        handles = []
        for _ in range(40):
            handle = Handle(lambda pointer: None)
            handle._as_parameter_.value = 1
            handle.weigh(100 << 20)
            handles.append(handle)

    gc.callbacks.append(note)
    threshold = gc.get_threshold()
    try:
        gc.set_threshold(10**9)
        fill()
        assert 2 <= len(runs) <= 8, "each time that twice as much is held, and not with each"
        runs.clear()
        for _ in range(200):
            handle = Handle(lambda pointer: None)
            handle._as_parameter_.value = 1
            handle.weigh(50 << 20)
        assert not runs, "what is freed at once asks for nothing"
        gc.disable()
        fill()
        assert not runs
    finally:
        gc.enable()
        gc.set_threshold(*threshold)
        gc.callbacks.remove(note)


# ------------------------------------------------------------------------------------------------------------------ copies


def made() -> dict[str, Any]:
    """Something of each public type that has values."""
    cluster = stowage.Instance.from_dict(SMALL)
    plan = cluster.plan("ff")
    profiles = records.Samples(
        resources=["cpu"], apps=["a", "b"], row_app=np.repeat(np.arange(2, dtype=np.uint32), 2),
        row_amounts=np.array([1.0, 2, 1, 2]), row_value=np.array([0.4, 0.9, 0.5, 0.9]),
    )  # fmt: skip
    scenarios = stowage.Scenario.grid(cluster, replicas=[1, 2])
    return {
        "Explanation": cluster.explain(plan), "Fleet": stowage.fleet({"a": cluster}, work_limit=100), "Frame": plan.placements(),
        "Goal": stowage.Goal(value=0.8), "GoalKind": stowage.GoalKind.MOVES,
        "PlanGoal": stowage.PlanGoal(what=stowage.GoalKind.MOVES), "HeadroomOfApps": cluster.headroom_of_apps(plan), "Instance": cluster,
        "Losses": cluster.losses(plan), "Model": stowage.Model.learn(profiles),
        "NamedCardinality": stowage.NamedCardinality(subject=["a"]),
        "NamedConjunction": stowage.NamedConjunction(all_of=[stowage.NamedCardinality(subject=["a"])]),
        "NamedRule": stowage.NamedRule(name="r"), "Operation": stowage.Operation(kind=stowage.OperationKind.SCALE, app="web", replicas=2),
        "Picture": cluster.picture(plan), "Plan": plan, "Progress": stowage.Control().progress(),
        "Request": stowage.Request(planner="ff"), "Scenario": scenarios[1],
        "StowageError": stowage.StowageError(stowage.Status.INVALID, "is wrong", "apps"), "Sweep": stowage.sweep(scenarios, work_limit=100),
        "OperationKind": stowage.OperationKind.SCALE, "CommitMode": stowage.CommitMode.WHOLE, "PlanStatus": plan.status,
        "Status": stowage.Status.BUSY,
    }  # fmt: skip


#: These belong to a process.
UNIQUE: dict[str, Callable[[], object]] = {
    "Control": stowage.Control,
    "Session": lambda: stowage.Session(stowage.Instance.from_dict(SMALL)),
}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_every_public_type_can_be_copied(copied: Callable[[Any], Any]) -> None:
    values = made()
    public = {name for name in stowage.__all__ if isinstance(getattr(stowage, name), type)}
    assert public == set(values) | set(UNIQUE)
    for name, one in values.items():
        again = copied(one)
        assert type(again) is type(one), name
        assert re.sub(" at 0x.*", "", repr(again)) == re.sub(" at 0x.*", "", repr(one)), name
    plan = copied(values["Plan"])
    assert plan.data == values["Plan"].data and plan.placements()["replicas"].tolist() == [2, 1, 1]
    assert dict(copied(values["HeadroomOfApps"]).frame())["app"].tolist() == ["web", "db"]
    assert copied(values["Losses"]).frame()["short"].tolist() == values["Losses"].frame()["short"].tolist()
    assert copied(values["Instance"]).verify(plan).ok
    assert str(copied(values["Explanation"])) == str(values["Explanation"])
    error = copied(values["StowageError"])
    assert (error.status, error.message, error.path) == (stowage.Status.INVALID, "is wrong", "apps")


def test_a_copy_of_a_plan_keeps_its_cluster_and_its_changes() -> None:
    plan = stowage.Instance.from_dict(SMALL).plan("ff")
    plan.seed = 77
    for again in (copy.copy(plan), copy.deepcopy(plan), copy.deepcopy({"plan": [plan]})["plan"][0]):
        assert again.cluster is plan.cluster and again.seed == 77
        assert again.placements()["app"].tolist() == ["web", "web", "db"]
    assert copy.deepcopy(plan).placed is not plan.placed and copy.copy(plan).placed is plan.placed
    assert pickle.loads(pickle.dumps(plan)).cluster is None


def test_instances_and_models_keep_their_limits_in_a_pickle() -> None:
    data = instance_bytes("racks")
    for limits in (None, {"max_apps": 3}):
        cluster = stowage.Instance(instance_bytes("racks"))
        cluster._limits = limits
        if limits is None:
            assert pickle.loads(pickle.dumps(cluster)).data == data
        else:
            with pytest.raises(stowage.StowageError, match="max_apps|apps"):
                pickle.loads(pickle.dumps(cluster))


@pytest.mark.parametrize("name", UNIQUE)
def test_what_belongs_to_a_process_refuses_to_be_copied(name: str, recwarn: pytest.WarningsRecorder, monkeypatch: pytest.MonkeyPatch) -> None:
    ignored: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    one = UNIQUE[name]()
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            copied(one)
        with pytest.raises(TypeError, match="cannot be pickled or copied"):
            copied([one, one._handle] if copied is not copy.copy else one._handle)  # type: ignore[attr-defined]
    gc.collect()
    assert not ignored and not recwarn.list
