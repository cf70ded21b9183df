package stowage_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	stowage "stowage.dev/go"
)

const conformance = "../../tests/conformance"

// table is the cells of each line of a file, without comments and without the first line, which names the columns.
func table(t testing.TB, name string) [][]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(conformance, name))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(content)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows[1:]
}

func instanceBytes(t testing.TB, name string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(filepath.Join(conformance, "instances", name+".stow"))
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

func build(t testing.TB, builder *stowage.Builder) *stowage.Instance {
	t.Helper()
	instance, err := builder.Build()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = instance.Close() })
	return instance
}

// small is three replicas of web and one of db; at most two web per node, and at most one web beside db.
func small() *stowage.Builder {
	b := stowage.NewBuilder("small")
	b.Resource("cpu", "cores")
	b.Resource("memory", "GiB")
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{8, 16}})
	web := b.App(stowage.App{Name: "web", Replicas: 3, Demand: []float64{2, 4}})
	db := b.App(stowage.App{Name: "db", Replicas: 1, Demand: []float64{4, 8}})
	b.Limit(web, web, 2)
	b.Limit(db, web, 1)
	return b
}

// alike is nine replicas, four of which fill a node.
func alike() *stowage.Builder {
	b := stowage.NewBuilder("alike")
	b.Resource("cpu", "cores")
	price := 1.5
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{8}, Price: &price})
	b.App(stowage.App{Name: "web", Replicas: 9, Demand: []float64{2}})
	return b
}

// racks is six nodes in three racks, with rules of all kinds: tests/data/racks_instance.json.
func racks() *stowage.Builder {
	b := stowage.NewBuilder("six nodes in three racks")
	b.Resource("cpu", "cores")
	b.Resource("memory", "GiB")
	machine := b.Class(stowage.Class{Name: "machine", Capacity: []float64{8, 32}, Count: 8, Labels: []string{"zone=a"}})
	large := b.Class(stowage.Class{Name: "large", Capacity: []float64{16, 64}, Count: 2, Labels: []string{"zone=b", "ssd"}})
	web := b.App(stowage.App{Name: "web", Replicas: 6, Demand: []float64{2, 2}, Tags: []string{"web", "appID:shop"}})
	cache := b.App(stowage.App{Name: "cache", Replicas: 3, Demand: []float64{1, 8}, Tags: []string{"cache", "appID:shop"}})
	db := b.App(stowage.App{Name: "db", Replicas: 2, Demand: []float64{4, 16}, Priority: 5, Tags: []string{"db"}})
	batch := b.App(stowage.App{Name: "batch", Replicas: 4, Demand: []float64{3, 4}, Tags: []string{"batch"}})
	b.Limit(cache, cache, 1)
	n1 := b.Node(stowage.Node{Name: "n1", Class: machine})
	n2 := b.Node(stowage.Node{Name: "n2", Class: machine, Load: []float64{1, 0}})
	n3 := b.Node(stowage.Node{Name: "n3", Class: machine, Tags: []string{"gpu"}})
	n4 := b.Node(stowage.Node{Name: "n4", Class: machine})
	n5 := b.Node(stowage.Node{Name: "n5", Class: large})
	n6 := b.Node(stowage.Node{Name: "n6", Class: large})
	b.Running(batch, n1, 1)
	b.Running(web, n2, 1)
	b.Running(db, n5, 1)
	b.NodeGroup(stowage.NodeGroup{Name: "rack", Sets: []stowage.NodeSet{
		{Name: "r1", Nodes: []int{n1, n2}}, {Name: "r2", Nodes: []int{n3, n4}}, {Name: "r3", Nodes: []int{n5, n6}},
	}})
	b.NodeGroup(stowage.NodeGroup{Name: "zone", ByLabel: "zone"})
	at := func(number uint32) *uint32 { return &number }
	count := func(subject, target, group string, min uint32, max *uint32) stowage.Cardinality {
		return stowage.Cardinality{Subject: []string{subject}, Target: []string{target}, Group: group, Min: min, Max: max}
	}
	b.Rule(stowage.Rule{Name: "spread", AnyOf: [][]stowage.Cardinality{{
		{Kind: stowage.CountSkew, Subject: []string{"web"}, Max: at(2), Group: "rack"},
	}}})
	b.Rule(stowage.Rule{Name: "apart", AnyOf: [][]stowage.Cardinality{{count("db", "batch", "node", 0, at(0))}}})
	b.Rule(stowage.Rule{Name: "near", Soft: true, Weight: 3, AnyOf: [][]stowage.Cardinality{
		{count("web", "cache", "", 1, nil)}, {count("web", "cache", "rack", 1, nil), count("web", "batch", "node", 0, at(0))},
	}})
	b.Rule(stowage.Rule{Name: "wide", Soft: true, Weight: 0.5, AnyOf: [][]stowage.Cardinality{{
		{Kind: stowage.CountNodeSets, Subject: []string{"web"}, Min: 2, Max: at(3), Group: "zone"},
		{Subject: []string{"batch"}, Target: []string{"cache", "appID:shop"}, Min: 1, Group: "rack", Negated: true},
	}}})
	b.Rule(stowage.Rule{Name: "few", Soft: true, Weight: 1, Operator: true, AnyOf: [][]stowage.Cardinality{{count("batch", "batch", "", 0, at(1))}}})
	return b
}

// uncertain is three replicas with means 2, 2 and 3 cores and variances 0.5, 1 and 1.5 at 99 % (P1, section 4.1), and one with
// certain demand.
func uncertain() *stowage.Builder {
	b := stowage.NewBuilder("uncertain")
	b.Resource("cpu", "cores")
	b.Class(stowage.Class{Name: "machine", Capacity: []float64{12}})
	for _, one := range [][2]float64{{2, 0.5}, {2, 1}, {3, 1.5}} {
		b.App(stowage.App{Replicas: 1, Demand: []float64{one[0]}, Variance: []float64{one[1]}})
	}
	b.App(stowage.App{Replicas: 1, Demand: []float64{4}})
	b.Uncertainty(stowage.Uncertainty{Model: stowage.Gaussian, Confidence: 0.99})
	return b
}

// workload is many apps of different sizes, the same in every run. Each app limits the given number of others to 0 to 2
// replicas. The more limits there are, the further plans stay above the bound, so that planners that improve a plan do not end
// by themselves.
func workload(apps, limits int) *stowage.Builder {
	random := rand.New(rand.NewPCG(1, 2))
	b := stowage.NewBuilder("workload")
	b.Resource("cpu", "cores")
	b.Resource("memory", "GiB")
	b.Class(stowage.Class{Capacity: []float64{64, 128}})
	for range apps {
		demand := []float64{float64(1 + random.IntN(8)), float64(1 + random.IntN(16))}
		b.App(stowage.App{Replicas: uint32(1 + random.IntN(12)), Demand: demand})
	}
	for app := range apps {
		for _, other := range random.Perm(apps)[:limits] {
			if other != app {
				b.Limit(app, other, uint32(max(0, random.IntN(6)-3)))
			}
		}
	}
	return b
}
