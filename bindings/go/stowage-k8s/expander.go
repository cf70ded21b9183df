package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"

	"stowage.dev/go/stowage-k8s/internal/expanderpb"
)

// planning is how an answer is found.
type planning struct {
	planner  string
	deadline time.Duration
	// work limits each plan in place of the deadline, unless it is 0.
	work   uint64
	prices []string
}

// expander answers cluster-autoscaler's question which node group to grow. The library plans all pending pods on all groups
// together, and says after which option everything costs least.
type expander struct {
	expanderpb.UnimplementedExpanderServer
	planning
	// now is what runs, as kubectl prints it; nil = nothing is known of it.
	now atomic.Pointer[[]byte]
}

// expansion is the question, as the library takes it.
type expansion struct {
	Pods   []*corev1.Pod `json:"pods"`
	Groups []*nodeGroup  `json:"groups"`
}

// nodeGroup is an option together with what a new node of its group would be.
type nodeGroup struct {
	ID    string       `json:"id"`
	Nodes int32        `json:"nodes"`
	Node  *corev1.Node `json:"node"`
	Pods  []int        `json:"pods"`

	option *expanderpb.Option
}

// BestOptions returns the options after which everything costs least: one, or several of equal groups. It fails where nothing is
// better than the autoscaler's own choice; the autoscaler then takes that.
func (e *expander) BestOptions(ctx context.Context, request *expanderpb.BestOptionsRequest) (*expanderpb.BestOptionsResponse, error) {
	question, err := readGroups(request)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	choice, err := e.choose(ctx, question)
	switch {
	case ctx.Err() != nil:
		return nil, status.FromContextError(ctx.Err()).Err()
	case errors.Is(err, errNoBetter):
		return nil, status.Error(codes.FailedPrecondition, err.Error())
	case err != nil:
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &expanderpb.BestOptionsResponse{Options: choice}, nil
}

var errNoBetter = errors.New("no option places a pod")

// readGroups decodes the request.
func readGroups(request *expanderpb.BestOptionsRequest) (*expansion, error) {
	nodes := request.GetNodeBytesMap()
	if len(nodes) == 0 {
		nodes = request.GetNodeMap()
	}
	known := map[string]bool{}
	// Most pods stand in several options, with the same content.
	decoded := map[string]int{}
	all := &expansion{Pods: []*corev1.Pod{}, Groups: []*nodeGroup{}}
	for k, option := range request.GetOptions() {
		name := option.GetNodeGroupId()
		content, has := nodes[name]
		if !has {
			return nil, fmt.Errorf("options[%d].nodeGroupId: there is no node of the group %q", k, name)
		}
		if known[name] {
			return nil, fmt.Errorf("options[%d].nodeGroupId: the group %q is there twice", k, name)
		}
		known[name] = true
		if option.GetNodeCount() < 1 {
			return nil, fmt.Errorf("options[%d].nodeCount: %d is less than 1", k, option.GetNodeCount())
		}
		one := &nodeGroup{ID: name, Nodes: option.GetNodeCount(), Node: &corev1.Node{}, Pods: []int{}, option: option}
		if err := one.Node.Unmarshal(content); err != nil {
			return nil, fmt.Errorf("the node of the group %q: %w", name, err)
		}
		pods := option.GetPodBytes()
		if len(pods) == 0 {
			pods = option.GetPod()
		}
		for p, content := range pods {
			index, has := decoded[string(content)]
			if !has {
				pod := &corev1.Pod{}
				if err := pod.Unmarshal(content); err != nil {
					return nil, fmt.Errorf("options[%d].pod[%d]: %w", k, p, err)
				}
				index = len(all.Pods)
				all.Pods = append(all.Pods, pod)
				decoded[string(content)] = index
			}
			one.Pods = append(one.Pods, index)
		}
		all.Groups = append(all.Groups, one)
	}
	return all, nil
}

// request is the question with how it is to be answered.
func (e *expander) request(question *expansion) (request, error) {
	arguments := []string{"expand", "-planner", e.planner}
	if e.work > 0 {
		arguments = append(arguments, "-work", fmt.Sprint(e.work))
	} else {
		arguments = append(arguments, "-deadline", fmt.Sprintf("%dms", max(e.deadline.Milliseconds(), 1)))
	}
	for _, one := range e.prices {
		arguments = append(arguments, "-price", one)
	}
	files, err := priceFiles(e.prices)
	return request{Arguments: arguments, Files: files, Expand: question}, err
}

// check fails where there is no such planner.
func (e *expander) check(ctx context.Context) error {
	const small = `{"kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "1"}}}`
	_, _, err := asked(ctx, request{Arguments: []string{"fit", "-planner", e.planner, "-work", "1"}}, []byte(small))
	return err
}

// choose asks the library after which options everything costs least.
func (e *expander) choose(ctx context.Context, question *expansion) ([]*expanderpb.Option, error) {
	what, err := e.request(question)
	if err != nil {
		return nil, err
	}
	var now []byte
	if known := e.now.Load(); known != nil {
		now = *known
	}
	text, _, err := asked(ctx, what, now)
	if err != nil {
		return nil, err
	}
	var found struct {
		Options []struct{ ID, Debug string }
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	if len(found.Options) == 0 {
		return nil, errNoBetter
	}
	byID := map[string]*expanderpb.Option{}
	for _, one := range question.Groups {
		byID[one.ID] = one.option
	}
	var best []*expanderpb.Option
	for _, one := range found.Options {
		option := byID[one.ID]
		option.Debug = one.Debug
		best = append(best, option)
	}
	return best, nil
}
