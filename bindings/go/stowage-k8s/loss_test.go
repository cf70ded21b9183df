package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// withRoom is a cluster of nodes of 4 cores, the last of which is zone b, with one pod of so many cores each by node and name.
func withRoom(pods map[string]map[string]string, names ...string) *objects {
	from, yes := &objects{others: map[string]int{}}, true
	for k, name := range names {
		one := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name, corev1.LabelTopologyZone: "a"}}}
		if k == len(names)-1 {
			one.Labels[corev1.LabelTopologyZone] = "b"
		}
		one.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("4"), "pods": resource.MustParse("9")}
		from.nodes = append(from.nodes, one)
		for _, app := range []string{"w", "x", "y", "z"} {
			cores, runs := pods[name][app]
			if !runs {
				continue
			}
			set := appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "s", Name: app}}
			set.Spec.Template.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(cores)}}}}
			from.replicaSets = append(from.replicaSets, set)
			pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "s", Name: app + "-0"}, Spec: *set.Spec.Template.Spec.DeepCopy()}
			pod.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: app, Controller: &yes}}
			pod.Spec.NodeName = name
			from.pods = append(from.pods, pod)
		}
	}
	return from
}

func zoneDown(t *testing.T, from *objects, zones ...string) *whatIfAnswer {
	with := &call{options: options{planner: "auto", work: 500000}}
	for _, zone := range zones {
		with.change.zones = append(with.change.zones, zone)
		with.change.texts = append(with.change.texts, zone)
	}
	found, err := askWhatIf(t.Context(), from, with)
	if err != nil {
		t.Fatal(err)
	}
	return found.(*whatIfAnswer)
}

// Zone b has x (3 cores) and y (1). Where n1 has 3 cores free and n2 has 1, x fits on n1 alone and y then on n2 alone.
func TestPodsOfALostZone(t *testing.T) {
	found := zoneDown(t, withRoom(map[string]map[string]string{"n1": {"z": "1"}, "n2": {"w": "3"}, "n3": {"x": "3", "y": "1"}}, "n1", "n2", "n3"), "b")
	var moves []string
	for _, one := range found.Moves {
		moves = append(moves, fmt.Sprintf("%s %d %s %s", one.Workload, one.Replicas, one.From, one.To))
	}
	if want := []string{"replicaset s/x 1 n3 n1", "replicaset s/y 1 n3 n2"}; !slices.Equal(moves, want) || len(found.Unplaced) != 0 || found.Short != "" {
		t.Errorf("%q, %+v, %q", moves, found.Unplaced, found.Short)
	}
	// Where n2 has half a core, 3.5 cores are free for 4: y is left over, and this is proven.
	found = zoneDown(t, withRoom(map[string]map[string]string{"n1": {"z": "1"}, "n2": {"w": "3500m"}, "n3": {"x": "3", "y": "1"}}, "n1", "n2", "n3"), "b")
	if len(found.Unplaced) != 1 || found.Unplaced[0].Replicas != 1 || !strings.Contains(found.Short, "0.5 cores of cpu in all") {
		t.Errorf("%+v, %q", found.Unplaced, found.Short)
	}
}

// The answer leaves no more replicas over than a plan in which the pods wait like all others.
func TestALossIsAnsweredByTheBetterOfTwo(t *testing.T) {
	compared := 0
	for _, name := range dumps(t) {
		zones := map[string]bool{}
		for _, one := range load(t, name).nodes {
			if zone := one.Labels[corev1.LabelTopologyZone]; zone != "" {
				zones[zone] = true
			}
		}
		for zone := range zones {
			if len(zones) < 2 {
				continue
			}
			from := load(t, name)
			gone, err := from.apply(&change{zones: []string{zone}})
			if err != nil {
				t.Fatal(err)
			}
			plain, err := begin(t.Context(), from, options{planner: "auto", work: 500000})
			if err != nil {
				t.Fatal(err)
			}
			plain.instance.Close()
			found := zoneDown(t, load(t, name), zone)
			left, moved := uint64(0), uint32(0)
			for _, one := range found.Unplaced {
				left += uint64(one.Replicas)
			}
			for _, one := range found.Moves {
				moved += one.Replicas
			}
			if left > total(plain.asIs) || int(moved) > len(gone.pods) || found.Evicted != len(gone.pods) {
				t.Errorf("%s without zone %s: %d left over, and %d by the plan; %d of %d pods move", name, zone, left, total(plain.asIs), moved, len(gone.pods))
			}
			compared++
		}
	}
	if compared < 8 {
		t.Errorf("%d losses compared", compared)
	}
}
