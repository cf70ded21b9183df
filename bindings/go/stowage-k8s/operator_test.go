package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestDaemonsGoWithTheirNodes(t *testing.T) {
	found, err := ask(t.Context(), load(t, "testdata/daemons.json"), enough)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Unplaced) != 1 || len(found.Add) != 0 {
		t.Fatalf("unplaced %+v, add %+v", found.Unplaced, found.Add)
	}
	contains(t, found.Unplaced[0].Why, "node n3: short of 0.3 cores of cpu", "3 short of cpu")
	if !slices.Equal(found.Afresh, []need{{"m5.xlarge in eu-1a", 1}}) || found.Bound != 1 {
		t.Errorf("afresh %v, at least %g", found.Afresh, found.Bound)
	}
	if len(found.Emptied) != 1 || found.Emptied[0] == "n3" || found.Moves != 1 || !slices.Equal(found.Idle, []string{"n3"}) {
		t.Errorf("emptied %v with %d moves, idle %v", found.Emptied, found.Moves, found.Idle)
	}
	if len(found.LeftOut)+len(found.Notes) != 0 {
		t.Errorf("%q %q", found.LeftOut, found.Notes)
	}

	heavy := load(t, "testdata/daemons.json")
	for k := range heavy.pods {
		if strings.HasPrefix(heavy.pods[k].Name, "agent-") {
			heavy.pods[k].Spec.Containers[0].Resources.Requests["cpu"] = resource.MustParse("1500m")
		}
	}
	found, err = ask(t.Context(), heavy, enough)
	if err != nil || len(found.Emptied) != 0 || found.Bound != 2 || !slices.Equal(found.Afresh, []need{{"m5.xlarge in eu-1a", 2}}) {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAClusterOnWhichNothingRunsYet(t *testing.T) {
	from := load(t, "testdata/fresh.json")
	found, err := ask(t.Context(), from, enough)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Unplaced)+len(found.Afresh) != 0 || found.Bound != 0 || !slices.Equal(found.Idle, []string{"n1", "n2"}) {
		t.Errorf("%+v", found)
	}
}

func TestOperatorsCluster(t *testing.T) {
	found, err := ask(t.Context(), load(t, "testdata/operator.json"), enough)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Unplaced) != 1 || found.Unplaced[0].Workload != "deployment shop/train" || len(found.Add)+len(found.StillUnplaced) != 0 {
		t.Fatalf("%+v", found)
	}
	contains(t, found.Unplaced[0].Why, "node g1 has a free nvidia.com/gpu, but its taint gpu=true:NoSchedule is not tolerated",
		"0 of 6 nodes take it: 4 short of nvidia.com/gpu", "1 with the taint node-role.kubernetes.io/control-plane:NoSchedule, which is not tolerated")
	contains(t, found.Unplaced[0].Help, "tolerating the taint gpu=true:NoSchedule")
	if len(found.Emptied) != 2 || found.Emptied[0] != "a1" && found.Emptied[0] != "a2" || found.Emptied[1] != "b2" || found.Moves != 4 {
		t.Errorf("emptied %v with %d moves", found.Emptied, found.Moves)
	}
	if len(found.Idle) != 0 || len(found.Held) != 1 {
		t.Errorf("idle %v, held %q", found.Idle, found.Held)
	}
	contains(t, found.Held, "b1: deployment shop/guard (the budget shop/guard allows no disruption), job shop/batch")
	if found.Bound != 3 || !slices.Equal(found.Afresh, []need{{"m5.xlarge in eu-1a", 1}, {"m5.xlarge in eu-1b", 1}, {"g5.2xlarge in eu-1a, gpu=true:NoSchedule", 1}}) {
		t.Errorf("afresh %v, at least %g", found.Afresh, found.Bound)
	}
	want := []string{
		"cronjob shop/nightly: jobs that it starts later",
		"deployment shop/infer: shared GPUs: on which device its aliyun.com/gpu-mem is; the shares of a node are added up",
	}
	if !slices.Equal(found.LeftOut, want) || len(found.Notes) != 0 {
		t.Errorf("left out %q, notes %q", found.LeftOut, found.Notes)
	}
}

// A local volume is on one node: then that node stays, and the other one of its zone can be emptied.
func TestLocalVolumes(t *testing.T) {
	from := load(t, "testdata/operator.json")
	term := &from.volumes[0].Spec.NodeAffinity.Required.NodeSelectorTerms[0].MatchExpressions[0]
	term.Key, term.Values = corev1.LabelHostname, []string{"a2"}
	found, err := ask(t.Context(), from, enough)
	if err != nil || !slices.Equal(found.Emptied, []string{"a1", "b2"}) || found.Moves != 4 {
		t.Errorf("%+v, %v", found, err)
	}
	for k := range from.pods {
		if from.pods[k].Spec.NodeName == "a2" && from.pods[k].OwnerReferences[0].Kind != "DaemonSet" {
			from.pods[k].Spec.NodeName = ""
		}
	}
	found, err = ask(t.Context(), from, enough)
	if err != nil || len(found.Unplaced) != 1 {
		t.Errorf("db-0 fits on a2 alone, and is back there: %+v, %v", found.Unplaced, err)
	}
	from.pods = slices.DeleteFunc(from.pods, func(one corev1.Pod) bool { return one.Spec.NodeName == "a2" })
	from.nodes = slices.DeleteFunc(from.nodes, func(one corev1.Node) bool { return one.Name == "a2" })
	found, err = ask(t.Context(), from, enough)
	if err != nil || len(found.Unplaced) != 2 {
		t.Fatalf("%+v, %v", found.Unplaced, err)
	}
	contains(t, found.Unplaced[1].Why, "has room, but the volume of claim data-db-0 is elsewhere by kubernetes.io/hostname", "3 where its volume cannot be used")
	// A new node has another hostname.
	if len(found.Add) != 0 {
		t.Errorf("add %v", found.Add)
	}
}

func TestOwners(t *testing.T) {
	found, err := ask(t.Context(), load(t, "testdata/operator.json"), enough)
	if err != nil {
		t.Fatal(err)
	}
	names := func() (all []string) {
		for _, one := range found.Placements.Workloads {
			all = append(all, one.Workload)
		}
		return all
	}
	contains(t, names(), "statefulset shop/db (db-0)", "statefulset shop/db (db-1)", "replicationcontroller shop/old", "rollout shop/canary", "job shop/batch", "replicaset shop/rs")

	// Without the controllers, the owners of the pods say which workloads there are.
	from := load(t, "testdata/operator.json")
	from.deployments, from.statefulSets, from.replicaSets, from.rest = nil, nil, nil, nil
	if found, err = ask(t.Context(), from, enough); err != nil {
		t.Fatal(err)
	}
	contains(t, names(), "replicaset shop/web-1", "replicaset shop/canary-77", "statefulset shop/db (db-0)", "statefulset shop/db (db-1)", "job shop/batch")
}

func TestDrain(t *testing.T) {
	found := answered[drainAnswer](t, exitFits, "drain", "b2", "-f", "testdata/operator.json")
	if found.Evicted != 2 || len(found.Moves) != 2 || !slices.ContainsFunc(found.Moves, func(one move) bool {
		return one.Workload == "statefulset shop/db (db-1)" && one.From == "b2" && one.To == "b1"
	}) {
		t.Errorf("%+v", found)
	}
	found = answered[drainAnswer](t, exitUnplaced, "drain", "a1", "-f", "testdata/operator.json", "a2")
	if len(found.Unplaced) != 1 || found.Unplaced[0].Workload != "statefulset shop/db (db-0)" {
		t.Fatalf("%+v", found.Unplaced)
	}
	contains(t, found.Unplaced[0].Why, "the volume of claim data-db-0 is elsewhere by topology.kubernetes.io/zone", "2 drained")
	contains(t, found.Rounds, "budget shop/web lets 1 of its pods go at once: 2 moves in 2 rounds")
	found = answered[drainAnswer](t, exitUnplaced, "drain", "b1", "-f", "testdata/operator.json")
	contains(t, found.Blocked, "deployment shop/guard on node b1: the budget shop/guard allows no disruption")
	found = answered[drainAnswer](t, exitUnplaced, "drain", "a2", "-f", "testdata/cluster.json")
	contains(t, found.Lost, "shop/by-hand-19")
}

func TestWhatIf(t *testing.T) {
	found := answered[whatIfAnswer](t, exitUnplaced, "whatif", "--zone-down", "eu-1b", "testdata/operator.json")
	if found.Nodes != 4 || found.Evicted != 4 || found.Before != 1 || len(found.Unplaced) != 2 || found.Unplaced[1].Workload != "statefulset shop/db (db-1)" {
		t.Errorf("%+v", found)
	}
	// On the workers, 15 - 6.5 cores are free: 7 more of web fit, as each node holds whole ones (a1 2, a2 1, b1 2 and b2 2, and
	// rs where half a core is left).
	found = answered[whatIfAnswer](t, exitUnplaced, "whatif", "--replicas", "shop/web=10", "testdata/operator.json")
	if len(found.Unplaced) != 2 || found.Unplaced[0].Workload != "deployment shop/web" || found.Unplaced[0].Replicas != 1 {
		t.Errorf("%+v", found.Unplaced)
	}
	found = answered[whatIfAnswer](t, exitUnplaced, "whatif", "--replicas", "shop/web=10", "--add", "m5.xlarge=1", "testdata/operator.json")
	if found.Nodes != 7 || len(found.Unplaced) != 1 {
		t.Errorf("%+v", found)
	}
	found = answered[whatIfAnswer](t, exitUnplaced, "whatif", "--replicas", "shop/web=1", "--replicas", "shop/db=1", "testdata/operator.json")
	if found.Replicas != 10 || len(found.Notes) != 0 {
		t.Errorf("%+v", found)
	}
	for _, arguments := range [][]string{
		{"whatif"}, {"whatif", "--replicas", "web"}, {"whatif", "--replicas", "shop/none=1"}, {"whatif", "--zone-down", "mars"},
		{"whatif", "--node-down", "n"}, {"whatif", "--add", "huge=1"}, {"drain"}, {"drain", "n"}, {"explain"}, {"explain", "nobody"},
	} {
		if code, _, stderr := command(t, "", append(arguments, "-f", "testdata/operator.json", "-work", "1000")...); code != exitFailure || stderr == "" {
			t.Errorf("%v: exit code %d, %s", arguments, code, stderr)
		}
	}
}

func TestExplain(t *testing.T) {
	found := answered[explainAnswer](t, exitUnplaced, "explain", "shop/train-1-0", "-f", "testdata/operator.json")
	if found.Workload != "deployment shop/train" || found.State != "waits; there is no room for 1" || found.Priority != 1000 || len(found.Takes) != 0 {
		t.Errorf("%+v", found)
	}
	found = answered[explainAnswer](t, exitFits, "explain", "db-1", "-f", "testdata/operator.json")
	if found.State != "runs on node b2" || !slices.Equal(found.Takes, []string{"b1", "b2"}) {
		t.Errorf("%+v", found)
	}
	found = answered[explainAnswer](t, exitFits, "explain", "shop/guard", "-f", "testdata/operator.json")
	if found.Held != "the budget shop/guard allows no disruption" {
		t.Errorf("%+v", found)
	}
}

func TestBudgets(t *testing.T) {
	// Without a budget, one of the two nodes can be emptied; with a budget for each that allows nothing, none.
	from := twoHalves()
	none := intstr.FromInt32(0)
	for _, name := range []string{"web", "api"} {
		from.budgets = append(from.budgets, policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Namespace: "x", Name: name},
			Spec:       policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &none, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}},
		})
	}
	found, err := ask(t.Context(), from, enough)
	if err != nil || len(found.Emptied) != 0 || len(found.Held) != 2 || !slices.Equal(found.Afresh, []need{{"4 cores, 0 GiB", 1}}) {
		t.Errorf("%+v, %v", found, err)
	}
	from.budgets = from.budgets[:1]
	if found, err = ask(t.Context(), from, enough); err != nil || !slices.Equal(found.Emptied, []string{"n2"}) {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAnnotationsForbidEviction(t *testing.T) {
	from := twoHalves()
	for k, mark := range [][2]string{{"cluster-autoscaler.kubernetes.io/safe-to-evict", "false"}, {"karpenter.sh/do-not-disrupt", "true"}} {
		from.pods[k].Annotations = map[string]string{mark[0]: mark[1]}
	}
	found, err := ask(t.Context(), from, enough)
	if err != nil || len(found.Emptied) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	contains(t, found.Held, "n1: deployment x/web (its annotation cluster-autoscaler.kubernetes.io/safe-to-evict=false)")
}

func TestPrices(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// By number, two of m5.xlarge and one of g5.2xlarge are fewest in any case; the cost follows the table.
	for _, one := range []struct {
		price string
		want  float64
	}{
		{"default", 2*0.192 + 1.212}, {write("a.csv", "type,price\nm5.xlarge,2\ng5.2xlarge,10\n"), 14},
		{write("a.json", `{"m5.xlarge": 1, "g5.2xlarge": 0.5}`), 2.5},
	} {
		found := answered[nodesAnswer](t, exitUnplaced, "nodes", "-price", one.price, "testdata/operator.json")
		if found.CostAfresh == nil || *found.CostAfresh < one.want-1e-9 || *found.CostAfresh > one.want+1e-9 || len(found.Table) != 6 {
			t.Errorf("%s: %+v", one.price, found.answer)
		}
	}
	for name, content := range map[string]string{
		"b.csv": "m5.xlarge,2\ng5.2xlarge,x\n", "c.csv": "m5.xlarge,-1\n", "d.csv": "m5.xlarge,1\nm5.xlarge,2\n", "e.csv": "", "f.csv": "a,b,c\n",
		"b.json": `{"m5.xlarge": "1"}`, "c.json": `{"m5.xlarge": -1}`, "g.csv": "m5.xlarge,NaN\nm5.xlarge,inf\n", "h.csv": "m5.xlarge,2\n",
	} {
		if code, _, stderr := command(t, "", "-price", write(name, content), "-work", "1000", "testdata/operator.json"); code != exitFailure || stderr == "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
	}
}

// As a plugin, the command asks kubectl, with the kinds that not every cluster has apart.
func TestKubectlIsAsked(t *testing.T) {
	folder := t.TempDir()
	cluster, err := filepath.Abs("testdata/operator.json")
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\ncase \"$2\" in nodes,*) exec cat '" + cluster + "';; esac\necho 'the server does not have it' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(folder, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	if found := answered[answer](t, exitFits, "consolidate", "--context", "test"); found.Nodes != 6 {
		t.Errorf("%+v", found)
	}
}

// The dumps of a larger cluster that runs public manifests. Three nodes are enough for everything but the pod that waits, and no
// fewer: redis-ha has three replicas that keep apart.
func TestSharedClusters(t *testing.T) {
	folder := os.Getenv("STOWAGE_SHARED")
	if _, err := os.Stat(filepath.Join(folder, "data/kubernetes")); folder == "" || err != nil {
		t.Skip("SKIPPED: $STOWAGE_SHARED has no data/kubernetes")
	}
	with := options{planner: "auto", work: 3000000, moves: 1000}
	for _, name := range []string{"without_it", "daemonset", "one_unschedulable"} {
		found, err := ask(t.Context(), unzipped(t, filepath.Join(folder, "data/kubernetes", name+".json.gz")), with)
		if err != nil {
			t.Fatal(err)
		}
		nodes := 0
		for _, one := range found.Afresh {
			nodes += one.Nodes
		}
		if nodes != 3 || found.Bound != 3 || len(found.Emptied) != 9 || !slices.Equal(found.Idle, []string{"gpu-0"}) {
			t.Errorf("%s: %v at least %g, emptied %v, idle %v", name, found.Afresh, found.Bound, found.Emptied, found.Idle)
		}
		if name != "one_unschedulable" {
			if len(found.Unplaced) != 0 {
				t.Errorf("%s: %+v", name, found.Unplaced)
			}
			continue
		}
		if len(found.Unplaced) != 1 || len(found.Add) != 0 {
			t.Fatalf("%+v", found.Unplaced)
		}
		contains(t, found.Unplaced[0].Why, "node gpu-0 has a free nvidia.com/gpu, but its taint nvidia.com/gpu=true:NoSchedule is not tolerated", "12 short of nvidia.com/gpu")
	}
}

func unzipped(t *testing.T, name string) *objects {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return objectsIn(t, content)
}

// Pods on two racks of one node each would fit together on the two nodes of a third rack.
func TestRacksAreLeftFreeForGangs(t *testing.T) {
	list := &corev1.List{TypeMeta: metav1.TypeMeta{Kind: "List", APIVersion: "v1"}}
	add := func(one any) {
		text, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		list.Items = append(list.Items, runtime.RawExtension{Raw: text})
	}
	for _, one := range []struct{ name, rack, cores string }{
		{"a1", "a", "2"}, {"a2", "a", "2"}, {"b1", "b", "3"}, {"c1", "c", "3"}, {"d1", "", "3"},
	} {
		node := machine(one.name, "m"+one.cores, "zone-1", amounts(one.cores, "8"))
		node.TypeMeta = metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}
		if one.rack != "" {
			node.Labels["example.com/rack"] = one.rack
		}
		node.Spec.Unschedulable = one.name == "d1"
		add(node)
	}
	for k, on := range []string{"b1", "c1"} {
		for _, pod := range replicas("web", 2*k, 2, on, amounts("1", "1"), nil) {
			pod.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
			add(pod)
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	input := string(text)
	code, printed, stderr := command(t, input, "consolidate", "-work", "3000000", "-json", "-leave-free", "example.com/rack")
	var found answer
	if err := json.Unmarshal([]byte(printed), &found); err != nil || code != exitFits {
		t.Fatalf("exit code %d, %v: %s", code, err, stderr)
	}
	if found.Free == nil || !slices.Equal(found.Free.Values, []string{"b", "c"}) || found.Free.InUse != 1 || found.Free.Bound != 1 {
		t.Errorf("free: %+v", found.Free)
	}
	if found.Moves != 4 || !slices.Equal(found.Emptied, []string{"b1", "c1"}) {
		t.Errorf("%d moves, emptied %v", found.Moves, found.Emptied)
	}
	_, printed, _ = command(t, input, "consolidate", "-work", "3000000", "-leave-free", "example.com/rack")
	if !strings.Contains(printed, "example.com/rack without pods: b, c; 1 in use, at least 1") {
		t.Error(printed)
	}
	if _, printed, _ = command(t, input, "consolidate", "-work", "3000000"); strings.Contains(printed, "without pods") {
		t.Error(printed)
	}
	code, _, stderr = command(t, input, "consolidate", "-leave-free", "rack")
	if code != exitFailure || !strings.Contains(stderr, "-leave-free: no node has the label rack") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
