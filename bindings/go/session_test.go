package stowage_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	stowage "stowage.dev/go"
)

var web = stowage.Operation{
	Kind: stowage.OpSubmit, App: "web", Replicas: 3, Demand: []float64{4}, Limits: []stowage.LimitOn{{App: "web", AtMost: 1}},
}

// started is a session with one node and three pending replicas.
func started(t testing.TB) *stowage.Session {
	t.Helper()
	builder := stowage.NewBuilder("session")
	builder.Resource("cpu", "cores")
	builder.Class(stowage.Class{Name: "standard", Capacity: []float64{8}})
	bytes, err := builder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	session, err := stowage.OpenSession(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if err := session.Apply(stowage.Operation{Kind: stowage.OpAddNode, Node: "a", Tags: []string{"ssd"}}, web); err != nil {
		t.Fatal(err)
	}
	return session
}

// committed is a session in which these replicas run.
func committed(t testing.TB) *stowage.Session {
	t.Helper()
	session := started(t)
	plan, err := session.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Commit(plan, stowage.CommitExact); err != nil {
		t.Fatal(err)
	}
	return session
}

func snapshotOf(t testing.TB, session *stowage.Session) []byte {
	t.Helper()
	snapshot, err := session.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// An interval: replicas are submitted and planned, the plan conflicts with later operations, and the replicas are planned
// again.
func TestSession(t *testing.T) {
	session := started(t)
	plan, err := session.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil {
		t.Fatal(err)
	}
	if err = session.Apply(stowage.Operation{Kind: stowage.OpLoad, Node: "a", Load: []float64{6}}); err != nil {
		t.Fatal(err)
	}
	commit, err := session.Commit(plan, stowage.CommitFitting)
	if err != nil {
		t.Fatal(err)
	}
	if commit.Committed || len(commit.Conflicts) != 1 || commit.Conflicts[0].Kind != "no-room" || commit.Conflicts[0].Node != "a" {
		t.Fatalf("%+v", commit)
	}
	if err = session.Reject(plan); err != nil {
		t.Fatal(err)
	}
	if plan, err = session.Plan(context.Background(), stowage.Request{Planner: "ff"}); err != nil {
		t.Fatal(err)
	}
	instance, err := session.Instance()
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	if verification, err := instance.Verify(plan.Bytes); err != nil || !verification.OK {
		t.Fatal(verification, err)
	}
	if commit, err = session.Commit(plan, stowage.CommitExact); err != nil {
		t.Fatal(err)
	}
	if !commit.Committed || commit.Placed != 3 || len(commit.Opened) != 3 || commit.Opened[0] != "standard-1" {
		t.Fatalf("%+v", commit)
	}
	session.Close()
	if err := session.Apply(); !errors.Is(err, stowage.ErrClosed) {
		t.Fatal(err)
	}
}

func TestASnapshotGoesOnAsTheSessionWouldHave(t *testing.T) {
	session := committed(t)
	snapshot := snapshotOf(t, session)
	again, err := stowage.OpenSession(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Version() != session.Version() || !bytes.Equal(snapshotOf(t, again), snapshot) {
		t.Error("the snapshot of a snapshot is another")
	}
	for _, one := range []*stowage.Session{session, again} {
		err := one.Apply(
			stowage.Operation{Kind: stowage.OpDrain, Node: "standard-1"}, stowage.Operation{Kind: stowage.OpScale, App: "web", Replicas: 5},
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(snapshotOf(t, again), snapshotOf(t, session)) {
		t.Error("they went different ways")
	}
}

func TestFailuresLeaveTheSessionAsItWas(t *testing.T) {
	session := started(t)
	before := snapshotOf(t, session)
	shop, err := stowage.OpenSession(instanceBytes(t, "shop"))
	if err != nil {
		t.Fatal(err)
	}
	defer shop.Close()
	elsewhere, err := shop.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil {
		t.Fatal(err)
	}
	remove := stowage.Operation{Kind: stowage.OpRemove, App: "nobody"}
	for _, one := range []struct {
		call func() error
		want error
		path string
	}{
		// The first operation alone would be accepted; the second is refused.
		{func() error {
			return session.Apply(stowage.Operation{Kind: stowage.OpScale, App: "web", Replicas: 9}, remove)
		}, stowage.ErrNotFound, "operations[1].app"},
		{func() error { return session.Apply(web) }, stowage.ErrInvalid, "operations[0].app"},
		{func() error { return session.Apply(stowage.Operation{App: "web", Replicas: 9}) }, stowage.ErrInvalid, "operations[0].kind"},
		{func() error { return session.ApplyBytes([]byte("no operations")) }, stowage.ErrMalformed, ""},
		{func() error { _, err := session.Plan(t.Context(), stowage.Request{Planner: "best"}); return err }, stowage.ErrNotFound, "planner"},
		{func() error { _, err := session.Commit(elsewhere, stowage.CommitWhole); return err }, stowage.ErrInvalid, "instance"},
		{func() error { return session.Reject(elsewhere) }, stowage.ErrInvalid, "instance"},
	} {
		var details *stowage.Error
		if err := one.call(); !errors.Is(err, one.want) || !errors.As(err, &details) || details.Path != one.path {
			t.Errorf("%v, path %q: %#v", one.want, one.path, err)
		}
	}
	if session.Version() != 2 || !bytes.Equal(snapshotOf(t, session), before) {
		t.Error("the session has changed")
	}
}

func TestACancelledRunOfASession(t *testing.T) {
	cluster, err := workload(200, 60).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	session, err := stowage.OpenSession(cluster)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	before := snapshotOf(t, session)
	var latencies []time.Duration
	var plan *stowage.Plan
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		var cancelledAt time.Time
		var canceller sync.WaitGroup
		canceller.Add(1)
		go func() {
			defer canceller.Done()
			time.Sleep(100 * time.Millisecond)
			cancelledAt = time.Now()
			cancel()
		}()
		plan, err = session.Plan(ctx, stowage.Request{Planner: "auto", Deadline: time.Minute})
		end := time.Now()
		canceller.Wait()
		latencies = append(latencies, end.Sub(cancelledAt))
		if !errors.Is(err, context.Canceled) || plan == nil || plan.Status != stowage.Cancelled {
			t.Fatalf("%s, %v", statusOf(plan), err)
		}
	}
	slices.Sort(latencies)
	t.Logf("latencies %v", latencies)
	if latencies[2] > 60*time.Millisecond {
		t.Errorf("the median of %v is above 60 ms", latencies)
	}
	if !bytes.Equal(snapshotOf(t, session), before) {
		t.Error("the session has changed")
	}
	if commit, err := session.Commit(plan, stowage.CommitExact); err != nil || !commit.Committed {
		t.Errorf("%+v, %v", commit, err)
	}
}

func TestGoroutinesTakeTurns(t *testing.T) {
	session := started(t)
	var group sync.WaitGroup
	for k := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := range 25 {
				name := string(rune('a'+k)) + string(rune('a'+j))
				if err := session.Apply(stowage.Operation{Kind: stowage.OpSubmit, App: name, Replicas: 1, Demand: []float64{1}}); err != nil {
					t.Error(err)
				}
				if _, err := session.Plan(t.Context(), stowage.Request{Planner: "ff"}); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	if session.Version() != 102 {
		t.Error(session.Version())
	}
}
