package stowage_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"
)

// Every function returns soon after its context ends. A function that is done earlier than that proves nothing, and is logged.
func TestEveryFunctionIsCancelled(t *testing.T) {
	of := thingsOf(t, workload(3000, 30), 60)
	for _, name := range slices.Sorted(maps.Keys(functions)) {
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
		err := inTime(t, name, func() error { _, err := functions[name](ctx, of); return err })
		end := time.Now()
		if timer.Stop() {
			t.Logf("%s: done in %v", name, end.Sub(start))
		} else {
			late := end.Sub(<-cancelled)
			t.Logf("%s: returns %v after the context: %v", name, late, err)
			// Also where other processes keep the processors busy.
			if late > 2*time.Second {
				t.Errorf("%s: %v", name, late)
			}
		}
		cancel()
	}
}

// A call that is cancelled early takes less than half of its time: of ten tries the shortest, since other processes may be busy.
func TestWhatIsCancelledEndsBeforeItIsDone(t *testing.T) {
	of := thingsOf(t, workload(3000, 30), 60)
	for _, name := range []string{
		"stowage_bound_watched", "stowage_explain", "stowage_headroom_of_apps_watched", "stowage_losses", "stowage_session_open_watched",
	} {
		shortest := func(tries int, after time.Duration) time.Duration {
			least := hung
			for range tries {
				ctx, cancel := context.WithCancel(t.Context())
				timer := time.AfterFunc(after, cancel)
				start := time.Now()
				_, _ = functions[name](ctx, of)
				least = min(least, time.Since(start))
				timer.Stop()
				cancel()
			}
			return least
		}
		whole := shortest(2, hung)
		if cut := shortest(10, whole/10); cut > whole/2 {
			t.Errorf("%s: %v of %v", name, cut, whole)
		}
	}
}
