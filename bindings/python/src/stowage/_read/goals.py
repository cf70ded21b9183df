"""Goals of requests in words, as the command's option --goal has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .. import records
from .._library import NONE, Status, StowageError


def goals_of(given: Any) -> list[records.PlanGoal]:
    """The goals of a list of goals, kinds of goals and words. Raises StowageError."""
    if isinstance(given, str | records.PlanGoal) or not isinstance(given, Iterable):
        raise StowageError(Status.INVALID, "must be a list", "goals")
    made: list[records.PlanGoal] = []
    for k, one in enumerate(given):
        if isinstance(one, str) and one:
            made.append(records.PlanGoal(words=one))
        elif isinstance(one, records.PlanGoal):
            made.append(one)
        else:
            try:
                made.append(records.PlanGoal(what=records.GoalKind(one)))
            except ValueError:
                raise StowageError(Status.INVALID, f"{one!r} is no goal", f"goals[{k}]") from None
    return made


def goal_words(goal: records.PlanGoal | records.ReachedGoal, resource: Callable[[int], str] = str) -> str:
    """A goal in words; of goals that count together, each by itself. `resource` is what is said of one."""
    if isinstance(goal, records.PlanGoal) and goal.words:
        return f"+ {goal.words}" if goal.beside else goal.words
    words = kind_word(goal.what)
    if goal.resource != NONE:
        words += f":{resource(goal.resource)}"
    if goal.weight != 1:
        words += f"*{goal.weight:g}"
    return f"+ {words}" if goal.beside else words + (f"~{goal.tolerance:g}" if goal.tolerance else "")


def kind_word(what: int) -> str:
    """The word of a kind of goal; its number, where a later version made it."""
    known = [kind.name.lower().replace("_", "-") for kind in records.GoalKind]
    return known[what] if what < len(known) else str(int(what))
