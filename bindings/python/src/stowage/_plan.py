"""Plans."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from . import records
from ._library import Bytes, read

NONE = 2**32 - 1


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Plan(records.Plan):
    """A plan: which replicas run on which node, how good it is, and which replicas are unplaced.

    The columns are views of `data`, the plan's bytes, and read-only. `placed` has the fields app, node and replicas; `unplaced` has
    app and replicas.
    """

    data: bytes = b""

    @classmethod
    def read(cls, data: Bytes) -> Plan:
        """A plan from bytes. Raises StowageError for bytes that are no plan; verify() tells whether it is a good one."""
        kept = bytes(data)
        plan = read(kept, cls, b"STOP")
        plan.data = kept
        return plan

    @property
    def nodes_in_use(self) -> int:
        """Number of nodes in use, each copy counted."""
        return len(self.node_class) if self.copies is None else int(self.copies.sum(dtype=np.uint64))

    @property
    def replicas_unplaced(self) -> int:
        """Number of replicas that are not placed."""
        return int(self.unplaced["replicas"].sum(dtype=np.uint64))

    @property
    def complete(self) -> bool:
        """True where every replica is placed."""
        return len(self.unplaced) == 0

    def table(self, apps: int) -> npt.NDArray[np.uint32]:
        """Replicas by app and node, for plans that are small enough. Shape: apps x nodes."""
        made = np.zeros((apps, len(self.node_class)), np.uint32)
        made[self.placed["app"], self.placed["node"]] = self.placed["replicas"]
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.read, (self.data,)

    def __repr__(self) -> str:
        parts = [self.status.name.lower().replace("_", " "), f"{self.nodes_in_use} nodes"]
        if self.node_bound is not None:
            parts.append(f"at least {self.node_bound.value:g}")
        if self.cost >= 0:
            parts.append(f"cost {self.cost:g}")
        if self.gap >= 0:
            parts.append(f"gap {self.gap:.2%}")
        if not self.complete:
            parts.append(f"{self.replicas_unplaced} replicas unplaced")
        return f"<stowage.Plan by {self.planner}: {', '.join(parts)}>"
