package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Resources that are shares of GPUs, and what says how many GPUs a node has.
const (
	// The annotations of a pod of Open-Simulator and of the openb traces; a GPU has 1000.
	milliShares, milliCount = "alibabacloud.com/gpu-milli", "alibabacloud.com/gpu-count"
	// What Aliyun's gpushare gives out: a node lists the memory of all its GPUs, and their number; a pod's label has its own number.
	memoryShares, memoryCount = "aliyun.com/gpu-mem", "aliyun.com/gpu-count"
	// What HAMi gives out, for each of the GPUs that a pod asks for. Only the annotation of a node has their memory.
	hamiSlots, hamiMemory, hamiShare, hamiCores = "nvidia.com/gpu", "nvidia.com/gpumem", "nvidia.com/gpumem-percentage", "nvidia.com/gpucores"
	hamiRegister                                = "hami.io/node-nvidia-register"
)

const (
	milliPerDevice, coresPerDevice = 1000, 100
	// mostDevices of a resource that a node may have in an instance.
	mostDevices = 1024
)

// deviceSizes are the amounts of one device by resource; 0 = the nodes differ, or do not say it.
type deviceSizes map[string]float64

// see takes note of a node's devices.
func (d deviceSizes) see(resource string, devices, size float64) {
	if devices < 1 || devices > mostDevices || devices != math.Trunc(devices) {
		size = 0
	}
	if known, has := d[resource]; has && known != size {
		size = 0
	}
	d[resource] = size
}

// deviceCapacity adds to the capacity of a node what its devices have.
func (c *cluster) deviceCapacity(from *corev1.Node, capacity map[string]float64) {
	if devices := capacity[milliCount]; devices > 0 {
		capacity[milliShares] = devices * milliPerDevice
		c.devices.see(milliShares, devices, milliPerDevice)
	}
	if memory := capacity[memoryShares]; memory > 0 {
		c.devices.see(memoryShares, capacity[memoryCount], memory/max(capacity[memoryCount], 1))
	}
	register, has := from.Annotations[hamiRegister]
	if !has {
		if capacity[hamiSlots] > 0 {
			c.wholeGPUs = true
		}
		return
	}
	var all []struct {
		Memory float64 `json:"devmem"`
		Health *bool   `json:"health"`
	}
	if err := json.Unmarshal([]byte(register), &all); err != nil {
		c.leaveOut("shared GPUs: the annotation %s of node %s: it is no list of GPUs", hamiRegister, from.Name)
		c.devices.see(hamiMemory, 0, 0)
		return
	}
	for _, one := range all {
		if one.Health == nil || *one.Health {
			capacity[hamiMemory] += one.Memory
			capacity[hamiCores] += coresPerDevice
			c.devices.see(hamiMemory, 1, one.Memory)
		}
	}
	if devices := capacity[hamiCores] / coresPerDevice; devices > 0 {
		c.devices.see(hamiCores, devices, coresPerDevice)
	}
}

// checkDevices gives HAMi's shares up where nodes have other GPUs too: what a pod asks for means different things on them.
func (c *cluster) checkDevices() {
	if _, shared := c.devices[hamiMemory]; shared && (c.wholeGPUs || c.devices[hamiMemory] == 0) {
		c.devices[hamiMemory], c.devices[hamiCores] = 0, 0
	}
}

// sharing is what a pod's shares of devices mean beyond an amount.
type sharing struct {
	// tooLarge is a part that no device has; "" = none is.
	tooLarge string
	// rounded are the resources of which the parts of several devices count as whole ones.
	rounded []string
	// dropped are shares of HAMi that cannot be counted.
	dropped []string
}

// requestsOf are the requests of a pod, with its shares of devices.
func (c *cluster) requestsOf(meta *metav1.ObjectMeta, spec *corev1.PodSpec) (map[string]float64, sharing) {
	requests, found := requestsOf(spec), sharing{}
	if milli := numberOf(meta.Annotations[milliShares]); milli > 0 {
		c.take(requests, &found, milliShares, milli, max(numberOf(meta.Annotations[milliCount]), 1))
	}
	if memory := requests[memoryShares]; memory > 0 {
		count := max(numberOf(meta.Labels[memoryCount]), 1)
		c.take(requests, &found, memoryShares, memory/count, count)
	}
	c.takeOfHAMi(requests, &found)
	return requests, found
}

// numberOf is a positive number, or else 0.
func numberOf(text string) float64 {
	number, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0
	}
	return float64(number)
}

// take states that a pod takes a part of each of some devices. Parts of several devices are no part of the model: they count as
// whole devices.
func (c *cluster) take(requests map[string]float64, found *sharing, resource string, each, devices float64) {
	size := c.devices[resource]
	requests[resource] = each * devices
	switch {
	case size == 0: // added up
	case each > size*(1+rounding):
		found.tooLarge = fmt.Sprintf("%g of %s", each, resource)
		requests[resource] = size * devices
	case devices > 1:
		if each < size*(1-rounding) {
			found.rounded = append(found.rounded, resource)
		}
		requests[resource] = size * devices
	}
}

// takeOfHAMi reads what a pod asks of each of its GPUs. One that does not say how much memory it takes gets all of it.
func (c *cluster) takeOfHAMi(requests map[string]float64, found *sharing) {
	asked := map[string]float64{}
	for _, name := range []string{hamiMemory, hamiShare, hamiCores} {
		if amount, asks := requests[name]; asks && !c.listed[name] {
			asked[name] = amount
			delete(requests, name)
		}
	}
	size := c.devices[hamiMemory]
	if size == 0 {
		for _, name := range []string{hamiMemory, hamiShare, hamiCores} {
			if asked[name] > 0 {
				found.dropped = append(found.dropped, name)
			}
		}
		return
	}
	devices := requests[hamiSlots]
	if devices == 0 && len(asked) > 0 {
		devices = 1 // as its webhook sets it
		requests[hamiSlots] = devices
	}
	if devices == 0 {
		return
	}
	memory := size
	if asked[hamiMemory] > 0 {
		memory = asked[hamiMemory]
	} else if asked[hamiShare] > 0 {
		memory = size * asked[hamiShare] / 100
	}
	c.take(requests, found, hamiMemory, memory, devices)
	if asked[hamiCores] > 0 {
		c.take(requests, found, hamiCores, asked[hamiCores], devices)
	}
}

// explainSharing names what of a workload's shares the plans do not take into account.
func (m *model) explainSharing(one *workload) {
	for _, name := range one.sharing.rounded {
		m.leaveOut("%s: shared GPUs: that it takes parts of several devices of %s, which count as whole ones", one, name)
	}
	for _, name := range one.sharing.dropped {
		m.leaveOut("%s: shared GPUs: its %s", one, name)
	}
	if m.devices[hamiMemory] > 0 && one.requests[hamiMemory] > 0 && one.requests[hamiCores] > 0 {
		m.leaveOut("%s: shared GPUs: that its %s and its %s are on the same device", one, hamiMemory, hamiCores)
	}
}

// singleDevice reports whether a site has room for one more replica on its devices of a resource, however the parts that are
// there are distributed.
func (m *model) singleDevice(i int, at *site, resource string) bool {
	size := m.devices[resource]
	devices := int(math.Round(m.classes[at.class].capacity[resource] / size))
	var parts []float64
	add := func(amount float64, replicas uint32) {
		whole := math.Floor(amount/size + rounding)
		devices -= int(whole) * int(replicas)
		if part := amount - whole*size; part > rounding*size {
			for range min(replicas, mostDevices) {
				parts = append(parts, part)
			}
		}
	}
	daemon := m.classes[at.class].daemon
	if at.node >= 0 {
		daemon = m.nodes[at.node].daemon
	}
	add(daemon[resource], 1)
	for k, replicas := range at.holds {
		add(m.workloads[k].requests[resource], replicas)
	}
	add(m.workloads[i].requests[resource], 1)
	if devices < 0 {
		return false
	}
	slices.SortFunc(parts, func(a, b float64) int { return cmp.Compare(b, a) })
	left := make([]float64, devices)
	for k := range left {
		left[k] = size * (1 + rounding)
	}
	steps := 20000
	return packs(parts, left, &steps)
}

// packs finds a device for each part, largest first, within so many steps.
func packs(parts, left []float64, steps *int) bool {
	if len(parts) == 0 {
		return true
	}
	for k := range left {
		if *steps--; *steps < 0 {
			return false
		}
		// Devices with the same room are the same.
		if left[k] < parts[0] || slices.Contains(left[:k], left[k]) {
			continue
		}
		left[k] -= parts[0]
		if packs(parts[1:], left, steps) {
			return true
		}
		left[k] += parts[0]
	}
	return false
}
