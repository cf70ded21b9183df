"""Plans an instance without limits and rules by the local search of Meta's Rebalancer, beside what compare.py prints
(docs/research/comparison.md).

Usage: rebalancing.py STOWAGE SECONDS    STOWAGE: the command

Needs Python 3.12 and the package rebalancer. The instance is "two resources, 100 items" of compare.py. The search starts from the plan
of ff and ends where no move helps, or after SECONDS of wall-clock time.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

from rebalancer import ProblemSolver
from rebalancer import specs as of

INSTANCE = ["packing", "--class", "ct9", "--items", "100", "--seed", "1"]
MOVES = [of.MoveTypeSpec(singleMoveTypeSpec=of.SingleMoveTypeSpec()), of.MoveTypeSpec(swapMoveTypeSpec=of.SwapMoveTypeSpec())]


def problem(instance: dict[str, Any], start: dict[str, list[str]]) -> Any:
    solver = ProblemSolver(service_name="stowage", service_scope="comparison")
    solver.set_object_name("item").set_container_name("node").set_assignment(start)
    (node,) = instance["classes"]
    for resource in instance["resources"]:
        solver.add_object_dimension(resource, {app["name"]: float(app["demand"][resource]) for app in instance["apps"]})
        solver.add_container_dimension(resource, {}, default_value=float(node["capacity"][resource]))
        capacity = of.CapacitySpec(name=resource, scope="node", dimension=resource)
        solver.add_constraint(of.ConstraintSpec(capacitySpec=capacity))
    fewest = of.MinimizeContainersSpec(name="fewest", scope="node", dimension=next(iter(instance["resources"])))
    solver.add_goal(of.GoalSpec(minimizeContainersSpec=fewest))
    return solver


def fits(instance: dict[str, Any], nodes: dict[str, list[str]]) -> bool:
    demand = {app["name"]: app["demand"] for app in instance["apps"]}
    capacity = instance["classes"][0]["capacity"]
    return sorted(name for node in nodes.values() for name in node) == sorted(demand) and all(
        sum(demand[name][resource] for name in node) <= capacity[resource] for node in nodes.values() for resource in capacity
    )


def main(command: str, seconds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, first = pathlib.Path(folder) / "instance.json", pathlib.Path(folder) / "ff.json"
        subprocess.run([command, "generate", *INSTANCE, "--output", path], check=True, capture_output=True)
        subprocess.run([command, "plan", path, "--planner", "ff", "--output", first], check=True, capture_output=True)
        instance = json.loads(path.read_text(encoding="utf-8"))
        plan = json.loads(first.read_text(encoding="utf-8"))
    start = {f"node-{index}": list(node["replicas"]) for index, node in enumerate(plan["nodes"])}
    search = of.LocalSearchSolverSpec(solveTime=seconds, moveTypeList=MOVES)
    began = time.process_time()
    found = problem(instance, start).add_solver(of.SolverSpec(localSearchSolverSpec=search)).solve()["assignment"]
    used = time.process_time() - began
    nodes: dict[str, list[str]] = {}
    for item, node in found.items():
        nodes.setdefault(node, []).append(item)
    if not fits(instance, nodes):
        raise AssertionError("a node is too full, or an item is missing")
    print(f"from {len(start)} nodes to {len(nodes)}, {used:.1f} processor seconds")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
