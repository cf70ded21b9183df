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
		addTo(sum, requestedBy(container.Resources))
	}
	// Sidecars start in order and run beside the init containers after them.
	sidecars, most := map[string]float64{}, map[string]float64{}
	for k := range spec.InitContainers {
		container := &spec.InitContainers[k]
		own := requestedBy(container.Resources)
		if isSidecar(container) {
			addTo(sum, own)
			addTo(sidecars, own)
			continue
		}
		now := maps.Clone(sidecars)
		addTo(now, own)
		raise(most, now)
	}
	raise(sum, most)
	if spec.Resources != nil {
		// Requests of the pod as a whole take precedence over those of its containers.
		for name, amount := range amountsOf(spec.Resources.Requests) {
			sum[name] = amount
		}
		for name, amount := range amountsOf(spec.Resources.Limits) {
			if _, requested := sum[name]; !requested {
				sum[name] = amount
			}
		}
	}
	addTo(sum, spec.Overhead)
	return sum
}

func isSidecar(of *corev1.Container) bool {
	return of.RestartPolicy != nil && *of.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// requestedBy are the requests of a container: where a template has only a limit, the API server makes it the request of each pod.
func requestedBy(of corev1.ResourceRequirements) corev1.ResourceList {
	if len(of.Limits) == 0 {
		return of.Requests
	}
	all := maps.Clone(of.Limits)
	maps.Copy(all, of.Requests)
	return all
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
