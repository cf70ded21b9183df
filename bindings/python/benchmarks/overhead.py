"""Measures what a call of the package costs beyond the C function (scripts/bench-bindings.sh).

Usage: overhead.py INSTANCE SECONDS

Alternates between the C function, as ctypes calls it, and Instance.plan() in the main thread, where Ctrl-C is seen. Prints medians in
microseconds: of each, and of their differences; how long a new interpreter takes for `import stowage`, beyond its own start; and
how long an instance of frames takes.
"""

import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy
import polars
import stowage
from stowage import _abi
from stowage._instance import request_bytes
from stowage._library import lib


def microseconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - begin) / 1000


def import_time() -> float:
    """The least of some runs of compiled modules: everything else only adds to it."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as cache:
        environment["PYTHONPYCACHEPREFIX"] = cache

        def start(program: str) -> float:
            command = [sys.executable, "-c", program]
            return min(microseconds(lambda: subprocess.run(command, check=True, env=environment)) for _ in range(20))

        return start("import stowage") - start("pass")


def frames_time() -> float:
    """Of the size of the published instances with limits of 1 %."""
    apps, limits = 9338, 871_889
    draw = numpy.random.default_rng(1)
    names = numpy.array([f"app-{k}" for k in range(apps)], object)
    pairs = numpy.unique(draw.integers(0, apps * apps, limits))
    frame = polars.DataFrame(
        {"name": names.tolist(), "replicas": draw.integers(1, 9, apps), "cpu": draw.integers(1, 9, apps), "memory": 1.0}
    )
    rows = polars.DataFrame({"app": names[pairs // apps].tolist(), "other": names[pairs % apps].tolist(), "at_most": 1})
    capacity = {"cpu": [32.0], "memory": [64.0]}
    return statistics.median(
        microseconds(lambda: stowage.Instance.from_frames(frame, capacity, limits=rows)) for _ in range(9)
    )


def main(path: str, seconds: float) -> None:
    cluster = stowage.Instance.load(path)
    request = request_bytes("ff", None, {})
    buffer, error = _abi.stowage_buffer(), _abi.stowage_error()
    handle = cluster._handle
    arguments = (handle, request, len(request), None, ctypes.byref(buffer), ctypes.byref(error))

    def bare() -> None:
        lib.stowage_plan(*arguments)
        lib.stowage_buffer_free(arguments[4])

    def plan() -> None:
        cluster.plan("ff")

    alone, called, above = list[float](), list[float](), list[float]()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        alone.append(microseconds(bare))
        called.append(microseconds(plan))
        above.append(called[-1] - alone[-1])
    figures = [statistics.median(one) for one in (alone, called, above)]
    print(
        pathlib.Path(path).stem,
        *(f"{figure:.2f} us/{what}" for figure, what in zip(figures, ("bare", "plan", "above"), strict=True)),
    )
    print(f"import stowage: {import_time() / 1000:.1f} ms")
    print(f"instance of frames with 9,338 apps and 0.9 million limits: {frames_time() / 1000:.0f} ms")


main(sys.argv[1], float(sys.argv[2]))
