package main

import (
	"maps"
	"slices"
	"testing"
)

// testdata/defaults.json is worked out in testdata/README.md.
func TestTemplatesMeanWhatTheAPIServerMakesOfThem(t *testing.T) {
	from := load(t, "testdata/defaults.json")
	result, err := ask(t.Context(), from, options{planner: "auto", work: 500000, moves: 10})
	if err != nil {
		t.Fatal(err)
	}
	left, why := map[string]uint32{}, map[string][]string{}
	for _, one := range result.Unplaced {
		left[one.Workload], why[one.Workload] = one.Replicas, one.Why
	}
	if !maps.Equal(left, map[string]uint32{"deployment shop/gpu": 1, "deployment shop/metrics": 1, "deployment shop/near": 1}) {
		t.Errorf("left over: %v", left)
	}
	if want := "node n1 (and 2 like it) has room, but it has the host port 9100 of daemonset system/exporter"; !slices.Contains(why["deployment shop/metrics"], want) {
		t.Errorf("%q", why["deployment shop/metrics"])
	}
	if want := "0 of 3 nodes take it: 2 short of cpu; 1 without the label topology.kubernetes.io/zone to be near others by"; !slices.Contains(why["deployment shop/near"], want) {
		t.Errorf("%q", why["deployment shop/near"])
	}
	if len(result.LeftOut) != 0 {
		t.Errorf("left out %q", result.LeftOut)
	}
}
