"""The JSON of random instances, plans and operations, as tests/faces/write_faces.cpp has written it."""

import json
import os
import pathlib

import pytest

import stowage

FOLDER = os.environ.get("STOWAGE_FACES_FOLDER")


@pytest.mark.skipif(FOLDER is None, reason="scripts/test-bindings.sh writes the files")
def test_json_has_the_same_bytes_in_every_language() -> None:
    assert FOLDER is not None
    folder = pathlib.Path(FOLDER)
    cases = sorted(file.name.removesuffix("-after.stow") for file in folder.glob("*-after.stow"))
    assert cases
    for k in cases:
        files = {file.name.removeprefix(k): file.read_bytes() for file in folder.glob(f"{k}[-.]*")}
        instance = stowage.Instance(files[".stow"])
        made = instance.to_json().encode()
        assert made == files[".json"], k
        assert stowage.Instance.from_json(made).data == files["-back.stow"], k
        made = stowage.Plan.read(files["-plan.stow"], instance).to_json().encode()
        assert made == files["-plan.json"], k
        assert stowage.Plan.from_json(made, instance).data == files["-plan-back.stow"], k
        session = stowage.Session(instance)
        session.apply_json(files["-operations.json"])
        assert session.snapshot() == files["-after.stow"], k
        # The same as objects.
        session = stowage.Session(files[".stow"])
        operations = json.loads(files["-operations.json"])
        session.apply(*(operations if isinstance(operations, list) else operations["operations"]))
        assert session.snapshot() == files["-after.stow"], k
