#!/usr/bin/env python3
"""Tries the usual mistakes in instances and options, and compares what the command says with mistakes.json.

Usage: mistakes_test.py STOWAGE [WORD...]    default: all mistakes; else those whose names have one of the words
       UPDATE=1 mistakes_test.py STOWAGE     rewrites what is expected

A mistake is an edit of `stowage example`, which `stowage plan cluster.json` then reads:

    "set"        path and value; a position behind the end of a list appends
    "drop"       paths
    "rename"     path and the key that takes its place
    "replace"    parts of the text, laid out by Python's json, and what takes their place
    "text"       the whole file, instead of an edit
    "arguments"  further arguments of the command

What is expected is the exit code, and in "says" the lines of standard error and those of the answer that warn. Where the mistake
is taken as what is meant, "taken" has paths and values of the instance that was read. A difference is printed as a patch.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Any

TABLE = pathlib.Path(__file__).resolve().with_name("mistakes.json")
FILE = "cluster.json"
# A run of the same work warns of the same.
RUN = ("plan", FILE, "--work", "1000")
REFUSED = 1
# Lines of an answer that warn, beside the plan's notes.
WARNINGS = ("is a unit missing", "Nothing carries the tag")
SECONDS = 60

Row = dict[str, Any]


def steps_of(path: str) -> list[str | int]:
    """The keys and positions of a path such as `apps[0].demand["a b"]`."""
    parts = re.findall(r'\["([^"]*)"\]|\[(\d+)\]|([^.\[\]]+)', path)
    return [int(position) if position else quoted or plain for quoted, position, plain in parts]


def parent_of(instance: Any, path: str) -> tuple[Any, str | int]:
    """What holds the place of a path, and the last step to it."""
    *before, last = steps_of(path)
    for step in before:
        instance = instance[step]
    return instance, last


def edited(example: str, row: Row) -> str:
    if "text" in row:
        return row["text"]
    instance = json.loads(example)
    for path, key in row.get("rename", {}).items():
        parent, last = parent_of(instance, path)
        # The new key stands where the old one stood.
        renamed = {key if name == last else name: value for name, value in parent.items()}
        parent.clear()
        parent.update(renamed)
    for path, value in row.get("set", {}).items():
        parent, last = parent_of(instance, path)
        if isinstance(parent, list) and last == len(parent):
            parent.append(value)
        else:
            parent[last] = value
    for path in row.get("drop", []):
        parent, last = parent_of(instance, path)
        del parent[last]
    text = json.dumps(instance, indent=1, ensure_ascii=False) + "\n"
    for old, new in row.get("replace", {}).items():
        if old not in text:
            raise ValueError(f"{row['name']}: the example has no {old}")
        text = text.replace(old, new)
    return text


class Command:
    def __init__(self, stowage: pathlib.Path, folder: str) -> None:
        self.stowage = stowage
        self.folder = folder
        self.example = self.run("example").stdout

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [self.stowage, *arguments], cwd=self.folder, env=environment, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
        )

    def found(self, row: Row) -> Row:
        """The row with what the command does and says."""
        pathlib.Path(self.folder, FILE).write_text(edited(self.example, row), encoding="utf-8", newline="")
        arguments = (*RUN, *row.get("arguments", []))
        done = self.run(*arguments)
        says = done.stderr.splitlines()
        if done.returncode != REFUSED:
            notes = [note["text"] for note in json.loads(self.run(*arguments, "--summary", "json").stdout)["notes"]]
            lines = [line.strip() for line in done.stdout.splitlines()]
            says += [line for line in lines if line in notes or any(warning in line for warning in WARNINGS)]
        found = {key: value for key, value in row.items() if key not in ("exit", "says", "taken")}
        found |= {"exit": done.returncode, "says": says}
        if done.returncode != REFUSED and row.get("taken"):
            taken = json.loads(self.run("convert", FILE, "-").stdout)
            found["taken"] = {}
            for path in row["taken"]:
                parent, last = parent_of(taken, path)
                found["taken"][path] = parent[last]
        return found


def layout(rows: list[Row]) -> str:
    """A key on a line, and a line of what is said on a line."""

    def member(key: str, value: Any) -> str:
        lines = [json.dumps(line) for line in value] if key == "says" else []
        text = "[\n      " + ",\n      ".join(lines) + "\n    ]" if lines else json.dumps(value)
        return f"    {json.dumps(key)}: {text}"

    return "[\n" + ",\n".join("  {\n" + ",\n".join(member(*one) for one in row.items()) + "\n  }" for row in rows) + "\n]\n"


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    words = sys.argv[2:]
    expected = TABLE.read_text(encoding="utf-8")
    rows = json.loads(expected)
    if len({row["name"] for row in rows}) < len(rows):
        print(f"{TABLE}: a name stands twice")
        return 1
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        command = Command(pathlib.Path(sys.argv[1]).resolve(), folder)
        for k, row in enumerate(rows):
            if words and not any(word in row["name"] for word in words):
                continue
            rows[k] = command.found(row)
            tried += 1
    found = layout(rows)
    if os.environ.get("UPDATE") == "1":
        TABLE.write_text(found, encoding="utf-8")
        print(f"{TABLE}: {tried} mistakes written")
        return 0
    name = "tests/house/mistakes.json"
    difference = "".join(difflib.unified_diff(expected.splitlines(True), found.splitlines(True), f"a/{name}", f"b/{name}"))
    print(difference or f"{tried} mistakes are answered as expected")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
