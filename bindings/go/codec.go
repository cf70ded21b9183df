package stowage

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	flatbuffers "github.com/google/flatbuffers/go"
)

// record is a table in bytes that the library made or has checked. Fields are given by their place in the table (slot).
type record struct{ flatbuffers.Table }

func rootOf(bytes []byte) record {
	return record{flatbuffers.Table{Bytes: bytes, Pos: flatbuffers.GetUOffsetT(bytes)}}
}

// bodyOf is the body of a report or of an answer on sizes.
func bodyOf(bytes []byte) record {
	body, _ := rootOf(bytes).table(8)
	return body
}

// bodyAs makes a function that reads the body of a report or of an answer on sizes.
func bodyAs[Answer any](read func(record) Answer) func([]byte) *Answer {
	return func(bytes []byte) *Answer {
		answer := read(bodyOf(bytes))
		return &answer
	}
}

func (r record) table(slot flatbuffers.VOffsetT) (record, bool) {
	offset := flatbuffers.UOffsetT(r.Offset(slot))
	if offset == 0 {
		return record{}, false
	}
	return record{flatbuffers.Table{Bytes: r.Bytes, Pos: r.Indirect(r.Pos + offset)}}, true
}

func (r record) text(slot flatbuffers.VOffsetT) string {
	offset := flatbuffers.UOffsetT(r.Offset(slot))
	if offset == 0 {
		return ""
	}
	return string(r.ByteVector(r.Pos + offset))
}

// column is the content of a vector whose entries take `size` bytes, without a copy; nil = absent.
func (r record) column(slot flatbuffers.VOffsetT, size int) []byte {
	field := flatbuffers.UOffsetT(r.Offset(slot))
	if field == 0 {
		return nil
	}
	start := int(r.Vector(field))
	return r.Bytes[start : start+size*r.VectorLen(field)]
}

// each reads the entries of a column; nil = absent.
func each[Value any](column []byte, size int, at func([]byte) Value) []Value {
	if column == nil {
		return nil
	}
	values := make([]Value, len(column)/size)
	for k := range values {
		values[k] = at(column[size*k:])
	}
	return values
}

func (r record) uint32s(slot flatbuffers.VOffsetT) []uint32 {
	return each(r.column(slot, 4), 4, binary.LittleEndian.Uint32)
}

func (r record) uint64s(slot flatbuffers.VOffsetT) []uint64 {
	return each(r.column(slot, 8), 8, binary.LittleEndian.Uint64)
}

func (r record) float64s(slot flatbuffers.VOffsetT) []float64 {
	return each(r.column(slot, 8), 8, float64At)
}

func float64At(bytes []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(bytes)) }

func (r record) bools(slot flatbuffers.VOffsetT) []bool {
	return each(r.column(slot, 1), 1, func(bytes []byte) bool { return bytes[0] != 0 })
}

func enums[Enum ~uint8](r record, slot flatbuffers.VOffsetT) []Enum {
	return each(r.column(slot, 1), 1, func(bytes []byte) Enum { return Enum(bytes[0]) })
}

func (r record) texts(slot flatbuffers.VOffsetT) []string {
	field := flatbuffers.UOffsetT(r.Offset(slot))
	if field == 0 {
		return nil
	}
	start, values := r.Vector(field), make([]string, r.VectorLen(field))
	for k := range values {
		values[k] = string(r.ByteVector(start + flatbuffers.UOffsetT(4*k)))
	}
	return values
}

// readTables reads a vector of tables; nil = absent.
func readTables[Value any](r record, slot flatbuffers.VOffsetT, read func(record) Value) []Value {
	field := flatbuffers.UOffsetT(r.Offset(slot))
	if field == 0 {
		return nil
	}
	start, values := r.Vector(field), make([]Value, r.VectorLen(field))
	for k := range values {
		values[k] = read(record{flatbuffers.Table{Bytes: r.Bytes, Pos: r.Indirect(start + flatbuffers.UOffsetT(4*k))}})
	}
	return values
}

// readTable reads a table; nil = absent.
func readTable[Value any](r record, slot flatbuffers.VOffsetT, read func(record) Value) *Value {
	one, found := r.table(slot)
	if !found {
		return nil
	}
	value := read(one)
	return &value
}

// known is nil where a number has the value that stands for none.
func known[Number comparable](value, none Number) *Number {
	if value == none {
		return nil
	}
	return &value
}

// wordOf is the word of an enumeration for a value, which a later library may have added.
func wordOf(words []string, value int) string {
	if value < len(words) && value >= 0 {
		return words[value]
	}
	return "kind " + strconv.Itoa(value)
}

// encoder writes tables and vectors, and assigns positions to tags.
type encoder struct {
	*flatbuffers.Builder
	tags     map[string]uint32
	tagNames []string
}

// finish writes a buffer whose root is the table.
func (e *encoder) finish(root flatbuffers.UOffsetT, identifier string) []byte {
	e.FinishWithFileIdentifier(root, []byte(identifier))
	return e.FinishedBytes()
}

// given is the number or, where it is nil, what stands for one that is not given.
func given[Number any](number *Number, otherwise Number) Number {
	if number == nil {
		return otherwise
	}
	return *number
}

// or is the number or, where it is 0, the default.
func or[Number uint32 | float64](number, otherwise Number) Number {
	if number == 0 {
		return otherwise
	}
	return number
}

// column collects a value of each item; nil where there are none.
func column[Item, Value any](items []Item, value func(Item) Value) []Value {
	if len(items) == 0 {
		return nil
	}
	values := make([]Value, len(items))
	for k, item := range items {
		values[k] = value(item)
	}
	return values
}

// unless collects a value of each item; nil where all are what an absent column stands for.
func unless[Item any, Value comparable](items []Item, value func(Item) Value, absent Value) []Value {
	if !slices.ContainsFunc(items, func(item Item) bool { return value(item) != absent }) {
		return nil
	}
	return column(items, value)
}

func (e *encoder) flags(values []bool) flatbuffers.UOffsetT {
	return e.CreateByteVector(column(values, func(value bool) byte {
		if value {
			return 1
		}
		return 0
	}))
}

func (e *encoder) int32s(values []int32) flatbuffers.UOffsetT {
	return e.words(column(values, func(value int32) uint32 { return uint32(value) }))
}

func (e *encoder) words(values []uint32) flatbuffers.UOffsetT {
	e.StartVector(4, len(values), 4)
	for k := len(values) - 1; k >= 0; k-- {
		e.PlaceUint32(values[k])
	}
	return e.EndVector(len(values))
}

func (e *encoder) doubles(values []float64) flatbuffers.UOffsetT {
	e.StartVector(8, len(values), 8)
	for k := len(values) - 1; k >= 0; k-- {
		e.PlaceFloat64(values[k])
	}
	return e.EndVector(len(values))
}

// optional writes a vector by the function, or nothing for nil.
func optional[Value any](values []Value, write func([]Value) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	if values == nil {
		return 0
	}
	return write(values)
}

func (e *encoder) optional(values []float64) flatbuffers.UOffsetT {
	return optional(values, e.doubles)
}

func (e *encoder) text(value string) flatbuffers.UOffsetT {
	if value == "" {
		return 0
	}
	return e.CreateString(value)
}

// offsets writes a vector of tables or strings.
func (e *encoder) offsets(count int, at func(int) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	all := make([]flatbuffers.UOffsetT, count)
	for k := range all {
		all[k] = at(k)
	}
	e.StartVector(4, count, 4)
	for _, offset := range slices.Backward(all) {
		e.PrependUOffsetT(offset)
	}
	return e.EndVector(count)
}

// strings writes a list of texts, which may be empty but is there.
func (e *encoder) strings(values []string) flatbuffers.UOffsetT {
	return e.offsets(len(values), func(k int) flatbuffers.UOffsetT { return e.CreateString(values[k]) })
}

func (e *encoder) texts(values []string) flatbuffers.UOffsetT {
	if len(values) == 0 {
		return 0
	}
	return e.strings(values)
}

// tables writes a vector of tables, which may be empty but is there.
func tables[Value any](e *encoder, values []Value, write func(*encoder, *Value) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	return e.offsets(len(values), func(k int) flatbuffers.UOffsetT { return write(e, &values[k]) })
}
