package stowage

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/wire"
)

// Violation is a broken constraint. Its Kind is a word, such as "capacity"; report.fbs says what the other fields mean for it.
// Positions that do not apply are NoIndex.
type Violation struct {
	Kind                               string
	Inherited                          bool
	Node, App, Other, Resource, Period uint32
	Amount, Limit                      float64
	What                               string
}

// Verification is what the independent checker found on one plan.
type Verification struct {
	// OK: no constraint is broken that was not broken at the start.
	OK                      bool
	Nodes, Placed, Unplaced uint64
	// Cost; negative without prices.
	Cost float64
	// ViolationCount counts all new or worsened ones; the first 1000 are listed.
	ViolationCount, InheritedCount uint64
	Violations                     []Violation
	// Utilization is the highest of each resource over periods, over the nodes in use.
	Utilization []float64
	// Ucac is the used capacity at confidence, as Plan.Ucac, counted anew; negative where no demand is uncertain.
	Ucac    float64
	Metrics ClusterMetrics
	// RuleViolations are placement rules that do not hold, hard and soft: the first 1000.
	RuleViolations []RuleViolation
}

// RuleViolation is replicas for which a placement rule does not hold.
type RuleViolation struct {
	// Rule is a position among the instance's rules.
	Rule uint32
	Hard bool
	// Inherited: hard, broken before planning and no worse now.
	Inherited bool
	// Node of the plan, and App: both NoIndex, and Replicas 1, for conditions on the number of sets or on skew.
	Node, App, Replicas uint32
	// Extent for one replica: how far counts are outside of their bounds, as a share of these (P2, Eq. 8).
	Extent float64
	// Amount is the count that is furthest out, Limit the bound that it misses.
	Amount, Limit float64
	Weight        float64
}

// ClusterMetrics is how a plan leaves the cluster.
type ClusterMetrics struct {
	// Applications that want replicas, and those of which nothing is left over. Apps that share a tag "appID:..." are one.
	Applications, ApplicationsPlaced uint64
	// Nodes that exist (of classes without a count: that are used), and those in use.
	Nodes, NodesUsed uint64
	// FragmentedNodes have less left of some resource than any app needs of it and are not full in all (P2, section 7.4).
	FragmentedNodes uint64
	// Imbalance of each resource: the coefficient of variation of the nodes' utilization at their peaks.
	Imbalance []float64
	// RuleViolations as in Plan, counted anew.
	RuleViolations RuleViolations
}

// Obstacle is what keeps a replica off a node, such as "capacity"; see Obstacle in report.fbs.
type Obstacle struct {
	Kind                    string
	Resource, Period, Other uint32
	Amount, Limit           float64
}

// CloseNode is a node that came close to taking one more replica.
type CloseNode struct {
	// Node of the plan; NoIndex: a new, empty node of the class.
	Node, Class uint32
	Obstacles   []Obstacle
	// Distance is smaller the closer it came.
	Distance float64
}

// Relaxation is a change that would let one more replica in, such as "add-node"; see Relaxation in report.fbs.
type Relaxation struct {
	Kind                               string
	Node, Class, Beside, App, Resource uint32
	Amount                             float64
	// Rule is an index into the instance's rules, Condition a position in the rule's only conjunction.
	Rule, Condition uint32
}

// AppExplanation says why an app's replicas are unplaced.
type AppExplanation struct {
	App, Unplaced uint32
	// OpenNodes of the plan could take one more replica; the others refuse it for these reasons.
	OpenNodes, BlockedByCapacity, BlockedByLimits, BlockedByBoth uint64
	Closest                                                      []CloseNode
	// Relaxations, the smallest first.
	Relaxations []Relaxation
}

// Driver is a reason why a plan needs so many nodes, such as "capacity"; see Driver in report.fbs.
type Driver struct {
	Kind                  string
	Resource, Period, App uint32
	Nodes                 float64
}

// ResourceUse is how much of a resource is used in its peak period, in its unit.
type ResourceUse struct {
	Resource, PeakPeriod       uint32
	Demand, Capacity, Stranded float64
}

// Explanation of a plan.
type Explanation struct {
	Nodes     uint64
	NodeBound float64
	Drivers   []Driver
	Resources []ResourceUse
	// Apps: the one asked for, or the (at most 100) with the most unplaced replicas.
	Apps []AppExplanation
	// Overridden placement rules of applications, which give way to an operator's that they contradict.
	Overridden []OverriddenRule
}

// OverriddenRule is a placement rule that gives way to another, both by their positions among the instance's rules.
type OverriddenRule struct{ Rule, By uint32 }

// BoundEntry is a lower bound on "nodes", "cost" or "ucac" (used capacity at confidence).
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
	// Honours: features of the model; an instance that uses another is refused with ErrUnsupported.
	Honours []string
	// DefaultDeadlineMs ends planners that would go on, where the request has no limit; 0: it ends by itself.
	DefaultDeadlineMs uint64
	// Objectives that it pursues: "nodes", "ucac", and "soft-rules" where it looks at soft placement rules.
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

func numbers(count int, at func(int) float64) []float64 {
	list := make([]float64, count)
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
		RuleViolations: all(from.RuleViolationsLength(), from.RuleViolations, func(one *wire.RuleViolation) RuleViolation {
			return RuleViolation{
				one.Rule(), one.Hard(), one.Inherited(), one.Node(), one.App(), one.Replicas(), one.Extent(), one.Amount(), one.Limit(),
				one.Weight(),
			}
		}),
	}
}

// metricsOf an earlier library's report are all 0: it has none.
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
		Nodes: from.Nodes(), NodeBound: from.NodeBound(),
		Drivers: all(from.DriversLength(), from.Drivers, func(one *wire.Driver) Driver {
			return Driver{kebab(one.Kind().String()), one.Resource(), one.Period(), one.App(), one.Nodes()}
		}),
		Resources: all(from.ResourcesLength(), from.Resources, func(one *wire.ResourceUse) ResourceUse {
			return ResourceUse{one.Resource(), one.PeakPeriod(), one.Demand(), one.Capacity(), one.Stranded()}
		}),
		Apps: all(from.AppsLength(), from.Apps, appExplanationOf), Overridden: overridden,
	}
}

func appExplanationOf(from *wire.AppExplanation) AppExplanation {
	return AppExplanation{
		from.App(), from.Unplaced(), from.OpenNodes(), from.BlockedByCapacity(), from.BlockedByLimits(), from.BlockedByBoth(),
		all(from.ClosestLength(), from.Closest, func(one *wire.CloseNode) CloseNode {
			obstacles := all(one.ObstaclesLength(), one.Obstacles, func(it *wire.Obstacle) Obstacle {
				return Obstacle{kebab(it.Kind().String()), it.Resource(), it.Period(), it.Other(), it.Amount(), it.Limit()}
			})
			return CloseNode{one.Node(), one.NodeClass(), obstacles, one.Distance()}
		}),
		all(from.RelaxationsLength(), from.Relaxations, func(one *wire.Relaxation) Relaxation {
			return Relaxation{
				kebab(one.Kind().String()), one.Node(), one.NodeClass(), one.Beside(), one.App(), one.Resource(), one.Amount(),
				one.Rule(), one.Condition(),
			}
		}),
	}
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
