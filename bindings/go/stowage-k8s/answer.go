package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
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
	// Emptied: nodes that only daemons use after Moves moves of replicas.
	Emptied []string `json:"emptied"`
	Moves   uint32   `json:"moves"`
	// Unmet preferences on the present nodes.
	Unmet []unmet `json:"unmet"`
	// Broken is the number of constraints that running pods break now.
	Broken  int      `json:"broken"`
	LeftOut []string `json:"leftOut"`
	Notes   []string `json:"notes"`
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
	prices map[string]float64
}

// ask plans the cluster four times: as it is, with nodes added, from scratch, and with moves.
func ask(ctx context.Context, from *objects, with options) (*answer, error) {
	honours, err := honoursRules(with.planner)
	if err != nil {
		return nil, err
	}
	m := newModel(newCluster(from), honours, with.prices)
	for name := range with.prices {
		if !slices.ContainsFunc(m.classes, func(one *class) bool { return one.name == name }) {
			return nil, fmt.Errorf("--price: there is no class %q; there are: %s", name, strings.Join(m.classNames(), "; "))
		}
	}
	result := &answer{
		Nodes: len(m.nodes), Workloads: len(m.workloads), Add: []need{}, StillUnplaced: []unplaced{}, LeftOut: m.leftOut, Notes: m.notes,
	}
	for _, one := range m.workloads {
		result.Replicas += int(one.replicas)
	}
	instances := map[scope]*stowage.Instance{}
	for _, about := range []scope{here, moving, grown} {
		instance, err := m.instance(about)
		if err != nil {
			return nil, err
		}
		defer instance.Close()
		instances[about] = instance
	}
	request := stowage.Request{Planner: with.planner, Deadline: with.deadline, Patience: patience, Soft: stowage.SoftLast}
	if with.work > 0 {
		request.Deadline, request.Patience, request.WorkLimit = 0, 0, with.work
	}

	asIs, err := instances[here].Plan(ctx, request)
	if err != nil {
		return nil, err
	}
	result.Broken = int(asIs.InheritedViolations)
	if result.Unmet, err = m.unmet(instances[here], asIs); err != nil {
		return nil, err
	}
	if result.Unplaced, err = m.unplaced(ctx, instances[here], asIs, here); err != nil {
		return nil, err
	}
	if len(asIs.Unplaced) > 0 {
		more, err := instances[grown].Plan(ctx, request)
		if err != nil {
			return nil, err
		}
		// No nodes are recommended if they place no further replica.
		if total(more) < total(asIs) {
			result.Add = m.needs(more, true)
			if result.StillUnplaced, err = m.unplaced(ctx, instances[grown], more, grown); err != nil {
				return nil, err
			}
		}
	}
	fresh := request
	fresh.IgnoreRunning = true
	afresh, err := instances[grown].Plan(ctx, fresh)
	if err != nil {
		return nil, err
	}
	result.Afresh = m.needs(afresh, false)
	if afresh.NodeBound != nil {
		result.Bound = afresh.NodeBound.Value
	}
	emptying := request
	emptying.MoveBudget = with.moves
	moved, err := instances[moving].Plan(ctx, emptying)
	if err != nil {
		return nil, err
	}
	m.emptied(moved, asIs, result)
	return result, nil
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
func (m *model) unmet(instance *stowage.Instance, plan *stowage.Plan) ([]unmet, error) {
	found, err := instance.Verify(plan.Bytes)
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

func (m *model) classNames() []string {
	var names []string
	for _, one := range m.classes {
		names = append(names, one.name)
	}
	return names
}

// needs counts the nodes of a plan by class: all of them, or with added only the new ones.
func (m *model) needs(plan *stowage.Plan, added bool) []need {
	counts := make([]int, len(m.classes))
	for _, node := range plan.Nodes {
		if !added || node.Listed == stowage.NoIndex {
			counts[node.Class] += int(node.Copies)
		}
	}
	needs := []need{}
	for k, count := range counts {
		if count > 0 {
			needs = append(needs, need{m.classes[k].name, count})
		}
	}
	return needs
}

// emptied finds nodes with running replicas that are empty under the plan moved, provided that it leaves no more replicas
// unplaced.
func (m *model) emptied(moved, asIs *stowage.Plan, result *answer) {
	result.Emptied = []string{}
	if total(moved) > total(asIs) {
		return
	}
	busy := make([]bool, len(m.nodes))
	for _, one := range m.workloads {
		for node := range one.running {
			busy[node] = true
		}
	}
	used := make([]bool, len(m.nodes))
	for _, one := range moved.Placements {
		if listed := moved.Nodes[one.Node].Listed; listed != stowage.NoIndex {
			used[listed] = true
		}
	}
	for k, one := range m.nodes {
		if busy[k] && !used[k] {
			result.Emptied = append(result.Emptied, one.name)
		}
	}
	if len(result.Emptied) > 0 {
		result.Moves = moved.Moves
	}
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
	for _, left := range plan.Unplaced {
		one := unplaced{Workload: m.workloads[left.App].String(), Replicas: left.Replicas, Of: m.workloads[left.App].replicas}
		for _, app := range explanation.Apps {
			if app.App == left.App {
				one.Why, one.Help = m.why(plan, app, m.rulesFor(about)), m.help(plan, app)
			}
		}
		all = append(all, one)
	}
	return all, nil
}

func (m *model) nodeName(plan *stowage.Plan, node, class uint32) string {
	if node == stowage.NoIndex {
		return "a new node of " + m.classes[class].name
	}
	if listed := plan.Nodes[node].Listed; listed != stowage.NoIndex {
		return "node " + m.nodes[listed].name
	}
	return "an added node of " + m.classes[class].name
}

func (m *model) amount(resource uint32, amount float64) string {
	return strings.Join(strings.Fields(fmt.Sprintf("%.6g %s of %s", amount, unitOf(m.resources[resource]), m.resources[resource])), " ")
}

func (m *model) why(plan *stowage.Plan, app stowage.AppExplanation, rules []stowage.Rule) []string {
	var lines []string
	for _, near := range app.Closest {
		var reasons []string
		for _, one := range near.Obstacles {
			switch {
			case one.Kind == "capacity" && int(one.Resource) >= len(m.resources):
				reasons = append(reasons, "its selector, affinity, spread or tolerations do not let it run there")
			case one.Kind == "capacity":
				reasons = append(reasons, "short of "+m.amount(one.Resource, one.Amount))
			case one.Kind == "affinity-limit":
				reasons = append(reasons, fmt.Sprintf("%s keeps it away", m.workloads[one.Other]))
			case one.Kind == "imposed-limit":
				reasons = append(reasons, fmt.Sprintf("it keeps away from %s", m.workloads[one.Other]))
			case one.Kind == "self-limit":
				reasons = append(reasons, "a replica of it is there already")
			case one.Kind == "closed-node":
				reasons = append(reasons, "takes no more pods")
			case one.Kind == "placement-rule":
				reasons = append(reasons, "against "+rules[one.Other].Name)
			default:
				reasons = append(reasons, one.Kind)
			}
		}
		if len(reasons) > 0 {
			lines = append(lines, m.nodeName(plan, near.Node, near.Class)+": "+strings.Join(reasons, ", "))
		}
	}
	return lines
}

func (m *model) help(plan *stowage.Plan, app stowage.AppExplanation) []string {
	var lines []string
	for _, one := range app.Relaxations {
		switch {
		case one.Kind == "add-node":
			lines = append(lines, "one more node of "+m.classes[one.Class].name)
		case one.Kind == "add-capacity" && int(one.Resource) < len(m.resources):
			lines = append(lines, m.amount(one.Resource, one.Amount)+" more on "+m.nodeName(plan, one.Node, one.Class))
		case one.Kind == "open-node":
			lines = append(lines, "uncordoning "+m.nodeName(plan, one.Node, one.Class))
		}
	}
	return lines
}

// print writes the answer as text.
func (a *answer) print(out io.Writer) {
	say := func(format string, values ...any) { fmt.Fprintf(out, format+"\n", values...) }
	say("%d nodes, %d workloads with %d replicas", a.Nodes, a.Workloads, a.Replicas)
	if a.Broken > 0 {
		say("Constraints that are broken by what runs now: %d", a.Broken)
	}
	say("\nWhat does not fit on the nodes there are")
	printUnplaced(out, a.Unplaced)
	if len(a.Unplaced) > 0 {
		say("\nNodes to add, with all that runs left where it is")
		printNeeds(out, a.Add)
		if len(a.StillUnplaced) > 0 {
			say("  and even then does not fit:")
			printUnplaced(out, a.StillUnplaced)
		}
	}
	say("\nNodes needed if everything were planned afresh (at least %g)", a.Bound)
	printNeeds(out, a.Afresh)
	say("\nNodes that could be emptied")
	if len(a.Emptied) == 0 {
		say("  none")
	} else {
		say("  %s, by moving %d replicas", strings.Join(a.Emptied, ", "), a.Moves)
	}
	if len(a.Unmet) > 0 {
		say("\nPreferences that are not met on the nodes there are")
		for _, one := range a.Unmet {
			say("  %s: %d", one.Preference, one.Replicas)
		}
	}
	printLines(out, "Read with care", a.Notes)
	printLines(out, "Not taken into account", a.LeftOut)
}

func printLines(out io.Writer, title string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(out, "\n%s\n  %s\n", title, strings.Join(lines, "\n  "))
	}
}

func printNeeds(out io.Writer, needs []need) {
	if len(needs) == 0 {
		fmt.Fprintln(out, "  none")
	}
	for _, one := range needs {
		fmt.Fprintf(out, "  %d of %s\n", one.Nodes, one.Class)
	}
}

func printUnplaced(out io.Writer, list []unplaced) {
	if len(list) == 0 {
		fmt.Fprintln(out, "  nothing")
	}
	for _, one := range list {
		fmt.Fprintf(out, "  %s: %d of %d replicas\n", one.Workload, one.Replicas, one.Of)
		for _, line := range one.Why {
			fmt.Fprintf(out, "    %s\n", line)
		}
		if len(one.Help) > 0 {
			fmt.Fprintf(out, "    what would help: %s\n", strings.Join(one.Help, ", or "))
		}
	}
}
