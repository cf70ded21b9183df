"""Stowage plans on which nodes applications run, before they run.

    cluster = stowage.Instance.load("cluster.json")
    plan = cluster.plan("auto", deadline_ms=2000)
    print(plan, cluster.explain(plan))
"""

from . import records
from ._instance import Instance, planners
from ._learning import Model, size
from ._library import NONE, Status, StowageError, status_text, version
from ._plan import Plan
from ._read.tables import read_tables
from ._run import Control, Progress, progress_of, to_thread
from ._session import CommitMode, Session
from ._show.answers import HeadroomOfApps, Losses
from ._show.explanation import Explanation
from ._show.frame import Frame
from ._show.picture import Picture
from ._sweep.scenario import Scenario
from ._sweep.sweep import Fleet, fleet, sweep
from ._sweep.table import Sweep
from ._sweep.task import work
from .records import (
    Goal, GoalKind, NamedCardinality, NamedConjunction, NamedRule, Operation, OperationKind, PlanGoal, PlanStatus, Request,
)  # fmt: skip

__version__ = "0.1.0"
__all__ = [
    "NONE", "CommitMode", "Control", "Explanation", "Fleet", "Frame", "Goal", "GoalKind", "HeadroomOfApps", "Instance", "Losses", "Model",
    "NamedCardinality", "NamedConjunction", "NamedRule", "Operation", "OperationKind", "Picture", "Plan", "PlanGoal", "PlanStatus", "Progress",
    "Request", "Scenario", "Session", "Status", "StowageError", "Sweep",
    "fleet", "planners", "progress_of", "read_tables", "records", "size", "status_text", "sweep", "to_thread", "version", "work",
]  # fmt: skip
