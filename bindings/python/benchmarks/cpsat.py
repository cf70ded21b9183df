"""Instances of Stowage as models of OR-Tools' CP-SAT, as its manual would have one write them: slots that may hold a node each, and a
number of replicas per app and slot. Covers demand without periods, affinity limits, prices, selectors and spread over the values of
a label; anything else is refused.
"""

import dataclasses
import math
import threading
import time
from collections.abc import Mapping
from typing import Any

from ortools.sat.python import cp_model

Json = Mapping[str, Any]
KNOWN = {
    "instance": {"stowage", "name", "resources", "classes", "apps", "groups", "rules"},
    "app": {"name", "replicas", "demand", "max_per_node", "limits", "tags"},
    "class": {"name", "capacity", "price", "labels"},
    "condition": {"kind", "subject", "target", "min", "max", "group"},
}
SCALE = 10_000  # parts of a unit of a resource, and of a price


@dataclasses.dataclass
class Outcome:
    """What CP-SAT has found so far: values in nodes or in prices, and the class and the replicas by app of each node."""

    status: str
    value: float | None
    bound: float
    nodes: list[tuple[str, dict[str, int]]]
    # Processor seconds of the whole process, and the value of the best plan by then.
    history: list[tuple[float, float]]
    seconds: float


def refuse_unknown(what: str, item: Json) -> None:
    if unknown := set(item) - KNOWN[what]:
        raise ValueError(f"the model has no {', '.join(sorted(unknown))} of an {what}")


def whole(amount: float) -> int:
    scaled = round(amount * SCALE)
    if not math.isclose(scaled, amount * SCALE, abs_tol=1e-6):
        raise ValueError(f"{amount} is no whole number of parts")
    return scaled


class Model:
    """The model of an instance with at most `slots` nodes."""

    def __init__(self, instance: Json, slots: int) -> None:
        refuse_unknown("instance", instance)
        self.classes, self.apps, self.slots = instance["classes"], instance["apps"], range(slots)
        self.model = cp_model.CpModel()
        self.position = {app["name"]: index for index, app in enumerate(self.apps)}
        # Whether a slot is a node of a class; of none, it is not in use.
        self.of_class = [[self.model.new_bool_var("") for _ in self.classes] for _ in self.slots]
        self.placed = [
            [self.model.new_int_var(0, min(app["replicas"], app.get("max_per_node", app["replicas"])), "") for _ in self.slots]
            for app in self.apps
        ]
        self.present: dict[tuple[int, int], cp_model.IntVar] = {}
        self.prices = [whole(one.get("price", 1)) for one in self.classes]
        for one in self.classes:
            refuse_unknown("class", one)
        self._capacities(instance["resources"])
        for app in range(len(self.apps)):
            refuse_unknown("app", self.apps[app])
            self._limits(app)
        for rule in instance.get("rules", ()):
            self._rule(rule)
        costs = [cp_model.LinearExpr.weighted_sum(row, self.prices) for row in self.of_class]
        # Slots are alike: the dearest first.
        for slot in self.slots[1:]:
            self.model.add(costs[slot] <= costs[slot - 1])
        self.model.minimize(sum(costs))

    def _capacities(self, resources: Json) -> None:
        for row in self.of_class:
            self.model.add_at_most_one(row)
        for app, row in zip(self.apps, self.placed, strict=True):
            self.model.add(sum(row) == app["replicas"])
        for resource in resources:
            demand = [whole(app["demand"].get(resource, 0)) for app in self.apps]
            capacity = [whole(one["capacity"][resource]) for one in self.classes]
            for slot in self.slots:
                used = cp_model.LinearExpr.weighted_sum([row[slot] for row in self.placed], demand)
                self.model.add(used <= cp_model.LinearExpr.weighted_sum(self.of_class[slot], capacity))

    def _is_present(self, app: int, slot: int) -> cp_model.IntVar:
        if (app, slot) not in self.present:
            found = self.present[app, slot] = self.model.new_bool_var("")
            self.model.add(self.placed[app][slot] <= self.apps[app]["replicas"] * found)
        return self.present[app, slot]

    def _limits(self, app: int) -> None:
        for name, at_most in self.apps[app].get("limits", {}).items():
            limited = self.position[name]
            for slot in self.slots:
                beside = self._is_present(app, slot)
                if at_most == 0:
                    self.model.add_at_most_one(beside, self._is_present(limited, slot))
                else:
                    self.model.add(self.placed[limited][slot] <= at_most).only_enforce_if(beside)

    def _rule(self, rule: Json) -> None:
        if set(rule) - {"name", "all_of"} or len(rule["all_of"]) != 1:
            raise ValueError(f"the model has no rules like {rule}")
        condition = rule["all_of"][0]
        refuse_unknown("condition", condition)
        (tag,) = condition["subject"]
        app = self.position[tag.removeprefix("appID:")]
        if condition.get("kind") == "skew":
            self._spread(app, condition["group"], condition["max"])
        elif condition.get("min") == 1 and "group" not in condition and "max" not in condition:
            self._select(app, condition["target"])
        else:
            raise ValueError(f"the model has no rules like {rule}")

    def _select(self, app: int, tags: list[str]) -> None:
        """Nodes of the app carry the labels."""
        for slot in self.slots:
            for one, chosen in zip(self.classes, self.of_class[slot], strict=True):
                labels = {f"{key}={value}" for key, value in one.get("labels", {}).items()}
                if not labels.issuperset(tags):
                    self.model.add(self.placed[app][slot] == 0).only_enforce_if(chosen)

    def _spread(self, app: int, label: str, most: int) -> None:
        """The numbers of replicas by value of the label differ by `most`."""
        replicas = self.apps[app]["replicas"]
        values = sorted({one["labels"][label] for one in self.classes})
        sums = []
        for value in values:
            parts = []
            for slot in self.slots:
                inside = sum(
                    chosen
                    for one, chosen in zip(self.classes, self.of_class[slot], strict=True)
                    if one["labels"][label] == value
                )
                part = self.model.new_int_var(0, replicas, "")
                self.model.add(part <= replicas * inside)
                self.model.add(part <= self.placed[app][slot])
                parts.append(part)
            sums.append(sum(parts))
        # Each replica is in one of them, so that each part is all of its slot or nothing.
        self.model.add(sum(sums) == replicas)
        least, largest = (self.model.new_int_var(0, replicas, "") for _ in range(2))
        for one in sums:
            self.model.add(one >= least)
            self.model.add(one <= largest)
        self.model.add(largest - least <= most)

    def hint(self, nodes: list[dict[str, int]]) -> None:
        """Starts from a plan with one class: the replicas by app of each node."""
        for slot in self.slots:
            node = nodes[slot] if slot < len(nodes) else {}
            self.model.add_hint(self.of_class[slot][0], bool(node))
            for app, row in zip(self.apps, self.placed, strict=True):
                self.model.add_hint(row[slot], node.get(app["name"], 0))
            for (index, at), present in self.present.items():
                if at == slot:
                    self.model.add_hint(present, self.apps[index]["name"] in node)

    def solve(self, seconds: float, workers: int, seed: int = 0) -> Outcome:
        """Solves within seconds of processor time per worker."""
        began = time.process_time()
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = workers
        solver.parameters.random_seed = seed
        history: list[tuple[float, float]] = []

        class Watch(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
            def on_solution_callback(self) -> None:
                history.append((time.process_time() - began, self.objective_value / SCALE))

        done = threading.Event()

        def end() -> None:
            while not done.wait(0.02):
                if time.process_time() - began > seconds * workers:
                    solver.stop_search()

        ender = threading.Thread(target=end)
        ender.start()
        try:
            status = solver.solve(self.model, Watch())
        finally:
            done.set()
            ender.join()
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        return Outcome(
            status=solver.status_name(status).lower(),
            value=solver.objective_value / SCALE if found else None,
            bound=solver.best_objective_bound / SCALE,
            nodes=[node for slot in self.slots if (node := self._node(solver, slot))] if found else [],
            history=history,
            seconds=time.process_time() - began,
        )

    def _node(self, solver: cp_model.CpSolver, slot: int) -> tuple[str, dict[str, int]] | None:
        for one, chosen in zip(self.classes, self.of_class[slot], strict=True):
            if solver.value(chosen):
                counts = {app["name"]: solver.value(row[slot]) for app, row in zip(self.apps, self.placed, strict=True)}
                return one["name"], {name: count for name, count in counts.items() if count}
        return None
