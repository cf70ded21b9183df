"""What several tests need."""

import os
import pathlib
import random
import signal
import time

import numpy as np

import stowage
from stowage import records
from stowage._codec import read
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
