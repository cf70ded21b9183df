package stowage

import (
	"context"
	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/wire"
)

// Times is a factor of a [Derivation].
func Times(factor float64) *float64 { return &factor }

// Derivation says how an instance differs from another one. What is not given stays: the factor nil leaves a number as it is, and
// [Times] makes others. Factors multiply each other: those for all, of a resource, and of an app or a class. A number that is given
// outright stands as it is.
type Derivation struct {
	Name     string   // of the instance that results; "" = the name stays
	Demand   *float64 // uncertain demand scales as a whole
	Replicas *float64 // rounded up
	Capacity *float64 // daemon load stays
	Load     *float64 // of listed nodes
	Price    *float64
	// Limits is the share of the affinity limits between different apps that stays, at most 1.
	Limits    *float64
	Resources []ResourceFactors
	Apps      []AppChange
	Classes   []ClassChange
}

// ResourceFactors multiply what concerns one resource.
type ResourceFactors struct {
	// The resource, by its name or, where that is "", by its index.
	Name     string
	Resource uint32
	Demand   *float64
	Capacity *float64
	Load     *float64
}

// AppChange is what changes of one app.
type AppChange struct {
	// The app, by its name or, where that is "", by its index.
	Name string
	App  uint32
	// Replicas are the number of replicas; nil = not given.
	Replicas      *uint32
	ReplicaFactor *float64
	// Demand of one replica; nil = not given. Length: resources, or resources x periods.
	Demand       []float64
	DemandFactor *float64
}

// ClassChange is what changes of one node class.
type ClassChange struct {
	// The class, by its name or, where that is "", by its index.
	Name  string
	Class uint32
	// Count is the number of nodes of the class, 0 = as many as needed; nil = as it is.
	Count *uint32
	// Capacity per resource; nil = not given.
	Capacity       []float64
	CapacityFactor *float64
	Price          *float64 // nil = not given
}

func factorOr(factor *float64, value float64) float64 {
	if factor == nil {
		return value
	}
	return *factor
}

func numberOr(number *uint32) uint32 {
	if number == nil {
		return NoIndex
	}
	return *number
}

func (d *Derivation) bytes() []byte {
	b := flatbuffers.NewBuilder(256)
	text := func(value string) flatbuffers.UOffsetT {
		if value == "" {
			return 0
		}
		return b.CreateString(value)
	}
	doubles := func(values []float64, start func(*flatbuffers.Builder, int) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		if values == nil {
			return 0
		}
		start(b, len(values))
		for k := len(values) - 1; k >= 0; k-- {
			b.PrependFloat64(values[k])
		}
		return b.EndVector(len(values))
	}
	tables := func(
		offsets []flatbuffers.UOffsetT, start func(*flatbuffers.Builder, int) flatbuffers.UOffsetT,
	) flatbuffers.UOffsetT {
		start(b, len(offsets))
		for k := len(offsets) - 1; k >= 0; k-- {
			b.PrependUOffsetT(offsets[k])
		}
		return b.EndVector(len(offsets))
	}
	index := func(name string, given uint32) uint32 {
		if name != "" {
			return NoIndex
		}
		return given
	}

	var resources, apps, classes []flatbuffers.UOffsetT
	for _, one := range d.Resources {
		name := text(one.Name)
		wire.ResourceFactorsStart(b)
		wire.ResourceFactorsAddName(b, name)
		wire.ResourceFactorsAddResource(b, index(one.Name, one.Resource))
		wire.ResourceFactorsAddDemand(b, factorOr(one.Demand, 1))
		wire.ResourceFactorsAddCapacity(b, factorOr(one.Capacity, 1))
		wire.ResourceFactorsAddLoad(b, factorOr(one.Load, 1))
		resources = append(resources, wire.ResourceFactorsEnd(b))
	}
	for _, one := range d.Apps {
		name, demand := text(one.Name), doubles(one.Demand, wire.AppChangeStartDemandVector)
		wire.AppChangeStart(b)
		wire.AppChangeAddName(b, name)
		wire.AppChangeAddApp(b, index(one.Name, one.App))
		wire.AppChangeAddReplicas(b, numberOr(one.Replicas))
		wire.AppChangeAddReplicaFactor(b, factorOr(one.ReplicaFactor, 1))
		wire.AppChangeAddDemand(b, demand)
		wire.AppChangeAddDemandFactor(b, factorOr(one.DemandFactor, 1))
		apps = append(apps, wire.AppChangeEnd(b))
	}
	for _, one := range d.Classes {
		name, capacity := text(one.Name), doubles(one.Capacity, wire.ClassChangeStartCapacityVector)
		wire.ClassChangeStart(b)
		wire.ClassChangeAddName(b, name)
		wire.ClassChangeAddNodeClass(b, index(one.Name, one.Class))
		wire.ClassChangeAddCount(b, numberOr(one.Count))
		wire.ClassChangeAddCapacity(b, capacity)
		wire.ClassChangeAddCapacityFactor(b, factorOr(one.CapacityFactor, 1))
		wire.ClassChangeAddPrice(b, factorOr(one.Price, -1))
		classes = append(classes, wire.ClassChangeEnd(b))
	}
	name := text(d.Name)
	byResource := tables(resources, wire.DerivationStartByResourceVector)
	byApp := tables(apps, wire.DerivationStartByAppVector)
	byClass := tables(classes, wire.DerivationStartByClassVector)
	wire.DerivationStart(b)
	wire.DerivationAddName(b, name)
	wire.DerivationAddDemand(b, factorOr(d.Demand, 1))
	wire.DerivationAddReplicas(b, factorOr(d.Replicas, 1))
	wire.DerivationAddCapacity(b, factorOr(d.Capacity, 1))
	wire.DerivationAddLoad(b, factorOr(d.Load, 1))
	wire.DerivationAddPrice(b, factorOr(d.Price, 1))
	wire.DerivationAddLimits(b, factorOr(d.Limits, 1))
	wire.DerivationAddByResource(b, byResource)
	wire.DerivationAddByApp(b, byApp)
	wire.DerivationAddByClass(b, byClass)
	b.FinishWithFileIdentifier(wire.DerivationEnd(b), []byte("STOD"))
	return b.FinishedBytes()
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
