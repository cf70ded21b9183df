"""Plans."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from . import records
from ._library import Bytes, read

NONE = 2**32 - 1
_NOT_KNOWN = 2**64 - 1


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Plan(records.Plan):
    """A plan: which replicas run on which node, how good it is, and which replicas are unplaced.

    The columns are views of `data`, the plan's bytes, and read-only. `placed` and `reserved` have the fields app, node and replicas;
    `unplaced` and `unreserved` have app and replicas.
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

    @property
    def replicas_reserved(self) -> int:
        """Number of replicas that room is kept for, on all copies of nodes."""
        if self.reserved is None:
            return 0
        replicas = self.reserved["replicas"].astype(np.uint64)
        return int((replicas if self.copies is None else replicas * self.copies[self.reserved["node"]]).sum(dtype=np.uint64))

    @property
    def survives(self) -> bool | None:
        """Whether every loss that the request named is survived; None: no loss was named, or it is not known."""
        return None if self.survive is None or self.not_survived == _NOT_KNOWN else self.not_survived == 0

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
        if self.replicas_reserved > 0:
            parts.append(f"room for {self.replicas_reserved} more")
        if self.survive is not None and self.survives is not None:
            lost = "any node" if self.survive == "*" else f"any {self.survive}"
            parts.append(f"{'survives' if self.survives else 'does not survive'} the loss of {lost}")
        return f"<stowage.Plan by {self.planner}: {', '.join(parts)}>"
