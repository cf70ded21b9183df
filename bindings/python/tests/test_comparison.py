"""The model of CP-SAT in benchmarks/: what it plans passes the checker, and its optimum is what `auto` finds."""

import importlib.util
import pathlib
import sys
from typing import Any

import pytest
from support import ROOT

import stowage

BENCHMARKS = ROOT / "bindings/python/benchmarks"


@pytest.fixture(scope="module")
def cpsat() -> Any:
    pytest.importorskip("ortools", reason="there is no ortools: the model of CP-SAT in docs/research/comparison.md")
    spec = importlib.util.spec_from_file_location("cpsat", BENCHMARKS / "cpsat.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules["cpsat"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def classes(*zones: str) -> list[dict[str, Any]]:
    return [
        {"name": f"{size}-{zone}", "capacity": {"cpu": cpu, "memory": 2 * cpu}, "price": price, "labels": {"zone": zone, "arch": arch}}
        for zone in zones
        for size, cpu, price, arch in (("small", 4, 1.0, "arm"), ("large", 8, 2.25, "x86"))
    ]


LIMITS: dict[str, Any] = {
    "stowage": 1,
    "resources": {"cpu": "cores", "memory": "GiB"},
    "classes": [{"name": "node", "capacity": {"cpu": 8, "memory": 16}}],
    "apps": [
        {"name": "web", "replicas": 5, "demand": {"cpu": 1.5, "memory": 2}, "max_per_node": 2},
        {"name": "db", "replicas": 2, "demand": {"cpu": 3, "memory": 8}, "limits": {"web": 1}},
        {"name": "cache", "replicas": 3, "demand": {"cpu": 1, "memory": 5}, "limits": {"db": 0}},
    ],
}
RULES: dict[str, Any] = {
    "stowage": 1,
    "resources": {"cpu": "cores", "memory": "GiB"},
    "classes": classes("a", "b"),
    "groups": [{"name": "zone", "by_label": "zone"}],
    "apps": [
        {"name": "web", "replicas": 5, "demand": {"cpu": 1, "memory": 2}, "max_per_node": 2},
        {"name": "db", "replicas": 3, "demand": {"cpu": 2, "memory": 4}},
        {"name": "job", "replicas": 2, "demand": {"cpu": 1, "memory": 1}, "limits": {"db": 0}},
    ],
    "rules": [
        {"name": "even", "all_of": [{"kind": "skew", "subject": ["appID:web"], "max": 1, "group": "zone"}]},
        {"name": "x86", "all_of": [{"subject": ["appID:db"], "target": ["arch=x86"], "min": 1}]},
    ],
}


@pytest.mark.parametrize("description", [LIMITS, RULES], ids=["limits", "rules"])
def test_optimum(cpsat: Any, description: dict[str, Any], tmp_path: pathlib.Path) -> None:
    cluster = stowage.Instance.from_dict(description)
    plan = cluster.plan("auto", work_limit=2_000_000)
    outcome = cpsat.Model(description, plan.nodes_in_use + 2).solve(60, 1)
    assert outcome.status == "optimal"
    best = plan.cost if plan.cost_bound is not None else plan.nodes_in_use
    assert best == pytest.approx(outcome.value)
    # Neither proves more than holds.
    bound = plan.cost_bound if plan.cost_bound is not None else plan.node_bound
    assert bound is not None and bound.value <= outcome.value + 1e-6
    assert sum(node.get("web", 0) for _, node in outcome.nodes) == 5


def test_without_a_rule_it_is_cheaper(cpsat: Any) -> None:
    free = {**RULES, "rules": RULES["rules"][:1]}
    slots = stowage.Instance.from_dict(RULES).plan("auto", work_limit=2_000_000).nodes_in_use + 2
    bound, freed = (cpsat.Model(one, slots).solve(60, 1).value for one in (RULES, free))
    assert freed < bound


def test_unknown_parts_are_refused(cpsat: Any) -> None:
    with pytest.raises(ValueError, match="periods"):
        cpsat.Model({**LIMITS, "periods": 2}, 3)
    with pytest.raises(ValueError, match="no rules like"):
        cpsat.Model({**RULES, "rules": [{"all_of": [{"subject": ["appID:web"], "max": 1}]}]}, 3)
