package main

import (
	"slices"
	"strings"
	"testing"
)

// testdata/gpus.json is worked out in testdata/README.md.
func TestClusterWithGPUs(t *testing.T) {
	result, err := ask(t.Context(), load(t, "testdata/gpus.json"), options{planner: "auto", work: 500000, moves: 100})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Unplaced) != 0 || len(result.LeftOut) != 0 || len(result.Notes) != 0 {
		t.Errorf("%+v, %q, %q", result.Unplaced, result.LeftOut, result.Notes)
	}
	if !slices.Equal(result.Emptied, []string{"w1"}) || result.Moves != 1 || len(result.Idle) != 0 {
		t.Errorf("emptied %q by %d moves, idle %q", result.Emptied, result.Moves, result.Idle)
	}
	contains(t, result.Held, "g1: deployment shop/train (the budget shop/train allows no disruption)", "g2: deployment shop/train")
	nodes := 0
	for _, one := range result.Afresh {
		nodes += one.Nodes
	}
	if nodes != 4 || result.Bound != 4 {
		t.Errorf("afresh %v, at least %g", result.Afresh, result.Bound)
	}

	more := answered[whatIfAnswer](t, exitUnplaced, "whatif", "--replicas", "shop/train=4", "testdata/gpus.json")
	if len(more.Unplaced) != 1 || more.Unplaced[0].Replicas != 1 || len(more.Add) != 1 || more.Add[0].Nodes != 1 || !strings.HasPrefix(more.Add[0].Class, "g5.12xlarge") {
		t.Errorf("%+v, %v", more.Unplaced, more.Add)
	}

	drained := answered[drainAnswer](t, exitFits, "drain", "w2", "-f", "testdata/gpus.json")
	moved := uint32(0)
	for _, one := range drained.Moves {
		if moved += one.Replicas; one.From != "w2" || strings.Contains(one.Workload, "db-0") && one.To != "w1" {
			t.Errorf("%+v", one)
		}
	}
	if moved != 3 {
		t.Errorf("%+v", drained.Moves)
	}
	contains(t, drained.Rounds, "budget shop/api lets 1 of its pods go at once: 2 moves in 2 rounds")
	drained = answered[drainAnswer](t, exitUnplaced, "drain", "w3", "-f", "testdata/gpus.json")
	if len(drained.Unplaced) != 1 || drained.Unplaced[0].Workload != "statefulset shop/db (db-1)" {
		t.Errorf("%+v", drained.Unplaced)
	}

	down := answered[whatIfAnswer](t, exitUnplaced, "whatif", "--zone-down", "eu-1b", "testdata/gpus.json")
	if down.Evicted != 3 || down.Before != 0 || len(down.Unplaced) != 2 || down.Unplaced[0].Workload != "deployment shop/train" ||
		down.Unplaced[0].Replicas != 2 || down.Unplaced[1].Workload != "statefulset shop/db (db-1)" {
		t.Errorf("%+v", down)
	}
	if len(down.Moves) != 1 || down.Moves[0].Workload != "deployment shop/api" || !strings.Contains(down.Short, "2 of nvidia.com/gpu in all") {
		t.Errorf("%+v, %q", down.Moves, down.Short)
	}
}
