"""Results of a sweep in a file, from which a sweep that was killed goes on."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Self, TypeAlias

from .._library import Status, StowageError
from .task import is_error, is_row

# An entry has row, error and seconds; of row and error, one is None.
Entry: TypeAlias = dict[str, Any]
_FIRST = b'{"stowage-results":1}\n'


def _is_entry(entry: Any) -> bool:
    """Whether this is what add() writes."""
    if not isinstance(entry, dict) or {"row", "error", "seconds"} - set(entry):
        return False
    row, error = entry["row"], entry["error"]
    one = is_row(row) if error is None else row is None and is_error(error)
    return one and isinstance(entry.get("key"), str) and isinstance(entry["seconds"], (int, float, type(None)))


class Results:
    """Entries by the key of their task, and the file to which each is appended. Without a path, nothing is kept.

    The file is JSON, an entry per line. A driver that is killed leaves at most one line that ends early; it counts as none.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        """Reads the file, if there is one. Raises StowageError for a file of something else."""
        self.entries: dict[str, Entry] = {}
        self._file: Any = None
        if path is not None:
            self._file = open(path, "a+b", buffering=0)
            try:
                self._begin(os.fspath(path))
            except BaseException:
                self._file.close()
                raise

    def _begin(self, path: str) -> None:
        self._file.seek(0)
        data = self._file.read()
        if _FIRST.startswith(data):  # nothing, or a first line that ends early
            self._file.truncate(0)
            self._file.write(_FIRST)
            return
        if not data.startswith(_FIRST):
            raise StowageError(Status.MALFORMED, f"{path} has no results of a sweep", "results")
        for number, line in enumerate(data.split(b"\n")[1:], 2):
            self._read(line, f"{path}, line {number}")
        if not data.endswith(b"\n"):
            self._file.write(b"\n")

    def _read(self, line: bytes, where: str) -> None:
        import json

        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not _is_entry(entry):
            raise StowageError(Status.MALFORMED, f"{where}: the line has no result of a sweep", "results")
        self.entries[entry.pop("key")] = entry

    def add(self, key: str, entry: Entry, *, keep: bool) -> None:
        """Takes an entry, and appends it to the file if it is to be kept."""
        import json

        self.entries[key] = entry
        if keep and self._file is not None:
            line = json.dumps({"key": key, **entry}, separators=(",", ":")).encode() + b"\n"
            # In one call, so that lines of two drivers do not mix.
            if self._file.write(line) != len(line):
                raise OSError("a result could not be written as a whole")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
