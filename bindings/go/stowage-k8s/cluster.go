package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// node is a listed node of the instance.
type node struct {
	ground
	class int
	// closed: the node accepts no new pods, because it is cordoned or has a condition that keeps pods away; closedBy says which.
	closed   bool
	closedBy string
	// daemon is what runs there as long as the node does: pods of daemon sets, static pods, and pods that are being deleted.
	daemon map[string]float64
}

// cordoned is why a node is closed that somebody has closed.
const cordoned = "is cordoned"

// class is what nodes of the same kind share: allocatable amounts, labels and taints.
type class struct {
	name     string
	capacity map[string]float64
	labels   map[string]string
	taints   []corev1.Taint
	nodes    int
	// control: these are nodes of the control plane, which are neither emptied nor added.
	control bool
	// grows: nodes of the class can be added, and of other classes cannot, where groups of nodes are known.
	grows bool
	// daemon is what runs on each new node of the class, and ports are those of the host that it uses.
	daemon map[string]float64
	ports  []usedPort
}

// ground of a new node.
func (k *class) ground() ground { return ground{labels: k.labels, taints: k.taints, ports: k.ports} }

// cluster is the input as nodes, classes and workloads.
type cluster struct {
	nodes     []*node
	classes   []*class
	workloads []*workload
	// daemons are pods that go with their nodes in every plan.
	daemons []*daemon
	budgets []*budget
	storage *storage
	devices deviceSizes
	// listed are the resources that a node has; wholeGPUs: a node has GPUs that are not shared.
	listed    map[string]bool
	wholeGPUs bool
	// leftOut lists what the plans do not take into account; notes lists assumptions made when reading the input.
	leftOut, notes []string
}

func (c *cluster) leaveOut(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !slices.Contains(c.leftOut, text) {
		c.leftOut = append(c.leftOut, text)
	}
}

func (c *cluster) note(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

func newCluster(from *objects) *cluster {
	c := &cluster{storage: newStorage(from), devices: deviceSizes{}, listed: map[string]bool{}}
	keys := labelKeys(from)
	hosts := map[string]bool{}
	for k := range from.nodes {
		one := &from.nodes[k]
		c.addNode(one, keys)
		if host := one.Labels[corev1.LabelHostname]; host == "" || hosts[host] {
			c.note("node %s has no label %s of its own, and counts as if it had", one.Name, corev1.LabelHostname)
		}
		hosts[one.Labels[corev1.LabelHostname]] = true
	}
	c.checkDevices()
	c.nameClasses()
	c.collectWorkloads(from)
	c.spreadDaemons()
	c.collectBudgets(from)
	from.countOthers(c.leaveOut)
	slices.Sort(c.leftOut)
	return c
}

// controlPlane are the labels and taints of nodes that run the cluster itself.
var controlPlane = []string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"}

func isControlPlane(from *corev1.Node) bool {
	return slices.ContainsFunc(controlPlane, func(key string) bool {
		_, labelled := from.Labels[key]
		return labelled || slices.ContainsFunc(from.Spec.Taints, func(taint corev1.Taint) bool { return taint.Key == key })
	})
}

func (c *cluster) addNode(from *corev1.Node, keys map[string]bool) {
	one := &node{ground: ground{name: from.Name, labels: from.Labels}, daemon: map[string]float64{}}
	if from.Spec.Unschedulable {
		one.closed, one.closedBy = true, cordoned
	}
	for _, taint := range from.Spec.Taints {
		switch {
		case taint.Effect == corev1.TaintEffectPreferNoSchedule:
			c.leaveOut("node %s: taint %s, which only prefers that pods stay away", from.Name, taint.ToString())
		case strings.HasPrefix(taint.Key, "node.kubernetes.io/"):
			// A temporary condition of this node, which does not distinguish its class.
			if !one.closed {
				one.closed, one.closedBy = true, "has the condition "+strings.TrimPrefix(taint.Key, "node.kubernetes.io/")
			}
		default:
			one.taints = append(one.taints, taint)
		}
	}
	if sharing := from.Labels["nvidia.com/gpu.sharing-strategy"]; sharing != "" && sharing != "none" {
		c.leaveOut("shared GPUs: nodes of %s share GPUs (%s), of which only the number of shares counts",
			cmpOr(from.Labels[corev1.LabelInstanceTypeStable], "one kind"), sharing)
	}
	slices.SortFunc(one.taints, func(a, b corev1.Taint) int { return strings.Compare(a.ToString(), b.ToString()) })
	kind := &class{
		capacity: amountsOf(from.Status.Allocatable), labels: map[string]string{}, taints: one.taints, control: isControlPlane(from),
		daemon: map[string]float64{},
	}
	for name := range kind.capacity {
		c.listed[name] = true
	}
	c.deviceCapacity(from, kind.capacity)
	for key, value := range from.Labels {
		if keys[key] {
			kind.labels[key] = value
		}
	}
	for name, amount := range kind.capacity {
		if amount == 0 {
			delete(kind.capacity, name)
		}
	}
	one.class = slices.IndexFunc(c.classes, kind.sameAs)
	if one.class < 0 {
		one.class = len(c.classes)
		c.classes = append(c.classes, kind)
	}
	c.classes[one.class].nodes++
	c.nodes = append(c.nodes, one)
}

func cmpOr(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// slack is the relative difference of capacities up to which nodes belong to one class. Nodes of one kind report slightly
// different capacities, because their systems reserved different amounts at start.
const slack = 0.01

func (k *class) sameAs(other *class) bool {
	sameTaints := slices.EqualFunc(k.taints, other.taints, func(a, b corev1.Taint) bool { return a.MatchTaint(&b) && a.Value == b.Value })
	if k.control != other.control || !sameTaints || !maps.Equal(k.labels, other.labels) {
		return false
	}
	near := maps.EqualFunc(k.capacity, other.capacity, func(a, b float64) bool { return a-b <= slack*max(a, b) && b-a <= slack*max(a, b) })
	if near {
		// The class gets the smallest capacity of its nodes.
		for name, amount := range k.capacity {
			least := min(amount, other.capacity[name])
			k.capacity[name], other.capacity[name] = least, least
		}
	}
	return near
}

func (c *cluster) nameClasses() {
	used := map[string]int{}
	for _, one := range c.classes {
		one.name = one.labels[corev1.LabelInstanceTypeStable]
		if one.name == "" {
			one.name = fmt.Sprintf("%g cores, %.4g GiB", one.capacity["cpu"], one.capacity["memory"]/1024)
		}
		if zone := one.labels[corev1.LabelTopologyZone]; zone != "" {
			one.name += " in " + zone
		}
		for _, taint := range one.taints {
			one.name += ", " + taint.ToString()
		}
		used[one.name]++
		if used[one.name] > 1 {
			one.name += fmt.Sprintf(" (%d)", used[one.name])
		}
	}
}

// labelKeys are the labels that distinguish node classes: those that pods and volumes refer to, and those that describe the
// machine. A hostname distinguishes nodes, not classes.
func labelKeys(from *objects) map[string]bool {
	keys := map[string]bool{
		corev1.LabelInstanceTypeStable: true, corev1.LabelTopologyZone: true, corev1.LabelTopologyRegion: true,
		corev1.LabelArchStable: true, corev1.LabelOSStable: true,
	}
	ofTerms := func(terms []corev1.NodeSelectorTerm) {
		for _, term := range terms {
			for _, expression := range term.MatchExpressions {
				keys[expression.Key] = true
			}
		}
	}
	for _, spec := range from.podSpecs() {
		for key := range spec.NodeSelector {
			keys[key] = true
		}
		ofTerms(slices.Concat(nodeTerms(spec), preferredNodeTerms(spec)))
		for _, term := range podTerms(spec) {
			keys[term.TopologyKey] = true
		}
		for _, spread := range spec.TopologySpreadConstraints {
			keys[spread.TopologyKey] = true
		}
	}
	for k := range from.volumes {
		for _, terms := range volumeTerms(&from.volumes[k]) {
			ofTerms(terms)
		}
	}
	delete(keys, corev1.LabelHostname)
	return keys
}
