"""Sweeps and fleets: the table, what is refused, the file of results, and its picture. The engines are in test_engines.py."""

import fnmatch
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
from typing import Any

import matplotlib
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from support import ROOT, SMALL, instance_bytes, workload

import stowage
from stowage import Scenario
from stowage._instance import encoded
from stowage._sweep.task import packed, unpacked

matplotlib.use("agg")
TWO: dict[str, Any] = {
    **SMALL,
    "classes": [{"name": "standard", "capacity": {"cpu": 8, "memory": 16}}, {"name": "large", "capacity": {"cpu": 32, "memory": 64}}],
}


@pytest.fixture
def small() -> stowage.Instance:
    return stowage.Instance.from_dict(SMALL)


def digest(plan: stowage.Plan) -> str:
    return hashlib.sha256(plan.data).hexdigest()[:16]


def same(left: stowage.Frame, right: stowage.Frame) -> bool:
    """Whether two tables have the same columns, types and values; NaN is like NaN."""
    return left.keys() == right.keys() and all(
        left[key].dtype == right[key].dtype and left[key].astype(str).tolist() == right[key].astype(str).tolist() for key in left
    )


# ------------------------------------------------------------------------------------------------------------------ the table


def test_a_row_is_the_plan_of_its_scenario() -> None:
    two = stowage.Instance.from_dict(TWO)
    factors: dict[str, Any] = {"demand": {"cpu": 1.5}, "replicas": 2, "capacity": 1.25, "limits": 0.5}
    scenarios = [
        Scenario("as it is", two),
        Scenario("more", two, **factors, counts={"standard": 1, "large": 2}, classes=["large"]),
        Scenario("by ff", two, planner="ff", seed=7, node_limit=1),
    ]
    table = stowage.sweep(scenarios, work_limit=5_000, seed=3)
    by_hand = [
        two.plan("auto", work_limit=5_000, seed=3),
        two.scaled(**factors)
        .derived(counts={"standard": 1, "large": 2}, classes=["large"])
        .plan("auto", work_limit=5_000, seed=3),
        two.plan("ff", work_limit=5_000, seed=7, node_limit=1),
    ]
    for k, (scenario, plan) in enumerate(zip(scenarios, by_hand, strict=True)):
        assert scenario.plan("auto", work_limit=5_000, seed=3).data == plan.data
        assert table["name"][k] == scenario.name and table["plan"][k] == digest(plan) and table["verified"][k]
        assert table["nodes"][k] == plan.nodes_in_use and table["work"][k] == plan.work
        assert plan.node_bound is not None and table["node_bound"][k] == plan.node_bound.value
        assert table["unplaced"][k] == plan.replicas_unplaced and table["status"][k] == plan.status.name.lower().replace("_", " ")
    assert table["planner"].tolist() == ["auto", "auto", "ff"] and table["seed"].tolist() == [3, 3, 7]
    assert table["demand"].tolist() == ["1", "cpu 1.5", "1"] and table["replicas"].tolist() == [1, 2, 1]
    assert table["classes"].tolist() == [None, "large", None] and "error" not in table
    assert len(table.seconds) == 3 and np.all(table.seconds > 0) and "seconds" not in table
    assert repr(table).startswith("<stowage.Sweep of 3 scenarios: name, ") and "<table>" in table._repr_html_()


def test_a_grid_has_every_combination(small: stowage.Instance) -> None:
    two = stowage.Instance.from_dict(TWO)
    made = Scenario.grid({"one": small, "two": two}, demand=[1, np.float64(1.25)], seed=range(3), planner={"first": "ff", "best": "auto"})
    assert len(made) == 24 and made[0].name == "instance one, demand 1, seed 0, planner first"
    assert made[-1].name == "instance two, demand 1.25, seed 2, planner best" and made[-1].change == {"demand": 1.25}
    table = stowage.sweep(made, work_limit=2_000)
    assert table.keys()[:5] == ["name", "instance", "demand", "seed", "planner"]
    assert table["demand"].dtype == np.float64 and table["seed"].dtype == np.int64
    assert set(zip(table["instance"], table["demand"], table["seed"], table["planner"], strict=True)) == {
        (a, b, c, d) for a in ("one", "two") for b in (1, 1.25) for c in range(3) for d in ("first", "best")
    }
    assert Scenario.grid(small, classes={"all": None, "this": ["standard"]})[1].change == {"classes": [0]}
    assert [one.name for one in Scenario.grid(small)] == [""] and repr(made[0]) == f"<stowage.Scenario {made[0].name!r}>"


def test_tables_are_frames(small: stowage.Instance) -> None:
    priced = stowage.Instance.from_dict({**TWO, "classes": [{**one, "price": 1.5} for one in TWO["classes"]]})
    table = stowage.sweep([Scenario("small", small), Scenario("priced", priced)], work_limit=2_000)
    frame = pl.DataFrame(table)
    assert frame["nodes"].to_list() == table["nodes"].tolist() and frame["verified"].dtype == pl.Boolean
    assert pa.table(table).column_names == table.keys()
    assert np.isnan(table["cost"][0]) and table["cost"][1] == 3 and table["cost_bound"][1] <= 3
    empty = stowage.sweep([], work_limit=1)
    assert len(empty) == 0 and empty["nodes"].dtype == np.float64 and pl.DataFrame(empty).shape[0] == 0


def test_promises_of_plans_are_in_the_table(small: stowage.Instance) -> None:
    racks = stowage.Instance.from_dict({**SMALL, "classes": [{"name": "s", "capacity": {"cpu": 8, "memory": 16}, "labels": ["rack=a"]}]})
    scenarios = [Scenario("survives", racks, survive="*"), Scenario("free", racks, leave_free="rack")]
    table = stowage.sweep(scenarios, planner="ff")
    assert table["survives"].tolist() == ["True", None] and table["survive"].tolist() == ["*", None]
    assert np.isnan(table["domains_in_use"][0]) and table["domains_in_use"][1] == table["domain_bound"][1] == 1
    assert "survives" not in stowage.sweep([Scenario("s", small)], planner="ff")


def test_what_the_library_refuses_has_a_row(small: stowage.Instance) -> None:
    scenarios = [
        Scenario("fine", small),
        Scenario("no such option", small, options={"nothing": 1}),
        Scenario("too many", small, replicas=2**31),
        Scenario("not pursued", small, planner="fill-greedy"),
    ]
    table = stowage.sweep(scenarios, work_limit=1_000)
    assert table["status"].tolist() == ["optimal", "failed", "failed", "failed"]
    assert table["verified"].tolist() == [True, False, False, False]
    assert table["error"][0] is None and "options" in table["error"][1] and table["error"][3].startswith("UNSUPPORTED objective: fill-greedy")
    assert table["error"][2].startswith("LIMIT_EXCEEDED change.replicas: ")
    assert np.isnan(table["nodes"][1:]).all() and table["plan"].tolist()[1:] == [None] * 3
    with pytest.raises(stowage.StowageError):
        scenarios[3].plan(work_limit=1_000)


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "tests/conformance/instances").glob("*.stow")))
def test_every_kind_of_instance_is_swept(name: str) -> None:
    cluster = stowage.Instance(instance_bytes(name))
    table = stowage.sweep(Scenario.grid(cluster, demand=[1, 0.5], planner=["auto", "ff"]), work_limit=2_000)
    for row in range(4):
        if table["status"][row] == "failed":
            assert table["error"][row].startswith(("UNSUPPORTED ", "INVALID "))
        else:
            planner = str(table["planner"][row])
            made = cluster.scaled(demand=float(table["demand"][row]))
            plan = made.plan(planner, work_limit=2_000)
            assert table["plan"][row] == digest(plan) and table["verified"][row] == made.verify(plan).ok


# -------------------------------------------------------------------------------------------------------------------- refused


def refusal(*arguments: Any, **request: Any) -> str:
    with pytest.raises(stowage.StowageError) as caught:
        stowage.sweep([Scenario("s", *arguments)], **request)
    return str(caught.value)


def test_deadlines_are_refused(small: stowage.Instance) -> None:
    why = "a plan would depend on the load of the machine; give a work_limit instead"
    assert refusal(small, deadline_ms=100) == f"scenarios['s'].deadline_ms: {why}"
    assert refusal(small, patience_ms=100, work_limit=5) == f"scenarios['s'].patience_ms: {why}"
    assert refusal(small) == "scenarios['s'].work_limit: auto needs one: it would end after 1000 ms on any machine"
    assert refusal(small, planner="nobody") == "scenarios['s'].planner: there is no planner \"nobody\""
    assert refusal(small, planner=stowage.Request(planner="ff", deadline_ms=3)).startswith("scenarios['s'].deadline_ms: ")
    with pytest.raises(stowage.StowageError, match=r"^scenarios\['late'\]\.deadline_ms: "):
        stowage.sweep([Scenario("fine", small), Scenario("late", small, deadline_ms=1)], work_limit=5)
    with pytest.raises(stowage.StowageError, match=r"^scenarios\['a'\]\.deadline_ms: "):
        stowage.fleet({"a": small}, deadline_ms=5)
    with pytest.raises(stowage.StowageError, match=r"^scenarios\['late'\]\.deadline_ms: "):
        Scenario("late", small).task(deadline_ms=1)
    # A planner that ends by itself needs no work limit.
    assert stowage.sweep([Scenario("s", small)], planner="ff")["status"].tolist() == ["optimal"]


def test_wrong_scenarios_are_refused(small: stowage.Instance) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"demand": {"gpu": 2}}, 'demand: there is no resource "gpu"'),
        ({"demand": -1}, "demand: must be a number, not below 0"),
        ({"capacity": float("nan")}, "capacity: must be a number, not below 0"),
        ({"replicas": -2}, "replicas: must be a number, not below 0"),
        ({"limits": 2}, "limits: must be a number, not below 0 and not above 1"),
        ({"counts": {"huge": 1}}, "counts: there is no class 'huge'"),
        ({"counts": {0: 1.5}}, "counts: the count 1.5 of class 0 is no whole number, not below 0"),
        ({"classes": [1]}, "classes: there is no class 1"), ({"classes": "standard"}, "classes: must be a list of classes"),
    ]  # fmt: skip
    for given, message in cases:
        with pytest.raises(stowage.StowageError) as caught:
            Scenario("s", small, **given)
        assert str(caught.value) == message
    with pytest.raises(stowage.StowageError, match=r"^scenarios\['a'\]: another scenario has the same name$"):
        stowage.sweep([Scenario("a", small), Scenario("a", small, demand=2)], work_limit=1)
    with pytest.raises(TypeError, match="speed"):
        stowage.sweep([Scenario("a", small, speed=2)], work_limit=1)
    with pytest.raises(stowage.StowageError, match="take a snapshot"):
        Scenario("a", stowage.Session(small).instance())


def test_wrong_engines_are_refused(small: stowage.Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    def sweep(engine: Any, workers: int | None = None) -> None:
        stowage.sweep([Scenario("a", small)], engine, workers=workers, work_limit=1)

    for engine, workers, message in (
        ("spark", None, "there is no engine 'spark'; there are \"loop\", \"processes\", \"dask\", \"ray\", and clients of Dask"),
        ("processes", 0, "there must be at least one worker"), ("loop", 2, 'the engine "loop" is one worker; take "processes"'),
        (None, None, "there is no engine None; there are \"loop\", \"processes\", \"dask\", \"ray\", and clients of Dask"),
    ):  # fmt: skip
        with pytest.raises(ValueError) as caught:
            sweep(engine, workers)
        assert str(caught.value) == message
    for engine, module in (("dask", "distributed"), ("ray", "ray")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError) as missing:
            sweep(engine)
        assert str(missing.value) == f"the engine {engine} needs the extra: pip install 'stowage-planner[{engine}]'"


# -------------------------------------------------------------------------------------------------------------- the worker


def test_a_task_is_answered(small: stowage.Instance) -> None:
    scenario = Scenario("s", small, demand=1.5, classes=["standard"])
    task = scenario.task("auto", work_limit=2_000, seed=4)
    answer = stowage.work(task)
    assert answer == stowage.work(task)
    found = unpacked(answer)
    assert found.plan == scenario.plan("auto", work_limit=2_000, seed=4).data and found.error is None and found.row is not None
    assert scenario.cluster().verify(found.plan).ok and found.row["verified"] is True
    short = unpacked(stowage.work(scenario.task("auto", work_limit=2_000, seed=4, plan=False)))
    assert short.row == found.row and short.plan == b""


def test_the_worker_as_a_command(small: stowage.Instance, tmp_path: pathlib.Path) -> None:
    def command(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "stowage.worker", *arguments], input=given, capture_output=True)

    task = Scenario("s", small).task("ff")
    run = command(given=task)
    assert (run.returncode, run.stdout, run.stderr) == (0, stowage.work(task), b"")
    (tmp_path / "task").write_bytes(task)
    assert command(str(tmp_path / "task"), str(tmp_path / "answer")).returncode == 0
    assert (tmp_path / "answer").read_bytes() == run.stdout
    wrong = command(given=task[:-8])
    assert wrong.returncode == 1 and wrong.stdout == stowage.work(task[:-8]) and b"stowage.worker: " in wrong.stderr
    assert command("--help").returncode == 2 and command(str(tmp_path / "nothing")).returncode == 2


def test_the_recipe_of_the_image() -> None:
    recipe = (ROOT / "packaging/worker/Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "bindings/python/pyproject.toml").read_text(encoding="utf-8"))["project"]
    (source,) = re.findall(r"^COPY (\S+) /source/$", recipe, re.MULTILINE)
    assert fnmatch.fnmatch(f"{project['name'].replace('-', '_')}-{project['version']}.tar.gz", source)
    (engines,) = re.findall(r"^# ENGINE: (.*), or nothing\.", recipe, re.MULTILINE)
    assert engines.split(", ") == ["dask", "ray"] and set(engines.split(", ")) <= set(project["optional-dependencies"])
    (python,) = re.findall(r"^ARG PYTHON=3\.(\d+)$", recipe, re.MULTILINE)
    assert int(python) >= int(project["requires-python"].removeprefix(">=3."))
    (command,) = re.findall(r"^CMD (.*)$", recipe, re.MULTILINE)
    program, *arguments = json.loads(command)
    assert program == "python" and subprocess.run([sys.executable, *arguments], input=b"", capture_output=True).returncode == 1


def failure(task: bytes) -> stowage.StowageError:
    error = unpacked(stowage.work(task)).error
    assert error is not None
    return error


def test_wrong_tasks_are_answered_with_an_error(small: stowage.Instance) -> None:
    request = Scenario("s", small).request_bytes("ff", None, {})

    def with_change(change: Any) -> stowage.StowageError:
        return failure(packed(change, request, plan=True) + small.data)

    for change, path in (
        ({"speed": 1}, "change.speed"), ({"demand": "much"}, "change"), ({"demand": {"gpu": 1}}, "change.demand"), ([1], "change"),
        ({"counts": 3}, "change"), ({"counts": [[9, 1]]}, "change.counts"), ({"classes": [[]]}, "change"), ({"replicas": None}, "change"),
        ({"limits": -1}, "change.limits"), ({"counts": [[0, -1]]}, "change.counts"), ({"capacity": {"cpu": [1]}}, "change"),
    ):  # fmt: skip
        error = with_change(change)
        assert error.path.startswith(path) and error.message, (change, error)
    late = stowage.Request(planner="ff", deadline_ms=5)
    assert failure(packed({}, encoded(late, b"STOR"), plan=True) + small.data).path == "deadline_ms"
    assert failure(packed({}, request[:12], plan=True) + small.data).status is stowage.Status.MALFORMED
    for head in (b"", b"[]\n", b"\xff\n", b"{}\n", b'{"stowage-task":2,"request":0}\n', b"[" * 100_000 + b"\n"):
        assert failure(head + small.data).status is stowage.Status.MALFORMED
    for size in ("-1", "1.5", '"1"', "true", "null", "1" * 30):
        assert failure(f'{{"stowage-task":1,"request":{size}}}\n'.encode() + small.data).path == "request"


def test_damaged_tasks_never_crash(small: stowage.Instance) -> None:
    draw = random.Random(5)
    task = Scenario("s", small, demand=1.5, limits=0.5, counts={"standard": 3}).task("auto", work_limit=500)
    for end in range(0, len(task), 3):
        stowage.work(task[:end])
    answered = set()
    for _ in range(1_000):
        damaged = bytearray(task)
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        answered.add(unpacked(stowage.work(bytes(damaged))).error is None)
    assert answered == {True, False}


def test_answers_from_elsewhere_are_checked(small: stowage.Instance) -> None:
    answer = stowage.work(Scenario("s", small).task("ff"))
    other = answer.replace(f'"version":"{stowage.version()}"'.encode(), b'"version":"9.9.9"')
    for wrong, message in (
        (other, f"version: a worker has version 9.9.9 of the library, and this is {stowage.version()}"), (b"", "the bytes do not begin"),
        (answer.replace(b'"error":null', b'"error":{"status":"LATE","path":"","message":""}'), "error: the answer has an error without"),
        (answer.replace(b'"row":', b'"other":'), "row: the answer has not one of row and error"),
    ):  # fmt: skip
        with pytest.raises(stowage.StowageError, match=message):
            unpacked(wrong)


# --------------------------------------------------------------------------------------------------------- the file of results


def counted(scenarios: list[Scenario], **given: Any) -> tuple[stowage.Sweep, list[int]]:
    """A sweep, and what its progress said."""
    done: list[int] = []
    return stowage.sweep(scenarios, work_limit=2_000, progress=lambda one: done.append(one.done), **given), done


def test_a_sweep_goes_on_from_its_file(small: stowage.Instance, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.jsonl"
    scenarios = Scenario.grid(small, demand=[1, 1.1, 1.2], seed=range(4))
    whole, done = counted(scenarios)
    assert done == list(range(1, 13))
    first, done = counted(scenarios[:5], results=file)
    assert done == [1, 2, 3, 4, 5] and same(first, stowage.sweep(scenarios[:5], work_limit=2_000))
    lines = file.read_bytes().splitlines()
    assert len(lines) == 6
    table, done = counted(scenarios, results=file)
    assert same(table, whole) and done == list(range(5, 13)) and file.read_bytes().splitlines()[:6] == lines
    again, done = counted(scenarios[::-1], results=str(file))
    assert done == [12] and again["plan"].tolist() == whole["plan"].tolist()[::-1] and np.array_equal(again.seconds, table.seconds[::-1])
    # What a plan follows from makes another scenario; the name does not.
    renamed = [Scenario("other name", small, demand=1.1, seed=2), Scenario("other seed", small, demand=1.1, seed=9)]
    assert counted(renamed, results=file)[1] == [1, 2] and len(file.read_bytes().splitlines()) == 14
    assert counted([Scenario("x", small.scaled(demand=1.1), seed=2)], results=file)[1] == [1]


def test_files_that_end_early_and_files_of_something_else(small: stowage.Instance, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.jsonl"
    scenarios = Scenario.grid(small, seed=range(3))
    whole, _ = counted(scenarios, results=file)
    data = file.read_bytes()
    for end in sorted({*range(0, len(data), 29), *range(25), len(data) - 1}):
        file.write_bytes(data[:end])
        table, done = counted(scenarios, results=file)
        assert same(table, whole) and done[-1] == 3
        assert counted(scenarios, results=file)[1] == [3], "all that was planned again is kept"
    for content, message in (
        (b'{"stowage":1}\n', "results: .* has no results of a sweep"), (b"\n", "results: .* has no results"),
        (data + b'{"row":1}\n', "results: .*line 5: the line has no result of a sweep"), (data + b"[]\n", "results: .*line 5"),
    ):  # fmt: skip
        file.write_bytes(content)
        with pytest.raises(stowage.StowageError, match=message):
            counted(scenarios, results=file)
        assert file.read_bytes() == content
    with pytest.raises(FileNotFoundError):
        counted(scenarios, results=tmp_path / "no" / "folder")


def test_scenarios_that_are_equal_are_planned_once(small: stowage.Instance, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.jsonl"
    equal = [Scenario("a", small, demand=1.5), Scenario("b", small, demand=1.5, seed=0), Scenario("c", small, demand=1.5, seed=1)]
    table, done = counted(equal, results=file)
    assert table["plan"][0] == table["plan"][1] and done == [2, 3] and len(file.read_bytes().splitlines()) == 3


DRIVER = """
import sys
sys.path.insert(0, sys.argv[1])
from support import workload
import stowage
if __name__ == "__main__":
    scenarios = stowage.Scenario.grid(workload(40, 10), seed=range(30))
    workers = 2 if sys.argv[3] == "processes" else None
    stowage.sweep(scenarios, sys.argv[3], workers=workers, results=sys.argv[2], work_limit=1_000_000)
"""


@pytest.mark.parametrize("engine", ["loop", "processes"])
def test_a_driver_that_is_killed_goes_on(engine: str, tmp_path: pathlib.Path) -> None:
    file, program = tmp_path / "results.jsonl", tmp_path / "driver.py"
    program.write_text(DRIVER)
    folder = str(pathlib.Path(__file__).parent)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    driver = subprocess.Popen([sys.executable, str(program), folder, str(file), engine], start_new_session=True, env=environment)
    while not file.exists() or file.read_bytes().count(b"\n") < 4:
        assert driver.poll() is None
        time.sleep(0.01)
    driver.kill()
    driver.wait()
    # Its workers end with it.
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            os.killpg(driver.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        os.killpg(driver.pid, signal.SIGKILL)
        raise AssertionError("workers outlive their driver")
    assert not list(temporary.iterdir())
    kept = file.read_bytes().count(b"\n") - 1
    assert 3 <= kept < 30
    scenarios = Scenario.grid(workload(40, 10), seed=range(30))
    done: list[int] = []
    table = stowage.sweep(scenarios, results=file, work_limit=1_000_000, progress=lambda one: done.append(one.done))
    assert done == list(range(kept, 31))
    keys = [json.loads(line)["key"] for line in file.read_bytes().splitlines()[1:]]
    assert len(keys) == len(set(keys)) == 30
    assert same(table, stowage.sweep(scenarios, work_limit=1_000_000))


def test_ctrl_c_ends_a_sweep(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.jsonl"
    hard = workload(300, 250)
    scenarios = [Scenario("quick", hard, work_limit=1_000), Scenario("long", hard, work_limit=10**12)]
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        stowage.sweep(scenarios, results=file)
    assert file.read_bytes().count(b"\n") == 2, "a plan that was cut off is no result"
    assert stowage.sweep(scenarios[:1], results=file)["status"].tolist() == ["deadline"]


def test_progress_moves_a_bar_and_may_end_a_sweep(small: stowage.Instance, tmp_path: pathlib.Path) -> None:
    import tqdm

    with (tmp_path / "bar").open("w") as file, tqdm.tqdm(file=file) as bar:
        stowage.sweep(Scenario.grid(small, seed=range(5)), work_limit=100, progress=stowage.progress_of(bar))
        assert (bar.n, bar.total) == (5, 5)

    class Enough(Exception):
        pass

    def two(progress: stowage.Progress) -> None:
        if progress.done == 2:
            raise Enough

    results = tmp_path / "results.jsonl"
    with pytest.raises(Enough):
        stowage.sweep(Scenario.grid(small, seed=range(5)), results=results, work_limit=100, progress=two)
    assert results.read_bytes().count(b"\n") == 3


# ----------------------------------------------------------------------------------------------------------------- the picture


def test_a_sweep_is_plotted(small: stowage.Instance, tmp_path: pathlib.Path) -> None:
    from matplotlib import pyplot

    two = stowage.Instance.from_dict(TWO)
    types = {"all": None, "small": ["standard"]}
    table = stowage.sweep(Scenario.grid(two, replicas=[1, 4, 2], classes=types, seed=range(2)), work_limit=1_000)
    axes = table.plot("replicas", by="classes")
    assert [line.get_label() for line in axes.lines] == ["classes all", "classes small"]
    for line, name in zip(axes.lines, types, strict=True):
        points = np.asarray(line.get_xydata()).tolist()
        rows = [table["nodes"][(table["replicas"] == x) & (table["classes"] == name)].mean() for x in (1, 2, 4)]
        assert points == [[x, y] for x, y in zip((1, 2, 4), rows, strict=True)]
    named = table.plot("classes", "nodes", ax=pyplot.subplots()[1])
    assert [text.get_text() for text in named.get_xticklabels()] == ["all", "small"] and len(named.collections) == 1
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.savefig(tmp_path / "sweep.png")
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")
    for arguments, message in (
        (("speed",), 'there is no column "speed"; there are name, '), (("replicas", "status"), "status: is a column of text"),
    ):  # fmt: skip
        with pytest.raises(stowage.StowageError, match=message):
            table.plot(*arguments)
    pyplot.close("all")


# ------------------------------------------------------------------------------------------------------------------- the fleet


def test_a_fleet_has_a_plan_for_each_cluster(small: stowage.Instance) -> None:
    clusters = {"small": small, "again": small, "other": stowage.Instance(instance_bytes("racks")), "none": workload(3, 1)}
    fleet = stowage.fleet(clusters, work_limit=2_000, seed=2)
    assert list(fleet) == list(clusters) and len(fleet) == 4 and not fleet.errors
    for name, plan in fleet.items():
        alone = clusters[name].plan("auto", work_limit=2_000, seed=2)
        assert plan.data == alone.data and plan.cluster is clusters[name] and clusters[name].verify(plan).ok
    frame = fleet.frame()
    assert frame["name"].tolist() == list(clusters) and frame["nodes"].tolist() == [plan.nodes_in_use for plan in fleet.values()]
    assert repr(fleet) == "<stowage.Fleet of 4 clusters>" and "<table>" in fleet._repr_html_()
    with pytest.raises(KeyError):
        fleet["nobody"]


def test_a_cluster_without_a_plan_does_not_spoil_a_fleet() -> None:
    free = stowage.Instance.from_dict({**SMALL, "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": 2, "memory": 4}}]})
    runs = stowage.Instance.from_dict({**SMALL, "nodes": [{"class": "standard", "running": {"web": 1}}]})
    fleet = stowage.fleet({"free": free, "runs": runs}, planner="shards", work_limit=1_000)
    assert list(fleet.errors) == ["runs"] and fleet["free"].complete
    with pytest.raises(stowage.StowageError) as caught:
        fleet["runs"]
    assert caught.value.status is stowage.Status.UNSUPPORTED and caught.value.path == "planner"
    assert fleet.frame()["status"].tolist()[1] == "failed" and "1 of them without a plan" in repr(fleet)
