package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	stowage "stowage.dev/go"
)

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
	for _, one := range m.daemons {
		if slices.ContainsFunc(one.labels, func(its map[string]string) bool { return selects(one.namespace, its) }) {
			m.leaveOut("%s: it counts pods of %s, which go with their nodes here", term, one.name)
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
		case slices.Contains(near, i) && !slices.ContainsFunc(near, func(j int) bool { return m.workloads[j].key() != one.key() }):
			if i != near[0] {
				continue // one rule covers all parts of a stateful set
			}
			// The scheduler accepts the first replica alone; the others must be in the same domain.
			m.require(near, texts[k], stowage.Cardinality{Kind: stowage.CountNodeSets, Max: &single, Group: key})
		case slices.Contains(near, i):
			// The scheduler accepts the first of several workloads alone, which no rule can state.
			m.leaveOut("%s, to its own replicas or others", texts[k])
		default:
			m.require([]int{i}, texts[k], stowage.Cardinality{Kind: stowage.CountReplicas, Target: m.tag(near), Min: 1, Group: key})
		}
	}
}

// preferNodes states a preferred node affinity as a rule on a word that the preferred nodes carry.
func (m *model) preferNodes(i int, one *workload, term corev1.PreferredSchedulingTerm) {
	text := fmt.Sprintf("%s: preferred node affinity", one)
	terms := []corev1.NodeSelectorTerm{term.Preference}
	made, err := m.placed(looksAtNodes(terms), func(at ground) (bool, error) {
		met, _, err := meetsOne(terms, at)
		return met, err
	})
	if err != nil {
		m.leaveOut("%s: %v", text, err)
		return
	}
	if !slices.Contains(made.nodes, true) {
		return
	}
	word := preferredWord(len(m.preferred))
	m.preferred = append(m.preferred, made)
	m.prefer([]int{i}, text, float64(term.Weight), stowage.Cardinality{Kind: stowage.CountReplicas, Target: []string{word}, Min: 1})
}
