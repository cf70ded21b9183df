"""Sizes that are learned (docs/understand/learning.md, docs/cookbook/size.md)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Self

from . import records
from ._instance import body, encoded, limits_of
from ._library import Bytes, Handle, address, lib
from ._run import Control, answer, run


def _learning(record: Any) -> bytes:
    return encoded(records.Learning(body=record), b"STOL")


class Model:
    """What was learned of how apps perform by size and degree of collocation. Immutable; any number of threads may use it.

    A `control` is as for Instance.
    """

    def __init__(self, data: Bytes, *, limits: Mapping[str, int] | None = None, control: Control | None = None) -> None:
        """Reads a model that `data` of another one holds. Raises StowageError for bytes that were truncated or changed."""
        self._made(lib.stowage_model_load_watched, data, limits, control)

    def _made(self, function: Any, data: Bytes, limits: Mapping[str, int] | None, control: Control | None) -> Self:
        self._limits = None if limits is None else dict(limits)
        self._handle = Handle(lib.stowage_model_free)
        pointer, size = address(data)
        run(function, (pointer, size, limits_of(limits)), self._handle, control=control)
        self._handle.weigh(size)
        return self

    @classmethod
    def learn(cls, profiles: records.Samples, *, limits: Mapping[str, int] | None = None, control: Control | None = None) -> Model:
        """Learns from profiled apps: each measured with some configurations."""
        return cls.__new__(cls)._made(lib.stowage_model_learn_watched, _learning(profiles), limits, control)

    @property
    def data(self) -> bytes:
        """The model as bytes, the same on every platform."""
        return answer(lib.stowage_model_save_watched, self._handle)

    def recommend(
        self, samples: records.Samples, goal: records.Goal, *, curves: bool = False, control: Control | None = None
    ) -> records.Recommendations:
        """A size and a degree of collocation for each app of the samples, or the sample to take next."""
        question = _learning(records.Question(samples=samples, goal=goal, curves=curves))
        data = answer(lib.stowage_model_recommend_watched, self._handle, *address(question), control=control)
        found: records.Recommendations = body(data, records.Recommendations, records.Learning, b"STOL")
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(type(self), limits=self._limits), (self.data,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        # It does not change.
        return self


def size(usage: records.Usage, *, control: Control | None = None) -> records.Sizes:
    """From usage to size: what replicas should ask for, by what they used. A `control` is as for Instance."""
    data = answer(lib.stowage_size_watched, *address(_learning(usage)), control=control)
    found: records.Sizes = body(data, records.Sizes, records.Learning, b"STOL")
    return found
