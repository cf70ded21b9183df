package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rollout is the part of an Argo Rollout that decides its pods.
type rollout struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Replicas *int32                  `json:"replicas"`
		Template *corev1.PodTemplateSpec `json:"template"`
		// WorkloadRef names a deployment that has the template.
		WorkloadRef *struct{ Kind, Name string } `json:"workloadRef"`
	} `json:"spec"`
}

// objects is the output of `kubectl get -o json`, by kind.
type objects struct {
	nodes           []corev1.Node
	pods            []corev1.Pod
	deployments     []appsv1.Deployment
	statefulSets    []appsv1.StatefulSet
	daemonSets      []appsv1.DaemonSet
	replicaSets     []appsv1.ReplicaSet
	controllers     []corev1.ReplicationController
	jobs            []batchv1.Job
	cronJobs        []batchv1.CronJob
	rollouts        []rollout
	budgets         []policyv1.PodDisruptionBudget
	volumes         []corev1.PersistentVolume
	claims          []corev1.PersistentVolumeClaim
	priorityClasses []schedulingv1.PriorityClass
	// others counts objects of kinds that are not read.
	others map[string]int
}

// resourceTypes are what the plans are made from, as kubectl names them.
const resourceTypes = "nodes,pods,deployments,statefulsets,daemonsets,replicasets,replicationcontrollers,jobs,cronjobs," +
	"poddisruptionbudgets,persistentvolumes,persistentvolumeclaims,priorityclasses"

// readObjects reads lists or single objects, one JSON document after the other.
func readObjects(input io.Reader) (*objects, error) {
	found := &objects{others: map[string]int{}}
	decoder := json.NewDecoder(input)
	for documents := 0; ; documents++ {
		var content json.RawMessage
		switch err := decoder.Decode(&content); {
		case errors.Is(err, io.EOF) && documents > 0:
			if len(found.nodes) == 0 {
				return nil, errors.New("the input has no nodes; it is what this prints: kubectl get nodes,deployments,statefulsets,pods -A -o json")
			}
			return found, nil
		case errors.Is(err, io.EOF):
			return nil, errors.New("the input is empty: unexpected end of JSON input")
		case err != nil:
			return nil, fmt.Errorf("the input: %w", err)
		}
		if err := found.add(content, "the input", 0); err != nil {
			return nil, err
		}
	}
}

// mostLists is how deep lists may stand in lists. kubectl prints one.
const mostLists = 8

func (o *objects) add(content []byte, place string, depth int) error {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(content, &kind); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	if kind.Kind == "" {
		return fmt.Errorf("%s: is no object of Kubernetes: it has no kind", place)
	}
	if kind.Kind == "List" || strings.HasSuffix(kind.Kind, "List") && bytes.Contains(content, []byte(`"items"`)) {
		if depth == mostLists {
			return fmt.Errorf("%s: more than %d lists in each other", place, mostLists)
		}
		var list struct{ Items []json.RawMessage }
		if err := json.Unmarshal(content, &list); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		for k, item := range list.Items {
			if err := o.add(item, fmt.Sprintf("items[%d]", k), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := o.addObject(kind.Kind, content); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

func (o *objects) addObject(kind string, content []byte) error {
	switch kind {
	case "Node":
		return appendTo(&o.nodes, content)
	case "Pod":
		return appendTo(&o.pods, content)
	case "Deployment":
		return appendTo(&o.deployments, content)
	case "StatefulSet":
		return appendTo(&o.statefulSets, content)
	case "DaemonSet":
		return appendTo(&o.daemonSets, content)
	case "ReplicaSet":
		return appendTo(&o.replicaSets, content)
	case "ReplicationController":
		return appendTo(&o.controllers, content)
	case "Job":
		return appendTo(&o.jobs, content)
	case "CronJob":
		return appendTo(&o.cronJobs, content)
	case "Rollout":
		return appendTo(&o.rollouts, content)
	case "PodDisruptionBudget":
		return appendTo(&o.budgets, content)
	case "PersistentVolume":
		return appendTo(&o.volumes, content)
	case "PersistentVolumeClaim":
		return appendTo(&o.claims, content)
	case "PriorityClass":
		return appendTo(&o.priorityClasses, content)
	}
	o.others[kind]++
	return nil
}

func appendTo[Object any](list *[]Object, content []byte) error {
	var object Object
	if err := json.Unmarshal(content, &object); err != nil {
		return err
	}
	*list = append(*list, object)
	return nil
}

// podSpecs are the specifications of all pods that run, wait, or may be made.
func (o *objects) podSpecs() (all []*corev1.PodSpec) {
	for k := range o.deployments {
		all = append(all, &o.deployments[k].Spec.Template.Spec)
	}
	for k := range o.statefulSets {
		all = append(all, &o.statefulSets[k].Spec.Template.Spec)
	}
	for k := range o.daemonSets {
		all = append(all, &o.daemonSets[k].Spec.Template.Spec)
	}
	for k := range o.replicaSets {
		all = append(all, &o.replicaSets[k].Spec.Template.Spec)
	}
	for k := range o.controllers {
		if o.controllers[k].Spec.Template != nil {
			all = append(all, &o.controllers[k].Spec.Template.Spec)
		}
	}
	for k := range o.jobs {
		all = append(all, &o.jobs[k].Spec.Template.Spec)
	}
	for k := range o.rollouts {
		if o.rollouts[k].Spec.Template != nil {
			all = append(all, &o.rollouts[k].Spec.Template.Spec)
		}
	}
	for k := range o.pods {
		all = append(all, &o.pods[k].Spec)
	}
	return all
}

// countOthers names the kinds that are not read, in order.
func (o *objects) countOthers(say func(format string, values ...any)) {
	var kinds []string
	for kind := range o.others {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		if kind == "ResourceClaim" || kind == "ResourceClaimTemplate" || kind == "ResourceSlice" || kind == "DeviceClass" {
			say("objects of kind %s (%d): devices that are allocated by claims", kind, o.others[kind])
		} else {
			say("objects of kind %s (%d)", kind, o.others[kind])
		}
	}
}
