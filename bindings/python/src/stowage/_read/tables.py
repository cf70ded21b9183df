"""Instances from files of tables: CSV, workbooks and Parquet."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from .._instance import Instance
from .._library import Status, StowageError
from .._run import Control, within

if TYPE_CHECKING:
    from .sheets import Sheet, Workbook

Path: TypeAlias = str | os.PathLike[str]


def read_tables(
    apps: Path,
    classes: Path | None = None,
    running: Path | None = None,
    nodes: Path | None = None,
    *,
    sheets: Mapping[str, str | None] | None = None,
    control: Control | None = None,
    **description: Any,
) -> Instance:
    """An instance of tables in files: CSV (commas, semicolons or tabs), workbooks (.xlsx) and Parquet. Needs the extra `tables`.

        cluster = stowage.read_tables("apps.csv", "classes.csv")
        cluster = stowage.read_tables("plan.xlsx")    # the sheets apps and classes and, if there are any, running and nodes

    apps         name, replicas, and a column per resource with the demand of a replica; priority, weight, max_per_node, limits such
                 as "db=0 cron=1", tags, only, not, RESOURCE_deviation or RESOURCE_variance; title, in one row, names the instance
    classes      name, and a column per resource with the capacity; count, price, labels
    running      node, app, replicas, class: what runs; it lists the nodes, unless `nodes` does
    nodes        the listed nodes: name, class, closed, tags, and a column per resource with the load
    sheets       the names of sheets that have others than these, by these names: {"apps": "Anwendungen"}; None: there is none
    description  name, groups, rules, uncertainty, interference, as in the JSON format (docs/reference/json-format.md); with
                 interference, apps have a column kind

    The same tables are the same instance, with the same fingerprint, in each format and for the command (docs/reference/cli.md,
    "Tables"). Resources are the columns that apps and classes share. An empty cell is not given: one replica, no demand, no limit. A
    whole number may be stored as 12.0; quantities such as "500m" are text; in Parquet, demand may be lists with a number for each
    period. Of a formula counts the value that was saved. Columns without a meaning are left aside, and a warning names them.

    The content of a file decides its format. `apps` may also be a folder with apps.csv, classes.csv and running.csv. Tables that are
    not given are found in it, or in the workbook of apps.

    Raises OSError where a file cannot be read, StowageError where its content is wrong, with the place as path ("apps.csv:4: cpu",
    "plan.xlsx: apps!C4"), and ImportError where a library of the extra is missing.
    """
    import warnings

    unknown = sorted(set(description) - {"name", "groups", "rules", "uncertainty", "interference"})
    if unknown:
        raise TypeError(f"read_tables() got an unexpected keyword argument {unknown[0]!r}")
    from .sheets import needed

    for module in ("arro3.core", "arro3.compute"):
        needed(module)
    from .columns import Frames

    file = os.fsdecode(apps)
    with within(control):
        paths = {"apps": apps, "classes": classes, "running": running, "nodes": nodes}
        found = _found(_in_folder(file, paths) if os.path.isdir(file) else paths, dict(sheets or {}))
        for what in ("apps", "classes"):
            if what not in found:
                message = f'has no table of {what}; give one, or say which sheet has it by sheets={{"{what}": ...}}'
                raise StowageError(Status.INVALID_ARGUMENT, message, file)
        frames = Frames(found, has_kinds=description.get("interference") is not None)
        for sentence in frames.unused():
            warnings.warn(sentence, stacklevel=2)
        try:
            if frames.title is not None:
                description.setdefault("name", frames.title)
            parts: dict[str, Any] = {**frames.frames, **description}
            return Instance.from_frames(**parts, resources=frames.resources)
        except StowageError as failure:
            raise frames.located(failure) from None


def _in_folder(folder: str, paths: Mapping[str, Path | None]) -> dict[str, Path | None]:
    """The tables of a folder, called as the command calls those that it writes, where no others are given."""
    there = {what: os.path.join(folder, f"{what}.csv") for what in ("apps", "classes", "running")}
    if not os.path.exists(there["apps"]):
        raise StowageError(Status.INVALID, "is a folder without apps.csv, the table of apps", folder)
    besides = {what: file for what, file in there.items() if paths[what] is None and os.path.exists(file)}
    return {**paths, **besides, "apps": there["apps"]}


def _found(paths: Mapping[str, Path | None], titles: Mapping[str, str | None]) -> dict[str, Sheet]:
    """The tables that are given, and those that the workbook of apps has besides."""
    from .sheets import Workbook, opened

    if unknown := sorted(set(titles) - set(paths)):
        raise TypeError(f"sheets has {unknown[0]!r}, which is none of {', '.join(paths)}")
    files: dict[str, Sheet | Workbook] = {}
    found: dict[str, Sheet] = {}
    for what, path in paths.items():
        file = os.fsdecode(path or paths["apps"] or "")
        if file not in files:
            files[file] = opened(file)
        source = files[file]
        if isinstance(source, Workbook):
            title = _title_of(source, what, titles, path is not None)
            if title is not None:
                found[what] = source.sheet(title)
        elif path is not None:
            if what in titles:
                raise StowageError(Status.INVALID_ARGUMENT, f"is no workbook, so that it has no sheet for {what}", file)
            found[what] = source
    return found


def _title_of(book: Workbook, what: str, titles: Mapping[str, str | None], is_given: bool) -> str | None:
    """The sheet with the table: the one that is named, one of the table's name in any case, or the only one."""
    wanted = titles.get(what, what)
    if wanted is None:
        return None
    # A sheet that is named for another table is no table of its own.
    free = [title for title in book.titles if what in titles or title not in titles.values()]
    for form in (str, str.casefold):
        if fitting := [title for title in free if form(title) == form(wanted)]:
            return fitting[0]
    if what not in titles:
        if is_given and len(book.titles) == 1:
            return book.titles[0]
        if not is_given:
            return None
    there = ", ".join(f'"{title}"' for title in book.titles) or "none"
    raise StowageError(Status.INVALID, f'has no sheet "{wanted}" for {what}; there are: {there}', book.file)
