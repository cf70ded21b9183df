#!/usr/bin/env python3
"""Checks what this project depends on: each package of the lock files has a licence in docs/reference/licences.md, and none has a version
that an advisory of scripts/advisories.tsv names.

Usage: check-dependencies.py

Where the databases of advisories can be reached, scripts/audit.sh asks them too.
"""

import fnmatch
import json
import pathlib
import re
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/licences.md"
ADVISORIES = ROOT / "scripts/advisories.tsv"
# Of each ecosystem: the files that name its packages, and how they are read.
Package = tuple[str, str, str | None]  # name, version, and the licence where the file states it


def crates(path: pathlib.Path) -> Iterator[Package]:
    for package in tomllib.loads(path.read_text(encoding="utf-8"))["package"]:
        if "source" in package:
            yield package["name"], package["version"], None


def go_modules(path: pathlib.Path) -> Iterator[Package]:
    text = path.read_text(encoding="utf-8")
    replaced = dict(re.findall(r"^\s*(\S+) => \S+ v(\S+)$", text, re.M))
    for block in re.findall(r"^require \(\n(.*?)^\)|^require (.+)$", text, re.M | re.S):
        for name, version in re.findall(r"^\s*(\S+) v(\S+)", "\n".join(block), re.M):
            if not name.startswith("stowage.dev/"):
                yield name, replaced.get(name, version), None


def npm_packages(path: pathlib.Path) -> Iterator[Package]:
    for at, package in json.loads(path.read_text(encoding="utf-8"))["packages"].items():
        if "node_modules/" in at and not package.get("link"):
            yield at.rpartition("node_modules/")[2], package["version"], package.get("license")


def maven_artifacts(path: pathlib.Path) -> Iterator[Package]:
    space = "{http://maven.apache.org/POM/4.0.0}"
    tree = ET.parse(path)
    for kind in ("dependency", "plugin", "path"):
        for one in tree.iter(space + kind):
            group = one.findtext(space + "groupId", "org.apache.maven.plugins")
            if group != "stowage.dev" and not group.startswith("dev.stowage"):
                version = one.findtext(space + "version", "")
                yield f"{group}:{one.findtext(space + 'artifactId')}", version if version[:1].isdigit() else "", None


def python_packages(path: pathlib.Path) -> Iterator[Package]:
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", path.read_text(encoding="utf-8"), re.M):
        yield name, version, None


def cpp_libraries(path: pathlib.Path) -> Iterator[Package]:
    """From the packages that scripts/setup.sh installs: libraries with headers, and what is linked."""
    text = path.read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"\b(lib[a-z0-9]+(?:-[a-z0-9]+)*-dev|nlohmann-json3-dev|zlib1g-dev|emscripten)\b", text))):
        yield name, "", None
    for name, version in re.findall(r"\b(highsbox)==([0-9.]+)", text):
        yield name, version, None


ECOSYSTEMS = {
    "C++": (cpp_libraries, ["scripts/setup.sh"]),
    "Go": (go_modules, ["bindings/go/**/go.mod"]),
    "Rust": (crates, ["bindings/rust/Cargo.lock"]),
    "npm": (npm_packages, ["wasm/package-lock.json", "web-demo/package-lock.json"]),
    "Maven": (maven_artifacts, ["bindings/java/**/pom.xml"]),
    "PyPI": (python_packages, ["bindings/python/requirements*.txt"]),
}


def licences() -> dict[str, list[tuple[str, str]]]:
    """Of each ecosystem: patterns of names, and their licences."""
    result: dict[str, list[tuple[str, str]]] = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        rows = re.findall(r"^\| (?!package \|)([^|-][^|]*?) \| ([^|]+?) \|", body, re.M)
        result[title] = [(name.strip("`"), licence) for name, licence in rows]
    return result


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version.split("-")[0].split("+")[0])]


def problems() -> Iterator[str]:
    known = licences()
    advisories = [line.split("\t") for line in ADVISORIES.read_text(encoding="utf-8").splitlines()[1:]]
    for ecosystem, (read, patterns) in ECOSYSTEMS.items():
        rows = known.get(ecosystem, [])
        unused = {pattern for pattern, _ in rows}
        for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern) if "target" not in path.parts):
            where = path.relative_to(ROOT)
            for name, version, stated in read(path):
                row = next((row for row in rows if fnmatch.fnmatchcase(name, row[0])), None)
                if row is None:
                    yield f"{where}: {name} has no licence in docs/reference/licences.md, section {ecosystem}"
                    continue
                unused.discard(row[0])
                if stated is not None and stated != row[1]:
                    yield f"{where}: {name} states the licence {stated}, docs/reference/licences.md {row[1]}"
                for of, package, mended, identifier in advisories:
                    if (of, package) == (ecosystem, name) and version and numbers(version) < numbers(mended):
                        yield f"{where}: {name} {version} is subject to {identifier}, which {mended} mends"
        for pattern in sorted(unused):
            yield f"docs/reference/licences.md: nothing of {ecosystem} is named {pattern}"


def main() -> int:
    found = list(dict.fromkeys(problems()))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
