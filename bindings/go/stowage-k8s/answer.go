package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	stowage "stowage.dev/go"
)

// A plan that has not become better for this time is good enough: an answer takes up to four.
const patience = 200 * time.Millisecond

// answer is the result of the command, which it prints as text or as JSON.
type answer struct {
	Nodes     int `json:"nodes"`
	Workloads int `json:"workloads"`
	Replicas  int `json:"replicas"`
	// Unplaced replicas on the present nodes, with the reasons.
	Unplaced []unplaced `json:"unplaced"`
	// Add: nodes of each class to add so that the unplaced replicas fit while everything that runs stays.
	Add []need `json:"add"`
	// StillUnplaced: replicas that do not fit on added nodes either, by workload.
	StillUnplaced []unplaced `json:"stillUnplaced"`
	// Afresh: nodes of each class that are needed if everything except pinned pods is planned from scratch; at least Bound.
	Afresh []need  `json:"afresh"`
	Bound  float64 `json:"bound"`
	// CostNow of all present nodes and CostAfresh per hour; absent where a price is not known.
	CostNow    *float64 `json:"costNow,omitempty"`
	CostAfresh *float64 `json:"costAfresh,omitempty"`
	// Emptied: nodes that only daemons use after Moves moves of replicas.
	Emptied []string `json:"emptied"`
	// Free: which racks, or other values of a label, then have no pods; absent unless -leave-free asks for it.
	Free  *freeValues `json:"free,omitempty"`
	Moves uint32      `json:"moves"`
	// Saved per hour without the nodes that are emptied or idle; absent where a price is not known.
	Saved *float64 `json:"saved,omitempty"`
	// MoveList: which replicas move; Rounds: where budgets let only some of them go at once.
	MoveList []move   `json:"moveList"`
	Rounds   []string `json:"rounds,omitempty"`
	// Idle nodes have only daemon pods now, and nothing is placed there.
	Idle []string `json:"idle"`
	// Held: what keeps nodes from being emptied.
	Held []string `json:"held,omitempty"`
	// Unmet preferences on the present nodes.
	Unmet []unmet `json:"unmet"`
	// Broken is the number of constraints that running pods break now.
	Broken  int      `json:"broken"`
	LeftOut []string `json:"leftOut"`
	Notes   []string `json:"notes"`
	// Placements: the plans node by node, where they are asked for.
	Placements *placements `json:"placements,omitempty"`
}

type need struct {
	Class string `json:"class"`
	Nodes int    `json:"nodes"`
}

// unmet is a preference and the number of replicas for which it is not met; 1 for a preference about all replicas together.
type unmet struct {
	Preference string `json:"preference"`
	Replicas   uint32 `json:"replicas"`
}

// freeValues are the values of a label of nodes that are left without pods, but for those of daemons.
type freeValues struct {
	Label  string   `json:"label"`
	Values []string `json:"values"`
	// InUse is the number of the other values, which is at least Bound.
	InUse uint32 `json:"inUse"`
	Bound uint32 `json:"bound"`
}

type unplaced struct {
	Workload string   `json:"workload"`
	Replicas uint32   `json:"replicas"`
	Of       int32    `json:"of"`
	Why      []string `json:"why"`
	Help     []string `json:"help"`
}

type options struct {
	planner  string
	deadline time.Duration
	// work limits each plan in place of the deadline, unless it is 0.
	work   uint64
	moves  uint32
	prices *prices
	// leaveFree is the key of the label whose values are left without pods; "" = none.
	leaveFree string
	// goals, in words, of the plan that empties nodes; none = few nodes or, with prices, low cost.
	goals []string
	// placements: the plans are part of the JSON.
	placements bool
}

// planning answers questions about one cluster.
type planning struct {
	*model
	request stowage.Request
	moves   uint32
	goals   []string
	// placements: answers list their plans node by node.
	placements bool
	// asIs is the plan on the present nodes with all that runs where it is.
	asIs     *stowage.Plan
	instance *stowage.Instance
}

// begin reads a cluster and plans it as it is. The caller closes the instance.
func begin(ctx context.Context, from *objects, with options) (*planning, error) {
	return beginWith(ctx, from, with, nil)
}

// beginWith is begin, with so many replicas less of some workloads.
func beginWith(ctx context.Context, from *objects, with options, less map[string]int32) (*planning, error) {
	honours, err := honoursRules(with.planner)
	if err != nil {
		return nil, err
	}
	c := newCluster(from)
	for _, one := range c.workloads {
		one.replicas -= less[one.String()]
	}
	m := newModel(c, honours, with.prices)
	if err := m.leave(with.leaveFree); err != nil {
		return nil, err
	}
	if err := m.prices.check(m); err != nil {
		return nil, err
	}
	p := &planning{model: m, moves: with.moves, goals: with.goals, placements: with.placements}
	p.request = stowage.Request{Planner: with.planner, Deadline: with.deadline, Patience: patience, Soft: stowage.SoftLast}
	if with.work > 0 {
		p.request.Deadline, p.request.Patience, p.request.WorkLimit = 0, 0, with.work
	}
	if p.instance, err = m.instance(ctx, here, nil); err != nil {
		return nil, err
	}
	if p.asIs, err = p.instance.Plan(ctx, p.request); err != nil {
		p.instance.Close()
		return nil, err
	}
	return p, nil
}

func (p *planning) newAnswer() *answer {
	result := &answer{
		Nodes: len(p.nodes), Workloads: len(p.workloads), Unplaced: []unplaced{}, Add: []need{}, StillUnplaced: []unplaced{},
		Afresh: []need{}, Emptied: []string{}, MoveList: []move{}, Idle: []string{}, Unmet: []unmet{},
		Broken: int(p.asIs.InheritedViolations), LeftOut: p.leftOut, Notes: p.notes,
	}
	for _, one := range p.workloads {
		result.Replicas += int(one.replicas)
	}
	if p.placements {
		result.Placements = &placements{Workloads: p.workloadsAsPlanned(), Present: p.placementsOf(p.asIs)}
	}
	return result
}

// ask plans the cluster four times: as it is, with nodes added, from scratch, and with moves.
func ask(ctx context.Context, from *objects, with options) (*answer, error) {
	p, err := begin(ctx, from, with)
	if err != nil {
		return nil, err
	}
	defer p.instance.Close()
	result := p.newAnswer()
	for _, part := range []func(context.Context, *answer) error{p.fit, p.afresh, p.consolidate} {
		if err := part(ctx, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// fit answers what does not fit, why, and which nodes would take it.
func (p *planning) fit(ctx context.Context, result *answer) (err error) {
	if result.Unmet, err = p.unmet(ctx, p.instance, p.asIs); err != nil {
		return err
	}
	if result.Unplaced, err = p.unplaced(ctx, p.instance, p.asIs, here); err != nil || len(p.asIs.Unplaced) == 0 {
		return err
	}
	larger, err := p.model.instance(ctx, grown, nil)
	if err != nil {
		return err
	}
	defer larger.Close()
	more, err := larger.Plan(ctx, p.request)
	if err != nil {
		return err
	}
	// No nodes are recommended if they place no further replica.
	if total(more) < total(p.asIs) {
		result.Add = p.needs(p.counts(more, true))
		if result.Placements != nil {
			result.Placements.Grown = p.placementsOf(more)
		}
		result.StillUnplaced, err = p.unplaced(ctx, larger, more, grown)
	}
	return err
}

// afresh answers how many nodes of which class all replicas need that fit on any.
func (p *planning) afresh(ctx context.Context, result *answer) error {
	left := make([]uint32, len(p.workloads))
	plan, err := p.planOf(ctx, fresh, left, p.request)
	if err == nil && len(plan.Unplaced) > 0 {
		// The bound holds for plans that place everything, so that what fits nowhere must not be wanted.
		for _, one := range plan.Unplaced {
			left[one.App] = one.Replicas
		}
		plan, err = p.planOf(ctx, fresh, left, p.request)
	}
	if err != nil {
		return err
	}
	if result.Placements != nil {
		result.Placements.Afresh = p.placementsOf(plan)
	}
	counts := p.counts(plan, false)
	result.Afresh = p.needs(counts)
	if plan.NodeBound != nil {
		result.Bound = plan.NodeBound.Value
	}
	present := make([]int, len(p.classes))
	for k, one := range p.classes {
		if present[k] = one.nodes; one.control {
			present[k], counts[k] = 0, 0 // their cost is the same in any case
		}
	}
	if now, known := p.prices.cost(p.model, present); known {
		if after, known := p.prices.cost(p.model, counts); known {
			result.CostNow, result.CostAfresh = &now, &after
		}
	}
	return nil
}

// planOf plans an instance of the model that is needed only once.
func (p *planning) planOf(ctx context.Context, about scope, left []uint32, request stowage.Request) (*stowage.Plan, error) {
	instance, err := p.model.instance(ctx, about, left)
	if err != nil {
		return nil, err
	}
	defer instance.Close()
	return instance.Plan(ctx, request)
}

func honoursRules(planner string) (bool, error) {
	planners, err := stowage.Planners()
	if err != nil {
		return false, err
	}
	for _, one := range planners {
		if one.Name == planner {
			return slices.Contains(one.Honours, "placement-rules"), nil
		}
	}
	return false, fmt.Errorf("there is no planner %q", planner)
}

// unmet lists the soft rules that do not hold.
func (m *model) unmet(ctx context.Context, instance *stowage.Instance, plan *stowage.Plan) ([]unmet, error) {
	found, err := instance.VerifyContext(ctx, plan.Bytes)
	if err != nil {
		return nil, err
	}
	list := []unmet{}
	for k, rule := range m.rulesFor(here) {
		replicas := uint32(0)
		for _, one := range found.RuleViolations {
			if int(one.Rule) == k && !one.Hard {
				replicas += one.Replicas
			}
		}
		if replicas > 0 {
			list = append(list, unmet{rule.Name, replicas})
		}
	}
	return list, nil
}

// counts the nodes of a plan by class: all of them, or with added only the new ones.
func (m *model) counts(plan *stowage.Plan, added bool) []int {
	counts := make([]int, len(m.classes))
	for _, node := range plan.Nodes {
		if !added || node.Listed == stowage.NoIndex {
			counts[node.Class] += int(node.Copies)
		}
	}
	return counts
}

func (m *model) needs(counts []int) []need {
	needs := []need{}
	for k, count := range counts {
		if count > 0 {
			needs = append(needs, need{m.classes[k].name, count})
		}
	}
	return needs
}

func total(plan *stowage.Plan) (sum uint64) {
	for _, one := range plan.Unplaced {
		sum += uint64(one.Replicas)
	}
	return sum
}

func (m *model) unplaced(ctx context.Context, instance *stowage.Instance, plan *stowage.Plan, about scope) ([]unplaced, error) {
	all := []unplaced{}
	if len(plan.Unplaced) == 0 {
		return all, nil
	}
	explanation, err := instance.Explain(ctx, plan)
	if err != nil {
		return nil, err
	}
	explained := map[uint32]stowage.AppExplanation{}
	for _, app := range explanation.Apps {
		explained[app.App] = app
	}
	for _, left := range plan.Unplaced {
		app, known := explained[left.App]
		if !known { // one of very many
			app = stowage.AppExplanation{App: left.App, Unplaced: left.Replicas}
		}
		i := int(left.App)
		examined := m.examine(plan, app, about)
		all = append(all, unplaced{
			Workload: m.workloads[i].String(), Replicas: left.Replicas, Of: m.workloads[i].replicas,
			Why: m.why(i, examined, about), Help: m.help(i, plan, app, examined),
		})
	}
	return all, nil
}
