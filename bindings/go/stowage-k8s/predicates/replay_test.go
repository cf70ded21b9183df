package predicates

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// planned is what the command prints with -json -placements.
type planned struct {
	LeftOut, Notes []string
	Placements     struct {
		Workloads []struct {
			Workload string
			Pods     []string
		}
		Present, Grown, Afresh, Emptied []plannedNode
	}
}

type plannedNode struct {
	Node, Class string
	Copies      int
	Holds       []struct {
		Workload string
		Replicas int
	}
}

// command is $PREDICATES_COMMAND or else built; see TestMain.
var command = os.Getenv("PREDICATES_COMMAND")

func TestMain(m *testing.M) {
	if command != "" {
		os.Exit(m.Run())
	}
	folder, err := os.MkdirTemp("", "predicates")
	if err != nil {
		panic(err)
	}
	command = filepath.Join(folder, "stowage-k8s")
	build := exec.Command("go", "build", "-o", command, ".")
	build.Dir = ".."
	if printed, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", printed, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

func plan(t *testing.T, content []byte) *planned {
	run := exec.CommandContext(t.Context(), command, "-json", "-placements", "-work", "500000")
	run.Stdin = bytes.NewReader(content)
	var printed, errors bytes.Buffer
	run.Stdout, run.Stderr = &printed, &errors
	// 2 = something does not fit, 4 = what is not in the input could change that.
	if err := run.Run(); err != nil && run.ProcessState.ExitCode() != 2 && run.ProcessState.ExitCode() != 4 {
		t.Fatalf("%v: %s", err, errors.String())
	}
	return decode[planned](t, printed.Bytes())
}

// tally counts what was asked.
type tally struct{ asked, excused int }

// checkDump plans a dump and replays all plans of the answer.
func checkDump(t *testing.T, content []byte, seed uint64) (sum tally) {
	made := plan(t, content)
	for _, one := range []struct {
		name  string
		nodes []plannedNode
	}{
		{"present", made.Placements.Present}, {"grown", made.Placements.Grown}, {"afresh", made.Placements.Afresh}, {"emptied", made.Placements.Emptied},
	} {
		if one.nodes == nil {
			continue
		}
		r := &replay{t: t, dump: readDump(t, content), made: made, name: one.name, random: rand.New(rand.NewPCG(seed, 0))}
		r.prepare(one.nodes)
		r.inSomeOrder()
		r.inTheEnd()
		sum.asked += r.asked
		sum.excused += r.excused
	}
	return sum
}

// placement is a pod that a plan puts on a node where it does not run yet.
type placement struct {
	workload, node string
	pod            *corev1.Pod
}

// replay puts the pods of a plan on its nodes.
type replay struct {
	t      *testing.T
	dump   *dump
	made   *planned
	name   string
	random *rand.Rand
	*scheduler
	places []placement
	tally
}

// prepare makes the nodes of the plan, with the pods that are no part of it and those that stay where they run.
func (r *replay) prepare(nodes []plannedNode) {
	workloadOf := map[string]string{}
	for _, one := range r.made.Placements.Workloads {
		for _, pod := range one.Pods {
			workloadOf[namespaceOf(one.Workload)+"/"+pod] = one.Workload
		}
	}
	known, names := r.listNodes(nodes)
	var beside []placement
	running, waiting := map[string][]*corev1.Pod{}, map[string][]*corev1.Pod{}
	exists := map[string]bool{}
	for _, pod := range r.dump.pods {
		key := pod.Namespace + "/" + pod.Name
		workload, node := workloadOf[key], pod.Spec.NodeName
		exists[key] = true
		completed(pod)
		pod.Spec.NodeName = ""
		switch {
		case released(pod) || node != "" && known[node] == nil:
		case workload == "" || pod.DeletionTimestamp != nil && node != "":
			if node != "" {
				beside = append(beside, placement{workload, node, pod})
			}
		case node == "":
			waiting[workload] = append(waiting[workload], pod)
		default:
			running[workload+"@"+node] = append(running[workload+"@"+node], pod)
		}
	}
	var stay []placement
	for k, one := range nodes {
		for range one.Copies {
			for _, held := range one.Holds {
				for range held.Replicas {
					made := placement{held.Workload, names[k], nil}
					if list := running[held.Workload+"@"+one.Node]; len(list) > 0 && one.Node != "" {
						made.pod, running[held.Workload+"@"+one.Node] = list[0], list[1:]
					}
					// Planned afresh, everything that can be moved is placed anew.
					pinned := strings.HasPrefix(held.Workload, "pod ") || strings.HasPrefix(held.Workload, "job ")
					if made.pod != nil && (pinned || r.name != "afresh") {
						stay = append(stay, made)
					} else {
						r.places = append(r.places, made)
					}
				}
			}
			names[k] = strings.Replace(names[k], "new-", "new-+", 1)
		}
	}
	// What does not stay runs elsewhere now, waits, or is yet to be made.
	moved := map[string][]*corev1.Pod{}
	for key, list := range running {
		workload, _, _ := strings.Cut(key, "@")
		moved[workload] = append(moved[workload], list...)
	}
	for k := range r.places {
		one := &r.places[k]
		switch {
		case one.pod != nil:
		case len(waiting[one.workload]) > 0:
			one.pod, waiting[one.workload] = waiting[one.workload][0], waiting[one.workload][1:]
		case len(moved[one.workload]) > 0:
			slices.SortFunc(moved[one.workload], func(a, b *corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
			one.pod, moved[one.workload] = moved[one.workload][0], moved[one.workload][1:]
		default:
			one.pod = r.dump.newPod(r.t, one.workload, r.nameFor(one.workload, exists))
		}
	}
	r.scheduler = newScheduler(r.t, r.dump.nodes, r.dump.storageObjects())
	for _, one := range slices.Concat(beside, stay) {
		r.put(one.pod, one.node)
	}
}

// nameFor names a pod to come: one of a stateful set's part, or the next free name.
func (r *replay) nameFor(workload string, exists map[string]bool) string {
	for _, one := range r.made.Placements.Workloads {
		for _, pod := range one.Pods {
			if key := namespaceOf(workload) + "/" + pod; one.Workload == workload && !exists[key] {
				exists[key] = true
				return pod
			}
		}
	}
	_, name, _ := strings.Cut(owner(workload), "/")
	for number := 0; ; number++ {
		key := fmt.Sprintf("%s/%s-made-%d", namespaceOf(workload), name, number)
		if !exists[key] {
			exists[key] = true
			return strings.TrimPrefix(key, namespaceOf(workload)+"/")
		}
	}
}

// listNodes adds the new nodes of a plan to the dump's, each like a present one of its class, and returns the names by index of
// the plan: the first copy of new-1 is new-1, the second new-+1, and so on.
func (r *replay) listNodes(nodes []plannedNode) (known map[string]*corev1.Node, names []string) {
	known = map[string]*corev1.Node{}
	for _, one := range r.dump.nodes {
		known[one.Name] = one
	}
	likes := map[string]*corev1.Node{}
	for _, one := range nodes {
		if one.Node != "" && (likes[one.Class] == nil || len(r.daemonsOn(one.Node)) > len(r.daemonsOn(likes[one.Class].Name))) {
			likes[one.Class] = known[one.Node]
		}
	}
	for k, one := range nodes {
		if one.Node != "" {
			names = append(names, one.Node)
			continue
		}
		names = append(names, fmt.Sprintf("new-%d", k))
		for copies := range one.Copies {
			r.addNode(likes[one.Class], fmt.Sprintf("new-%s%d", strings.Repeat("+", copies), k))
		}
	}
	return known, names
}

func (r *replay) daemonsOn(node string) (found []*corev1.Pod) {
	for _, pod := range r.dump.pods {
		if of := metav1.GetControllerOf(pod); pod.Spec.NodeName == node && of != nil && of.Kind == "DaemonSet" && !released(pod) && pod.DeletionTimestamp == nil {
			found = append(found, pod)
		}
	}
	return found
}

// addNode adds a node as an autoscaler would: like another one, without its conditions, and with the pods of daemon sets.
func (r *replay) addNode(like *corev1.Node, name string) {
	made := like.DeepCopy()
	made.Name = name
	if made.Labels == nil {
		made.Labels = map[string]string{}
	}
	made.Labels[corev1.LabelHostname] = name
	made.Spec.Unschedulable = false
	made.Spec.Taints = slices.DeleteFunc(made.Spec.Taints, func(taint corev1.Taint) bool { return strings.HasPrefix(taint.Key, "node.kubernetes.io/") })
	r.dump.nodes = append(r.dump.nodes, made)
	add := func(pod *corev1.Pod, number int) {
		pod.Name, pod.Spec.NodeName = fmt.Sprintf("daemon-%d-on-%s", number, name), name
		r.dump.pods = append(r.dump.pods, pod)
	}
	number := 0
	listed := map[string]bool{}
	for _, set := range r.dump.daemons {
		listed[set.Namespace+"/"+set.Name] = true
		pod := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
		pod.Namespace = set.Namespace
		fits, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(made)
		_, untolerated := corev1helpers.FindMatchingUntoleratedTaint(made.Spec.Taints, pod.Spec.Tolerations, func(taint *corev1.Taint) bool {
			return taint.Effect != corev1.TaintEffectPreferNoSchedule
		})
		if err == nil && fits && !untolerated {
			add(pod, number)
			number++
		}
	}
	for _, pod := range r.daemonsOn(like.Name) {
		if !listed[pod.Namespace+"/"+metav1.GetControllerOf(pod).Name] {
			add(pod.DeepCopy(), number)
			number++
		}
	}
}

// inSomeOrder puts pod after pod on its node, each at a time when the scheduler accepts it there. This is what counts for pod
// affinity and topology spread, where a pod waits for others: a plan has to be reachable from what stays.
func (r *replay) inSomeOrder() {
	var refused map[*corev1.Pod]*refusal
	left := slices.Clone(r.places)
	for attempt := range 5 {
		refused = map[*corev1.Pod]*refusal{}
		for progress := true; progress; {
			progress = false
			left = slices.DeleteFunc(left, func(one placement) bool {
				r.asked++
				if found := r.ask(one.pod, one.node); found != nil {
					refused[one.pod] = found
					return false
				}
				r.put(one.pod, one.node)
				progress = true
				return true
			})
		}
		if len(left) == 0 || attempt == 4 {
			break
		}
		// Another order may come further.
		for _, one := range r.places {
			if r.on[one.pod] != "" {
				r.take(r.t, one.pod)
			}
		}
		left = slices.Clone(r.places)
		r.random.Shuffle(len(left), func(a, b int) { left[a], left[b] = left[b], left[a] })
	}
	for _, one := range left {
		r.report("in any order", one, refused[one.pod])
		r.put(one.pod, one.node)
	}
}

// inTheEnd takes off each pod in turn and asks again with all others in place. This is what counts for all filters that only ever
// refuse more when more pods are there: resources, ports, anti-affinity. For topology spread it is the skew of the final state.
func (r *replay) inTheEnd() {
	for _, one := range r.places {
		r.take(r.t, one.pod)
		r.asked++
		if found := r.ask(one.pod, one.node); found != nil {
			r.report("in the end", one, found)
		}
		r.put(one.pod, one.node)
	}
}

func (r *replay) report(when string, one placement, found *refusal) {
	if r.excuses(one.workload, found.plugin) {
		r.excused++
		return
	}
	r.t.Errorf("%s, %s: %s %s (labels %s) on node %s: %s: %s", r.name, when, one.workload, one.pod.Name,
		labels.FormatLabels(one.pod.Labels), one.node, found.plugin, found.text)
}

// words that name a filter in what the command says it does not take into account.
var words = map[string][]string{
	names.InterPodAffinity:   {"affinity", "what its pods ask of others"},
	names.PodTopologySpread:  {"spread over"},
	names.VolumeBinding:      {"where its volumes are"},
	names.VolumeRestrictions: {"where its volumes are"},
	names.NodeResourcesFit:   {"request other amounts"},
}

// excuses: the command has said that it does not take into account what the filter refuses. The anti-affinity of one workload
// keeps others away.
func (r *replay) excuses(workload, plugin string) bool {
	for _, line := range slices.Concat(r.made.LeftOut, r.made.Notes) {
		if strings.HasSuffix(line, ", where all is planned afresh") && r.name != "afresh" {
			continue
		}
		symmetric := plugin == names.InterPodAffinity && (strings.Contains(line, "anti-affinity") || strings.Contains(line, "what its pods ask"))
		if !symmetric && !strings.HasPrefix(line, owner(workload)) && plugin != names.NodeResourcesFit {
			continue
		}
		if slices.ContainsFunc(words[plugin], func(word string) bool { return strings.Contains(line, word) }) {
			return true
		}
	}
	return false
}
