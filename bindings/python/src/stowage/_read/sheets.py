"""Files of tables as columns of cells: CSV, workbooks and Parquet. What columns mean is said by columns.py."""

from __future__ import annotations

import contextlib
import csv
import importlib
import io
import os
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from .._library import Status, StowageError
from .._run import look

# Up to here, whole numbers are exact as floats.
_MOST_EXACT = 2**53
# Larger ones may have no float at all.
_MOST = 2**1000
_DECIMAL = re.compile(r"[^,.]*,[^,.]*")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Unusable(NamedTuple):
    """A cell that no column can use, such as a date. It does no harm in columns without a meaning."""

    reason: str


def cell(value: Any) -> Any:
    """A value of a file as a cell: text, a number, a truth value, a list of cells, Unusable, or None where nothing is given.

    A whole number that is stored as 12.0 is 12, as it is in the text of a table.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _MOST else Unusable("is too large a number")
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        if value != value:
            return None
        return int(value) if value.is_integer() and abs(value) <= _MOST_EXACT else value
    if isinstance(value, (list, tuple)):
        return [cell(one) for one in value]
    return Unusable(f"is a {type(value).__name__}, which is neither text nor a number")


def as_text(one: Any) -> str | None:
    """A cell as it stands in the text of a table; None for a list."""
    if isinstance(one, bool):
        return "TRUE" if one else "FALSE"
    return one if isinstance(one, str) else repr(one) if isinstance(one, (int, float)) else None


def as_number(one: Any) -> float | None:
    """The number of a cell, which may be the text of one; None for all others."""
    if isinstance(one, str):
        text = one.strip(" \t")
        number = float(text) if _NUMBER.fullmatch(text) else None
        return None if number in (float("inf"), float("-inf")) else number
    return None if isinstance(one, bool) or not isinstance(one, (int, float)) else one


class Sheet:
    """A table of a file: under each header a column of cells, all of the same length. Empty rows are left out."""

    def __init__(self, file: str, title: str | None, rows: list[tuple[int, list[Any]]]) -> None:
        """Takes rows of cells with their places in the file, counted from 1. The first one has the headers.

        title  of the sheet in its workbook; None: the rows are lines of a text
        """
        self.file, self.title, self._head = file, title, 1
        self._places: list[int] | None = []
        rows = [row for row in rows if any(one is not None for one in row[1])]
        if not rows:
            raise StowageError(Status.INVALID, "is empty; its first line must name the columns", self.at())
        (self._head, head), *body = rows
        width = max(len(row) for _, row in rows)
        self.headers = [as_text(one) or "" for one in head] + [""] * (width - len(head))
        self.columns = [[row[k] if k < len(row) else None for _, row in body] for k in range(width)]
        self._places = [place for place, _ in body]

    @classmethod
    def of_columns(cls, file: str, columns: dict[str, list[Any]]) -> Sheet:
        """A table of a file that has columns, as Parquet has."""
        made = cls.__new__(cls)
        made.file, made.title, made._places, made._head = file, None, None, 0
        made.headers, made.columns = list(columns), list(columns.values())
        return made

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def at(self, row: int | None = None, column: int | None = None) -> str:
        """The place of a cell, a row, a column (its header) or the table in messages: "apps.csv:4: cpu", "plan.xlsx: apps!C4",
        "apps.parquet: cpu[2]"."""
        if self.title is not None:
            name = f"{self.file}: {self.title}"
            if column is None:
                return name if row is None or self._places is None else f"{name}!{self._places[row]}"
            return f"{name}!{letters(column)}{self._head if row is None or self._places is None else self._places[row]}"
        if self._places is not None:
            line = "" if row is None and column is None else f":{self._head if row is None else self._places[row]}"
            return self.file + line + ("" if column is None else f": {self.headers[column]}")
        name = self.file + ("" if column is None else f": {self.headers[column]}")
        return name if row is None else f"{name}[{row}]"


def letters(column: int) -> str:
    """What spreadsheets call a column, counted from 0: A, B, ..., Z, AA."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def needed(module: str) -> Any:
    """An optional library. Raises ImportError with the name of the extra that has it."""
    try:
        return importlib.import_module(module)
    except ImportError as failure:
        raise ImportError(f"tables need the extra: pip install 'stowage-planner[tables]' ({failure})") from failure


@contextlib.contextmanager
def _read_as(what: str, file: str) -> Iterator[None]:
    """For a library that reads bytes from elsewhere: what it raises, of any kind, says that they are wrong."""
    try:
        yield
    except (StowageError, MemoryError):
        raise
    except Exception as failure:
        said = str(failure).strip() or type(failure).__name__
        raise StowageError(Status.INVALID, f"cannot be read as {what}: {said}", file) from failure


class Workbook:
    """A file with several tables."""

    def __init__(self, data: bytes, file: str) -> None:
        self.file, self._data = file, data
        self._openpyxl = needed("openpyxl")
        self._book = self._opened(values=False)
        self.titles: list[str] = [one.title for one in self._book.worksheets]

    def sheet(self, title: str) -> Sheet:
        """A table, with the values that formulas had when the workbook was saved."""
        rows: list[tuple[int, list[Any]]] = []
        formulas: dict[int, list[int]] = {}
        with _read_as("a workbook", self.file):
            for place, row in enumerate(self._rows(self._book, title), 1):
                if place % 4096 == 0:
                    look()
                rows.append((place, [_of_workbook(one) for one in row]))
                if found := [k for k, one in enumerate(row) if one.data_type == "f"]:
                    formulas[place] = found
            if formulas:
                for place, row in enumerate(self._rows(self._opened(values=True), title), 1):
                    for k in formulas.get(place, ()):
                        rows[place - 1][1][k] = _of_formula(row[k])
        return Sheet(self.file, title, rows)

    def _opened(self, values: bool) -> Any:
        with _read_as("a workbook", self.file):
            return self._openpyxl.load_workbook(io.BytesIO(self._data), read_only=True, data_only=values)

    @staticmethod
    def _rows(book: Any, title: str) -> Iterator[tuple[Any, ...]]:
        sheet = book[title]
        # The size that a file states for a sheet may be wrong, and rows would be left out.
        sheet.reset_dimensions()
        rows: Iterator[tuple[Any, ...]] = sheet.iter_rows()
        return rows


def _of_workbook(one: Any) -> Any:
    """A cell of openpyxl as one of ours."""
    return Unusable(f"is {one.value}, an error of the spreadsheet") if one.data_type == "e" else cell(one.value)


def _of_formula(one: Any) -> Any:
    """The value of a formula. A program that is no spreadsheet writes formulas without values; an empty text is a value."""
    if one.value is None and one.data_type == "n":
        return Unusable("is a formula without a value; open the file in a spreadsheet program and save it")
    return _of_workbook(one)


def _of_parquet(data: bytes, file: str) -> Sheet:
    pyarrow, parquet = needed("pyarrow"), needed("pyarrow.parquet")
    with _read_as("Parquet", file):
        table = parquet.ParquetFile(pyarrow.BufferReader(data)).read()
        columns: dict[str, list[Any]] = {}
        for name, column in zip(table.column_names, table.columns, strict=True):
            look()
            if name in columns:
                raise StowageError(Status.INVALID, f'the column "{name}" stands twice', file)
            columns[name] = [cell(one) for one in column.to_pylist()]
    return Sheet.of_columns(file, columns)


def _of_text(data: bytes, file: str) -> Sheet:
    """A table whose fields are separated by commas, semicolons or tabs, as its first line says."""
    if data.lstrip()[:1] in (b"{", b"["):
        raise StowageError(Status.INVALID, "is JSON, which stowage.Instance.load() reads", file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise StowageError(Status.INVALID, "is not UTF-8; save it as CSV in UTF-8", f"{file}:{line}") from None
    first = text.partition("\n")[0]
    separator = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[Any]]] = []
    while True:
        line = lines.line_num + 1
        try:
            fields = next(lines, None)
        except csv.Error as failure:
            raise StowageError(Status.INVALID, f"is no line of a table: {failure}", f"{file}:{line}") from None
        if fields is None:
            return Sheet(file, None, rows)
        if not fields:
            continue
        if rows and len(fields) != len(rows[0][1]):
            raise StowageError(Status.INVALID, "has a different number of fields than the header", f"{file}:{line}")
        if len(rows) % 4096 == 0:
            look()
        rows.append((line, [cell(_with_point(one) if separator == ";" else one) for one in fields]))


def _with_point(field: str) -> str:
    """Spreadsheets that separate fields by semicolons write decimals behind a comma."""
    if not _DECIMAL.fullmatch(field):
        return field
    number = field.replace(",", ".")
    return field if as_number(number) is None else number


def opened(path: str | os.PathLike[str]) -> Sheet | Workbook:
    """A file, whose content decides its format. Raises OSError where it cannot be read, StowageError where it is no table."""
    file = os.fsdecode(path)
    with open(file, "rb") as source:
        data = source.read()
    if data.startswith(b"PAR1"):
        return _of_parquet(data, file)
    if data.startswith(b"PK\x03\x04"):
        return Workbook(data, file)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise StowageError(Status.INVALID, "is a workbook of an old format, or one with a password; save it as .xlsx", file)
    return _of_text(data, file)
