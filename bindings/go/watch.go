package stowage

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"stowage.dev/go/internal/capi"
)

// watched makes a call under a control, which the context cancels and whose time it limits. It tells whether the context ended
// before the call did. The control is nil where the context never ends.
func watched(ctx context.Context, call func(*capi.Control) error) (ended bool, err error) {
	if ctx.Err() != nil {
		return true, interrupted(ctx)
	}
	if ctx.Done() == nil {
		return false, call(nil)
	}
	control, failure := capi.NewControl()
	if failure != nil {
		return false, errorOf(failure)
	}
	defer capi.FreeControl(control)
	return cancellable(ctx, control, call)
}

// grace is how long after its context a call ends by the clock of the library.
const grace = 20 * time.Millisecond

// cancellable returns after the last use of the control.
func cancellable(ctx context.Context, control *capi.Control, call func(*capi.Control) error) (ended bool, err error) {
	deadline, limited := ctx.Deadline()
	if limited {
		// The library looks at its own clock, also while goroutines wait for a processor. Where they do not wait, the context
		// ends the call, and no run ends before the context does.
		capi.SetDeadline(control, max(milliseconds(time.Until(deadline)+grace), 1))
	}
	cancelled := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		capi.Cancel(control)
		close(cancelled)
	})
	err = call(control)
	if limited && !time.Now().Before(deadline) {
		<-ctx.Done() // its timer is about to fire
	}
	if !stop() {
		<-cancelled
	}
	ended = ctx.Err() != nil
	if ended && errors.Is(err, ErrCancelled) {
		err = interrupted(ctx)
	}
	return ended, err
}

func interrupted(ctx context.Context) error { return fmt.Errorf("stowage: %w", context.Cause(ctx)) }

// whole makes a call that has an answer or none. What it has done stands, although the context ended meanwhile.
func whole(ctx context.Context, call func(*capi.Control) error) error {
	_, err := watched(ctx, call)
	return err
}

// partly makes a call that answers in part where the context ends it, beside an error that wraps the context's.
func partly(ctx context.Context, call func(*capi.Control) error) error {
	ended, err := watched(ctx, call)
	if ended && err == nil {
		return interrupted(ctx)
	}
	return err
}

// reported is partly for a run whose progress is reported at the interval, on the calling goroutine. Where report panics, the run
// is cancelled.
func reported(ctx context.Context, interval time.Duration, report func(Progress), call func(*capi.Control) error) error {
	if interval <= 0 {
		panic("stowage: the interval must be positive")
	}
	if report == nil {
		return partly(ctx, call)
	}
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	control, failure := capi.NewControl()
	if failure != nil {
		return errorOf(failure)
	}
	var ended bool
	var err error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		ended, err = cancellable(ctx, control, call)
	}()
	defer func() {
		capi.Cancel(control)
		<-finished
		capi.FreeControl(control)
	}()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			if ended && err == nil {
				return interrupted(ctx)
			}
			return err
		case <-ticker.C:
			if progress, status := capi.ReadProgress(control); status == capi.OK {
				report(progressOf(progress))
			}
		}
	}
}

// maker makes a call, as whole and partly do.
type maker func(ctx context.Context, call func(*capi.Control) error) error

// asking is the call of a function that answers with a buffer, which decode reads.
func asking[Answer any](
	answer *Answer, decode func([]byte) Answer, function func(*capi.Control) (capi.Buffer, *capi.Failure),
) func(*capi.Control) error {
	return func(control *capi.Control) error {
		buffer, failure := function(control)
		if failure == nil {
			*answer = decode(take(&buffer))
		}
		return errorOf(failure)
	}
}

// ask calls a function of an object that answers with a buffer, which decode reads.
func ask[Handle, Answer any](
	ctx context.Context, of *shared[Handle], by maker, decode func([]byte) Answer,
	function func(Handle, *capi.Control) (capi.Buffer, *capi.Failure),
) (answer Answer, err error) {
	err = of.use(func(handle Handle) error {
		return by(ctx, asking(&answer, decode, func(control *capi.Control) (capi.Buffer, *capi.Failure) { return function(handle, control) }))
	})
	return answer, err
}

// take copies a buffer of the library and frees it.
func take(buffer *capi.Buffer) []byte {
	defer capi.FreeBuffer(buffer)
	return append([]byte(nil), capi.Bytes(buffer)...)
}

func same(bytes []byte) []byte { return bytes }

// goroutine is the number of the calling goroutine, which the runtime writes at the head of each stack trace.
func goroutine() uint64 {
	var text [32]byte
	head := string(text[:runtime.Stack(text[:], false)])
	number, _, _ := strings.Cut(strings.TrimPrefix(head, "goroutine "), " ")
	value, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		panic("stowage: a stack trace without the number of the goroutine")
	}
	return value
}

// Kind is what a buffer holds.
type Kind uint32

// The kinds of buffers, by their schemas.
const (
	KindInstance   = Kind(capi.KindInstance) // also a snapshot of a session
	KindRequest    = Kind(capi.KindRequest)
	KindPlan       = Kind(capi.KindPlan)
	KindReport     = Kind(capi.KindReport)
	KindCatalogue  = Kind(capi.KindCatalogue)
	KindOperations = Kind(capi.KindOperations)
	KindLearning   = Kind(capi.KindLearning)
	KindDerivation = Kind(capi.KindDerivation)
)

// Check says whether bytes from elsewhere may be read with package wire: they are a well-formed buffer of the kind, columns that
// belong together have one length, text is UTF-8, and what is read is in proportion to the size of the bytes. The functions of this
// package that take bytes do it by themselves. Fails with ErrMalformed, ErrInvalid, ErrLimitExceeded or ErrOutOfMemory.
func Check(kind Kind, bytes []byte) error {
	return CheckContext(context.Background(), kind, bytes, Limits{})
}

// CheckContext is Check with the caller's limits. When ctx ends first, it fails with an error that wraps the context's.
func CheckContext(ctx context.Context, kind Kind, bytes []byte, limits Limits) error {
	return whole(ctx, func(control *capi.Control) error {
		return errorOf(capi.Check(uint32(kind), bytes, limits.raw(), control))
	})
}
