package stowage_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

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
			var times []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := instance.Plan(ctx, stowage.Request{Planner: "ff"}); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1e6, "us/median")
		})
	}
}
