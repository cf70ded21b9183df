package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// command runs the command on an input.
func command(t *testing.T, input string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), arguments, strings.NewReader(input), &out, &err)
	return code, out.String(), err.String()
}

// The README names the arguments of each output that it shows in a comment before it.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)<!-- stowage-k8s ([^\n]*) -->\n```text\n(.*?)```\n").FindAllStringSubmatch(string(readme), -1)
	if len(shown) < shownOutputs {
		t.Fatalf("README.md shows %d outputs", len(shown))
	}
	for _, one := range shown {
		if _, printed, stderr := command(t, "", strings.Fields(one[1])...); printed != one[2] {
			t.Errorf("README.md shows something else for %s than\n%s%s", one[1], printed, stderr)
		}
	}
}

// shownOutputs is how many outputs the README shows at least.
const shownOutputs = 6

func TestJSONSaysTheSame(t *testing.T) {
	code, printed, stderr := command(t, "", "-json", "-work", "500000", "testdata/cluster.json")
	var found answer
	if err := json.Unmarshal([]byte(printed), &found); err != nil || code != exitUnplaced {
		t.Fatal(code, err, stderr)
	}
	if found.Nodes != 5 || found.Replicas != 14 || len(found.Unplaced) != 2 || found.Unplaced[1].Workload != "deployment shop/train" {
		t.Errorf("%+v", found)
	}
}

func TestWrongInputIsRefused(t *testing.T) {
	for input, message := range map[string]string{
		"":                                   "unexpected end of JSON",
		`{"kind": "List", "items": []}`:      "no nodes",
		`{"items": []}`:                      "no kind",
		`{"kind": "List", "items": [{}]}`:    "items[0]: is no object of Kubernetes",
		`{"kind": "Node", "metadata": "no"}`: "must be an object",
	} {
		if code, _, stderr := command(t, input); code != exitFailure || !strings.Contains(stderr, message) {
			t.Errorf("%s: exit code %d, %s", input, code, stderr)
		}
	}
	for _, arguments := range [][]string{{"-planner", "best", "testdata/cluster.json"}, {"-price", "huge=1", "testdata/cluster.json"}, {"nowhere.json"}, {"-price", "x"}} {
		if code, _, stderr := command(t, "", arguments...); code != exitFailure || stderr == "" {
			t.Errorf("%v: exit code %d, %s", arguments, code, stderr)
		}
	}
}

func TestGoalsDecideWhatIsEmptied(t *testing.T) {
	moves := func(arguments ...string) uint32 {
		arguments = append([]string{"consolidate", "-json", "-work", "500000", "testdata/operator.json"}, arguments...)
		code, printed, stderr := command(t, "", arguments...)
		var found answer
		if err := json.Unmarshal([]byte(printed), &found); err != nil || code == exitFailure {
			t.Fatal(arguments, code, err, stderr)
		}
		return found.Moves
	}
	if moves() == 0 || moves("-goal", "cost,nodes*0.01", "-goal", "moves") == 0 {
		t.Error("nothing moves where cost comes first")
	}
	if moved := moves("-goal", "moves", "-goal", "balance:cpu"); moved != 0 {
		t.Errorf("%d moves where moves come first", moved)
	}
	for words, message := range map[string]string{
		"cots":        `"cots" is no goal; use one of cost, nodes, moves`,
		"balance:gpu": `"balance:gpu" is of no resource that the instance has; these are cpu`,
		"":            "no goal",
	} {
		if code, _, stderr := command(t, "", "consolidate", "-goal", words, "testdata/operator.json"); code != exitFailure || !strings.Contains(stderr, message) {
			t.Errorf("%q: exit code %d, %s", words, code, stderr)
		}
	}
}

func list(amounts ...string) corev1.ResourceList {
	names := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}
	all := corev1.ResourceList{}
	for k, amount := range amounts {
		all[names[k]] = resource.MustParse(amount)
	}
	return all
}

func container(amounts ...string) corev1.Container {
	return corev1.Container{Resources: corev1.ResourceRequirements{Requests: list(amounts...)}}
}

// twoHalves is two nodes that are both half full.
func twoHalves() *objects {
	found := &objects{}
	for _, name := range []string{"n1", "n2"} {
		found.nodes = append(found.nodes, corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}},
			Status:     corev1.NodeStatus{Allocatable: corev1.ResourceList{"cpu": resource.MustParse("4"), "pods": resource.MustParse("10")}},
		})
	}
	for _, name := range []string{"web", "api"} {
		labels := map[string]string{"app": name, "pod-template-hash": "1"}
		spec := corev1.PodSpec{Containers: []corev1.Container{container("2")}}
		found.deployments = append(found.deployments, appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "x"},
			Spec:       appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec}},
		})
		spec.NodeName = map[string]string{"web": "n1", "api": "n2"}[name]
		controller := true
		owner := metav1.OwnerReference{Kind: "ReplicaSet", Name: name + "-1", Controller: &controller}
		found.pods = append(found.pods, corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name + "-1-a", Namespace: "x", Labels: labels, OwnerReferences: []metav1.OwnerReference{owner}},
			Spec:       spec,
		})
	}
	return found
}

func TestNodesThatCouldBeEmptied(t *testing.T) {
	with := options{planner: "auto", work: 5000000, moves: 10}
	found, err := ask(t.Context(), twoHalves(), with)
	if err != nil || len(found.Emptied) != 1 || found.Moves != 1 || len(found.LeftOut)+len(found.Notes)+len(found.Unplaced) != 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	if !slices.Equal(found.Afresh, []need{{"4 cores, 0 GiB", 1}}) || found.Bound != 1 {
		t.Errorf("afresh %v, at least %g", found.Afresh, found.Bound)
	}

	// Three reasons keep pods from moving onto one node: anti-affinity, the same host port, and no controller that would recreate
	// the pod.
	apart := twoHalves()
	apart.pods[1].Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		}},
	}}
	ports := twoHalves()
	for k := range ports.deployments {
		ports.pods[k].Spec.Containers = []corev1.Container{container("2")}
		ports.pods[k].Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
	}
	bare := twoHalves()
	for k := range bare.pods {
		bare.pods[k].OwnerReferences = nil
	}
	bare.deployments = nil
	few := twoHalves()
	for name, from := range map[string]*objects{"anti-affinity": apart, "ports": ports, "bare": bare, "no moves": few} {
		if name == "no moves" {
			with.moves = 0
		}
		found, err := ask(t.Context(), from, with)
		if err != nil || len(found.Emptied) != 0 {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
		with.moves = 10
	}
}
