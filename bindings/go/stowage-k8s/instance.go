package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	stowage "stowage.dev/go"
)

// model is the cluster as apps, classes, limits and rules; what changes between plans is how many nodes of a class there may be.
type model struct {
	*cluster
	resources []string
	// places: which classes a workload may be on, for workloads that may not be on all. A place is a resource of which these
	// classes have plenty, others nothing, and each replica needs one.
	places [][]bool
	// placeOf each workload; -1: anywhere.
	placeOf []int
	limits  map[[2]int]uint32
	rules   []stowage.Rule
	groups  map[string]bool
	tags    [][]string
	prices  map[string]float64
}

// plenty is more than the replicas that fit on any node.
const plenty = 1 << 20

// newModel translates; honoursRules says whether the planner takes placement rules. What cannot be said in the planner's terms is
// named in leftOut.
func newModel(c *cluster, honoursRules bool, prices map[string]float64) *model {
	m := &model{
		cluster: c, limits: map[[2]int]uint32{}, groups: map[string]bool{}, tags: make([][]string, len(c.workloads)), prices: prices,
	}
	names := map[string]bool{}
	for _, one := range c.workloads {
		for name, amount := range one.requests {
			if amount > 0 {
				names[name] = true
			}
		}
	}
	m.resources = slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	for i, one := range c.workloads {
		m.placeOf = append(m.placeOf, m.place(one))
		m.antiAffinity(i, one)
		m.affinity(i, one)
		m.spread(i, one)
		m.hostPorts(i, one)
		m.others(one)
	}
	if !honoursRules {
		for _, rule := range m.rules {
			c.leaveOut("%s", rule.Name)
		}
		m.rules = nil
	}
	slices.Sort(c.leftOut)
	return m
}

// rank puts what people look at first.
func rank(resource string) int {
	return (slices.Index([]string{"cpu", "memory"}, resource) + 3) % 3
}

// place finds out where a workload may be.
func (m *model) place(one *workload) int {
	may := make([]bool, len(m.classes))
	for k, class := range m.classes {
		accepted, err := accepts(one.spec, class.labels, class.taints)
		if err != nil {
			m.leaveOut("%s: %v", one, err)
			accepted = true
		}
		may[k] = accepted
	}
	if !slices.Contains(may, false) {
		return -1
	}
	if known := slices.IndexFunc(m.places, func(place []bool) bool { return slices.Equal(place, may) }); known >= 0 {
		return known
	}
	m.places = append(m.places, may)
	return len(m.places) - 1
}

// matched are the workloads that a term is about; false where the term asks for what is not known here.
func (m *model) matched(of *workload, selector *metav1.LabelSelector, namespaces []string, term string) ([]int, bool) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		m.leaveOut("%s: %s: %v", of, term, err)
		return nil, false
	}
	if len(namespaces) == 0 {
		namespaces = []string{of.namespace}
	}
	var found []int
	for k, one := range m.workloads {
		if slices.Contains(namespaces, one.namespace) && parsed.Matches(labels.Set(one.labels)) {
			found = append(found, k)
		}
	}
	return found, true
}

// term reads what affinity and anti-affinity terms have in common.
func (m *model) term(of *workload, term corev1.PodAffinityTerm, what string) ([]int, bool) {
	what = fmt.Sprintf("required pod %s by %s", what, term.TopologyKey)
	if term.NamespaceSelector != nil || len(term.MatchLabelKeys) > 0 || len(term.MismatchLabelKeys) > 0 {
		m.leaveOut("%s: %s, which selects namespaces by label or labels by key", of, what)
		return nil, false
	}
	return m.matched(of, term.LabelSelector, term.Namespaces, what)
}

func (m *model) antiAffinity(i int, one *workload) {
	if one.spec.Affinity == nil || one.spec.Affinity.PodAntiAffinity == nil {
		return
	}
	terms := one.spec.Affinity.PodAntiAffinity
	for _, term := range terms.PreferredDuringSchedulingIgnoredDuringExecution {
		m.leaveOut("%s: preferred pod anti-affinity by %s", one, term.PodAffinityTerm.TopologyKey)
	}
	for _, term := range terms.RequiredDuringSchedulingIgnoredDuringExecution {
		found, known := m.term(one, term, "anti-affinity")
		if !known {
			continue
		}
		if term.TopologyKey == corev1.LabelHostname {
			for _, j := range found {
				m.limit(i, j)
			}
			continue
		}
		if len(found) > 0 {
			most := uint32(0)
			m.rule(i, fmt.Sprintf("%s: required pod anti-affinity by %s", one, term.TopologyKey), stowage.Cardinality{
				Kind: stowage.CountReplicas, Target: m.tag(found), Max: &most, Group: term.TopologyKey,
			})
		}
	}
}

// limit keeps two workloads apart, or the replicas of one.
func (m *model) limit(i, j int) {
	if i == j {
		m.limits[[2]int{i, i}] = 1
	} else {
		m.limits[[2]int{i, j}] = 0
	}
}

func (m *model) affinity(i int, one *workload) {
	if one.spec.Affinity == nil {
		return
	}
	if nodes := one.spec.Affinity.NodeAffinity; nodes != nil && len(nodes.PreferredDuringSchedulingIgnoredDuringExecution) > 0 {
		m.leaveOut("%s: preferred node affinity", one)
	}
	if one.spec.Affinity.PodAffinity == nil {
		return
	}
	for _, term := range one.spec.Affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		m.leaveOut("%s: preferred pod affinity by %s", one, term.PodAffinityTerm.TopologyKey)
	}
	for _, term := range one.spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		found, known := m.term(one, term, "affinity")
		if !known {
			continue
		}
		text := fmt.Sprintf("%s: required pod affinity by %s", one, term.TopologyKey)
		if slices.Contains(found, i) {
			// The first replica is let in alone, which no rule says.
			m.leaveOut("%s, to its own replicas", text)
			continue
		}
		condition := stowage.Cardinality{Kind: stowage.CountReplicas, Target: m.tag(found), Min: 1}
		if term.TopologyKey != corev1.LabelHostname {
			condition.Group = term.TopologyKey
		}
		m.rule(i, text, condition)
	}
}

func (m *model) spread(i int, one *workload) {
	for _, constraint := range one.spec.TopologySpreadConstraints {
		text := fmt.Sprintf("%s: spread over %s", one, constraint.TopologyKey)
		found, known := m.matched(one, constraint.LabelSelector, nil, text)
		if !known {
			continue
		}
		switch {
		case constraint.WhenUnsatisfiable == corev1.ScheduleAnyway:
			m.leaveOut("%s, which is only preferred", text)
		case constraint.TopologyKey == corev1.LabelHostname:
			m.leaveOut("%s: how evenly it spreads depends on nodes that are not in use", text)
		case !slices.Equal(found, []int{i}) || constraint.MinDomains != nil || len(constraint.MatchLabelKeys) > 0:
			m.leaveOut("%s: it counts other pods than its own, or domains", text)
		default:
			most := uint32(constraint.MaxSkew)
			m.rule(i, text, stowage.Cardinality{Kind: stowage.CountSkew, Max: &most, Group: constraint.TopologyKey})
		}
	}
}

func (m *model) rule(i int, name string, condition stowage.Cardinality) {
	condition.Subject = m.tag([]int{i})
	if condition.Group != "" {
		m.groups[condition.Group] = true
	}
	m.rules = append(m.rules, stowage.Rule{Name: name, AnyOf: [][]stowage.Cardinality{{condition}}})
}

// tag gives workloads a tag of their own, and tells it.
func (m *model) tag(workloads []int) []string {
	name := fmt.Sprint(workloads)
	for _, one := range workloads {
		if !slices.Contains(m.tags[one], name) {
			m.tags[one] = append(m.tags[one], name)
		}
	}
	return []string{name}
}

// hostPorts keeps apart who wants the same port of a node.
func (m *model) hostPorts(i int, one *workload) {
	for _, port := range portsOf(one.spec) {
		m.limit(i, i)
		for j, other := range m.workloads[:i] {
			if slices.ContainsFunc(portsOf(other.spec), func(its corev1.ContainerPort) bool {
				same := its.HostIP == port.HostIP || its.HostIP == "" || port.HostIP == ""
				return same && its.HostPort == port.HostPort && its.Protocol == port.Protocol
			}) {
				m.limit(i, j)
			}
		}
	}
}

func portsOf(spec *corev1.PodSpec) []corev1.ContainerPort {
	var ports []corev1.ContainerPort
	for _, container := range slices.Concat(spec.Containers, spec.InitContainers) {
		for _, port := range container.Ports {
			if port.HostPort != 0 {
				if port.Protocol == "" {
					port.Protocol = corev1.ProtocolTCP
				}
				ports = append(ports, port)
			}
		}
	}
	return ports
}

// others names what else a pod can ask for.
func (m *model) others(one *workload) {
	for _, volume := range one.spec.Volumes {
		if volume.PersistentVolumeClaim != nil || volume.Ephemeral != nil {
			m.leaveOut("%s: where its volumes are", one)
		}
	}
	if one.spec.Priority == nil && one.spec.PriorityClassName != "" {
		m.leaveOut("%s: priority class %s, whose value is not in the input", one, one.spec.PriorityClassName)
	}
	if len(one.spec.ResourceClaims) > 0 {
		m.leaveOut("%s: resource claims", one)
	}
	if len(one.spec.SchedulingGates) > 0 {
		m.leaveOut("%s: scheduling gates", one)
	}
	if name := one.spec.SchedulerName; name != "" && name != corev1.DefaultSchedulerName {
		m.leaveOut("%s: it asks for the scheduler %s", one, name)
	}
}

// instance makes the instance: with the nodes that there are, or with as many more of each class as needed.
func (m *model) instance(grows bool) (*stowage.Instance, error) {
	b := stowage.NewBuilder("cluster")
	for _, name := range m.resources {
		b.Resource(name, unitOf(name))
	}
	for k := range m.places {
		b.Resource(fmt.Sprintf("place %d", k), "replicas")
	}
	for k, one := range m.classes {
		class := stowage.Class{Name: one.name, Capacity: m.amounts(one.capacity), Count: uint32(one.nodes)}
		for _, place := range m.places {
			room := 0.0
			if place[k] {
				room = plenty
			}
			class.Capacity = append(class.Capacity, room)
		}
		if grows && !one.single() {
			class.Count = 0
		}
		if price, given := m.prices[one.name]; given {
			class.Price = &price
		}
		for _, key := range slices.Sorted(maps.Keys(one.labels)) {
			class.Labels = append(class.Labels, key+"="+one.labels[key])
		}
		b.Class(class)
	}
	for _, one := range m.nodes {
		load := append(m.amounts(one.load), make([]float64, len(m.places))...)
		b.Node(stowage.Node{Name: one.name, Class: one.class, Load: load, Closed: one.closed})
	}
	for k, one := range m.workloads {
		app := stowage.App{
			Name: one.String(), Replicas: uint32(one.replicas), Demand: append(m.amounts(one.requests), make([]float64, len(m.places))...),
			Tags: m.tags[k],
		}
		if one.spec.Priority != nil {
			app.Priority = *one.spec.Priority
		}
		if place := m.placeOf[k]; place >= 0 {
			app.Demand[len(m.resources)+place] = 1
		}
		b.App(app)
		for _, node := range slices.Sorted(maps.Keys(one.running)) {
			b.Running(k, node, one.running[node])
			if one.pinned {
				b.Pin(k, node, one.running[node])
			}
		}
	}
	pairs := slices.SortedFunc(maps.Keys(m.limits), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, pair := range pairs {
		b.Limit(pair[0], pair[1], m.limits[pair])
	}
	for _, key := range slices.Sorted(maps.Keys(m.groups)) {
		if len(m.rules) > 0 {
			b.NodeGroup(stowage.NodeGroup{Name: key, ByLabel: key})
		}
	}
	for _, rule := range m.rules {
		b.Rule(rule)
	}
	return b.Build()
}

func (m *model) amounts(of map[string]float64) []float64 {
	all := make([]float64, len(m.resources))
	for k, name := range m.resources {
		all[k] = of[name]
	}
	return all
}
