"""Plans the same instances by Stowage and by OR-Tools' CP-SAT, with the same processor time, and prints what docs/research/comparison.md shows.

Usage: compare.py STOWAGE [SECONDS...]    STOWAGE: the command; default: 10 60

Needs the package ortools. Seconds are of processor time per thread or worker, of which each has two, since other programs may use the
machine meanwhile. Every plan of CP-SAT is checked by `stowage verify`.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

import cpsat

import stowage

THREADS = 2
INSTANCES = {
    "1 % limits, 400 apps": ["--lras", "400", "--density", "1%", "--seed", "1"],
    "10 % limits, 100 apps": ["--lras", "100", "--density", "10%", "--seed", "2"],
    "two resources, 100 items": ["packing", "--class", "ct9", "--items", "100", "--seed", "1"],
    "prices, selectors, 60 apps": ["cluster", "--apps", "60", "--features", "limits+selectors", "--seed", "1"],
    "prices, spread over zones, exclusions, 60 apps": [
        *("cluster", "--apps", "60", "--features", "spread-hard", "--exclusions", "3", "--seed", "1"),
    ],
}


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.stdout}{done.stderr}")


def planned(instance: stowage.Instance, seconds: float) -> tuple[float, float, float, stowage.Plan]:
    """The value, the bound and the processor seconds of a plan by auto."""
    began = time.process_time()
    control = stowage.Control()

    def watch(_: stowage.Progress) -> None:
        if time.process_time() - began > seconds * THREADS:
            control.cancel()

    plan = instance.plan("auto", threads=THREADS, deadline_ms=round(100_000 * seconds), progress=watch, control=control)
    if not instance.verify(plan).ok or not plan.complete:
        raise AssertionError("the plan of auto is not right")
    bound = plan.cost_bound or plan.node_bound
    assert bound is not None
    return plan.cost if plan.cost_bound else plan.nodes_in_use, bound.value, time.process_time() - began, plan


def verified(command: str, path: pathlib.Path, outcome: cpsat.Outcome) -> None:
    """Fails for a plan of CP-SAT that breaks a constraint."""
    file = path.with_suffix(".plan.csv")
    rows = [
        f"{name}-{index},{app},{replicas}" for index, (name, node) in enumerate(outcome.nodes, 1) for app, replicas in node.items()
    ]
    file.write_text("\n".join(["node,app,replicas", *rows]) + "\n", encoding="utf-8")
    run(command, "verify", str(path), str(file))


def model_of(command: str, path: pathlib.Path, cluster: stowage.Instance) -> cpsat.Model:
    """A model with as many slots as the plan of ff has nodes, which it starts from; with prices, where that plan is of the smallest
    nodes, half more slots than a plan of auto has nodes.
    """
    description = json.loads(path.read_text(encoding="utf-8"))
    if len(description["classes"]) > 1:
        return cpsat.Model(description, planned(cluster, 1)[3].nodes_in_use * 3 // 2)
    first = path.with_suffix(".ff.json")
    run(command, "plan", str(path), "--planner", "ff", "--output", str(first))
    nodes = [node["replicas"] for node in json.loads(first.read_text(encoding="utf-8"))["nodes"] for _ in range(node.get("copies", 1))]
    model = cpsat.Model(description, len(nodes))
    model.hint(nodes)
    return model


def compare(command: str, path: pathlib.Path, times: list[float]) -> list[list[Any]]:
    cluster = stowage.Instance.from_json(path.read_text(encoding="utf-8"))
    rows: list[list[Any]] = []
    for seconds in times:
        value, bound, used, _ = planned(cluster, seconds)
        rows.append(["auto", seconds, f"{value:.6g}", f"{bound:.6g}", f"{value / bound - 1:.2%}", f"{used:.1f}"])
        began = time.process_time()
        outcome = model_of(command, path, cluster).solve(seconds, THREADS)
        used = time.process_time() - began
        if outcome.value is None:
            rows.append(["CP-SAT", seconds, outcome.status, f"{outcome.bound:.6g}", "", f"{used:.1f}"])
            continue
        verified(command, path, outcome)
        gap = outcome.value / outcome.bound - 1 if outcome.bound > 0 else float("inf")
        rows.append(["CP-SAT", seconds, f"{outcome.value:.6g}", f"{outcome.bound:.6g}", f"{gap:.2%}", f"{used:.1f}"])
    return rows


def main(command: str, times: list[float]) -> None:
    out = csv.writer(sys.stdout)
    out.writerow(["instance", "solver", "limit", "value", "bound", "gap", "processor seconds"])
    with tempfile.TemporaryDirectory() as folder:
        for index, (name, arguments) in enumerate(INSTANCES.items()):
            path = pathlib.Path(folder) / f"{index}.json"
            run(command, "generate", *arguments, "--output", str(path))
            for row in compare(command, path, times):
                out.writerow([name, *row])
                sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], [float(word) for word in sys.argv[2:]] or [10, 60])
