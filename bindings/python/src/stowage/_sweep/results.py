"""Results of a sweep in a file, from which a sweep that was killed goes on."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Self, TypeAlias

from .._library import Status, StowageError
from .task import is_outcome

# An entry has row, error and seconds; of row and error, one is None.
Entry: TypeAlias = dict[str, Any]
_FIRST = b'{"stowage-results":1}\n'


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
        sound = isinstance(entry, dict) and isinstance(entry.get("key"), str) and is_outcome(entry.get("row"), entry.get("error"))
        if not sound or not isinstance(entry.get("seconds"), (int, float, type(None))):
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
