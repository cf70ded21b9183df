package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	stowage "stowage.dev/go"
)

// move is replicas of a workload that go from one node to another; From is "" for those that run nowhere yet.
type move struct {
	Workload string `json:"workload"`
	Replicas uint32 `json:"replicas"`
	From     string `json:"from,omitempty"`
	To       string `json:"to"`
	app      int
}

// consolidate answers which nodes can be emptied. The plan with moves is about the replicas that have a place now: those that
// have none do not decide whether a node is worth emptying, and a plan that loses one of the others is not used.
func (p *planning) consolidate(ctx context.Context, result *answer) error {
	left := make([]uint32, len(p.workloads))
	for _, one := range p.asIs.Unplaced {
		left[one.App] = one.Replicas
	}
	instance, err := p.model.instance(ctx, moving, left)
	if err != nil {
		return err
	}
	defer instance.Close()
	request := p.request
	request.MoveBudget, request.LeaveFree = p.moves, p.leaveFree
	if len(p.goals) > 0 {
		request.Goals, request.Soft = goalsOf(p.goals), stowage.SoftFirst
	}
	plan, err := instance.Plan(ctx, request)
	if err != nil {
		return err
	}
	if len(plan.Unplaced) > 0 {
		plan = p.asIs // the run was too short to place even what fits
	} else if len(p.goals) > 0 {
		// The goals say what moves are worth.
	} else if plan, err = p.withFewerMoves(ctx, instance, plan, request); err != nil {
		return err
	}
	if result.Placements != nil {
		result.Placements.Emptied = p.placementsOf(plan)
	}
	p.emptied(plan, result)
	return nil
}

// goalsOf are goals in words, and after them preferences, unless one of them names these.
func goalsOf(words []string) []stowage.PlanGoal {
	goals := []stowage.PlanGoal{}
	for _, one := range words {
		goals = append(goals, stowage.PlanGoal{Words: one})
	}
	if soft := stowage.GoalSoftRules; !strings.Contains(strings.Join(words, ","), soft.String()) {
		goals = append(goals, stowage.PlanGoal{What: soft})
	}
	return goals
}

// mostRepeats is how often a plan is repeated with fewer moves.
const mostRepeats = 3

// withFewerMoves looks for a plan that frees as much with fewer moves, since plans spare no move of their budget. To empty some
// nodes takes at least as many moves as the least busy of them have replicas.
func (p *planning) withFewerMoves(ctx context.Context, instance *stowage.Instance, plan *stowage.Plan, request stowage.Request) (*stowage.Plan, error) {
	replicas := p.replicasByNode()
	gain, busy := p.gain(plan, replicas)
	for range mostRepeats {
		least := leastMoves(replicas, busy)
		if plan.Moves <= least || busy == 0 {
			break
		}
		request.MoveBudget = least + (plan.Moves-least)/2
		other, err := instance.Plan(ctx, request)
		if err != nil {
			return nil, err
		}
		otherGain, otherBusy := p.gain(other, replicas)
		if len(other.Unplaced) > 0 || otherGain < gain || other.DomainsInUse > plan.DomainsInUse {
			break
		}
		plan, gain, busy = other, otherGain, otherBusy
	}
	return plan, nil
}

// gain is what a plan frees: the cost of the nodes or, without prices that decide, their number. Of them, busy have replicas now.
func (p *planning) gain(plan *stowage.Plan, replicas []uint32) (gain float64, busy int) {
	freed := make([]int, len(p.classes))
	for k, used := range p.used(plan) {
		if used || p.classes[p.nodes[k].class].control {
			continue
		}
		freed[p.nodes[k].class]++
		gain++
		if replicas[k] > 0 {
			busy++
		}
	}
	if cost, known := p.prices.cost(p.model, freed); known && p.prices.decide {
		gain = cost
	}
	return gain, busy
}

// leastMoves is how many replicas run on so many of the nodes with fewest.
func leastMoves(replicas []uint32, nodes int) (sum uint32) {
	counts := slices.DeleteFunc(slices.Clone(replicas), func(count uint32) bool { return count == 0 })
	slices.Sort(counts)
	for _, count := range counts[:nodes] {
		sum += count
	}
	return sum
}

// replicasByNode counts what runs on each node and is no daemon.
func (m *model) replicasByNode() []uint32 {
	counts := make([]uint32, len(m.nodes))
	for _, one := range m.workloads {
		for node, replicas := range one.running {
			counts[node] += replicas
		}
	}
	return counts
}

// used are the present nodes with replicas under a plan.
func (p *planning) used(plan *stowage.Plan) []bool {
	used := make([]bool, len(p.nodes))
	for _, one := range plan.Placements {
		if listed := plan.Nodes[one.Node].Listed; listed != stowage.NoIndex && int(one.App) < len(p.workloads) {
			used[listed] = true
		}
	}
	return used
}

// emptied finds the nodes with running replicas that are empty under a plan, and those that are empty now and stay so.
func (p *planning) emptied(plan *stowage.Plan, result *answer) {
	used, freed := p.used(plan), make([]int, len(p.classes))
	for k, one := range p.nodes {
		if used[k] || p.classes[one.class].control {
			continue
		}
		freed[one.class]++
		if p.busy(k) {
			result.Emptied = append(result.Emptied, one.name)
		} else {
			result.Idle = append(result.Idle, one.name)
		}
	}
	result.Held = p.heldNodes()
	result.Free = p.freeValues(plan, used)
	if saved, known := p.prices.cost(p.model, freed); known && len(result.Emptied)+len(result.Idle) > 0 {
		result.Saved = &saved
	}
	if len(result.Emptied) > 0 {
		result.Moves, result.MoveList = plan.Moves, p.moveList(plan)
		result.Rounds = p.rounds(slices.DeleteFunc(slices.Clone(result.MoveList), func(one move) bool { return one.From == "" }))
	}
}

// leave says which label's values are to be left without pods.
func (m *model) leave(label string) error {
	has := func(one *node) bool { _, found := one.labels[label]; return found }
	if label != "" && !slices.ContainsFunc(m.nodes, has) {
		return fmt.Errorf("-leave-free: no node has the label %s", label)
	}
	m.leaveFree = label
	return nil
}

// freeValues are the values of the label that no used node has.
func (p *planning) freeValues(plan *stowage.Plan, used []bool) *freeValues {
	if p.leaveFree == "" {
		return nil
	}
	inUse := map[string]bool{}
	for k, one := range p.nodes {
		if value, has := one.labels[p.leaveFree]; has {
			inUse[value] = inUse[value] || used[k]
		}
	}
	free := &freeValues{Label: p.leaveFree, Values: []string{}, Bound: plan.DomainBound}
	for _, value := range slices.Sorted(maps.Keys(inUse)) {
		if inUse[value] {
			free.InUse++
		} else {
			free.Values = append(free.Values, value)
		}
	}
	return free
}

func (m *model) busy(node int) bool {
	return slices.ContainsFunc(m.workloads, func(one *workload) bool { return one.running[node] > 0 })
}

// moveList pairs the nodes that replicas leave with those where they are under the plan.
func (m *model) moveList(plan *stowage.Plan) []move {
	list := []move{}
	then := make([]map[int]uint32, len(m.workloads))
	for _, one := range plan.Placements {
		if listed := plan.Nodes[one.Node].Listed; listed != stowage.NoIndex && int(one.App) < len(m.workloads) {
			if then[one.App] == nil {
				then[one.App] = map[int]uint32{}
			}
			then[one.App][int(listed)] += one.Replicas
		}
	}
	for i, one := range m.workloads {
		var from []int
		for _, node := range slices.Sorted(maps.Keys(one.running)) {
			for range int(one.running[node]) - int(min(then[i][node], one.running[node])) {
				from = append(from, node)
			}
		}
		for _, node := range slices.Sorted(maps.Keys(then[i])) {
			for range int(then[i][node]) - int(min(one.running[node], then[i][node])) {
				made := move{Workload: one.String(), Replicas: 1, To: m.nodes[node].name, app: i}
				if len(from) > 0 {
					made.From, from = m.nodes[from[0]].name, from[1:]
				}
				if last := len(list) - 1; last >= 0 && list[last].app == i && list[last].From == made.From && list[last].To == made.To {
					list[last].Replicas++
				} else {
					list = append(list, made)
				}
			}
		}
	}
	return list
}

// heldNodes names, for each node with pods that cannot leave it, these pods and why.
func (m *model) heldNodes() (lines []string) {
	for k, node := range m.nodes {
		if m.classes[node.class].control {
			continue
		}
		var reasons []string
		for _, one := range m.workloads {
			if one.running[k] > 0 && (one.pinned || one.held) {
				reasons = append(reasons, fmt.Sprintf("%s (%s)", one, one.heldBy))
			}
		}
		if len(reasons) > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", node.name, strings.Join(reasons, ", ")))
		}
	}
	return lines
}
