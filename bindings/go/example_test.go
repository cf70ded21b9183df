package stowage_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	stowage "stowage.dev/go"
	"stowage.dev/go/wire"
)

func Example() {
	b := stowage.NewBuilder("small")
	b.Resource("cpu", "cores")
	b.Resource("memory", "GiB")
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{8, 16}})
	web := b.App(stowage.App{Name: "web", Replicas: 3, Demand: []float64{2, 4}})
	db := b.App(stowage.App{Name: "db", Replicas: 1, Demand: []float64{4, 8}})
	b.Limit(web, web, 2) // at most two web on a node
	b.Limit(db, web, 1)  // beside db at most one web
	cluster, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Close()

	plan, err := cluster.Plan(context.Background(), stowage.Request{Planner: "auto"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: %d nodes, at least %g\n", plan.Status, plan.NodesInUse(), plan.NodeBound.Value)
	// Output: optimal: 2 nodes, at least 2
}

// A run ends with its context, and still returns its best plan.
func ExampleInstance_Plan_cancel() {
	cluster, err := workload(200, 60).Build()
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	plan, err := cluster.Plan(ctx, stowage.Request{Planner: "auto", Deadline: time.Hour})
	if errors.Is(err, context.DeadlineExceeded) && plan != nil {
		fmt.Println(len(plan.Unplaced), "apps unplaced")
	}
	// Output: 0 apps unplaced
}

// Explain names changes that make room for one more replica of each unplaced app.
func ExampleInstance_Explain() {
	cluster, err := small().Build()
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Close()

	ctx := context.Background()
	plan, err := cluster.Plan(ctx, stowage.Request{Planner: "ff", NodeLimit: 1})
	if err != nil {
		log.Fatal(err)
	}
	explanation, err := cluster.Explain(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	for _, app := range explanation.Apps {
		for _, relaxation := range app.Relaxations {
			fmt.Println("app", app.App, relaxation.Kind)
		}
	}
	// Output:
	// app 0 raise-limit
	// app 0 add-node
	// app 1 raise-limit
	// app 1 add-node
}

// Errors are distinguished with errors.Is, and carry the path of the field.
func ExampleError() {
	b := stowage.NewBuilder("")
	b.Resource("cpu", "cores")
	b.Class(stowage.Class{Capacity: []float64{8}})
	b.App(stowage.App{Replicas: 1, Demand: []float64{-1}})
	_, err := b.Build()
	var failure *stowage.Error
	if errors.As(err, &failure) && errors.Is(err, stowage.ErrInvalid) {
		fmt.Println(failure.Path)
	}
	// Output: apps.demand[0]
}

// What a snapshot holds is read with the code of the schemas.
func ExampleSession_Snapshot() {
	b := stowage.NewBuilder("small")
	b.Resource("cpu", "cores")
	b.Class(stowage.Class{Name: "standard", Capacity: []float64{8}})
	bytes, err := b.Bytes()
	if err != nil {
		log.Fatal(err)
	}
	session, err := stowage.OpenSession(bytes)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	if err := session.Apply(stowage.Operation{Kind: stowage.OpSubmit, App: "web", Replicas: 3, Demand: []float64{2}}); err != nil {
		log.Fatal(err)
	}
	snapshot, err := session.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	cluster := wire.GetRootAsInstance(snapshot, 0)
	apps := cluster.Apps(nil)
	fmt.Printf("version %d: %d replicas of %s\n", cluster.Session(nil).Version(), apps.Replicas(0), apps.Names(0))
	// Output: version 1: 3 replicas of web
}
