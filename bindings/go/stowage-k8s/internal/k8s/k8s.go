// Package k8s is the raw C ABI of stowage_k8s.h.
package k8s

// #cgo CFLAGS: -I${SRCDIR}/../../../../../capi/include
// #include "stowage_k8s.h"
import "C"

import (
	"bytes"
	"context"
	"unsafe"

	"stowage.dev/go/internal/capi"
)

var nothing byte

// letters is a pointer to the text, which is not nil where that is empty.
func letters(text []byte) (*C.char, C.size_t) {
	if len(text) == 0 {
		return (*C.char)(unsafe.Pointer(&nothing)), 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.size_t(len(text))
}

// Answer is stowage_k8s_answer. It ends early when ctx does.
func Answer(ctx context.Context, request, objects []byte) (answer []byte, code int, failed *capi.Failure) {
	control, failed := capi.NewControl()
	if failed != nil {
		return nil, 0, failed
	}
	defer capi.FreeControl(control)
	finished := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ctx.Done():
			capi.Cancel(control)
		case <-finished:
		}
	}()
	defer func() {
		close(finished)
		<-stopped
	}()
	asked, askedSize := letters(request)
	text, size := letters(objects)
	var number C.int32_t
	var buffer C.stowage_buffer
	var details C.stowage_error
	status := C.stowage_k8s_answer(asked, askedSize, text, size, (*C.stowage_control)(unsafe.Pointer(control)), &number, &buffer, &details)
	if status != C.STOWAGE_OK {
		return nil, 0, capi.NewFailure(capi.Status(status), C.GoString(&details.message[0]), C.GoString(&details.path[0]))
	}
	defer C.stowage_buffer_free(&buffer)
	return bytes.Clone(unsafe.Slice((*byte)(buffer.data), buffer.size)), int(number), nil
}
