"""Measures sweeps: a thousand scenarios of an instance, by several engines (docs/cookbook/sweep.md).

Usage: sweep.py INSTANCE SCENARIOS WORK [ENGINE:WORKERS]...    SCENARIOS: up to 1000    default: loop:1 dask:1 dask:2 ray:1 ray:2

Prints the seconds of each sweep without the start of the engine, those that its workers took, and the digest of its table, which has to be
the same for all. Then, for each engine, how much faster it is with more workers.
"""

import hashlib
import os
import sys
import time

import stowage


def scenarios_of(path: str, most: int) -> list[stowage.Scenario]:
    """Growth, node types and density, five each, and seeds."""
    cluster = stowage.Instance.load(path)
    names = [one.name for one in cluster.columns.resources]
    types = {"as it is": 1.0, "half": 0.5, "double": 2.0, f"more {names[0]}": {names[0]: 1.5}, f"more {names[-1]}": {names[-1]: 1.5}}
    made = stowage.Scenario.grid(
        cluster, seed=range(8), demand=[0.8, 0.9, 1, 1.1, 1.25], capacity=types, limits=[0, 0.25, 0.5, 0.75, 1]
    )
    assert len(made) == 1000
    return made[:most]


def digest_of(table: stowage.Sweep) -> str:
    rows = zip(*(table[key].astype(str) for key in table), strict=True)
    return hashlib.sha256("\n".join("\t".join(row) for row in rows).encode()).hexdigest()[:16]


def main(path: str, most: str, work: str, *runs: str) -> None:
    scenarios = scenarios_of(path, int(most))
    digests, seconds = set[str](), dict[tuple[str, int], float]()
    for run in runs or ("loop:1", "dask:1", "dask:2", "ray:1", "ray:2"):
        engine, _, workers = run.partition(":")
        # Starting an engine takes seconds, whatever it has to do afterwards: the first answer ends the start.
        begun: list[float] = []
        start = time.perf_counter()
        table = stowage.sweep(
            scenarios,
            engine,
            workers=int(workers),
            work_limit=int(work),
            progress=lambda _, begun=begun: begun.append(time.perf_counter()),  # type: ignore[misc]
        )
        total = time.perf_counter() - start
        seconds[engine, int(workers)] = begun[-1] - begun[0]
        digests.add(digest_of(table))
        print(
            f"{run:12} {total:8.1f} s in all, {begun[-1] - begun[0]:8.1f} s after the first answer, "
            f"{table.seconds.sum():8.1f} s of workers, "
            f"{table.seconds.mean() * 1000:6.0f} ms each, load {os.getloadavg()[0]:.1f}, table {digest_of(table)}, "
            f"{int(table['verified'].sum())} of {len(table)} verified",
            flush=True,
        )
    assert len(digests) == 1, "the engines made different tables"
    for (name, count), taken in seconds.items():
        if count > 1 and (name, 1) in seconds:
            print(f"{name}: {seconds[name, 1] / taken:.2f} times as fast with {count} workers as with one")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], *sys.argv[4:])
