package main

import stowage "stowage.dev/go"

// placements are the plans behind an answer, node by node.
type placements struct {
	Workloads []plannedWorkload `json:"workloads"`
	// Present: the plan on the nodes there are, with all that runs where it is. All of these nodes are listed.
	Present []plannedNode `json:"present"`
	// Grown: with nodes added; absent where nothing is to be added.
	Grown []plannedNode `json:"grown,omitempty"`
	// Afresh: everything that is not pinned planned anew.
	Afresh []plannedNode `json:"afresh,omitempty"`
	// Emptied: after the moves that empty nodes.
	Emptied []plannedNode `json:"emptied,omitempty"`
}

// plannedWorkload names the pods of a workload that exist, and for a part of a stateful set those to come as well.
type plannedWorkload struct {
	Workload string   `json:"workload"`
	Pods     []string `json:"pods"`
}

// plannedNode is a present node or, without a name, new nodes of a class with the same content.
type plannedNode struct {
	Node   string            `json:"node,omitempty"`
	Class  string            `json:"class"`
	Copies uint32            `json:"copies"`
	Holds  []plannedReplicas `json:"holds"`
}

type plannedReplicas struct {
	Workload string `json:"workload"`
	Replicas uint32 `json:"replicas"`
}

func (m *model) workloadsAsPlanned() (all []plannedWorkload) {
	for _, one := range m.workloads {
		pods := one.members
		if pods == nil {
			pods = one.pods
		}
		all = append(all, plannedWorkload{one.String(), append([]string{}, pods...)})
	}
	return all
}

// placementsOf lists all present nodes, and then the new ones of a plan.
func (m *model) placementsOf(plan *stowage.Plan) []plannedNode {
	all := make([]plannedNode, 0, len(m.nodes))
	for _, one := range m.nodes {
		all = append(all, plannedNode{one.name, m.classes[one.class].name, 1, []plannedReplicas{}})
	}
	at := make([]int, len(plan.Nodes))
	for k, one := range plan.Nodes {
		if at[k] = int(one.Listed); one.Listed == stowage.NoIndex {
			at[k] = len(all)
			all = append(all, plannedNode{"", m.classes[one.Class].name, one.Copies, []plannedReplicas{}})
		}
	}
	for _, one := range plan.Placements {
		if int(one.App) < len(m.workloads) {
			node := &all[at[one.Node]]
			node.Holds = append(node.Holds, plannedReplicas{m.workloads[one.App].String(), one.Replicas})
		}
	}
	return all
}
