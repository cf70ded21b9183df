package main

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	stowage "stowage.dev/go"
)

// model is the cluster as apps, classes, limits and rules. Between plans, the numbers of nodes per class and the rules differ.
type model struct {
	*cluster
	resources []string
	// places: the sets of classes to which workloads are restricted. Each place becomes a resource: its classes have plenty of it,
	// other classes have none, and each replica of a restricted workload demands 1.
	places [][]bool
	// placeOf each workload is an index of places; -1 = all classes.
	placeOf []int
	limits  map[[2]int]uint32
	rules   []rule
	groups  []group
	tags    [][]string
	// preferred labels, which stand for preferred node affinities, and the classes that carry them.
	preferred map[string][]bool
	prices    map[string]float64
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
)

// group is the domains of a topology key on the nodes of the classes that count. Its name is the key if all classes with the
// key count.
type group struct {
	name, key string
	counts    []bool
}

// plenty is more than the replicas that fit on any node.
const plenty = 1 << 20

// newModel translates the cluster; honoursRules states whether the planner honours placement rules. leftOut lists what the
// model cannot express.
func newModel(c *cluster, honoursRules bool, prices map[string]float64) *model {
	m := &model{
		cluster: c, limits: map[[2]int]uint32{}, tags: make([][]string, len(c.workloads)), preferred: map[string][]bool{}, prices: prices,
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
		for _, one := range m.rules {
			c.leaveOut("%s", one.Name)
		}
		m.rules, m.groups = nil, nil
	}
	for _, one := range m.rules {
		if one.hereOnly && !one.Soft {
			c.leaveOut("%s, where nodes are added", one.Name)
		}
	}
	slices.Sort(c.leftOut)
	return m
}

// rank orders cpu and memory before all other resources.
func rank(resource string) int {
	return (slices.Index([]string{"cpu", "memory"}, resource) + 3) % 3
}

// place returns the index of the place for a workload; -1 = all classes.
func (m *model) place(one *workload) int {
	may := make([]bool, len(m.classes))
	for k, class := range m.classes {
		accepted, err := accepts(one.spec, class.labels, class.taints)
		if err != nil {
			m.leaveOut("%s: %v", one, err)
			accepted = true
		}
		may[k] = accepted && hasKeys(one.spec, class)
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

// hasKeys reports whether the class has all topology keys over which the pod must spread.
func hasKeys(spec *corev1.PodSpec, class *class) bool {
	return !slices.ContainsFunc(spec.TopologySpreadConstraints, func(one corev1.TopologySpreadConstraint) bool {
		_, has := class.labels[one.TopologyKey]
		return one.WhenUnsatisfiable == corev1.DoNotSchedule && one.TopologyKey != corev1.LabelHostname && !has
	})
}

// matched returns the workloads whose pods a term selects; known is false where the term depends on what is not in the input.
// Only pods with the same value of each label in same, and with another value of each label in other, are selected.
func (m *model) matched(of *workload, selector *metav1.LabelSelector, namespaces func(string) bool, same, other []string, term string) (found []int, known bool) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		m.leaveOut("%s: %v", term, err)
		return nil, false
	}
	for _, key := range slices.Concat(same, other) {
		value, has := of.labels[key]
		if !has {
			// For example the hash that a deployment's controller adds to each version of the template.
			m.leaveOut("%s, which depends on a label %s that the template has not", term, key)
			return nil, false
		}
		operator := selection.In
		if slices.Contains(other, key) {
			operator = selection.NotIn
		}
		requirement, err := labels.NewRequirement(key, operator, []string{value})
		if err != nil {
			m.leaveOut("%s: %v", term, err)
			return nil, false
		}
		parsed = parsed.Add(*requirement)
	}
	selects := func(namespace string, of map[string]string) bool {
		return namespaces(namespace) && parsed.Matches(labels.Set(of))
	}
	for _, one := range m.loads {
		if selects(one.namespace, one.labels) {
			m.leaveOut("%s: it counts pods of %s, which are load of their nodes here", term, one.name)
			return nil, false
		}
	}
	for k, one := range m.workloads {
		if selects(one.namespace, one.labels) {
			found = append(found, k)
		}
	}
	return found, true
}

func only(name string) func(string) bool {
	return func(namespace string) bool { return namespace == name }
}

// term resolves an affinity or anti-affinity term to workloads.
func (m *model) term(of *workload, term corev1.PodAffinityTerm, text string) ([]int, bool) {
	namespaces := only(of.namespace)
	switch {
	case term.NamespaceSelector != nil && len(term.NamespaceSelector.MatchLabels)+len(term.NamespaceSelector.MatchExpressions) > 0:
		m.leaveOut("%s, which selects namespaces by label", text)
		return nil, false
	case term.NamespaceSelector != nil:
		namespaces = func(string) bool { return true }
	case len(term.Namespaces) > 0:
		namespaces = func(namespace string) bool { return slices.Contains(term.Namespaces, namespace) }
	}
	return m.matched(of, term.LabelSelector, namespaces, term.MatchLabelKeys, term.MismatchLabelKeys, text)
}

func (m *model) antiAffinity(i int, one *workload) {
	if one.spec.Affinity == nil || one.spec.Affinity.PodAntiAffinity == nil {
		return
	}
	none := uint32(0)
	away := func(found []int, key string) stowage.Cardinality {
		return stowage.Cardinality{Kind: stowage.CountReplicas, Target: m.tag(found), Max: &none, Group: m.group(key, nil)}
	}
	terms := one.spec.Affinity.PodAntiAffinity
	for _, term := range terms.PreferredDuringSchedulingIgnoredDuringExecution {
		text := fmt.Sprintf("%s: preferred pod anti-affinity by %s", one, term.PodAffinityTerm.TopologyKey)
		if found, known := m.term(one, term.PodAffinityTerm, text); known && len(found) > 0 {
			m.prefer([]int{i}, text, float64(term.Weight), away(found, term.PodAffinityTerm.TopologyKey))
		}
	}
	for _, term := range terms.RequiredDuringSchedulingIgnoredDuringExecution {
		text := fmt.Sprintf("%s: required pod anti-affinity by %s", one, term.TopologyKey)
		found, known := m.term(one, term, text)
		switch {
		case !known || len(found) == 0:
		case term.TopologyKey == corev1.LabelHostname:
			for _, j := range found {
				m.limit(i, j)
			}
		default:
			m.require([]int{i}, text, away(found, term.TopologyKey))
		}
	}
}

// limit keeps two workloads on different nodes, or the replicas of one.
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
	if nodes := one.spec.Affinity.NodeAffinity; nodes != nil {
		for _, term := range nodes.PreferredDuringSchedulingIgnoredDuringExecution {
			m.preferNodes(i, one, term)
		}
	}
	if one.spec.Affinity.PodAffinity == nil {
		return
	}
	for _, term := range one.spec.Affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		text := fmt.Sprintf("%s: preferred pod affinity by %s", one, term.PodAffinityTerm.TopologyKey)
		if found, known := m.term(one, term.PodAffinityTerm, text); known && len(found) > 0 {
			m.prefer([]int{i}, text, float64(term.Weight), stowage.Cardinality{
				Kind: stowage.CountReplicas, Target: m.tag(found), Min: 1, Group: m.group(term.PodAffinityTerm.TopologyKey, nil),
			})
		}
	}
	m.requiredAffinity(i, one, one.spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
}

// requiredAffinity requires, for each term, a pod that all terms select in the same domain.
func (m *model) requiredAffinity(i int, one *workload, terms []corev1.PodAffinityTerm) {
	var near []int
	texts := make([]string, len(terms))
	for k, term := range terms {
		texts[k] = fmt.Sprintf("%s: required pod affinity by %s", one, term.TopologyKey)
		found, known := m.term(one, term, texts[k])
		if !known {
			if len(terms) > 1 {
				m.leaveOut("%s: required pod affinity, all terms", one)
			}
			return
		}
		if k == 0 {
			near = found
		}
		near = slices.DeleteFunc(slices.Clone(near), func(j int) bool { return !slices.Contains(found, j) })
	}
	single := uint32(1)
	for k, term := range terms {
		key := m.group(term.TopologyKey, nil)
		switch {
		case slices.Equal(near, []int{i}):
			// The scheduler accepts the first replica alone; the others must be in the same domain.
			m.require([]int{i}, texts[k], stowage.Cardinality{Kind: stowage.CountNodeSets, Max: &single, Group: key})
		case slices.Contains(near, i):
			// The scheduler accepts the first of several workloads alone, which no rule can state.
			m.leaveOut("%s, to its own replicas or others", texts[k])
		default:
			m.require([]int{i}, texts[k], stowage.Cardinality{Kind: stowage.CountReplicas, Target: m.tag(near), Min: 1, Group: key})
		}
	}
}

// preferNodes states a preferred node affinity as a rule on a label that the preferred classes get.
func (m *model) preferNodes(i int, one *workload, term corev1.PreferredSchedulingTerm) {
	text := fmt.Sprintf("%s: preferred node affinity", one)
	may := make([]bool, len(m.classes))
	for k, class := range m.classes {
		var err error
		if may[k], err = meets(&term.Preference, class.labels); err != nil {
			m.leaveOut("%s: %v", text, err)
			return
		}
	}
	if !slices.Contains(may, true) {
		return
	}
	word := fmt.Sprintf("preferred %d", len(m.preferred))
	m.preferred[word] = may
	m.prefer([]int{i}, text, float64(term.Weight), stowage.Cardinality{Kind: stowage.CountReplicas, Target: []string{word}, Min: 1})
}

// spreadWeight is the weight of a preferred spread: the largest weight that a preference can have.
const spreadWeight = 100

func (m *model) spread(i int, one *workload) {
	for _, constraint := range one.spec.TopologySpreadConstraints {
		text := fmt.Sprintf("%s: spread over %s", one, constraint.TopologyKey)
		soft := constraint.WhenUnsatisfiable == corev1.ScheduleAnyway
		if soft {
			text = fmt.Sprintf("%s: preferred spread over %s", one, constraint.TopologyKey)
		}
		found, known := m.matched(one, constraint.LabelSelector, only(one.namespace), constraint.MatchLabelKeys, nil, text)
		if !known || len(found) == 0 {
			continue
		}
		if !slices.Contains(found, i) || slices.ContainsFunc(found, func(j int) bool { return !m.spreadsAlike(one, m.workloads[j], constraint) }) {
			m.leaveOut("%s: it counts other pods than those that it keeps", text)
			continue
		}
		if i != found[0] {
			continue // one rule covers all of them
		}
		counts := m.counted(one, constraint)
		domains := m.domains(constraint.TopologyKey, counts)
		most := uint32(constraint.MaxSkew)
		condition := stowage.Cardinality{Kind: stowage.CountSkew, Max: &most, Group: m.group(constraint.TopologyKey, counts)}
		if constraint.MinDomains != nil && domains < int(*constraint.MinDomains) {
			// With fewer than minDomains domains, the scheduler treats the smallest count as 0.
			most--
			condition.Kind, condition.Target = stowage.CountReplicas, m.tag(found)
		}
		if soft {
			m.prefer(found, text, spreadWeight, condition)
		} else {
			m.require(found, text, condition)
		}
		if constraint.TopologyKey == corev1.LabelHostname {
			// The spread depends on the number of nodes.
			m.rules[len(m.rules)-1].hereOnly = true
		}
	}
}

// spreadsAlike reports whether the other workload has the same constraint on the same nodes.
func (m *model) spreadsAlike(one, other *workload, constraint corev1.TopologySpreadConstraint) bool {
	if one == other {
		return true
	}
	return slices.ContainsFunc(other.spec.TopologySpreadConstraints, func(its corev1.TopologySpreadConstraint) bool {
		return reflect.DeepEqual(constraint, its) && slices.Equal(m.counted(one, constraint), m.counted(other, its)) &&
			!slices.ContainsFunc(constraint.MatchLabelKeys, func(key string) bool { return one.labels[key] != other.labels[key] })
	})
}

// counted returns the classes whose nodes count as domains.
func (m *model) counted(one *workload, constraint corev1.TopologySpreadConstraint) []bool {
	honours := func(policy *corev1.NodeInclusionPolicy, otherwise bool) bool {
		return policy == nil && otherwise || policy != nil && *policy == corev1.NodeInclusionPolicyHonor
	}
	counts := make([]bool, len(m.classes))
	for k, class := range m.classes {
		counts[k] = hasKeys(one.spec, class)
		if honours(constraint.NodeAffinityPolicy, true) {
			accepted, err := accepts(one.spec, class.labels, nil)
			counts[k] = counts[k] && (accepted || err != nil)
		}
		if honours(constraint.NodeTaintsPolicy, false) {
			counts[k] = counts[k] && tolerates(one.spec, class.taints)
		}
	}
	return counts
}

// domains is the number of values of a topology key on the present nodes of the classes that count.
func (m *model) domains(key string, counts []bool) int {
	values := map[string]bool{}
	for _, one := range m.nodes {
		value, has := m.classes[one.class].labels[key]
		if key == corev1.LabelHostname {
			value, has = one.name, true
		}
		if has && counts[one.class] {
			values[value] = true
		}
	}
	return len(values)
}

// group returns the name of the group for a topology key on the classes that count; nil = all classes. "" = each node is a set
// of its own.
func (m *model) group(key string, counts []bool) string {
	all := true
	for k, class := range m.classes {
		_, has := class.labels[key]
		all = all && (counts == nil || counts[k] || !has && key != corev1.LabelHostname)
	}
	if key == corev1.LabelHostname && all {
		return ""
	}
	if all {
		counts = nil
	}
	same := func(one group) bool { return one.key == key && slices.Equal(one.counts, counts) }
	if known := slices.IndexFunc(m.groups, same); known >= 0 {
		return m.groups[known].name
	}
	one := group{key, key, counts}
	if !all {
		one.name = fmt.Sprintf("%s (%d)", key, len(m.groups))
	}
	m.groups = append(m.groups, one)
	return one.name
}

func (m *model) require(subjects []int, name string, condition stowage.Cardinality) {
	condition.Subject = m.tag(subjects)
	m.rules = append(m.rules, rule{Rule: stowage.Rule{Name: name, AnyOf: [][]stowage.Cardinality{{condition}}}})
}

func (m *model) prefer(subjects []int, name string, weight float64, condition stowage.Cardinality) {
	m.require(subjects, name, condition)
	last := &m.rules[len(m.rules)-1]
	last.Soft, last.Weight = true, weight
}

// tag adds a tag to exactly these workloads and returns it.
func (m *model) tag(workloads []int) []string {
	name := fmt.Sprint(workloads)
	for _, one := range workloads {
		if !slices.Contains(m.tags[one], name) {
			m.tags[one] = append(m.tags[one], name)
		}
	}
	return []string{name}
}

// hostPorts keeps workloads that use the same host port on different nodes.
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

// others reports further requests of a pod that the plans do not take into account.
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

func (m *model) instance(about scope) (*stowage.Instance, error) {
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
		if about == grown && !one.single() {
			class.Count = 0
		}
		if price, given := m.prices[one.name]; given {
			class.Price = &price
		}
		for _, key := range slices.Sorted(maps.Keys(one.labels)) {
			class.Labels = append(class.Labels, key+"="+one.labels[key])
		}
		for _, group := range m.groups {
			if value, has := one.labels[group.key]; has && group.counts != nil && group.counts[k] {
				class.Labels = append(class.Labels, group.name+"="+value)
			}
		}
		for _, word := range slices.Sorted(maps.Keys(m.preferred)) {
			if m.preferred[word][k] {
				class.Labels = append(class.Labels, word)
			}
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
	for _, one := range m.groups {
		b.NodeGroup(m.nodeGroup(one))
	}
	for _, one := range m.rulesFor(about) {
		b.Rule(one)
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

// nodeGroup defines a group by its label or, for hostnames, by the listed nodes that count.
func (m *model) nodeGroup(of group) stowage.NodeGroup {
	if of.key != corev1.LabelHostname {
		return stowage.NodeGroup{Name: of.name, ByLabel: of.name}
	}
	made := stowage.NodeGroup{Name: of.name}
	for k, one := range m.nodes {
		if of.counts[one.class] {
			made.Sets = append(made.Sets, stowage.NodeSet{Name: one.name, Nodes: []int{k}})
		}
	}
	return made
}
