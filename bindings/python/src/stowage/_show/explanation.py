"""Explanations: objects, and words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import records


class Explanation:
    """What determines a plan's number of nodes, and why replicas are unplaced: `report` as objects, str() as text."""

    def __init__(self, report: records.Explanation, words: str | Callable[[], str]) -> None:
        """`words` makes the text once it is asked for."""
        self.report = report
        self._words = words

    def __str__(self) -> str:
        if not isinstance(self._words, str):
            self._words = self._words()
        return self._words

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.report, str(self))

    def __repr__(self) -> str:
        return f"<stowage.Explanation: {self.report.nodes} nodes, {len(self.report.drivers)} drivers, {len(self.report.apps)} apps>"

    def _repr_html_(self) -> str:
        from .html import escaped

        return f"<pre>{escaped(str(self))}</pre>"
