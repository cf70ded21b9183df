package stowage_test

import (
	"context"
	"errors"
	"testing"

	stowage "stowage.dev/go"
)

// An interval: what is submitted waits, is planned, conflicts with what happened meanwhile, and is planned again.
func TestSession(t *testing.T) {
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
	defer session.Close()
	err = session.Apply(
		stowage.Operation{Kind: stowage.OpAddNode, Node: "a", Tags: []string{"ssd"}},
		stowage.Operation{
			Kind: stowage.OpSubmit, App: "web", Replicas: 3, Demand: []float64{4},
			Limits: []stowage.LimitOn{{App: "web", AtMost: 1}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.Plan(context.Background(), stowage.Request{Planner: "ff"})
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
	snapshot, err := session.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again, err := stowage.OpenSession(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Version() != session.Version() || again.Version() != 4 {
		t.Fatal(again.Version(), session.Version())
	}
	var details *stowage.Error
	err = again.Apply(stowage.Operation{Kind: stowage.OpRemove, App: "nobody"})
	if !errors.Is(err, stowage.ErrNotFound) || !errors.As(err, &details) || details.Path != "operations[0].app" {
		t.Fatal(err)
	}
	session.Close()
	if err := session.Apply(); !errors.Is(err, stowage.ErrClosed) {
		t.Fatal(err)
	}
}
