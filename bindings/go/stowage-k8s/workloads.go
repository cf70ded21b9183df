package main

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// workload is an app of the instance: a deployment, a stateful set, or a pod that belongs to neither.
type workload struct {
	kind, namespace, name string
	labels                map[string]string
	spec                  *corev1.PodSpec
	requests              map[string]float64
	replicas              int32
	// running replicas by the index of their node.
	running map[int]uint32
	// pinned: running replicas cannot move.
	pinned bool
}

func (w *workload) String() string { return fmt.Sprintf("%s %s/%s", w.kind, w.namespace, w.name) }

func newWorkload(kind string, meta metav1.ObjectMeta, template *corev1.PodTemplateSpec, replicas *int32) *workload {
	wanted := int32(1)
	if replicas != nil {
		wanted = *replicas
	}
	return &workload{
		kind: kind, namespace: meta.Namespace, name: meta.Name, labels: template.Labels, spec: &template.Spec,
		requests: requestsOf(&template.Spec), replicas: wanted, running: map[int]uint32{},
	}
}

// collectWorkloads assigns pods to workloads and nodes, and counts all other pods as load of their nodes.
func (c *cluster) collectWorkloads(from *objects) {
	byName := map[string]*workload{}
	add := func(one *workload) {
		c.workloads = append(c.workloads, one)
		byName[one.String()] = one
	}
	for k := range from.deployments {
		one := &from.deployments[k]
		add(newWorkload("deployment", one.ObjectMeta, &one.Spec.Template, one.Spec.Replicas))
	}
	for k := range from.statefulSets {
		one := &from.statefulSets[k]
		add(newWorkload("statefulset", one.ObjectMeta, &one.Spec.Template, one.Spec.Replicas))
		if len(one.Spec.VolumeClaimTemplates) > 0 {
			c.leaveOut("statefulset %s/%s: where its volumes are", one.Namespace, one.Name)
		}
	}
	nodeOf := map[string]int{}
	for k, node := range c.nodes {
		nodeOf[node.name] = k
	}
	daemons := map[string]bool{}
	for k := range from.pods {
		pod := &from.pods[k]
		if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue // has released its resources
		}
		node, bound := nodeOf[pod.Spec.NodeName]
		if pod.Spec.NodeName != "" && !bound {
			c.leaveOut("pod %s/%s: it runs on node %s, which is not in the input", pod.Namespace, pod.Name, pod.Spec.NodeName)
			continue
		}
		switch owner := metav1.GetControllerOf(pod); {
		case bound && pod.DeletionTimestamp != nil:
			c.weigh(node, pod)
			c.note("pod %s/%s is being deleted, and counts as load of node %s until then", pod.Namespace, pod.Name, pod.Spec.NodeName)
		case owner != nil && (owner.Kind == "DaemonSet" || owner.Kind == "Node"):
			if bound {
				c.weigh(node, pod)
			}
			daemon := fmt.Sprintf("%s %s/%s", map[string]string{"DaemonSet": "daemonset", "Node": "static pods of"}[owner.Kind], pod.Namespace, owner.Name)
			if owner.Kind == "DaemonSet" && !daemons[daemon] {
				daemons[daemon] = true
				c.leaveOut("%s: its pods count on the nodes where they run, not on nodes that are added", daemon)
			}
			if known := func(one load) bool { return one.name == daemon && maps.Equal(one.labels, pod.Labels) }; bound && !slices.ContainsFunc(c.loads, known) {
				c.loads = append(c.loads, load{daemon, pod.Namespace, pod.Labels})
			}
			c.warnOfTerms(daemon, &pod.Spec)
		case owner != nil && byName[ownerOf(pod, owner, pod.Namespace)] != nil:
			if bound {
				one := byName[ownerOf(pod, owner, pod.Namespace)]
				one.running[node]++
				if requests := requestsOf(&pod.Spec); !maps.Equal(requests, one.requests) {
					c.note("pod %s/%s requests other amounts than its %s does now; it is counted with the latter", pod.Namespace, pod.Name, one.kind)
				}
			}
		default:
			// No controller recreates the pod on another node, so that it stays where it runs.
			one := &workload{
				kind: "pod", namespace: pod.Namespace, name: pod.Name, labels: pod.Labels, spec: &pod.Spec,
				requests: requestsOf(&pod.Spec), replicas: 1, running: map[int]uint32{}, pinned: bound,
			}
			if bound {
				one.running[node] = 1
			}
			add(one)
		}
	}
	for _, one := range c.workloads {
		total := int32(0)
		for _, count := range one.running {
			total += int32(count)
		}
		if total > one.replicas {
			c.note("%s wants %d replicas, and %d run: it is counted with these", one, one.replicas, total)
			one.replicas = total
		}
	}
	for kind, count := range from.others {
		c.leaveOut("objects of kind %s (%d)", kind, count)
	}
}

// ownerOf names the workload that a pod belongs to. A deployment's pods belong to replica sets, whose names end in the
// template's hash; the pods carry this hash as a label.
func ownerOf(pod *corev1.Pod, owner *metav1.OwnerReference, namespace string) string {
	switch owner.Kind {
	case "StatefulSet":
		return fmt.Sprintf("statefulset %s/%s", namespace, owner.Name)
	case "ReplicaSet":
		hash := "-" + pod.Labels["pod-template-hash"]
		if len(hash) > 1 && len(owner.Name) > len(hash) && owner.Name[len(owner.Name)-len(hash):] == hash {
			return fmt.Sprintf("deployment %s/%s", namespace, owner.Name[:len(owner.Name)-len(hash)])
		}
	}
	return ""
}

// weigh adds a pod's requests to the load of a node.
func (c *cluster) weigh(node int, pod *corev1.Pod) {
	for name, amount := range requestsOf(&pod.Spec) {
		c.nodes[node].load[name] += amount
	}
}

// warnOfTerms reports affinity terms of pods that count as load.
func (c *cluster) warnOfTerms(name string, spec *corev1.PodSpec) {
	if spec.Affinity != nil && (spec.Affinity.PodAffinity != nil || spec.Affinity.PodAntiAffinity != nil) {
		c.leaveOut("%s: what its pods ask of others beside them", name)
	}
}
