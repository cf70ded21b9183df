"""Instances and plans: failures, running and cancelling, threads, memory, and what people see."""

import copy
import ctypes
import gc
import io
import json
import math
import os
import pathlib
import pickle
import re
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pytest
import tqdm
from support import ROOT, SMALL, instance_bytes, workload

import stowage
from stowage import records
from stowage._codec import read
from stowage._instance import encoded, request_bytes
from stowage._read.goals import goal_words


@pytest.fixture(scope="module")
def hard() -> stowage.Instance:
    return workload(300, 250)


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    description = copy.deepcopy(SMALL)
    change(description)
    return description


# ------------------------------------------------------------------------------------------------------------------- plans


def test_plans_have_columns_that_are_views() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    plan = cluster.plan("ff")
    assert plan.status is records.PlanStatus.OPTIMAL
    assert plan.complete and plan.nodes_in_use == 2 and plan.replicas_unplaced == 0
    assert plan.placed.tolist() == [(0, 0, 2), (0, 1, 1), (1, 1, 1)]
    assert plan.table(2).tolist() == [[2, 1], [0, 1]]
    assert not plan.placed.flags.owndata and not plan.placed.flags.writeable
    assert not cluster.columns.apps.demand.flags.owndata
    assert plan.node_bound is not None and plan.node_bound.value == 2
    assert repr(plan) == "<stowage.Plan by ff: optimal, 2 nodes, at least 2, gap 0.00%>"
    assert repr(cluster) == "<stowage.Instance 'small': 2 apps; 4 replicas; cpu, memory; 1 node classes; 2 limits>"


#: Three replicas, of which a node holds one.
APART = {
    "stowage": 1,
    "resources": {"cpu": "cores"},
    "classes": [{"name": "standard", "capacity": {"cpu": 10}, "labels": ["rack=r1"]}],
    "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": 6}}, {"name": "none", "replicas": 0, "demand": {"cpu": 1}}],
}


def test_plans_survive_losses_as_by_hand() -> None:
    cluster = stowage.Instance.from_dict(APART)
    plan = cluster.plan("ff", survive="*")
    assert plan.survive == "*" and plan.survives and plan.status is records.PlanStatus.OPTIMAL
    # One node more than hold replicas: the loss of any is borne.
    assert plan.nodes_in_use == 4 and len(plan.placed) == 3
    assert plan.node_bound is not None and (plan.node_bound.name, plan.node_bound.value) == ("survival", 4)
    assert cluster.verify(plan).ok
    assert repr(plan).endswith("survives the loss of any node>")
    tight = cluster.plan("ff", survive="*", node_limit=3)
    assert tight.survives is False and tight.not_survived == 1 and tight.status is records.PlanStatus.PARTIAL
    assert tight.notes[0].code is records.NoteCode.PROMISE
    assert repr(tight).endswith("does not survive the loss of any node>")
    tight.not_survived = 2**64 - 1
    assert stowage.Plan.read(encoded(tight, b"STOP")).survives is None
    assert cluster.plan("ff").survives is None


def test_plans_leave_racks_free_as_by_hand() -> None:
    cluster = stowage.Instance.from_dict(APART)
    plan = cluster.plan("ff", leave_free="rack")
    assert (plan.leave_free, plan.domains_in_use, plan.domain_bound) == ("rack", 1, 1)
    assert plan.status is records.PlanStatus.OPTIMAL
    assert repr(plan).endswith("rack: 1 in use>")
    plain = cluster.plan("ff")
    assert (plain.leave_free, plain.domains_in_use, plain.domain_bound) == (None, 0, 0)


def test_plans_keep_room_as_by_hand() -> None:
    cluster = stowage.Instance.from_dict(APART)
    plan = cluster.plan("ff", keep={"web": 2})
    assert plan.reserved is not None and plan.reserved.tolist() == [(0, 3, 1), (0, 4, 1)]
    assert plan.unreserved is None and plan.replicas_reserved == 2 and plan.nodes_in_use == 5 and len(plan.placed) == 3
    assert cluster.verify(plan).ok
    assert repr(plan).endswith("room for 2 more>")
    compact = cluster.plan("ff", keep={0: 2}, compact=True)
    assert compact.reserved is not None and len(compact.reserved) == 1 and compact.replicas_reserved == 2
    tight = cluster.plan(records.Request(planner="ff", node_limit=4, keep=np.array([(0, 2)], records.KEPT)))
    assert tight.unreserved is not None and tight.unreserved.tolist() == [(0, 1)] and tight.replicas_reserved == 1
    assert stowage.Session(cluster).plan("ff", keep={0: 2}).replicas_reserved == 2


def test_a_trace_tells_what_the_search_asked() -> None:
    cluster = stowage.Instance.from_dict(APART)
    parts = {part.name: part for part in cluster.plan("auto", work_limit=1000, trace=True).trace}
    assert parts["exchanges"].calls == 1 and parts["exchanges"].work > 0
    assert cluster.plan("auto", work_limit=1000).trace == []


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"survive": "zone"}, "survive"),
        ({"leave_free": "zone"}, "leave_free"),
        ({"keep": {7: 1}}, "keep[0].app"),
        ({"keep": [(0, 1), (0, 2)]}, "keep[1].app"),
        ({"keep": {"web": 0}}, "keep[0].replicas"),
        ({"keep": {"wep": 1}}, "app"),
    ],
)
def test_refused_promises_name_the_field(fields: dict[str, Any], path: str) -> None:
    with pytest.raises(stowage.StowageError) as refused:
        stowage.Instance.from_dict(APART).plan("ff", **fields)
    assert refused.value.path == path


def test_goals_are_records_kinds_and_words() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    resource = cluster.columns.resources[0].name
    given = ["cost~1%", stowage.GoalKind.MOVES, f"balance:{resource}*0.5,evenness", stowage.PlanGoal(what=stowage.GoalKind.TOTAL)]
    request = read(request_bytes("auto", None, {"goals": given}), records.Request, b"STOR")
    assert [goal_words(goal) for goal in request.goals] == ["cost~1%", "moves", f"balance:{resource}*0.5,evenness", "total"]
    told = cluster.plan("auto", work_limit=1000, goals=given[:3])
    assert [(stowage.GoalKind(goal.what).name, goal.resource, goal.beside, goal.weight, goal.tolerance) for goal in told.goals] == [
        ("COST", stowage.NONE, False, 1, 0.01), ("MOVES", stowage.NONE, False, 1, 0), ("BALANCE", 0, False, 0.5, 0),
        ("EVENNESS", stowage.NONE, True, 1, 0),
    ]  # fmt: skip
    assert [goal_words(goal) for goal in told.goals] == ["cost~0.01", "moves", "balance:0*0.5", "+ evenness"]
    assert read(request_bytes("auto", None, {}), records.Request, b"STOR").goals == []
    assert cluster.plan("ff").goals == []


@pytest.mark.parametrize(
    ("goals", "path"),
    [
        ("cost", "goals"),
        (["cost", "luck"], "goals[1].words"),
        (["cost~x"], "goals[0].words"),
        (["moves*many"], "goals[0].words"),
        ([""], "goals[0]"),
        ([200], "goals[0]"),
        (["balance:gpu"], "goals[0].words"),
    ],
)
def test_refused_goals_name_the_field(goals: Any, path: str) -> None:
    with pytest.raises(stowage.StowageError) as refused:
        stowage.Instance.from_dict(SMALL).plan("auto", goals=goals)
    assert refused.value.path == path
    with pytest.raises(stowage.StowageError) as refused:
        stowage.Session(stowage.Instance.from_dict(SMALL)).plan("auto", goals=goals)
    assert refused.value.path == path


def test_columns_can_be_changed() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    columns = cluster.copy()
    columns.apps.demand *= 2
    assert stowage.Instance.from_columns(columns).plan("ff").nodes_in_use > 2
    assert cluster.plan("ff").nodes_in_use == 2


def test_answers() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    plan = cluster.plan("ff", node_limit=1)
    assert plan.replicas_unplaced == 2
    found = cluster.verify(plan)
    assert found.ok and found.nodes == 1
    assert cluster.bound()[0].value == 2
    explanation = cluster.explain(plan)
    assert {one.app for one in explanation.report.apps} == set(plan.unplaced["app"].tolist())
    text = str(explanation)
    assert "unplaced" in text and "web" in text and "to place one more" in text
    assert "Everything is placed" in str(cluster.explain(cluster.plan("ff")))
    assert cluster.explain(plan, "db").report.apps[0].app == 1
    room = cluster.headroom(plan, "web", 0)
    assert room.room is not None and len(room.room) == 1 and room.obstacles
    every = cluster.headroom_of_apps(plan)
    assert every.room is not None and every.room[0] == room.room.sum()
    losses = cluster.losses(plan)
    assert losses and losses[0].replicas >= losses[0].left > 0
    assert losses[0].nodes is not None
    assert cluster.losses(plan, nodes=losses[0].nodes.tolist())[0].left == losses[0].left
    with pytest.raises(stowage.StowageError):
        cluster.losses(label="no-such-label")
    with pytest.raises(stowage.StowageError):
        cluster.headroom_of_apps(most=2_000_000_000)
    assert cluster.order_moves(cluster.plan("ff")).moved == 0
    assert "ff" in [one.name for one in stowage.planners()]


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "tests/conformance/instances").glob("*.stow")))
def test_every_explanation_has_text_and_every_plan_a_picture(name: str) -> None:
    cluster = stowage.Instance(instance_bytes(name))
    for node_limit in (0, 1):
        try:
            plan = cluster.plan("auto", work_limit=20_000, node_limit=node_limit)
        except stowage.StowageError as error:
            assert error.status in (stowage.Status.UNSUPPORTED, stowage.Status.INVALID)
            continue
        assert cluster.verify(plan).ok
        assert "None" not in str(cluster.explain(plan))
        picture = cluster.picture(plan)
        assert plan._repr_html_() == picture._repr_html_()
        assert picture.use.shape == (len(plan.node_class), len(cluster.columns.resources))
        assert np.all(picture.use >= 0)
        assert picture.svg.startswith("<svg") and picture._repr_html_().count("</svg>") == 1
        assert "<table>" in cluster._repr_html_()


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "tests/conformance/instances").glob("*.stow")))
def test_what_is_written_in_json_is_read_again(name: str) -> None:
    cluster = stowage.Instance(instance_bytes(name))
    written = cluster.to_json()
    again = stowage.Instance.from_json(written)
    # The order of pins, and of an app's limits, is that of the format.
    assert again.to_json() == written and (again.fingerprint == cluster.fingerprint or name == "busy")
    assert stowage.Instance.from_dict(json.loads(written)).data == again.data
    plan = cluster.plan("ff")
    read = stowage.Plan.from_json(plan.to_json(), cluster)
    assert read.cluster is cluster and read.to_json() == plan.to_json() and cluster.verify(read).ok
    told = plan.to_text(2)
    assert told.split()[0] in ("Buy", "Use", "Keep", "Free", "No") and "Checked independently" in told
    assert len(plan.to_text(0)) < len(told)
    with pytest.raises(ValueError, match="shown is -1"):
        plan.to_text(-1)
    page, picture = plan.to_html(), plan.to_svg()
    assert page.startswith("<!doctype html>") and "<h1>" in page and "<svg " in page
    assert picture.startswith("<svg ") and picture.endswith("</svg>\n")
    with pytest.raises(stowage.StowageError, match="does not know its instance"):
        stowage.Plan.read(plan.data).to_json()


def test_descriptions_may_have_arrays_and_mappings() -> None:
    demand = {"cpu": np.array([1.5, 2]), "memory": (np.float32(1), np.int64(2))}
    given = {**SMALL, "periods": np.uint8(2), "apps": [types.MappingProxyType({"name": "web", "demand": demand})]}
    assert stowage.Instance.from_dict(given).demand.tolist() == [[[1.5, 2], [1, 2]]]
    itself: list[Any] = []
    itself.append(itself)
    for wrong, path in ((b"web", "apps[0].name"), (itself, ""), (np.array([1, math.inf]), "apps[0].name[1]")):
        with pytest.raises(stowage.StowageError) as caught:
            stowage.Instance.from_dict({**SMALL, "apps": [{"name": wrong, "demand": {}}]})
        assert caught.value.path == path


def test_use_counts_loads_and_demand() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    assert cluster.picture(cluster.plan("ff")).use.tolist() == [[0.5, 0.5], [0.75, 0.75]]
    shop = stowage.Instance.load(ROOT / "capi/cli/examples/shop.json")
    plan = shop.plan("ff")
    use = {one.resource: one.demand for one in shop.explain(plan).report.resources}
    capacity = np.stack([one.capacity for one in shop.columns.classes])[plan.node_class]
    # Peaks of single nodes add up to at least the peak of all nodes, and to no more than all capacity.
    total = (shop.picture(plan).use * capacity).sum(axis=0)
    assert all(use[r] <= total[r] + 1e-9 <= capacity[:, r].sum() + 1e-6 for r in range(2))


def test_names_are_escaped_in_html() -> None:
    def rename(description: dict[str, Any]) -> None:
        description["name"] = "<script>"
        description["classes"][0]["name"] = "<b>"

    assert "<script>" not in (html := stowage.Instance.from_dict(changed(rename))._repr_html_()) and "<b>" not in html


def test_instances_plans_and_errors_can_be_pickled() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    again, plan = pickle.loads(pickle.dumps((cluster, cluster.plan("ff"))))
    assert again.fingerprint == cluster.fingerprint and again.verify(plan).ok
    error = pickle.loads(pickle.dumps(stowage.StowageError(stowage.Status.INVALID, "is wrong", "apps")))
    assert (error.status, error.message, error.path) == (stowage.Status.INVALID, "is wrong", "apps")


# ---------------------------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda d: d.update(stowage=2), "stowage"),
        (lambda d: d.pop("apps"), ""),
        (lambda d: d.update(more=1), "more"),
        (lambda d: d.update(periods=0), "periods"),
        (lambda d: d.update(periods=4294967295), "apps.demand"),
        (lambda d: d["apps"][0].update(replicas=-1), "apps[0].replicas"),
        (lambda d: d["apps"][0].update(replicas=1.5), "apps[0].replicas"),
        (lambda d: d["apps"][0].update(replicas=10**400), ""),
        (lambda d: d["apps"][0].update(replicas={1}), "apps[0].replicas"),
        (lambda d: d["apps"][0]["demand"].update(cpu=math.nan), "apps[0].demand.cpu"),
        (lambda d: d["apps"][0]["demand"].update(cpu="2 apples"), "apps[0].demand.cpu"),
        (lambda d: d["apps"][0]["demand"].update(disk=1), "apps[0].demand.disk"),
        (lambda d: d["apps"][0]["demand"].update(cpu=[1, 2]), "apps[0].demand.cpu"),
        (lambda d: d["apps"][1].update(name="web"), "apps[1].name"),
        (lambda d: d["apps"][1].pop("name"), "apps[1]"),
        (lambda d: d["apps"][1]["limits"].update(cache=1), "apps[1].limits.cache"),
        (lambda d: d["apps"][0].update(limits={"web": 1}), "apps[0].limits.web"),
        (lambda d: d["apps"][0].update(priority=2**31), "apps[0].priority"),
        (lambda d: d["apps"][0].update(kind="heavy"), "apps[0].kind"),
        (lambda d: d["classes"][0].pop("capacity"), "classes[0]"),
        (lambda d: d["classes"][0]["capacity"].pop("cpu"), "classes[0].capacity"),
        (lambda d: d.update(nodes=[{"class": "other"}]), "nodes[0].class"),
        (lambda d: d.update(nodes=[{"running": {"web": "2"}}]), "nodes[0].running.web"),
        (lambda d: d.update(groups=[{"name": "node"}]), "groups[0].name"),
        (lambda d: d.update(rules=[{}]), "rules[0]"),
        (lambda d: d.update(rules=[{"all_of": [{"subject": "a", "group": "row"}]}]), "rules[0].all_of[0].group"),
        (lambda d: d.update(uncertainty={"confidence": "high"}), "uncertainty.confidence"),
        (lambda d: d.update(uncertainty={"model": "normal"}), "uncertainty.model"),
    ],
)
def test_a_wrong_description_is_refused_with_its_path(change: Callable[[dict[str, Any]], object], path: str) -> None:
    with pytest.raises(stowage.StowageError) as caught:
        stowage.Instance.from_dict(changed(change))
    assert caught.value.path == path and caught.value.message
    assert str(caught.value).startswith(path)


def test_bytes_and_text_that_are_nothing_are_refused() -> None:
    whole = instance_bytes("racks")
    for data in (b"", b"STOI", whole[:100], whole[:-200], b"\xff" * 64):
        with pytest.raises(stowage.StowageError) as caught:
            stowage.Instance(data)
        assert caught.value.status is stowage.Status.MALFORMED
        with pytest.raises(stowage.StowageError):
            stowage.Session(data)
    for text in ("", "{", "[" * 100_000, "[]", "1", '{"stowage": 1, "stowage": 1}'):
        with pytest.raises(stowage.StowageError):
            stowage.Instance.from_json(text)


def test_damaged_plans_are_refused_or_read_but_never_crash() -> None:
    cluster = stowage.Instance(instance_bytes("shop"))
    data = cluster.plan("ff").data
    for cut in range(0, len(data), 7):
        with pytest.raises(stowage.StowageError):
            cluster.verify(data[:cut])
    for at in range(0, min(len(data), 600)):
        for byte in (0, 0x7F, 0xFF):
            damaged = data[:at] + bytes([byte]) + data[at + 1 :]
            try:
                repr(stowage.Plan.read(damaged))
            except stowage.StowageError as error:
                assert error.status is stowage.Status.MALFORMED


def test_wrong_columns_and_requests_are_refused() -> None:
    cluster = stowage.Instance.from_dict(SMALL)
    for column, name in ((np.array([1, -1]), "replicas"), (np.array([1.5, 1]), "replicas"), (np.array([2**40, 1]), "replicas")):
        columns = cluster.copy()
        columns.apps.replicas = column
        with pytest.raises(stowage.StowageError) as caught:
            stowage.Instance.from_columns(columns)
        assert caught.value.path == f"apps.{name}"
    columns = cluster.copy()
    columns.apps.names = ["web", 3]  # type: ignore[list-item]
    with pytest.raises(stowage.StowageError, match="3 is no text") as caught:
        stowage.Instance.from_columns(columns)
    assert caught.value.path == "apps.names[1]"
    columns.apps.names = ["a", "é" * 40_000]
    columns.name, columns.tags = "", [character * length for length in range(1, 9) for character in "aé漢"]
    again = stowage.Instance.from_columns(columns).columns
    assert again.apps.names == columns.apps.names and again.tags == columns.tags
    columns = cluster.copy()
    columns.apps.demand[3] = math.nan
    with pytest.raises(stowage.StowageError) as caught:
        stowage.Instance.from_columns(columns)
    assert caught.value.status is stowage.Status.INVALID and caught.value.path == "apps.demand[3]"
    for arguments, status in (
        ({"planner": "nobody"}, stowage.Status.NOT_FOUND),
        ({"options": {"nothing": 1}}, stowage.Status.NOT_FOUND),
        ({"seed": -1}, stowage.Status.INVALID),
        ({"node_limit": 2**32}, stowage.Status.INVALID),
        ({"soft": "sometimes"}, stowage.Status.INVALID),
    ):
        with pytest.raises(stowage.StowageError) as caught:
            cluster.plan(**arguments)
        assert caught.value.status is status
    with pytest.raises(TypeError):
        cluster.plan("ff", nodes=3)
    with pytest.raises(stowage.StowageError):
        cluster.explain(cluster.plan("ff"), "nobody")
    with pytest.raises(stowage.StowageError):
        cluster.explain(cluster.plan("ff"), 2**33)
    with pytest.raises(stowage.StowageError) as caught:
        stowage.Instance(cluster.data, limits={"max_apps": 1})
    assert caught.value.status is stowage.Status.LIMIT_EXCEEDED


def test_requests_that_are_equal_are_written_once() -> None:
    first = request_bytes("auto", {"portfolio": 2}, {"seed": 3, "soft": "last"})
    assert request_bytes("auto", {"portfolio": 2}, {"soft": "last", "seed": 3}) == first
    assert request_bytes("auto", {"portfolio": 2}, {"seed": 3, "soft": "last"}) is first
    assert request_bytes("auto", {"portfolio": 2}, {"seed": 4, "soft": "last"}) != first
    with pytest.raises(stowage.StowageError):
        request_bytes("auto", None, {"seed": [1]})


# ------------------------------------------------------------------------------------------------------------------ import


def test_an_import_loads_little() -> None:
    # What takes long to import waits until it is needed. benchmarks/overhead.py measures the time.
    slow = {
        "arro3", "argparse", "asyncio", "concurrent", "dask", "dataclasses", "flatbuffers", "inspect", "json", "logging", "matplotlib",
        "multiprocessing", "numpy", "pandas", "pathlib", "polars", "ray", "subprocess", "tempfile", "urllib",
    }  # fmt: skip
    program = f"import stowage, sys; print(*sorted({slow} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split() == []


# ------------------------------------------------------------------------------------------------------------------- types


def test_the_types_of_a_program_are_checked(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import stowage\n"
        "cluster = stowage.Instance.load('cluster.json')\n"
        "plan = cluster.plan('ff', progress=lambda one: print(one.work))\n"
        "reveal_type(plan.placed)\n"
        "reveal_type(cluster.explain(plan).report.node_bound)\n"
        "cluster.plan(3)\n"
        "made = stowage.Instance.from_frames({'cpu': [1]}, {'cpu': [2]}, resources=['cpu'], name='made')\n"
        "reveal_type(made.scaled(demand={'cpu': 2}).losses(plan).frame())\n"
        "reveal_type(made.headroom_of_apps().frame()['room'])\n"
        "reveal_type(plan.plot())\n"
        "reveal_type(stowage.Request(planner='ff').replace(seed=1))\n"
        "reveal_type(stowage.sweep(stowage.Scenario.grid(cluster, demand=[1, 2]), work_limit=5))\n"
        "reveal_type(stowage.fleet({'a': cluster}, work_limit=5)['a'])\n"
        "stowage.Request(seed='1', planner='ff')\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / "build/python-mypy"), str(program)], capture_output=True, text=True
    )
    assert "ndarray" in run.stdout and '"float"' in run.stdout, run.stdout
    for kind in ("stowage._show.frame.Frame", "matplotlib.axes._axes.Axes", "stowage.records.Request", "stowage._sweep.table.Sweep", "stowage._plan.Plan"):
        assert f'Revealed type is "{kind}"' in run.stdout, run.stdout
    wrong = [line for line in run.stdout.splitlines() if "error:" in line]
    assert len(wrong) == 2 and "program.py:6: error" in wrong[0] and "program.py:14: error" in wrong[1], run.stdout
