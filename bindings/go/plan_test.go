package stowage_test

import (
	"errors"
	"slices"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	stowage "stowage.dev/go"
	"stowage.dev/go/wire"
)

// planBytes is a plan of class-0 nodes with the given number of entries in each column; nil copies = no such column.
func planBytes(classes, listed int, copies []uint32) []byte {
	b := flatbuffers.NewBuilder(256)
	words := func(values []uint32) flatbuffers.UOffsetT {
		b.StartVector(4, len(values), 4)
		for _, value := range slices.Backward(values) {
			b.PrependUint32(value)
		}
		return b.EndVector(len(values))
	}
	wireClasses := words(make([]uint32, classes))
	wireListed := words(slices.Repeat([]uint32{stowage.NoIndex}, listed))
	wireCopies := flatbuffers.UOffsetT(0)
	if copies != nil {
		wireCopies = words(copies)
	}
	none, planner := words(nil), b.CreateString("mine")
	wire.PlanStart(b)
	wire.PlanAddPlanner(b, planner)
	wire.PlanAddNodeClass(b, wireClasses)
	wire.PlanAddListed(b, wireListed)
	wire.PlanAddPlaced(b, none)
	wire.PlanAddUnplaced(b, none)
	wire.PlanAddCopies(b, wireCopies)
	b.FinishWithFileIdentifier(wire.PlanEnd(b), []byte("STOP"))
	return b.FinishedBytes()
}

func TestColumnsOfNodesHaveOneLength(t *testing.T) {
	plan, err := stowage.ReadPlan(planBytes(2, 2, nil))
	if err != nil || plan.NodesInUse() != 2 || plan.Nodes[1] != (stowage.PlanNode{Listed: stowage.NoIndex, Copies: 1}) {
		t.Errorf("without copies: %+v, %v", plan, err)
	}
	const most = 1<<32 - 1
	plan, err = stowage.ReadPlan(planBytes(2, 2, []uint32{3, most}))
	if err != nil || plan.NodesInUse() != 3+most || plan.Nodes[0].Copies != 3 || plan.Nodes[1].Copies != most {
		t.Errorf("with copies: %+v, %v", plan, err)
	}
	for _, one := range []struct {
		classes, listed int
		copies          []uint32
	}{{2, 1, nil}, {2, 3, nil}, {2, 2, []uint32{}}, {2, 2, []uint32{3}}, {2, 2, []uint32{3, 1, 1}}, {0, 0, []uint32{1}}} {
		if plan, err := stowage.ReadPlan(planBytes(one.classes, one.listed, one.copies)); !errors.Is(err, stowage.ErrMalformed) {
			t.Errorf("%v: %+v, %v", one, plan, err)
		}
	}
}
