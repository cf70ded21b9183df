#!/usr/bin/env python3
"""Rewrites docs/research/results.md: gap and time of `auto` by class of instances, a column per release, and what became worse.

Usage: update-results.py [--take]   rewrites the tables of the page from docs/results/VERSION.csv, one file per release
       update-results.py --check    fails where the page is not what these files make
       update-results.py --history  lists what the golden table (tests/golden/quality.csv) once had better, by Git

  --take   first writes the file of the present version, from the summaries that `stowage-lab bench` left in docs/benchmarks and
           from the golden table
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/research/results.md"
RELEASES = ROOT / "docs/results"
GOLDEN = ROOT / "tests/golden/quality.csv"
MARKS = ("<!-- results: begin -->", "<!-- results: end -->")
COLUMNS = ("class", "planner", "instances", "proven", "gap", "worst_gap", "seconds")
# What counts as worse: the gap by more than this, and the time by more than this factor.
GAP, TIME = 0.0005, 1.5
Row = dict[str, str]


def table(path: pathlib.Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def grouped(rows: Iterable[tuple[str, str, int, int | None, float, float]]) -> Iterator[Row]:
    """Rows of class, planner, instances, proven ones, mean gap and mean seconds, joined by class and planner."""
    groups: dict[tuple[str, str], list[tuple[int, int | None, float, float]]] = {}
    for name, planner, *rest in rows:
        groups.setdefault((name, planner), []).append((*rest,))
    for (name, planner), parts in groups.items():
        instances = sum(part[0] for part in parts)
        proven = None if parts[0][1] is None else sum(part[1] or 0 for part in parts)
        yield {
            "class": name,
            "planner": planner,
            "instances": str(instances),
            "proven": "" if proven is None else str(proven),
            "gap": f"{sum(part[0] * part[2] for part in parts) / instances:.6f}",
            "worst_gap": f"{max(part[2] for part in parts):.6f}",
            "seconds": f"{sum(part[0] * part[3] for part in parts) / instances:.4g}",
        }


def provisioning() -> Iterator[tuple[str, str, int, int | None, float, float]]:
    for row in table(ROOT / "docs/benchmarks/summary.csv"):
        if row["planner"] in ("auto@1s", "auto@10s") and row["gap"]:
            demand = "static" if row["demand"] == "static" else "98 periods"
            name = f"provisioning, {demand}, {int(row['apps']):,} apps"
            yield name, row["planner"], int(row["counted"]), int(row["proven"]), float(row["gap"]), float(row["seconds"])


def clusters() -> Iterator[tuple[str, str, int, int | None, float, float]]:
    for row in table(ROOT / "docs/benchmarks/clusters/summary.csv"):
        yield f"clusters, {row['features']}", row["planner"], int(row["runs"]), None, float(row["gap"]), float(row["seconds"])


def packing() -> Iterator[tuple[str, str, int, int | None, float, float]]:
    for row in table(ROOT / "docs/benchmarks/packing/summary.csv"):
        if row["planner"] == "auto":
            gap = float(row["nodes"]) / float(row["bound"]) - 1
            yield f"packing, {row['class']}", "auto", int(row["runs"]), int(row["proven"]), gap, float(row["seconds"])


def admission() -> Iterator[tuple[str, str, int, int | None, float, float]]:
    for row in table(ROOT / "docs/benchmarks/lrasched/summary.csv"):
        if row["planner"] == "auto@1s" and row["gap"]:
            yield "whole applications admitted", "auto@1s", int(row["runs"]), None, float(row["gap"]), float(row["seconds"])


def golden() -> Iterator[Row]:
    """The golden instances, with a work limit in place of a deadline: no time is measured."""
    for row in table(GOLDEN):
        if row["planner"] == "auto" and row["unplaced"] == "0":
            value, bound = (row["cost"], row["cost_bound"]) if row["cost"] else (row["nodes"], row["node_bound"])
            gap = f"{float(value) / float(bound) - 1:.6f}"
            proven = str(int(float(gap) == 0))
            yield {"class": f"golden, {row['instance']}", "planner": "auto", "instances": "1", "proven": proven, "gap": gap,
                   "worst_gap": gap, "seconds": ""}  # fmt: skip


def version() -> str:
    found = re.search(r"project\(stowage VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert found
    return found[1]


def take() -> None:
    rows = [row for source in (provisioning, clusters, packing, admission) for row in grouped(source())] + [*golden()]
    RELEASES.mkdir(exist_ok=True)
    with (RELEASES / f"{version()}.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def releases() -> dict[str, dict[tuple[str, str], Row]]:
    """The rows of each release, the newest first."""
    paths = sorted(RELEASES.glob("*.csv"), key=lambda path: [int(part) for part in path.stem.split(".")], reverse=True)
    return {path.stem: {(row["class"], row["planner"]): row for row in table(path)} for path in paths}


def share(text: str) -> str:
    return f"{100 * float(text):.2f} %"


def time(text: str) -> str:
    return "" if not text else f"{float(text):.3g} s" if float(text) >= 0.1 else f"{1000 * float(text):.3g} ms"


def worse(new: dict[tuple[str, str], Row], old: dict[tuple[str, str], Row]) -> Iterator[str]:
    for key, row in new.items():
        if (before := old.get(key)) is None:
            continue
        if float(row["gap"]) > float(before["gap"]) + GAP:
            yield f"- {', '.join(key)}: the gap is {share(row['gap'])}, and was {share(before['gap'])}."
        if row["seconds"] and before["seconds"] and float(row["seconds"]) > TIME * float(before["seconds"]):
            yield f"- {', '.join(key)}: it takes {time(row['seconds'])}, and took {time(before['seconds'])}."
    for key in old.keys() - new.keys():
        yield f"- {', '.join(key)}: is no longer measured."


def tables(found: dict[str, dict[tuple[str, str], Row]]) -> str:
    names = list(found)
    head = ["class", "planner", *(f"{name}: {what}" for name in names for what in ("instances", "proven", "gap", "worst", "time"))]
    lines = [f"| {' | '.join(head)} |", f"|---|---|{'--:|' * (len(head) - 2)}"]
    for key in found[names[0]]:
        cells = list(key)
        for name in names:
            row = found[name].get(key)
            cells += (
                [row["instances"], row["proven"], share(row["gap"]), share(row["worst_gap"]), time(row["seconds"])] if row else [""] * 5
            )
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Worse than in the release before", ""]
    if len(names) == 1:
        lines.append(f"{names[0]} is the first release: there is none before it.")
    else:
        lines += sorted(worse(found[names[0]], found[names[1]])) or ["Nothing."]
    return "\n".join(lines)


def page(text: str) -> str:
    before, rest = text.split(MARKS[0])
    return f"{before}{MARKS[0]}\n{tables(releases())}\n{MARKS[1]}{rest.split(MARKS[1])[1]}"


def figure(row: Row) -> tuple[int, float]:
    return int(row["unplaced"]), float(row["cost"] or row["nodes"])


def history() -> None:
    """Of each row, the best figures of all commits, where they are better than the present ones."""
    path = GOLDEN.relative_to(ROOT).as_posix()

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout

    now = {(row["instance"], row["planner"]): figure(row) for row in table(GOLDEN) if row["unplaced"]}
    best = dict(now)
    for commit in git("log", "--format=%H", "--", path).split():
        for row in csv.DictReader(git("show", f"{commit}:{path}").splitlines()):
            if (key := (row["instance"], row["planner"])) in best and row["unplaced"]:
                best[key] = min(best[key], figure(row))
    for key, figures in best.items():
        if figures < now[key]:
            print(*key, *(f"{what}: {new:g}, once {old:g}" for what, new, old in zip(("unplaced", "value"), now[key], figures, strict=True) if new != old), sep=", ")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--take", "--check", "--history"):
        parser.add_argument(option, action="store_true")
    given = parser.parse_args()
    if given.history:
        history()
        return 0
    if given.take:
        take()
    text = PAGE.read_text(encoding="utf-8")
    made = page(text)
    if given.check:
        if made != text:
            print("docs/research/results.md is not what docs/results makes: run scripts/update-results.py", file=sys.stderr)
        return int(made != text)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
