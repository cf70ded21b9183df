"""Sessions and sizes beyond the conformance set."""

import pickle
import threading

import numpy as np
import numpy.typing as npt
import pytest
from support import SMALL

import stowage
from stowage import Operation, OperationKind, records


def test_a_session_over_time() -> None:
    session = stowage.Session(stowage.Instance.from_dict(SMALL))
    plan = session.plan("ff")
    commit = session.commit(plan)
    assert commit.committed and commit.placed == 4 and len(commit.opened or []) == 2
    session.apply(Operation(kind=OperationKind.SCALE, app="web", replicas=5))
    assert session.version == 2 and repr(session) == "<stowage.Session at version 2>"
    again = stowage.Session(session.snapshot())
    assert again.version == 2
    state = again.instance()
    assert state.fingerprint == stowage.Instance(session.snapshot()).fingerprint
    late = state.plan("ff")
    assert state.verify(late).ok and "nodes in use" in str(state.explain(late))
    with pytest.raises(stowage.StowageError):
        _ = state.columns
    again.apply(Operation(kind=OperationKind.CORDON, node=(commit.opened or [""])[0]))
    found = again.commit(late)
    assert not found.committed and found.conflicts[0].kind is records.ConflictKind.VERSION


def test_an_operation_that_is_refused_changes_nothing() -> None:
    session = stowage.Session(stowage.Instance.from_dict(SMALL))
    with pytest.raises(stowage.StowageError) as caught:
        session.apply(
            Operation(kind=OperationKind.SCALE, app="web", replicas=5), Operation(kind=OperationKind.SCALE, app="nobody", replicas=1)
        )
    assert caught.value.status is stowage.Status.NOT_FOUND and caught.value.path == "operations[1].app"
    assert session.version == 0


def test_threads_take_turns() -> None:
    session = stowage.Session(stowage.Instance.from_dict(SMALL))

    def scale(replicas: int) -> None:
        for _ in range(50):
            session.apply(Operation(kind=OperationKind.SCALE, app="web", replicas=replicas))
            session.plan("ff")

    threads = [threading.Thread(target=scale, args=(replicas,)) for replicas in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.version == 100


def doubles(*values: float) -> npt.NDArray[np.float64]:
    return np.array(values, np.float64)


def test_a_model_recommends_and_survives_its_bytes() -> None:
    profiles = records.Samples(
        resources=["cpu"], apps=["a", "b", "c", "d"], row_app=np.repeat(np.arange(4, dtype=np.uint32), 2),
        row_amounts=doubles(1, 2, 1, 2, 1, 2, 1, 2), row_value=doubles(0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92),
    )  # fmt: skip
    model = stowage.Model.learn(profiles)
    samples = records.Samples(
        resources=["cpu"], apps=["new"], row_app=np.zeros(1, np.uint32), row_amounts=doubles(1), row_value=doubles(0.45)
    )
    found = model.recommend(samples, stowage.Goal(value=0.8), curves=True)
    assert found.reason[0] == records.RecommendationReason.MEETS_GOAL and found.amounts[found.choice[0]] == 2
    assert found.curve_mean is not None and len(found.curve_mean) == 2
    again = pickle.loads(pickle.dumps(model)).recommend(samples, stowage.Goal(value=0.8))
    assert again.probability[0] == found.probability[0]
    with pytest.raises(stowage.StowageError) as caught:
        stowage.Model(model.data[1:])
    assert caught.value.status is stowage.Status.MALFORMED
    with pytest.raises(stowage.StowageError):
        model.recommend(samples, stowage.Goal(value=2))


def test_sizes_by_usage() -> None:
    usage = records.Usage(
        apps=["web"], resources=["cpu"], app=np.zeros(4, np.uint32), time=doubles(0, 60, 120, 180), amount=doubles(1, 2, 3, 4),
        rules=[records.SizeRule(percentile=0.75)], periods=2, cycle=0,
    )  # fmt: skip
    found = stowage.size(usage)
    assert found.size.tolist() == [3] and found.exceeded.tolist() == [0.25] and found.demand.tolist() == [2, 4]
    usage.amount[2] = -1
    with pytest.raises(stowage.StowageError) as caught:
        stowage.size(usage)
    assert caught.value.path == "amount[2]"
