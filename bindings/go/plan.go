package stowage

import (
	"context"
	"maps"
	"slices"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/wire"
)

// EachNode as Request.Survive: the plan survives the loss of each node by itself.
const EachNode = "*"

func milliseconds(d time.Duration) uint64 {
	return uint64((max(d, 0) + time.Millisecond - 1) / time.Millisecond)
}

func (r Request) bytes() []byte {
	e := &encoder{Builder: flatbuffers.NewBuilder(256)}
	return e.finish(writeRequest(e, &r), "STOR")
}

// planning writes the options of a planner in the order of their names: numbers, then words.
func (e *encoder) planning(options map[string]float64, words map[string]string) flatbuffers.UOffsetT {
	if len(options)+len(words) == 0 {
		return 0
	}
	numbers, texts := slices.Sorted(maps.Keys(options)), slices.Sorted(maps.Keys(words))
	return e.offsets(len(numbers)+len(texts), func(k int) flatbuffers.UOffsetT {
		if k < len(numbers) {
			return e.option(numbers[k], options[numbers[k]], 0)
		}
		name := texts[k-len(numbers)]
		return e.option(name, 0, e.CreateString(words[name]))
	})
}

func (e *encoder) option(name string, number float64, text flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	nameAt := e.CreateString(name)
	wire.RequestOptionStart(e.Builder)
	wire.RequestOptionAddName(e.Builder, nameAt)
	wire.RequestOptionAddNumber(e.Builder, number)
	wire.RequestOptionAddText(e.Builder, text)
	return wire.RequestOptionEnd(e.Builder)
}

// PlanNode is a node in use, or one that is kept without replicas: its class, and its index among the listed nodes or NoIndex for an
// anonymous node. It stands for Copies nodes with the same content; Copies is 1 except for anonymous nodes of compact plans.
type PlanNode struct{ Class, Listed, Copies uint32 }

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

// violationsOf is nil where the instance has no rules.
func violationsOf(sums RuleViolations) *RuleViolations {
	if sums.Cost < 0 {
		return nil
	}
	return &sums
}

func planNodes(classes, listed, copies []uint32) []PlanNode {
	nodes := make([]PlanNode, len(classes))
	for k := range nodes {
		nodes[k] = PlanNode{classes[k], listed[k], 1}
		if copies != nil {
			nodes[k].Copies = copies[k]
		}
	}
	return nodes
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
	if table := root.Table(); table.Offset(66) != 0 && root.CopiesLength() != root.NodeClassLength() {
		return nil, &Error{"STOWAGE_MALFORMED", "needs one entry per node", "copies", ErrMalformed}
	}
	return decodePlan(bytes), nil
}

// decodePlan reads bytes that the library made or has checked.
func decodePlan(bytes []byte) *Plan {
	plan := readPlan(rootOf(bytes))
	plan.Bytes = bytes
	return &plan
}
