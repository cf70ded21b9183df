package stowage

import (
	"errors"
	"fmt"

	"stowage.dev/go/internal/capi"
)

// The sentinel errors of failed calls, for errors.Is. The error itself is an *Error, for errors.As, with message and path.
var (
	ErrInvalidArgument = errors.New("stowage: invalid argument")
	ErrMalformed       = errors.New("stowage: malformed bytes")
	ErrInvalid         = errors.New("stowage: invalid value")
	ErrUnsupported     = errors.New("stowage: the planner does not honour a feature that the instance uses")
	ErrLimitExceeded   = errors.New("stowage: limit exceeded")
	ErrNotFound        = errors.New("stowage: no planner or option of that name")
	ErrOutOfMemory     = errors.New("stowage: out of memory")
	ErrInternal        = errors.New("stowage: internal error")
	// ErrCancelled: the library ended a call before it had an answer. Calls with a context return the context's error instead.
	ErrCancelled = errors.New("stowage: cancelled")
	// ErrBusy is returned by a call on a Session from the progress callback of the session's own run.
	ErrBusy = errors.New("stowage: busy")
	// ErrClosed is returned by every call on an Instance, a Session or a Model after its Close.
	ErrClosed = errors.New("stowage: the instance, session or model is closed")
)

var sentinels = map[capi.Status]error{
	capi.InvalidArgument: ErrInvalidArgument,
	capi.Malformed:       ErrMalformed,
	capi.Invalid:         ErrInvalid,
	capi.Unsupported:     ErrUnsupported,
	capi.LimitExceeded:   ErrLimitExceeded,
	capi.NotFound:        ErrNotFound,
	capi.OutOfMemory:     ErrOutOfMemory,
	capi.Internal:        ErrInternal,
	capi.Cancelled:       ErrCancelled,
	capi.Busy:            ErrBusy,
}

// Error is the failure of a call of the library.
type Error struct {
	// Status is the name of the status in stowage.h, such as "STOWAGE_INVALID".
	Status string
	// Message is one English sentence.
	Message string
	// Path is the field at fault, such as "apps.demand[51]", or "".
	Path     string
	sentinel error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "stowage: " + e.Message
	}
	return fmt.Sprintf("stowage: %s: %s", e.Path, e.Message)
}

// Unwrap returns one of the sentinel errors; ErrInternal for a status that this package does not know.
func (e *Error) Unwrap() error { return e.sentinel }

func errorOf(failure *capi.Failure) error {
	if failure == nil {
		return nil
	}
	sentinel, known := sentinels[failure.Status]
	if !known {
		sentinel = ErrInternal
	}
	return &Error{capi.StatusText(failure.Status), failure.Message, failure.Path, sentinel}
}
