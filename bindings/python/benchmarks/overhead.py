"""Measures what a call of the package costs beyond the C function (scripts/bench-bindings.sh).

Usage: overhead.py INSTANCE SECONDS

Alternates between the C function, as ctypes calls it, and Instance.plan() in the main thread, where Ctrl-C is seen. Prints medians in
microseconds: of each, and of their differences.
"""

import ctypes
import pathlib
import statistics
import sys
import time
from collections.abc import Callable

import stowage
from stowage import _abi
from stowage._instance import request_bytes
from stowage._library import lib


def microseconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - begin) / 1000


def main(path: str, seconds: float) -> None:
    cluster = stowage.Instance.load(path)
    request = request_bytes("ff", None, {})
    buffer, error = _abi.stowage_buffer(), _abi.stowage_error()
    handle = cluster._handle.value
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


main(sys.argv[1], float(sys.argv[2]))
