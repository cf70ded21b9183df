package stowage_test

import (
	"context"
	"os"
	"testing"

	stowage "stowage.dev/go"
)

// BenchmarkPlan plans the instance in $STOWAGE_BENCH_INSTANCE, by ff.
func BenchmarkPlan(b *testing.B) {
	bytes, err := os.ReadFile(os.Getenv("STOWAGE_BENCH_INSTANCE"))
	if err != nil {
		b.Skip("STOWAGE_BENCH_INSTANCE names no instance")
	}
	instance, err := stowage.Load(bytes)
	if err != nil {
		b.Fatal(err)
	}
	defer instance.Close()
	for name, ctx := range map[string]context.Context{"background": context.Background(), "cancellable": b.Context()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := instance.Plan(ctx, stowage.Request{Planner: "ff"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
