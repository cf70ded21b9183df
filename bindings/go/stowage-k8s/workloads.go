package main

import (
	"fmt"
	"maps"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// workload is an app of the instance: a controller's pods, those of them that share their volumes' places, or a pod without a
// controller.
type workload struct {
	kind, namespace, name string
	// part names the pods where a controller's pods are several apps.
	part     string
	labels   map[string]string
	spec     *corev1.PodSpec
	requests map[string]float64
	sharing  sharing
	replicas int32
	priority int32
	// within are the places of its volumes: one term of each list holds.
	within []within
	// running replicas by the index of their node.
	running map[int]uint32
	// pinned: running replicas cannot be elsewhere, for the reason heldBy.
	pinned bool
	// held: running replicas may not be evicted now, for the reason heldBy.
	held   bool
	heldBy string
	// derived: the controller is not in the input, so that its pods are its replicas.
	derived bool
	// pods by name; members are those that a part of a stateful set has or will have.
	pods, members []string
}

func (w *workload) String() string {
	return w.key() + w.part
}

// key of the controller, by which its pods find it.
func (w *workload) key() string { return keyOf(w.kind, w.namespace, w.name) }

func keyOf(kind, namespace, name string) string { return kind + " " + namespace + "/" + name }

func (w *workload) total() (sum int32) {
	for _, count := range w.running {
		sum += int32(count)
	}
	return sum
}

// waiting is how many replicas run nowhere yet.
func (w *workload) waiting() int32 { return w.replicas - w.total() }

// collector assigns pods to workloads.
type collector struct {
	*cluster
	from   *objects
	byName map[string][]*workload
	// byPod are the workloads of single pods of stateful sets, by namespace and name.
	byPod map[string]*workload
	// parents are the controllers of replica sets and jobs.
	parents map[string]string
	// different counts the pods of a workload that request other amounts than its template.
	different  map[*workload]int
	daemonOf   map[string]*daemon
	priorities map[string]int32
	otherwise  int32
}

func (c *collector) add(one *workload) *workload {
	c.workloads = append(c.workloads, one)
	c.byName[one.key()] = append(c.byName[one.key()], one)
	one.priority = c.priorityOf(one)
	return one
}

// make adds the workload of a controller.
func (c *collector) make(kind string, meta metav1.ObjectMeta, template *corev1.PodTemplateSpec, replicas *int32) *workload {
	wanted := int32(1)
	if replicas != nil {
		wanted = max(*replicas, 0)
	}
	one := &workload{
		kind: kind, namespace: meta.Namespace, name: meta.Name, labels: template.Labels, spec: &template.Spec, replicas: wanted,
		running: map[int]uint32{},
	}
	one.requests, one.sharing = c.requestsOf(&template.ObjectMeta, &template.Spec)
	one.within = c.placesOf(one, &template.Spec)
	return c.add(one)
}

func parentOf(meta *metav1.ObjectMeta) string {
	if owner := metav1.GetControllerOf(meta); owner != nil {
		return fmt.Sprintf("%s %s/%s", strings.ToLower(owner.Kind), meta.Namespace, owner.Name)
	}
	return ""
}

// collectWorkloads makes workloads of controllers and single pods, and daemons of what goes with its node.
func (c *cluster) collectWorkloads(from *objects) {
	k := &collector{
		cluster: c, from: from, byName: map[string][]*workload{}, byPod: map[string]*workload{}, parents: map[string]string{},
		different: map[*workload]int{}, daemonOf: map[string]*daemon{},
	}
	k.readPriorities()
	k.controllers()
	k.collectDaemons()
	nodeOf := map[string]int{}
	for index, node := range c.nodes {
		nodeOf[node.name] = index
	}
	for index := range from.pods {
		pod := &from.pods[index]
		if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue // has released its resources
		}
		node, bound := nodeOf[pod.Spec.NodeName]
		if pod.Spec.NodeName != "" && !bound {
			c.leaveOut("pod %s/%s: it runs on node %s, which is not in the input", pod.Namespace, pod.Name, pod.Spec.NodeName)
			continue
		}
		if !bound {
			node = -1
		}
		k.pod(pod, node)
	}
	for _, one := range c.workloads {
		if count := k.different[one]; count > 0 {
			c.note("%s: %d of its pods request other amounts than it does now; they are counted with the latter", one, count)
		}
		if total := one.total(); total > one.replicas {
			c.note("%s wants %d replicas, and %d run: it is counted with these", one, one.replicas, total)
			one.replicas = total
		}
	}
}

// controllers makes the workloads of all controllers that make pods and are made by none of the others.
func (c *collector) controllers() {
	templates := map[string]*corev1.PodTemplateSpec{}
	for k := range c.from.deployments {
		one := &c.from.deployments[k]
		templates[one.Namespace+"/"+one.Name] = &one.Spec.Template
		c.make("deployment", one.ObjectMeta, &one.Spec.Template, one.Spec.Replicas)
	}
	for k := range c.from.rollouts {
		one := &c.from.rollouts[k]
		template := one.Spec.Template
		if template == nil && one.Spec.WorkloadRef != nil {
			template = templates[one.Namespace+"/"+one.Spec.WorkloadRef.Name]
		}
		if template == nil {
			c.leaveOut("rollout %s/%s: its template is not in the input", one.Namespace, one.Name)
			continue
		}
		c.make("rollout", one.ObjectMeta, template, one.Spec.Replicas)
	}
	for k := range c.from.statefulSets {
		c.statefulSet(&c.from.statefulSets[k])
	}
	for k := range c.from.controllers {
		if one := &c.from.controllers[k]; one.Spec.Template != nil {
			c.make("replicationcontroller", one.ObjectMeta, one.Spec.Template, one.Spec.Replicas)
		}
	}
	for k := range c.from.replicaSets {
		one := &c.from.replicaSets[k]
		parent := parentOf(&one.ObjectMeta)
		c.parents[fmt.Sprintf("replicaset %s/%s", one.Namespace, one.Name)] = parent
		if wanted := one.Spec.Replicas; c.byName[parent] == nil && (wanted == nil || *wanted > 0) {
			c.make("replicaset", one.ObjectMeta, &one.Spec.Template, wanted)
		}
	}
	for k := range c.from.jobs {
		c.job(&c.from.jobs[k])
	}
	for k := range c.from.cronJobs {
		if one := &c.from.cronJobs[k]; one.Spec.Suspend == nil || !*one.Spec.Suspend {
			c.leaveOut("cronjob %s/%s: jobs that it starts later", one.Namespace, one.Name)
		}
	}
}

// job makes the workload of a job that has not ended: what it may run at once of what it still has to complete.
func (c *collector) job(from *batchv1.Job) {
	for _, condition := range from.Status.Conditions {
		ended := condition.Type == batchv1.JobComplete || condition.Type == batchv1.JobFailed
		if ended && condition.Status == corev1.ConditionTrue {
			return
		}
	}
	wanted := int32(1)
	if from.Spec.Parallelism != nil {
		wanted = *from.Spec.Parallelism
	}
	if from.Spec.Completions != nil {
		wanted = min(wanted, max(*from.Spec.Completions-from.Status.Succeeded, 0))
	}
	if from.Spec.Suspend != nil && *from.Spec.Suspend {
		wanted = 0
	}
	one := c.make("job", from.ObjectMeta, &from.Spec.Template, &wanted)
	one.pinned, one.heldBy = true, "a job would start again elsewhere"
}

// mayNotGo are annotations of pods that no autoscaler may evict.
var mayNotGo = [][2]string{{"cluster-autoscaler.kubernetes.io/safe-to-evict", "false"}, {"karpenter.sh/do-not-disrupt", "true"}}

// pod counts one pod; node is -1 where it waits for a node.
func (c *collector) pod(pod *corev1.Pod, node int) {
	requests, sharing := c.requestsOf(&pod.ObjectMeta, &pod.Spec)
	if node >= 0 && pod.DeletionTimestamp != nil {
		c.nodes[node].carry(requests, nil)
		addPorts(&c.nodes[node].ports, &pod.Spec, fmt.Sprintf("pod %s/%s", pod.Namespace, pod.Name))
		c.note("pod %s/%s is being deleted, and takes room on node %s until then", pod.Namespace, pod.Name, pod.Spec.NodeName)
		return
	}
	owner := metav1.GetControllerOf(pod)
	if owner != nil && (owner.Kind == "DaemonSet" || owner.Kind == "Node") {
		c.daemonPod(pod, owner, node)
		return
	}
	one := c.workloadOf(pod, owner)
	if one == nil {
		one = c.add(&workload{
			kind: "pod", namespace: pod.Namespace, name: pod.Name, labels: pod.Labels, spec: &pod.Spec, requests: requests, sharing: sharing,
			replicas: 1, running: map[int]uint32{}, pinned: node >= 0, heldBy: "no controller would make it again",
		})
		if owner != nil {
			one.heldBy = "it is not known whether its " + owner.Kind + " would make it again"
		}
		one.within = c.placesOf(one, &pod.Spec)
	}
	one.pods = append(one.pods, pod.Name)
	if node >= 0 {
		for _, mark := range mayNotGo {
			if pod.Annotations[mark[0]] == mark[1] {
				one.held, one.heldBy = true, fmt.Sprintf("its annotation %s=%s", mark[0], mark[1])
			}
		}
		one.running[node]++
		if !maps.Equal(requests, one.requests) {
			c.different[one]++
		}
	}
}

// recreating are the kinds of owners that make their pods again, also where they are not in the input themselves.
var recreating = map[string]bool{"ReplicaSet": true, "ReplicationController": true, "StatefulSet": true}

// hashes are the labels of pods in which the names of their replica sets end, by the kind of controller.
var hashes = [][2]string{{"deployment", "pod-template-hash"}, {"rollout", "rollouts-pod-template-hash"}}

// workloadOf finds the workload of a pod by its owners, or makes one of the pod where its owner is not in the input; nil = none
// makes the pod again.
func (c *collector) workloadOf(pod *corev1.Pod, owner *metav1.OwnerReference) *workload {
	if owner == nil {
		return nil
	}
	if one := c.byPod[pod.Namespace+"/"+pod.Name]; one != nil && owner.Kind == "StatefulSet" {
		return one
	}
	key := keyOf(strings.ToLower(owner.Kind), pod.Namespace, owner.Name)
	candidates := []string{c.parents[key]}
	if owner.Kind == "ReplicaSet" {
		// Without the replica set, its name says which controller made it: it ends in the hash that its pods carry as a label.
		for _, one := range hashes {
			if name, cut := strings.CutSuffix(owner.Name, "-"+pod.Labels[one[1]]); cut && pod.Labels[one[1]] != "" && name != "" {
				candidates = append(candidates, keyOf(one[0], pod.Namespace, name))
			}
		}
	}
	for _, name := range append(candidates, key) {
		if found := c.byName[name]; found != nil && !found[0].derived {
			return counted(found[0])
		}
	}
	if !recreating[owner.Kind] {
		return nil
	}
	// Pods whose volumes are at different places are different workloads.
	places := placeKey(c.placesOf(&workload{kind: "pod", namespace: pod.Namespace, name: pod.Name}, &pod.Spec))
	for _, one := range c.byName[key] {
		if placeKey(one.within) == places {
			return counted(one)
		}
	}
	none := int32(0)
	meta := metav1.ObjectMeta{Namespace: pod.Namespace, Name: owner.Name}
	template := &corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels, Annotations: pod.Annotations}, Spec: pod.Spec}
	template.Spec.NodeName = ""
	one := c.make(strings.ToLower(owner.Kind), meta, template, &none)
	one.derived = true
	if len(c.byName[key]) > 1 {
		one.part = " (" + pod.Name + ")"
	}
	return counted(one)
}

// counted counts a pod of a workload that is known by its pods alone.
func counted(one *workload) *workload {
	if one.derived {
		one.replicas++
	}
	return one
}
