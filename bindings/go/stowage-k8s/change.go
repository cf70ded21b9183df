package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// change is what whatif assumes.
type change struct {
	// replicas by namespace and name of a controller.
	replicas map[string]int32
	// zones and nodes that fail, and nodes to add by class.
	zones, nodes []string
	add          map[string]int
	// texts say what was asked for.
	texts []string
}

func (c *change) flags(flags *flag.FlagSet) {
	c.replicas, c.add = map[string]int32{}, map[string]int{}
	number := func(text, form string) (string, int, error) {
		at := strings.LastIndex(text, "=")
		if at < 0 {
			return "", 0, fmt.Errorf("must be %s", form)
		}
		count, err := strconv.ParseInt(text[at+1:], 10, 32)
		if err != nil || count < 0 || count > 1000000 {
			return "", 0, fmt.Errorf("must be %s, with a number up to 1000000", form)
		}
		return text[:at], int(count), nil
	}
	flags.Func("replicas", "NAMESPACE/NAME=COUNT: a workload has this many replicas", func(text string) error {
		name, count, err := number(text, "NAMESPACE/NAME=COUNT")
		c.replicas[name] = int32(count)
		c.texts = append(c.texts, fmt.Sprintf("%s has %d replicas", name, count))
		return err
	})
	flags.Func("add", "CLASS=COUNT: so many nodes more, of the instance type or the class of an existing node", func(text string) error {
		name, count, err := number(text, "CLASS=COUNT")
		c.add[name] += count
		c.texts = append(c.texts, fmt.Sprintf("%d more nodes of %s", count, name))
		return err
	})
	flags.Func("zone-down", "ZONE: all nodes of the zone fail", func(text string) error {
		c.zones = append(c.zones, text)
		c.texts = append(c.texts, "zone "+text+" is down")
		return nil
	})
	flags.Func("node-down", "NODE: the node fails", func(text string) error {
		c.nodes = append(c.nodes, text)
		c.texts = append(c.texts, "node "+text+" is down")
		return nil
	})
}

// evicted are the effects of taking pods off their nodes.
type evicted struct {
	// pods by namespace and name, with their node; lost are those that nothing makes again.
	pods map[string]string
	lost []string
}

// evict takes all pods but daemons off some nodes.
func (o *objects) evict(nodes map[string]bool) evicted {
	found := evicted{pods: map[string]string{}}
	kept := make([]corev1.Pod, 0, len(o.pods))
	for _, pod := range o.pods {
		owner := metav1.GetControllerOf(&pod)
		switch {
		case !nodes[pod.Spec.NodeName] || owner != nil && (owner.Kind == "DaemonSet" || owner.Kind == "Node"):
		case pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed:
			continue
		case owner == nil:
			found.lost = append(found.lost, pod.Namespace+"/"+pod.Name)
			continue
		default:
			found.pods[pod.Namespace+"/"+pod.Name] = pod.Spec.NodeName
			pod.Spec.NodeName = ""
		}
		kept = append(kept, pod)
	}
	o.pods = kept
	return found
}

// remove takes nodes away, with the daemons on them.
func (o *objects) remove(nodes map[string]bool) evicted {
	found := o.evict(nodes)
	o.pods = slices.DeleteFunc(o.pods, func(pod corev1.Pod) bool { return nodes[pod.Spec.NodeName] })
	o.nodes = slices.DeleteFunc(slices.Clone(o.nodes), func(one corev1.Node) bool { return nodes[one.Name] })
	return found
}

// apply makes the changes.
func (o *objects) apply(asked *change) (evicted, error) {
	down := map[string]bool{}
	for _, zone := range asked.zones {
		before := len(down)
		for _, one := range o.nodes {
			if one.Labels[corev1.LabelTopologyZone] == zone {
				down[one.Name] = true
			}
		}
		if len(down) == before {
			return evicted{}, fmt.Errorf("--zone-down: no node is in the zone %q", zone)
		}
	}
	for _, name := range asked.nodes {
		if !slices.ContainsFunc(o.nodes, func(one corev1.Node) bool { return one.Name == name }) {
			return evicted{}, fmt.Errorf("--node-down: there is no node %q", name)
		}
		down[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(asked.add)) {
		if err := o.addNodes(name, asked.add[name]); err != nil {
			return evicted{}, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked.replicas)) {
		if err := o.scale(name, asked.replicas[name]); err != nil {
			return evicted{}, err
		}
	}
	found := o.remove(down)
	if len(o.nodes) == 0 {
		return found, fmt.Errorf("no node is left")
	}
	return found, nil
}

// addNodes copies a node of an instance type or class, without its conditions.
func (o *objects) addNodes(name string, count int) error {
	c := newCluster(o)
	for k := range o.nodes {
		class := c.classes[c.nodes[k].class]
		if class.name != name && o.nodes[k].Labels[corev1.LabelInstanceTypeStable] != name {
			continue
		}
		for number := range count {
			one := *o.nodes[k].DeepCopy()
			one.Name = fmt.Sprintf("new-%d-like-%s", number+1, o.nodes[k].Name)
			one.Labels = maps.Clone(one.Labels)
			if one.Labels == nil {
				one.Labels = map[string]string{}
			}
			one.Labels[corev1.LabelHostname] = one.Name
			one.Spec.Unschedulable = false
			one.Spec.Taints = slices.DeleteFunc(one.Spec.Taints, func(taint corev1.Taint) bool {
				return strings.HasPrefix(taint.Key, "node.kubernetes.io/")
			})
			o.nodes = append(o.nodes, one)
		}
		return nil
	}
	return fmt.Errorf("--add: no node is of the class or type %q", name)
}

// scale sets the replicas of a controller. Where fewer are wanted than run, those go that wait, and then those of the node with
// the most.
func (o *objects) scale(name string, count int32) error {
	var wanted **int32
	find := func(namespace, its string, replicas **int32) {
		if namespace+"/"+its == name {
			wanted = replicas
		}
	}
	for k := range o.controllers {
		find(o.controllers[k].Namespace, o.controllers[k].Name, &o.controllers[k].Spec.Replicas)
	}
	for k := range o.replicaSets {
		if one := &o.replicaSets[k]; parentOf(&one.ObjectMeta) == "" {
			find(one.Namespace, one.Name, &one.Spec.Replicas)
		}
	}
	for k := range o.rollouts {
		find(o.rollouts[k].Namespace, o.rollouts[k].Name, &o.rollouts[k].Spec.Replicas)
	}
	for k := range o.statefulSets {
		find(o.statefulSets[k].Namespace, o.statefulSets[k].Name, &o.statefulSets[k].Spec.Replicas)
	}
	for k := range o.deployments {
		find(o.deployments[k].Namespace, o.deployments[k].Name, &o.deployments[k].Spec.Replicas)
	}
	if wanted == nil {
		return fmt.Errorf("--replicas: no workload is called %q; it is NAMESPACE/NAME", name)
	}
	*wanted = &count
	o.shrink(name, int(count))
	return nil
}

// shrink removes the pods of a workload that are too many: of a stateful set the last ones.
func (o *objects) shrink(name string, count int) {
	names := map[string]bool{}
	stateful := false
	for _, one := range newCluster(o).workloads {
		if one.namespace+"/"+one.name == name && one.kind != "pod" {
			stateful = one.kind == "statefulset"
			for _, pod := range one.pods {
				names[one.namespace+"/"+pod] = true
			}
		}
	}
	perNode := map[string]int{}
	var pods []*corev1.Pod
	for k := range o.pods {
		if pod := &o.pods[k]; names[pod.Namespace+"/"+pod.Name] {
			perNode[pod.Spec.NodeName]++
			pods = append(pods, pod)
		}
	}
	gone := map[*corev1.Pod]bool{}
	goesBefore := func(a, b *corev1.Pod) bool {
		switch {
		case stateful:
			return ordinal(a.Name) > ordinal(b.Name)
		case (a.Spec.NodeName == "") != (b.Spec.NodeName == ""):
			return a.Spec.NodeName == ""
		}
		return perNode[a.Spec.NodeName] > perNode[b.Spec.NodeName]
	}
	for len(pods)-len(gone) > count {
		var victim *corev1.Pod
		for _, pod := range pods {
			if !gone[pod] && (victim == nil || goesBefore(pod, victim)) {
				victim = pod
			}
		}
		gone[victim] = true
		perNode[victim.Spec.NodeName]--
	}
	kept := make([]corev1.Pod, 0, len(o.pods))
	for k := range o.pods {
		if !gone[&o.pods[k]] {
			kept = append(kept, o.pods[k])
		}
	}
	o.pods = kept
}

// ordinal is the number at the end of the name of a stateful set's pod.
func ordinal(name string) int {
	number, _ := strconv.Atoi(name[strings.LastIndex(name, "-")+1:])
	return number
}
