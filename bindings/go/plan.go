package stowage

import (
	"context"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/wire"
)

// Objective is the quantity that a run minimizes. Planner.Objectives lists the objectives that a planner pursues.
type Objective uint8

// The objectives.
const (
	LeastNodes = Objective(wire.ObjectiveNodes) // fewest nodes; where prices are given, least cost
	LeastUcac  = Objective(wire.ObjectiveUcac)  // least used capacity at confidence (P1, section 4.1)
	LeastWorst = Objective(wire.ObjectiveWorst) // least cost of the replica that suffers most from side effects (P4, section 2)
	LeastTotal = Objective(wire.ObjectiveTotal) // least sum of what side effects cost all replicas
	// MostAdmitted is the least weight of the applications that are left out, each placed as a whole or not at all (P3, section 3.3.1).
	MostAdmitted = Objective(wire.ObjectiveAdmitted)
	// LeastTraffic is the least traffic between replicas that do not share a node.
	LeastTraffic = Objective(wire.ObjectiveTraffic)
)

func (o Objective) String() string { return kebab(wire.Objective(o).String()) }

// SoftPolicy says how violated soft placement rules count beside the objective.
type SoftPolicy uint8

// The policies for soft rules.
const (
	SoftFirst = SoftPolicy(wire.SoftPolicyFirst) // before the objective: as few violations as possible, whatever that costs
	SoftLast  = SoftPolicy(wire.SoftPolicyLast)  // only among plans that are equal otherwise: violations never cost a node
	SoftPrice = SoftPolicy(wire.SoftPolicyPrice) // added to the objective: a unit of violation costs Request.SoftPrice
)

func (s SoftPolicy) String() string { return kebab(wire.SoftPolicy(s).String()) }

// EachNode as Request.Survive: the plan survives the loss of each node by itself.
const EachNode = "*"

// Kept is room for so many more replicas of an app.
type Kept struct{ App, Replicas uint32 }

// Request names the planner, its options, and the limits of the run. Only Planner must be set.
type Request struct {
	// Planner from the catalogue, such as "auto".
	Planner string
	// Options of the planner as the catalogue declares them: numbers in Options, words in Words.
	Options map[string]float64
	Words   map[string]string
	Seed    uint64
	// Deadline: wall-clock limit of the run, rounded up to whole milliseconds. 0 = none; if WorkLimit is 0 too, the planner's own
	// deadline applies.
	Deadline time.Duration
	// WorkLimit in work units; 0 = none. An earlier plan's Work as the limit repeats its run exactly, together with its Pace as
	// the option "pace" if that is above 0.
	WorkLimit uint64
	// Threads that the run may use; 0 = 1. The plan does not depend on it.
	Threads uint32
	// NodeLimit is the maximum number of nodes in use; 0 = as many as the instance has.
	NodeLimit uint32
	// IgnoreRunning: running replicas that are not pinned are planned as if they ran nowhere.
	IgnoreRunning bool
	// MoveBudget is the maximum number of running replicas that move to another node.
	MoveBudget uint32
	// Objective to minimize once all replicas are placed. A planner that does not pursue it refuses with ErrUnsupported.
	Objective Objective
	// AllOrNothing: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:"
	// are one application. Replicas that already run stay. A planner that does not honour placement rules refuses with
	// ErrUnsupported.
	AllOrNothing bool
	// Compact: anonymous nodes of one class with the same content are one PlanNode, with their number in Copies.
	Compact bool
	// Soft: how soft rules count beside the objective.
	Soft SoftPolicy
	// SoftPrice of a unit of violation, in nodes or, where prices are given, in their currency. Above 0 only with the policy
	// SoftPrice.
	SoftPrice float64
	// Patience: the search ends once it has found nothing better for this time, rounded up to whole milliseconds; 0 = it does
	// not end for that.
	Patience time.Duration
	// Fill: where not all replicas fit, the most capacity is used instead of placing the most replicas.
	Fill bool
	// MaxCost is the most that side effects may cost a replica, whatever its kind, beside the instance's own limits; 0 = no limit.
	MaxCost float64
	// Keep: the plan keeps room for these replicas, all at once, beside those that it places; no app twice. They count towards the
	// nodes, and nowhere else. Objective LeastNodes only.
	Keep []Kept
	// Survive: the plan's nodes have places for the replicas of lost ones, while all others stay. EachNode: of each node by itself;
	// else the key of a label, such as "zone": of all nodes with the same value. Spare nodes without replicas are added where they
	// are needed, and count as nodes in use. Replicas that are pinned to a lost node are lost with it. "" = no loss. Objective
	// LeastNodes only.
	Survive string
	// LeaveFree is the key of a label, such as "rack": as many as possible of its values have no node with a replica or with load.
	// This comes after placing replicas, and before soft rules, nodes and their cost. "" = nothing is left free on purpose.
	// Objective LeastNodes only; not together with Keep or Survive.
	LeaveFree string
}

func milliseconds(d time.Duration) uint64 {
	return uint64((max(d, 0) + time.Millisecond - 1) / time.Millisecond)
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
	keep, survive, leaveFree := flatbuffers.UOffsetT(0), flatbuffers.UOffsetT(0), flatbuffers.UOffsetT(0)
	if len(r.Keep) > 0 {
		wire.RequestStartKeepVector(e.Builder, len(r.Keep))
		for _, kept := range slices.Backward(r.Keep) {
			wire.CreateKept(e.Builder, kept.App, kept.Replicas)
		}
		keep = e.EndVector(len(r.Keep))
	}
	if r.Survive != "" {
		survive = e.CreateString(r.Survive)
	}
	if r.LeaveFree != "" {
		leaveFree = e.CreateString(r.LeaveFree)
	}
	wire.RequestStart(e.Builder)
	wire.RequestAddPlanner(e.Builder, planner)
	wire.RequestAddOptions(e.Builder, options)
	wire.RequestAddSeed(e.Builder, r.Seed)
	wire.RequestAddDeadlineMs(e.Builder, milliseconds(r.Deadline))
	wire.RequestAddWorkLimit(e.Builder, r.WorkLimit)
	wire.RequestAddThreads(e.Builder, r.Threads)
	wire.RequestAddNodeLimit(e.Builder, r.NodeLimit)
	wire.RequestAddIgnoreRunning(e.Builder, r.IgnoreRunning)
	wire.RequestAddMoveBudget(e.Builder, r.MoveBudget)
	wire.RequestAddObjective(e.Builder, wire.Objective(r.Objective))
	wire.RequestAddAllOrNothing(e.Builder, r.AllOrNothing)
	wire.RequestAddCompact(e.Builder, r.Compact)
	wire.RequestAddSoft(e.Builder, wire.SoftPolicy(r.Soft))
	wire.RequestAddSoftPrice(e.Builder, r.SoftPrice)
	wire.RequestAddPatienceMs(e.Builder, milliseconds(r.Patience))
	wire.RequestAddFill(e.Builder, r.Fill)
	wire.RequestAddMaxCost(e.Builder, r.MaxCost)
	wire.RequestAddKeep(e.Builder, keep)
	wire.RequestAddSurvive(e.Builder, survive)
	wire.RequestAddLeaveFree(e.Builder, leaveFree)
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

// PlanStatus states how good a plan is. It claims no more than is proven.
type PlanStatus uint8

// The statuses of a plan.
const (
	Complete         = PlanStatus(wire.PlanStatusComplete)         // every replica is placed, and what the request asks to keep is kept
	Optimal          = PlanStatus(wire.PlanStatusOptimal)          // complete, and no plan is better (proven)
	Partial          = PlanStatus(wire.PlanStatusPartial)          // some replicas are unplaced, or not all is kept
	InfeasibleProven = PlanStatus(wire.PlanStatusInfeasibleProven) // some replicas are unplaced, and no plan places all (proven)
	Cancelled        = PlanStatus(wire.PlanStatusCancelled)        // the run was cancelled; its best plan
	Deadline         = PlanStatus(wire.PlanStatusDeadline)         // a deadline or work limit ended the run; its best plan
)

func (s PlanStatus) String() string { return kebab(wire.PlanStatus(s).String()) }

// Bound is a lower bound that holds for every complete plan, and the resource and period from which it follows.
type Bound struct {
	Name             string
	Value            float64
	Resource, Period uint32
}

// PlanNode is a node in use, or one that is kept without replicas: its class, and its index among the listed nodes or NoIndex for an anonymous node. It stands for
// Copies nodes with the same content; Copies is 1 except for anonymous nodes of compact plans.
type PlanNode struct{ Class, Listed, Copies uint32 }

// Placement puts Replicas replicas of an app on a node of the plan, and as many on each of the node's copies.
type Placement struct{ App, Node, Replicas uint32 }

// Unplaced is the number of unplaced replicas of an app.
type Unplaced struct{ App, Replicas uint32 }

// RuleViolations sums the violations of placement rules: of soft rules, and of hard rules that were broken at the start. A
// violation is one replica and one rule that does not hold for it.
type RuleViolations struct {
	// Count of violations.
	Count uint64
	// Replicas: the number of different replicas among the violations.
	Replicas uint64
	// Extent, Weight and Cost are sums over the violations: of the extents (P2, Eq. 8), of the rules' weights, and of extent x
	// weight.
	Extent, Weight, Cost float64
}

// Plan states which replicas run on which node, how good the plan is, and which replicas are unplaced. Indices are those of the
// instance.
type Plan struct {
	// Bytes of the plan (plan.fbs), for Verify and other programs. They must not be changed.
	Bytes []byte
	// Instance is the fingerprint of the instance that the plan was made for.
	Instance uint64
	Planner  string
	Status   PlanStatus
	Seed     uint64
	// Work units done. A request with this WorkLimit, and with the option "pace" set to this plan's Pace if above 0, repeats the
	// run.
	Work uint64
	// Pace is the total number of work units for which the search scheduled itself; 0 where it had no schedule.
	Pace uint64
	// Nodes in use, listed ones first. NodesInUse counts their copies.
	Nodes []PlanNode
	// Placements, running replicas included, ordered by node and then by app.
	Placements []Placement
	// Unplaced replicas, ordered by app.
	Unplaced []Unplaced
	// NodeBound is a lower bound on the nodes of any complete plan; nil = not known.
	NodeBound *Bound
	// Gap to the bound on what the plan is judged by, as a share of the bound: of cost where there are prices, else of nodes, or
	// of used capacity where that is the objective; with the policy SoftPrice, violations are included. Negative where no
	// statement is possible.
	Gap float64
	// Cost is the sum of the prices of the nodes in use; negative without prices.
	Cost      float64
	CostBound *Bound
	// InheritedViolations counts constraints that were broken at the start and that the plan makes no worse.
	InheritedViolations uint32
	// Moves is the number of running replicas that the plan puts on another node.
	Moves uint32
	// Ucac is the used capacity at confidence of the nodes in use (P1, definition 2, Eq. 6): the sum of NodeUcac over all copies,
	// in the unit of UcacResource; negative where no demand is uncertain.
	Ucac float64
	// UcacResource is the first resource with uncertain demand; NoIndex = none is uncertain.
	UcacResource uint32
	// UcacBound is a lower bound on Ucac of any complete plan; nil = not known.
	UcacBound *Bound
	// NodeUcac is the used capacity at confidence of each of Nodes, of a single copy (P1, definition 1, Eq. 2): mean + quantile x
	// standard deviation of its demand, in the period where this is highest; nil where no demand is uncertain.
	NodeUcac []float64
	// MaxCost is what side effects cost the replica that suffers most, TotalCost the sum over all replicas (P4, section 2);
	// negative without kinds. The bounds hold for every complete plan; nil = not known.
	MaxCost, TotalCost           float64
	MaxCostBound, TotalCostBound *Bound
	// NodeMaxCost is the cost of the replica that suffers most on each of Nodes; nil without kinds.
	NodeMaxCost []float64
	// LeftOut is the weight of the applications that lack replicas; negative unless the objective is MostAdmitted. LeftOutBound
	// holds for every plan of the request; nil = not known.
	LeftOut      float64
	LeftOutBound *Bound
	// RemoteTraffic is that between replicas that do not share a node; negative without traffic. RemoteTrafficBound is a lower bound
	// on it for any plan.
	RemoteTraffic      float64
	RemoteTrafficBound *Bound
	// MaxCostLimit is Request.MaxCost of the run; 0 = none.
	MaxCostLimit float64
	// RuleViolations; nil = the instance has no placement rules.
	RuleViolations *RuleViolations
	// Objective that the run minimized, how soft rules counted beside it, and what counted where not all replicas fit. The status
	// Optimal and Gap refer to them.
	Objective Objective
	Soft      SoftPolicy
	SoftPrice float64
	Fill      bool
	// Notes on the run that the reader of the plan should know.
	Notes []Note
	// LeftOverBound is what no plan of the request leaves less over than, highest priority first; the highest priority in which a
	// plan differs from it decides. Nil where everything is placed or nothing is known.
	LeftOverBound []LeftOver
	// PlacesMost says that Unplaced is no more than LeftOverBound: it is proven that no plan of the request leaves less over.
	PlacesMost bool
	// Reserved is where there is room for the replicas of Request.Keep, all at once, ordered as Placements. Unreserved counts those
	// without room.
	Reserved   []Placement
	Unreserved []Unplaced
	// Survive is Request.Survive of the run; "" = none.
	Survive string
	// NotSurvived is the number of replicas that the worst of these losses leaves without a place; 0 = the plan survives each of
	// them; nil = not known, for the run ended before all were looked at.
	NotSurvived *uint64
	// LeaveFree is Request.LeaveFree of the run; "" = none.
	LeaveFree string
	// DomainsInUse is the number of values of this label that have a node with a replica or with load; DomainBound is a lower bound
	// on it for any complete plan.
	DomainsInUse, DomainBound uint32
}

// LeftOver is a number of replicas of one priority, at least 1.
type LeftOver struct {
	Priority int32
	Replicas uint64
}

// NoteCode is what a note is about.
type NoteCode uint8

// The codes of notes.
const (
	SearchOff        = NoteCode(wire.NoteCodeSearchOff)        // the plan was not searched for improvements
	NeighbourhoodOff = NoteCode(wire.NoteCodeNeighbourhoodOff) // a part of the search was switched off
	EndedEarly       = NoteCode(wire.NoteCodeEndedEarly)       // the run ended before its limit
	LeftOut          = NoteCode(wire.NoteCodeLeftOut)          // replicas that fit on no node were left out
	IdleRule         = NoteCode(wire.NoteCodeIdleRule)         // a placement rule names a tag that nothing carries, or sets no bound
	Promise          = NoteCode(wire.NoteCodePromise)          // not all the room is kept, or some loss is not survived
	StartPlan        = NoteCode(wire.NoteCodeStartPlan)        // the planner failed, and the plan is that of the start
)

func (c NoteCode) String() string { return kebab(wire.NoteCode(c).String()) }

// Note is something that the reader of a plan should know of its run; Text is a sentence.
type Note struct {
	Code NoteCode
	Text string
}

// NodesInUse is the number of nodes in use, copies included.
func (p *Plan) NodesInUse() (sum uint64) {
	for _, node := range p.Nodes {
		sum += uint64(node.Copies)
	}
	return sum
}

// ReadPlan reads the bytes of a plan from another source. Only Instance.Verify checks whether the plan belongs to the instance
// and satisfies its constraints. Fails as Check.
func ReadPlan(bytes []byte) (*Plan, error) {
	return ReadPlanContext(context.Background(), bytes, Limits{})
}

// ReadPlanContext is ReadPlan with the caller's limits. When ctx ends first, it fails with an error that wraps the context's.
func ReadPlanContext(ctx context.Context, bytes []byte, limits Limits) (*Plan, error) {
	bytes = slices.Clone(bytes)
	if err := CheckContext(ctx, KindPlan, bytes, limits); err != nil {
		return nil, err
	}
	// Check takes an optional column without entries for none.
	root := wire.GetRootAsPlan(bytes, 0)
	if copies := vector(root.Table(), 66, 4); copies != nil && len(copies) != 4*root.NodeClassLength() {
		return nil, &Error{"STOWAGE_MALFORMED", "needs one entry per node", "copies", ErrMalformed}
	}
	return decodePlan(bytes), nil
}

// decodePlan reads bytes that the library made or has checked.
func decodePlan(bytes []byte) *Plan {
	root := wire.GetRootAsPlan(bytes, 0)
	table := root.Table()
	classes, listed, copies := vector(table, 16, 4), vector(table, 18, 4), vector(table, 66, 4)
	plan := &Plan{
		Bytes: bytes, Instance: root.Instance(), Planner: string(root.Planner()), Status: PlanStatus(root.Status()),
		Seed: root.Seed(), Work: root.Work(), Pace: root.Pace(), Gap: root.Gap(), Cost: root.Cost(),
		NodeBound: boundOf(root.NodeBound(nil)), CostBound: boundOf(root.CostBound(nil)),
		InheritedViolations: root.InheritedViolations(), Moves: root.Moves(),
		Ucac: root.Ucac(), UcacResource: root.UcacResource(), UcacBound: boundOf(root.UcacBound(nil)), Objective: Objective(root.Objective()),
		Soft: SoftPolicy(root.Soft()), SoftPrice: root.SoftPrice(), Fill: root.Fill(), PlacesMost: root.PlacesMost(),
		MaxCost: root.MaxCost(), TotalCost: root.TotalCost(), MaxCostLimit: root.MaxCostLimit(),
		MaxCostBound: boundOf(root.MaxCostBound(nil)), TotalCostBound: boundOf(root.TotalCostBound(nil)),
		LeftOut: root.LeftOut(), LeftOutBound: boundOf(root.LeftOutBound(nil)),
		RemoteTraffic: root.RemoteTraffic(), RemoteTrafficBound: boundOf(root.RemoteTrafficBound(nil)),
		NodeUcac: doubles(vector(table, 42, 8)), NodeMaxCost: doubles(vector(table, 88, 8)),
		Placements: placements(vector(table, 20, 12)), Unplaced: counts(vector(table, 22, 8)), Survive: string(root.Survive()),
		LeaveFree: string(root.LeaveFree()), DomainsInUse: root.DomainsInUse(), DomainBound: root.DomainBound(),
	}
	if reserved := vector(table, 100, 12); reserved != nil {
		plan.Reserved = placements(reserved)
	}
	if unreserved := vector(table, 102, 8); unreserved != nil {
		plan.Unreserved = counts(unreserved)
	}
	if left := root.NotSurvived(); left != math.MaxUint64 {
		plan.NotSurvived = &left
	}
	for k := range root.NotesLength() {
		var note wire.Note
		root.Notes(&note, k)
		plan.Notes = append(plan.Notes, Note{NoteCode(note.Code()), string(note.Text())})
	}
	for k := range root.LeftOverBoundLength() {
		var one wire.LeftOver
		root.LeftOverBound(&one, k)
		plan.LeftOverBound = append(plan.LeftOverBound, LeftOver{one.Priority(), one.Replicas()})
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
	plan.Nodes = nodes
	return plan
}

func placements(placed []byte) []Placement {
	all := make([]Placement, len(placed)/12)
	for k := range all {
		entry := (*[12]byte)(placed[12*k:]) // one bounds check for all three
		all[k] = Placement{
			binary.LittleEndian.Uint32(entry[0:]), binary.LittleEndian.Uint32(entry[4:]), binary.LittleEndian.Uint32(entry[8:]),
		}
	}
	return all
}

func counts(left []byte) []Unplaced {
	all := make([]Unplaced, len(left)/8)
	for k := range all {
		entry := (*[8]byte)(left[8*k:])
		all[k] = Unplaced{binary.LittleEndian.Uint32(entry[0:]), binary.LittleEndian.Uint32(entry[4:])}
	}
	return all
}

// doubles copies a vector of doubles; nil = absent.
func doubles(bytes []byte) []float64 {
	if bytes == nil {
		return nil
	}
	values := make([]float64, len(bytes)/8)
	for k := range values {
		values[k] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[8*k:]))
	}
	return values
}

// vector returns the raw content of a vector of scalars or structs without a copy.
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
