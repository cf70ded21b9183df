package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	stowage "stowage.dev/go"
)

// site is a node under a plan, or a new node of a class.
type site struct {
	name  string
	class int
	// node is an index of the present nodes; -1 = a new node.
	node int
	free map[string]float64
	// holds are the replicas by workload.
	holds map[int]uint32
}

// obstacles are all reasons why a site does not take one more replica of a workload.
type obstacles struct {
	*site
	excluded []refusal
	closed   string
	// short are the resources of which too little is free, with the missing amounts as texts.
	short, missing []string
	// distance is the sum of what is missing as shares of the capacity, and of the number of limits.
	distance float64
	limits   []string
	rules    []string
}

func (o *obstacles) none() bool {
	return len(o.excluded)+len(o.short)+len(o.limits)+len(o.rules) == 0 && o.closed == ""
}

// hasRoom: nothing but labels, taints and volumes keeps the workload away.
func (o *obstacles) hasRoom() bool {
	return len(o.short)+len(o.limits) == 0 && o.closed == "" && len(o.excluded) > 0
}

// texts are the reasons in the order in which the scheduler looks at them.
func (o *obstacles) texts() (all []string) {
	if o.closed != "" {
		all = append(all, o.closed)
	}
	for _, one := range o.excluded {
		all = append(all, one.its)
	}
	return slices.Concat(all, o.missing, o.limits, o.rules)
}

// groups are the first reason in that order, for counting; each resource that is short counts.
func (o *obstacles) groups() []string {
	switch {
	case o.none():
		return nil
	case o.closed != "":
		return []string{strings.Replace(strings.TrimPrefix(o.closed, "is "), "has ", "with ", 1)}
	case len(o.excluded) > 0:
		return []string{o.excluded[0].with}
	case len(o.short) > 0:
		short := make([]string, len(o.short))
		for k, name := range o.short {
			short[k] = "short of " + name
		}
		return short
	case len(o.limits) > 0:
		return []string{"with pods that must not be beside it"}
	}
	return []string{"that a placement rule excludes"}
}

// sites are the present nodes under a plan or, where nodes are added, new nodes of all classes.
func (m *model) sites(plan *stowage.Plan, about scope) (all []*site) {
	if about == grown {
		for k, class := range m.classes {
			if !class.control {
				all = append(all, &site{"a new node of " + class.name, k, -1, minus(class.capacity, class.daemon), nil})
			}
		}
		return all
	}
	for k, one := range m.nodes {
		all = append(all, &site{"node " + one.name, one.class, k, minus(m.classes[one.class].capacity, one.daemon), map[int]uint32{}})
	}
	for _, one := range plan.Placements {
		if listed := plan.Nodes[one.Node].Listed; listed != stowage.NoIndex && int(one.App) < len(m.workloads) {
			at := all[listed]
			at.holds[int(one.App)] += one.Replicas
			for name, amount := range m.workloads[one.App].requests {
				at.free[name] -= float64(one.Replicas) * amount
			}
		}
	}
	return all
}

func minus(amounts, others map[string]float64) map[string]float64 {
	left := map[string]float64{}
	for name, amount := range amounts {
		left[name] = amount - others[name]
	}
	return left
}

// rounding is a share of a capacity that sums of decimal fractions may miss.
const rounding = 1e-9

// obstaclesAt finds what keeps one more replica of a workload off a site; rules are the broken placement rules by site.
func (m *model) obstaclesAt(i int, at *site, rules []string) *obstacles {
	one, class := m.workloads[i], m.classes[at.class]
	found := &obstacles{site: at, rules: rules}
	if at.node >= 0 {
		node := m.nodes[at.node]
		found.closed = node.closedBy
		found.excluded, _ = one.refusals(node.ground)
	} else {
		found.excluded, _ = one.refusals(class.ground())
	}
	for _, name := range m.resources {
		if lack := one.requests[name] - at.free[name]; one.requests[name] > 0 && lack > rounding*class.capacity[name] {
			found.short = append(found.short, name)
			found.missing = append(found.missing, "short of "+m.amount(name, lack))
			found.distance += lack / max(class.capacity[name], one.requests[name])
		} else if m.devices[name] > 0 && one.requests[name] > 0 && !m.singleDevice(i, at, name) {
			found.short = append(found.short, name)
			found.missing = append(found.missing, fmt.Sprintf("no single device has %s free; %s are free in all",
				m.amount(name, min(one.requests[name], m.devices[name])), m.amount(name, at.free[name])))
			found.distance += one.requests[name] / max(class.capacity[name], one.requests[name])
		}
	}
	if most, limited := m.limits[[2]int{i, i}]; limited && at.holds[i] >= most {
		found.limits = append(found.limits, "a replica of it is there already")
	}
	for _, j := range slices.Sorted(maps.Keys(at.holds)) {
		other := m.workloads[j]
		if j == i {
			continue
		}
		if most, limited := m.limits[[2]int{j, i}]; limited && at.holds[i] >= most {
			found.limits = append(found.limits, fmt.Sprintf("%s keeps it away", other))
		}
		if most, limited := m.limits[[2]int{i, j}]; limited && at.holds[j] > most {
			found.limits = append(found.limits, fmt.Sprintf("it keeps away from %s", other))
		}
	}
	found.distance += float64(len(found.limits))
	return found
}

// brokenRules are the placement rules that keep a workload away, by node and by class of new nodes, as far as the explanation
// looked.
func (m *model) brokenRules(plan *stowage.Plan, app stowage.AppExplanation, rules []stowage.Rule) (byNode, byClass map[int][]string) {
	byNode, byClass = map[int][]string{}, map[int][]string{}
	for _, near := range app.Closest {
		var broken []string
		for _, one := range near.Obstacles {
			if one.Kind == "placement-rule" {
				broken = append(broken, "against "+rules[one.Other].Name)
			}
		}
		if len(broken) == 0 {
			continue
		}
		if near.Node != stowage.NoIndex && plan.Nodes[near.Node].Listed != stowage.NoIndex {
			byNode[int(plan.Nodes[near.Node].Listed)] = broken
		} else {
			byClass[int(near.Class)] = broken
		}
	}
	return byNode, byClass
}

// examine finds the obstacles at all sites.
func (m *model) examine(plan *stowage.Plan, app stowage.AppExplanation, about scope) (all []*obstacles) {
	byNode, byClass := m.brokenRules(plan, app, m.rulesFor(about))
	used := map[int]bool{}
	for _, one := range plan.Nodes {
		if one.Listed != stowage.NoIndex {
			used[int(one.Listed)] = true
		}
	}
	for _, at := range m.sites(plan, about) {
		rules := byNode[at.node]
		if !used[at.node] {
			rules = byClass[at.class]
		}
		found := m.obstaclesAt(int(app.App), at, rules)
		// The explanation names the rules for the closest nodes only. Others that have room are excluded by them as well, if a
		// replica is left over, or no node that is in use takes it.
		if found.none() && (app.Unplaced > 0 || used[at.node] && app.OpenNodes == 0) {
			found.rules = m.hardRules(int(app.App), about)
		}
		all = append(all, found)
	}
	return all
}

// hardRules are those that a workload is subject to, or that count its replicas.
func (m *model) hardRules(i int, about scope) (names []string) {
	concerns := func(tags []string) bool {
		return len(tags) > 0 && !slices.ContainsFunc(tags, func(tag string) bool { return !slices.Contains(m.tags[i], tag) })
	}
	for _, one := range m.rulesFor(about) {
		if condition := one.AnyOf[0][0]; !one.Soft && (concerns(condition.Subject) || concerns(condition.Target)) {
			names = append(names, "against "+one.Name)
		}
	}
	return names
}

// shownNodes is how many nodes, or groups of nodes with the same reasons, are named one by one.
const shownNodes = 3

// why says first which nodes have room and are excluded, then which other nodes are closest, and then counts the nodes by their
// first reason, as the scheduler does.
func (m *model) why(i int, all []*obstacles, about scope) (lines []string) {
	lines = append(lines, m.withRoom(i, all)...)
	var near []*obstacles
	for _, one := range all {
		if len(one.excluded) == 0 && !one.hopeless(m) && !one.none() {
			near = append(near, one)
		}
	}
	slices.SortStableFunc(near, func(a, b *obstacles) int { return cmp.Compare(a.distance, b.distance) })
	for k, one := range near {
		if k == shownNodes {
			break
		}
		lines = append(lines, one.name+": "+strings.Join(one.texts(), ", "))
	}
	var groups, parts []string
	counts, open := map[string]int{}, 0
	for _, one := range all {
		for _, group := range one.groups() {
			if counts[group] == 0 {
				groups = append(groups, group)
			}
			counts[group]++
		}
		if one.none() {
			open++
		}
	}
	slices.SortStableFunc(groups, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for _, group := range groups {
		parts = append(parts, fmt.Sprintf("%d %s", counts[group], group))
	}
	what := "nodes"
	if about == grown {
		what = "kinds of new nodes"
	}
	return append(lines, fmt.Sprintf("%d of %d %s take it: %s", open, len(all), what, strings.Join(parts, "; ")))
}

// hopeless: the node lacks a resource altogether, so that it is not close whatever runs there.
func (o *obstacles) hopeless(m *model) bool {
	return slices.ContainsFunc(o.short, func(name string) bool { return m.classes[o.class].capacity[name] == 0 })
}

// withRoom names the excluded nodes that have room, nodes with the same reasons together.
func (m *model) withRoom(i int, all []*obstacles) (lines []string) {
	var keys []string
	nodes := map[string][]string{}
	for _, one := range all {
		if one.hasRoom() && !m.classes[one.class].control && m.workloads[i].sharing.tooLarge == "" {
			key := strings.Join(one.texts(), ", ")
			if nodes[key] == nil {
				keys = append(keys, key)
			}
			nodes[key] = append(nodes[key], one.name)
		}
	}
	// Those that are excluded for the fewest reasons come first.
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(strings.Count(a, ", "), strings.Count(b, ", ")) })
	for k, key := range keys {
		if k == shownNodes {
			break
		}
		name := nodes[key][0]
		if more := len(nodes[key]) - 1; more > 0 {
			name += fmt.Sprintf(" (and %d like it)", more)
		}
		lines = append(lines, fmt.Sprintf("%s has %s, but %s", name, m.room(m.workloads[i]), key))
	}
	return lines
}

// room names what is rare of what a workload asks for.
func (m *model) room(one *workload) string {
	for _, name := range m.resources {
		if amount := one.requests[name]; amount > 0 && strings.Contains(name, "/") {
			if amount == 1 {
				return "a free " + name
			}
			return fmt.Sprintf("%g free %s", amount, name)
		}
	}
	return "room"
}

// help lists what would make room: tolerating a taint, more of a resource that the node has, uncordoning, another node.
func (m *model) help(i int, plan *stowage.Plan, app stowage.AppExplanation, all []*obstacles) (lines []string) {
	add := func(text string) {
		if !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	for _, one := range all {
		if one.hasRoom() && len(one.excluded) == 1 && one.excluded[0].taint != "" && !m.classes[one.class].control {
			add("tolerating the taint " + one.excluded[0].taint)
		}
		if one.closed == cordoned && len(one.excluded)+len(one.short)+len(one.limits)+len(one.rules) == 0 {
			add("uncordoning " + one.name)
		}
	}
	for _, one := range app.Relaxations {
		switch {
		case one.Kind == "add-node" && !m.classes[one.Class].control:
			add("one more node of " + m.classes[one.Class].name)
		case one.Kind == "add-capacity" && m.classes[one.Class].capacity[m.resources[one.Resource]] > 0 && one.Node != stowage.NoIndex:
			if listed := plan.Nodes[one.Node].Listed; listed != stowage.NoIndex {
				add(m.amount(m.resources[one.Resource], one.Amount) + " more on node " + m.nodes[listed].name)
			}
		}
	}
	return lines
}
