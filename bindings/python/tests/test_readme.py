"""The programs of the README run in its order, and print what it says."""

import contextlib
import io
import pathlib
import re

import pytest
from support import ROOT

README = (ROOT / "bindings/python/README.md").read_text(encoding="utf-8")


def test_the_programs_of_the_readme(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # they write files
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    programs = [(text, *blocks[k + 1]) for k, (kind, text) in enumerate(blocks) if kind == "python"]
    assert len(programs) == 5
    names: dict[str, object] = {}
    for program, kind, expected in programs:
        assert kind == "text", "each program is followed by what it prints"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, names)
        assert printed.getvalue() == expected
