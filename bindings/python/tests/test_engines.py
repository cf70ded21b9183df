"""The engines of sweeps and fleets: the same table from each, and what a killed worker costs."""

import importlib.util
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
import support
from support import SMALL, instance_bytes, workload
from test_sweep import same

import stowage
from stowage import Scenario
from stowage._sweep import engines

# Engines start threads and processes, and leave sockets and files to their ends.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{kind}")
    for kind in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning", "DeprecationWarning", "FutureWarning", "UserWarning")
]
MODULES = {"processes": "concurrent.futures", "dask": "distributed", "ray": "ray"}


@pytest.fixture(params=MODULES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if importlib.util.find_spec(MODULES[name]) is None:
        pytest.skip(f"there is no {MODULES[name]}: the engine {name}")
    return name


def test_every_engine_makes_the_same_table(engine: str, tmp_path: pathlib.Path) -> None:
    clusters = {"small": stowage.Instance.from_dict(SMALL), "limits": workload(40, 10), "racks": stowage.Instance(instance_bytes("racks"))}
    scenarios = Scenario.grid(clusters, demand=[1, 1.1], seed=range(3), planner=["auto", "fill-greedy"])
    expected = stowage.sweep(scenarios, work_limit=20_000)
    assert {"failed", "deadline", "optimal"} <= set(expected["status"])
    file = tmp_path / "results.jsonl"
    done: list[int] = []
    table = stowage.sweep(scenarios, engine, workers=2, results=file, work_limit=20_000, progress=lambda one: done.append(one.done))
    assert same(table, expected) and done == list(range(1, 37)) and file.read_bytes().count(b"\n") == 37
    fleet = stowage.fleet(clusters, engine, workers=2, work_limit=20_000)
    assert all(plan.data == clusters[name].plan("auto", work_limit=20_000).data for name, plan in fleet.items())


def test_a_fleet_has_more_clusters_than_an_engine_holds(engine: str) -> None:
    clusters = {str(k): workload(8 + k, 3) for k in range(2 * engines._HELD + 3)}
    fleet = stowage.fleet(clusters, engine, workers=2, work_limit=1_000)
    assert all(plan.data == clusters[name].plan("auto", work_limit=1_000).data for name, plan in fleet.items())


def killed(
    engine: str, kills: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[stowage.Sweep, stowage.Sweep, list[int]]:
    """The table of a sweep whose worker dies as it plans seed 5, the table of one without accidents, and the seeds that workers began."""
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES", str(notes))
    monkeypatch.setenv("KILLED", "5")
    monkeypatch.setenv("KILLS", str(kills))
    # Workers find the module of this worker.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(pathlib.Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]))
    monkeypatch.setattr(engines, "timed", support.noted)
    scenarios = Scenario.grid(workload(40, 10), seed=range(16))
    table = stowage.sweep(scenarios, engine, workers=2, results=tmp_path / "results.jsonl", work_limit=200_000)
    monkeypatch.undo()
    return table, stowage.sweep(scenarios, work_limit=200_000), sorted(map(int, notes.read_text().split()))


def test_a_killed_worker_costs_its_task_alone(engine: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, expected, begun = killed(engine, 1, tmp_path, monkeypatch)
    assert same(table, expected)
    # Workers of Dask hold answers until the driver fetches them: one that was made just before may be made again.
    again = [seed for seed in begun if seed not in range(16) or begun.count(seed) > 1]
    assert again.count(5) == 2 and len(again) <= (4 if engine == "dask" else 2), begun


def test_a_task_that_kills_every_worker_has_a_row(engine: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, expected, begun = killed(engine, 100, tmp_path, monkeypatch)
    # Dask gives a task four workers, the others two; and once more as many.
    assert begun.count(5) == (8 if engine == "dask" else 4)
    assert table["status"].tolist().count("failed") == 1 and table["status"][5] == "failed" and table["error"][5].startswith("LOST: ")
    rest = [row for row in range(16) if row != 5]
    assert table["plan"][rest].tolist() == expected["plan"][rest].tolist()
    # It is not in the file, so that the next sweep tries it again.
    done: list[int] = []
    scenarios = Scenario.grid(workload(40, 10), seed=range(16))
    whole = stowage.sweep(
        scenarios, results=tmp_path / "results.jsonl", work_limit=200_000, progress=lambda one: done.append(one.done)
    )
    assert done == [15, 16] and same(whole, expected)


def test_an_exception_ends_what_was_started(engine: str) -> None:
    class Enough(Exception):
        pass

    def enough(progress: object) -> None:
        raise Enough

    scenarios = [Scenario("quick", workload(40, 10), work_limit=100), Scenario("long", workload(40, 10), work_limit=10**12)]
    with pytest.raises(Enough):
        stowage.sweep(scenarios, engine, workers=2, progress=enough)


def test_a_client_of_dask_is_used() -> None:
    distributed: Any = pytest.importorskip("distributed", reason="there is no distributed: the engine dask")
    scenarios = Scenario.grid(workload(40, 10), seed=range(4))
    expected = stowage.sweep(scenarios, work_limit=20_000)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert same(stowage.sweep(scenarios, client, work_limit=20_000), expected)
            assert same(stowage.sweep(scenarios, "dask", work_limit=20_000), expected)
            with pytest.raises(ValueError, match="has its workers"):
                stowage.sweep(scenarios, client, workers=2, work_limit=20_000)
            assert client.status == "running"


def test_a_runtime_of_ray_is_used() -> None:
    ray: Any = pytest.importorskip("ray", reason="there is no ray: the engine ray")
    scenarios = Scenario.grid(workload(40, 10), seed=range(4))
    expected = stowage.sweep(scenarios, work_limit=20_000)
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        assert same(stowage.sweep(scenarios, "ray", work_limit=20_000), expected)
        with pytest.raises(ValueError, match="has its workers"):
            stowage.sweep(scenarios, "ray", workers=2, work_limit=20_000)
        assert ray.is_initialized()
    finally:
        ray.shutdown()


def test_a_script_without_a_guard_is_told(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import stowage\n"
        "classes = [{'capacity': {'cpu': 1}}]\n"
        "cluster = stowage.Instance.from_dict({'stowage': 1, 'resources': {'cpu': ''}, 'classes': classes, 'apps': []})\n"
        "stowage.sweep([stowage.Scenario('a', cluster)], 'processes', workers=1, work_limit=1)\n"
    )
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1 and "a script that starts some has to ask: if __name__ == '__main__'" in run.stderr
