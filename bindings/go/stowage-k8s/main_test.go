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
		`{"kind": "Node", "metadata": "no"}`: "cannot unmarshal",
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

func TestRequests(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	sidecar := container("100m", "64Mi")
	sidecar.RestartPolicy = &always
	spec := &corev1.PodSpec{
		Containers:     []corev1.Container{container("500m", "512Mi"), container("250m")},
		InitContainers: []corev1.Container{container("700m", "1Gi"), sidecar, container("900m", "128Mi")},
		Overhead:       list("10m", "16Mi"),
	}
	// Running: 0.5 + 0.25 + 0.1; before: max(0.7, 0.9 + 0.1). Memory: 512 + 64; before: max(1024, 128 + 64).
	found := requestsOf(spec)
	if found["cpu"] != 1.01 || found["memory"] != 1040 || found["pods"] != 1 {
		t.Error(found)
	}
	spec.Resources = &corev1.ResourceRequirements{Requests: list("2")}
	if found := requestsOf(spec); found["cpu"] != 2.01 || found["memory"] != 1040 {
		t.Error(found)
	}
}

// accepted reports whether nothing about a node excludes a pod.
func accepted(spec *corev1.PodSpec, of map[string]string, taints []corev1.Taint) (bool, error) {
	excluded, err := refusals(spec, ground{name: "n1", labels: of, taints: taints})
	return len(excluded) == 0, err
}

func TestAccepts(t *testing.T) {
	node := map[string]string{"disk": "ssd", "cores": "16"}
	term := func(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
	}
	for _, one := range []struct {
		terms []corev1.NodeSelectorTerm
		want  bool
	}{
		{[]corev1.NodeSelectorTerm{term("disk", corev1.NodeSelectorOpIn, "ssd", "nvme")}, true},
		{[]corev1.NodeSelectorTerm{term("disk", corev1.NodeSelectorOpNotIn, "ssd")}, false},
		{[]corev1.NodeSelectorTerm{term("cores", corev1.NodeSelectorOpGt, "8")}, true},
		{[]corev1.NodeSelectorTerm{term("cores", corev1.NodeSelectorOpLt, "8"), term("disk", corev1.NodeSelectorOpExists)}, true},
		{[]corev1.NodeSelectorTerm{term("gpu", corev1.NodeSelectorOpDoesNotExist)}, true},
		{[]corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}}}}}, true},
		{[]corev1.NodeSelectorTerm{{}}, false}, // an empty term matches no node
	} {
		spec := &corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: one.terms},
		}}}
		if found, err := accepted(spec, node, nil); err != nil || found != one.want {
			t.Errorf("%v: %v, %v", one.terms, found, err)
		}
	}
	taints := []corev1.Taint{{Key: "gpu", Value: "true", Effect: corev1.TaintEffectNoSchedule}}
	tolerant := &corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpEqual, Value: "true"}}}
	if found, _ := accepted(tolerant, node, taints); !found {
		t.Error("a toleration does not count")
	}
	if found, _ := accepted(&corev1.PodSpec{}, node, taints); found {
		t.Error("a taint does not count")
	}
	if found, _ := accepted(&corev1.PodSpec{NodeSelector: map[string]string{"disk": "hdd"}}, node, nil); found {
		t.Error("a selector does not count")
	}
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
	apart.deployments[1].Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		}},
	}}
	ports := twoHalves()
	for k := range ports.deployments {
		ports.deployments[k].Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
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

func TestWhatCannotBeSaidIsNamed(t *testing.T) {
	from := twoHalves()
	spec := &from.deployments[0].Spec.Template.Spec
	own := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	zone := corev1.PodAffinityTerm{TopologyKey: corev1.LabelTopologyZone, LabelSelector: own}
	host := corev1.PodAffinityTerm{TopologyKey: corev1.LabelHostname, LabelSelector: own}
	spec.Affinity = &corev1.Affinity{
		NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
				{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.uid", Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}}}},
			}},
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: corev1.NodeSelectorTerm{
				MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.uid", Operator: corev1.NodeSelectorOpIn, Values: []string{"n1"}}},
			}}},
		},
		PodAffinity: &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution:  []corev1.PodAffinityTerm{zone},
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{PodAffinityTerm: host}},
		},
	}
	spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{
		{MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: own},
		{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.ScheduleAnyway, LabelSelector: own},
	}
	spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}}}}
	spec.PriorityClassName = "high"
	spec.SchedulerName = "mine"
	spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "wait"}}
	spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "device"}}
	from.others = map[string]int{"Service": 2}
	c := newCluster(from)
	newModel(c, false, nil)
	for _, part := range []string{
		"required node affinity by the field metadata.uid", "preferred node affinity: by the field metadata.uid", "required pod affinity by topology.kubernetes.io/zone",
		"preferred pod affinity by kubernetes.io/hostname", "spread over kubernetes.io/hostname", "preferred spread over topology.kubernetes.io/zone",
		"where its volumes are", "priority class high", "the scheduler mine", "scheduling gates", "resource claims", "objects of kind Service (2)",
	} {
		if !slices.ContainsFunc(c.leftOut, func(text string) bool { return strings.Contains(text, part) }) {
			t.Errorf("%q is not named: %q", part, c.leftOut)
		}
	}
	if len(c.notes) != 0 {
		t.Errorf("notes %q", c.notes)
	}
}
