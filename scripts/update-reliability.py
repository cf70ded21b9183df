#!/usr/bin/env python3
"""Rewrites the figures of docs/contribute/reliability.md from what the soak and the coverage run recorded.

Usage: update-reliability.py           rewrites them from tests/soak/record.tsv and docs/coverage.tsv
       update-reliability.py --check   fails where the page is not what these files make
"""

import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/contribute/reliability.md"
RECORD = ROOT / "tests/soak/record.tsv"
COVERAGE = ROOT / "docs/coverage.tsv"
BUILDS = {"assertions": "with assertions", "threads": "ThreadSanitizer"}


def rows(path: pathlib.Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def soak() -> str:
    """A line per day and build."""
    days: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows(RECORD):
        days.setdefault((row["day"], row["build"]), []).append(row)
    text = (
        "| day | build | seeds | hours of processor time | instances | plans | of `auto` | found "
        "| ms after a deadline | ms after a cancel | ms between two looks at the clock | MB |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    )
    for (day, build), runs in days.items():

        def total(column: str, runs: list[dict[str, str]] = runs) -> float:
            return sum(float(row[column]) for row in runs)

        def most(column: str, runs: list[dict[str, str]] = runs) -> str:
            return f"{max(float(row[column]) for row in runs):.0f}"

        seeds = sorted({int(row["seed"]) for row in runs})
        of = str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
        cells = [day, BUILDS[build], of, f"{total('processor_s') / 3600:.2f}"]
        cells += [f"{total(column):,.0f}" for column in ("instances", "plans", "plans_by_auto", "found")]
        cells += [most(column) for column in ("after_deadline_ms", "after_cancel_ms", "between_looks_ms", "peak_mb")]
        text += "| " + " | ".join(cells) + " |\n"
    return text


def coverage() -> str:
    text = "| folder | lines | run | share |\n|---|---|---|---|\n"
    for row in rows(COVERAGE):
        share = 100 * int(row["run"]) / int(row["lines"])
        text += f"| {row['folder']} | {int(row['lines']):,} | {int(row['run']):,} | {share:.1f} % |\n"
    return text


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    made = page
    for name, write in (("soak", soak), ("coverage", coverage)):
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, found, rest = made.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            print(f"{PAGE.name} has no marks of {name}", file=sys.stderr)
            return 1
        made = before + begin + write() + end + after
    if "--check" in sys.argv[1:]:
        if made != page:
            print("docs/contribute/reliability.md is not what scripts/update-reliability.py makes", file=sys.stderr)
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
