package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// explainAnswer says which nodes take a pod, and why the others do not.
type explainAnswer struct {
	Pod      string `json:"pod"`
	Workload string `json:"workload"`
	State    string `json:"state"`
	// Requests as texts, by resource.
	Requests []string `json:"requests"`
	Priority int32    `json:"priority"`
	// Takes: the nodes that take one more such pod now.
	Takes []string `json:"takes"`
	Why   []string `json:"why"`
	Help  []string `json:"help"`
	// Held: why it cannot leave its node.
	Held    string   `json:"held,omitempty"`
	LeftOut []string `json:"leftOut"`
	placed  bool
}

func askExplain(ctx context.Context, from *objects, with *call) (report, error) {
	if len(with.operands) != 1 {
		return nil, fmt.Errorf("explain: which pod? NAMESPACE/POD, POD, or NAMESPACE/NAME of a workload")
	}
	p, err := begin(ctx, from, with.options)
	if err != nil {
		return nil, err
	}
	defer p.instance.Close()
	i, pod, err := p.find(with.operands[0])
	if err != nil {
		return nil, err
	}
	one := p.workloads[i]
	result := &explainAnswer{Pod: pod, Workload: one.String(), Priority: one.priority, Takes: []string{}, Why: []string{}, Help: []string{}}
	result.State, result.placed = p.stateOf(from, i, pod)
	if one.pinned || one.held {
		result.Held = one.heldBy
	}
	for _, name := range p.resources {
		if amount := one.requests[name]; amount > 0 && name != "pods" {
			result.Requests = append(result.Requests, p.amount(name, amount))
		}
	}
	explanation, err := p.instance.ExplainApp(ctx, p.asIs, uint32(i))
	if err != nil {
		return nil, err
	}
	for _, app := range explanation.Apps {
		if int(app.App) != i {
			continue
		}
		examined := p.examine(p.asIs, app, here)
		for _, at := range examined {
			if at.none() {
				result.Takes = append(result.Takes, p.nodes[at.node].name)
			}
		}
		if len(result.Takes) < len(p.nodes) {
			result.Why = p.why(i, examined, here)
		}
		result.Help = append(result.Help, p.help(i, p.asIs, app, examined)...)
	}
	part := func(text string) bool {
		return strings.Contains(text, one.key()) || strings.HasPrefix(text, "shared GPUs") || strings.Contains(text, "PreferNoSchedule")
	}
	result.LeftOut = slices.DeleteFunc(slices.Clone(p.leftOut), func(text string) bool { return !part(text) })
	return result, nil
}

// find returns the workload of a pod, or a workload by its own name, and the pod if it is one.
func (p *planning) find(name string) (int, string, error) {
	name = strings.TrimPrefix(name, "pod/")
	var found []int
	var pods, names []string
	for i, one := range p.workloads {
		for _, pod := range one.pods {
			if pod == name || one.namespace+"/"+pod == name {
				found, pods = append(found, i), append(pods, one.namespace+"/"+pod)
			}
		}
	}
	if len(found) == 0 {
		for i, one := range p.workloads {
			if one.name == name || one.namespace+"/"+one.name == name || one.key() == name || one.String() == name {
				found, pods = append(found, i), append(pods, "")
			}
		}
	}
	for _, i := range found {
		names = append(names, p.workloads[i].String())
	}
	switch {
	case len(found) == 0:
		return 0, "", fmt.Errorf("explain: there is no pod or workload %q that the plans place", name)
	case len(found) > 1:
		return 0, "", fmt.Errorf("explain: %q may be one of: %s", name, strings.Join(names, "; "))
	}
	return found[0], pods[0], nil
}

// stateOf says where a pod runs or, where it waits, where the plan puts it.
func (p *planning) stateOf(from *objects, i int, pod string) (string, bool) {
	one := p.workloads[i]
	for k := range from.pods {
		if its := &from.pods[k]; its.Namespace+"/"+its.Name == pod && its.Spec.NodeName != "" {
			return "runs on node " + its.Spec.NodeName, true
		}
	}
	var waits []string
	for _, made := range p.moveList(p.asIs) {
		if made.app == i {
			waits = append(waits, made.To)
		}
	}
	left := uint32(0)
	for _, unplaced := range p.asIs.Unplaced {
		if int(unplaced.App) == i {
			left = unplaced.Replicas
		}
	}
	state := fmt.Sprintf("%d of %d replicas run", one.total(), one.replicas)
	if pod != "" {
		state = "waits"
	}
	if len(one.running) > 0 && pod == "" {
		var names []string
		for _, node := range slices.Sorted(maps.Keys(one.running)) {
			names = append(names, p.nodes[node].name)
		}
		state += " on " + strings.Join(names, ", ")
	}
	if len(waits) > 0 {
		state += "; there is room on " + strings.Join(waits, ", ")
	}
	if left > 0 {
		state += fmt.Sprintf("; there is no room for %d", left)
	}
	return state, left == 0
}

func (e *explainAnswer) fits() bool { return e.placed }

func (e *explainAnswer) print(out io.Writer) {
	if e.Pod != "" {
		fmt.Fprintf(out, "pod %s of %s\n", e.Pod, e.Workload)
	} else {
		fmt.Fprintln(out, e.Workload)
	}
	fmt.Fprintf(out, "  %s\n", e.State)
	if len(e.Requests) > 0 {
		fmt.Fprintf(out, "  requests %s\n", strings.Join(e.Requests, ", "))
	}
	if e.Priority != 0 {
		fmt.Fprintf(out, "  priority %d\n", e.Priority)
	}
	if e.Held != "" {
		fmt.Fprintf(out, "  cannot leave its node: %s\n", e.Held)
	}
	takes := e.Takes
	if len(takes) == 0 {
		takes = []string{"none"}
	}
	printLines(out, "Nodes that take one more", takes)
	printLines(out, "Why others do not", e.Why)
	printLines(out, "What would help", e.Help)
	printLines(out, "Not taken into account", e.LeftOut)
}
