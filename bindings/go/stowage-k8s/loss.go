package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	stowage "stowage.dev/go"
)

// loss is what the library says about pods whose nodes fail, while all others stay where they are.
type loss struct {
	// to are the nodes of those for which there is a place, by namespace and name.
	to map[string]string
	// short is what the other nodes have too little of in all, so that no way to place all exists; "" = nothing.
	short string
}

// lossOf asks which pods of failed nodes find another one; gone are those pods.
func (o *objects) lossOf(ctx context.Context, with options, down map[string]bool, gone evicted) (*loss, error) {
	honours, err := honoursRules(with.planner)
	if err != nil {
		return nil, err
	}
	c := newCluster(o)
	for _, one := range c.workloads {
		// Jobs start again elsewhere, where their nodes fail.
		one.pinned = false
	}
	m := newModel(c, honours, with.prices)
	var lost []uint32
	for k, one := range m.nodes {
		if down[one.name] {
			lost = append(lost, uint32(k))
		}
	}
	instance, err := m.instance(ctx, here, nil)
	if err != nil {
		return nil, err
	}
	defer instance.Close()
	answers, err := instance.Losses(ctx, nil, stowage.LossQuestion{Nodes: lost})
	if err != nil || len(answers) == 0 {
		return nil, cmp.Or(err, ctx.Err())
	}
	return m.lossFrom(&answers[0], gone), nil
}

// lossFrom gives the places that were found to single pods.
func (m *model) lossFrom(answer *stowage.Loss, gone evicted) *loss {
	found := &loss{to: map[string]string{}}
	if answer.ShortResource != stowage.NoIndex {
		found.short = m.amount(m.resources[answer.ShortResource], answer.ShortAmount)
	}
	waiting := make([][]string, len(m.workloads))
	for k, one := range m.workloads {
		for _, name := range one.pods {
			if pod := one.namespace + "/" + name; gone.pods[pod] != "" {
				waiting[k] = append(waiting[k], pod)
			}
		}
	}
	for _, one := range answer.Moves {
		placed := waiting[one.App][:one.Replicas]
		waiting[one.App] = waiting[one.App][one.Replicas:]
		for _, pod := range placed {
			if one.To != stowage.NoIndex {
				found.to[pod] = m.nodes[one.To].name
			}
		}
	}
	return found
}

// moved returns the objects with the pods on the nodes that were found for them.
func (o *objects) moved(to map[string]string) *objects {
	after := *o
	after.pods = slices.Clone(o.pods)
	for k := range after.pods {
		if node, has := to[after.pods[k].Namespace+"/"+after.pods[k].Name]; has {
			after.pods[k].Spec.NodeName = node
		}
	}
	return &after
}

// arrivals are the moves from failed nodes to where their replicas are under a plan of what remains.
func (p *planning) arrivals(before *planning, down map[string]bool) (moves []move) {
	ran := map[string]map[string]uint32{}
	for _, one := range before.workloads {
		ran[one.String()] = map[string]uint32{}
		for k, count := range one.running {
			ran[one.String()][before.nodes[k].name] = count
		}
	}
	then := make([]map[string]uint32, len(p.workloads))
	for k := range then {
		then[k] = map[string]uint32{}
	}
	for _, one := range p.asIs.Placements {
		if listed := p.asIs.Nodes[one.Node].Listed; listed != stowage.NoIndex {
			then[one.App][p.nodes[listed].name] += one.Replicas
		}
	}
	for k, one := range p.workloads {
		from := ran[one.String()]
		failed := slices.Sorted(maps.Keys(from))
		failed = slices.DeleteFunc(failed, func(node string) bool { return !down[node] })
		for _, node := range slices.Sorted(maps.Keys(then[k])) {
			more := then[k][node] - min(from[node], then[k][node])
			for more > 0 && len(failed) > 0 {
				made := move{Workload: one.String(), Replicas: min(more, from[failed[0]]), From: failed[0], To: node, app: k}
				moves = append(moves, made)
				more -= made.Replicas
				if from[failed[0]] -= made.Replicas; from[failed[0]] == 0 {
					failed = failed[1:]
				}
			}
		}
	}
	return moves
}

// afterLoss plans what remains twice, where it has to: with the pods of failed nodes where the library's answer about the loss puts
// them, and with them waiting like all others. It keeps the plan that leaves fewer replicas over. If nothing is left over beyond
// what waited before, the first is enough.
func (o *objects) afterLoss(ctx context.Context, with options, asked *loss, before *planning) (*planning, error) {
	first, err := begin(ctx, o.moved(asked.to), with)
	if err != nil || total(first.asIs) <= total(before.asIs) {
		return first, err
	}
	second, err := begin(ctx, o, with)
	if err != nil {
		first.instance.Close()
		return nil, err
	}
	if total(second.asIs) < total(first.asIs) {
		first, second = second, first
	}
	second.instance.Close()
	return first, nil
}

// shortText says that no plan can place all.
func (l *loss) shortText() string {
	return fmt.Sprintf("the nodes that remain are short of %s in all: no way to place all of them exists", l.short)
}
