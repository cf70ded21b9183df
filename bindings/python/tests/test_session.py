"""Sessions and sizes beyond the conformance set."""

import json
import pickle
import threading
from typing import Any

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
    assert state.verify(late).ok
    session.apply(Operation(kind=OperationKind.SCALE, app="db", replicas=20))
    assert "db" in str((now := session.instance()).explain(now.plan("ff", node_limit=2)))
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


RACKS = {
    "stowage": 1,
    "resources": {"cpu": "cores", "memory": "GiB"},
    "periods": 2,
    "classes": [{"name": "small", "capacity": {"cpu": 8, "memory": "16Gi"}}, {"name": "large", "capacity": {"cpu": 32, "memory": "64Gi"}}],
    "apps": [{"name": "db", "replicas": 1, "demand": {"cpu": 4, "memory": 8}, "kind": "hot"}],
    "nodes": [{"name": "a", "class": "small"}, {"name": "b", "class": "large"}],
    "groups": [{"name": "rack", "sets": {"r0": ["a"], "r1": ["b"]}}],
    "uncertainty": {"model": "gaussian", "confidence": 0.9},
    "interference": {"kinds": ["hot", "cold"], "coefficient": [[0, 1], [1, 0]]},
}
# Each operation as people write it, and as a record.
OPERATIONS: list[tuple[dict[str, Any], Operation]] = [
    (
        {"op": "submit", "app": "web", "replicas": 3, "demand": {"cpu": [1, "2500m"], "memory": "512Mi"}, "priority": -2, "weight": 0.5,
         "tags": ["x", "y"], "only": "ssd", "not": ["hdd"], "max_per_node": 2, "limits": {"db": 0}, "deviation": {"cpu": "500m"},
         "support": {"cpu": [0, 4]}, "kind": "cold"},
        Operation(
            kind=OperationKind.SUBMIT, app="web", replicas=3, demand=np.array([1, 2.5, 0.5, 0.5]), priority=-2, weight=0.5,
            tags=["x", "y"], only=["ssd"], not_=["hdd"], limit_app=["web", "db"], limit_at_most=np.array([2, 0], np.uint32),
            variance=np.array([0.25, 0]), support_min=np.array([0, 0.5]), support_max=np.array([4, 0.5]), app_kind=1,
        ),
    ),
    (
        {"op": "add-node", "node": "n", "class": "small", "load": {"cpu": [1, 2]}, "load_variance": {"cpu": 0.25},
         "daemon": {"memory": "512Mi"}, "tags": "ssd", "sets": {"rack": ["r0", "r7"]}},
        Operation(
            kind=OperationKind.ADD_NODE, node="n", node_class="small", load=np.array([1.0, 2, 0, 0]), load_variance=np.array([0.25, 0]),
            daemon=np.array([0, 0.5]), tags=["ssd"], groups=["rack", "rack"], sets=["r0", "r7"],
        ),
    ),
    ({"op": "pin", "app": "web", "node": "n", "replicas": 1}, Operation(kind=OperationKind.PIN, app="web", node="n", replicas=1)),
    ({"op": "scale", "app": "web", "replicas": 5}, Operation(kind=OperationKind.SCALE, app="web", replicas=5)),
    ({"op": "load", "node": "a", "load": {"cpu": 2}}, Operation(kind=OperationKind.LOAD, node="a", load=np.array([2.0, 0]))),
    (
        {"op": "add-rule", "rule": {"name": "apart", "hard": False, "weight": 2, "origin": "operator", "any_of": [
            [{"subject": "x", "target": ["y"], "max": 1, "group": "rack"}], [{"kind": "skew", "subject": "x", "max": 2, "negated": True}]]}},
        Operation(kind=OperationKind.ADD_RULE, rule=records.NamedRule(
            name="apart", hard=False, weight=2, origin=records.Origin.OPERATOR, any_of=[
                records.NamedConjunction(all_of=[records.NamedCardinality(subject=["x"], target=["y"], max=1, group="rack")]),
                records.NamedConjunction(all_of=[
                    records.NamedCardinality(kind=records.CardinalityKind.SKEW, subject=["x"], max=2, negated=True)]),
            ])),
    ),
    ({"op": "traffic", "app": "web", "peer": "db", "amount": 2.5},
     Operation(kind=OperationKind.TRAFFIC, app="web", peer="db", amount=2.5)),
    ({"op": "drain", "node": "b"}, Operation(kind=OperationKind.DRAIN, node="b")),
    ({"op": "remove", "app": "db"}, Operation(kind=OperationKind.REMOVE, app="db")),
    ({"op": "remove-rule", "rule": "apart"}, Operation(kind=OperationKind.REMOVE_RULE, rule=records.NamedRule(name="apart"))),
]  # fmt: skip


def test_operations_that_people_write_are_those_of_records() -> None:
    cluster = stowage.Instance.from_dict(RACKS)
    sessions = [stowage.Session(cluster) for _ in range(4)]
    by_record, by_object, by_text, by_batch = sessions
    for written, record in OPERATIONS:
        by_record.apply(record)
        by_object.apply(written)
        by_text.apply_json(json.dumps(written))
        assert by_record.snapshot() == by_object.snapshot() == by_text.snapshot(), written
    by_batch.apply_json(json.dumps({"op": "batch", "operations": [written for written, _ in OPERATIONS]}).encode())
    assert [session.version for session in sessions] == [len(OPERATIONS)] * 4
    assert by_batch.snapshot() == by_record.snapshot()
    mixed = stowage.Session(cluster)
    mixed.apply(*(one[k % 2] for k, one in enumerate(OPERATIONS)))
    assert mixed.snapshot() == by_record.snapshot()
    with pytest.raises(stowage.StowageError) as caught:
        mixed.apply(OPERATIONS[0][1], {"op": "cordon", "node": "a"}, OPERATIONS[0][1], {"op": "cordon", "node": 1})
    assert caught.value.path == "operations[3].node"
    again = stowage.Session(by_batch.snapshot())
    again.apply_json("[" + ", ".join(json.dumps(one) for one in ({"op": "uncordon", "node": "b"}, {"op": "remove", "app": "web"})) + "]")
    assert again.version == len(OPERATIONS) + 2


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ('{"op": "scale", "app": "db"}', "", 'has no "replicas"'),
        ("{}", "", 'has no "op"'),
        ('{"op": 1}', "op", "must be a string"),
        ('{"op": "plan"}', "op", "there is no operation"),
        ("[1]", "[0]", "must be an object"),
        ('[{"op": "cordon", "node": "a"}, {"op": "scale", "app": "db", "replicas": "5"}]', "[1].replicas", "must be a whole number, not a string"),
        ('[{"op": "scale", "app": "db", "replicas": 4294967296}]', "[0].replicas", "must be at most 4294967295"),
        ('[{"op": "scale", "app": "db", "replica": 5}]', "[0].replica", "unknown key"),
        ('[{"op": "cordon", "node": "a", "app": "db"}]', "[0].app", "unknown key"),
        ('[{"op": "batch", "operations": []}]', "[0].op", "there is no operation"),
        ('{"op": "batch", "operations": [{"op": "status"}]}', "operations[0].op", "there is no operation"),
        ('{"op": "batch", "operations": {}}', "operations", "must be an array, not an object"),
        ('{"op": "submit", "app": "x"}', "", 'has no "demand"'),
        ('[{"op": "submit", "app": "x", "demand": {"gpu": 1}}]', "[0].demand.gpu", "no resource"),
        ('[{"op": "submit", "app": "x", "demand": {"cpu": "2GI"}}]', "[0].demand.cpu", "not a quantity"),
        ('[{"op": "submit", "app": "x", "demand": {"cpu": [1]}}]', "[0].demand.cpu", '"periods" is 2'),
        ('[{"op": "submit", "app": "x", "demand": {"cpu": 1}, "kind": "warm"}]', "[0].kind", "no kind"),
        ('[{"op": "submit", "app": "x", "demand": {}, "variance": {"cpu": 1}, "deviation": {"cpu": 1}}]', "[0].deviation.cpu", "given twice"),
        ('[{"op": "submit", "app": "x", "demand": {}, "support": {"cpu": [1]}}]', "[0].support.cpu", "smallest"),
        ('[{"op": "traffic", "app": "db", "peer": "y", "amount": -1}]', "[0].amount", "negative"),
        ('[{"op": "add-node", "node": "n", "sets": {"rack": [1]}}]', "[0].sets.rack[0]", "must be a string"),
        ('[{"op": "add-rule", "rule": {"name": "r"}}]', "[0].rule", "needs either"),
        ('[{"op": "add-rule", "rule": {"name": "r", "all_of": [{"max": 1}]}}]', "[0].rule.all_of[0]", 'has no "subject"'),
        ('[{"op": "cordon", "node": "nowhere"}]', "operations[0].node", "nowhere"),
        ("1", "", "must be a JSON list or object"),
    ],
)
def test_a_wrong_operation_is_refused_by_its_place(text: str, path: str, message: str) -> None:
    session = stowage.Session(stowage.Instance.from_dict(RACKS))
    with pytest.raises(stowage.StowageError) as caught:
        session.apply_json(text)
    assert (caught.value.path, session.version) == (path, 0) and message in caught.value.message


def test_a_text_that_is_no_json_is_refused() -> None:
    session = stowage.Session(stowage.Instance.from_dict(RACKS))
    for text in ("", "[", '[{"op": "cordon", "node": "a"}', "[" * 100_000, b"\xff\xfe\x00"):
        with pytest.raises(stowage.StowageError) as caught:
            session.apply_json(text)
        assert caught.value.status is stowage.Status.MALFORMED
    with pytest.raises(stowage.StowageError, match='key "app" occurs twice') as caught:
        session.apply_json('{"op": "remove", "app": "db", "app": "web"}')
    assert caught.value.status is stowage.Status.MALFORMED
    with pytest.raises(stowage.StowageError) as caught:
        session.apply(OPERATIONS[0][1], {"op": "scale", "app": "web", "replicas": -1})
    assert caught.value.path == "operations[1].replicas" and session.version == 0


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
