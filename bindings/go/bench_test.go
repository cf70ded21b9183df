package stowage

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"stowage.dev/go/internal/capi"
)

// BenchmarkPlan plans the instance in $STOWAGE_BENCH_INSTANCE by ff, alternating between the C function and Instance.Plan, so
// that other load on the machine affects both. It reports the median of each and of the differences.
func BenchmarkPlan(b *testing.B) {
	bytes, err := os.ReadFile(os.Getenv("STOWAGE_BENCH_INSTANCE"))
	if err != nil {
		b.Skip("STOWAGE_BENCH_INSTANCE names no instance")
	}
	instance, err := Load(bytes)
	if err != nil {
		b.Fatal(err)
	}
	defer instance.Close()

	request := Request{Planner: "ff"}
	encoded := request.bytes()
	bare := func() {
		plan, failure := capi.Plan(instance.shared.handle, encoded, nil)
		if failure != nil {
			b.Fatal(failure.Message)
		}
		capi.FreeBuffer(&plan)
	}
	for name, ctx := range map[string]context.Context{"background": context.Background(), "cancellable": b.Context()} {
		whole := func() {
			if _, err := instance.Plan(ctx, request); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name, func(b *testing.B) {
			var alone, called, above []float64
			for b.Loop() {
				first, second := microseconds(bare), microseconds(whole)
				alone, called, above = append(alone, first), append(called, second), append(above, second-first)
			}
			b.ReportMetric(median(alone), "us/bare")
			b.ReportMetric(median(called), "us/plan")
			b.ReportMetric(median(above), "us/above")
		})
	}
}

func microseconds(call func()) float64 {
	start := time.Now()
	call()
	return time.Since(start).Seconds() * 1e6
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
