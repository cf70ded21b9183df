package predicates

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// generator makes clusters whose pods use everything that decides where a pod may run.
type generator struct {
	*rand.Rand
	zones []string
	items []any
	nodes []*corev1.Node
	apps  []string
	// waiting are pods that may be bound, by the scheduler.
	pods []*corev1.Pod
}

func (g *generator) chance(share float64) bool { return g.Float64() < share }

func pick[Item any](g *generator, from ...Item) Item { return from[g.IntN(len(from))] }

func (g *generator) item(kind, version string, object any) {
	content, _ := json.Marshal(object)
	made := map[string]any{}
	_ = json.Unmarshal(content, &made)
	made["kind"], made["apiVersion"] = kind, version
	g.items = append(g.items, made)
}

func quantities(of map[string]string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for name, amount := range of {
		list[corev1.ResourceName(name)] = resource.MustParse(amount)
	}
	return list
}

func (g *generator) makeNodes() {
	for number := range 4 + g.IntN(10) {
		kind := pick(g, "small", "large", "gpu")
		one := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n%d", number), Labels: map[string]string{
			corev1.LabelInstanceTypeStable: kind, corev1.LabelTopologyZone: pick(g, g.zones...), "disk": pick(g, "ssd", "hdd"),
			corev1.LabelArchStable: pick(g, "amd64", "amd64", "arm64"), "generation": strconv.Itoa(1 + g.IntN(3)),
		}}}
		one.Labels[corev1.LabelHostname] = one.Name
		if g.chance(0.1) {
			delete(one.Labels, corev1.LabelTopologyZone)
		}
		amounts := map[string]string{"cpu": "3920m", "memory": "7Gi", "pods": "8", "ephemeral-storage": "50Gi"}
		if kind != "small" {
			amounts = map[string]string{"cpu": "8", "memory": "32Gi", "pods": "20", "ephemeral-storage": "100Gi"}
		}
		if kind == "gpu" {
			amounts["nvidia.com/gpu"] = "4"
		}
		one.Status.Allocatable = quantities(amounts)
		if g.chance(0.25) {
			one.Spec.Taints = append(one.Spec.Taints, corev1.Taint{Key: "dedicated", Value: pick(g, "a", "b"), Effect: pick(g, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)})
		}
		if g.chance(0.1) {
			one.Spec.Unschedulable = true
			one.Spec.Taints = append(one.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
		}
		if number == 0 && g.chance(0.3) {
			one.Labels["node-role.kubernetes.io/control-plane"] = ""
			one.Spec.Taints = append(one.Spec.Taints, corev1.Taint{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule})
		}
		g.nodes = append(g.nodes, one)
		g.item("Node", "v1", one)
	}
}

func (g *generator) requirements() corev1.ResourceRequirements {
	amounts := map[string]string{"cpu": pick(g, "100m", "250m", "500m", "1", "1500m", "333m", "0.1")}
	if g.chance(0.7) {
		amounts["memory"] = pick(g, "64Mi", "500M", "1Gi", "1.5Gi", "123456789")
	}
	if g.chance(0.1) {
		amounts["ephemeral-storage"] = pick(g, "1Gi", "10G")
	}
	if g.chance(0.1) {
		amounts["nvidia.com/gpu"] = pick(g, "1", "2")
		return corev1.ResourceRequirements{Limits: quantities(amounts)} // as is usual for devices
	}
	return corev1.ResourceRequirements{Requests: quantities(amounts)}
}

func (g *generator) selector(app string) *metav1.LabelSelector {
	switch g.IntN(4) {
	case 0:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: []string{app}}}}
	case 1:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app, "tier": "x"}}
	}
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

func (g *generator) topology() string {
	return pick(g, corev1.LabelHostname, corev1.LabelTopologyZone, corev1.LabelTopologyZone, "disk")
}

func (g *generator) affinity(app string) *corev1.Affinity {
	made := &corev1.Affinity{}
	if g.chance(0.3) {
		made.NodeAffinity = &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{}}
		for range 1 + g.IntN(2) {
			made.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms = append(
				made.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms,
				corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{pick(g,
					corev1.NodeSelectorRequirement{Key: "disk", Operator: corev1.NodeSelectorOpIn, Values: []string{"ssd"}},
					corev1.NodeSelectorRequirement{Key: "disk", Operator: corev1.NodeSelectorOpNotIn, Values: []string{"ssd"}},
					corev1.NodeSelectorRequirement{Key: "generation", Operator: corev1.NodeSelectorOpGt, Values: []string{"1"}},
					corev1.NodeSelectorRequirement{Key: "dedicated", Operator: corev1.NodeSelectorOpDoesNotExist},
					corev1.NodeSelectorRequirement{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpExists},
				)}})
		}
	}
	term := func(other string) corev1.PodAffinityTerm {
		return corev1.PodAffinityTerm{LabelSelector: g.selector(other), TopologyKey: g.topology()}
	}
	if g.chance(0.3) {
		made.PodAntiAffinity = &corev1.PodAntiAffinity{}
		terms := &made.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		*terms = append(*terms, term(app))
		if g.chance(0.4) {
			*terms = append(*terms, term(pick(g, g.apps...)))
		}
	} else if g.chance(0.2) {
		made.PodAffinity = &corev1.PodAffinity{}
		terms := &made.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		*terms = append(*terms, term(pick(g, append(g.apps, app)...)))
		if g.chance(0.2) {
			*terms = append(*terms, term(pick(g, append(g.apps, app)...)))
		}
	}
	return made
}

func (g *generator) template(app string) corev1.PodTemplateSpec {
	made := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}}}
	if g.chance(0.8) {
		made.Labels["tier"] = "x"
	}
	spec := &made.Spec
	spec.Containers = append(spec.Containers, corev1.Container{Name: "main", Resources: g.requirements()})
	if g.chance(0.3) {
		spec.Containers = append(spec.Containers, corev1.Container{Name: "more", Resources: g.requirements()})
	}
	if g.chance(0.3) {
		always := corev1.ContainerRestartPolicyAlways
		for k := range 1 + g.IntN(3) {
			one := corev1.Container{Name: fmt.Sprintf("init-%d", k), Resources: g.requirements()}
			if g.chance(0.4) {
				one.RestartPolicy = &always
			}
			spec.InitContainers = append(spec.InitContainers, one)
		}
	}
	if g.chance(0.1) {
		spec.Overhead = quantities(map[string]string{"cpu": "50m", "memory": "100Mi"})
	}
	if g.chance(0.1) {
		spec.Resources = pick(g,
			&corev1.ResourceRequirements{Requests: quantities(map[string]string{"cpu": "4"})},
			&corev1.ResourceRequirements{Limits: quantities(map[string]string{"cpu": "4", "memory": "4Gi"})})
	}
	if g.chance(0.2) {
		spec.NodeSelector = map[string]string{"disk": pick(g, "ssd", "hdd")}
	}
	if g.chance(0.4) {
		spec.Tolerations = append(spec.Tolerations, pick(g,
			corev1.Toleration{Key: "dedicated", Operator: corev1.TolerationOpEqual, Value: "a"},
			corev1.Toleration{Key: "dedicated", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
			corev1.Toleration{Operator: corev1.TolerationOpExists}))
	}
	if g.chance(0.15) {
		spec.HostNetwork = g.chance(0.5)
		port := corev1.ContainerPort{ContainerPort: pick[int32](g, 8080, 9100), Protocol: pick(g, corev1.ProtocolTCP, "", corev1.ProtocolUDP)}
		if !spec.HostNetwork {
			port.HostPort, port.HostIP = port.ContainerPort, pick(g, "", "0.0.0.0", "127.0.0.1")
		}
		spec.Containers[0].Ports = append(spec.Containers[0].Ports, port)
	}
	spec.Affinity = g.affinity(app)
	for range g.IntN(6) / 3 {
		one := corev1.TopologySpreadConstraint{
			MaxSkew: int32(1 + g.IntN(2)), TopologyKey: g.topology(), WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: g.selector(app),
		}
		if g.chance(0.2) {
			one.WhenUnsatisfiable = corev1.ScheduleAnyway
		} else if g.chance(0.2) {
			least := int32(1 + g.IntN(4))
			one.MinDomains = &least
		}
		honor, ignore := corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore
		one.NodeTaintsPolicy = pick[*corev1.NodeInclusionPolicy](g, nil, nil, &honor, &ignore)
		one.NodeAffinityPolicy = pick[*corev1.NodeInclusionPolicy](g, nil, nil, &honor, &ignore)
		if !slices.ContainsFunc(spec.TopologySpreadConstraints, func(other corev1.TopologySpreadConstraint) bool { return other.TopologyKey == one.TopologyKey }) {
			spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, one)
		}
	}
	spec.PriorityClassName = pick(g, "", "", "high")
	return made
}

// ownedPods makes the pods of a controller.
func (g *generator) ownedPods(kind, name string, template corev1.PodTemplateSpec, pods []string) {
	yes := true
	for _, pod := range pods {
		one := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
		one.Namespace, one.Name = "shop", pod
		if kind != "" {
			one.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &yes, UID: types.UID(name)}}
		}
		one.Status.Phase = corev1.PodPending
		g.pods = append(g.pods, completed(one))
	}
}

func numbered(name string, count int) (all []string) {
	for k := range count {
		all = append(all, fmt.Sprintf("%s-%d", name, k))
	}
	return all
}

func (g *generator) makeWorkloads() {
	for number := range 3 + g.IntN(8) {
		app := fmt.Sprintf("app%d", number)
		g.apps = append(g.apps, app)
		template, replicas := g.template(app), int32(1+g.IntN(6))
		meta := metav1.ObjectMeta{Namespace: "shop", Name: app}
		made := g.IntN(int(replicas) + 1) // pods that exist
		switch g.IntN(8) {
		default:
			deployment := &appsv1.Deployment{ObjectMeta: meta}
			deployment.Spec.Replicas, deployment.Spec.Template = &replicas, template
			g.item("Deployment", "apps/v1", deployment)
			hashed := *template.DeepCopy()
			hashed.Labels["pod-template-hash"] = "5f6d"
			g.ownedPods("ReplicaSet", app+"-5f6d", hashed, numbered(app+"-5f6d", made))
		case 0:
			g.statefulSet(app, template, replicas, made)
		case 1:
			set := &appsv1.ReplicaSet{ObjectMeta: meta}
			set.Spec.Replicas, set.Spec.Template = &replicas, template
			g.item("ReplicaSet", "apps/v1", set)
			g.ownedPods("ReplicaSet", app, template, numbered(app, made))
		case 2:
			job := &batchv1.Job{ObjectMeta: meta}
			job.Spec.Parallelism, job.Spec.Template = &replicas, template
			g.item("Job", "batch/v1", job)
			g.ownedPods("Job", app, template, numbered(app, made))
		case 3:
			g.ownedPods(pick(g, "", "ReplicaSet"), app+"-gone", template, numbered(app, max(made, 1)))
		}
	}
}

// statefulSet has claims, some of which are bound to volumes in a zone.
func (g *generator) statefulSet(app string, template corev1.PodTemplateSpec, replicas int32, made int) {
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: app}}
	set.Spec.Replicas, set.Spec.Template = &replicas, template
	set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
	g.item("StatefulSet", "apps/v1", set)
	for k, pod := range numbered(app, int(replicas)) {
		if k >= made && g.chance(0.5) {
			continue // made with the pod
		}
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data-" + pod}}
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		if g.chance(0.8) {
			claim.Spec.VolumeName = "pv-" + pod
			volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "pv-" + pod, Labels: map[string]string{}}}
			zone := pick(g, g.zones...)
			if g.chance(0.5) {
				volume.Labels[corev1.LabelTopologyZone] = zone
			} else {
				volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpIn, Values: []string{zone}}},
				}}}}
			}
			g.item("PersistentVolume", "v1", volume)
		}
		g.item("PersistentVolumeClaim", "v1", claim)
	}
	first := len(g.pods)
	g.ownedPods("StatefulSet", app, template, numbered(app, made))
	for _, pod := range g.pods[first:] {
		pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + pod.Name},
		}}}
	}
}

// makeDaemons makes daemon sets, some of which are in the dump only by their pods.
func (g *generator) makeDaemons() (pods []*corev1.Pod) {
	yes := true
	for number := range g.IntN(3) {
		name := fmt.Sprintf("agent%d", number)
		spec := corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{Requests: quantities(map[string]string{"cpu": pick(g, "100m", "250m")})}}}}
		if g.chance(0.3) {
			spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 9100, HostPort: 9100}}
		}
		if g.chance(0.7) {
			spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
		}
		set := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: name}}
		set.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"agent": name}}, Spec: spec}
		if g.chance(0.5) {
			g.item("DaemonSet", "apps/v1", set)
		}
		for _, node := range g.nodes {
			if len(spec.Tolerations) == 0 && slices.ContainsFunc(node.Spec.Taints, func(taint corev1.Taint) bool { return taint.Effect != corev1.TaintEffectPreferNoSchedule }) {
				continue
			}
			pod := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *spec.DeepCopy()}
			pod.Namespace, pod.Name, pod.Spec.NodeName = "system", name+"-"+node.Name, node.Name
			pod.OwnerReferences = []metav1.OwnerReference{{Kind: "DaemonSet", Name: name, Controller: &yes}}
			pod.Status.Phase = corev1.PodRunning
			pods = append(pods, completed(pod))
		}
	}
	return pods
}

// randomCluster is a dump in which the scheduler itself has bound some of the pods; refused counts what it has refused, by plugin.
func randomCluster(t *testing.T, seed uint64, refused map[string]int) []byte {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), zones: []string{"a", "b", "c"}, apps: []string{"app0"}}
	g.zones = g.zones[:2+g.IntN(2)]
	g.makeNodes()
	high := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000}
	g.item("PriorityClass", "scheduling.k8s.io/v1", high)
	daemons := g.makeDaemons()
	g.makeWorkloads()
	content, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": g.items})
	if err != nil {
		t.Fatal(err)
	}
	read := readDump(t, content)
	s := newScheduler(t, read.nodes, read.storageObjects())
	for _, pod := range daemons {
		s.put(pod, pod.Spec.NodeName)
	}
	g.Shuffle(len(g.pods), func(a, b int) { g.pods[a], g.pods[b] = g.pods[b], g.pods[a] })
	free := g.chance(0.1) // some clusters have pods that break their constraints
	for _, pod := range g.pods {
		node := pick(g, g.nodes...).Name
		for range 3 {
			found := s.ask(pod, node)
			if found == nil || free && found.plugin != names.NodeResourcesFit {
				s.put(pod, node)
				pod.Status.Phase = corev1.PodRunning
				break
			}
			refused[found.plugin]++
			node = pick(g, g.nodes...).Name
		}
	}
	for _, pod := range slices.Concat(daemons, g.pods) {
		g.item("Pod", "v1", pod)
	}
	if content, err = json.MarshalIndent(map[string]any{"kind": "List", "apiVersion": "v1", "items": g.items}, "", " "); err != nil {
		t.Fatal(err)
	}
	return content
}

// $PREDICATES_CLUSTERS is how many random clusters are planned, $PREDICATES_FIRST the seed of the first. Clusters with pods that
// the scheduler refuses are written to $PREDICATES_KEEP.
func TestTheSchedulerAcceptsPlansOfRandomClusters(t *testing.T) {
	number := func(name string, otherwise int) int {
		if value, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return value
		}
		return otherwise
	}
	var sum tally
	refused := map[string]int{}
	for seed := range number("PREDICATES_CLUSTERS", 60) {
		seed += number("PREDICATES_FIRST", 0)
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			content := randomCluster(t, uint64(seed), refused)
			found := checkDump(t, content, uint64(seed))
			sum.asked += found.asked
			sum.excused += found.excused
			if keep := os.Getenv("PREDICATES_KEEP"); t.Failed() && keep != "" {
				if err := os.WriteFile(filepath.Join(keep, fmt.Sprintf("%d.json", seed)), content, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Logf("asked %d times; %d refusals by what is named as not taken into account; nodes drawn at random are refused by %v", sum.asked, sum.excused, refused)
	for _, plugin := range []string{
		names.NodeResourcesFit, names.TaintToleration, names.NodeAffinity, names.NodePorts, names.NodeUnschedulable, names.InterPodAffinity,
		names.PodTopologySpread, names.VolumeBinding, names.VolumeZone,
	} {
		if refused[plugin] == 0 {
			t.Errorf("no cluster needs %s", plugin)
		}
	}
	if sum.excused*20 > sum.asked {
		t.Error("too much is not taken into account for the test to say anything")
	}
}
