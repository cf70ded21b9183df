"""Sizes that are learned (docs/learning.md, docs/how-to-size.md)."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from . import records
from ._instance import body, encoded, limits_of
from ._library import Bytes, Handle, address, answer, call, lib


def _learning(record: Any) -> bytes:
    return encoded(records.Learning(body=record), b"STOL")


class Model:
    """What was learned of how apps perform by size and degree of collocation. Immutable; any number of threads may use it."""

    def __init__(self, data: Bytes, *, limits: Mapping[str, int] | None = None) -> None:
        """Reads a model that `data` of another one holds. Raises StowageError for bytes that were truncated or changed."""
        made = ctypes.c_void_p()
        call(lib.stowage_model_load, *address(data), limits_of(limits), ctypes.byref(made))
        self._handle = Handle(made.value, lib.stowage_model_free)

    @classmethod
    def learn(cls, profiles: records.Samples, *, limits: Mapping[str, int] | None = None) -> Model:
        """Learns from profiled apps: each measured with some configurations."""
        made = ctypes.c_void_p()
        call(lib.stowage_model_learn, *address(_learning(profiles)), limits_of(limits), ctypes.byref(made))
        model = cls.__new__(cls)
        model._handle = Handle(made.value, lib.stowage_model_free)
        return model

    @property
    def data(self) -> bytes:
        """The model as bytes, the same on every platform."""
        return answer(lib.stowage_model_save, self._handle.value)

    def recommend(self, samples: records.Samples, goal: records.Goal, *, curves: bool = False) -> records.Recommendations:
        """A size and a degree of collocation for each app of the samples, or the sample to take next."""
        question = _learning(records.Question(samples=samples, goal=goal, curves=curves))
        data = answer(lib.stowage_model_recommend, self._handle.value, *address(question))
        found: records.Recommendations = body(data, records.Recommendations, records.Learning, b"STOL")
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self.data,)


def size(usage: records.Usage) -> records.Sizes:
    """From usage to size: what replicas should ask for, by what they used."""
    data = answer(lib.stowage_size, *address(_learning(usage)))
    found: records.Sizes = body(data, records.Sizes, records.Learning, b"STOL")
    return found
