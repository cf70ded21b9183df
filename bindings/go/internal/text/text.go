//go:build stowage_text

package text

// #cgo CFLAGS: -I${SRCDIR}/../capi
// #include "stowage_text.h"
import "C"

import (
	"bytes"
	"unsafe"

	"stowage.dev/go/internal/capi"
)

// call runs a function of the library, copies what it returns, and frees the library's buffer.
func call(function func(*C.stowage_buffer, *C.stowage_error) C.stowage_status) ([]byte, *capi.Failure) {
	var buffer C.stowage_buffer
	var details C.stowage_error
	if status := function(&buffer, &details); status != C.STOWAGE_OK {
		return nil, capi.NewFailure(capi.Status(status), C.GoString(&details.message[0]), C.GoString(&details.path[0]))
	}
	defer C.stowage_buffer_free(&buffer)
	return bytes.Clone(unsafe.Slice((*byte)(buffer.data), buffer.size)), nil
}

var nothing byte

// start of the bytes, which is not nil where there are none.
func start(data []byte) (*C.uint8_t, C.size_t) {
	if len(data) == 0 {
		return (*C.uint8_t)(&nothing), 0
	}
	return (*C.uint8_t)(unsafe.SliceData(data)), C.size_t(len(data))
}

func letters(data []byte) (*C.char, C.size_t) {
	first, size := start(data)
	return (*C.char)(unsafe.Pointer(first)), size
}

func accepted(limits *capi.Limits) *C.stowage_limits {
	return (*C.stowage_limits)(capi.AcceptedLimits(limits))
}

// InstanceFromJSON is stowage_instance_from_json.
func InstanceFromJSON(json []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	text, size := letters(json)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_instance_from_json(text, size, accepted(limits), out, details)
	})
}

// InstanceToJSON is stowage_instance_to_json.
func InstanceToJSON(instance []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_instance_to_json(from, size, accepted(limits), out, details)
	})
}

// OperationsFromJSON is stowage_operations_from_json.
func OperationsFromJSON(instance, json []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	text, length := letters(json)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_operations_from_json(from, size, text, length, accepted(limits), out, details)
	})
}

// PlanFromJSON is stowage_plan_from_json.
func PlanFromJSON(instance, json []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	text, length := letters(json)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_plan_from_json(from, size, text, length, accepted(limits), out, details)
	})
}

// PlanToJSON is stowage_plan_to_json.
func PlanToJSON(instance, plan []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	planBytes, planSize := start(plan)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_plan_to_json(from, size, planBytes, planSize, accepted(limits), out, details)
	})
}

// PlanToText is stowage_plan_to_text.
func PlanToText(instance, plan []byte, shown uint32, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	planBytes, planSize := start(plan)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_plan_to_text(from, size, planBytes, planSize, C.uint32_t(shown), accepted(limits), out, details)
	})
}

// PlanToHTML is stowage_plan_to_html.
func PlanToHTML(instance, plan []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	planBytes, planSize := start(plan)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_plan_to_html(from, size, planBytes, planSize, accepted(limits), out, details)
	})
}

// PlanToSVG is stowage_plan_to_svg.
func PlanToSVG(instance, plan []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	planBytes, planSize := start(plan)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_plan_to_svg(from, size, planBytes, planSize, accepted(limits), out, details)
	})
}

// ExplanationToText is stowage_explanation_to_text.
func ExplanationToText(instance, plan, report []byte, limits *capi.Limits) ([]byte, *capi.Failure) {
	from, size := start(instance)
	planBytes, planSize := start(plan)
	reportBytes, reportSize := start(report)
	return call(func(out *C.stowage_buffer, details *C.stowage_error) C.stowage_status {
		return C.stowage_explanation_to_text(
			from, size, planBytes, planSize, reportBytes, reportSize, accepted(limits), out, details)
	})
}
