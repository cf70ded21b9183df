package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Rules that can be stated are not among what is left out.
func TestRulesAreMade(t *testing.T) {
	from := twoHalves()
	apart := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "api"}}
	own := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	affinity := &corev1.Affinity{
		PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelTopologyZone, LabelSelector: apart}}},
		PodAffinity:     &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname, LabelSelector: apart}}},
	}
	spread := []corev1.TopologySpreadConstraint{
		{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: own},
	}
	for _, spec := range []*corev1.PodSpec{&from.deployments[0].Spec.Template.Spec, &from.pods[0].Spec} {
		spec.Affinity, spec.TopologySpreadConstraints = affinity, spread
	}
	found, err := ask(t.Context(), from, options{planner: "auto", work: 100000})
	if err != nil || len(found.LeftOut) != 0 {
		t.Errorf("left out %q, %v", found.LeftOut, err)
	}
}

// byZone sums counts of nodes: their names begin with their zone.
func byZone(counts map[string]int) map[string]int {
	sums := map[string]int{}
	for node, count := range counts {
		sums[node[:1]] += count
	}
	return sums
}

// skew is the largest difference of the counts in some domains.
func skew(counts map[string]int, domains ...string) int {
	var all []int
	for _, domain := range domains {
		all = append(all, counts[domain])
	}
	return slices.Max(all) - slices.Min(all)
}

// testdata/rules.json has a workload for each form of a constraint. The scheduler's decisions are worked out by hand here.
func TestRulesSayWhatTheSchedulerDoes(t *testing.T) {
	from := load(t, "testdata/rules.json")
	result, err := ask(t.Context(), from, options{planner: "auto", work: 5000000})
	if err != nil || len(result.Add) != 0 || len(result.StillUnplaced) != 0 {
		t.Fatalf("no node would help: %+v, %v", result, err)
	}
	on := func(names ...string) map[string]int {
		for k := range names {
			names[k] = "deployment shop/" + names[k]
		}
		return result.on(names...)
	}
	unplaced := map[string]uint32{}
	for _, one := range result.Unplaced {
		unplaced[strings.TrimPrefix(one.Workload, "deployment shop/")] = one.Replicas
	}
	// "all" may not use zone c, but counts it: one each in a and b. "few" wants five domains and there are three: one replica
	// each.
	if !maps.Equal(unplaced, map[string]uint32{"all": 1, "few": 1}) {
		t.Errorf("unplaced %v", unplaced)
	}
	for _, one := range []struct {
		names   []string
		domains []string
	}{
		{[]string{"web"}, []string{"a", "b", "c"}},
		{[]string{"disk"}, []string{"a", "b"}}, // zones that the selector excludes do not count
		{[]string{"all"}, []string{"a", "b", "c"}},
		{[]string{"blue", "green"}, []string{"a", "b", "c"}}, // together
	} {
		if counts := byZone(on(one.names...)); skew(counts, one.domains...) > 1 {
			t.Errorf("%v: %v", one.names, counts)
		}
	}
	if counts := on("host"); skew(counts, "a1", "a2", "b1", "b2", "c1") > 1 {
		t.Errorf("host: %v", counts)
	}
	cache := byZone(on("cache"))
	zone := slices.Collect(maps.Keys(cache))
	if len(zone) != 1 || cache[zone[0]] != 3 {
		t.Fatalf("the first replica of cache is let in anywhere, the others beside it: %v", cache)
	}
	if near := byZone(on("near")); near[zone[0]] != 2 {
		t.Errorf("near: %v, cache in %v", near, zone)
	}
	if away := byZone(on("away")); away[zone[0]] != 0 {
		t.Errorf("away: %v, cache in %v", away, zone)
	}

	// Whichever zone cache is in, one of two replicas can be beside cache or on the only disk of the other kind, but not both.
	if !slices.ContainsFunc(result.Unmet, func(one struct{ Preference string }) bool {
		return strings.HasPrefix(one.Preference, "deployment shop/soft: preferred")
	}) {
		t.Errorf("preferences that are not met: %v", result.Unmet)
	}
	want := []string{
		"deployment shop/agents: required pod affinity by kubernetes.io/hostname: it counts pods of daemonset shop/agent, which go with their nodes here",
		"deployment shop/any: required pod affinity by topology.kubernetes.io/zone, to its own replicas or others",
		"deployment shop/hash: spread over topology.kubernetes.io/zone, which depends on a label pod-template-hash that the template has not",
		"deployment shop/host: spread over kubernetes.io/hostname, where all is planned afresh",
		"deployment shop/odd: spread over topology.kubernetes.io/zone: it counts other pods than those that it keeps",
		"deployment shop/spaces: required pod anti-affinity by kubernetes.io/hostname, which selects namespaces by label: the Namespace shop is not in the input",
	}
	if !slices.Equal(result.LeftOut, want) {
		t.Errorf("left out %q", result.LeftOut)
	}
}

// Preferences add no nodes, and those that hold are kept when nodes are emptied.
func TestPreferencesThatHoldAreKept(t *testing.T) {
	from := twoHalves()
	for k, other := range []string{"api", "web"} {
		from.pods[k].Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 100, PodAffinityTerm: corev1.PodAffinityTerm{
				TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": other}},
			}}},
		}}
	}
	found, err := ask(t.Context(), from, options{planner: "auto", work: 5000000, moves: 10})
	if err != nil || len(found.Emptied) != 0 || len(found.Unmet) != 0 || !slices.Equal(found.Afresh, []need{{"4 cores, 0 GiB", 1}}) {
		t.Errorf("%+v, %v", found, err)
	}
}

// A spread that is uneven at the start may stay so; new replicas reduce the skew.
func TestSpreadOfWhatRuns(t *testing.T) {
	from := twoHalves()
	for k := range from.nodes {
		from.nodes[k].Labels[corev1.LabelTopologyZone] = from.nodes[k].Name
		from.nodes[k].Status.Allocatable["cpu"] = resource.MustParse("40")
	}
	web := &from.deployments[0]
	replicas := int32(5)
	web.Spec.Replicas = &replicas
	web.Spec.Template.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
	}}
	from.pods[0].Spec.TopologySpreadConstraints = web.Spec.Template.Spec.TopologySpreadConstraints
	for k := range 3 { // four on n1, none on n2
		more := from.pods[0]
		more.Name = fmt.Sprintf("web-1-more-%d", k)
		from.pods = append(from.pods, more)
	}
	found, err := ask(t.Context(), from, options{planner: "auto", work: 5000000})
	if err != nil {
		t.Fatal(err)
	}
	if counts := found.on("deployment x/web"); len(found.Unplaced) != 0 || !maps.Equal(counts, map[string]int{"n1": 4, "n2": 1}) {
		t.Errorf("%v, unplaced %v", counts, found.Unplaced)
	}
}
