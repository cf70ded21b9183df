package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// testdata/devices.json is worked out in testdata/README.md.
func TestSharesOfGPUsAreOnOneDevice(t *testing.T) {
	result, err := ask(t.Context(), load(t, "testdata/devices.json"), options{planner: "auto", work: 500000})
	if err != nil {
		t.Fatal(err)
	}
	left, why := map[string]uint32{}, map[string][]string{}
	for _, one := range result.Unplaced {
		name := strings.TrimPrefix(one.Workload, "deployment gpu/")
		left[name], why[name] = one.Replicas, one.Why
	}
	if !maps.Equal(left, map[string]uint32{"m500": 1, "g8": 1, "g20": 1, "g10-of-two": 1, "h8000": 1, "hall": 1}) {
		t.Errorf("left over: %v", left)
	}
	for name, want := range map[string]string{
		"g8":    "node s1: no single device has 8 of aliyun.com/gpu-mem free; 14 of aliyun.com/gpu-mem are free in all",
		"g20":   "0 of 5 nodes take it: 5 without a single device that has 20 of aliyun.com/gpu-mem",
		"h8000": "node h1: no single device has 8000 of nvidia.com/gpumem free; 8672 of nvidia.com/gpumem are free in all",
	} {
		if !slices.Contains(why[name], want) {
			t.Errorf("%s: %q", name, why[name])
		}
	}
	if want := []need{{"openb", 1}, {"gpushare", 2}, {"hami", 1}}; !slices.Equal(result.Add, want) {
		t.Errorf("nodes to add: %v", result.Add)
	}
	if len(result.StillUnplaced) != 1 || result.StillUnplaced[0].Workload != "deployment gpu/g20" {
		t.Errorf("%+v", result.StillUnplaced)
	}
	want := []string{
		"deployment gpu/g10-of-two: shared GPUs: that it takes parts of several devices of aliyun.com/gpu-mem, which count as whole ones",
		"deployment gpu/h10000: shared GPUs: that its nvidia.com/gpumem and its nvidia.com/gpucores are on the same device",
		"shared GPUs: nodes of slices share GPUs (time-slicing), of which only the number of shares counts",
	}
	if !slices.Equal(result.LeftOut, want) {
		t.Errorf("left out %q", result.LeftOut)
	}
}

// Where nodes have GPUs of different sizes, their shares are added up, and this is said.
func TestDevicesOfDifferentSizesAreNamed(t *testing.T) {
	from := load(t, "testdata/devices.json")
	larger := *from.nodes[2].DeepCopy()
	larger.Name = "s2"
	larger.Status.Allocatable["aliyun.com/gpu-mem"] = resource.MustParse("64")
	whole := *from.nodes[3].DeepCopy()
	whole.Name, whole.Annotations = "w1", nil
	from.nodes = append(from.nodes, larger, whole)
	found, err := ask(t.Context(), from, options{planner: "auto", work: 500000})
	if err != nil {
		t.Fatal(err)
	}
	contains(t, found.LeftOut, "deployment gpu/g8: shared GPUs: on which device its aliyun.com/gpu-mem is; the shares of a node are added up",
		"deployment gpu/h8000: shared GPUs: its nvidia.com/gpumem", "deployment gpu/h25: shared GPUs: its nvidia.com/gpumem-percentage",
		"deployment gpu/h10000: shared GPUs: its nvidia.com/gpucores")
}

func TestAnUnreadableRegisterIsNamed(t *testing.T) {
	from := load(t, "testdata/devices.json")
	from.nodes[3].Annotations = map[string]string{"hami.io/node-nvidia-register": "GPU-0,10,16384,100"}
	found, err := ask(t.Context(), from, options{planner: "auto", work: 500000})
	if err != nil {
		t.Fatal(err)
	}
	contains(t, found.LeftOut, "shared GPUs: the annotation hami.io/node-nvidia-register of node h1: it is no list of GPUs")
}
