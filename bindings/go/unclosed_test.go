package stowage_test

import (
	"testing"

	stowage "stowage.dev/go"
	"stowage.dev/go/internal/heap"
)

// Nobody closes a thousand instances, each of which takes more than a megabyte. Go's own heap stays small, so that its collector sees
// no reason to run by itself.
func TestAThousandThatNobodyClosed(t *testing.T) {
	builder := stowage.NewBuilder("large")
	builder.Resource("cpu", "cores")
	builder.Class(stowage.Class{Name: "standard", Capacity: []float64{8}})
	for k := range 15_000 {
		builder.App(stowage.App{Replicas: 1, Demand: []float64{1}, Tags: []string{string(rune('a' + k%20))}})
		builder.Limit(k, k, 1)
		builder.Limit(k, (k+1)%15_000, 3)
	}
	bytes, err := builder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	instance := build(t, builder)
	model := thingsOf(t, small(), 200).model
	for name, kind := range map[string]struct {
		count int
		make  func() error
	}{
		"instances loaded":  {1000, func() error { _, err := stowage.Load(bytes); return err }},
		"instances derived": {1000, func() error { _, err := instance.Derive(stowage.Derivation{Name: "other"}); return err }},
		"sessions":          {60, func() error { _, err := stowage.OpenSession(bytes); return err }},
		"models":            {1000, func() error { _, err := stowage.LoadModel(model); return err }},
	} {
		before, most := heap.InUse(), uint64(0)
		one := uint64(0)
		for k := range kind.count {
			if err := kind.make(); err != nil {
				t.Fatal(err)
			}
			if k%10 != 0 { // the counter walks over what is free
				continue
			}
			most = max(most, heap.InUse())
			if k == 0 {
				one = max(most, before) - before
			}
		}
		t.Logf("%s: %d bytes each, of %d; at most %d MB at once", name, one, len(bytes), (max(most, before)-before)>>20)
		if most > before+500<<20 {
			t.Errorf("%s: %d MB", name, (most-before)>>20)
		}
	}
}
