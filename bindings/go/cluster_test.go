package stowage_test

import (
	"errors"
	"reflect"
	"testing"

	stowage "stowage.dev/go"
)

// Nodes and apps keep their names while positions shift: an app leaves, a node is drained.
func TestSessionByName(t *testing.T) {
	session := started(t)
	if err := session.Apply(
		stowage.Operation{Kind: stowage.OpSubmit, App: "first", Replicas: 1, Demand: []float64{1}},
		stowage.Operation{Kind: stowage.OpSubmit, App: "last", Replicas: 1, Demand: []float64{2}},
		stowage.Operation{Kind: stowage.OpAddNode, Node: "b"},
	); err != nil {
		t.Fatal(err)
	}
	before, err := session.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.Plan(t.Context(), stowage.Request{Planner: "ff"})
	if err != nil {
		t.Fatal(err)
	}
	named, err := before.Name(plan)
	if err != nil {
		t.Fatal(err)
	}
	// web needs 4 of 8 cores and allows one per node; first and last go beside the first of them.
	want := []stowage.NamedPlacement{
		{App: "web", Node: "a", Class: "standard", Replicas: 1, Copies: 1},
		{App: "first", Node: "a", Class: "standard", Replicas: 1, Copies: 1},
		{App: "last", Node: "a", Class: "standard", Replicas: 1, Copies: 1},
		{App: "web", Node: "b", Class: "standard", Replicas: 1, Copies: 1},
		{App: "web", Node: "standard-1", Class: "standard", Replicas: 1, Copies: 1},
	}
	if !reflect.DeepEqual(named, want) {
		t.Errorf("placed %v, want %v", named, want)
	}
	if _, err = session.Commit(plan, stowage.CommitExact); err != nil {
		t.Fatal(err)
	}
	if err = session.Apply(
		stowage.Operation{Kind: stowage.OpRemove, App: "first"}, stowage.Operation{Kind: stowage.OpCordon, Node: "b"},
		stowage.Operation{Kind: stowage.OpDrain, Node: "standard-1"},
	); err != nil {
		t.Fatal(err)
	}
	after, err := session.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	if after.Version != session.Version() || after.Version <= before.Version {
		t.Errorf("version %d after %d; the session has %d", after.Version, before.Version, session.Version())
	}
	if apps := []stowage.ClusterApp{{Name: "web", Replicas: 3}, {Name: "last", Replicas: 1}}; !reflect.DeepEqual(after.Apps, apps) {
		t.Errorf("apps %v, want %v", after.Apps, apps)
	}
	nodes := []stowage.ClusterNode{
		{Name: "a", Class: "standard"}, {Name: "b", Class: "standard", State: stowage.NodeCordoned},
		{Name: "standard-1", Class: "standard", State: stowage.NodeDrained},
	}
	if !reflect.DeepEqual(after.Nodes, nodes) {
		t.Errorf("nodes %v, want %v", after.Nodes, nodes)
	}
	if at := []stowage.Residence{{App: "last", Node: "a", Replicas: 1}}; !reflect.DeepEqual(after.WhereIs("last"), at) {
		t.Errorf("last is at %v, want %v", after.WhereIs("last"), at)
	}
	if at := after.WhereIs("first"); at != nil {
		t.Errorf("first is at %v", at)
	}
	// The positions of the plan are no longer those of the cluster.
	if _, err = after.Name(plan); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("a plan for an earlier state: %v", err)
	}
	if state := after.Nodes[2].State.String(); state != "drained" {
		t.Errorf("state %q", state)
	}
}

func TestClusterOfAnInstance(t *testing.T) {
	b := stowage.NewBuilder("numbers")
	b.Resource("cpu", "cores")
	b.Class(stowage.Class{Capacity: []float64{8}})
	b.App(stowage.App{Name: "web", Replicas: 9, Demand: []float64{8}})
	b.App(stowage.App{Name: "db", Replicas: 1, Demand: []float64{5}})
	// Names of new nodes skip those of listed ones.
	b.Node(stowage.Node{Name: "node-2", Load: []float64{8}})
	b.Node(stowage.Node{Name: "node-4", Load: []float64{8}, Closed: true})
	bytes, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := stowage.ReadCluster(bytes)
	if err != nil {
		t.Fatal(err)
	}
	instance := build(t, b)
	if cluster.Fingerprint != instance.Fingerprint() || cluster.Version != 0 {
		t.Errorf("fingerprint %d, version %d", cluster.Fingerprint, cluster.Version)
	}
	if !reflect.DeepEqual(cluster.Resources, []string{"cpu"}) || !reflect.DeepEqual(cluster.Classes, []string{"node"}) {
		t.Errorf("resources %v, classes %v", cluster.Resources, cluster.Classes)
	}
	if cluster.Nodes[0].State != stowage.NodeOpen || cluster.Nodes[1].State != stowage.NodeCordoned {
		t.Errorf("nodes %v", cluster.Nodes)
	}
	for _, compact := range []bool{false, true} {
		plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", Compact: compact})
		if err != nil {
			t.Fatal(err)
		}
		names, err := cluster.NodeNames(plan)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"node-2", "node-4", "node-1", "node-3", "node-5", "node-6", "node-7", "node-8", "node-9", "node-10", "node-11", "node-12",
		}
		if compact {
			// node-1 stands for nine nodes.
			want = []string{"node-2", "node-4", "node-1", "node-12"}
		}
		if !reflect.DeepEqual(names, want) {
			t.Errorf("nodes %v, want %v", names, want)
		}
	}
}

func TestClusterRefusesBytes(t *testing.T) {
	bytes, err := small().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for size := range bytes {
		if cluster, err := stowage.ReadCluster(bytes[:size]); err == nil || cluster != nil {
			t.Fatalf("%d of %d bytes are read", size, len(bytes))
		}
	}
}
