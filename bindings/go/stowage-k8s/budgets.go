package main

import (
	"fmt"
	"slices"

	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// budget is a PodDisruptionBudget: of the pods of its workloads, at most allowed may be evicted at once.
type budget struct {
	name      string
	workloads []int
	allowed   int
}

// collectBudgets finds which pods may not be evicted now: those whose budget allows no disruption.
func (c *cluster) collectBudgets(from *objects) {
	for k := range from.budgets {
		one := &from.budgets[k]
		selector, err := metav1.LabelSelectorAsSelector(one.Spec.Selector)
		if err != nil {
			c.leaveOut("budget %s/%s: %v", one.Namespace, one.Name, err)
			continue
		}
		made := &budget{name: one.Namespace + "/" + one.Name}
		wanted, healthy := 0, 0
		for i, workload := range c.workloads {
			if workload.namespace == one.Namespace && selector.Matches(labels.Set(workload.labels)) {
				made.workloads = append(made.workloads, i)
				wanted += int(workload.replicas)
				healthy += int(workload.total())
			}
		}
		if len(made.workloads) == 0 {
			continue
		}
		if made.allowed, err = allowed(one, wanted, healthy); err != nil {
			c.leaveOut("budget %s: %v", made.name, err)
			continue
		}
		c.budgets = append(c.budgets, made)
		for _, i := range made.workloads {
			if workload := c.workloads[i]; made.allowed == 0 && !workload.pinned {
				workload.held, workload.heldBy = true, fmt.Sprintf("the budget %s allows no disruption", made.name)
			}
		}
	}
}

// allowed is what the status says, or else follows from the number of pods: shares round up, as the controller does it.
func allowed(from *policyv1.PodDisruptionBudget, wanted, healthy int) (int, error) {
	if from.Status.ObservedGeneration > 0 || from.Status.ExpectedPods > 0 {
		return int(from.Status.DisruptionsAllowed), nil
	}
	needed := 0
	switch {
	case from.Spec.MaxUnavailable != nil:
		most, err := intstr.GetScaledValueFromIntOrPercent(from.Spec.MaxUnavailable, wanted, true)
		if err != nil {
			return 0, err
		}
		needed = wanted - most
	case from.Spec.MinAvailable != nil:
		least, err := intstr.GetScaledValueFromIntOrPercent(from.Spec.MinAvailable, wanted, true)
		if err != nil {
			return 0, err
		}
		needed = least
	}
	return max(healthy-max(needed, 0), 0), nil
}

// rounds says for each budget how many rounds the moves of its pods take, where one is not enough.
func (c *cluster) rounds(moves []move) (lines []string) {
	for _, one := range c.budgets {
		count := 0
		for _, move := range moves {
			if slices.Contains(one.workloads, move.app) {
				count += int(move.Replicas)
			}
		}
		if one.allowed > 0 && count > one.allowed {
			lines = append(lines, fmt.Sprintf("budget %s lets %d of its pods go at once: %d moves in %d rounds", one.name, one.allowed,
				count, (count+one.allowed-1)/one.allowed))
		}
	}
	return lines
}

// readPriorities reads the priority classes; those of the system have fixed values.
func (c *collector) readPriorities() {
	c.priorities = map[string]int32{"system-cluster-critical": 2000000000, "system-node-critical": 2000001000}
	for k := range c.from.priorityClasses {
		var one *schedulingv1.PriorityClass = &c.from.priorityClasses[k]
		c.priorities[one.Name] = one.Value
		if one.GlobalDefault {
			c.otherwise = one.Value
		}
	}
}

func (c *collector) priorityOf(one *workload) int32 {
	name := one.spec.PriorityClassName
	value, known := c.priorities[name]
	switch {
	case one.spec.Priority != nil:
		return *one.spec.Priority
	case name == "":
		return c.otherwise
	case !known:
		c.leaveOut("%s: priority class %s, whose value is not in the input", one, name)
	}
	return value
}
