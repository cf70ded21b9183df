package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// daemon is a daemon set or a kind of static pods. Its pods go with their nodes.
type daemon struct {
	name, namespace string
	labels          []map[string]string
	// template of a daemon set that is in the input; nil = only its pods are.
	template *corev1.PodSpec
	// requests of the template.
	requests map[string]float64
	// static pods belong to a class if they run on all of its nodes, those of daemon sets if they run on any.
	static bool
	// on are the requests of the pods by node.
	on map[int]map[string]float64
	// ports of the host that its pods use.
	ports []usedPort
}

// daemonTolerations are those that the controller adds to the pods of daemon sets.
var daemonTolerations = []corev1.Toleration{
	{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists},
	{Key: "node.kubernetes.io/unreachable", Operator: corev1.TolerationOpExists},
	{Key: "node.kubernetes.io/disk-pressure", Operator: corev1.TolerationOpExists},
	{Key: "node.kubernetes.io/memory-pressure", Operator: corev1.TolerationOpExists},
	{Key: "node.kubernetes.io/pid-pressure", Operator: corev1.TolerationOpExists},
	{Key: "node.kubernetes.io/unschedulable", Operator: corev1.TolerationOpExists},
}

// collectDaemons reads the daemon sets that are in the input themselves.
func (c *collector) collectDaemons() {
	for k := range c.from.daemonSets {
		from := &c.from.daemonSets[k]
		one := c.daemon(fmt.Sprintf("daemonset %s/%s", from.Namespace, from.Name), from.Namespace, false)
		template := from.Spec.Template.Spec.DeepCopy()
		template.Tolerations = append(template.Tolerations, daemonTolerations...)
		one.template = template
		one.requests, _ = c.requestsOf(&from.Spec.Template.ObjectMeta, template)
		one.labels = append(one.labels, from.Spec.Template.Labels)
		addPorts(&one.ports, template, one.name)
	}
}

func (c *collector) daemon(name, namespace string, static bool) *daemon {
	if c.daemonOf[name] == nil {
		one := &daemon{name: name, namespace: namespace, static: static, on: map[int]map[string]float64{}}
		c.daemonOf[name] = one
		c.daemons = append(c.daemons, one)
	}
	return c.daemonOf[name]
}

// daemonPod counts a pod of a daemon set or a static pod. Pods of daemon sets wait for the node that their affinity names.
func (c *collector) daemonPod(pod *corev1.Pod, owner *metav1.OwnerReference, node int) {
	name := fmt.Sprintf("daemonset %s/%s", pod.Namespace, owner.Name)
	if owner.Kind == "Node" {
		name = fmt.Sprintf("static pod %s/%s", pod.Namespace, strings.TrimSuffix(pod.Name, "-"+owner.Name))
	}
	if node < 0 {
		node = slices.IndexFunc(c.nodes, named(&pod.Spec))
	}
	one := c.daemon(name, pod.Namespace, owner.Kind == "Node")
	if !slices.ContainsFunc(one.labels, func(known map[string]string) bool { return maps.Equal(known, pod.Labels) }) {
		one.labels = append(one.labels, pod.Labels)
	}
	if one.template == nil && len(one.ports) == 0 {
		addPorts(&one.ports, &pod.Spec, one.name)
	}
	if node >= 0 {
		if one.on[node] == nil {
			one.on[node] = map[string]float64{}
		}
		requests, _ := c.requestsOf(&pod.ObjectMeta, &pod.Spec)
		addAmounts(one.on[node], requests)
	}
	if pod.Spec.Affinity != nil && (pod.Spec.Affinity.PodAffinity != nil || pod.Spec.Affinity.PodAntiAffinity != nil) {
		c.leaveOut("%s: what its pods ask of others beside them", name)
	}
}

// named returns whether a node is the one that a pod's affinity names.
func named(spec *corev1.PodSpec) func(*node) bool {
	return func(of *node) bool {
		return slices.ContainsFunc(nodeTerms(spec), func(term corev1.NodeSelectorTerm) bool {
			return slices.ContainsFunc(term.MatchFields, func(one corev1.NodeSelectorRequirement) bool {
				return one.Key == "metadata.name" && slices.Equal(one.Values, []string{of.name})
			})
		})
	}
}

// spreadDaemons adds up what goes with each node, and with each new node of a class.
func (c *cluster) spreadDaemons() {
	for _, one := range c.daemons {
		if one.template != nil {
			c.spreadTemplate(one)
			continue
		}
		most, nodes := make([]map[string]float64, len(c.classes)), make([]int, len(c.classes))
		for index, amounts := range one.on {
			class := c.nodes[index].class
			if most[class] == nil {
				most[class] = map[string]float64{}
			}
			raise(most[class], amounts)
			nodes[class]++
			c.nodes[index].carry(amounts, one.ports)
		}
		for k, class := range c.classes {
			if nodes[k] > 0 && (!one.static || nodes[k] == class.nodes) {
				class.carry(most[k], one.ports)
			}
		}
	}
	for _, class := range c.classes {
		for name, amount := range class.daemon {
			if amount > class.capacity[name] {
				c.note("%s: its daemon pods request more %s than a new node has", class.name, name)
				class.daemon[name] = class.capacity[name]
			}
		}
	}
}

// spreadTemplate counts the pods of a daemon set where they run, and where its template says that they will.
func (c *cluster) spreadTemplate(one *daemon) {
	for k, node := range c.nodes {
		if amounts, runs := one.on[k]; runs {
			node.carry(amounts, one.ports)
		} else if excluded, err := refusals(one.template, node.ground); err == nil && len(excluded) == 0 {
			node.carry(one.requests, one.ports)
		}
	}
	for _, class := range c.classes {
		if excluded, err := refusals(one.template, class.ground()); err == nil && len(excluded) == 0 {
			class.carry(one.requests, one.ports)
		}
	}
}

// carry adds what goes with the node.
func (n *node) carry(amounts map[string]float64, ports []usedPort) {
	addAmounts(n.daemon, amounts)
	n.ports = append(n.ports, ports...)
}

// carry adds what goes with each new node.
func (k *class) carry(amounts map[string]float64, ports []usedPort) {
	addAmounts(k.daemon, amounts)
	k.ports = append(k.ports, ports...)
}

func addAmounts(to, amounts map[string]float64) {
	for name, amount := range amounts {
		to[name] += amount
	}
}
