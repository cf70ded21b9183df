package stowage_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	stowage "stowage.dev/go"
	"stowage.dev/go/wire"
)

// planBytes is a plan of class-0 nodes with the given number of entries in each column; nil copies = no such column. It does not
// know which losses of zones it survives.
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
	none, planner, zone := words(nil), b.CreateString("mine"), b.CreateString("zone")
	wire.PlanStart(b)
	wire.PlanAddPlanner(b, planner)
	wire.PlanAddNodeClass(b, wireClasses)
	wire.PlanAddListed(b, wireListed)
	wire.PlanAddPlaced(b, none)
	wire.PlanAddUnplaced(b, none)
	wire.PlanAddCopies(b, wireCopies)
	wire.PlanAddSurvive(b, zone)
	wire.PlanAddNotSurvived(b, math.MaxUint64)
	b.FinishWithFileIdentifier(wire.PlanEnd(b), []byte("STOP"))
	return b.FinishedBytes()
}

func TestColumnsOfNodesHaveOneLength(t *testing.T) {
	plan, err := stowage.ReadPlan(planBytes(2, 2, nil))
	if err != nil || plan.NodesInUse() != 2 || plan.Nodes[1] != (stowage.PlanNode{Listed: stowage.NoIndex, Copies: 1}) {
		t.Errorf("without copies: %+v, %v", plan, err)
	}
	if plan.Survive != "zone" || plan.NotSurvived != nil {
		t.Errorf("what it does not know: %q, %v", plan.Survive, plan.NotSurvived)
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

// apart is three replicas, of which a node holds one.
func apart() *stowage.Builder {
	b := stowage.NewBuilder("apart")
	b.Resource("cpu", "cores")
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{10}, Labels: []string{"rack=r1"}})
	b.App(stowage.App{Name: "web", Replicas: 3, Demand: []float64{6}})
	return b
}

func TestPlansSurviveLossesAsByHand(t *testing.T) {
	instance := build(t, apart())
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", Survive: stowage.EachNode})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Survive != "*" || plan.NotSurvived == nil || *plan.NotSurvived != 0 || plan.Status != stowage.Optimal {
		t.Errorf("%v by %+v", plan.Status, plan)
	}
	// One node more than hold replicas: the loss of any is borne.
	if plan.NodesInUse() != 4 || len(plan.Placements) != 3 || *plan.NodeBound != (stowage.Bound{Name: "survival", Value: 4, Resource: stowage.NoIndex, Period: stowage.NoIndex}) {
		t.Errorf("%d nodes, %v, bound %+v", plan.NodesInUse(), plan.Placements, plan.NodeBound)
	}
	if report, err := instance.Verify(plan.Bytes); err != nil || !report.OK || report.Nodes != 4 {
		t.Errorf("%v: %+v", err, report)
	}
	if again, err := stowage.ReadPlan(plan.Bytes); err != nil || !reflect.DeepEqual(again, plan) {
		t.Errorf("read again: %+v, %v", again, err)
	}
	tight, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", Survive: stowage.EachNode, NodeLimit: 3})
	if err != nil || *tight.NotSurvived != 1 || tight.Status != stowage.Partial || len(tight.Notes) == 0 || tight.Notes[0].Code.String() != "promise" {
		t.Errorf("%v: %+v", err, tight)
	}
	plain, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || plain.Survive != "" || plain.NotSurvived == nil || *plain.NotSurvived != 0 || plain.Reserved != nil || plain.Unreserved != nil {
		t.Errorf("%v: %+v", err, plain)
	}
}

func TestPlansLeaveRacksFreeAsByHand(t *testing.T) {
	instance := build(t, apart())
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", LeaveFree: "rack"})
	if err != nil || plan.LeaveFree != "rack" || plan.DomainsInUse != 1 || plan.DomainBound != 1 || plan.Status != stowage.Optimal {
		t.Errorf("%v: %+v", err, plan)
	}
	plain, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || plain.LeaveFree != "" || plain.DomainsInUse != 0 || plain.DomainBound != 0 {
		t.Errorf("%v: %+v", err, plain)
	}
}

func TestPlansKeepRoomAsByHand(t *testing.T) {
	instance := build(t, apart())
	request := stowage.Request{Planner: "ff", Keep: []stowage.Kept{{App: 0, Replicas: 2}}}
	plan, err := instance.Plan(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	reserved := []stowage.Placement{{App: 0, Node: 3, Replicas: 1}, {App: 0, Node: 4, Replicas: 1}}
	if !slices.Equal(plan.Reserved, reserved) || plan.Unreserved != nil || plan.NodesInUse() != 5 || len(plan.Placements) != 3 {
		t.Errorf("%+v", plan)
	}
	if report, err := instance.Verify(plan.Bytes); err != nil || !report.OK {
		t.Errorf("%v: %+v", err, report)
	}
	request.NodeLimit = 4
	tight, err := instance.Plan(t.Context(), request)
	if err != nil || !slices.Equal(tight.Reserved, reserved[:1]) || !slices.Equal(tight.Unreserved, []stowage.Unplaced{{App: 0, Replicas: 1}}) || tight.Status != stowage.Partial {
		t.Errorf("%v: %+v", err, tight)
	}
}

func TestRefusedPromisesNameTheField(t *testing.T) {
	instance := build(t, apart())
	for path, request := range map[string]stowage.Request{
		"survive":          {Survive: "zone"},
		"leave_free":       {LeaveFree: "zone"},
		"keep[0].app":      {Keep: []stowage.Kept{{App: 7, Replicas: 1}}},
		"keep[1].app":      {Keep: []stowage.Kept{{App: 0, Replicas: 1}, {App: 0, Replicas: 2}}},
		"keep[0].replicas": {Keep: []stowage.Kept{{App: 0}}},
	} {
		request.Planner = "ff"
		var refused *stowage.Error
		if _, err := instance.Plan(t.Context(), request); !errors.As(err, &refused) || refused.Path != path || !errors.Is(err, stowage.ErrInvalid) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestATraceTellsWhatTheSearchAsked(t *testing.T) {
	plan, err := build(t, small()).Plan(context.Background(), stowage.Request{Planner: "auto", WorkLimit: 1000, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Trace) == 0 || plan.Trace[0].Name != "exchanges" || plan.Trace[0].Calls != 1 || plan.Trace[0].Work == 0 {
		t.Error(plan.Trace)
	}
}
