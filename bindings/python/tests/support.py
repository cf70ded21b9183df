"""What several tests need."""

import json
import os
import pathlib
import random
import signal
import time
from collections.abc import Callable

import numpy as np

import stowage
from stowage import records
from stowage._codec import read
from stowage._instance import encoded
from stowage._library import lib
from stowage._run import answer
from stowage._sweep.task import timed

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONFORMANCE = ROOT / "tests/conformance"

SMALL = {
    "stowage": 1,
    "name": "small",
    "resources": {"cpu": "cores", "memory": "GiB"},
    "classes": [{"name": "standard", "capacity": {"cpu": 8, "memory": 16}}],
    "apps": [
        {"name": "web", "replicas": 3, "demand": {"cpu": 2, "memory": 4}, "max_per_node": 2},
        {"name": "db", "replicas": 1, "demand": {"cpu": 4, "memory": 8}, "limits": {"web": 1}},
    ],
}


def table(name: str) -> list[list[str]]:
    """The cells of each line of a file, without comments and without the first line, which names the columns."""
    lines = (CONFORMANCE / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")][1:]


def instance_bytes(name: str) -> bytes:
    return (CONFORMANCE / "instances" / f"{name}.stow").read_bytes()


def hash_of(data: bytes) -> str:
    """FNV-1a of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def failure_of(error: stowage.StowageError) -> str:
    return f"{stowage.status_text(error.status)} {error.path}"


def workload(apps: int, limits: int) -> stowage.Instance:
    """Many apps, each with limits on others, so that planners that improve a plan do not end by themselves."""
    draw = random.Random(1)
    others = [draw.sample([other for other in range(apps) if other != app], limits) for app in range(apps)]
    rows = [[(other, max(0, draw.randrange(6) - 3)) for other in row] for row in others]
    columns = records.Instance(
        resources=[records.Resource(name="cpu"), records.Resource(name="memory")],
        apps=records.Apps(
            replicas=np.array([draw.randint(1, 12) for _ in range(apps)], np.uint32),
            demand=np.array([[draw.randint(1, 8), draw.randint(1, 16)] for _ in range(apps)], np.float64),
        ),
        classes=[records.NodeClass(capacity=np.array([64.0, 128.0]))],
        limits=records.AffinityLimits(
            row_begin=np.arange(0, apps * limits + 1, limits, dtype=np.uint32),
            app=np.array([app for row in rows for app, _ in row], np.uint32),
            at_most=np.array([most for row in rows for _, most in row], np.uint32),
        ),
    )
    return stowage.Instance.from_columns(columns)


def noted(instance: bytes, task: bytes) -> tuple[float, bytes]:
    """A worker that appends to the file which NOTES names what it begins, and kills itself in tasks of the seed that KILLED names,
    as often as KILLS says."""
    seed = str(read(task.partition(b"\n")[2], records.Request, b"STOR").seed)
    notes = pathlib.Path(os.environ["NOTES"])
    with notes.open("ab", buffering=0) as file:
        file.write(f"{seed}\n".encode())
    # These plans take a millisecond. Others take longer than it takes to fetch the answer before.
    time.sleep(0.2)
    if seed == os.environ["KILLED"] and notes.read_text().split().count(seed) <= int(os.environ["KILLS"]):
        os.kill(os.getpid(), signal.SIGKILL)
    return timed(instance, task)


class Large:
    """An instance, a plan, a session and a model that are so large that calls take long."""

    def __init__(self) -> None:
        apps, limits = 100_000, 10
        draw = np.random.default_rng(1)
        others = (np.arange(apps)[:, None] + np.sort(draw.choice(np.arange(1, 5_000), (apps, limits)), axis=1)) % apps
        others = np.sort(others, axis=1)
        unique = np.ones_like(others, bool)
        unique[:, 1:] = others[:, 1:] != others[:, :-1]
        begin = np.zeros(apps + 1, np.uint32)
        np.cumsum(unique.sum(axis=1), out=begin[1:])
        self.columns = records.Instance(
            name="large", resources=[records.Resource(name="cpu"), records.Resource(name="memory")],
            apps=records.Apps(
                names=[f"app {k}" for k in range(apps)], replicas=draw.integers(1, 12, apps, dtype=np.uint32),
                demand=draw.integers(1, 16, (apps, 2)).astype(np.float64),
            ),
            classes=[records.NodeClass(name="standard", capacity=np.array([64.0, 64.0]))],
            limits=records.AffinityLimits(
                row_begin=begin, app=others[unique].astype(np.uint32), at_most=draw.integers(0, 3, int(begin[-1]), dtype=np.uint32)
            ),
        )  # fmt: skip
        self.cluster = stowage.Instance.from_columns(self.columns)
        self.derived = self.cluster.derive(records.Derivation(demand=1.1))
        self.plan = self.cluster.plan("ff", node_limit=10_000)
        self.session = stowage.Session(self.cluster)
        self.text = json.dumps(
            {**SMALL, "apps": [{"name": f"app {k}", "replicas": 3, "demand": {"cpu": 1, "memory": "500Mi"}} for k in range(30_000)]}
        )
        self.operations = encoded(
            records.Operations(
                operations=[
                    records.Operation(kind=records.OperationKind.SCALE, app=f"app {k}", replicas=k % 7 + 1) for k in range(20_000)
                ]
            ),
            b"STOS",
        )
        profiled, sizes = 80, 30
        self.samples = records.Samples(
            resources=["cpu"], apps=[f"app {k}" for k in range(profiled)],
            row_app=np.repeat(np.arange(profiled, dtype=np.uint32), sizes),
            row_amounts=np.tile(np.arange(1.0, sizes + 1), profiled), row_value=draw.uniform(0.2, 0.9, profiled * sizes),
        )  # fmt: skip
        self.model = stowage.Model.learn(self.samples)
        rows = 1_000_000
        self.usage = records.Usage(
            apps=[f"app {k}" for k in range(1000)], resources=["cpu"], app=np.arange(rows, dtype=np.uint32) % 1000,
            time=np.arange(0.0, 60.0 * rows, 60.0), amount=draw.uniform(0, 4, rows), rules=[records.SizeRule(percentile=0.75)],
        )  # fmt: skip

    def calls(self, control: stowage.Control | None) -> dict[str, Callable[[], object]]:
        """Calls by name, of all that may take long."""
        cluster, plan, session, model = self.cluster, self.plan, self.session, self.model
        return {
            "load": lambda: stowage.Instance(cluster.data, control=control),
            "from_columns": lambda: stowage.Instance.from_columns(self.columns, control=control),
            "from_json": lambda: stowage.Instance.from_json(self.text, control=control),
            "scaled": lambda: cluster.scaled(replicas=2, control=control),
            "derive": lambda: cluster.derive(records.Derivation(demand=1.1), control=control),
            "save": lambda: answer(lib.stowage_instance_save_watched, self.derived._handle, control=control),
            "plan": lambda: cluster.plan("auto", deadline_ms=30_000, control=control),
            "plan, ff": lambda: cluster.plan("ff", control=control),
            "plan, with progress": lambda: cluster.plan("auto", deadline_ms=30_000, control=control, progress=lambda one: None),
            "read": lambda: stowage.Plan.read(plan.data, control=control),
            "bound": lambda: cluster.bound(control=control),
            "verify": lambda: cluster.verify(plan, control=control),
            "explain": lambda: cluster.explain(plan, control=control),
            "headroom": lambda: cluster.headroom(plan, 0, control=control),
            "headroom_of_apps": lambda: cluster.headroom_of_apps(plan, control=control),
            "losses": lambda: cluster.losses(plan, control=control),
            "order_moves": lambda: cluster.order_moves(plan, control=control),
            "session": lambda: stowage.Session(cluster, control=control),
            "apply_bytes": lambda: session.apply_bytes(self.operations, control=control),
            "apply": lambda: session.apply({"op": "scale", "app": "app 0", "replicas": 3}, control=control),
            "instance": lambda: session.instance(control=control),
            "session, plan": lambda: session.plan("auto", deadline_ms=30_000, control=control),
            "commit": lambda: session.commit(plan, stowage.CommitMode.FITTING, control=control),
            "snapshot": lambda: session.snapshot(control=control),
            "learn": lambda: stowage.Model.learn(self.samples, control=control),
            "model": lambda: stowage.Model(model.data, control=control),
            "recommend": lambda: model.recommend(self.samples, stowage.Goal(value=0.8), curves=True, control=control),
            "size": lambda: stowage.size(self.usage, control=control),
        }
