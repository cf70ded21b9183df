#!/usr/bin/env python3
"""Runs the commands that the pages show.

Usage: pages_test.py STOWAGE [PAGE...]    default: README.md and the pages of docs/

Each page's `sh` blocks run one after the other in a folder of their own, which is empty at first: a page makes the files that its
commands read (stowage example shop -o shop.json, or a here-document). A command may say that replicas are unplaced (exit code 2).
Every block names its language, and a block that does not run shows no command: `text` is for synopses, files and output.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The README's console is compared with its output elsewhere (readme_output.sh).
LANGUAGES = {"sh", "text", "json", "console", "c", "cpp", "python", "go", "rust", "java", "js", "ts", "csv", "yaml", "html", "cmake"}
WRAPPER = """#!/bin/bash
{stowage} "$@" || (($? == 2))
"""
SECONDS = 300


def blocks_of(page: pathlib.Path) -> list[tuple[int, str, str]]:
    """The line, the language and the text of each block."""
    blocks = []
    inside: list[str] | None = None
    begin, language = 0, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = re.match(r"\s*```(\S*)", line)
        if not fence:
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside, begin, language = [], number, fence.group(1)
        else:
            blocks.append((begin, language, "\n".join(inside)))
            inside = None
    return blocks


def is_command(row: str) -> bool:
    """Whether a row is a command and no synopsis, which has brackets, dots or words in capitals for what the user fills in."""
    return re.match(r"(\$ )?stowage [a-z]", row) is not None and re.search(r"\[|\.\.\.|…|\b[A-Z]{2,}\b", row) is None


def mistakes_of_form(name: str, blocks: list[tuple[int, str, str]]) -> list[str]:
    found = []
    for line, language, text in blocks:
        if language not in LANGUAGES:
            found.append(f"{name}:{line}: a block of the language {language or 'nothing'}")
        elif language == "console" and name != "README.md":
            found.append(f"{name}:{line}: commands are in blocks of sh, their output in blocks of text")
        elif language == "text" and any(is_command(row) for row in text.splitlines()):
            found.append(f"{name}:{line}: a command that nothing runs")
    return found


def run(name: str, blocks: list[tuple[int, str, str]], stowage: pathlib.Path) -> list[str]:
    script = "\n".join(f"echo {name}:{line} >&2\n{text}" for line, language, text in blocks if language == "sh")
    if not script:
        return []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as tools:
        wrapper = pathlib.Path(tools) / "stowage"
        wrapper.write_text(WRAPPER.format(stowage=stowage), encoding="utf-8")
        wrapper.chmod(0o755)
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1"}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    return [] if done.returncode == 0 else [f"{name}: exit code {done.returncode} after\n{done.stderr[-2000:]}"]


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    stowage = pathlib.Path(sys.argv[1]).resolve()
    pages = [pathlib.Path(page).resolve() for page in sys.argv[2:]] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = []
    ran = 0
    for page in pages:
        name = page.relative_to(ROOT).as_posix()
        blocks = blocks_of(page)
        ran += sum(language == "sh" for _, language, _ in blocks)
        found += mistakes_of_form(name, blocks) + run(name, blocks, stowage)
    print("\n".join(found) if found else f"{ran} blocks of {len(pages)} pages ran")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
