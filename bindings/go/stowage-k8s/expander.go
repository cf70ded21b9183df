package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"

	stowage "stowage.dev/go"
	"stowage.dev/go/stowage-k8s/internal/expanderpb"
)

// expander answers cluster-autoscaler's question which node group to grow. It plans all pending pods on all groups together, at
// the least cost. The autoscaler grows one group at a time, by as many nodes as its option says, so that the best option is the
// one after which everything costs least: its own nodes, and the plan for the pods that it leaves.
type expander struct {
	expanderpb.UnimplementedExpanderServer
	options
	// now is what runs; nil = nothing is known of it.
	now atomic.Pointer[objects]
}

// mostTried options are compared by a plan each: those of the groups of which the plan for everything has most.
const mostTried = 4

// nodeGroup is an option together with what a new node of its group would be.
type nodeGroup struct {
	option *expanderpb.Option
	node   *corev1.Node
	pods   []*corev1.Pod
	// class of the nodes; equal groups have one class.
	class int
}

// BestOptions returns the options after which everything costs least: one, or several of equal groups. It fails where nothing is
// better than the autoscaler's own choice; the autoscaler then takes that.
func (e *expander) BestOptions(ctx context.Context, request *expanderpb.BestOptionsRequest) (*expanderpb.BestOptionsResponse, error) {
	groups, err := readGroups(request)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	choice, err := e.choose(ctx, groups)
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
func readGroups(request *expanderpb.BestOptionsRequest) ([]*nodeGroup, error) {
	nodes := request.GetNodeBytesMap()
	if len(nodes) == 0 {
		nodes = request.GetNodeMap()
	}
	known := map[string]bool{}
	// Most pods stand in several options, with the same content.
	decoded := map[string]*corev1.Pod{}
	var groups []*nodeGroup
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
		one := &nodeGroup{option: option, node: &corev1.Node{}}
		if err := one.node.Unmarshal(content); err != nil {
			return nil, fmt.Errorf("the node of the group %q: %w", name, err)
		}
		pods := option.GetPodBytes()
		if len(pods) == 0 {
			pods = option.GetPod()
		}
		for p, content := range pods {
			pod := decoded[string(content)]
			if pod == nil {
				pod = &corev1.Pod{}
				if err := pod.Unmarshal(content); err != nil {
					return nil, fmt.Errorf("options[%d].pod[%d]: %w", k, p, err)
				}
				decoded[string(content)] = pod
			}
			one.pods = append(one.pods, pod)
		}
		groups = append(groups, one)
	}
	return groups, nil
}

// objects are what runs now, the pending pods of all groups, and a node of each group behind the present ones.
func (e *expander) objects(groups []*nodeGroup) (all *objects, present int) {
	all = &objects{others: map[string]int{}}
	given := map[string]bool{}
	pending := 0
	for _, one := range groups {
		pending = max(pending, len(one.pods))
	}
	if now := e.now.Load(); now != nil {
		all.pods = make([]corev1.Pod, 0, len(now.pods)+pending)
		all.nodes, all.daemonSets = slices.Clip(now.nodes), now.daemonSets
		all.volumes, all.claims, all.priorityClasses = now.volumes, now.claims, now.priorityClasses
		for _, pod := range now.pods {
			if pod.Spec.NodeName != "" {
				given[pod.Namespace+"/"+pod.Name] = true
				all.pods = append(all.pods, pod)
			}
		}
	}
	present = len(all.nodes)
	for _, one := range groups {
		node := *one.node
		node.Name = "a new node of " + one.option.GetNodeGroupId()
		node.Labels = maps.Clone(node.Labels)
		if node.Labels == nil {
			node.Labels = map[string]string{}
		}
		node.Labels[corev1.LabelHostname] = node.Name
		all.nodes = append(all.nodes, node)
		for _, pod := range one.pods {
			if key := pod.Namespace + "/" + pod.Name; !given[key] {
				given[key] = true
				all.pods = append(all.pods, *pod)
				all.pods[len(all.pods)-1].Spec.NodeName = ""
			}
		}
	}
	return all, present
}

// prospect is the cluster that can grow.
type prospect struct {
	*model
	groups []*nodeGroup
	// workloadOf each pod that belongs to one, by namespace and name.
	workloadOf map[string]int
	request    stowage.Request
}

func (e *expander) prospect(groups []*nodeGroup) (*prospect, error) {
	honours, err := honoursRules(e.planner)
	if err != nil {
		return nil, err
	}
	from, present := e.objects(groups)
	c := newCluster(from)
	for k, one := range groups {
		one.class = c.nodes[present+k].class
		c.classes[one.class].nodes--
		c.classes[one.class].grows = true
	}
	c.nodes = c.nodes[:present]
	p := &prospect{groups: groups, workloadOf: map[string]int{}}
	p.model = newModel(c, honours, e.prices.forAll(c.classes))
	for k, one := range p.workloads {
		for _, pod := range one.pods {
			p.workloadOf[one.namespace+"/"+pod] = k
		}
	}
	p.request = stowage.Request{Planner: e.planner, WorkLimit: e.work, Soft: stowage.SoftLast}
	return p, nil
}

// outcome is what a choice leads to.
type outcome struct {
	left uint64
	cost float64
	text string
}

func (o outcome) compare(other outcome) int {
	const equal = 1e-9
	if o.left != other.left {
		return cmp.Compare(o.left, other.left)
	}
	if math.Abs(o.cost-other.cost) <= equal*(1+other.cost) {
		return 0
	}
	return cmp.Compare(o.cost, other.cost)
}

// choose plans everything, then what each of the most promising options leaves.
func (e *expander) choose(ctx context.Context, groups []*nodeGroup) ([]*expanderpb.Option, error) {
	if !slices.ContainsFunc(groups, func(one *nodeGroup) bool { return len(one.pods) > 0 }) {
		return nil, errNoBetter
	}
	p, err := e.prospect(groups)
	if err != nil {
		return nil, err
	}
	plan, err := p.plan(ctx, nil, e.deadline/2)
	if err != nil {
		return nil, err
	}
	counts := p.counts(plan, true)
	candidates := p.candidates(counts)
	var best []*expanderpb.Option
	var least outcome
	for _, one := range candidates {
		found, err := p.outcomeOf(ctx, one, e.deadline/2/time.Duration(len(candidates)))
		if err != nil {
			return nil, err
		}
		one.option.Debug = found.text
		switch {
		case best == nil || found.compare(least) < 0:
			best, least = []*expanderpb.Option{one.option}, found
		case found.compare(least) == 0:
			best = append(best, one.option)
		}
	}
	return best, nil
}

// plan is a plan of what is not left out; nil = everything.
func (p *prospect) plan(ctx context.Context, left []uint32, deadline time.Duration) (*stowage.Plan, error) {
	instance, err := p.instance(ctx, grown, left)
	if err != nil {
		return nil, err
	}
	defer instance.Close()
	request := p.request
	if request.WorkLimit == 0 {
		request.Deadline, request.Patience = deadline, deadline/4
	}
	return instance.Plan(ctx, request)
}

// candidates are the groups with pods whose nodes the plan for everything uses, most nodes first. Where it uses none of them,
// they are those with most pods.
func (p *prospect) candidates(counts []int) []*nodeGroup {
	candidates := slices.DeleteFunc(slices.Clone(p.groups), func(one *nodeGroup) bool { return len(one.pods) == 0 })
	if used := slices.DeleteFunc(slices.Clone(candidates), func(one *nodeGroup) bool { return counts[one.class] == 0 }); len(used) > 0 {
		candidates = used
	}
	slices.SortStableFunc(candidates, func(a, b *nodeGroup) int {
		return cmp.Or(-cmp.Compare(counts[a.class], counts[b.class]), -cmp.Compare(len(a.pods), len(b.pods)))
	})
	return candidates[:min(len(candidates), mostTried)]
}

// outcomeOf is what growing a group by its option leads to.
func (p *prospect) outcomeOf(ctx context.Context, one *nodeGroup, deadline time.Duration) (outcome, error) {
	left := make([]uint32, len(p.workloads))
	for _, pod := range one.pods {
		// A pod that goes with its node, has ended, runs by now or is given twice is no replica that waits.
		if k, known := p.workloadOf[pod.Namespace+"/"+pod.Name]; known && left[k] < uint32(p.workloads[k].waiting()) {
			left[k]++
		}
	}
	plan, err := p.plan(ctx, left, deadline)
	if err != nil {
		return outcome{}, err
	}
	counts := p.counts(plan, true)
	counts[one.class] += int(one.option.GetNodeCount())
	cost, _ := p.prices.cost(p.model, counts)
	text := fmt.Sprintf("%d nodes for %d pods; with these, all pending pods cost %.4g per hour", one.option.GetNodeCount(), len(one.pods), cost)
	if p.prices.estimated {
		text += " (prices are estimated)"
	}
	return outcome{total(plan), cost, text}, nil
}
