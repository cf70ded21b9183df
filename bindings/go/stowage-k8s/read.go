package main

import (
	"encoding/json"
	"fmt"
	"io"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// objects is the output of `kubectl get -o json`, by kind.
type objects struct {
	nodes        []corev1.Node
	pods         []corev1.Pod
	deployments  []appsv1.Deployment
	statefulSets []appsv1.StatefulSet
	// others counts objects of kinds that are not read.
	others map[string]int
}

// readObjects reads a list, or a single object.
func readObjects(input io.Reader) (*objects, error) {
	content, err := io.ReadAll(input)
	if err != nil {
		return nil, err
	}
	found := &objects{others: map[string]int{}}
	if err := found.add(content, "the input"); err != nil {
		return nil, err
	}
	if len(found.nodes) == 0 {
		return nil, fmt.Errorf("the input has no nodes; it is what this prints: kubectl get nodes,deployments,statefulsets,pods -A -o json")
	}
	return found, nil
}

func (o *objects) add(content []byte, place string) error {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(content, &kind); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	var err error
	switch kind.Kind {
	case "List", "NodeList", "PodList", "DeploymentList", "StatefulSetList":
		var list struct{ Items []json.RawMessage }
		if err := json.Unmarshal(content, &list); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		for k, item := range list.Items {
			if err := o.add(item, fmt.Sprintf("items[%d]", k)); err != nil {
				return err
			}
		}
	case "Node":
		o.nodes, err = appended(o.nodes, content)
	case "Pod":
		o.pods, err = appended(o.pods, content)
	case "Deployment":
		o.deployments, err = appended(o.deployments, content)
	case "StatefulSet":
		o.statefulSets, err = appended(o.statefulSets, content)
	case "":
		return fmt.Errorf("%s: is no object of Kubernetes: it has no kind", place)
	default:
		o.others[kind.Kind]++
	}
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	return nil
}

func appended[Object any](list []Object, content []byte) ([]Object, error) {
	var object Object
	if err := json.Unmarshal(content, &object); err != nil {
		return nil, err
	}
	return append(list, object), nil
}
