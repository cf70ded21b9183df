package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// refusal is a reason why a pod may not be on a node, whatever else is there.
type refusal struct {
	// its completes "node x has room, but ..."; with completes "3 nodes ...".
	its, with string
	// taint is set where a toleration would help.
	taint string
}

// ground is what a node is to pods before any of them is there; the name is "" for nodes to come.
type ground struct {
	name   string
	labels map[string]string
	taints []corev1.Taint
	// ports of the host that pods use which go with the node.
	ports []usedPort
}

// refusals are all reasons why labels, name and taints of a node exclude a pod.
func refusals(spec *corev1.PodSpec, at ground) (all []refusal, err error) {
	of := at.labels
	for k := range at.taints {
		if text := at.taints[k].ToString(); !tolerates(spec, at.taints[k:k+1]) {
			all = append(all, refusal{"its taint " + text + " is not tolerated", "with the taint " + text + ", which is not tolerated", text})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(spec.NodeSelector)) {
		if value, has := of[key]; !has || value != spec.NodeSelector[key] {
			wanted := key + "=" + spec.NodeSelector[key]
			all = append(all, refusal{its: "the node selector asks for " + wanted, with: "without " + wanted + ", which the node selector asks for"})
		}
	}
	if terms := nodeTerms(spec); terms != nil {
		met, keys, err := meetsOne(terms, at)
		if err != nil {
			return all, fmt.Errorf("required node affinity %w", err)
		}
		if !met {
			by := strings.Join(keys, ", ")
			all = append(all, refusal{its: "the required node affinity by " + by + " excludes it", with: "that the required node affinity by " + by + " excludes"})
		}
	}
	for _, spread := range spec.TopologySpreadConstraints {
		if _, has := of[spread.TopologyKey]; !has && spread.WhenUnsatisfiable == corev1.DoNotSchedule && spread.TopologyKey != corev1.LabelHostname {
			all = append(all, refusal{its: "it has no label " + spread.TopologyKey + " to spread over", with: "without the label " + spread.TopologyKey + " to spread over"})
		}
	}
	return all, nil
}

// affinityRefusals are the labels by which a pod must be near others and which a node does not have.
func affinityRefusals(spec *corev1.PodSpec, at ground) (all []refusal) {
	if spec.Affinity == nil || spec.Affinity.PodAffinity == nil {
		return nil
	}
	for _, term := range spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		if _, has := at.labels[term.TopologyKey]; !has && term.TopologyKey != corev1.LabelHostname {
			all = append(all, refusal{its: "it has no label " + term.TopologyKey + " to be near others by", with: "without the label " + term.TopologyKey + " to be near others by"})
		}
	}
	return all
}

// meetsOne reports whether a node meets one of the terms, and else the keys by which the terms fail.
func meetsOne(terms []corev1.NodeSelectorTerm, at ground) (met bool, keys []string, err error) {
	for k := range terms {
		failed, err := failing(&terms[k], at)
		if err != nil {
			return false, nil, err
		}
		if len(failed) == 0 {
			return true, nil, nil
		}
		for _, key := range failed {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return false, keys, nil
}

// failing returns the keys by which a node fails a term. An empty term matches no node.
func failing(term *corev1.NodeSelectorTerm, at ground) (keys []string, err error) {
	if len(term.MatchFields)+len(term.MatchExpressions) == 0 {
		return []string{"an empty term"}, nil
	}
	check := func(expression corev1.NodeSelectorRequirement, set labels.Set) error {
		requirement, err := labels.NewRequirement(expression.Key, operators[expression.Operator], expression.Values)
		if err != nil {
			return fmt.Errorf("by %s: %w", expression.Key, err)
		}
		if !requirement.Matches(set) {
			keys = append(keys, expression.Key)
		}
		return nil
	}
	for _, expression := range term.MatchExpressions {
		if err := check(expression, labels.Set(at.labels)); err != nil {
			return nil, err
		}
	}
	for _, expression := range term.MatchFields {
		if expression.Key != "metadata.name" {
			return nil, fmt.Errorf("by the field %s", expression.Key)
		}
		if err := check(expression, labels.Set{"metadata.name": at.name}); err != nil {
			return nil, err
		}
	}
	return keys, nil
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

var operators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn:           selection.In,
	corev1.NodeSelectorOpNotIn:        selection.NotIn,
	corev1.NodeSelectorOpExists:       selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist,
	corev1.NodeSelectorOpGt:           selection.GreaterThan,
	corev1.NodeSelectorOpLt:           selection.LessThan,
}

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
