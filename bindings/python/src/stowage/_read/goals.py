"""Goals of requests in words, as the command's option --goal has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .. import records
from .._library import NONE, Status, StowageError


def goals_of(given: Any, resource: Callable[[str], int] | None = None) -> list[records.PlanGoal]:
    """The goals of a list of goals, kinds of goals and words: TERM[,TERM...][~TOLERANCE], where TERM is NAME[:RESOURCE][*WEIGHT].
    `resource` finds one by its name. Raises StowageError."""
    if isinstance(given, str | records.PlanGoal) or not isinstance(given, Iterable):
        raise StowageError(Status.INVALID, "must be a list", "goals")
    made: list[records.PlanGoal] = []
    for k, one in enumerate(given):
        path = f"goals[{k}]"
        if isinstance(one, str):
            made += _of_words(one, resource, path)
        elif isinstance(one, records.PlanGoal):
            made.append(one)
        else:
            try:
                made.append(records.PlanGoal(what=records.GoalKind(one)))
            except ValueError:
                raise StowageError(Status.INVALID, f"{one!r} is no goal", path) from None
    return made


def goal_words(goal: records.PlanGoal | records.ReachedGoal, resource: Callable[[int], str] = str) -> str:
    """A goal in words; of goals that count together, each by itself. `resource` is what is said of one."""
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


def _of_words(text: str, resource: Callable[[str], int] | None, path: str) -> list[records.PlanGoal]:
    words, tilde, share = text.rpartition("~")
    goals = [_of_term(term, resource, path) for term in (words if tilde else text).split(",")]
    for goal in goals[1:]:
        goal.beside = True
    if tilde:
        goals[0].tolerance = _number(share.removesuffix("%"), path) / (100 if share.endswith("%") else 1)
    return goals


def _of_term(term: str, resource: Callable[[str], int] | None, path: str) -> records.PlanGoal:
    words, star, weight = term.rpartition("*")
    name, colon, of = (words if star else term).partition(":")
    known = {kind_word(kind): kind for kind in records.GoalKind}
    if name not in known:
        raise StowageError(Status.INVALID, f'"{name}" is not one of {", ".join(known)}', path)
    goal = records.PlanGoal(what=known[name])
    if star:
        goal.weight = _number(weight, path)
    if colon:
        if resource is None:
            raise StowageError(Status.INVALID, "names of resources are those of an instance; give a PlanGoal with the index", path)
        goal.resource = resource(of)
    return goal


def _number(text: str, path: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise StowageError(Status.INVALID, f'"{text}" is no number', path) from None
