package stowage_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	stowage "stowage.dev/go"
	"stowage.dev/go/internal/heap"
)

func TestPlanOfTheSmallInstanceAsByHand(t *testing.T) {
	instance := build(t, small())
	plan, err := instance.Plan(context.Background(), stowage.Request{Planner: "ff"})
	if err != nil {
		t.Fatal(err)
	}
	// Two web reach their limit on node 0; the third and db share node 1.
	placements := []stowage.Placement{{App: 0, Node: 0, Replicas: 2}, {App: 0, Node: 1, Replicas: 1}, {App: 1, Node: 1, Replicas: 1}}
	if !slices.Equal(plan.Placements, placements) || len(plan.Unplaced) != 0 {
		t.Errorf("placements are %v, unplaced %v", plan.Placements, plan.Unplaced)
	}
	if plan.Status != stowage.Optimal || plan.Status.String() != "optimal" || plan.NodeBound.Value != 2 || plan.Gap != 0 {
		t.Errorf("status %v, bound %v, gap %v", plan.Status, plan.NodeBound, plan.Gap)
	}
	if plan.Instance != instance.Fingerprint() || plan.Planner != "ff" || plan.Cost >= 0 {
		t.Errorf("instance %x, planner %s, cost %g", plan.Instance, plan.Planner, plan.Cost)
	}
	anonymous := stowage.PlanNode{Class: 0, Listed: stowage.NoIndex, Copies: 1}
	if !slices.Equal(plan.Nodes, []stowage.PlanNode{anonymous, anonymous}) || plan.NodesInUse() != 2 {
		t.Errorf("nodes are %v", plan.Nodes)
	}

	report, err := instance.Verify(plan.Bytes)
	if err != nil || !report.OK || report.Placed != 4 || report.Nodes != 2 {
		t.Errorf("verification %+v, %v", report, err)
	}
	again, err := stowage.ReadPlan(plan.Bytes)
	if err != nil || !reflect.DeepEqual(again, plan) {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

func TestExplainBoundsAndPlanners(t *testing.T) {
	instance := build(t, small())
	tight, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", NodeLimit: 1})
	if err != nil || tight.Status == stowage.Complete || len(tight.Unplaced) == 0 {
		t.Fatalf("plan %+v, %v", tight, err)
	}
	explanation, err := instance.Explain(t.Context(), tight)
	if err != nil || len(explanation.Apps) != 2 || explanation.NodeBound != 2 {
		t.Fatalf("explanation %+v, %v", explanation, err)
	}
	selfLimited := func(node stowage.CloseNode) bool {
		return slices.ContainsFunc(node.Obstacles, func(one stowage.Obstacle) bool { return one.Kind == "self-limit" && one.Limit == 2 })
	}
	web, err := instance.ExplainApp(t.Context(), tight, 0)
	if err != nil || len(web.Apps) != 1 || !slices.ContainsFunc(web.Apps[0].Closest, selfLimited) {
		t.Errorf("explanation of web %+v, %v", web, err)
	}
	if !slices.ContainsFunc(web.Apps[0].Relaxations, func(one stowage.Relaxation) bool { return one.Kind == "raise-limit" }) {
		t.Errorf("relaxations %+v", web.Apps[0].Relaxations)
	}
	if _, err := instance.ExplainApp(t.Context(), tight, 7); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("app 7: %v", err)
	}
	room, err := instance.Headroom(tight, 0, 0)
	if err != nil || room.Room[0] != 0 || !room.Forbidden[0] || !slices.ContainsFunc(room.Obstacles, func(one stowage.Obstacle) bool { return one.Kind == "self-limit" }) {
		t.Errorf("headroom %+v, %v", room, err)
	}
	every, err := instance.HeadroomOfApps(tight, 0)
	if err != nil || len(every.Room) != 2 || every.Room[0] != uint64(room.Room[0]) {
		t.Errorf("headroom of all apps: %+v, %v", every, err)
	}
	if _, err := instance.HeadroomOfApps(nil, 2_000_000_000); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("most above the largest: %v", err)
	}
	losses, err := instance.Losses(t.Context(), tight, stowage.LossQuestion{})
	if err != nil || len(losses) == 0 || losses[0].Left == 0 || losses[0].Moves[len(losses[0].Moves)-1].To != stowage.NoIndex {
		t.Errorf("losses: %+v, %v", losses, err)
	}
	if _, err := instance.Losses(t.Context(), nil, stowage.LossQuestion{Nodes: []uint32{99}}); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("a node that does not exist: %v", err)
	}
	if _, err := instance.Headroom(tight, 7, stowage.NoIndex); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("headroom of app 7: %v", err)
	}
	order, err := instance.OrderMoves(t.Context(), tight, stowage.MoveLimits{PerNode: 1})
	if err != nil || len(order.Stuck) != 0 || order.Moved != 0 || len(order.Waves) != 1 || order.Waves[0][0].From != stowage.NoIndex {
		t.Errorf("order of moves %+v, %v", order, err)
	}
	if _, err := instance.OrderMoves(t.Context(), tight, stowage.MoveLimits{AppShare: 2}); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("a share of 2: %v", err)
	}
	bounds, err := instance.Bounds()
	if err != nil || bounds[0].Objective != "nodes" || bounds[0].Value != 2 {
		t.Errorf("bounds %+v, %v", bounds, err)
	}
	planners, err := stowage.Planners()
	if err != nil || !slices.ContainsFunc(planners, func(one stowage.Planner) bool { return one.Name == "auto" && one.DefaultDeadlineMs > 0 }) {
		t.Errorf("planners %+v, %v", planners, err)
	}
}

func TestUsedCapacityAtConfidenceAsByHand(t *testing.T) {
	instance := build(t, uncertain())
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "csp-ucac", Objective: stowage.LeastUcac})
	if err != nil {
		t.Fatal(err)
	}
	// The three apps with variance share a node, 7 + 2.32635 x sqrt(3); the fourth does not fit beside them.
	near := func(found, want float64) bool { return math.Abs(found-want) < 1e-4 }
	want := 11.02935
	if len(plan.Unplaced) != 0 || plan.Objective != stowage.LeastUcac || plan.Objective.String() != "ucac" || plan.UcacResource != 0 {
		t.Errorf("unplaced %v, objective %v, resource %d", plan.Unplaced, plan.Objective, plan.UcacResource)
	}
	if !near(plan.Ucac, want+4) || plan.UcacBound == nil || !near(plan.UcacBound.Value, want+4) {
		t.Errorf("used capacity %g, bound %+v", plan.Ucac, plan.UcacBound)
	}
	if used := slices.Sorted(slices.Values(plan.NodeUcac)); len(used) != len(plan.Nodes) || len(used) != 2 || !near(used[0], 4) || !near(used[1], want) {
		t.Errorf("used capacity of nodes %v", used)
	}
	report, err := instance.Verify(plan.Bytes)
	if err != nil || !report.OK || !near(report.Ucac, plan.Ucac) {
		t.Errorf("verification %+v, %v", report, err)
	}
	bounds, err := instance.Bounds()
	if err != nil || !slices.ContainsFunc(bounds, func(one stowage.BoundEntry) bool {
		return one.Objective == "ucac" && one.Value > 0 && one.Value <= want+4.001
	}) {
		t.Errorf("bounds %+v, %v", bounds, err)
	}
	explanation, err := instance.Explain(t.Context(), plan)
	if err != nil || !slices.ContainsFunc(explanation.Drivers, func(one stowage.Driver) bool { return one.Kind == "without-uncertainty" && one.Nodes == 1 }) {
		t.Errorf("explanation %+v, %v", explanation, err)
	}
	tight, err := instance.Plan(t.Context(), stowage.Request{Planner: "bf-ucac", NodeLimit: 1})
	if err != nil || len(tight.Unplaced) == 0 {
		t.Fatalf("plan %s, %v", statusOf(tight), err)
	}
	short := func(one stowage.Obstacle) bool { return one.Kind == "capacity-at-confidence" }
	explanation, err = instance.Explain(t.Context(), tight)
	if err != nil || !slices.ContainsFunc(explanation.Apps[0].Closest, func(node stowage.CloseNode) bool { return slices.ContainsFunc(node.Obstacles, short) }) {
		t.Errorf("explanation %+v, %v", explanation, err)
	}

	if _, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", Objective: stowage.LeastUcac}); !errors.Is(err, stowage.ErrUnsupported) {
		t.Errorf("ff does not pursue used capacity: %v", err)
	}
	planners, err := stowage.Planners()
	if err != nil || !slices.ContainsFunc(planners, func(one stowage.Planner) bool {
		return one.Name == "csp-ucac" && slices.Contains(one.Objectives, "ucac")
	}) {
		t.Errorf("planners %+v, %v", planners, err)
	}
	certain, err := build(t, small()).Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || certain.Ucac >= 0 || certain.NodeUcac != nil || certain.UcacBound != nil || certain.UcacResource != stowage.NoIndex {
		t.Errorf("without uncertain demand: %+v, %v", certain, err)
	}
}

func TestPlacementRulesAsByHand(t *testing.T) {
	b := stowage.NewBuilder("ruled")
	b.Resource("cpu", "cores")
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{8}})
	web := b.App(stowage.App{Name: "web", Replicas: 3, Demand: []float64{2}, Tags: []string{"web"}})
	b.App(stowage.App{Name: "db", Replicas: 1, Demand: []float64{4}, Tags: []string{"db"}})
	b.Limit(web, web, 2)
	most := uint32(0)
	condition := func(one stowage.Cardinality) [][]stowage.Cardinality { return [][]stowage.Cardinality{{one}} }
	b.Rule(stowage.Rule{Name: "near", Soft: true, Weight: 2, AnyOf: condition(stowage.Cardinality{
		Subject: []string{"web"}, Target: []string{"db"}, Min: 1, Group: "node",
	})})
	b.Rule(stowage.Rule{Name: "crowd", AnyOf: condition(stowage.Cardinality{Subject: []string{"db"}, Target: []string{"db"}, Min: 1})})
	b.Rule(stowage.Rule{Name: "alone", Operator: true, AnyOf: condition(stowage.Cardinality{
		Subject: []string{"db"}, Target: []string{"db"}, Max: &most,
	})})
	instance := build(t, b)
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil {
		t.Fatal(err)
	}
	// Two web and db fill node 0; the third web has no db near. The operator's rule overrides "crowd".
	want := stowage.RuleViolations{Count: 1, Replicas: 1, Extent: 1, Weight: 2, Cost: 2}
	if plan.RuleViolations == nil || *plan.RuleViolations != want {
		t.Errorf("plan: %+v", plan.RuleViolations)
	}
	report, err := instance.Verify(plan.Bytes)
	if err != nil || !report.OK {
		t.Fatalf("%+v, %v", report, err)
	}
	near := stowage.RuleViolation{Rule: 0, Node: 1, App: 0, Replicas: 1, Extent: 1, Amount: 0, Limit: 1, Weight: 2}
	if !slices.Equal(report.RuleViolations, []stowage.RuleViolation{near}) {
		t.Errorf("verification: %+v", report.RuleViolations)
	}
	// 8 and 2 of 8 are used: mean 5/8, standard deviation 3/8.
	metrics := stowage.ClusterMetrics{
		Applications: 2, ApplicationsPlaced: 2, Nodes: 2, NodesUsed: 2, Imbalance: []float64{0.6}, RuleViolations: want,
	}
	if !reflect.DeepEqual(report.Metrics, metrics) {
		t.Errorf("metrics: %+v", report.Metrics)
	}
	explanation, err := instance.Explain(t.Context(), plan)
	if err != nil || !slices.Equal(explanation.Overridden, []stowage.OverriddenRule{{Rule: 1, By: 2}}) {
		t.Errorf("explanation: %+v, %v", explanation, err)
	}
	whole, err := instance.Plan(t.Context(), stowage.Request{Planner: "medea-tp", NodeLimit: 1, AllOrNothing: true})
	if err != nil || !slices.Equal(whole.Unplaced, []stowage.Unplaced{{App: 0, Replicas: 3}}) {
		t.Errorf("whole applications: %+v, %v", whole, err)
	}
	certain, err := build(t, small()).Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || certain.RuleViolations != nil {
		t.Errorf("without rules: %+v, %v", certain.RuleViolations, err)
	}
}

func TestCompactPlanAsByHand(t *testing.T) {
	instance := build(t, alike())
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", Compact: true})
	if err != nil {
		t.Fatal(err)
	}
	// Four replicas fill a node: two nodes have the same content, and the ninth replica is alone.
	nodes := []stowage.PlanNode{{Class: 0, Listed: stowage.NoIndex, Copies: 2}, {Class: 0, Listed: stowage.NoIndex, Copies: 1}}
	placements := []stowage.Placement{{App: 0, Node: 0, Replicas: 4}, {App: 0, Node: 1, Replicas: 1}}
	if !slices.Equal(plan.Nodes, nodes) || !slices.Equal(plan.Placements, placements) || len(plan.Unplaced) != 0 {
		t.Errorf("nodes are %v, placements %v, unplaced %v", plan.Nodes, plan.Placements, plan.Unplaced)
	}
	if plan.NodesInUse() != 3 || plan.Cost != 4.5 || plan.Gap != 0 {
		t.Errorf("%d nodes, cost %g, gap %g", plan.NodesInUse(), plan.Cost, plan.Gap)
	}
	report, err := instance.Verify(plan.Bytes)
	if err != nil || !report.OK || report.Placed != 9 || report.Nodes != 3 || report.Cost != 4.5 {
		t.Errorf("verification %+v, %v", report, err)
	}
	again, err := stowage.ReadPlan(plan.Bytes)
	if err != nil || !reflect.DeepEqual(again, plan) {
		t.Errorf("read again: %+v, %v", again, err)
	}
	listed, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || listed.NodesInUse() != 3 || len(listed.Nodes) != 3 || listed.Cost != plan.Cost {
		t.Errorf("each by itself: %+v, %v", listed, err)
	}
}

func TestWhatIsLeftOverAsByHand(t *testing.T) {
	b := alike()
	b.App(stowage.App{Name: "whale", Replicas: 2, Priority: 1, Demand: []float64{9}})
	instance := build(t, b)
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", NodeLimit: 1})
	if err != nil {
		t.Fatal(err)
	}
	// Four of nine fit on a node; no node has room for a whale.
	want := []stowage.LeftOver{{Priority: 1, Replicas: 2}, {Priority: 0, Replicas: 5}}
	if !slices.Equal(plan.LeftOverBound, want) || !plan.PlacesMost {
		t.Errorf("bound %v, proven %v", plan.LeftOverBound, plan.PlacesMost)
	}
	if len(plan.Notes) != 1 || plan.Notes[0].Code != stowage.LeftOut || !strings.Contains(plan.Notes[0].Text, "whale") {
		t.Errorf("notes %v", plan.Notes)
	}
	whole, err := build(t, alike()).Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || whole.LeftOverBound != nil || whole.PlacesMost || whole.Notes != nil {
		t.Errorf("a complete plan: %+v, %v", whole, err)
	}
}

func TestErrors(t *testing.T) {
	negative := small()
	negative.App(stowage.App{Name: "sick", Replicas: 1, Demand: []float64{1, -1}})
	short := small()
	short.App(stowage.App{Name: "short", Replicas: 1, Demand: []float64{1}})
	ruled := small()
	ruled.Rule(stowage.Rule{AnyOf: [][]stowage.Cardinality{{{Subject: []string{"x"}, Group: "racks"}}}})
	beside := small()
	beside.Limit(5, 0, 1)
	for _, one := range []struct {
		builder *stowage.Builder
		path    string
	}{{negative, "apps.demand[5]"}, {short, "apps[2].demand"}, {ruled, "rules[0].any_of[0].all_of[0].group"}, {beside, "limits"}} {
		_, err := one.builder.Build()
		var failure *stowage.Error
		if !errors.As(err, &failure) || !errors.Is(err, stowage.ErrInvalid) || failure.Path != one.path {
			t.Errorf("%s: %#v", one.path, err)
		}
	}

	if _, err := stowage.Load([]byte("no instance at all")); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("no instance: %v", err)
	}
	if _, err := stowage.Load(nil); !errors.Is(err, stowage.ErrMalformed) && !errors.Is(err, stowage.ErrInvalidArgument) {
		t.Errorf("nil: %v", err)
	}
	bytes, _ := small().Bytes()
	if _, err := stowage.LoadWithin(bytes, stowage.Limits{Apps: 1}); !errors.Is(err, stowage.ErrLimitExceeded) {
		t.Errorf("limits: %v", err)
	}
	instance := build(t, small())
	_, err := instance.Plan(t.Context(), stowage.Request{Planner: "best"})
	if !errors.Is(err, stowage.ErrNotFound) || !strings.Contains(err.Error(), `planner: there is no planner "best"`) {
		t.Errorf("best: %v", err)
	}
	if _, err := instance.Verify([]byte("no plan")); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("no plan: %v", err)
	}
	if _, err := stowage.ReadPlan(instanceBytes(t, "small")); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("an instance as plan: %v", err)
	}
}

func TestEveryPartOfTheModelArrives(t *testing.T) {
	b := stowage.NewBuilder("all")
	b.Periods(2)
	b.Resource("cpu", "cores")
	price, most := 2.5, uint32(3)
	class := b.Class(stowage.Class{Name: "c", Capacity: []float64{8}, Count: 3, Price: &price, Labels: []string{"zone=a"}})
	node := b.Node(stowage.Node{Name: "n", Class: class, Load: []float64{1}, LoadVariance: []float64{0.5}, Closed: true, Tags: []string{"ssd"}})
	flat := b.App(stowage.App{Name: "flat", Replicas: 2, Demand: []float64{1}, Priority: -3, Variance: []float64{0.25}, Kind: "io", Tags: []string{"web"}})
	b.App(stowage.App{Name: "day", Replicas: 2, Demand: []float64{1, 2}, SupportMin: []float64{0}, SupportMax: []float64{3}})
	b.Running(flat, node, 1)
	b.Pin(flat, node, 1)
	b.NodeGroup(stowage.NodeGroup{Name: "zone", ByLabel: "zone"})
	b.NodeGroup(stowage.NodeGroup{Name: "rack", Sets: []stowage.NodeSet{{Name: "r1", Nodes: []int{node}}}})
	b.Rule(stowage.Rule{Name: "spread", Soft: true, Weight: 2, Operator: true, AnyOf: [][]stowage.Cardinality{
		{{Kind: stowage.CountReplicas, Subject: []string{"web"}, Target: []string{"web"}, Max: &most, Group: "rack", Negated: true}},
		{{Kind: stowage.CountSkew, Subject: []string{"web"}, Max: &most, Group: "zone"}},
	}})
	b.Uncertainty(stowage.Uncertainty{Model: stowage.Gaussian, Confidence: 0.95})
	b.Interference([]string{"cpu", "io"}, []float64{0, 1, 1, 0})
	instance := build(t, b)
	_, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil && !errors.Is(err, stowage.ErrUnsupported) {
		t.Error(err)
	}
	// Leaving out any part gives another instance.
	fingerprint := instance.Fingerprint()
	b.Uncertainty(stowage.Uncertainty{Model: stowage.Gaussian, Confidence: 0.96})
	if build(t, b).Fingerprint() == fingerprint {
		t.Error("the uncertainty does not count")
	}
}

// calm costs 1 per load of calm and 2 per load of noisy, noisy 0.5 and 1. Loads are memory: 4 and 2.
func TestSideEffects(t *testing.T) {
	b := stowage.NewBuilder("colocation")
	b.Resource("cpu", "cores")
	memory := b.Resource("memory", "GiB")
	b.Class(stowage.Class{Capacity: []float64{16, 100}, Count: 2})
	b.App(stowage.App{Name: "web", Replicas: 2, Demand: []float64{1, 4}, Kind: "calm"})
	b.App(stowage.App{Name: "batch", Replicas: 2, Demand: []float64{1, 2}, Kind: "noisy"})
	b.Interference([]string{"calm", "noisy"}, []float64{1, 2, 0.5, 1})
	b.InterferenceResource(memory)
	instance := build(t, b)
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "kind-lpt", Objective: stowage.LeastWorst})
	if err != nil {
		t.Fatal(err)
	}
	// Kinds apart: 8 and 4. Mixed: 8 on both nodes.
	if plan.Objective != stowage.LeastWorst || plan.Objective.String() != "worst" || plan.MaxCost != 8 || plan.MaxCostBound == nil {
		t.Errorf("objective %v, cost %g, bound %+v", plan.Objective, plan.MaxCost, plan.MaxCostBound)
	}
	if len(plan.NodeMaxCost) != len(plan.Nodes) || slices.Max(plan.NodeMaxCost) != 8 || plan.TotalCost < 16 || plan.MaxCostLimit != 0 {
		t.Errorf("per node %v, total %g, limit %g", plan.NodeMaxCost, plan.TotalCost, plan.MaxCostLimit)
	}
	report, err := instance.Verify(plan.Bytes)
	if err != nil || !report.OK || report.MaxCost != plan.MaxCost || report.TotalCost != plan.TotalCost || !slices.Equal(report.NodeMaxCost, plan.NodeMaxCost) {
		t.Errorf("%v: %+v", err, report)
	}
	crowded, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || len(crowded.Nodes) != 1 || crowded.MaxCost != 16 {
		t.Errorf("%v: %+v", err, crowded)
	}
	// web costs 8 of its own kind and 8 of the other. A web or a batch may leave, but to no node of the plan.
	whole, err := instance.Explain(t.Context(), crowded)
	if err != nil || whole.Suffering == nil || whole.Suffering.Cost != 16 || !slices.Equal(whole.Suffering.FromKind, []float64{8, 8}) || whole.Suffering.To != stowage.NoIndex {
		t.Errorf("%v: %+v", err, whole)
	}
	limited, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", MaxCost: 8})
	if err != nil || limited.MaxCostLimit != 8 || limited.MaxCost > 8 {
		t.Errorf("%v: %+v", err, limited)
	}
	b.MaxCost([]float64{5, math.Inf(1)})
	strict := build(t, b)
	own, err := strict.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil || own.MaxCost > 5 || len(own.Unplaced) == 0 {
		t.Fatalf("%v: %+v", err, own)
	}
	explanation, err := strict.Explain(t.Context(), own)
	if err != nil || !slices.ContainsFunc(explanation.Apps[0].Relaxations, func(one stowage.Relaxation) bool { return one.SufferingKind == 0 }) {
		t.Errorf("%v: %+v", err, explanation)
	}
	if strict.Fingerprint() == instance.Fingerprint() {
		t.Error("the limits do not count")
	}
	if _, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", MaxCost: 3}); !errors.Is(err, stowage.ErrInvalid) {
		t.Error(err)
	}
}

func statusOf(plan *stowage.Plan) string {
	if plan == nil {
		return "no plan"
	}
	return plan.Status.String()
}

// long starts a run that only a limit ends.
func long(t *testing.T) (*stowage.Instance, stowage.Request) {
	return build(t, workload(200, 60)), stowage.Request{Planner: "auto", Deadline: time.Minute}
}

func TestCancelReturnsTheBestPlanSoFarWithin60Milliseconds(t *testing.T) {
	instance, request := long(t)
	var latencies []time.Duration
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		var polls, cancelledAt atomic.Int64
		plan, err := instance.PlanWithProgress(ctx, request, time.Millisecond, func(progress stowage.Progress) {
			if progress.Best > 0 && (progress.Value != float64(progress.Best) || progress.LeftOver != 0) {
				t.Errorf("%+v", progress)
			}
			if progress.Best > 0 && polls.Add(1) == 20 {
				cancelledAt.Store(time.Now().UnixNano())
				cancel()
			}
		})
		latencies = append(latencies, time.Duration(time.Now().UnixNano()-cancelledAt.Load()))
		if !errors.Is(err, context.Canceled) || plan == nil || plan.Status != stowage.Cancelled || len(plan.Unplaced) != 0 {
			t.Fatalf("%s, %v", statusOf(plan), err)
		}
		if report, err := instance.Verify(plan.Bytes); err != nil || !report.OK {
			t.Errorf("verification %+v, %v", report, err)
		}
	}
	slices.Sort(latencies)
	t.Logf("latencies %v", latencies)
	if latencies[2] > 60*time.Millisecond {
		t.Errorf("the median of %v is above 60 ms", latencies)
	}
}

func TestContextsThatEnd(t *testing.T) {
	instance, request := long(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	plan, err := instance.Plan(ctx, request)
	if !errors.Is(err, context.DeadlineExceeded) || plan == nil {
		t.Errorf("timeout: %s, %v", statusOf(plan), err)
	}
	if plan, err := instance.Plan(ctx, request); !errors.Is(err, context.DeadlineExceeded) || plan != nil {
		t.Errorf("ended before: %s, %v", statusOf(plan), err)
	}
	request.Deadline = 50 * time.Millisecond
	plan, err = instance.Plan(t.Context(), request)
	if err != nil || plan.Status != stowage.Deadline {
		t.Errorf("the request's own deadline: %s, %v", statusOf(plan), err)
	}
	request.Deadline, request.WorkLimit = 0, plan.Work
	again, err := instance.Plan(t.Context(), request)
	if err != nil || !slices.Equal(again.Placements, plan.Placements) {
		t.Errorf("its work does not repeat it: %v", err)
	}
}

func TestOneInstanceForManyGoroutines(t *testing.T) {
	instance := build(t, workload(40, 8))
	want, err := instance.Plan(t.Context(), stowage.Request{Planner: "bfd-avg"})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 20 {
				plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "bfd-avg"})
				if err != nil || !slices.Equal(plan.Bytes, want.Bytes) {
					t.Errorf("another plan: %v", err)
				}
				if report, err := instance.Verify(plan.Bytes); err != nil || !report.OK {
					t.Errorf("verification %+v, %v", report, err)
				}
			}
		}()
	}
	group.Wait()
}

func TestCloseLeavesRunsAloneAndIsFinal(t *testing.T) {
	instance, request := long(t)
	ctx, cancel := context.WithCancel(t.Context())
	started, done := make(chan struct{}), make(chan *stowage.Plan)
	go func() {
		var once sync.Once
		plan, _ := instance.PlanWithProgress(ctx, request, time.Millisecond, func(stowage.Progress) { once.Do(func() { close(started) }) })
		done <- plan
	}()
	<-started
	if err := instance.Close(); err != nil {
		t.Error(err)
	}
	select {
	case plan := <-done:
		t.Errorf("Close ended the run: %s", statusOf(plan))
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	if plan := <-done; plan == nil || len(plan.Unplaced) != 0 {
		t.Errorf("the run that went on: %s", statusOf(plan))
	}
	if err := instance.Close(); err != nil {
		t.Error(err)
	}
	if _, err := instance.Plan(t.Context(), request); !errors.Is(err, stowage.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := instance.Verify(nil); !errors.Is(err, stowage.ErrClosed) || instance.Fingerprint() != 0 {
		t.Errorf("after Close: %v", err)
	}
}

func TestAThousandPlansLeaveNothingBehind(t *testing.T) {
	bytes := instanceBytes(t, "small")
	round := func() {
		instance, err := stowage.Load(bytes)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		plan, err := instance.Plan(ctx, stowage.Request{Planner: "ff", NodeLimit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if report, err := instance.Verify(plan.Bytes); err != nil || !report.OK {
			t.Fatal(report, err)
		}
		if _, err := instance.ExplainApp(ctx, plan, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := instance.Plan(ctx, stowage.Request{Planner: "best"}); !errors.Is(err, stowage.ErrNotFound) {
			t.Fatal(err)
		}
		cancel()
		if err := instance.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		round()
	}
	before := heap.InUse()
	for range 1000 {
		round()
	}
	// Leaking one plan per round would add more than a megabyte.
	if after := heap.InUse(); after > before+64<<10 {
		t.Errorf("%d bytes more than before", after-before)
	}
}

func TestWhatNobodyClosedIsFreed(t *testing.T) {
	bytes := instanceBytes(t, "profile")
	before := heap.InUse()
	for range 100 {
		if _, err := stowage.Load(bytes); err != nil {
			t.Fatal(err)
		}
	}
	held := heap.InUse()
	for range 20 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	// The counter sees an allocation and its release.
	if after := heap.InUse(); held < before+1<<20 || after > before+(held-before)/10 {
		t.Errorf("%d bytes before, %d held, %d after", before, held, after)
	}
}

func TestVersionsAgree(t *testing.T) {
	if stowage.Version() != stowage.HeaderVersion() {
		t.Errorf("library %s, header %s", stowage.Version(), stowage.HeaderVersion())
	}
}
