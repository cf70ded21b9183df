"""Instances from frames, and answers as frames, of pandas, polars and pyarrow."""

import collections
import copy
import json
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support import ROOT, SMALL, instance_bytes, workload

import stowage

APPS = {"name": ["web", "db"], "replicas": [3, 1], "cpu": [2, 4], "memory": [4, 8], "max_per_node": [2, None]}
CLASSES = {"name": ["standard"], "cpu": [8.0], "memory": [16.0]}
LIMITS = {"app": ["db"], "other": ["web"], "at_most": [1]}
UNITS = {"cpu": "cores", "memory": "GiB"}

KINDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "pandas, as columns": lambda columns: dict(pd.DataFrame(columns).items()),
    "polars": pl.DataFrame,
    "polars, categorical": lambda columns: pl.DataFrame(columns).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "pyarrow": pa.table,
    "pyarrow, in batches": lambda columns: pa.Table.from_batches([b for row in [pa.table(columns)] for b in row.to_batches(1)]),
}
of_every_kind = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


def small(**changes: Any) -> stowage.Instance:
    parts: dict[str, Any] = {"apps": APPS, "classes": CLASSES, "limits": LIMITS, "resources": UNITS, "name": "small"} | changes
    return stowage.Instance.from_frames(**parts)


def refusal(**changes: Any) -> str:
    """The path and the message by which the frames are refused."""
    with pytest.raises(stowage.StowageError) as caught:
        small(**changes)
    return str(caught.value)


# ------------------------------------------------------------------------------------------------------------------ frames in


@of_every_kind
def test_frames_make_the_same_instance_as_a_description(make: Callable[[dict[str, Any]], Any]) -> None:
    made = small(apps=make(APPS), classes=make(CLASSES), limits=make(LIMITS))
    assert made.fingerprint == stowage.Instance.from_dict(SMALL).fingerprint


def everything() -> dict[str, Any]:
    """A description with all that frames hold, as one of the JSON format."""
    found: dict[str, Any] = json.loads((ROOT / "tests/cli/data/everything.json").read_text(encoding="utf-8"))
    del found["apps"][1]["support"], found["nodes"][0]["load_deviation"]
    found["uncertainty"] = {"model": "gaussian", "confidence": 0.95}
    found["traffic"] = [{"app": "web", "peer": "db", "amount": 2.5}]
    found["apps"][0]["only"], found["apps"][1]["not"] = ["ssd"], ["zone=b", "gpu"]
    return found


@of_every_kind
def test_frames_hold_what_people_write(make: Callable[[dict[str, Any]], Any]) -> None:
    description = everything()
    whole = stowage.Instance.from_dict(description)
    columns, names = whole.columns, list(description["resources"])
    assert columns.nodes is not None and columns.nodes.load is not None
    load = columns.nodes.load.reshape(2, len(names), -1)
    apps = {
        "name": [one["name"] for one in description["apps"]],
        "replicas": whole.replicas.tolist(),
        **{name: whole.demand[:, r].tolist() for r, name in enumerate(names)},
        "memory_deviation": [0.0, 0.5, 0.0],
        "priority": [-5, 10, 0],
        "weight": [2.5, 1.0, 1.0],
        "tags": [["frontend", "public"], ["storage"], []],
        "only": [["ssd"], None, None],
        "not": [None, ["zone=b", "gpu"], None],
        "max_per_node": [2, None, None],
        "kind": ["light", "heavy", "light"],
    }
    classes = {
        "name": ["small", "large"], "count": [4, 0], "price": [0.5, 1.75], "labels": [["zone=a", "ssd"], ["zone=b", "zone=c"]],
        **{name: whole.capacity[:, r].tolist() for r, name in enumerate(names)},
    }  # fmt: skip
    nodes = {
        "name": ["n1", "n2"], "class": ["small", "large"], "closed": [False, True], "tags": [["gpu"], []],
        **{name: load[:, r].tolist() for r, name in enumerate(names)},
    }  # fmt: skip
    made = stowage.Instance.from_frames(
        make(apps), make(classes), nodes=make(nodes), resources=description["resources"],
        limits=make({"app": ["web", "web"], "other": ["db", 'cache "x"'], "at_most": [0, 1]}),
        running=make({"app": ["db", "web", 'cache "x"'], "node": ["n1", "n1", "n2"], "replicas": [1, 1, 1]}),
        pinned=make({"app": ["db"], "node": ["n1"], "replicas": [1]}),
        traffic=make({"app": ["web"], "peer": ["db"], "amount": [2.5]}),
        **{key: description[key] for key in ("name", "groups", "rules", "uncertainty", "interference")},
    )  # fmt: skip
    assert made.fingerprint == whole.fingerprint


def test_quantities_and_positions() -> None:
    apps = {"cpu": ["2", "4000m"], "memory": ["4Gi", "8192Mi"], "replicas": np.array([3, 1], np.int8), "max_per_node": [2, np.nan]}
    made = stowage.Instance.from_frames(
        pd.DataFrame(apps), CLASSES, limits={"app": [1], "other": [0], "at_most": [1]}, resources=UNITS
    )
    assert made.columns.apps.names is None
    assert made.demand.tolist() == [[2, 4], [4, 8]] and made.columns.limits is not None
    assert made.columns.limits.row_begin.tolist() == [0, 1, 2] and made.columns.limits.at_most.tolist() == [2, 1]
    assert [one.name for one in stowage.Instance.from_frames(APPS, CLASSES).columns.resources] == ["cpu", "memory"]


def test_streams_that_can_be_read_once() -> None:
    def stream(columns: dict[str, Any]) -> pa.RecordBatchReader:
        return pa.table(columns).to_reader()

    nodes, running = {"name": ["n"], "class": ["standard"]}, {"app": ["web"], "node": ["n"], "replicas": [1]}
    made = small(
        apps=stream(APPS),
        classes=stream(CLASSES),
        limits=stream(LIMITS),
        nodes=stream(nodes),
        running=stream(running),
        pinned=stream(running),
    )
    assert made.fingerprint == small(nodes=nodes, running=running, pinned=running).fingerprint


def test_a_frame_with_an_index_of_names() -> None:
    apps = pd.DataFrame(APPS).set_index("name")
    plan = small(apps=apps).plan("ff")
    assert plan.placements()["app"].tolist() == ["web", "web", "db"]


def test_limits_and_residences_in_any_order_are_those_of_a_description() -> None:
    pairs = [(1, 0, 3), (0, 1, 2), (1, 1, 4)]
    columns = dict(zip(("app", "other", "at_most"), (list(one) for one in zip(*pairs, strict=True)), strict=True))
    made = small(apps={**APPS, "max_per_node": [None, None]}, limits=columns).columns.limits
    assert made is not None
    assert made.row_begin.tolist() == [0, 1, 3] and made.app.tolist() == [1, 1, 0] and made.at_most.tolist() == [2, 4, 3]
    nodes, running = {"name": ["n", "m"]}, {"app": ["db", "web", "web"], "node": ["m", "n", "m"], "replicas": [1, 1, 2]}
    whole: dict[str, Any] = copy.deepcopy(SMALL)
    whole["nodes"] = [{"name": "n", "running": {"web": 1}}, {"name": "m", "running": {"db": 1, "web": 2}}]
    whole["apps"][0]["limits"], whole["apps"][1]["limits"] = {"db": 2}, {"web": 3, "db": 4}
    assert small(limits=columns, nodes=nodes, running=running).fingerprint == stowage.Instance.from_dict(whole).fingerprint


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"apps": {**APPS, "team": ["a", "b"]}}, "apps.team: is a column that is not known here"),
        ({"apps": {"name": ["web"], "cpu": [1]}}, 'apps: has no column "memory"'),
        ({"apps": {**APPS, "replicas": [3, -1]}}, "apps.replicas[1]: -1 is not in the range of uint32"),
        ({"apps": {**APPS, "replicas": [3, 1.5]}}, "apps.replicas[1]: 1.5 is not in the range of uint32"),
        ({"apps": {**APPS, "cpu": [2, None]}}, "apps.cpu[1]: has no value"),
        ({"apps": {**APPS, "cpu": np.array([2, np.inf])}}, "apps.cpu[1]: must be a number"),
        ({"apps": pl.DataFrame({**APPS, "cpu": [2, None]})}, "apps.cpu[1]: has no value"),
        ({"apps": {**APPS, "cpu": [2, -4]}}, "apps.cpu[1]: must not be negative"),
        ({"apps": {**APPS, "cpu": ["2", "4 apples"]}}, 'apps.cpu[1]: "4 apples" is not a quantity'),
        ({"apps": {**APPS, "cpu": [[2, 1], [4]]}}, "apps.cpu[1]: has 1 values, others have 2"),
        (
            {"apps": {**APPS, "cpu": [[2, 1], [4, 1]], "memory": [[1, 2, 3]] * 2}},
            "apps.memory: has lists of 3 values, others have 2",
        ),
        ({"apps": {**APPS, "cpu": [2, "x"]}}, "apps.cpu: must hold values of one kind"),
        ({"apps": {**APPS, "name": ["web", "web"]}}, 'apps.name[1]: "web" is already the name of apps[0]'),
        ({"apps": {**APPS, "name": ["web", ""]}}, "apps.name[1]: must not be empty"),
        ({"apps": {**APPS, "name": [1, 2]}}, "apps.name: must hold text, not "),
        ({"apps": {**APPS, "tags": [1, 2]}}, "apps.tags: must hold lists"),
        ({"apps": {**APPS, "tags": [["a"], [None]]}}, "apps.tags[1]: has a list with an empty value"),
        ({"apps": {**APPS, "max_per_node": [2, 2.5]}}, "apps.max_per_node"),
        ({"apps": {**APPS, "kind": ["a", "b"]}}, 'apps.kind[0]: there is no kind "a"'),
        ({"apps": {**APPS, "cpu": [1, 2, 3]}}, "apps: has columns of different lengths"),
        ({"apps": {**APPS, "cpu_variance": [1, 2], "cpu_deviation": [1, 2]}}, "apps.cpu_deviation: is given twice"),
        ({"classes": {**CLASSES, "cores": [1]}}, "classes.cores: is a column"),
        ({"classes": {**CLASSES, "cpu": [[1, 2]]}}, "classes: capacities are the same in all periods"),
        ({"limits": {**LIMITS, "app": ["nobody"]}}, 'limits.app[0]: there is no app "nobody"'),
        ({"limits": {**LIMITS, "app": [2]}}, "limits.app[0]: there is no app 2"),
        ({"limits": {"app": ["db"], "other": ["web"]}}, 'limits: has no column "at_most"'),
        ({"limits": {"app": ["db"] * 2, "other": ["web"] * 2, "at_most": [1, 2]}}, "limits"),
        ({"nodes": {"name": ["n"], "class": ["large"]}}, 'nodes.class[0]: there is no class "large"'),
        ({"running": {"app": ["web"], "node": ["n"], "replicas": [1]}}, 'running.node[0]: there is no listed node "n"'),
        ({"classes": {**CLASSES, "weight": [1]}, "resources": None}, "resources.weight: is a name that another column has"),
        ({"resources": {"cpu": "cores", "gpu": ""}}, "apps.memory: is a column that is not known here"),
        ({"rules": [{"all_of": [{"subject": ["a"], "group": "row"}]}]}, "rules[0].all_of[0].group"),
    ],
)
def test_wrong_frames_are_refused_with_their_path(changes: dict[str, Any], expected: str) -> None:
    assert refusal(**changes).startswith(expected)


def arrow_columns(rows: int) -> list[pa.Array]:
    """A column of every kind that Arrow has, with values that are right for some columns and wrong for others."""
    numbers, texts = [1, 2][:rows], ["web", "db"][:rows]
    kinds = [
        pa.int8(),
        pa.uint64(),
        pa.float16(),
        pa.float32(),
        pa.decimal128(10, 2),
        pa.duration("s"),
        pa.timestamp("s"),
        pa.date32(),
    ]
    made = [pa.array([np.float16(one) if kind == pa.float16() else one for one in numbers], kind) for kind in kinds]
    made += [pa.array(texts, kind) for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.binary_view())]
    lists = [
        pa.list_(pa.int64()),
        pa.large_list(pa.float64()),
        pa.list_(pa.int64(), 2),
        pa.list_view(pa.int64()),
        pa.list_(pa.float32(), 0),
    ]
    made += [pa.array([[] if kind == lists[-1] else [1, 2]] * rows, kind) for kind in lists]
    made += [
        pa.array([["a", "b"]] * rows, pa.list_(kind))
        for kind in (pa.string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string()))
    ]
    made += [
        pa.array([None] * rows, kind) for kind in (pa.null(), pa.float64(), pa.string(), lists[0], lists[2], pa.list_(pa.string()))
    ]
    made += [
        pa.array([value] * rows)
        for value in (True, math.nan, math.inf, -1.5, 2.0**70, {"a": 1}, [[1]], ["a", None], [None], "500m")
    ]
    made += [
        pa.array(texts).dictionary_encode(),
        pa.array(numbers).dictionary_encode(),
        pa.nulls(rows, pa.string()).dictionary_encode(),
    ]
    made += [pa.RunEndEncodedArray.from_arrays([rows], [1]), pa.RunEndEncodedArray.from_arrays([rows], ["web"])]
    made += [pa.array([9, *numbers]).slice(1), pa.array([[9.0], *([[1.0, 2.0]] * rows)]).slice(1)]
    return made


@pytest.mark.parametrize("what", ["apps", "classes", "nodes", "limits", "running", "traffic"])
def test_columns_of_every_kind_are_read_or_refused(what: str) -> None:
    frames: dict[str, dict[str, Any]] = {
        "apps": {"name": ["web", "db"], "replicas": [3, 1], "cpu": [2, 4], "memory": [4, 8], "priority": [0, 1], "weight": [1.0, 2.0],
                 "max_per_node": [2, 3], "tags": [["a"], []], "only": [[], []], "not": [["b"], []], "cpu_variance": [0.1, 0]},
        "classes": {**CLASSES, "count": [0], "price": [1.0], "labels": [["a"]]},
        "nodes": {"name": ["n1"], "class": ["standard"], "cpu": [1.0], "closed": [False], "tags": [["c"]]},
        "limits": LIMITS, "running": {"app": ["web"], "node": [0], "replicas": [1]},
        "traffic": {"app": ["web"], "peer": ["db"], "amount": [1.0]},
    }  # fmt: skip
    outcomes = collections.Counter[str]()
    for name in frames[what]:
        for column in arrow_columns(len(frames[what][name])):
            parts = {**frames, what: pa.table({**frames[what], name: column})}
            try:
                stowage.Instance.from_frames(**parts, uncertainty={"model": "gaussian"})
                outcomes["read"] += 1
            except stowage.StowageError as error:
                assert error.path and error.message, (name, column.type)
                outcomes["refused"] += 1
    assert outcomes["read"] > len(frames[what]) and outcomes["refused"] > 10 * len(frames[what])


def test_what_is_no_frame_is_refused() -> None:
    assert refusal(apps={"cpu": 3}) == "apps.cpu: must be a column"
    with pytest.raises(TypeError, match="apps must be a frame"):
        small(apps=[1, 2])
    with pytest.raises(TypeError, match="unexpected keyword argument 'nodez'"):
        small(nodez=3)
    with pytest.raises(TypeError, match="must be names"):
        small(resources="cpu")


def test_frames_without_rows() -> None:
    made = small(apps={name: pa.array([], pa.string() if name == "name" else pa.float64()) for name in APPS}, limits=None)
    assert made.plan("ff").nodes_in_use == 0
    assert len(made.plan("ff").placements()) == 0 and len(made.headroom_of_apps().frame()) == 0
    none = {
        "app": pl.Series([], dtype=pl.String),
        "other": pl.Series([], dtype=pl.String),
        "at_most": pl.Series([], dtype=pl.UInt32),
    }
    assert small(apps={**APPS, "max_per_node": [None, None]}, limits=pl.DataFrame(none)).columns.limits is None


def test_a_large_instance_of_frames() -> None:
    # The size of the published instances with limits of 1 %. benchmarks/overhead.py measures the time.
    apps, limits = 9338, 871_889
    draw = np.random.default_rng(1)
    names = np.array([f"app-{k}" for k in range(apps)], object)
    pairs = np.unique(draw.integers(0, apps * apps, limits))
    frame = pl.DataFrame({"name": names.tolist(), "replicas": 1, "cpu": 1.0, "memory": 1.0})
    rows = pl.DataFrame({"app": names[pairs // apps].tolist(), "other": names[pairs % apps].tolist(), "at_most": 1})
    made = stowage.Instance.from_frames(frame, {"cpu": [32.0], "memory": [64.0]}, limits=rows)
    read = made.columns.limits
    assert read is not None
    row = np.repeat(np.arange(apps), np.diff(read.row_begin))
    assert np.array_equal(np.sort(row * apps + read.app), pairs)


# ----------------------------------------------------------------------------------------------------------------- frames out


def test_answers_are_frames_for_all() -> None:
    cluster = small()
    plan = cluster.plan("ff", node_limit=1)
    expected = {"app": ["web", "db"], "replicas": [1, 1]}
    left = plan.left_over()
    assert repr(left) == "<stowage.Frame of 2 rows: app, replicas>"
    assert pl.DataFrame(left).to_dict(as_series=False) == expected
    assert pa.table(left).to_pydict() == expected
    assert pd.DataFrame.from_arrow(left).to_dict("list") == expected
    assert pd.DataFrame(dict(left)).to_dict("list") == expected
    assert {name: column.tolist() for name, column in left.columns.items()} == expected and list(left) == list(expected)
    # What comes out goes in again.
    room = cluster.headroom_of_apps(plan).frame()
    assert pl.DataFrame(room).columns == ["app", "room", "nodes", "most", "spare_room", "coupled"]
    assert pl.DataFrame(room)["coupled"].dtype == pl.Boolean and room["app"].tolist() == ["web", "db"]
    again = stowage.Instance.from_frames(APPS, {**CLASSES, "count": [2]})
    assert again.headroom_of_apps(again.plan("ff")).frame()["app"].tolist() == ["web", "db"]


def test_nodes_and_placements_have_names() -> None:
    shop = stowage.Instance.load(ROOT / "capi/cli/examples/shop.json")
    plan = shop.plan("ff")
    nodes, placed = plan.nodes(), plan.placements()
    assert nodes["name"].tolist()[0] == "old-1" and set(nodes["name"].tolist()[1:]) == {None}
    assert set(nodes["class"].tolist()) <= {"medium", "large"}
    assert nodes["replicas"].sum() == placed["replicas"].sum() == shop.replicas.sum()
    assert np.array_equal(np.stack([nodes["cpu_share"], nodes["memory_share"]], 1), shop.picture(plan).use)
    frame = pl.DataFrame(placed)
    on_old = dict(frame.filter(pl.col("name") == "old-1").select("app", "replicas").iter_rows())
    assert on_old["database"] == 1 and on_old["search"] == 1
    per_app = dict(frame.group_by("app").agg(pl.col("replicas").sum()).iter_rows())
    assert per_app == dict(zip(shop.columns.apps.names or [], shop.replicas.tolist(), strict=True))


def test_losses_are_frames() -> None:
    shop = stowage.Instance.load(ROOT / "capi/cli/examples/shop.json")
    losses = shop.losses(shop.plan("ff"), label="zone")
    frame = pl.DataFrame(losses.frame())
    assert sorted(frame["name"].to_list()) == ["a", "b"]
    assert frame["replicas"].to_list() == [one.replicas for one in losses] and frame["left"].to_list() == [
        one.left for one in losses
    ]
    worst = losses[0]
    assert repr(losses) == f"<stowage.Losses: 2, the worst leaves {worst.left} of {worst.replicas} replicas without a place>"
    moves = pl.DataFrame(losses.moves())
    assert moves["count"].sum() == sum(one.replicas for one in losses)
    assert set(moves["app"].to_list()) <= set(shop.columns.apps.names or [])
    assert moves.filter(pl.col("to") == stowage.NONE)["count"].sum() == sum(one.left for one in losses)


def test_a_session_has_frames_of_positions() -> None:
    session = stowage.Session(stowage.Instance.from_dict(SMALL))
    plan = session.plan("ff")
    assert plan.cluster is None and plan.placements()["app"].tolist() == [0, 0, 1] and "cpu_share" not in plan.nodes().keys()
    with pytest.raises(stowage.StowageError, match="does not know its instance"):
        plan.plot()
    again = stowage.Plan.read(plan.data, stowage.Instance(session.snapshot()))
    assert again.placements()["app"].tolist() == ["web", "web", "db"]
    assert session.instance().headroom_of_apps().frame()["app"].tolist() == [0, 1]


def test_without_the_extra_its_name_is_said() -> None:
    program = (
        "import sys; sys.modules['arro3'] = None; sys.modules['arro3.core'] = None; sys.modules['matplotlib'] = None\n"
        "import stowage, copy\n"
        f"cluster = stowage.Instance.from_dict({SMALL!r}); plan = cluster.plan('ff')\n"
        "assert dict(plan.left_over())['app'].tolist() == []\n"
        "for call in (lambda: stowage.Instance.from_frames({}, {}), plan.left_over().__arrow_c_stream__, plan.plot):\n"
        "    try: call()\n"
        "    except ImportError as failure: print(failure)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert found.count("stowage-planner[frames]") == 2 and found.count("stowage-planner[plot]") == 1, found


# ------------------------------------------------------------------------------------------------------------ derived instances


def test_columns_are_views_that_refuse_changes() -> None:
    cluster = small()
    assert not cluster.demand.flags.owndata and not cluster.replicas.flags.owndata
    for column in (cluster.demand, cluster.replicas, cluster.capacity):
        with pytest.raises(ValueError, match="read-only"):
            column *= 2


def test_derived_instances_have_other_columns() -> None:
    cluster = small()
    made = cluster.derived(demand=cluster.demand * 1.25, replicas=[4, 1], capacity=[[10, 20]], counts={"standard": 3})
    assert made.demand.tolist() == [[2.5, 5], [5, 10]] and made.replicas.tolist() == [4, 1]
    assert made.capacity.tolist() == [[10, 20]] and made.columns.classes[0].count == 3
    assert cluster.fingerprint == small().fingerprint
    assert cluster.derived().fingerprint == cluster.fingerprint
    assert cluster.derived(demand=np.full((2, 2), 3)).demand.tolist() == [[3, 3], [3, 3]]
    two = small(classes={"name": ["standard", "large"], "cpu": [8, 16], "memory": [16, 32]}, nodes={"name": ["n"], "class": ["large"]})
    large = two.derived(classes=["large"], counts={"large": 3})
    assert large.capacity.tolist() == [[16, 32]] and large.columns.nodes is not None and large.columns.nodes.node_class.tolist() == [0]
    assert large.verify(large.plan("ff")).ok and two.derived(classes=[1, "standard"]).fingerprint == two.fingerprint
    with pytest.raises(stowage.StowageError) as refused:
        two.derived(classes=["standard"])
    assert str(refused.value) == 'classes: the class "large" has to stay: listed node 0 is of it'
    for changes, path in (
        ({"demand": [1, 2]}, "demand"), ({"replicas": [1.5, 1]}, "replicas"), ({"replicas": [1]}, "replicas"),
        ({"capacity": [[-1, 2]]}, "classes[0].capacity"), ({"counts": {"large": 1}}, "counts"), ({"counts": {1: 1}}, "counts"),
        ({"classes": ["large"]}, "classes"), ({"classes": []}, "classes"),
    ):  # fmt: skip
        with pytest.raises(stowage.StowageError) as caught:
            cluster.derived(**changes)
        assert caught.value.path.startswith(path), changes


def test_scaled_instances() -> None:
    cluster = small()
    assert cluster.scaled(demand=1.25).demand.tolist() == [[2.5, 5], [5, 10]]
    assert cluster.scaled(demand={"cpu": 2}).demand.tolist() == [[4, 4], [8, 8]]
    assert cluster.scaled(replicas=1.1).replicas.tolist() == [4, 2]
    ten = cluster.derived(replicas=[10, 30])
    assert ten.scaled(replicas=1.1).replicas.tolist() == [11, 33]
    assert cluster.scaled(capacity={"memory": 0.5}).capacity.tolist() == [[8, 8]]
    assert cluster.scaled(demand=2, capacity=2).plan("ff").nodes_in_use == cluster.plan("ff").nodes_in_use
    description = copy.deepcopy(everything())
    description["apps"][1]["support"] = {"memory": [3, 6]}
    doubled = stowage.Instance.from_dict(description).scaled(demand=2).columns
    whole = stowage.Instance.from_dict(description).columns
    for name, factor in (("demand", 2), ("variance", 4), ("support_min", 2), ("support_max", 2)):
        assert np.array_equal(getattr(doubled.apps, name), getattr(whole.apps, name) * factor), name
    for changes in (
        {"demand": -1},
        {"demand": {"gpu": 1}},
        {"replicas": float("nan")},
        {"replicas": 1e9},
        {"capacity": float("inf")},
        {"limits": 1.01},
        {"limits": -0.1},
    ):
        with pytest.raises(stowage.StowageError):
            cluster.scaled(**changes)


def test_the_library_derives_what_numpy_scales() -> None:
    cluster = stowage.Instance.from_dict(everything())
    for change, scaled in (
        (stowage.records.Derivation(demand=1.25), {"demand": 1.25}),
        (stowage.records.Derivation(replicas=1.1), {"replicas": 1.1}),
        (stowage.records.Derivation(capacity=1.5), {"capacity": 1.5}),
        (stowage.records.Derivation(limits=0.5), {"limits": 0.5}),
        (stowage.records.Derivation(by_resource=[stowage.records.ResourceFactors(name="cpu", demand=0.3)]), {"demand": {"cpu": 0.3}}),
    ):
        ours, theirs = cluster.derive(change), cluster.scaled(**scaled)
        for name in ("replicas", "demand", "variance", "support_min", "support_max"):
            one, other = getattr(ours.columns.apps, name), getattr(theirs.columns.apps, name)
            assert (one is None) == (other is None) and (one is None or np.array_equal(one, other)), (name, scaled)
        assert np.array_equal(ours.capacity, theirs.capacity), scaled
        assert ours.derive(stowage.records.Derivation()).fingerprint == theirs.derive(stowage.records.Derivation()).fingerprint
    whole = workload(100, 50)
    for share in (0.0, 0.1, 0.5, 0.9):
        ours, theirs = whole.derive(stowage.records.Derivation(limits=share)), whole.scaled(limits=share)
        assert ours.fingerprint == theirs.derive(stowage.records.Derivation()).fingerprint


def test_derived_instances() -> None:
    cluster = small()
    grown = cluster.derive(stowage.records.Derivation(by_app=[stowage.records.AppChange(name="web", replicas=20)]))
    assert grown.has_data and grown.replicas.tolist() == [20, 1] and grown.fingerprint != cluster.fingerprint
    again = stowage.Instance(grown.data)
    assert again.fingerprint == grown.fingerprint and again.plan("ff").data == grown.plan("ff").data
    assert grown.explain(grown.plan("ff"), "web") is not None
    for change, path in (
        (stowage.records.Derivation(demand=-1), "demand"),
        (stowage.records.Derivation(by_app=[stowage.records.AppChange(name="cache")]), "by_app[0].name"),
    ):
        with pytest.raises(stowage.StowageError) as caught:
            cluster.derive(change)
        assert caught.value.path == path
    with pytest.raises(stowage.StowageError) as caught:
        cluster.derive(stowage.records.Derivation(replicas=2), limits={"max_replicas": 5})
    assert caught.value.status == stowage.Status.LIMIT_EXCEEDED


def test_a_share_of_the_limits() -> None:
    def arcs(cluster: stowage.Instance) -> set[tuple[int, int, int]]:
        limits = cluster.columns.limits
        assert limits is not None
        source = np.repeat(np.arange(len(limits.row_begin) - 1), np.diff(limits.row_begin))
        return set(zip(source.tolist(), limits.app.tolist(), limits.at_most.tolist(), strict=True))

    cluster = workload(100, 50)
    columns = cluster.copy()
    assert columns.limits is not None
    # The first limit of each app becomes one on itself.
    columns.limits.app[::50] = np.arange(100, dtype=np.uint32)
    columns.limits.at_most[::50] = 1
    whole = stowage.Instance.from_columns(columns)
    before: set[tuple[int, int, int]] = set()
    for share in (0, 0.1, 0.5, 0.9, 1):
        thinned = whole.scaled(limits=share)
        found = arcs(thinned)
        others = {arc for arc in found if arc[0] != arc[1]}
        assert found >= before and len(found - others) == 100
        assert abs(len(others) - share * 49 * 100) <= 4 * (share * (1 - share) * 4900) ** 0.5
        before = found
    assert before == arcs(whole) and whole.scaled(limits=1).fingerprint == whole.fingerprint
    assert small().scaled(limits=0.0).columns.limits is not None


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "tests/conformance/instances").glob("*.stow")))
def test_instances_scaled_by_one_are_the_same(name: str) -> None:
    cluster = stowage.Instance(instance_bytes(name))
    assert cluster.scaled().fingerprint == cluster.fingerprint
