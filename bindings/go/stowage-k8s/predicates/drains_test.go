package predicates

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// drained is what the command answers about an order in which nodes are emptied.
type drained struct {
	Order   []struct{ Node string }
	Waiting *struct{ LeastAllocated, MostAllocated, Safe int }
}

// choose is the node that the scheduler would bind a pod to; "" where there is none.
func (s *scheduler) choose(t *testing.T, pod *corev1.Pod) string {
	state := framework.NewCycleState()
	result, status, _ := s.profile.RunPreFilterPlugins(s.ctx, state, pod)
	if !status.IsSuccess() {
		return ""
	}
	var feasible []fwk.NodeInfo
	for _, one := range s.list {
		if !result.AllNodes() && !result.NodeNames.Has(one.Node().Name) {
			continue
		}
		if s.profile.RunFilterPlugins(s.ctx, state, pod, one).IsSuccess() {
			feasible = append(feasible, one)
		}
	}
	if len(feasible) == 0 {
		return ""
	}
	if status := s.profile.RunPreScorePlugins(s.ctx, state, pod, feasible); !status.IsSuccess() && !status.IsSkip() {
		t.Fatal(status.AsError())
	}
	scores, status := s.profile.RunScorePlugins(s.ctx, state, pod, feasible)
	if !status.IsSuccess() {
		t.Fatal(status.AsError())
	}
	return slices.MaxFunc(scores, func(a, b framework.NodePluginScores) int {
		if a.TotalScore != b.TotalScore {
			return int(a.TotalScore - b.TotalScore)
		}
		return strings.Compare(b.Name, a.Name)
	}).Name
}

// running is a scheduler with the pods of a dump on their nodes.
func running(t *testing.T, read *dump, scoring config.ScoringStrategyType) *scheduler {
	s := newScheduler(t, read.nodes, read.storageObjects(), scoring)
	for _, pod := range read.pods {
		node := pod.Spec.NodeName
		completed(pod)
		if node != "" && !released(pod) {
			s.put(pod, node)
		}
	}
	return s
}

// settled is a dump after the scheduler has bound all pods that it can.
func settled(t *testing.T, content []byte) []byte {
	read := readDump(t, content)
	s := running(t, read, config.LeastAllocated)
	bound := map[string]string{}
	for _, pod := range read.pods {
		if pod.Spec.NodeName == "" {
			if node := s.choose(t, pod); node != "" {
				s.put(pod, node)
				bound[pod.Namespace+"/"+pod.Name] = node
			}
		}
	}
	list := decode[struct{ Items []map[string]any }](t, content)
	for _, item := range list.Items {
		meta := item["metadata"].(map[string]any)
		namespace, _ := meta["namespace"].(string)
		if node := bound[namespace+"/"+meta["name"].(string)]; node != "" && item["kind"] == "Pod" {
			item["spec"].(map[string]any)["nodeName"] = node
			item["status"] = map[string]any{"phase": "Running"}
		}
	}
	made, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": list.Items})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Nodes are drained in the order of the answer, and the scheduler chooses where their pods go: it scores nodes by all of its
// plugins, with the emptiest or the fullest first.
func TestNoPodWaitsAfterDrainsInTheOrderOfTheAnswer(t *testing.T) {
	nodes, evicted := 0, 0
	for seed := range 20 {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			content := settled(t, randomCluster(t, uint64(seed), map[string]int{}))
			run := exec.CommandContext(t.Context(), command, "consolidate", "-json", "-work", "500000")
			run.Stdin = bytes.NewReader(content)
			printed, err := run.Output()
			if err != nil {
				t.Fatal(err)
			}
			answer := decode[drained](t, printed)
			if answer.Waiting == nil {
				return
			}
			for _, scoring := range []config.ScoringStrategyType{config.LeastAllocated, config.MostAllocated} {
				read := readDump(t, content)
				s := running(t, read, scoring)
				safe := answer.Order[:answer.Waiting.Safe]
				for _, one := range safe {
					s.nodes[one.Node].Node().Spec.Unschedulable = true
				}
				for _, one := range safe {
					for _, pod := range read.pods {
						if of := metav1.GetControllerOf(pod); s.on[pod] != one.Node || of == nil || of.Kind == "DaemonSet" {
							continue
						}
						s.take(t, pod)
						evicted++
						if node := s.choose(t, pod); node == "" {
							t.Errorf("%s: %s/%s of node %s waits", scoring, pod.Namespace, pod.Name, one.Node)
						} else {
							s.put(pod, node)
						}
					}
				}
				nodes += len(safe)
			}
		})
	}
	t.Logf("%d nodes drained, %d pods evicted", nodes, evicted)
	if nodes < 20 || evicted < 20 {
		t.Error("too little is drained for the test to say anything")
	}
}
