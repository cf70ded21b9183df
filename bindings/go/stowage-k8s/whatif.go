package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// whatIfAnswer is what does not fit after a change.
type whatIfAnswer struct {
	answer
	Changes []string `json:"changes"`
	// Evicted is the number of pods that lose their node; Lost are those that nothing makes again.
	Evicted int      `json:"evicted"`
	Lost    []string `json:"lost"`
	// Before is the number of replicas that did not fit before the change.
	Before uint64 `json:"before"`
	// Moves: where the pods of failed nodes would go; Short: why no way to place all of them exists, where this is known.
	Moves []move `json:"moves"`
	Short string `json:"short,omitempty"`
}

func askWhatIf(ctx context.Context, from *objects, with *call) (report, error) {
	if len(with.change.texts) == 0 {
		return nil, fmt.Errorf("whatif: give at least one of --replicas, --zone-down, --node-down, --add")
	}
	before, err := begin(ctx, from, with.options)
	if err != nil {
		return nil, err
	}
	before.instance.Close()
	all := *from
	gone, err := from.apply(&with.change)
	if err != nil {
		return nil, err
	}
	down := map[string]bool{}
	for _, one := range all.nodes {
		down[one.Name] = !slices.ContainsFunc(from.nodes, func(other corev1.Node) bool { return other.Name == one.Name })
	}
	found := &loss{}
	if onlyLoss := len(with.change.replicas)+len(with.change.add) == 0; onlyLoss {
		all.pods = slices.DeleteFunc(slices.Clone(all.pods), func(pod corev1.Pod) bool {
			return slices.Contains(gone.lost, pod.Namespace+"/"+pod.Name)
		})
		if found, err = all.lossOf(ctx, with.options, down, gone); err != nil {
			return nil, err
		}
	}
	after, err := from.afterLoss(ctx, with.options, found, before)
	if err != nil {
		return nil, err
	}
	defer after.instance.Close()
	result := &whatIfAnswer{
		answer: *after.newAnswer(), Changes: with.change.texts, Evicted: len(gone.pods), Lost: append([]string{}, gone.lost...),
		Before: total(before.asIs), Moves: append([]move{}, after.arrivals(before, down)...),
	}
	if found.short != "" {
		result.Short = found.shortText()
	}
	if err := after.fit(ctx, &result.answer); err != nil {
		return nil, err
	}
	return result, nil
}

func (a *whatIfAnswer) print(out io.Writer) {
	fmt.Fprintf(out, "If %s\n", strings.Join(a.Changes, ", and "))
	fmt.Fprintf(out, "%d nodes, %d workloads with %d replicas; %d pods lose their node; replicas that did not fit before: %d\n",
		a.Nodes, a.Workloads, a.Replicas, a.Evicted, a.Before)
	if len(a.Moves) > 0 {
		fmt.Fprintln(out, "\nWhere pods of failed nodes would go")
		printMoves(out, a.Moves)
	}
	a.printFit(out)
	if a.Short != "" {
		fmt.Fprintf(out, "\nThere is no better way: %s\n", a.Short)
	}
	printLines(out, "Pods that are lost, because no controller makes them again", a.Lost)
	printLines(out, "Read with care", a.Notes)
	printLines(out, "Not taken into account", a.LeftOut)
}

// drainAnswer says where the pods of some nodes would go.
type drainAnswer struct {
	Drained []string `json:"drained"`
	// Evicted is the number of pods that have to leave, Lost are those that nothing makes again.
	Evicted int      `json:"evicted"`
	Lost    []string `json:"lost"`
	// Blocked: what a budget or a job keeps from leaving now.
	Blocked []string `json:"blocked"`
	Moves   []move   `json:"moves"`
	Rounds  []string `json:"rounds,omitempty"`
	// Unplaced replicas for which no other node has room; those that had none before do not count.
	Unplaced []unplaced `json:"unplaced"`
	LeftOut  []string   `json:"leftOut"`
	Notes    []string   `json:"notes"`
}

func askDrain(ctx context.Context, from *objects, with *call) (report, error) {
	if len(with.operands) == 0 {
		return nil, fmt.Errorf("drain: which nodes?")
	}
	drained := map[string]bool{}
	for _, name := range with.operands {
		drained[strings.TrimPrefix(name, "node/")] = true
	}
	before, err := begin(ctx, from, with.options)
	if err != nil {
		return nil, err
	}
	before.instance.Close()
	result := &drainAnswer{
		Drained: slices.Sorted(maps.Keys(drained)), Lost: []string{}, Moves: []move{}, Unplaced: []unplaced{}, Blocked: []string{},
	}
	leaving := map[string]map[int]uint32{}
	for k, node := range before.nodes {
		if !drained[node.name] {
			continue
		}
		for _, one := range before.workloads {
			if count := one.running[k]; count > 0 {
				if leaving[one.String()] == nil {
					leaving[one.String()] = map[int]uint32{}
				}
				leaving[one.String()][k] = count
				if one.held {
					result.Blocked = append(result.Blocked, fmt.Sprintf("%s on node %s: %s", one, node.name, one.heldBy))
				}
			}
		}
	}
	for name := range drained {
		if !slices.ContainsFunc(before.nodes, func(one *node) bool { return one.name == name }) {
			return nil, fmt.Errorf("drain: there is no node %q", name)
		}
	}
	for k := range from.nodes {
		if drained[from.nodes[k].Name] {
			from.nodes[k].Spec.Unschedulable = true
		}
	}
	gone := from.evict(drained)
	result.Evicted, result.Lost = len(gone.pods), append(result.Lost, gone.lost...)
	return result, result.place(ctx, before, from, with, leaving)
}

// place plans the evicted pods on the other nodes, without the replicas that had no place before.
func (d *drainAnswer) place(ctx context.Context, before *planning, from *objects, with *call, leaving map[string]map[int]uint32) error {
	left := map[string]int32{}
	for _, one := range before.asIs.Unplaced {
		left[before.workloads[one.App].String()] = int32(one.Replicas)
	}
	after, err := beginWith(ctx, from, with.options, left)
	if err != nil {
		return err
	}
	defer after.instance.Close()
	for _, one := range after.nodes {
		if slices.Contains(d.Drained, one.name) {
			one.closedBy = "is drained"
		}
	}
	for _, one := range after.moveList(after.asIs) {
		nodes := leaving[one.Workload]
		for one.From == "" && one.Replicas > 0 && len(nodes) > 0 {
			node := slices.Min(slices.Collect(maps.Keys(nodes)))
			part := one
			part.From, part.Replicas = before.nodes[node].name, min(nodes[node], one.Replicas)
			one.Replicas -= part.Replicas
			if nodes[node] -= part.Replicas; nodes[node] == 0 {
				delete(nodes, node)
			}
			d.Moves = append(d.Moves, part)
		}
	}
	d.Rounds, d.LeftOut, d.Notes = before.rounds(d.Moves), after.leftOut, after.notes
	d.Unplaced, err = after.unplaced(ctx, after.instance, after.asIs, here)
	return err
}

func (d *drainAnswer) fits() bool { return len(d.Unplaced)+len(d.Blocked) == 0 }

func (d *drainAnswer) print(out io.Writer) {
	fmt.Fprintf(out, "Draining %s: %d pods have to leave\n", strings.Join(d.Drained, ", "), d.Evicted+len(d.Lost))
	if len(d.Moves) > 0 {
		fmt.Fprintln(out, "\nWhere they would go")
		printMoves(out, d.Moves)
	}
	fmt.Fprintln(out, "\nWhat does not fit on the other nodes")
	printUnplaced(out, d.Unplaced)
	printLines(out, "Pods that may not leave now", d.Blocked)
	printLines(out, "Pods that are lost, because no controller makes them again", d.Lost)
	printLines(out, "Moves that take several rounds", d.Rounds)
	printLines(out, "Read with care", d.Notes)
	printLines(out, "Not taken into account", d.LeftOut)
}
