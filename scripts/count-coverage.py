#!/usr/bin/env python3
"""Counts the lines of core and capi that ran, from what a build with --coverage left behind.

Usage: count-coverage.py FOLDER    FOLDER: the build. Prints a table with tabs: folder, lines, and those that ran.

A line of a header counts once, and as run if it ran in any program.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def lines_of(data: pathlib.Path) -> dict[tuple[str, int], bool]:
    """Lines of the project's sources, and whether they ran, as one object file tells."""
    command = ["gcov", "--json-format", "--stdout", str(data)]
    done = subprocess.run(command, check=True, capture_output=True, cwd=data.parent)
    found: dict[tuple[str, int], bool] = {}
    for text in done.stdout.splitlines():
        for file in json.loads(text)["files"]:
            path = os.path.normpath(os.path.join(json.loads(text)["current_working_directory"], file["file"]))
            if not path.startswith((f"{ROOT}/core/", f"{ROOT}/capi/")):
                continue
            name = path[len(str(ROOT)) + 1 :]
            for line in file["lines"]:
                key = (name, line["line_number"])
                found[key] = found.get(key, False) or line["count"] > 0
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    # A file without counts belongs to a program that did not run: all its lines count as not run.
    notes = sorted(pathlib.Path(sys.argv[1]).resolve().rglob("*.gcno"))
    ran: dict[tuple[str, int], bool] = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lines_of, notes):
            for key, run in found.items():
                ran[key] = ran.get(key, False) or run
    folders: dict[str, list[bool]] = collections.defaultdict(list)
    for (name, _), run in ran.items():
        folders["/".join(name.split("/")[:2]) if name.count("/") > 1 else name.split("/")[0]].append(run)
        folders["all"].append(run)
    print("folder\tlines\trun")
    for folder in sorted(folders, key=lambda folder: (folder == "all", folder)):
        print(f"{folder}\t{len(folders[folder])}\t{sum(folders[folder])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
