package main

import (
	"fmt"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	stowage "stowage.dev/go"
)

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
		if constraint.TopologyKey == corev1.LabelHostname && !soft {
			m.onlyHere = append(m.onlyHere, text)
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
	counts := make([]bool, len(m.classes))
	for k, class := range m.classes {
		counts[k] = m.countsNode(one, constraint, class.ground())
	}
	if !asksForNodes(one.spec) {
		return counts
	}
	for _, node := range m.nodes {
		if counts[node.class] != m.countsNode(one, constraint, node.ground) {
			m.leaveOut("%s: spread over %s: that it counts only some nodes of a kind", one, constraint.TopologyKey)
		}
	}
	return counts
}

// countsNode reports whether nodes with these labels and taints are domains: those that have all topology keys over which the
// pod must spread and, as its policies say, those that its selector and affinity and its tolerations allow.
func (m *model) countsNode(one *workload, constraint corev1.TopologySpreadConstraint, at ground) bool {
	honours := func(policy *corev1.NodeInclusionPolicy, otherwise bool) bool {
		return policy == nil && otherwise || policy != nil && *policy == corev1.NodeInclusionPolicyHonor
	}
	reduced := *one.spec
	if !honours(constraint.NodeAffinityPolicy, true) {
		reduced.NodeSelector, reduced.Affinity = nil, nil
	}
	if !honours(constraint.NodeTaintsPolicy, false) {
		at.taints = nil
	}
	excluded, err := refusals(&reduced, at)
	return err != nil || len(excluded) == 0
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
