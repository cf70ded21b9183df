package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	stowage "stowage.dev/go"
)

// statement is where a model is stated: the builder of an instance, or what writes it down for comparisons.
type statement interface {
	Resource(name, unit string) int
	Device(resource int, amount float64)
	Class(stowage.Class) int
	Node(stowage.Node) int
	App(stowage.App) int
	Running(app, node int, replicas uint32)
	Pin(app, node int, replicas uint32)
	Limit(beside, limited int, atMost uint32)
	NodeGroup(stowage.NodeGroup)
	Rule(stowage.Rule)
}

// instance makes the instance of a scope. Of each workload, as many replicas as left says are not wanted; nil = none.
func (m *model) instance(ctx context.Context, about scope, left []uint32) (*stowage.Instance, error) {
	b := stowage.NewBuilder("cluster")
	m.state(b, about, left)
	return b.BuildContext(ctx)
}

func (m *model) state(b statement, about scope, left []uint32) {
	for k, name := range m.resources {
		b.Resource(name, unitOf(name))
		if size := m.devices[name]; size > 0 {
			b.Device(k, size)
		}
	}
	for k := range m.classes {
		b.Class(m.instanceClass(k, about))
	}
	for k, one := range m.nodes {
		b.Node(stowage.Node{
			Name: one.name, Class: one.class, Daemon: m.amounts(one.daemon), Closed: one.closed && about != moving, Tags: m.nodeTags(k),
		})
	}
	for k, one := range m.workloads {
		wanted := uint32(one.replicas)
		if left != nil {
			wanted -= left[k]
		}
		app := stowage.App{Name: one.String(), Replicas: wanted, Demand: m.amounts(one.requests), Tags: m.tags[k], Priority: one.priority}
		if place := m.placeOf[k]; place >= 0 {
			app.Only, app.Not = []string{inWord(place)}, []string{outWord(place)}
		}
		if about == moving {
			// Planners leave what runs on closed nodes where it is. Nodes that somebody has closed are those to empty first.
			app.Not = append(app.Not, closedWord)
		}
		b.App(app)
		for _, node := range slices.Sorted(maps.Keys(one.running)) {
			if about != fresh || one.pinned {
				b.Running(k, node, one.running[node])
			}
			if one.pinned || one.held && about == moving {
				b.Pin(k, node, one.running[node])
			}
		}
	}
	if about == moving {
		m.keepControlPlane(b)
	}
	pairs := slices.SortedFunc(maps.Keys(m.limits), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, pair := range pairs {
		b.Limit(pair[0], pair[1], m.limits[pair])
	}
	for _, one := range m.groups {
		b.NodeGroup(m.nodeGroup(one))
	}
	for _, one := range m.rulesFor(about) {
		b.Rule(one)
	}
}

// inWord is carried by the classes of a place and by single nodes in it, outWord by nodes that are not in it although new nodes
// of their class are.
func inWord(place int) string  { return fmt.Sprintf("place %d", place) }
func outWord(place int) string { return fmt.Sprintf("not place %d", place) }

// closedWord is carried by closed nodes.
const closedWord = "closed"

// preferredWord is carried by the nodes of a preferred node affinity.
func preferredWord(k int) string { return fmt.Sprintf("preferred %d", k) }

func (m *model) instanceClass(k int, about scope) stowage.Class {
	one := m.classes[k]
	made := stowage.Class{Name: one.name, Capacity: m.amounts(one.capacity), Count: uint32(one.nodes), Daemon: m.amounts(one.daemon)}
	if (about == grown || about == fresh) && m.mayGrow(one) {
		made.Count = 0
	}
	if m.prices.decide {
		price := m.prices.of(one)
		made.Price = &price
	}
	for _, key := range slices.Sorted(maps.Keys(one.labels)) {
		made.Labels = append(made.Labels, key+"="+one.labels[key])
	}
	for _, group := range m.groups {
		if value, has := one.labels[group.key]; has && group.counts != nil && group.counts[k] {
			made.Labels = append(made.Labels, group.name+"="+value)
		}
	}
	for place := range m.places {
		if m.places[place].classes[k] {
			made.Labels = append(made.Labels, inWord(place))
		}
	}
	for place := range m.preferred {
		if m.preferred[place].classes[k] {
			made.Labels = append(made.Labels, preferredWord(place))
		}
	}
	return made
}

// mayGrow says whether nodes of the class can be added.
func (m *model) mayGrow(one *class) bool {
	grouped := slices.ContainsFunc(m.classes, func(other *class) bool { return other.grows })
	return !one.control && (one.grows || !grouped)
}

// nodeTags are the words of a node that new nodes of its class do not share.
func (m *model) nodeTags(k int) (tags []string) {
	class := m.nodes[k].class
	if m.nodes[k].closed {
		tags = append(tags, closedWord)
	}
	for place, one := range m.places {
		switch {
		case one.nodes[k] && !one.classes[class]:
			tags = append(tags, inWord(place))
		case !one.nodes[k] && one.classes[class]:
			tags = append(tags, outWord(place))
		}
	}
	if value, has := m.nodes[k].labels[m.leaveFree]; has {
		tags = append(tags, m.leaveFree+"="+value)
	}
	for place, one := range m.preferred {
		if one.nodes[k] && !one.classes[class] {
			tags = append(tags, preferredWord(place))
		}
	}
	return tags
}

// keepControlPlane keeps the nodes of the control plane in use: emptying them gains nothing. An app without demand that is
// pinned there does this.
func (m *model) keepControlPlane(b statement) {
	var nodes []int
	for k, one := range m.nodes {
		if m.classes[one.class].control {
			nodes = append(nodes, k)
		}
	}
	if len(nodes) == 0 {
		return
	}
	app := b.App(stowage.App{Name: "control plane", Replicas: uint32(len(nodes)), Demand: make([]float64, len(m.resources))})
	for _, node := range nodes {
		b.Running(app, node, 1)
		b.Pin(app, node, 1)
	}
}
