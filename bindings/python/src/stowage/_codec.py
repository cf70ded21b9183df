"""Records to FlatBuffers and back, as the descriptions in records.py say. Imports NumPy: only what touches bytes imports this."""

from __future__ import annotations

import inspect
import operator
import struct
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import flatbuffers
import numpy as np
import numpy.typing as npt
from flatbuffers import number_types

from . import _abi
from ._library import Status, StowageError, address, half_a_character, lib
from ._run import Control, look, run
from ._wire import Column, Record, Scalar, Table, Tables, Text, Texts, Union

Doubles: TypeAlias = npt.NDArray[np.float64]

T = TypeVar("T", bound=Record)


# ---------------------------------------------------------------------------------------------------------------- reading


class MalformedError(ValueError):
    """The bytes are not a FlatBuffer of the expected kind."""


_UINT16 = struct.Struct("<H")
_UINT32 = struct.Struct("<I")
_INT32 = struct.Struct("<i")
# Texts between two looks at what may cancel a call.
_LOOK = 4096
_SCALARS = {letter: struct.Struct("<" + letter) for letter in "?BHIiQd"}


_KINDS = {
    b"STOI": _abi.STOWAGE_KIND_INSTANCE, b"STOR": _abi.STOWAGE_KIND_REQUEST, b"STOP": _abi.STOWAGE_KIND_PLAN,
    b"STOV": _abi.STOWAGE_KIND_REPORT, b"STOC": _abi.STOWAGE_KIND_CATALOGUE, b"STOS": _abi.STOWAGE_KIND_OPERATIONS,
    b"STOL": _abi.STOWAGE_KIND_LEARNING, b"STOD": _abi.STOWAGE_KIND_DERIVATION,
}  # fmt: skip


def read_foreign(data: bytes, kind: type[T], identifier: bytes, control: Control | None = None) -> T:
    """The record in bytes from elsewhere, which the library checks first: also their text, indices, lengths of columns, and what
    they would take in memory. Raises StowageError for bytes that hold no such record."""
    run(lib.stowage_check, (_KINDS[identifier], *address(data), None), None, control=control)
    return read(data, kind, identifier)


def read(data: bytes, kind: type[T], identifier: bytes) -> T:
    """The record in bytes that the library made or checked. Raises StowageError for bytes that hold no such record."""
    try:
        return Reader(data).root(kind, identifier)
    except MalformedError as failure:
        raise StowageError(Status.MALFORMED, str(failure)) from None


# What the reader does with a field, in a form that takes little time for each plan: how to read it, and what that needs to know.
_Entry: TypeAlias = tuple[str, Callable[["Reader", int, Any], Any] | None, Any]
_Layout: TypeAlias = tuple[list[_Entry | None], dict[str, Any], list[str]]


def _layout_of(kind: type[Record]) -> _Layout:
    """What to do with each entry of a table's vtable, the defaults of its fields, and those whose default is an empty list."""
    layout: list[_Entry | None] = [None, None]
    defaults: dict[str, Any] = {}
    lists: list[str] = []
    given = inspect.signature(kind).parameters
    for name, slot, field in kind.FIELDS:
        layout += [None] * (slot // 2 - len(layout))
        if isinstance(field, Scalar):
            # The module struct makes numbers of these types itself.
            convert = None if field.convert in (int, float, bool) else field.convert
            layout.append((name, None, (_SCALARS[field.letter].unpack_from, convert)))
            defaults[name] = field.default
            continue
        # A union is told from its slot: its type is in the one before.
        detail: Any = getattr(field, "kind", None)
        if isinstance(field, Column):
            detail = field.dtype
        elif isinstance(field, Union):
            detail = (field.kinds, slot)
        layout.append((name, _READS[type(field)], detail))
        if given[name].default is None:
            if isinstance(field, Tables):
                lists.append(name)
            else:
                defaults[name] = None
    return layout, defaults, lists


_LAYOUTS: dict[type[Record], _Layout] = {}


def _layout(kind: type[Record]) -> _Layout:
    found = _LAYOUTS.get(kind)
    if found is None:
        found = _LAYOUTS[kind] = _layout_of(kind)
    return found


class Reader:
    """Reads records out of bytes. Columns are views of the bytes: nothing is copied."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def root(self, kind: type[T], identifier: bytes) -> T:
        """The record at the root of a buffer with this file identifier. Raises MalformedError for any other bytes."""
        if self.data[4:8] != identifier:
            raise MalformedError(f"the bytes do not have the identifier {identifier.decode()}")
        try:
            return self.table(0, kind)
        except (struct.error, ValueError, IndexError, KeyError, TypeError) as failure:
            raise MalformedError(f"the bytes are no {kind.__name__}: {failure}") from failure

    def table(self, at: int, kind: type[T]) -> T:
        data = self.data
        position = at + _UINT32.unpack_from(data, at)[0]
        vtable = position - _INT32.unpack_from(data, position)[0]
        if vtable < 0:
            raise ValueError("an offset leads out of the bytes")
        layout, defaults, lists = _layout(kind)
        entries = struct.unpack_from(f"<{_UINT16.unpack_from(data, vtable)[0] // 2}H", data, vtable)
        made = kind.__new__(kind)
        # Fields that are absent have the defaults of the constructor, which are those of the schemas.
        values = made.__dict__
        values.update(defaults)
        for name in lists:
            values[name] = []
        for field, entry in zip(layout, entries, strict=False):
            if entry == 0 or field is None:
                continue
            name, reads, detail = field
            if reads is None:
                unpack, convert = detail
                number = unpack(data, position + entry)[0]
                values[name] = number if convert is None else convert(number)
            elif reads is Reader.union:
                kinds, slot = detail
                values[name] = self.union(position + entry, (kinds, data[position + entries[slot // 2 - 1]]))
            else:
                values[name] = reads(self, position + entry, detail)
        if len(values) != len(kind.FIELDS):
            raise ValueError("a field that is required is absent")
        return made

    def column(self, at: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        start = at + _UINT32.unpack_from(self.data, at)[0]
        count = _UINT32.unpack_from(self.data, start)[0]
        return np.frombuffer(self.data, dtype, count, start + 4) if count else np.zeros(0, dtype)

    def union(self, at: int, detail: tuple[tuple[type[Record], ...], int]) -> Record:
        kinds, number = detail
        if not 1 <= number <= len(kinds):
            raise ValueError("a union has an unknown type")
        return self.table(at, kinds[number - 1])

    def tables(self, at: int, kind: type[T]) -> list[T]:
        start, count = self._vector(at, 4)
        return [self.table(start + 4 * k, kind) for k in range(count)]

    def texts(self, at: int, _: object) -> list[str]:
        start, count = self._vector(at, 4)
        found: list[str] = []
        for begin in range(0, count, _LOOK):
            look()
            found += [self.text(start + 4 * k) for k in range(begin, min(count, begin + _LOOK))]
        return found

    def text(self, at: int, _: object = None) -> str:
        start, count = self._vector(at, 1)
        return self.data[start : start + count].decode()

    def _vector(self, at: int, size: int) -> tuple[int, int]:
        """Where the elements of a vector begin, and their number."""
        start = at + _UINT32.unpack_from(self.data, at)[0]
        count = _UINT32.unpack_from(self.data, start)[0]
        if count * size > len(self.data) - start:
            raise ValueError("a vector leads out of the bytes")
        return start + 4, count


_READS: dict[type, Callable[[Reader, int, Any], Any]] = {
    Column: Reader.column, Table: Reader.table, Tables: Reader.tables, Text: Reader.text, Texts: Reader.texts, Union: Reader.union,
}  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------- writing

_FLAGS = {
    "?": number_types.BoolFlags, "B": number_types.Uint8Flags, "H": number_types.Uint16Flags, "I": number_types.Uint32Flags,
    "i": number_types.Int32Flags, "Q": number_types.Uint64Flags, "d": number_types.Float64Flags,
}  # fmt: skip


def encode(record: Record, identifier: bytes) -> memoryview:
    """The bytes of a record as the root of a buffer. Raises ValueError for a value that the field's type does not hold."""
    builder = flatbuffers.Builder(256)
    builder.Finish(_write(builder, record), file_identifier=identifier)
    return memoryview(builder.Bytes)[builder.Head() :]


def _write(builder: Any, record: Record) -> int:
    look()
    slots = 0
    scalars: list[tuple[int, Scalar, Any, str]] = []
    offsets: list[tuple[int, int]] = []
    for name, slot, field in record.FIELDS:
        number = (slot - 4) // 2
        slots = number + 1
        value = getattr(record, name)
        if isinstance(field, Scalar):
            if value != field.default:
                scalars.append((number, field, value, name))
        elif isinstance(field, Union):
            scalars.append((number - 1, Scalar("B", 0, int), field.kinds.index(type(value)) + 1, name))
            offsets.append((number, _write(builder, value)))  # paths of the library do not name it
        elif value is not None and not (isinstance(field, Tables) and not value and not field.required):
            offsets.append((number, _offset(builder, field, value, name)))
    builder.StartObject(slots)
    for number, field, value, name in scalars:
        try:
            exact = value if field.letter == "d" else operator.index(value)
            builder.PrependSlot(_FLAGS[field.letter], number, exact, field.default)
        except (TypeError, ValueError, struct.error) as failure:
            raise ValueError(f"{name}: {value!r} is not in the range of the field") from failure
    for number, offset in offsets:
        builder.PrependUOffsetTRelativeSlot(number, offset, 0)
    return int(builder.EndObject())


def _offset(builder: Any, field: Any, value: Any, name: str) -> int:
    match field:
        case Column():
            return _column(builder, as_column(value, field.dtype, name))
        case Text():
            return int(builder.CreateString(_utf8(value, name)))
        case Table():
            return _within(builder, value, name)
        case Texts():
            return _texts(builder, value, name)
        case _:
            offsets = [_within(builder, one, f"{name}[{k}]") for k, one in enumerate(value)]
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return int(builder.EndVector())


def _within(builder: Any, record: Record, path: str) -> int:
    """Writes a record that is a part of another."""
    try:
        return _write(builder, record)
    except ValueError as failure:
        raise ValueError(f"{path}.{failure}") from None


def _utf8(text: Any, name: str, at: int | None = None) -> bytes:
    """A text, or one of several, in UTF-8."""
    try:
        if isinstance(text, str):
            return text.encode()
        wrong = f"{text!r} is no text"
    except UnicodeEncodeError as failure:
        wrong = half_a_character(failure)
    raise ValueError(f"{name}: {wrong}" if at is None else f"{name}[{at}]: {wrong}")


def _texts(builder: Any, texts: list[str], name: str) -> int:
    """A vector of strings. All strings are written at once: the builder takes longer for ten thousand names than for all else."""
    pieces = []
    for k, text in enumerate(texts):
        if k % _LOOK == 0:
            look()
        encoded = _utf8(text, name, k)
        # The length, the text, a zero, and zeros up to a multiple of four.
        pieces.append(_UINT32.pack(len(encoded)) + encoded + bytes(4 - len(encoded) % 4))
    begin = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=begin[1:])
    builder.Prep(4, int(begin[-1]))
    _place(builder, b"".join(pieces))
    strings = builder.Offset()
    builder.StartVector(4, len(texts), 4)
    # Offsets of the builder count from the end of the buffer, which is written backwards; those in the buffer are relative.
    elements = builder.Offset() + 4 * len(texts) - 4 * np.arange(len(texts), dtype=np.int64)
    _place(builder, (elements - (strings - begin[:-1])).astype("<u4").tobytes())
    return int(builder.EndVector())


def _place(builder: Any, data: bytes | memoryview) -> None:
    """Puts bytes for which there is room already before what was written."""
    builder.head = builder.Head() - len(data)
    builder.Bytes[builder.head : builder.head + len(data)] = data


def as_column(value: npt.ArrayLike, dtype: np.dtype[Any], name: str) -> npt.NDArray[Any]:
    """The values as an array of one dimension of this type. Raises ValueError where the type does not hold a value."""
    if isinstance(value, np.ndarray) and value.dtype == dtype:
        return np.ascontiguousarray(value).reshape(-1)
    if dtype.names:
        rows = [tuple(row) for row in value]  # type: ignore[union-attr, arg-type]
        try:
            return np.array(rows, dtype)
        except (TypeError, ValueError, OverflowError) as failure:
            raise ValueError(f"{name}: {failure}") from failure
    try:
        given = np.asarray(value)
        with np.errstate(invalid="ignore"):
            array = given.astype(dtype).reshape(-1)
        # A conversion must not change a whole number: neither cut it nor wrap it around.
        same = dtype.kind == "f" or given.size == 0 or bool(np.all(given.reshape(-1) == array))
    except (TypeError, ValueError, OverflowError) as failure:
        raise ValueError(f"{name}: {failure}") from failure
    if not same:
        raise ValueError(f"{name}: a value is not in the range of {dtype}")
    return array


def _column(builder: Any, array: npt.NDArray[Any]) -> int:
    size = array.dtype.itemsize
    builder.StartVector(size, len(array), array.dtype.alignment)
    if array.nbytes:
        _place(builder, array.view(np.uint8).data)
    return int(builder.EndVector())
