"""Bytes and text from elsewhere: every reader returns, or raises StowageError, and takes little time and memory."""

import contextlib
import json
import os
import pathlib
import random
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import flatbuffers
import numpy as np
import pytest
from support import ROOT, SMALL, instance_bytes

import stowage
from stowage import _codec, records
from stowage._codec import read_foreign
from stowage._instance import encoded
from stowage._library import Buffer, call, lib
from stowage._run import answer
from stowage._sweep.task import packed, unpacked
from stowage._wire import Record

#: Mutations of all readers together; nightly runs make 250,000.
MUTATIONS = int(os.environ.get("STOWAGE_MUTATIONS") or 6000)


def texts(value: object) -> Iterator[str]:
    """All text in a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Record):
        for name, _, _ in value.FIELDS:
            yield from texts(getattr(value, name))
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def whole(record: Record) -> None:
    """Reads all of a record. Its text is UTF-8."""
    for text in texts(record):
        text.encode()
    repr(record)
    record._repr_html_()


def an_instance(data: bytes) -> None:
    cluster = stowage.Instance(data)
    whole(cluster.columns)
    repr(cluster), cluster._repr_html_()
    _ = cluster.demand, cluster.capacity


def a_plan(data: bytes) -> None:
    plan = stowage.Plan.read(data)
    whole(plan)
    for frame in (plan.placements(), plan.nodes(), plan.left_over()):
        frame._repr_html_()
    _ = plan.replicas_reserved, plan.survives


def a_plan_of(cluster: stowage.Instance) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        plan = stowage.Plan.read(data, cluster)
        plan.nodes(), plan.placements(), plan.left_over(), cluster.picture(plan).svg
        plan.table(len(cluster.replicas))
        cluster.verify(plan)

    return read


def readers(folder: pathlib.Path) -> dict[str, tuple[bytes, Callable[[bytes], object]]]:
    """Bytes that are right, and what reads bytes of their kind."""
    shop = stowage.Instance.load(ROOT / "capi/cli/examples/shop.json")
    plan = shop.plan("ff", node_limit=3)
    session = stowage.Session(stowage.Instance(instance_bytes("racks")))
    session.commit(session.plan("ff"))
    operations = encoded(
        records.Operations(
            operations=[
                stowage.Operation(kind=stowage.OperationKind.SCALE, app="nobody", replicas=3),
                stowage.Operation(kind=stowage.OperationKind.SUBMIT, app="é", demand=np.ones(2), tags=["x"]),
            ]
        ),
        b"STOS",
    )
    samples = records.Samples(
        resources=["cpu"], apps=["a", "b"], row_app=np.repeat(np.arange(2, dtype=np.uint32), 2),
        row_amounts=np.array([1.0, 2, 1, 2]), row_value=np.array([0.4, 0.9, 0.5, 0.9]),
    )  # fmt: skip
    request = encoded(stowage.Request(planner="ff", work_limit=10, options=[records.Option(name="ä", number=1)]), b"STOR")
    catalogue = Buffer()
    call(lib.stowage_planners, catalogue.receiver)
    catalogue.receive()
    task = stowage.Scenario("one", shop, replicas=2, capacity={"cpu": 2}).task("ff", work_limit=10)
    # Numbers of the request and of the instance decide how long a plan takes: only the head of a task is changed here.
    head, rest = task[: task.index(b"\n") + 1], task[task.index(b"\n") + 1 :]

    def results(data: bytes) -> None:
        path = folder / "results"
        path.write_bytes(data)
        stowage.sweep([stowage.Scenario("one", shop)], planner="ff", work_limit=10, results=path).__repr__()

    results(b"")
    report = answer(lib.stowage_explain, shop._handle, plan.data, len(plan.data), 2**32 - 1)
    return {
        "instance": (shop.data, an_instance),
        "instance with everything": (instance_bytes("racks"), an_instance),
        "snapshot": (session.snapshot(), lambda data: repr(stowage.Session(data))),
        "plan": (plan.data, a_plan),
        "plan of an instance": (plan.data, a_plan_of(shop)),
        "operations": (operations, session.apply_bytes),
        "model": (stowage.Model.learn(samples).data, lambda data: stowage.Model(data).data),
        "request": (request, lambda data: whole(read_foreign(data, records.Request, b"STOR"))),
        "report": (report, lambda data: whole(read_foreign(data, records.Report, b"STOV"))),
        "catalogue": (catalogue.data, lambda data: whole(read_foreign(data, records.Catalogue, b"STOC"))),
        "learning": (encoded(records.Learning(body=samples), b"STOL"), lambda data: whole(read_foreign(data, records.Learning, b"STOL"))),
        "task": (head, lambda data: unpacked(stowage.work(data + rest))),
        "answer": (stowage.work(task), lambda data: a_plan(unpacked(data).plan)),
        "results": ((folder / "results").read_bytes(), results),
        "text": ((ROOT / "capi/cli/examples/shop.json").read_bytes(), stowage.Instance.from_json),
        "text of operations": (
            b'[{"op": "submit", "app": "x", "demand": {"cpu": "500m"}, "limits": {"a": 1}}, {"op": "cordon", "node": "n"}]', session.apply_json,
        ),
    }  # fmt: skip


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The bytes with a few changes."""
    made = bytearray(data)
    kind = draw.randrange(8)
    if kind == 0:
        return bytes(made[: draw.randrange(len(made))])
    if kind == 1:
        at, size = draw.randrange(len(made)), draw.randrange(1, 64)
        made[at:at] = made[at : at + size]
        return bytes(made)
    for _ in range(draw.choice((1, 1, 1, 2, 4, 16))):
        at = draw.randrange(len(made))
        if kind < 5:
            made[at] = draw.choice((draw.randrange(256), made[at] ^ 1 << draw.randrange(8), 0, 0x7F, 0xFF))
        else:
            at -= at % 4
            number = int.from_bytes(made[at : at + 4], "little")
            number = draw.choice((draw.randrange(64), 0xFFFFFFFF, 0x7FFFFFFF, 1 << 31, number + 4, max(0, number - 4), draw.randrange(len(made))))
            made[at : at + 4] = (number & 0xFFFFFFFF).to_bytes(4, "little")
    return bytes(made)


#: What says that bytes are wrong.
REFUSALS = {
    stowage.Status.MALFORMED, stowage.Status.INVALID, stowage.Status.INVALID_ARGUMENT, stowage.Status.UNSUPPORTED,
    stowage.Status.LIMIT_EXCEEDED, stowage.Status.NOT_FOUND,
}  # fmt: skip


def test_changed_bytes_are_refused_or_read(tmp_path: pathlib.Path) -> None:
    known = readers(tmp_path)
    for data, read in known.values():
        try:
            read(data)
        except stowage.StowageError as refusal:
            assert refusal.status is stowage.Status.NOT_FOUND  # operations on apps that there are not
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    slowest = (0.0, "", 0)
    refused = 0
    for number in range(MUTATIONS):
        name = list(known)[number % len(known)]
        data, read = known[name]
        changed = mutated(data, random.Random(number))
        begin = time.process_time()
        try:
            read(changed)
        except stowage.StowageError as refusal:
            assert refusal.status in REFUSALS, (name, number, refusal)
            refused += 1
        except BaseException as failure:
            raise AssertionError(f"{name}, mutation {number}: {failure!r}") from failure
        slowest = max(slowest, (time.process_time() - begin, name, number))
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(f"\n{MUTATIONS} mutations, {refused} refused; slowest {slowest}; {more} MB more at the peak")
    assert slowest[0] < 2, slowest
    assert more < 100


def many(record: Any, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The same record many times, which is written once."""
    write = _codec._write
    written: dict[tuple[int, int], int] = {}

    def once(builder: flatbuffers.Builder, one: Record) -> int:
        if one is not record:
            return write(builder, one)
        key = (id(builder), id(one))
        if key not in written:
            written[key] = write(builder, one)
        return written[key]

    monkeypatch.setattr(_codec, "_write", once)
    return [record] * count


def test_few_bytes_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan of 900 kB whose notes all point at the same text: 50 GB, if each is copied."""
    plan = stowage.Instance.from_dict(SMALL).plan("ff")
    plan.notes = many(records.Note(text="x" * 500_000), 100_000, monkeypatch)
    data = encoded(plan, b"STOP")
    assert 800_000 < len(data) < 1_000_000
    before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(stowage.StowageError) as caught:
        stowage.Plan.read(data)
    assert caught.value.status in (stowage.Status.LIMIT_EXCEEDED, stowage.Status.MALFORMED)
    assert time.process_time() - begin < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda plan: setattr(plan, "listed", plan.listed[:1]), "listed"),
        (lambda plan: setattr(plan, "node_class", plan.node_class[:1]), ""),
        (lambda plan: setattr(plan, "copies", np.ones(5, np.uint32)), "copies"),
        (lambda plan: setattr(plan, "placed", np.array([(0, 7, 1)], records.PLACED)), "placed"),
    ],
)
def test_a_plan_whose_columns_do_not_fit_is_refused(change: Callable[[stowage.Plan], None], path: str) -> None:
    plan = stowage.Instance.from_dict(SMALL).plan("ff")
    change(plan)
    with pytest.raises(stowage.StowageError) as caught:
        stowage.Plan.read(encoded(plan, b"STOP"))
    assert caught.value.status in (stowage.Status.MALFORMED, stowage.Status.INVALID) and path in caught.value.path


def test_a_plan_of_another_instance_is_refused() -> None:
    one = {**SMALL, "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": 2, "memory": 4}}]}
    small, plan = stowage.Instance.from_dict(one), stowage.Instance.from_dict(SMALL).plan("ff")
    assert not small.verify(plan).ok
    for use in (lambda: stowage.Plan.read(plan.data, small), lambda: small.picture(plan), lambda: plan.table(1)):
        with pytest.raises(stowage.StowageError):
            use()


def test_text_that_is_not_utf_8_is_refused() -> None:
    plan = stowage.Instance.from_dict(SMALL).plan("ff")
    plan.planner = "QQQQ"
    data = encoded(plan, b"STOP")
    assert data.count(b"QQQQ") == 1
    for wrong in (b"\xff\xfe\xfd\xfc", b"Q\xc0\xafQ", b"\xed\xa0\x80Q", b"QQQ\xe2"):
        with pytest.raises(stowage.StowageError) as caught:
            stowage.Plan.read(data.replace(b"QQQQ", wrong))
        assert caught.value.status is stowage.Status.MALFORMED


HALF = "a\ud800"


@pytest.mark.parametrize(
    ("give", "path"),
    [
        (lambda: stowage.Instance.from_dict({**SMALL, "name": HALF}), "name"),
        (lambda: stowage.Instance.from_json(json.dumps({**SMALL, "apps": [{**SMALL["apps"][0], "name": HALF}]})), ""),  # type: ignore[index]
        (lambda: stowage.Instance.from_dict({**SMALL, "resources": {HALF: ""}}), "resources"),
        (lambda: cluster().plan("ff", survive=HALF), "survive"),
        (lambda: cluster().plan(HALF), "planner"),
        (lambda: cluster().plan("ff", options={HALF: 1}), "options[0].name"),
        (lambda: cluster().losses(label=HALF), "label"),
        (lambda: cluster().headroom(cluster().plan("ff"), HALF), "app"),
        (lambda: cluster().derive(records.Derivation(by_app=[records.AppChange(name=HALF)])), "by_app[0].name"),
        (lambda: stowage.Session(cluster()).apply({"op": "remove", "app": HALF}), "operations[0].app"),
        (lambda: stowage.Session(cluster()).apply(stowage.Operation(kind=stowage.OperationKind.REMOVE, app=HALF)), "operations[0].app"),
        (lambda: stowage.Session(cluster()).apply_json('[{"op": "remove", "app": "\\ud800"}]'), ""),
        (lambda: stowage.Instance.from_frames({"name": [HALF], "cpu": [1]}, {"cpu": [2]}), "apps.name"),
        (lambda: stowage.Instance.from_frames({"cpu": [1], HALF: [1]}, {"cpu": [2]}), "apps"),
        (lambda: stowage.size(used(HALF)), "apps[0]"),
    ],
)
def test_half_a_character_is_refused_with_its_path(give: Callable[[], object], path: str) -> None:
    with pytest.raises(stowage.StowageError) as caught:
        give()
    assert caught.value.path.startswith(path)
    str(caught.value).encode()


def used(app: str) -> records.Usage:
    return records.Usage(
        apps=[app], resources=["cpu"], app=np.zeros(1, np.uint32), time=np.zeros(1), amount=np.ones(1),
        rules=[records.SizeRule(percentile=0.75)],
    )  # fmt: skip


def cluster() -> stowage.Instance:
    return stowage.Instance.from_dict(SMALL)


def test_numbers_that_a_field_does_not_hold_are_refused() -> None:
    plan = cluster().plan("ff")
    for limits in ({"max_apps": -1}, {"max_apps": 2**64 + 5}):
        with pytest.raises(stowage.StowageError) as caught:
            stowage.Instance(cluster().data, limits=limits)
        assert caught.value.path == "limits.max_apps"
    with pytest.raises(TypeError):
        cluster().headroom(plan, 0, 0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="CommitMode"):
        stowage.Session(cluster()).commit(plan, 2**32)  # type: ignore[arg-type]


def test_quantities_take_time_in_proportion_to_their_length() -> None:
    def described(amount: str, confidence: str) -> stowage.Instance:
        apps = [{"name": "web", "demand": {"cpu": amount, "memory": 1}}]
        return stowage.Instance.from_dict({**SMALL, "apps": apps, "uncertainty": {"confidence": confidence}})

    begin = time.process_time()
    for text in ("1x" + " " * 100_000 + "y", "1" + " " * 200_000 + "x", "1" * 200_000, "1" + "\t " * 100_000, "." * 100_000):
        for amount, confidence in ((text, "99%"), ("1", text)):
            with contextlib.suppress(stowage.StowageError):
                described(amount, confidence)
    assert time.process_time() - begin < 2
    made = described("1 cores \t", " 95 % ").columns
    assert made.apps.demand[0] == 1 and made.uncertainty is not None and made.uncertainty.confidence == 0.95


@pytest.mark.parametrize("data", [bytearray(), memoryview(b""), memoryview(b"abcdefgh")[::2], np.zeros((2, 3)).data])
def test_any_buffer_is_read_or_refused(data: Any) -> None:
    for read in (stowage.Instance, stowage.Session, stowage.Model, stowage.Plan.read, lambda one: cluster().verify(one)):
        with pytest.raises(stowage.StowageError) as caught:
            read(data)
        assert caught.value.status is stowage.Status.MALFORMED
