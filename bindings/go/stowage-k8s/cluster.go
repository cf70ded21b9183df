package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// node is a listed node of the instance.
type node struct {
	name   string
	class  int
	taints []corev1.Taint
	// closed: the node accepts no new pods, because it is cordoned or has a condition that keeps pods away.
	closed bool
	load   map[string]float64
}

// class is what nodes of the same kind share: allocatable amounts, labels and taints.
type class struct {
	name     string
	capacity map[string]float64
	labels   map[string]string
	taints   []corev1.Taint
	nodes    int
}

// load is pods that the plan does not place: of a daemon set, or static pods.
type load struct {
	name, namespace string
	labels          map[string]string
}

// cluster is the input as nodes, classes and workloads.
type cluster struct {
	nodes     []*node
	classes   []*class
	workloads []*workload
	// loads are pods that count as load of their nodes in every plan.
	loads []load
	// leftOut lists what the plans do not take into account; notes lists assumptions made when reading the input.
	leftOut, notes []string
}

func (c *cluster) leaveOut(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !slices.Contains(c.leftOut, text) {
		c.leftOut = append(c.leftOut, text)
	}
}

func (c *cluster) note(format string, values ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, values...))
}

func newCluster(from *objects) *cluster {
	c := &cluster{}
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
	c.nameClasses()
	c.collectWorkloads(from)
	slices.Sort(c.leftOut)
	return c
}

func (c *cluster) addNode(from *corev1.Node, keys map[string]bool) {
	one := &node{name: from.Name, closed: from.Spec.Unschedulable, load: map[string]float64{}}
	for _, taint := range from.Spec.Taints {
		switch {
		case taint.Effect == corev1.TaintEffectPreferNoSchedule:
			c.leaveOut("node %s: taint %s, which only prefers that pods stay away", from.Name, taint.ToString())
		case strings.HasPrefix(taint.Key, "node.kubernetes.io/"):
			// A temporary condition of this node, which does not distinguish its class.
			one.closed = true
		default:
			one.taints = append(one.taints, taint)
		}
	}
	slices.SortFunc(one.taints, func(a, b corev1.Taint) int { return strings.Compare(a.ToString(), b.ToString()) })
	kind := &class{capacity: amountsOf(from.Status.Allocatable), labels: map[string]string{}, taints: one.taints}
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

// slack is the relative difference of capacities up to which nodes belong to one class. Nodes of one kind report slightly
// different capacities, because their systems reserved different amounts at start.
const slack = 0.01

func (k *class) sameAs(other *class) bool {
	if !maps.Equal(k.labels, other.labels) || !slices.EqualFunc(k.taints, other.taints, func(a, b corev1.Taint) bool { return a.MatchTaint(&b) && a.Value == b.Value }) {
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

// labelKeys are the labels that distinguish node classes: those that pods refer to, and those that describe the machine.
func labelKeys(from *objects) map[string]bool {
	keys := map[string]bool{
		corev1.LabelInstanceTypeStable: true, corev1.LabelTopologyZone: true, corev1.LabelTopologyRegion: true,
		corev1.LabelArchStable: true, corev1.LabelOSStable: true,
	}
	look := func(spec *corev1.PodSpec) {
		for key := range spec.NodeSelector {
			keys[key] = true
		}
		for _, term := range slices.Concat(nodeTerms(spec), preferredNodeTerms(spec)) {
			for _, expression := range term.MatchExpressions {
				keys[expression.Key] = true
			}
		}
		for _, term := range podTerms(spec) {
			keys[term.TopologyKey] = keys[term.TopologyKey] || term.TopologyKey != corev1.LabelHostname
		}
		for _, spread := range spec.TopologySpreadConstraints {
			keys[spread.TopologyKey] = keys[spread.TopologyKey] || spread.TopologyKey != corev1.LabelHostname
		}
	}
	for k := range from.deployments {
		look(&from.deployments[k].Spec.Template.Spec)
	}
	for k := range from.statefulSets {
		look(&from.statefulSets[k].Spec.Template.Spec)
	}
	for k := range from.pods {
		look(&from.pods[k].Spec)
	}
	return keys
}

// single: the labels of the class include a node's hostname, so that no node can be added to it.
func (k *class) single() bool { return k.labels[corev1.LabelHostname] != "" }

func nodeTerms(spec *corev1.PodSpec) []corev1.NodeSelectorTerm {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

func preferredNodeTerms(spec *corev1.PodSpec) (all []corev1.NodeSelectorTerm) {
	if spec.Affinity != nil && spec.Affinity.NodeAffinity != nil {
		for _, term := range spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
			all = append(all, term.Preference)
		}
	}
	return all
}

// podTerms are all terms of pod affinity and anti-affinity, required and preferred.
func podTerms(spec *corev1.PodSpec) (all []corev1.PodAffinityTerm) {
	add := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		all = append(all, required...)
		for _, term := range preferred {
			all = append(all, term.PodAffinityTerm)
		}
	}
	if spec.Affinity != nil && spec.Affinity.PodAffinity != nil {
		terms := spec.Affinity.PodAffinity
		add(terms.RequiredDuringSchedulingIgnoredDuringExecution, terms.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if spec.Affinity != nil && spec.Affinity.PodAntiAffinity != nil {
		terms := spec.Affinity.PodAntiAffinity
		add(terms.RequiredDuringSchedulingIgnoredDuringExecution, terms.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return all
}

// tolerates reports whether a pod may run on a node with these taints.
func tolerates(spec *corev1.PodSpec, taints []corev1.Taint) bool {
	for k := range taints {
		if !slices.ContainsFunc(spec.Tolerations, func(one corev1.Toleration) bool { return one.ToleratesTaint(&taints[k]) }) {
			return false
		}
	}
	return true
}

// accepts reports whether a node's labels and taints allow a pod.
func accepts(spec *corev1.PodSpec, of map[string]string, taints []corev1.Taint) (bool, error) {
	if !tolerates(spec, taints) || !labels.SelectorFromSet(spec.NodeSelector).Matches(labels.Set(of)) {
		return false, nil
	}
	terms := nodeTerms(spec)
	if terms == nil {
		return true, nil
	}
	for k := range terms {
		if met, err := meets(&terms[k], of); err != nil || met {
			return met, wrapped("required node affinity", err)
		}
	}
	return false, nil
}

func wrapped(text string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %w", text, err)
}

// meets reports whether a node's labels match a term.
func meets(term *corev1.NodeSelectorTerm, of map[string]string) (bool, error) {
	if len(term.MatchFields) > 0 {
		return false, errors.New("by fields")
	}
	all := len(term.MatchExpressions) > 0
	for _, expression := range term.MatchExpressions {
		requirement, err := labels.NewRequirement(expression.Key, operators[expression.Operator], expression.Values)
		if err != nil {
			return false, fmt.Errorf("by %s: %w", expression.Key, err)
		}
		all = all && requirement.Matches(labels.Set(of))
	}
	return all, nil
}

var operators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn:           selection.In,
	corev1.NodeSelectorOpNotIn:        selection.NotIn,
	corev1.NodeSelectorOpExists:       selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist,
	corev1.NodeSelectorOpGt:           selection.GreaterThan,
	corev1.NodeSelectorOpLt:           selection.LessThan,
}
