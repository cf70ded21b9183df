package stowage_test

import (
	"context"
	"slices"
	"testing"
	"time"
)

// Every function returns soon after its context ends. A function that is done earlier than that proves nothing, and is logged.
func TestEveryFunctionIsCancelled(t *testing.T) {
	of := thingsOf(t, workload(3000, 30), 60)
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "stowage_control_progress" || name == "stowage_control_new" || name == "stowage_control_free" {
			continue
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := make(chan time.Time, 1)
		timer := time.AfterFunc(5*time.Millisecond, func() {
			cancelled <- time.Now()
			cancel()
		})
		start := time.Now()
		err := inTime(t, name, func() error { return functions[name](ctx, of) })
		end := time.Now()
		if timer.Stop() {
			t.Logf("%s: done in %v", name, end.Sub(start))
		} else {
			t.Logf("%s: returns %v after the context: %v", name, end.Sub(<-cancelled), err)
		}
		cancel()
	}
}
