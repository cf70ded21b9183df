package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
)

// objects are what kubectl prints, by kind, for tests that change some.
type objects struct {
	nodes           []corev1.Node
	pods            []corev1.Pod
	deployments     []appsv1.Deployment
	statefulSets    []appsv1.StatefulSet
	daemonSets      []appsv1.DaemonSet
	replicaSets     []appsv1.ReplicaSet
	budgets         []policyv1.PodDisruptionBudget
	volumes         []corev1.PersistentVolume
	claims          []corev1.PersistentVolumeClaim
	priorityClasses []schedulingv1.PriorityClass
	jobs            []batchv1.Job
	// rest are those of other kinds.
	rest []json.RawMessage
}

func appendTo[Object any](list *[]Object, content []byte) error {
	var object Object
	if err := json.Unmarshal(content, &object); err != nil {
		return err
	}
	*list = append(*list, object)
	return nil
}

// readObjects reads a list.
func readObjects(content []byte) (*objects, error) {
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, err
	}
	o := &objects{}
	for _, item := range list.Items {
		var head struct{ Kind string }
		err := json.Unmarshal(item, &head)
		if err != nil {
			return nil, err
		}
		switch head.Kind {
		case "Node":
			err = appendTo(&o.nodes, item)
		case "Pod":
			err = appendTo(&o.pods, item)
		case "Deployment":
			err = appendTo(&o.deployments, item)
		case "StatefulSet":
			err = appendTo(&o.statefulSets, item)
		case "DaemonSet":
			err = appendTo(&o.daemonSets, item)
		case "ReplicaSet":
			err = appendTo(&o.replicaSets, item)
		case "PodDisruptionBudget":
			err = appendTo(&o.budgets, item)
		case "PersistentVolume":
			err = appendTo(&o.volumes, item)
		case "PersistentVolumeClaim":
			err = appendTo(&o.claims, item)
		case "PriorityClass":
			err = appendTo(&o.priorityClasses, item)
		case "Job":
			err = appendTo(&o.jobs, item)
		default:
			o.rest = append(o.rest, item)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// add writes objects of a kind.
func add[Object any](to *[]json.RawMessage, kind string, list []Object) {
	for _, one := range list {
		text, err := json.Marshal(one)
		if err != nil {
			panic(err)
		}
		members := map[string]any{}
		if err := json.Unmarshal(text, &members); err != nil {
			panic(err)
		}
		members["kind"] = kind
		text, _ = json.Marshal(members)
		*to = append(*to, text)
	}
}

// text is the list as kubectl prints it.
func (o *objects) text() []byte {
	items := []json.RawMessage{}
	add(&items, "Node", o.nodes)
	add(&items, "Deployment", o.deployments)
	add(&items, "StatefulSet", o.statefulSets)
	add(&items, "DaemonSet", o.daemonSets)
	add(&items, "ReplicaSet", o.replicaSets)
	add(&items, "Job", o.jobs)
	add(&items, "Pod", o.pods)
	add(&items, "PodDisruptionBudget", o.budgets)
	add(&items, "PersistentVolume", o.volumes)
	add(&items, "PersistentVolumeClaim", o.claims)
	add(&items, "PriorityClass", o.priorityClasses)
	items = append(items, o.rest...)
	text, err := json.Marshal(map[string]any{"kind": "List", "items": items})
	if err != nil {
		panic(err)
	}
	return text
}

// What answers have in JSON.
type (
	need struct {
		Class string
		Nodes int
	}
	unplaced struct {
		Workload  string
		Replicas  uint32
		Of        int32
		Why, Help []string
	}
	move struct {
		Workload string
		Replicas uint32
		From, To string
	}
	answer struct {
		Nodes, Workloads, Replicas int
		Unplaced, StillUnplaced    []unplaced
		Add, Afresh                []need
		Bound                      float64
		CostNow, CostAfresh        *float64
		Emptied, Idle, Held        []string
		Free                       *struct {
			Label        string
			Values       []string
			InUse, Bound uint32
		}
		Moves          uint32
		MoveList       []move
		Rounds         []string
		Saved          *float64
		Unmet          []struct{ Preference string }
		Broken         int
		LeftOut, Notes []string
		Placements     *struct {
			Workloads []struct {
				Workload string
				Pods     []string
			}
			Present []struct {
				Node, Class string
				Holds       []struct {
					Workload string
					Replicas uint32
				}
			}
		}
	}
	nodesAnswer struct {
		answer
		Table []struct{ Node string }
	}
	whatIfAnswer struct {
		Nodes, Replicas, Evicted int
		Unplaced                 []unplaced
		Add                      []need
		Lost, Notes              []string
		Before                   uint64
		Moves                    []move
		Short                    string
	}
	drainAnswer struct {
		Evicted       int
		Lost, Blocked []string
		Moves         []move
		Rounds        []string
		Unplaced      []unplaced
	}
	explainAnswer struct {
		Workload, State, Held string
		Priority              int32
		Takes                 []string
	}
)

// options of ask.
type options struct {
	planner string
	work    uint64
	moves   uint32
}

// ask puts everything to the library.
func ask(ctx context.Context, from *objects, with options, more ...string) (*answer, error) {
	arguments := append([]string{"-json", "-placements", "-planner", with.planner, "-work", fmt.Sprint(with.work), "-moves", fmt.Sprint(with.moves)}, more...)
	text, _, err := asked(ctx, request{Arguments: arguments}, from.text())
	if err != nil {
		return nil, err
	}
	found := &answer{}
	return found, json.Unmarshal(text, found)
}

// enough work for the small clusters of testdata; the same plans on any machine.
var enough = options{planner: "auto", work: 3000000, moves: 100}

func load(t *testing.T, name string) *objects {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return objectsIn(t, content)
}

func objectsIn(t *testing.T, content []byte) *objects {
	t.Helper()
	from, err := readObjects(content)
	if err != nil {
		t.Fatal(err)
	}
	return from
}

// answered runs a subcommand and decodes what it prints.
func answered[Answer any](t *testing.T, want int, arguments ...string) Answer {
	t.Helper()
	var found Answer
	code, printed, stderr := command(t, "", append(arguments, "-json", "-work", "3000000")...)
	// What is missing from the input of a test decides nothing there.
	if err := json.Unmarshal([]byte(printed), &found); err != nil || code != want && (code != exitUncertain || want != exitFits) {
		t.Fatalf("%v: exit code %d, %v: %s", arguments, code, err, stderr)
	}
	return found
}

func contains(t *testing.T, lines []string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, part) }) {
			t.Errorf("%q is not said: %q", part, lines)
		}
	}
}

// on counts the replicas of workloads on each node that is there.
func (a *answer) on(workloads ...string) map[string]int {
	counts := map[string]int{}
	for _, one := range a.Placements.Present {
		for _, held := range one.Holds {
			if slices.Contains(workloads, owner(held.Workload)) {
				counts[one.Node] += int(held.Replicas)
			}
		}
	}
	return counts
}

// owner of a workload's name: "statefulset shop/db (db-0)" is of "statefulset shop/db".
func owner(workload string) string {
	name, _, _ := strings.Cut(workload, " (")
	return name
}
