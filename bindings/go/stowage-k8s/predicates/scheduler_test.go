// Package predicates asks the scheduler of Kubernetes itself whether it accepts what stowage-k8s plans. It is a module of its own,
// so that the command does not depend on the scheduler.
package predicates

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// scheduler is the default profile of the scheduler, on nodes and pods that the test puts there.
type scheduler struct {
	ctx     context.Context
	profile framework.Framework
	nodes   map[string]*framework.NodeInfo
	list    []fwk.NodeInfo
	// on are the nodes of the pods.
	on map[*corev1.Pod]string
}

var _ framework.SharedLister = &scheduler{}

// newScheduler makes a scheduler for some nodes, and the objects of volumes. By default, it prefers the emptiest nodes.
func newScheduler(t *testing.T, nodes []*corev1.Node, storage []runtime.Object, scoring ...config.ScoringStrategyType) *scheduler {
	metrics.Register()
	s := &scheduler{ctx: t.Context(), nodes: map[string]*framework.NodeInfo{}, on: map[*corev1.Pod]string{}}
	objects := slices.Clone(storage)
	for _, node := range nodes {
		info := framework.NewNodeInfo()
		info.SetNode(node)
		s.nodes[node.Name] = info
		s.list = append(s.list, info)
		objects = append(objects, node)
	}
	configuration, err := latest.Default()
	if err != nil {
		t.Fatal(err)
	}
	profile := &configuration.Profiles[0]
	// Resource claims are named as not taken into account, and need objects that dumps do not hold.
	profile.Plugins.MultiPoint.Enabled = slices.DeleteFunc(profile.Plugins.MultiPoint.Enabled, func(one config.Plugin) bool {
		return one.Name == names.DynamicResources
	})
	for k := range profile.PluginConfig {
		if fit, is := profile.PluginConfig[k].Args.(*config.NodeResourcesFitArgs); is {
			// As HAMi sets it: no node lists these, and HAMi's own extender looks at them.
			for _, one := range scoring {
				fit.ScoringStrategy.Type = one
			}
			fit.IgnoredResources = []string{"nvidia.com/gpumem", "nvidia.com/gpumem-percentage", "nvidia.com/gpucores"}
		}
	}
	client := fake.NewClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	s.profile, err = frameworkruntime.NewFramework(s.ctx, plugins.NewInTreeRegistry(), profile,
		frameworkruntime.WithClientSet(client), frameworkruntime.WithInformerFactory(factory), frameworkruntime.WithSnapshotSharedLister(s))
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(s.ctx.Done())
	factory.WaitForCacheSync(s.ctx.Done())
	return s
}

func (s *scheduler) NodeInfos() framework.NodeInfoLister       { return s }
func (s *scheduler) StorageInfos() framework.StorageInfoLister { return s }
func (s *scheduler) List() ([]fwk.NodeInfo, error)             { return s.list, nil }

func (s *scheduler) with(has func(*framework.NodeInfo) bool) (found []fwk.NodeInfo, _ error) {
	for _, one := range s.list {
		if has(one.(*framework.NodeInfo)) {
			found = append(found, one)
		}
	}
	return found, nil
}

func (s *scheduler) HavePodsWithAffinityList() ([]fwk.NodeInfo, error) {
	return s.with(func(one *framework.NodeInfo) bool { return len(one.PodsWithAffinity) > 0 })
}

func (s *scheduler) HavePodsWithRequiredAntiAffinityList() ([]fwk.NodeInfo, error) {
	return s.with(func(one *framework.NodeInfo) bool { return len(one.PodsWithRequiredAntiAffinity) > 0 })
}

func (s *scheduler) Get(name string) (fwk.NodeInfo, error) {
	if one := s.nodes[name]; one != nil {
		return one, nil
	}
	return nil, fmt.Errorf("there is no node %q", name)
}

func (s *scheduler) IsPVCUsedByPods(key string) bool {
	for pod := range s.on {
		for _, volume := range pod.Spec.Volumes {
			if claim := volume.PersistentVolumeClaim; claim != nil && pod.Namespace+"/"+claim.ClaimName == key {
				return true
			}
		}
	}
	return false
}

// put binds a pod to a node.
func (s *scheduler) put(pod *corev1.Pod, node string) {
	pod.Spec.NodeName = node
	s.nodes[node].AddPod(pod)
	s.on[pod] = node
}

// take takes a pod off its node.
func (s *scheduler) take(t *testing.T, pod *corev1.Pod) {
	if err := s.nodes[s.on[pod]].RemovePod(klog.FromContext(s.ctx), pod); err != nil {
		t.Fatal(err)
	}
	pod.Spec.NodeName = ""
	delete(s.on, pod)
}

// refusal is why the scheduler does not take a pod on a node: the plugin, and what it says.
type refusal struct{ plugin, text string }

// ask runs the filters for a pod that is on no node; nil = accepted.
func (s *scheduler) ask(pod *corev1.Pod, node string) *refusal {
	state := framework.NewCycleState()
	result, status, from := s.profile.RunPreFilterPlugins(s.ctx, state, pod)
	if !status.IsSuccess() {
		return &refusal{status.Plugin(), strings.Join(status.Reasons(), "; ")}
	}
	if !result.AllNodes() && !result.NodeNames.Has(node) {
		return &refusal{strings.Join(from.UnsortedList(), ","), "not among the nodes that PreFilter leaves"}
	}
	if status := s.profile.RunFilterPlugins(s.ctx, state, pod, s.nodes[node]); !status.IsSuccess() {
		return &refusal{status.Plugin(), strings.Join(status.Reasons(), "; ")}
	}
	return nil
}
