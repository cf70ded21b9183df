"""Tables of files: the same instance in each format, as for the command; and what is said of mistakes."""

import csv
import io
import json
import pathlib
import random
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import openpyxl
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from support import ROOT

import stowage

COMMAND = ROOT / "build/release/capi/cli/stowage"
with_command = pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no {COMMAND.relative_to(ROOT)}: tables of the command")

# Rows of texts, as in CSV.
Rows = list[list[str]]

APPS: Rows = [
    ["App Name", "Instances", "vCPU", "Memory (MiB)", "gpu", "priority", "Weight", "max-per-node", "limits", "tags", "only", "not",
     "cpu_deviation", "memory_variance", "title"],
    ["web", "12", "0.5", "3072", "", "5", "2.5", "2", "db=0 cron=1", "front public", "zone=a", "old", "0.1", "", ""],
    ["db", "2", "4", "16384", "1", "", "", "", "db=1", "", "", "", "", "0.25", "the shop"],
    ["cron", "", "250m", "1Gi", "", "-3", "", "", "", "front", "", "ssd,old", "", "", ""],
    ["7", "1", "1", "512", "0", "", "", "3", "", "", "", "", "", "", ""],
]  # fmt: skip
CLASSES: Rows = [
    ["instance_type", "count", "hourly price", "labels", "GPU", "RAM (GiB)", "cpu"],
    ["small", "4", "0.25", "zone=a old", "0", "64", "8"],
    ["large", "", "1.5", "zone=b;ssd", "4", "256Gi", "32"],
]
RUNNING: Rows = [
    ["node", "app", "replicas", "class"],
    ["n2", "web", "3", "small"],
    ["n1", "db", "", "large"],
    ["n2", "7", "1", ""],
    ["n3", "", "", "large"],
]
SHOP: dict[str, Any] = {
    "stowage": 1, "name": "the shop", "resources": {"gpu": "", "memory": "GiB", "cpu": "cores"},
    "classes": [
        {"name": "small", "count": 4, "price": 0.25, "labels": ["zone=a", "old"], "capacity": {"gpu": 0, "memory": 64, "cpu": 8}},
        {"name": "large", "price": 1.5, "labels": ["zone=b", "ssd"], "capacity": {"gpu": 4, "memory": "256Gi", "cpu": 32}},
    ],
    "apps": [
        {"name": "web", "replicas": 12, "demand": {"cpu": 0.5, "memory": 3}, "priority": 5, "weight": 2.5, "max_per_node": 2,
         "limits": {"db": 0, "cron": 1}, "tags": ["front", "public"], "only": ["zone=a"], "not": ["old"], "deviation": {"cpu": 0.1}},
        {"name": "db", "replicas": 2, "demand": {"cpu": 4, "memory": 16, "gpu": 1}, "limits": {"db": 1}, "variance": {"memory": 0.25}},
        {"name": "cron", "demand": {"cpu": "250m", "memory": "1Gi"}, "priority": -3, "tags": ["front"], "not": ["ssd", "old"]},
        {"name": "7", "demand": {"cpu": 1, "memory": 0.5}, "max_per_node": 3},
    ],
    "nodes": [
        {"name": "n2", "class": "small", "running": {"web": 3, "7": 1}},
        {"name": "n1", "class": "large", "running": {"db": 1}},
        {"name": "n3", "class": "large"},
    ],
}  # fmt: skip


def text(rows: Rows, separator: str = ",") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue()


def typed(one: str) -> Any:
    """A cell as a spreadsheet holds it: numbers as floats, and nothing where nothing is."""
    if re.fullmatch(r"-?\d+(\.\d+)?", one):
        return float(one)
    return one or None


def typed_columns(rows: Rows) -> dict[str, list[Any]]:
    """Columns of one kind each, as Parquet has them: of numbers where all cells are numbers, and else of text."""
    columns = {}
    for header, *cells in zip(*rows, strict=True):
        values = [typed(one) for one in cells]
        is_text = any(isinstance(one, str) for one in values)
        columns[header] = [one or None for one in cells] if is_text else values
    return columns


def write_csv(folder: pathlib.Path, name: str, rows: Rows) -> pathlib.Path:
    path = folder / f"{name}.csv"
    path.write_text(text(rows), encoding="utf-8")
    return path


def write_tsv(folder: pathlib.Path, name: str, rows: Rows) -> pathlib.Path:
    path = folder / f"{name}.tsv"
    path.write_text(text(rows, "\t"), encoding="utf-8")
    return path


def write_semicolons(folder: pathlib.Path, name: str, rows: Rows) -> pathlib.Path:
    """As European spreadsheets write it: with a mark of UTF-8, ends of lines of Windows, and decimals behind a comma."""
    path = folder / f"{name}-semicolons.csv"
    body = [[re.sub(r"^(-?\d+)\.(\d+)$", r"\1,\2", one) for one in row] for row in rows]
    path.write_bytes(b"\xef\xbb\xbf" + text(body, ";").replace("\n", "\r\n").encode())
    return path


def write_xlsx(folder: pathlib.Path, name: str, rows: Rows) -> pathlib.Path:
    path = folder / f"{name}.xlsx"
    save(path, {"Sheet1": rows})
    return path


def write_parquet(folder: pathlib.Path, name: str, rows: Rows) -> pathlib.Path:
    path = folder / f"{name}.parquet"
    pyarrow.parquet.write_table(pyarrow.table(typed_columns(rows)), path)
    return path


def write_pandas(folder: pathlib.Path, name: str, rows: Rows) -> pathlib.Path:
    path = folder / f"{name}-pandas.parquet"
    pandas.DataFrame(typed_columns(rows)).to_parquet(path)
    return path


def save(path: pathlib.Path, sheets: dict[str, Any]) -> None:
    """Writes a workbook."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append([typed(one) if isinstance(one, str) else one for one in row])
    book.save(path)


Writer = Callable[[pathlib.Path, str, Rows], pathlib.Path]
WRITERS: list[Writer] = [write_csv, write_tsv, write_semicolons, write_xlsx, write_parquet, write_pandas]
of_every_format = pytest.mark.parametrize("write", WRITERS)


def read(folder: pathlib.Path, write: Writer, apps: Rows, classes: Rows, running: Rows | None = None) -> stowage.Instance:
    tables = {"apps": apps, "classes": classes, **({} if running is None else {"running": running})}
    files: dict[str, Any] = {what: write(folder, what, rows) for what, rows in tables.items()}
    return stowage.read_tables(**files)


def by_command(folder: pathlib.Path, apps: Rows, classes: Rows, running: Rows | None = None) -> stowage.Instance | None:
    """The instance that the command makes of tables; None where it refuses them."""
    made = folder / "made.stow"
    made.unlink(missing_ok=True)
    command: list[str | pathlib.Path] = [COMMAND, "convert", write_csv(folder, "a", apps), made, "--classes"]
    command += [write_csv(folder, "c", classes)]
    if running is not None:
        command += ["--running", write_csv(folder, "r", running)]
    ended = subprocess.run(command, capture_output=True, check=False)
    return stowage.Instance(made.read_bytes()) if ended.returncode == 0 else None


def refusal(folder: pathlib.Path, write: Writer, apps: Rows, classes: Rows | None = None, running: Rows | None = None) -> str:
    """The place and the message by which tables are refused, without the folder."""
    with pytest.raises(stowage.StowageError) as caught:
        read(folder, write, apps, CLASSES if classes is None else classes, running)
    return str(caught.value).replace(f"{folder}/", "")


# --------------------------------------------------------------------------------------------------------------- the same instance


@of_every_format
def test_tables_are_the_same_instance_in_every_format(tmp_path: pathlib.Path, write: Writer) -> None:
    shop = stowage.Instance.from_dict(SHOP)
    made = read(tmp_path, write, APPS, CLASSES, RUNNING)
    assert made.to_json() == shop.to_json()
    assert made.fingerprint == shop.fingerprint == stowage.Instance.from_json(json.dumps(SHOP)).fingerprint


@with_command
def test_tables_are_the_instance_of_the_command(tmp_path: pathlib.Path) -> None:
    made = by_command(tmp_path, APPS, CLASSES, RUNNING)
    assert made is not None and made.fingerprint == stowage.Instance.from_dict(SHOP).fingerprint


@with_command
def test_tables_that_the_command_writes(tmp_path: pathlib.Path) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(SHOP), encoding="utf-8")
    subprocess.run([COMMAND, "convert", tmp_path / "shop.json", f"{tmp_path / 'tables'}/"], capture_output=True, check=True)
    assert stowage.read_tables(tmp_path / "tables").fingerprint == stowage.Instance.from_dict(SHOP).fingerprint


# Cells, of which some are wrong.
CELLS = {
    "app": ["app", "App Name", "service", "workload", "name"],
    "replicas": ["replicas", "Pods", "instances"],
    "cpu": ["cpu", "vCPU", "cores", "CPU (cores)", "cpu (vCPU)", "cpu [m]"],
    "memory": ["memory", "RAM", "mem (GiB)", "Memory (MiB)", "memory (GB)"],
    "disk": ["disk", "Disk (GB)", "disk (TiB)", "Disk size"],
}
AMOUNTS = ["1", "2", "0.5", "3.25", "4", "16", "12.0", "1e1", "500m", "2Gi", "1024Mi", "1.5 Gi", "1k", "", "x"]


def drawn(draw: random.Random) -> tuple[Rows, Rows, Rows | None]:
    """Tables of any words, units and cells."""
    wrong = draw.random() < 0.3

    def amount() -> str:
        return draw.choice(AMOUNTS if wrong else AMOUNTS[:-2])

    names = draw.sample(["web", "db", "cron", "7", "a b", "x-1", "Ä"], draw.randint(1, 5))
    resources = draw.sample(["cpu", "memory", "disk"], draw.randint(1, 3))
    columns: dict[str, list[str]] = {draw.choice(CELLS["app"]): names}
    columns[draw.choice(CELLS["replicas"])] = [draw.choice(["", "1", "3", "2.0"]) for _ in names]
    for resource in resources:
        columns[draw.choice(CELLS[resource])] = [amount() for _ in names]
        if draw.random() < 0.3:
            columns[f"{resource}_{draw.choice(['deviation', 'variance'])}"] = [draw.choice(["", "0.1", "1", "0"]) for _ in names]
    more = {
        "priority": ["", "0", "-2", "7"], "weight": ["", "1", "2.5"], "max per node": ["", "1", "2"], "owner": ["", "me"],
        "limits": ["", "web=1", f"{names[-1]}=2", "db=0, cron=1"], "tags": ["", "a", "a b"], "only": ["", "zone=a"],
        "not": ["", "b;ssd"], "title": ["", "", "", "plan"], "kind": ["", "job"],
    }  # fmt: skip
    for name in draw.sample(sorted(more), draw.randint(0, 5)):
        columns[name] = [draw.choice(more[name]) for _ in names]
    items = list(columns.items())
    draw.shuffle(items)
    apps = [[name for name, _ in items], *[list(row) for row in zip(*[cells for _, cells in items], strict=True)]]
    count = draw.randint(1, 3)
    capacity = {draw.choice(CELLS[name]): [draw.choice(["64", "128Gi", "8", "1000"]) for _ in range(count)] for name in resources}
    given = {"type": ["small", "large", "huge"][:count], **capacity}
    if draw.random() < 0.5:
        given |= {"count": [draw.choice(["", "2", "3"]) for _ in range(count)], "labels": [draw.choice(["", "zone=a ssd"])] * count}
    if draw.random() < 0.5:
        given["cost"] = [draw.choice(["0.5", "2"]) for _ in range(count)]
    classes = [list(given), *[list(row) for row in zip(*given.values(), strict=True)]]
    running = None
    if draw.random() < 0.5:
        running = [["node", "app", "replicas", "class"]]
        for app in [*draw.sample(names, draw.randint(0, len(names))), ""]:
            running.append([draw.choice(["n1", "n2", "n3"]), app, draw.choice(["", "1"]) if app else "", draw.choice(["small", "#0"])])
    return apps, classes, running


@with_command
@pytest.mark.filterwarnings("ignore:.*(not used|how many replicas)")
def test_drawn_tables_are_the_instance_of_the_command(tmp_path: pathlib.Path) -> None:
    draw = random.Random(1)
    accepted = 0
    for number in range(150):
        tables = drawn(draw)
        made = by_command(tmp_path, *tables)
        write = WRITERS[number % len(WRITERS)]
        try:
            ours = read(tmp_path, write, *tables)
        except stowage.StowageError as failure:
            assert made is None, (failure, tables)
            continue
        assert made is not None and ours.to_json() == made.to_json() and ours.fingerprint == made.fingerprint, tables
        accepted += 1
    assert accepted > 50


@pytest.mark.skipif(not (ROOT / "capi").exists(), reason="there are no sources of the command: words for columns")
def test_words_for_columns_are_those_of_the_command() -> None:
    from stowage._read import columns

    source = (ROOT / "capi/text/base/json_text.cpp").read_text(encoding="utf-8")
    words = source[source.index("std::string_view our_word(") :].partition("};\n")[0]
    assert dict(re.findall(r'\{"(\w+)", "(\w+)"\}', words)) == columns.OUR_WORDS
    source = (ROOT / "capi/cli/formats/instance/table_columns.cpp").read_text(encoding="utf-8")
    for name, ours in (
        ("kNames", columns.NAMES), ("kOtherNames", columns.OTHER_NAMES), ("kReplicaWords", columns.REPLICAS),
        ("kPriceParts", columns.PRICE_PARTS), ("kNoPriceParts", columns.NO_PRICE_PARTS), ("kCurrencyWords", columns.CURRENCIES),
        ("kAroundCurrencies", columns.AROUND_CURRENCIES), ("kResourceWords", columns.RESOURCES),
        ("kOtherUnits", columns.OTHER_UNITS), ("kUnitWords", columns.UNITS),
    ):  # fmt: skip
        assert tuple(re.findall(r'"([^"]*)"', source[source.index(f"{name} = ") :].partition("};")[0])) == ours


# ----------------------------------------------------------------------------------------------------------------------- workbooks


def test_a_workbook_has_all_tables(tmp_path: pathlib.Path) -> None:
    shop, book = stowage.Instance.from_dict(SHOP), tmp_path / "plan.xlsx"
    save(book, {"notes": [["by", "me"]], "Apps": APPS, "CLASSES": CLASSES, "running": RUNNING})
    assert stowage.read_tables(book).fingerprint == shop.fingerprint
    assert stowage.read_tables(str(book), name="another").columns.name == "another"
    assert stowage.read_tables(book, sheets={"running": None}).columns.nodes is None
    save(book, {"Anwendungen": APPS, "nodes": CLASSES, "notes": [["by", "me"]]})
    with pytest.raises(stowage.StowageError, match='has no sheet "apps" for apps; there are: "Anwendungen", "nodes", "notes"'):
        stowage.read_tables(book)
    # The sheet "nodes" is named for another table.
    made = stowage.read_tables(book, sheets={"apps": "Anwendungen", "classes": "nodes"})
    assert made.columns.nodes is None and made.replicas.tolist() == [12, 2, 1, 1]
    with pytest.raises(stowage.StowageError, match="has no table of classes; give one, or say which sheet has it"):
        stowage.read_tables(book, sheets={"apps": "Anwendungen", "nodes": None})
    running = write_csv(tmp_path, "running", RUNNING)
    made = stowage.read_tables(book, running=running, sheets={"apps": "Anwendungen", "classes": "nodes"})
    assert made.fingerprint == shop.fingerprint


def test_a_folder_has_all_tables(tmp_path: pathlib.Path) -> None:
    with pytest.raises(stowage.StowageError, match="is a folder without apps.csv"):
        stowage.read_tables(tmp_path)
    for name, rows in (("apps", APPS), ("classes", CLASSES), ("running", RUNNING)):
        write_csv(tmp_path, name, rows)
    assert stowage.read_tables(tmp_path).fingerprint == stowage.Instance.from_dict(SHOP).fingerprint


def test_rows_and_columns_without_content_are_none(tmp_path: pathlib.Path) -> None:
    book = tmp_path / "plan.xlsx"
    apps = [[], [None, *APPS[0], None], [], *[[None, *row, None] for row in APPS[1:]], [" "], []]
    save(book, {"apps": apps, "classes": CLASSES, "running": RUNNING})
    assert stowage.read_tables(book).fingerprint == stowage.Instance.from_dict(SHOP).fingerprint


def with_values(path: pathlib.Path, values: dict[str, str]) -> None:
    """Gives formulas of a workbook the values that a spreadsheet program would save."""
    import zipfile

    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    for name, part in parts.items():
        for formula, value in values.items():
            # What is no number is text, as in Excel's files.
            kind = "" if re.search(r"\d", value) else ' t="str"'
            part = re.sub(rf"><f>{re.escape(formula)}</f><v ?/?>(</v>)?".encode(), f"{kind}><f>{formula}</f>{value}".encode(), part)
        parts[name] = part
    with zipfile.ZipFile(path, "w") as book:
        for name, part in parts.items():
            book.writestr(name, part)


def test_of_formulas_count_the_values(tmp_path: pathlib.Path) -> None:
    book = tmp_path / "plan.xlsx"
    apps = [["name", "replicas", "cpu", "tags", "note"], ["web", "=1+2", "=2*2", "=A2", "=A1"], ["db", 1.0, 4, "=A4", "=B9"]]
    save(book, {"apps": apps, "classes": [["cpu"], [64]]})
    with pytest.raises(stowage.StowageError) as caught:
        stowage.read_tables(book)
    assert caught.value.path == f"{book}: apps!B2"
    assert caught.value.message.startswith("is a formula without a value; open the file")
    with_values(book, {"1+2": "<v>3</v>", "2*2": "<v>4.0</v>", "A2": "<v>web</v>", "A4": "<v></v>"})
    with pytest.warns(UserWarning, match="not used: note"):
        made = stowage.read_tables(book)
    assert made.replicas.tolist() == [3, 1] and made.demand.tolist() == [[4], [4]]
    begin = made.columns.apps.tag_begin
    assert made.columns.tags == ["web"] and begin is not None and begin.tolist() == [0, 1, 1]


def test_cells_that_no_column_can_use(tmp_path: pathlib.Path) -> None:
    import datetime

    book = tmp_path / "plan.xlsx"
    for value, said in ((datetime.datetime(2026, 3, 1), "is a datetime, which is neither"), ("#N/A", "is #N/A, an error of the")):
        save(book, {"apps": [["name", "cpu"], ["web", 1], [value, 2]], "classes": [["cpu"], [64]]})
        with pytest.raises(stowage.StowageError) as caught:
            stowage.read_tables(book)
        assert str(caught.value).startswith(f"{book}: apps!A3: {said}")


# ------------------------------------------------------------------------------------------------------------------ more than CSV has


def test_parquet_has_lists(tmp_path: pathlib.Path) -> None:
    apps = {
        "name": ["web", "db"], "replicas": [1, 1], "cpu": [[1.0, 2.0], [3.0, 3.0]], "memory": [4, 8], "tags": [["a b", "c"], None],
        "limits": [["db=1"], []], "rank": [{"a": 1}, None],
    }  # fmt: skip
    pyarrow.parquet.write_table(pyarrow.table(apps), tmp_path / "apps.parquet")
    classes = write_csv(tmp_path, "classes", [["cpu", "memory"], ["8", "16"]])
    with pytest.warns(UserWarning, match="apps.parquet: not used: rank"):
        made = stowage.read_tables(tmp_path / "apps.parquet", classes)
    assert made.columns.periods == 2 and made.demand.tolist() == [[[1, 2], [4, 4]], [[3, 3], [8, 8]]]
    assert made.columns.tags == ["a b", "c"] and made.columns.limits is not None and made.columns.limits.at_most.tolist() == [1]


def test_nodes_have_a_table(tmp_path: pathlib.Path) -> None:
    nodes: Rows = [
        ["node", "node class", "closed", "tags", "cpu", "Memory (MiB)"],
        ["n1", "large", "TRUE", "gpu", "2", "1024"],
        ["n2", "", "", "", "500m", ""],
    ]
    tables = {"apps": APPS, "classes": CLASSES, "running": [["node", "app", "class"], ["n2", "web", "small"]], "nodes": nodes}
    shop = {key: part for key, part in SHOP.items() if key != "nodes"}
    shop["nodes"] = [
        {"name": "n1", "class": "large", "closed": True, "tags": "gpu", "load": {"cpu": 2, "memory": 1}},
        {"name": "n2", "class": "small", "load": {"cpu": 0.5}, "running": {"web": 1}},
    ]
    shop["rules"] = [{"all_of": [{"subject": ["front"], "target": ["front"], "max": 3}]}]
    files: dict[str, Any]
    for write in WRITERS:
        files = {what: write(tmp_path, what, rows) for what, rows in tables.items()}
        made = stowage.read_tables(**files, rules=shop["rules"])
        assert made.fingerprint == stowage.Instance.from_dict(shop).fingerprint
    tables["running"] = [["node", "app"], ["n2", "web"], ["n9", "web"]]
    tables["nodes"] = [row[:2] for row in nodes]
    files = {what: write_csv(tmp_path, what, rows) for what, rows in tables.items()}
    with pytest.raises(stowage.StowageError, match=r'running.csv:3: node: there is no listed node "n9"'):
        stowage.read_tables(**files)
    write_csv(tmp_path, "running", [["node", "app"], ["n2", "web"]])
    with pytest.raises(stowage.StowageError, match=r'nodes.csv:3: node "n2" has no class'):
        stowage.read_tables(**files)


def test_kinds_need_interference(tmp_path: pathlib.Path) -> None:
    apps = write_csv(tmp_path, "apps", [["name", "cpu", "kind", "pods"], ["web", "1", "light", "1"], ["db", "1", "heavy", "1"]])
    classes = write_csv(tmp_path, "classes", [["cpu"], ["8"]])
    kinds = {"kinds": ["light", "heavy"], "coefficient": [[0, 1], [1, 0]], "max_cost": {"light": 1, "heavy": 1}}
    made = stowage.read_tables(apps, classes, interference=kinds)
    assert made.columns.apps.kind is not None and made.columns.apps.kind.tolist() == [0, 1]
    with pytest.warns(UserWarning, match="apps.csv: not used: kind"):
        assert stowage.read_tables(apps, classes).columns.apps.kind is None


# ------------------------------------------------------------------------------------------------------------------------- mistakes


def changed(rows: Rows, row: int, header: str, cell: str) -> Rows:
    made = [list(one) for one in rows]
    made[row][rows[0].index(header)] = cell
    return made


MISTAKES: list[tuple[str, dict[str, Rows], str, str]] = [
    ("a quantity", {"apps": changed(APPS, 3, "vCPU", "much")}, "apps.csv:4: vCPU", '"much" is not a quantity'),
    ("a number", {"apps": changed(APPS, 2, "Instances", "two")}, "apps.csv:3: Instances", 'must be a number, not "two"'),
    ("a whole number", {"apps": changed(APPS, 4, "max-per-node", "1.5")}, "apps.csv:5: max-per-node", "1.5 is not in the range"),
    ("no name", {"apps": changed(APPS, 2, "App Name", "")}, "apps.csv:3: App Name", "has no value"),
    ("a name twice", {"apps": changed(APPS, 2, "App Name", "web")}, "apps.csv:3: App Name", '"web" is already a name, at '),
    ("an app", {"apps": changed(APPS, 1, "limits", "dp=1")}, "apps.csv:2: limits", 'there is no app "dp"'),
    ("a limit", {"apps": changed(APPS, 1, "limits", "db")}, "apps.csv:2: limits", '"db" is not an app and a number'),
    ("two limits", {"apps": changed(APPS, 1, "limits", "db=1 db=2")}, "apps.csv:2: limits", '"db" has two limits here'),
    ("a limit on itself", {"apps": changed(APPS, 1, "limits", "web=1")}, "apps.csv:2: limits", '"web" has two limits here'),
    ("a limit's number", {"apps": changed(APPS, 1, "limits", "db=0.5")}, "apps.csv:2: limits", "0.5 is not in the range"),
    ("a weight", {"apps": changed(APPS, 1, "Weight", "0")}, "apps.csv:2: Weight", ""),
    ("a unit", {"apps": changed(APPS, 0, "Memory (MiB)", "Memory (l)")}, "apps.csv:1: Memory (l)", "cannot be converted to GiB"),
    ("a misspelt unit", {"classes": changed(CLASSES, 0, "RAM (GiB)", "RAM (gib)")}, "classes.csv:1: RAM (gib)", '"gib" is not a unit'),
    ("no capacity", {"classes": changed(CLASSES, 2, "cpu", "")}, "classes.csv:3: cpu", "has no value"),
    ("a price", {"classes": changed(CLASSES, 2, "hourly price", "-1")}, "classes.csv:3: hourly price", "must not be negative"),
    ("a class of a node", {"running": changed(RUNNING, 2, "class", "tiny")}, "running.csv:3: class", 'there is no class "tiny"'),
    ("two classes of a node", {"running": changed(RUNNING, 3, "class", "large")}, "running.csv:4: class", 'node "n2" is also of class'),
    ("many nodes", {"classes": changed(CLASSES, 2, "count", "1")}, "running.csv:5: class", "more listed nodes of this class"),
    ("no class", {"running": changed(RUNNING, 2, "class", "")}, "running.csv:3", 'node "n1" has no class'),
    ("an app that runs", {"running": changed(RUNNING, 2, "app", "dp")}, "running.csv:3: app", 'there is no app "dp"'),
    ("an app twice", {"running": changed(RUNNING, 3, "app", "web")}, "running.csv:4: app", '"web" stands twice on node "n2"'),
    ("no node", {"running": changed(RUNNING, 4, "node", "")}, "running.csv:5: node", "has no value"),
    ("two columns", {"apps": changed(APPS, 0, "title", "cpu")}, "apps.csv:1: cpu", '"vCPU" and "cpu" mean the same'),
    ("no resource", {"classes": [["name", "disk"], ["a", "1"]]}, "apps.csv", "has no column of a resource that"),
    ("no apps", {"apps": [["id", "cpu"], ["5", "1"]]}, "apps.csv", 'has no column "name" or "replicas"'),
    ("no columns", {"running": [["host", "app"], ["n1", "web"]]}, "running.csv", "needs the columns node and app"),
]


@pytest.mark.parametrize(("tables", "place", "message"), [one[1:] for one in MISTAKES], ids=[one[0] for one in MISTAKES])
def test_mistakes_are_told_with_their_place(tmp_path: pathlib.Path, tables: dict[str, Rows], place: str, message: str) -> None:
    given = {"apps": APPS, "classes": CLASSES, "running": RUNNING, **tables}
    assert refusal(tmp_path, write_csv, *given.values()).startswith(f"{place}: {message}")
    # The same mistake in a workbook and in Parquet is one as well.
    sheet, line, _ = (*re.split(r"\.csv:?|: ", place), "", "")[:3]
    assert refusal(tmp_path, write_xlsx, *given.values()).startswith(f"{sheet}.xlsx: Sheet1" + ("!" if line else ": "))
    assert refusal(tmp_path, write_parquet, *given.values()).startswith(f"{sheet}.parquet")


def test_places_in_workbooks_and_parquet(tmp_path: pathlib.Path) -> None:
    apps = changed(APPS, 3, "vCPU", "much")
    assert refusal(tmp_path, write_xlsx, apps).startswith('apps.xlsx: Sheet1!C4: "much" is not a quantity')
    assert refusal(tmp_path, write_parquet, apps).startswith('apps.parquet: vCPU[2]: "much" is not a quantity')
    wide = [[*row, *[""] * 30, "owner" if k == 0 else "me"] for k, row in enumerate(APPS)]
    wide[0][20] = "max per node"
    assert "Sheet1!U1" in refusal(tmp_path, write_xlsx, wide)


def test_files_that_are_no_tables(tmp_path: pathlib.Path) -> None:
    classes = write_csv(tmp_path, "classes", CLASSES)
    for content, said in (
        (b"", "apps.csv: is empty; its first line must name the columns"),
        (b"\n\n", "apps.csv: is empty"),
        (b'{"stowage": 1}', "apps.csv: is JSON, which stowage.Instance.load() reads"),
        (b"name,cpu\nw\xff,1\n", "apps.csv:2: is not UTF-8"),
        (b"name,cpu\nweb,1,2\n", "apps.csv:2: has a different number of fields than the header"),
        (b'name,cpu\n\n"web,1\n', "apps.csv:3: is no line of a table"),
        (b"PK\x03\x04nothing", "apps.csv: cannot be read as a workbook"),
        (b"PAR1nothing", "apps.csv: cannot be read as Parquet"),
        (b"\xd0\xcf\x11\xe0nothing", "apps.csv: is a workbook of an old format"),
    ):
        (tmp_path / "apps.csv").write_bytes(content)
        with pytest.raises(stowage.StowageError) as caught:
            stowage.read_tables(tmp_path / "apps.csv", classes)
        assert str(caught.value).replace(f"{tmp_path}/", "").startswith(said)
    with pytest.raises(FileNotFoundError):
        stowage.read_tables(tmp_path / "none.csv", classes)
    apps = write_csv(tmp_path, "apps", APPS)
    with pytest.raises(stowage.StowageError, match="apps.csv: has no table of classes"):
        stowage.read_tables(apps)
    with pytest.raises(stowage.StowageError, match="is no workbook, so that it has no sheet for apps"):
        stowage.read_tables(apps, classes, sheets={"apps": "apps"})
    with pytest.raises(TypeError, match="sheets has 'app', which is none of"):
        stowage.read_tables(apps, classes, sheets={"app": "apps"})
    with pytest.raises(TypeError, match="unexpected keyword argument 'traffic'"):
        stowage.read_tables(apps, classes, traffic={})


@pytest.mark.filterwarnings("ignore")
def test_changed_bytes_are_read_or_refused(tmp_path: pathlib.Path) -> None:
    draw = random.Random(1)
    save(tmp_path / "plan.xlsx", {"apps": APPS, "classes": CLASSES, "running": RUNNING})
    text_of_apps, book = text(APPS).encode(), (tmp_path / "plan.xlsx").read_bytes()
    classes = write_csv(tmp_path, "classes", CLASSES)
    outcomes = []
    for number in range(300):
        whole = bytearray(book if number % 3 == 0 else text_of_apps)
        for _ in range(draw.randint(1, 3)):
            whole[draw.randrange(len(whole))] = draw.choice([draw.randrange(256), *b',;"\n='])
        file = tmp_path / "changed"
        file.write_bytes(whole)
        try:
            stowage.read_tables(file, None if number % 3 == 0 else classes)
            outcomes.append(True)
        except stowage.StowageError as failure:
            assert failure.path and failure.message
            outcomes.append(False)
    assert 20 < sum(outcomes) < 280


def test_a_missing_library_names_the_extra(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [write(tmp_path, name, rows) for name, rows in (("apps", APPS), ("classes", CLASSES)) for write in (write_xlsx, write_parquet)]
    save(tmp_path / "plan.xlsx", {"apps": APPS, "classes": CLASSES})
    for module, apps in (("openpyxl", tables[0]), ("pyarrow", tables[1]), ("arro3.core", tables[0])):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, module, None)
            with pytest.raises(ImportError, match=re.escape("pip install 'stowage-planner[tables]'")):
                stowage.read_tables(apps, tables[2])


def test_cancelling(tmp_path: pathlib.Path) -> None:
    control = stowage.Control()
    control.cancel()
    with pytest.raises(stowage.StowageError) as caught:
        stowage.read_tables(write_csv(tmp_path, "apps", APPS), write_csv(tmp_path, "classes", CLASSES), control=control)
    assert caught.value.status == stowage.Status.CANCELLED
