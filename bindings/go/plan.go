package stowage

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/wire"
)

// Objective is what a run makes small. Planner.Objectives names those that a planner pursues.
type Objective uint8

// What a run makes small.
const (
	LeastNodes = Objective(wire.ObjectiveNodes) // fewest nodes; where prices are given, least cost
	LeastUcac  = Objective(wire.ObjectiveUcac)  // least used capacity at confidence (P1, section 4.1)
)

func (o Objective) String() string { return kebab(wire.Objective(o).String()) }

// Request says which planner runs, its options, and how far the run may go. Its zero value, but for Planner, is complete.
type Request struct {
	// Planner from the catalogue, such as "auto".
	Planner string
	// Options of the planner as the catalogue declares them: numbers, and words.
	Options map[string]float64
	Words   map[string]string
	Seed    uint64
	// Deadline for the run, in whole milliseconds, rounded up; 0: none, or, without WorkLimit either, the planner's own.
	Deadline time.Duration
	// WorkLimit in work units; 0: none. That of an earlier plan's Work repeats its run exactly, with its Pace as the option
	// "pace" where that is above 0.
	WorkLimit uint64
	// Threads the run may use; 0: one. The plan does not depend on it.
	Threads uint32
	// NodeLimit is how many nodes may be in use; 0: as many as the instance has.
	NodeLimit uint32
	// IgnoreRunning: running replicas that are not pinned are planned anew.
	IgnoreRunning bool
	// MoveBudget is how many running replicas may move.
	MoveBudget uint32
	// Objective is what to make small once everything is placed. A planner that does not pursue it refuses with ErrUnsupported.
	Objective Objective
	// AllOrNothing: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
	// one application; what runs already stays. A planner that does not honour placement rules refuses with ErrUnsupported.
	AllOrNothing bool
	// Compact: anonymous nodes of a class that hold the same stand once in the plan, as PlanNode.Copies.
	Compact bool
}

func (r Request) bytes() []byte {
	e := encoder{Builder: flatbuffers.NewBuilder(256)}
	options := flatbuffers.UOffsetT(0)
	if len(r.Options)+len(r.Words) > 0 {
		numbers, words := slices.Sorted(maps.Keys(r.Options)), slices.Sorted(maps.Keys(r.Words))
		options = e.offsets(len(numbers)+len(words), func(k int) flatbuffers.UOffsetT {
			if k < len(numbers) {
				return e.option(numbers[k], r.Options[numbers[k]], 0)
			}
			name := words[k-len(numbers)]
			return e.option(name, 0, e.CreateString(r.Words[name]))
		})
	}
	planner := e.CreateString(r.Planner)
	wire.RequestStart(e.Builder)
	wire.RequestAddPlanner(e.Builder, planner)
	wire.RequestAddOptions(e.Builder, options)
	wire.RequestAddSeed(e.Builder, r.Seed)
	wire.RequestAddDeadlineMs(e.Builder, uint64((max(r.Deadline, 0)+time.Millisecond-1)/time.Millisecond))
	wire.RequestAddWorkLimit(e.Builder, r.WorkLimit)
	wire.RequestAddThreads(e.Builder, r.Threads)
	wire.RequestAddNodeLimit(e.Builder, r.NodeLimit)
	wire.RequestAddIgnoreRunning(e.Builder, r.IgnoreRunning)
	wire.RequestAddMoveBudget(e.Builder, r.MoveBudget)
	wire.RequestAddObjective(e.Builder, wire.Objective(r.Objective))
	wire.RequestAddAllOrNothing(e.Builder, r.AllOrNothing)
	wire.RequestAddCompact(e.Builder, r.Compact)
	e.FinishWithFileIdentifier(wire.RequestEnd(e.Builder), []byte("STOR"))
	return e.FinishedBytes()
}

func (e *encoder) option(name string, number float64, text flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	nameAt := e.CreateString(name)
	wire.RequestOptionStart(e.Builder)
	wire.RequestOptionAddName(e.Builder, nameAt)
	wire.RequestOptionAddNumber(e.Builder, number)
	wire.RequestOptionAddText(e.Builder, text)
	return wire.RequestOptionEnd(e.Builder)
}

// PlanStatus says how good a plan is, and no more than was proven.
type PlanStatus uint8

// How good a plan is.
const (
	Complete         = PlanStatus(wire.PlanStatusComplete)         // every replica is placed
	Optimal          = PlanStatus(wire.PlanStatusOptimal)          // and no plan does better by the objective
	Partial          = PlanStatus(wire.PlanStatusPartial)          // some are not placed
	InfeasibleProven = PlanStatus(wire.PlanStatusInfeasibleProven) // some are not placed, and no plan places all
	Cancelled        = PlanStatus(wire.PlanStatusCancelled)        // the run was cancelled; the best plan it had
	Deadline         = PlanStatus(wire.PlanStatusDeadline)         // so it was by the deadline or the work limit
)

func (s PlanStatus) String() string { return kebab(wire.PlanStatus(s).String()) }

// Bound is a lower bound on what any complete plan needs, and the resource and period that give it.
type Bound struct {
	Name             string
	Value            float64
	Resource, Period uint32
}

// PlanNode is a node in use: its class, and its position among the listed nodes, or NoIndex for an anonymous node. It stands for so
// many copies, each of which holds what is placed on it: 1, but for anonymous nodes of plans that are compact.
type PlanNode struct{ Class, Listed, Copies uint32 }

// Placement is so many replicas of an app on a node of the plan, and on each of its copies.
type Placement struct{ App, Node, Replicas uint32 }

// Unplaced is so many replicas of an app that are on no node.
type Unplaced struct{ App, Replicas uint32 }

// RuleViolations is how far placement rules do not hold: hard ones that were broken before, and soft ones.
type RuleViolations struct {
	// Count of replicas for which a rule does not hold, once per rule.
	Count uint64
	// Replicas among them that are different.
	Replicas uint64
	// Extent, Weight and Cost are sums of the extents (P2, Eq. 8), of the rules' weights, and of both multiplied.
	Extent, Weight, Cost float64
}

// Plan says who sits where, how good that is, and what is left over. Positions are those of the instance.
type Plan struct {
	// Bytes of the plan (plan.fbs), which Verify and other programs take. Not to be changed.
	Bytes []byte
	// Instance is the fingerprint of the instance the plan is for.
	Instance uint64
	Planner  string
	Status   PlanStatus
	Seed     uint64
	// Work units done; a request with this WorkLimit, and the option "pace" where Pace is above 0, repeats the run.
	Work uint64
	// Pace is the work that the search planned to have done at its end; 0 where it planned for none.
	Pace uint64
	// Nodes in use, listed ones first. NodesInUse counts their copies.
	Nodes []PlanNode
	// Placements by node, then by app; running replicas included.
	Placements []Placement
	// Unplaced replicas by app.
	Unplaced []Unplaced
	// NodeBound is the fewest nodes that any complete plan uses; nil: not known.
	NodeBound *Bound
	// Gap is nodes above the bound, divided by it; negative where no statement is possible.
	Gap float64
	// Cost is the sum of the prices of the nodes in use; negative without prices.
	Cost      float64
	CostBound *Bound
	// InheritedViolations were broken at the start and are no worse now.
	InheritedViolations uint32
	// Moves of running replicas.
	Moves uint32
	// Ucac is the used capacity at confidence of the nodes in use (P1, definition 2, Eq. 6), the sum of NodeUcac over all
	// copies, in the unit of UcacResource; negative where no demand is uncertain.
	Ucac float64
	// UcacResource is the first resource with uncertain demand; NoIndex: none is uncertain.
	UcacResource uint32
	// UcacBound is the least Ucac of any complete plan; nil: not known.
	UcacBound *Bound
	// NodeUcac is the used capacity at confidence of each of Nodes (P1, definition 1, Eq. 2): mean + quantile x standard deviation
	// of what it holds, in the period in which that is most; of one copy; nil where no demand is uncertain.
	NodeUcac []float64
	// RuleViolations; nil: the instance has no placement rules.
	RuleViolations *RuleViolations
	// Objective of the request; Optimal refers to it.
	Objective Objective
}

// NodesInUse counts the nodes in use, each copy by itself.
func (p *Plan) NodesInUse() (sum uint64) {
	for _, node := range p.Nodes {
		sum += uint64(node.Copies)
	}
	return sum
}

// ReadPlan reads a plan's bytes from elsewhere. Whether it is a good plan, and for which instance, only Instance.Verify tells.
// Fails with ErrMalformed.
func ReadPlan(bytes []byte) (plan *Plan, err error) {
	malformed := &Error{"STOWAGE_MALFORMED", "the bytes are not a plan", "", ErrMalformed}
	if len(bytes) < 8 || string(bytes[4:8]) != "STOP" {
		return nil, malformed
	}
	// The runtime of FlatBuffers has no verifier in Go: what lies outside of the bytes panics, as do columns that do not fit.
	defer func() {
		if recover() != nil {
			plan, err = nil, malformed
		}
	}()
	return decodePlan(slices.Clone(bytes)), nil
}

func decodePlan(bytes []byte) *Plan {
	root := wire.GetRootAsPlan(bytes, 0)
	table := root.Table()
	classes, listed, copies := vector(table, 16, 4), vector(table, 18, 4), vector(table, 66, 4)
	if len(listed) != len(classes) || copies != nil && len(copies) != len(classes) {
		panic("columns of nodes that differ in length")
	}
	plan := &Plan{
		Bytes: bytes, Instance: root.Instance(), Planner: string(root.Planner()), Status: PlanStatus(root.Status()),
		Seed: root.Seed(), Work: root.Work(), Pace: root.Pace(), Gap: root.Gap(), Cost: root.Cost(),
		NodeBound: boundOf(root.NodeBound(nil)), CostBound: boundOf(root.CostBound(nil)),
		InheritedViolations: root.InheritedViolations(), Moves: root.Moves(),
		Ucac: root.Ucac(), UcacResource: root.UcacResource(), UcacBound: boundOf(root.UcacBound(nil)), Objective: Objective(root.Objective()),
	}
	if root.ViolationCost() >= 0 {
		plan.RuleViolations = &RuleViolations{
			root.RuleViolations(), root.ViolatingReplicas(), root.ViolationExtent(), root.ViolationWeight(), root.ViolationCost(),
		}
	}
	nodes := make([]PlanNode, len(classes)/4)
	for k := range nodes {
		nodes[k] = PlanNode{binary.LittleEndian.Uint32(classes[4*k:]), binary.LittleEndian.Uint32(listed[4*k:]), 1}
		if copies != nil {
			nodes[k].Copies = binary.LittleEndian.Uint32(copies[4*k:])
		}
	}
	placed := vector(table, 20, 12)
	placements := make([]Placement, len(placed)/12)
	for k := range placements {
		entry := (*[12]byte)(placed[12*k:]) // one check for all three
		placements[k] = Placement{
			binary.LittleEndian.Uint32(entry[0:]), binary.LittleEndian.Uint32(entry[4:]), binary.LittleEndian.Uint32(entry[8:]),
		}
	}
	left := vector(table, 22, 8)
	unplaced := make([]Unplaced, len(left)/8)
	for k := range unplaced {
		entry := (*[8]byte)(left[8*k:])
		unplaced[k] = Unplaced{binary.LittleEndian.Uint32(entry[0:]), binary.LittleEndian.Uint32(entry[4:])}
	}
	plan.Nodes, plan.Placements, plan.Unplaced = nodes, placements, unplaced
	if used := vector(table, 42, 8); used != nil {
		plan.NodeUcac = make([]float64, len(used)/8)
		for k := range plan.NodeUcac {
			plan.NodeUcac[k] = math.Float64frombits(binary.LittleEndian.Uint64(used[8*k:]))
		}
	}
	return plan
}

// vector is the raw content of a vector of scalars or structs, without a copy.
func vector(table flatbuffers.Table, slot flatbuffers.VOffsetT, size int) []byte {
	field := flatbuffers.UOffsetT(table.Offset(slot))
	if field == 0 {
		return nil
	}
	start, count := int(table.Vector(field)), table.VectorLen(field)
	return table.Bytes[start : start+size*count]
}

func boundOf(bound *wire.Bound) *Bound {
	if bound == nil {
		return nil
	}
	return &Bound{string(bound.Name()), bound.Value(), bound.Resource(), bound.Period()}
}

// kebab turns an enumerator's name into words: "AffinityLimit" into "affinity-limit".
func kebab(name string) string {
	var out []rune
	for k, letter := range name {
		if 'A' <= letter && letter <= 'Z' {
			if k > 0 {
				out = append(out, '-')
			}
			letter += 'a' - 'A'
		}
		out = append(out, letter)
	}
	return string(out)
}
