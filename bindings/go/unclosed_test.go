package stowage_test

import (
	"testing"

	stowage "stowage.dev/go"
	"stowage.dev/go/internal/heap"
)

// Nobody closes a thousand instances, each of which takes a megabyte. Go's own heap stays small, so that its collector sees no
// reason to run by itself.
func TestAThousandThatNobodyClosed(t *testing.T) {
	builder := stowage.NewBuilder("large")
	builder.Resource("cpu", "cores")
	builder.Class(stowage.Class{Name: "standard", Capacity: []float64{8}})
	for k := range 12_000 {
		builder.App(stowage.App{Replicas: 1, Demand: []float64{1}, Tags: []string{string(rune('a' + k%20))}})
		builder.Limit(k, k, 1)
		builder.Limit(k, (k+1)%12_000, 3)
	}
	bytes, err := builder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	instance := build(t, builder)
	session, err := stowage.OpenSession(bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for name, make := range map[string]func() error{
		"loaded":           func() error { _, err := stowage.Load(bytes); return err },
		"derived":          func() error { _, err := instance.Derive(stowage.Derivation{Name: "other"}); return err },
		"sessions":         func() error { _, err := stowage.OpenSession(bytes); return err },
		"those of session": func() error { _, err := session.Instance(); return err },
	} {
		before, most := heap.InUse(), uint64(0)
		one := uint64(0)
		for k := range 1000 {
			if err := make(); err != nil {
				t.Fatal(err)
			}
			most = max(most, heap.InUse())
			if k == 0 {
				one = max(heap.InUse(), before) - before
			}
		}
		t.Logf("%s: %d bytes each, of %d; at most %d MB at once", name, one, len(bytes), (max(most, before)-before)>>20)
		if most > before+500<<20 {
			t.Errorf("%s: %d MB", name, (most-before)>>20)
		}
	}
}
