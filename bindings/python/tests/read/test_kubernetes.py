"""Questions about Kubernetes clusters: the answers are those of the command."""

import json
import pathlib
import subprocess

import pytest

import stowage
from stowage import kubernetes
from support import ROOT

COMMAND = ROOT / "build/release/capi/cli/stowage"
CLUSTERS = sorted((ROOT / "bindings/go/stowage-k8s/testdata").glob("*.json"))
WORK = ["-work", "100000"]


@pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no {COMMAND}")
@pytest.mark.parametrize("path", CLUSTERS, ids=lambda path: path.stem)
def test_answers_are_those_of_the_command(path: pathlib.Path) -> None:
    for arguments in ([], ["-json", "-placements"], ["instance"], ["nodes", "-price", "default"]):
        printed = subprocess.run([COMMAND, "k8s", *arguments, *WORK, path], capture_output=True, text=True, check=False)
        if printed.returncode == 1:
            with pytest.raises(stowage.StowageError) as failure:
                kubernetes.answer([*arguments, *WORK], path.read_bytes())
            assert printed.stderr.endswith(f"{failure.value}\n")
        else:
            assert kubernetes.answer([*arguments, *WORK], path.read_bytes()) == (printed.returncode, printed.stdout)


def test_a_cluster_is_an_instance() -> None:
    found = kubernetes.read(CLUSTERS[0].read_text(encoding="utf-8"))
    plan = found.instance.plan("auto", work_limit=100_000, move_budget=100)
    assert found.instance.verify(plan).ok
    assert all(isinstance(one, str) for one in found.left_out + found.missing + found.notes + found.held)


def test_prices_come_from_texts_of_the_caller() -> None:
    objects = next(path for path in CLUSTERS if path.stem == "cluster").read_text(encoding="utf-8")
    nodes = [one for one in json.loads(objects)["items"] if one["kind"] == "Node"]
    types = {one["metadata"]["labels"]["node.kubernetes.io/instance-type"] for one in nodes}
    found = kubernetes.answer(["-json", "-price", "p.csv", *WORK], objects, files={"p.csv": "".join(f"{one},3\n" for one in types)})
    assert json.loads(found.text)["costNow"] == 3 * len(nodes)


def test_what_is_wrong_is_told_with_its_place() -> None:
    for objects, status in (('{"kind": "Node", "metadata": 1}', stowage.Status.INVALID), ('{"kind"', stowage.Status.MALFORMED)):
        with pytest.raises(stowage.StowageError) as failure:
            kubernetes.answer([], objects)
        assert failure.value.status is status
    with pytest.raises(stowage.StowageError, match="more.json"):
        kubernetes.answer(["more.json"], "")


def test_a_control_ends_a_call() -> None:
    control = stowage.Control()
    control.cancel()
    with pytest.raises(stowage.StowageError) as failure:
        kubernetes.answer(["fit"], CLUSTERS[0].read_bytes(), control=control)
    assert failure.value.status is stowage.Status.CANCELLED
