package stowage_test

import (
	"testing"

	stowage "stowage.dev/go"
)

// FuzzReadPlan: bytes that are no plan give an error, never a panic; whatever is read as a plan can be verified.
func FuzzReadPlan(f *testing.F) {
	instance, err := small().Build()
	if err != nil {
		f.Fatal(err)
	}
	plan, err := instance.Plan(f.Context(), stowage.Request{Planner: "ff", NodeLimit: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plan.Bytes)
	f.Add(plan.Bytes[:len(plan.Bytes)-8])
	f.Add([]byte("\x08\x00\x00\x00STOP\xff\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		plan, err := stowage.ReadPlan(bytes)
		if err == nil {
			_, _ = instance.Verify(plan.Bytes)
		}
	})
}

// FuzzBuilder: for any numbers, an instance loads or is refused with a path, and its plans pass the checker.
func FuzzBuilder(f *testing.F) {
	f.Add(3, 2.0, 4.0, 8.0, 2, uint8(3))
	f.Add(-1, -2.0, 1e300, 0.0, 9, uint8(255))
	f.Fuzz(func(t *testing.T, replicas int, cpu, memory, capacity float64, limited int, limit uint8) {
		b := stowage.NewBuilder("fuzz")
		b.Resource("cpu", "cores")
		b.Resource("memory", "GiB")
		b.Class(stowage.Class{Capacity: []float64{capacity, 16}})
		app := b.App(stowage.App{Replicas: uint32(replicas) % 1000, Demand: []float64{cpu, memory}})
		b.Limit(app, limited, uint32(limit))
		instance, err := b.Build()
		if err != nil {
			return
		}
		defer instance.Close()
		plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", NodeLimit: 50})
		if err != nil {
			t.Fatal(err)
		}
		if report, err := instance.Verify(plan.Bytes); err != nil || !report.OK {
			t.Fatalf("%+v, %v", report, err)
		}
	})
}
