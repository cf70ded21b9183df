package main

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// requestsOf returns the amounts that the scheduler reserves for a pod: the larger of the sum over its containers and sidecars
// and the need of each init container at its time, plus the overhead of the runtime. In cores, MiB and counts, by resource
// name.
func requestsOf(spec *corev1.PodSpec) map[string]float64 {
	sum := map[string]float64{"pods": 1}
	for _, container := range spec.Containers {
		addTo(sum, container.Resources.Requests)
	}
	// Sidecars start in order and run beside the init containers after them.
	sidecars, most := map[string]float64{}, map[string]float64{}
	for _, container := range spec.InitContainers {
		if container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			addTo(sum, container.Resources.Requests)
			addTo(sidecars, container.Resources.Requests)
			continue
		}
		now := maps.Clone(sidecars)
		addTo(now, container.Resources.Requests)
		raise(most, now)
	}
	raise(sum, most)
	if spec.Resources != nil {
		// Requests of the pod as a whole take precedence over those of its containers.
		for name, amount := range amountsOf(spec.Resources.Requests) {
			sum[name] = amount
		}
	}
	addTo(sum, spec.Overhead)
	return sum
}

func addTo(sum map[string]float64, list corev1.ResourceList) {
	for name, amount := range amountsOf(list) {
		sum[name] += amount
	}
}

func raise(to, from map[string]float64) {
	for name, amount := range from {
		to[name] = max(to[name], amount)
	}
}

// bytesPerMiB: memory and storage are planned in MiB, in which common values are exact.
const bytesPerMiB = 1 << 20

func amountsOf(list corev1.ResourceList) map[string]float64 {
	amounts := make(map[string]float64, len(list))
	for name, quantity := range list {
		amount := quantity.AsApproximateFloat64()
		if unitOf(string(name)) == "MiB" {
			amount /= bytesPerMiB
		}
		amounts[string(name)] = amount
	}
	return amounts
}

func unitOf(resource string) string {
	switch resource {
	case string(corev1.ResourceCPU):
		return "cores"
	case string(corev1.ResourceMemory), string(corev1.ResourceEphemeralStorage):
		return "MiB"
	}
	return ""
}
