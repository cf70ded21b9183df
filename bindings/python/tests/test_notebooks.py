"""The notebooks of docs/notebooks run, and show what is committed. UPDATE=1 writes what they show now."""

import os
import pathlib
import re
from typing import Any

import nbclient
import nbformat
import pytest
from support import ROOT

FOLDER = ROOT / "docs/notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def shown(output: Any) -> list[str]:
    """What an output shows: texts and tables as they are. Of pictures, only that there is one: fonts and libraries differ."""
    if output["output_type"] == "stream":
        return [output["name"], output["text"]]
    texts = []
    for kind, content in sorted(output.get("data", {}).items()):
        text = "".join(content) if kind in ("text/plain", "text/html") else ""
        texts.append(f"{kind}: {re.sub(r'0x[0-9a-f]{6,}', '0x', text)}")
    return texts


def cells(book: Any) -> list[tuple[str, list[list[str]]]]:
    """The code of each cell and what it shows."""
    return [(cell["source"], [shown(one) for one in cell["outputs"]]) for cell in book["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", NAMES)
# The kernel is another process, whose sockets the client leaves to the end of its event loop.
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::DeprecationWarning"
)
def test_a_notebook_shows_what_is_committed(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What a user has set up for notebooks and pictures changes nothing.
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "jupyter"))
    (tmp_path / "matplotlibrc").touch()
    monkeypatch.setenv("MATPLOTLIBRC", str(tmp_path / "matplotlibrc"))
    path = FOLDER / f"{name}.ipynb"
    committed = nbformat.read(path, as_version=4)
    made = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}})
    client.execute()
    assert not [one for cell in made["cells"] for one in cell.get("outputs", []) if one.get("name") == "stderr"]
    for cell in made["cells"]:
        cell["metadata"] = {}
    if os.environ.get("UPDATE"):
        made["metadata"] = committed["metadata"]
        nbformat.write(made, path)
        committed = made
    assert cells(made) == cells(committed)
    assert any("image/png" in line for _, outputs in cells(committed) for output in outputs for line in output)


def test_there_are_notebooks() -> None:
    assert NAMES == ["capacity-planning", "sizes", "sweep", "what-if"]
    # Small enough to keep with the sources.
    assert all(pathlib.Path(FOLDER / f"{name}.ipynb").stat().st_size < 150_000 for name in NAMES)
