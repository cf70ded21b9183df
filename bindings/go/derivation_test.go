package stowage_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	stowage "stowage.dev/go"
)

func derive(t testing.TB, from *stowage.Instance, derivation stowage.Derivation) *stowage.Instance {
	t.Helper()
	derived, err := from.Derive(derivation)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = derived.Close() })
	return derived
}

// Six web and two db, with 8 GiB to a node: two web to a node, or one db.
func TestDerivedInstancesAreThoseOfTheirBytes(t *testing.T) {
	instance := build(t, small())
	derived := derive(t, instance, stowage.Derivation{
		Replicas:  stowage.Times(2),
		Resources: []stowage.ResourceFactors{{Name: "memory", Capacity: stowage.Times(0.5)}},
	})
	plan, err := derived.Plan(context.Background(), stowage.Request{Planner: "ff"})
	if err != nil || plan.NodesInUse() != 5 || plan.Instance == instance.Fingerprint() {
		t.Fatalf("%+v, %v", plan, err)
	}
	bytes, err := derived.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := stowage.Load(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = loaded.Close() })
	again, err := loaded.Plan(context.Background(), stowage.Request{Planner: "ff"})
	if err != nil || !reflect.DeepEqual(again, plan) {
		t.Errorf("%+v, %v", again, err)
	}
	if report, err := loaded.Verify(plan.Bytes); err != nil || !report.OK {
		t.Errorf("%+v, %v", report, err)
	}
	if same := derive(t, instance, stowage.Derivation{}); same.Fingerprint() != instance.Fingerprint() {
		t.Error("nothing changes, and the fingerprint does")
	}
}

func TestEveryChangeOfADerivation(t *testing.T) {
	instance := build(t, small())
	replicas, count, price := uint32(5), uint32(7), 2.5
	derived := derive(t, instance, stowage.Derivation{
		Name: "grown", Demand: stowage.Times(2), Load: stowage.Times(3), Limits: stowage.Times(1),
		Resources: []stowage.ResourceFactors{{Resource: 0, Demand: stowage.Times(0.25)}},
		Apps: []stowage.AppChange{
			{Name: "web", Replicas: &replicas, DemandFactor: stowage.Times(3)},
			{App: 1, ReplicaFactor: stowage.Times(2), Demand: []float64{1, 2}},
		},
		Classes: []stowage.ClassChange{{Name: "standard", Count: &count, CapacityFactor: stowage.Times(4), Price: &price}},
	})
	b := stowage.NewBuilder("grown")
	b.Resource("cpu", "cores")
	b.Resource("memory", "GiB")
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{32, 64}, Count: 7, Price: &price})
	web := b.App(stowage.App{Name: "web", Replicas: 5, Demand: []float64{3, 24}})
	db := b.App(stowage.App{Name: "db", Replicas: 2, Demand: []float64{1, 2}})
	b.Limit(web, web, 2)
	b.Limit(db, web, 1)
	if derived.Fingerprint() != build(t, b).Fingerprint() {
		t.Error("not the instance with these numbers")
	}
	other := derive(t, derived, stowage.Derivation{
		Price: stowage.Times(2), Capacity: stowage.Times(0.5), Classes: []stowage.ClassChange{{Class: 0, Capacity: []float64{9, 9}}},
	})
	if bytes, err := other.Bytes(); err != nil || len(bytes) == 0 {
		t.Error(err)
	}
}

func TestDerivedWithinLimits(t *testing.T) {
	bytes, err := build(t, small()).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	// As many replicas as there are.
	instance, err := stowage.LoadWithin(bytes, stowage.Limits{Replicas: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	twice := stowage.Derivation{Replicas: stowage.Times(2)}
	if _, err = instance.Derive(twice); !errors.Is(err, stowage.ErrLimitExceeded) {
		t.Errorf("more replicas than the limit of the instance: %v", err)
	}
	derived, err := instance.DeriveWithin(twice, stowage.Limits{Replicas: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer derived.Close()
	if _, err = derived.DeriveWithin(stowage.Derivation{}, stowage.Limits{Replicas: 7}); !errors.Is(err, stowage.ErrLimitExceeded) {
		t.Errorf("more replicas than the given limit: %v", err)
	}
	// What is derived keeps the limits that it was given.
	if _, err = derived.Derive(twice); !errors.Is(err, stowage.ErrLimitExceeded) {
		t.Errorf("more replicas than the limit of what was derived: %v", err)
	}
}

func TestDerivationsThatAreRefused(t *testing.T) {
	instance := build(t, small())
	for _, one := range []struct {
		derivation stowage.Derivation
		sentinel   error
		path       string
	}{
		{stowage.Derivation{Demand: stowage.Times(-1)}, stowage.ErrInvalid, "demand"},
		{stowage.Derivation{Replicas: stowage.Times(math.NaN())}, stowage.ErrInvalid, "replicas"},
		{stowage.Derivation{Replicas: stowage.Times(1e9)}, stowage.ErrLimitExceeded, "apps.replicas[0]"},
		{stowage.Derivation{Apps: []stowage.AppChange{{Name: "cache"}}}, stowage.ErrNotFound, "by_app[0].name"},
		{stowage.Derivation{Classes: []stowage.ClassChange{{Class: 9}}}, stowage.ErrNotFound, "by_class[0].node_class"},
	} {
		_, err := instance.Derive(one.derivation)
		var failure *stowage.Error
		if !errors.Is(err, one.sentinel) || !errors.As(err, &failure) || failure.Path != one.path {
			t.Errorf("%+v: %v", one.derivation, err)
		}
	}
	_ = instance.Close()
	if _, err := instance.Derive(stowage.Derivation{}); !errors.Is(err, stowage.ErrClosed) {
		t.Error(err)
	}
	if _, err := instance.Bytes(); !errors.Is(err, stowage.ErrClosed) {
		t.Error(err)
	}
}
