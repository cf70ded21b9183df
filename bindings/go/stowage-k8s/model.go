package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	stowage "stowage.dev/go"
)

// model is the cluster as apps, classes, limits and rules. Between plans, the numbers of nodes per class and the rules differ.
type model struct {
	*cluster
	// leaveFree is a label of nodes whose values the plan leaves without pods; "" = none.
	leaveFree string
	resources []string
	// places: the sets of nodes to which workloads are restricted.
	places []place
	// placeOf each workload is an index of places; -1 = all nodes.
	placeOf []int
	limits  map[[2]int]uint32
	rules   []rule
	// onlyHere are the hard rules that cannot be stated for added nodes, by the name of each workload that they are about.
	onlyHere []string
	groups   []group
	tags     [][]string
	// preferred labels, which stand for preferred node affinities, and the nodes that carry them.
	preferred []place
	prices    *prices
}

// place is a set of present nodes, and of classes of which new nodes belong to it.
type place struct{ nodes, classes []bool }

func (p place) all() bool {
	return !slices.Contains(p.nodes, false) && !slices.Contains(p.classes, false)
}

func (p place) equal(other place) bool {
	return slices.Equal(p.nodes, other.nodes) && slices.Equal(p.classes, other.classes)
}

// rule is a placement rule; hereOnly = it cannot be stated for added nodes.
type rule struct {
	stowage.Rule
	hereOnly bool
}

// scope is the set of nodes and rules that a plan considers.
type scope int

const (
	// here: the present nodes; preferences count.
	here scope = iota
	// moving: the present nodes, some of which are to be emptied; preferences do not count, so that they keep no node from being
	// emptied.
	moving
	// grown: as many additional nodes of each class as needed; preferences do not count, so that they add no nodes.
	grown
	// fresh: as grown, and only what cannot move runs. What runs now in spite of its constraints then excuses no plan, and the
	// bound is higher.
	fresh
)

// group is the domains of a topology key on the nodes of the classes that count. Its name is the key if all classes with the
// key count.
type group struct {
	name, key string
	counts    []bool
}

// newModel translates the cluster; honoursRules states whether the planner honours placement rules. leftOut lists what the
// model cannot express.
func newModel(c *cluster, honoursRules bool, costs *prices) *model {
	if costs == nil {
		costs = &prices{}
	}
	m := &model{cluster: c, limits: map[[2]int]uint32{}, tags: make([][]string, len(c.workloads)), prices: costs}
	names := map[string]bool{}
	for _, one := range c.workloads {
		for name, amount := range one.requests {
			if amount > 0 {
				names[name] = true
			}
		}
	}
	// An instance has at least one resource, also where nothing asks for any.
	if len(names) == 0 {
		names["cpu"], names["memory"] = true, true
	}
	m.resources = slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	for i, one := range c.workloads {
		m.placeOf = append(m.placeOf, m.placeIndex(one))
		m.antiAffinity(i, one)
		m.affinity(i, one)
		m.spread(i, one)
		m.hostPorts(i, one)
		m.others(one)
	}
	if !honoursRules {
		for _, one := range m.rules {
			c.leaveOut("%s", one.Name)
		}
		m.rules, m.groups = nil, nil
	}
	if honoursRules {
		for _, one := range m.onlyHere {
			c.leaveOut("%s, where nodes are added", one)
		}
	}
	slices.Sort(c.leftOut)
	return m
}

// rank orders cpu and memory before all other resources.
func rank(resource string) int {
	return (slices.Index([]string{"cpu", "memory"}, resource) + 3) % 3
}

// placed collects the nodes and classes that a test accepts. Unless the test looks at single nodes, a node is accepted as its
// class is, which has all labels that tests look at.
func (m *model) placed(single bool, accepts func(ground) (bool, error)) (place, error) {
	made := place{make([]bool, len(m.nodes)), make([]bool, len(m.classes))}
	var failed error
	for k, one := range m.classes {
		var err error
		made.classes[k], err = accepts(one.ground())
		failed = cmp.Or(failed, err)
	}
	for k, one := range m.nodes {
		if !single {
			made.nodes[k] = made.classes[one.class]
			continue
		}
		var err error
		made.nodes[k], err = accepts(one.ground)
		failed = cmp.Or(failed, err)
	}
	return made, failed
}

// looksAtNodes reports whether terms distinguish nodes of a class.
func looksAtNodes(terms []corev1.NodeSelectorTerm) bool {
	return slices.ContainsFunc(terms, func(term corev1.NodeSelectorTerm) bool {
		return len(term.MatchFields) > 0 || slices.ContainsFunc(term.MatchExpressions, func(one corev1.NodeSelectorRequirement) bool {
			return one.Key == corev1.LabelHostname
		})
	})
}

// asksForNodes reports whether the selector or the affinity of a pod distinguishes nodes of a class.
func asksForNodes(spec *corev1.PodSpec) bool {
	_, byName := spec.NodeSelector[corev1.LabelHostname]
	return byName || looksAtNodes(nodeTerms(spec))
}

// asksForNodes: so do the places of its volumes, or ports of the host that what goes with some nodes may have.
func (w *workload) asksForNodes() bool {
	return asksForNodes(w.spec) || len(portsOf(w.spec)) > 0 ||
		slices.ContainsFunc(w.within, func(one within) bool { return looksAtNodes(one.terms) })
}

// placeIndex returns the index of the place of a workload; -1 = all nodes.
func (m *model) placeIndex(one *workload) int {
	made, err := m.placed(one.asksForNodes(), func(at ground) (bool, error) {
		excluded, err := one.refusals(at)
		return len(excluded) == 0, err
	})
	if err != nil {
		m.leaveOut("%s: %v", one, err)
		return -1
	}
	if made.all() {
		return -1
	}
	if known := slices.IndexFunc(m.places, made.equal); known >= 0 {
		return known
	}
	m.places = append(m.places, made)
	return len(m.places) - 1
}

// sharedDevices are resources that are shares of devices. Those of time slicing (nvidia.com/gpu.shared) are not among them: each
// is as good as any other, so that their number is all that counts.
var sharedDevices = []string{"gpu-milli", "gpu-mem", "vgpu", "vcuda", "gpumem", "gpucores", "gpu-core", "gpu-memory"}

// others reports further requests of a pod that the plans do not take into account.
func (m *model) others(one *workload) {
	if len(one.spec.ResourceClaims) > 0 {
		m.leaveOut("%s: resource claims", one)
	}
	if len(one.spec.SchedulingGates) > 0 {
		m.leaveOut("%s: scheduling gates", one)
	}
	if name := one.spec.SchedulerName; name != "" && name != corev1.DefaultSchedulerName {
		m.leaveOut("%s: it asks for the scheduler %s", one, name)
	}
	for _, name := range slices.Sorted(maps.Keys(one.requests)) {
		shares := func(part string) bool { return strings.Contains(name, part) }
		if m.devices[name] == 0 && slices.ContainsFunc(sharedDevices, shares) {
			m.leaveOut("%s: shared GPUs: on which device its %s is; the shares of a node are added up", one, name)
		}
	}
	m.explainSharing(one)
	for _, key := range []string{"gpu-fraction", "gpu-memory"} {
		if _, asks := one.labels[key]; asks {
			m.leaveOut("%s: shared GPUs: its %s", one, key)
		}
	}
}

func (m *model) amounts(of map[string]float64) []float64 {
	all := make([]float64, len(m.resources))
	for k, name := range m.resources {
		all[k] = of[name]
	}
	return all
}

// rulesFor returns the rules of a scope's instance, in the instance's order.
func (m *model) rulesFor(about scope) []stowage.Rule {
	var rules []stowage.Rule
	for _, one := range m.rules {
		if about == here || !one.Soft && (about == moving || !one.hereOnly) {
			rules = append(rules, one.Rule)
		}
	}
	return rules
}

func (m *model) classNames() []string {
	var names []string
	for _, one := range m.classes {
		names = append(names, one.name)
	}
	return names
}

func (m *model) amount(resource string, amount float64) string {
	return strings.Join(strings.Fields(fmt.Sprintf("%.6g %s of %s", amount, unitOf(resource), resource)), " ")
}
