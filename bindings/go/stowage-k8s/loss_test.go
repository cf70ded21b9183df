package main

import (
	"encoding/json"
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
	from, yes := &objects{}, true
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

func zoneDown(t *testing.T, from *objects, zone string) *whatIfAnswer {
	t.Helper()
	text, _, err := asked(t.Context(), request{Arguments: []string{"whatif", "-json", "-work", "500000", "--zone-down", zone}}, from.text())
	if err != nil {
		t.Fatal(err)
	}
	found := &whatIfAnswer{}
	if err := json.Unmarshal(text, found); err != nil {
		t.Fatal(err)
	}
	return found
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
