package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// usedPort is a port of the host that a pod uses which goes with its node.
type usedPort struct {
	corev1.ContainerPort
	by string
}

// hostPorts keeps workloads that use the same host port on different nodes.
func (m *model) hostPorts(i int, one *workload) {
	for _, port := range portsOf(one.spec) {
		m.limit(i, i)
		for j, other := range m.workloads[:i] {
			if slices.ContainsFunc(portsOf(other.spec), func(its corev1.ContainerPort) bool { return clash(port, its) }) {
				m.limit(i, j)
			}
		}
	}
}

// portRefusals are the host ports of a pod that others use which go with the node.
func portRefusals(spec *corev1.PodSpec, at ground) (all []refusal) {
	for _, port := range portsOf(spec) {
		for _, its := range at.ports {
			if clash(port, its.ContainerPort) {
				text := fmt.Sprintf("host port %d of %s", port.HostPort, its.by)
				all = append(all, refusal{its: "it has the " + text, with: "with the " + text})
			}
		}
	}
	return all
}

// clash: the addresses overlap.
func clash(a, b corev1.ContainerPort) bool {
	return (a.HostIP == b.HostIP || a.HostIP == anyAddress || b.HostIP == anyAddress) && a.HostPort == b.HostPort && a.Protocol == b.Protocol
}

// anyAddress is what the scheduler takes an empty address for.
const anyAddress = "0.0.0.0"

// portsOf are the host ports that a pod holds as long as it runs, with what the API server sets by default.
func portsOf(spec *corev1.PodSpec) []corev1.ContainerPort {
	var ports []corev1.ContainerPort
	add := func(container *corev1.Container) {
		for _, port := range container.Ports {
			if port.HostPort == 0 && spec.HostNetwork {
				port.HostPort = port.ContainerPort
			}
			if port.HostPort == 0 {
				continue
			}
			if port.Protocol == "" {
				port.Protocol = corev1.ProtocolTCP
			}
			if port.HostIP == "" {
				port.HostIP = anyAddress
			}
			ports = append(ports, port)
		}
	}
	for k := range spec.Containers {
		add(&spec.Containers[k])
	}
	for k := range spec.InitContainers {
		if isSidecar(&spec.InitContainers[k]) {
			add(&spec.InitContainers[k])
		}
	}
	return ports
}

func addPorts(to *[]usedPort, spec *corev1.PodSpec, by string) {
	for _, port := range portsOf(spec) {
		*to = append(*to, usedPort{port, by})
	}
}
