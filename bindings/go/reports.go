package stowage

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/wire"
)

// Violation is a broken constraint. Kind is a word, such as "capacity"; report.fbs defines the other fields for each kind.
// Indices that do not apply are NoIndex.
type Violation struct {
	Kind                               string
	Inherited                          bool
	Node, App, Other, Resource, Period uint32
	Amount, Limit                      float64
	What                               string
}

// Verification is what the independent checker found on one plan.
type Verification struct {
	// OK: the plan breaks no constraint that was not already broken at the start.
	OK                      bool
	Nodes, Placed, Unplaced uint64
	// Cost; negative without prices.
	Cost float64
	// ViolationCount counts all violations that are new or worse than at the start; Violations lists the first 1000.
	ViolationCount, InheritedCount uint64
	Violations                     []Violation
	// Utilization of each resource: demand / capacity, both summed over the nodes in use, in the period where it is highest.
	Utilization []float64
	// Ucac is the used capacity at confidence as Plan.Ucac, recomputed by the checker; negative where no demand is uncertain.
	Ucac    float64
	Metrics ClusterMetrics
	// MaxCost, TotalCost and NodeMaxCost as those of Plan, recomputed by the checker.
	MaxCost, TotalCost float64
	NodeMaxCost        []float64
	// RuleViolations of hard and soft placement rules: the first 1000.
	RuleViolations []RuleViolation
}

// RuleViolation is a placement rule and replicas for which it does not hold.
type RuleViolation struct {
	// Rule is an index of the instance's rules.
	Rule uint32
	Hard bool
	// Inherited: the rule is hard, was broken before planning, and the plan makes it no worse.
	Inherited bool
	// Node of the plan, and App. For conditions on the number of sets or on skew, both are NoIndex and Replicas is 1.
	Node, App, Replicas uint32
	// Extent for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq. 8).
	Extent float64
	// Amount is the count that misses its bound by most, Limit that bound.
	Amount, Limit float64
	Weight        float64
}

// ClusterMetrics is the state of the cluster under a plan.
type ClusterMetrics struct {
	// Applications that want replicas, and ApplicationsPlaced in full. Apps that share a tag "appID:..." are one application.
	Applications, ApplicationsPlaced uint64
	// Nodes that exist, and NodesUsed. Of a class without a count, only nodes in use exist.
	Nodes, NodesUsed uint64
	// FragmentedNodes (P2, section 7.4): less of some resource is free than the smallest demand for it, and some resource is not
	// full.
	FragmentedNodes uint64
	// Imbalance of each resource: the coefficient of variation of the nodes' peak utilization over periods.
	Imbalance []float64
	// RuleViolations as in Plan, recounted by the checker.
	RuleViolations RuleViolations
}

// Obstacle is what keeps a replica off a node, such as "capacity"; see Obstacle in report.fbs.
type Obstacle struct {
	Kind                    string
	Resource, Period, Other uint32
	Amount, Limit           float64
}

// CloseNode is a node that comes close to accepting one more replica of the app.
type CloseNode struct {
	// Node of the plan; NoIndex = a new, empty node of the class.
	Node, Class uint32
	Obstacles   []Obstacle
	// Distance: a smaller one is closer; see CloseNode in report.fbs.
	Distance float64
}

// Relaxation is a change that makes room for one more replica, such as "add-node"; see Relaxation in report.fbs.
type Relaxation struct {
	Kind                               string
	Node, Class, Beside, App, Resource uint32
	Amount                             float64
	// Rule is an index of the instance's rules, Condition an index in the rule's only conjunction.
	Rule, Condition uint32
	// Tag is an index of the instance's tags.
	Tag uint32
	// SufferingKind is an index of the kinds given to Interference.
	SufferingKind uint32
}

// AppExplanation states why an app's replicas are unplaced.
type AppExplanation struct {
	App, Unplaced uint32
	// OpenNodes of the plan accept one more replica; the other counts are of nodes that refuse it, by reason.
	OpenNodes, BlockedByCapacity, BlockedByLimits, BlockedByBoth uint64
	Closest                                                      []CloseNode
	// Relaxations, the smallest first.
	Relaxations []Relaxation
}

// Driver is a reason for a plan's number of nodes, such as "capacity"; see Driver in report.fbs.
type Driver struct {
	Kind                  string
	Resource, Period, App uint32
	Nodes                 float64
}

// ResourceUse is the use of a resource in its peak period, in its unit.
type ResourceUse struct {
	Resource, PeakPeriod       uint32
	Demand, Capacity, Stranded float64
}

// Explanation of a plan.
type Explanation struct {
	// Bytes of the report (report.fbs), for ExplanationToText and other programs.
	Bytes     []byte
	Nodes     uint64
	NodeBound float64
	Drivers   []Driver
	Resources []ResourceUse
	// Apps: the app asked for, or the apps with the most unplaced replicas, at most 100.
	Apps []AppExplanation
	// Overridden placement rules of applications, which contradict a rule of the operator.
	Overridden []OverriddenRule
	// Suffering: the replica that suffers most from side effects; nil without kinds or without replicas.
	Suffering *Suffering
}

// Headroom is how many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is
// meant.
type Headroom struct {
	// Room: most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none.
	Room []uint32
	// LacksCapacity: no capacity for one more. Forbidden: limits, rules, side effects, tags or the node's being closed refuse one.
	LacksCapacity, Forbidden []bool
	// Obstacles to one more on the node that was asked for.
	Obstacles []Obstacle
}

// HeadroomOfApps is how many more replicas of each app a cluster takes, one app growing at a time. One entry per app.
type HeadroomOfApps struct {
	// Room: the sum over the plan's nodes, each copy by itself, of the most replicas that the node takes. Nodes that take one.
	Room, Nodes []uint64
	// Most: the most that one node of the plan takes.
	Most []uint32
	// SpareRoom: the sum over nodes that exist and that the plan does not use.
	SpareRoom []uint64
	// Coupled: a hard placement rule counts the app over several nodes, so that Room and SpareRoom are upper bounds.
	Coupled []bool
}

// Loss is what becomes of the replicas of nodes that are lost together, all others staying where they are.
type Loss struct {
	// Name: the value of the label; empty where nodes were asked for by number.
	Name string
	// Nodes: the lost ones, by their number; see LossQuestion.
	Nodes []uint32
	// Replicas on them, and those Left without a place.
	Replicas, Left uint64
	// Moves: where the replicas go, or NoIndex for nowhere.
	Moves []LossMove
	// ShortResource: what remains has ShortAmount too little of it free in ShortPeriod, so that no way to place all exists; NoIndex:
	// none is short in all.
	ShortResource, ShortPeriod uint32
	ShortAmount                float64
}

// LossMove is where replicas of an app on lost nodes go.
type LossMove struct{ App, To, Replicas uint32 }

// MoveOrder is the way from what runs to a plan; every hard constraint holds at every step.
type MoveOrder struct {
	// Waves: the moves of a wave run at the same time, in any order. Replicas that begin to run come last.
	Waves [][]Move
	// Stuck moves cannot be ordered; those of a circle on full nodes, for example, need a third place that does not exist.
	Stuck []Move
	// Moved replicas, each counted once; Detours are further moves over third places.
	Moved, Detours uint32
	// LeastWaves: no order has fewer, by the limits on what happens at the same time.
	LeastWaves uint32
}

// Move is one replica that changes its node. Nodes are the instance's listed nodes by their index, then the plan's anonymous
// nodes in its order, each copy by itself.
type Move struct {
	App uint32
	// From is NoIndex where the replica starts, To where it ends.
	From, To uint32
	// Detour: to a node where the plan does not have it; a later wave takes it on.
	Detour bool
}

// Suffering is the replica that suffers most from side effects, and one move that would help.
type Suffering struct {
	// Node of the plan, and the first App of the replica's kind there.
	Node, App uint32
	Cost      float64
	// FromKind is what the load of each kind on the node adds to the cost.
	FromKind []float64
	// Moving one replica of this app to the node To of the plan, which takes it, helps most of the moves tried; both are NoIndex
	// where none helps. CostAfter and CostThere are the costs of who then suffers most on Node and on To.
	Moving, To           uint32
	CostAfter, CostThere float64
}

// OverriddenRule is a placement rule and the rule that overrides it, as indices of the instance's rules.
type OverriddenRule struct{ Rule, By uint32 }

// BoundEntry is a lower bound on "nodes", "cost", "ucac" (used capacity at confidence), or "worst" or "total" (costs of side
// effects).
type BoundEntry struct {
	Name, Objective  string
	Value            float64
	Resource, Period uint32
	Source           string
}

// Option is an option of a planner.
type Option struct {
	Name, Summary     string
	Default, Min, Max float64
}

// Planner is an entry of the catalogue.
type Planner struct {
	// Source: paper, section, equation.
	Name, Summary, Source, Complexity string
	Options                           []Option
	// Honours lists the features of the model that the planner honours. It refuses an instance with any other feature with
	// ErrUnsupported.
	Honours []string
	// DefaultDeadlineMs ends a run whose request has neither a deadline nor a work limit; 0 = the planner ends by itself.
	DefaultDeadlineMs uint64
	// Objectives that the planner pursues: "nodes", "ucac", "worst", "total", "admitted", "traffic"; and "soft-rules" where it also reduces violations of soft placement
	// rules.
	Objectives []string
}

// all reads the tables of a vector.
func all[From, To any](count int, at func(*From, int) bool, to func(*From) To) []To {
	list := make([]To, count)
	for k := range list {
		var from From
		at(&from, k)
		list[k] = to(&from)
	}
	return list
}

// numbers reads a vector of numbers; an empty list where it is absent.
func numbers[Value any](count int, at func(int) Value) []Value {
	list := make([]Value, count)
	for k := range list {
		list[k] = at(k)
	}
	return list
}

func body(bytes []byte) flatbuffers.Table {
	var table flatbuffers.Table
	wire.GetRootAsReport(bytes, 0).Body(&table)
	return table
}

func decodeVerification(bytes []byte) *Verification {
	var from wire.Verification
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	return &Verification{
		OK: from.Ok(), Nodes: from.Nodes(), Placed: from.Placed(), Unplaced: from.Unplaced(), Cost: from.Cost(),
		ViolationCount: from.ViolationCount(), InheritedCount: from.InheritedCount(),
		Violations: all(from.ViolationsLength(), from.Violations, func(one *wire.Violation) Violation {
			return Violation{
				kebab(one.Kind().String()), one.Inherited(), one.Node(), one.App(), one.Other(), one.Resource(), one.Period(),
				one.Amount(), one.Limit(), string(one.What()),
			}
		}),
		Utilization: numbers(from.UtilizationLength(), from.Utilization), Ucac: from.Ucac(), Metrics: metricsOf(from.Metrics(nil)),
		MaxCost: from.MaxCost(), TotalCost: from.TotalCost(), NodeMaxCost: numbers(from.NodeMaxCostLength(), from.NodeMaxCost),
		RuleViolations: all(from.RuleViolationsLength(), from.RuleViolations, func(one *wire.RuleViolation) RuleViolation {
			return RuleViolation{
				one.Rule(), one.Hard(), one.Inherited(), one.Node(), one.App(), one.Replicas(), one.Extent(), one.Amount(), one.Limit(),
				one.Weight(),
			}
		}),
	}
}

// metricsOf returns zeros for the report of an earlier library, which has no metrics.
func metricsOf(from *wire.ClusterMetrics) ClusterMetrics {
	if from == nil {
		return ClusterMetrics{}
	}
	return ClusterMetrics{
		from.Applications(), from.ApplicationsPlaced(), from.Nodes(), from.NodesUsed(), from.FragmentedNodes(),
		numbers(from.ImbalanceLength(), from.Imbalance),
		RuleViolations{
			from.RuleViolations(), from.ViolatingReplicas(), from.ViolationExtent(), from.ViolationWeight(), from.ViolationCost(),
		},
	}
}

func decodeExplanation(bytes []byte) *Explanation {
	var from wire.Explanation
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	overridden := make([]OverriddenRule, min(from.OverriddenLength(), from.OverriddenByLength()))
	for k := range overridden {
		overridden[k] = OverriddenRule{from.Overridden(k), from.OverriddenBy(k)}
	}
	return &Explanation{
		Bytes: bytes,
		Nodes: from.Nodes(), NodeBound: from.NodeBound(),
		Drivers: all(from.DriversLength(), from.Drivers, func(one *wire.Driver) Driver {
			return Driver{kebab(one.Kind().String()), one.Resource(), one.Period(), one.App(), one.Nodes()}
		}),
		Resources: all(from.ResourcesLength(), from.Resources, func(one *wire.ResourceUse) ResourceUse {
			return ResourceUse{one.Resource(), one.PeakPeriod(), one.Demand(), one.Capacity(), one.Stranded()}
		}),
		Apps: all(from.AppsLength(), from.Apps, appExplanationOf), Overridden: overridden, Suffering: sufferingOf(from.Suffering(nil)),
	}
}

func sufferingOf(from *wire.Suffering) *Suffering {
	if from == nil {
		return nil
	}
	return &Suffering{
		from.Node(), from.App(), from.Cost(), numbers(from.FromKindLength(), from.FromKind), from.Moving(), from.To(),
		from.CostAfter(), from.CostThere(),
	}
}

func appExplanationOf(from *wire.AppExplanation) AppExplanation {
	return AppExplanation{
		from.App(), from.Unplaced(), from.OpenNodes(), from.BlockedByCapacity(), from.BlockedByLimits(), from.BlockedByBoth(),
		all(from.ClosestLength(), from.Closest, func(one *wire.CloseNode) CloseNode {
			return CloseNode{one.Node(), one.NodeClass(), all(one.ObstaclesLength(), one.Obstacles, obstacleOf), one.Distance()}
		}),
		all(from.RelaxationsLength(), from.Relaxations, func(one *wire.Relaxation) Relaxation {
			return Relaxation{
				kebab(one.Kind().String()), one.Node(), one.NodeClass(), one.Beside(), one.App(), one.Resource(), one.Amount(),
				one.Rule(), one.Condition(), one.Tag(), one.SufferingKind(),
			}
		}),
	}
}

func obstacleOf(from *wire.Obstacle) Obstacle {
	return Obstacle{kebab(from.Kind().String()), from.Resource(), from.Period(), from.Other(), from.Amount(), from.Limit()}
}

func decodeHeadroom(bytes []byte) *Headroom {
	var from wire.Headroom
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	flags := func(at func(int) byte) func(int) bool { return func(k int) bool { return at(k) != 0 } }
	return &Headroom{
		numbers(from.RoomLength(), from.Room),
		numbers(from.LacksCapacityLength(), flags(from.LacksCapacity)),
		numbers(from.ForbiddenLength(), flags(from.Forbidden)),
		all(from.ObstaclesLength(), from.Obstacles, obstacleOf),
	}
}

func decodeHeadroomOfApps(bytes []byte) *HeadroomOfApps {
	var from wire.HeadroomOfApps
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	return &HeadroomOfApps{
		numbers(from.RoomLength(), from.Room),
		numbers(from.NodesLength(), from.Nodes),
		numbers(from.MostLength(), from.Most),
		numbers(from.SpareRoomLength(), from.SpareRoom),
		numbers(from.CoupledLength(), func(k int) bool { return from.Coupled(k) != 0 }),
	}
}

func decodeLosses(bytes []byte) []Loss {
	var from wire.Losses
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	return all(from.LossesLength(), from.Losses, func(one *wire.Loss) Loss {
		return Loss{
			string(one.Name()),
			numbers(one.NodesLength(), one.Nodes),
			one.Replicas(), one.Left(),
			numbers(one.AppLength(), func(k int) LossMove { return LossMove{one.App(k), one.To(k), one.Count(k)} }),
			one.ShortResource(), one.ShortPeriod(), one.ShortAmount(),
		}
	})
}

func decodeMoveOrder(bytes []byte) *MoveOrder {
	var from wire.MoveOrder
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	moveOf := func(one *wire.Move) Move { return Move{one.App(), one.From(), one.To(), one.Detour()} }
	found := &MoveOrder{nil, all(from.StuckLength(), from.Stuck, moveOf), from.Moved(), from.Detours(), from.LeastWaves()}
	moves := all(from.MovesLength(), from.Moves, moveOf)
	begin := uint32(0)
	for k := range from.WaveEndsLength() {
		end := from.WaveEnds(k)
		found.Waves = append(found.Waves, moves[begin:end])
		begin = end
	}
	return found
}

func decodeBounds(bytes []byte) []BoundEntry {
	var from wire.Bounds
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	return all(from.EntriesLength(), from.Entries, func(one *wire.BoundEntry) BoundEntry {
		return BoundEntry{
			string(one.Name()), string(one.Objective()), one.Value(), one.Resource(), one.Period(), string(one.Source()),
		}
	})
}

func decodeCatalogue(bytes []byte) []Planner {
	from := wire.GetRootAsCatalogue(bytes, 0)
	return all(from.PlannersLength(), from.Planners, func(one *wire.PlannerInfo) Planner {
		planner := Planner{
			Name: string(one.Name()), Summary: string(one.Summary()), Source: string(one.Source()),
			Complexity: string(one.Complexity()), Honours: make([]string, one.HonoursLength()),
			DefaultDeadlineMs: one.DefaultDeadlineMs(), Objectives: make([]string, one.ObjectivesLength()),
			Options: all(one.OptionsLength(), one.Options, func(it *wire.OptionInfo) Option {
				return Option{string(it.Name()), string(it.Summary()), it.DefaultNumber(), it.Min(), it.Max()}
			}),
		}
		for k := range planner.Honours {
			planner.Honours[k] = string(one.Honours(k))
		}
		for k := range planner.Objectives {
			planner.Objectives[k] = string(one.Objectives(k))
		}
		return planner
	})
}
