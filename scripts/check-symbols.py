#!/usr/bin/env python3
"""Checks that a header, its inventory and the built library name the same functions (stowage.h and capi/abi/symbols.txt).

The version script of the library and every binding are made from the inventory. A function that is missing in one of the three
places is an error, and so is any other symbol that the library exports.
"""

import argparse
import pathlib
import re
import subprocess
import sys


def inventory_of(path: pathlib.Path) -> list[str]:
    return path.read_text(encoding="utf-8").split()


def declared_in(path: pathlib.Path) -> list[str]:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    return re.findall(r"\bSTOWAGE_(?:TEXT_|K8S_)?API\b[^;(]*?\b(\w+)\s*\(", text)


def exported_by(library: pathlib.Path, nm: str) -> list[str]:
    listing = subprocess.run(
        [nm, "--dynamic", "--defined-only", "--format=posix", str(library)], check=True, capture_output=True, text=True
    ).stdout
    return [line.split()[0].split("@")[0] for line in listing.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inventory", type=pathlib.Path, required=True)
    parser.add_argument("--header", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--nm", default="nm")
    arguments = parser.parse_args()

    inventory = inventory_of(arguments.inventory)
    problems = []
    if inventory != sorted(set(inventory)):
        problems.append(f"{arguments.inventory}: not sorted, or a name stands twice")
    for place, names in (
        (arguments.header, declared_in(arguments.header)),
        (arguments.library, exported_by(arguments.library, arguments.nm)),
    ):
        problems += [f"{place}: {name} is missing" for name in sorted(set(inventory) - set(names))]
        problems += [f"{place}: {name} is not in {arguments.inventory}" for name in sorted(set(names) - set(inventory))]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(inventory)} functions in inventory, header and library")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
