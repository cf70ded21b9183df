package stowage

import (
	"context"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
)

// Times is a factor of a [Derivation]; the factor nil leaves a number as it is. Factors multiply each other: those for all, of a
// resource, and of an app or a class. A number that is given outright stands as it is.
func Times(factor float64) *float64 { return &factor }

// unnamed is the index of what has no name; a name stands in its place.
func unnamed(name string, index uint32) uint32 {
	if name != "" {
		return NoIndex
	}
	return index
}

func (d *Derivation) bytes() []byte {
	e := &encoder{Builder: flatbuffers.NewBuilder(256)}
	return e.finish(writeDerivation(e, d), "STOD")
}

// Derive makes another instance, which differs from this one as the derivation says, without reading bytes again. It has the
// limits of this one and is independent of it.
//
// Fails with ErrInvalid, ErrNotFound, ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (i *Instance) Derive(derivation Derivation) (*Instance, error) {
	return i.DeriveContext(context.Background(), derivation, nil)
}

// DeriveWithin is Derive with the caller's limits instead of those of this instance; it refuses a larger one.
func (i *Instance) DeriveWithin(derivation Derivation, limits Limits) (*Instance, error) {
	return i.DeriveContext(context.Background(), derivation, &limits)
}

// DeriveContext is DeriveWithin with a context; nil stands for the limits of this instance. When ctx ends first, it fails with an
// error that wraps the context's.
func (i *Instance) DeriveContext(ctx context.Context, derivation Derivation, limits *Limits) (derived *Instance, err error) {
	bytes := derivation.bytes()
	var within *capi.Limits
	if limits != nil {
		within = limits.raw()
	}
	err = i.shared.use(func(handle *capi.Instance) error {
		return whole(ctx, func(control *capi.Control) error {
			made, failure := capi.Derive(handle, bytes, within, control)
			derived = instanceOf(made, i.shared.weight)
			return errorOf(failure)
		})
	})
	return derived, err
}

// Bytes of an instance that was derived or that a session returned (instance.fbs, .stow): they load as an instance with the same
// fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the bytes that were loaded are
// the only ones: it is refused.
//
// Fails with ErrInvalid, ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (i *Instance) Bytes() ([]byte, error) { return i.BytesContext(context.Background()) }

// BytesContext is Bytes with a context. When ctx ends first, it fails with an error that wraps the context's.
func (i *Instance) BytesContext(ctx context.Context) ([]byte, error) {
	return ask(ctx, i.shared, whole, same, capi.Save)
}
