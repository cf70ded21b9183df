"""HTML for notebooks: tables without scripts. All text is escaped."""

from __future__ import annotations

import enum
import html
from collections.abc import Iterable, Sequence
from typing import Any

escaped = html.escape

# Stands for no index in the schemas.
_NONE = 2**32 - 1
# Entries of a column that are shown, and records of a list.
_SHOWN = 8
_MOST = 50


def cell(value: Any) -> str:
    """A value as people read it."""
    if value is None or (type(value) is int and value == _NONE):
        return ""
    if isinstance(value, enum.IntEnum):
        return escaped(value.name.lower().replace("_", " "))
    if isinstance(value, float):
        return f"{value:.6g}"
    if (shown := getattr(value, "_repr_html_", None)) is not None:
        return str(shown())
    if isinstance(value, list) and value and hasattr(value[0], "FIELDS"):
        return records(value)
    if (elements := getattr(value, "tolist", None)) is not None:
        value = elements()
    if isinstance(value, list):
        more = f", … ({len(value)})" if len(value) > _SHOWN else ""
        return ", ".join(cell(one) for one in value[:_SHOWN]) + more
    return escaped(str(value))


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with a row of names above."""
    above = "".join(f"<th>{escaped(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><tr>{above}</tr>{body}</table>"


def record(one: Any) -> str:
    """A record as a table with a row per field; fields without a value are left out."""
    values = [(name, cell(getattr(one, name))) for name, _, _ in one.FIELDS]
    body = "".join(f"<tr><th>{escaped(name)}</th><td>{value}</td></tr>" for name, value in values if value)
    return f"<table><caption>{escaped(type(one).__name__)}</caption>{body}</table>"


def records(many: Sequence[Any]) -> str:
    """Records of one kind as a table with a row each; fields that have a value in none of them are left out."""
    if not many:
        return "<p>none</p>"
    shown = many[:_MOST]
    fields = [name for name, _, _ in many[0].FIELDS if any(cell(getattr(one, name)) for one in shown)]
    more = len(many) - _MOST
    note = f"<p>and {more} more</p>" if more > 0 else ""
    return table(fields, ([getattr(one, name) for name in fields] for one in shown)) + note
