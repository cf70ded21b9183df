"""Questions about Kubernetes clusters, answered as by the command `stowage k8s` (docs/reference/cli.md).

    objects = pathlib.Path("dump.json").read_bytes()    # what `kubectl get nodes,deployments,pods,... -A -o json` prints
    print(kubernetes.answer(["consolidate"], objects).text)
    cluster = kubernetes.read(objects).instance         # for all that instances are good for

The functions are those of the library stowage_k8s, which wheels have. `STOWAGE_K8S_LIBRARY` names another one.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .. import _abi
from .._instance import Instance
from .._library import Buffer, file_of
from .._read.text import letters, written
from .._run import Control, run, within


class Answer(NamedTuple):
    """An answer. `code`: 2 where something does not fit, 4 where that depends on objects that were not given, else 0. `text`: for people
    or, with the argument "-json", JSON."""

    code: int
    text: str


class ClusterRead(NamedTuple):
    """A cluster as an instance, and what the instance does not say, a sentence each.

    `left_out` is what plans do not take into account, `missing` what could change an answer and was not given, `notes` what was assumed,
    and `held` what runs and may not leave its node now, which the instance pins.
    """

    instance: Instance
    left_out: list[str]
    missing: list[str]
    notes: list[str]
    held: list[str]


@functools.cache
def _answer_function() -> Callable[..., int]:
    function = ctypes.CDLL(file_of("stowage_k8s", os.environ.get("STOWAGE_K8S_LIBRARY"))).stowage_k8s_answer
    function.restype = ctypes.c_uint32
    function.argtypes = (
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int32),
        ctypes.POINTER(_abi.stowage_buffer), ctypes.POINTER(_abi.stowage_error),
    )  # fmt: skip
    called: Callable[..., int] = function
    return called


def answer(
    arguments: Sequence[str], objects: str | bytes, *, files: Mapping[str, str] | None = None, control: Control | None = None
) -> Answer:
    """Answers a question about a cluster.

    `arguments` are those of the command, such as ["fit", "-json"], without files of objects. `objects` are lists and objects as kubectl
    prints them in JSON, one document after the other. `files` has the texts of the files that "-price" and "-types" name. Raises
    StowageError with the path of a wrong value, and ImportError where there is no library stowage_k8s.
    """
    with within(control):
        function = _answer_function()
        request = written({"arguments": list(arguments), "files": dict(files or {})})
        given = letters(objects)
        code = ctypes.c_int32()

        def ask(control: Control | None, receiver: Any, error: Any) -> int:
            return function(request, len(request), given, len(given), control, ctypes.byref(code), receiver, error)

        text = run(ask, (), Buffer()).data.decode()
        return Answer(code.value, text)


def read(objects: str | bytes, *, control: Control | None = None) -> ClusterRead:
    """Reads a cluster as an instance. Raises as answer() does."""
    with within(control):
        found = json.loads(answer(["instance", "-json"], objects).text)
        instance = Instance.from_dict(found["instance"])
        return ClusterRead(instance, *(found[name] for name in ("leftOut", "missing", "notes", "held")))
