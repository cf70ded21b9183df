package stowage

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stowage.dev/go/wire"
)

// ClusterApp is an app and the number of its replicas, running ones included.
type ClusterApp struct {
	Name     string
	Replicas uint32
}

// ClusterNode is a listed node. In an instance that is no snapshot, a closed node is NodeCordoned.
type ClusterNode struct {
	Name, Class string
	State       NodeState
}

// Residence is a number of replicas of an app on a listed node.
type Residence struct {
	App, Node string
	Replicas  uint32
}

// NamedPlacement puts Replicas replicas of an app on a node, and as many on each of the node's Copies (see PlanNode). A listed node
// has its own name; others have their class and a number, such as "large-2", and copies the numbers that follow.
type NamedPlacement struct {
	App, Node, Class string
	Replicas, Copies uint32
}

// Cluster says by name what an instance or the snapshot of a session holds: apps, nodes with their states, and what runs where.
// Positions of apps and nodes shift when others leave, names stay. What has no name is called "#" and its position; a class "node"
// where it is the only one, else "class" and its position.
type Cluster struct {
	// Fingerprint of the instance, as in its plans.
	Fingerprint uint64
	// Version of the session; 0 for an instance that is no snapshot.
	Version   uint64
	Resources []string
	Classes   []string
	Apps      []ClusterApp
	Nodes     []ClusterNode
	// Running and Pinned, in the order of the instance.
	Running, Pinned []Residence
}

// ReadCluster reads an instance, or the snapshot of a session. Fails as Load.
func ReadCluster(bytes []byte) (*Cluster, error) {
	return ReadClusterContext(context.Background(), bytes, Limits{})
}

// ReadClusterContext is ReadCluster with the caller's limits. When ctx ends first, it fails with an error that wraps the context's.
func ReadClusterContext(ctx context.Context, bytes []byte, limits Limits) (*Cluster, error) {
	if err := CheckContext(ctx, KindInstance, bytes, limits); err != nil {
		return nil, err
	}
	instance, err := LoadContext(ctx, bytes, limits)
	if err != nil {
		return nil, err
	}
	defer instance.Close()
	root := wire.GetRootAsInstance(bytes, 0)
	cluster := &Cluster{Fingerprint: instance.Fingerprint()}
	for k := range root.ResourcesLength() {
		var resource wire.Resource
		root.Resources(&resource, k)
		cluster.Resources = append(cluster.Resources, string(resource.Name()))
	}
	for k := range root.ClassesLength() {
		var class wire.NodeClass
		root.Classes(&class, k)
		name := string(class.Name())
		switch {
		case name != "":
		case root.ClassesLength() == 1:
			name = "node"
		default:
			name = "class" + strconv.Itoa(k)
		}
		cluster.Classes = append(cluster.Classes, name)
	}
	apps := root.Apps(nil)
	for k := range apps.ReplicasLength() {
		name := "#" + strconv.Itoa(k)
		if apps.NamesLength() > 0 {
			name = string(apps.Names(k))
		}
		cluster.Apps = append(cluster.Apps, ClusterApp{name, apps.Replicas(k)})
	}
	cluster.readNodes(root)
	residence := func(one *wire.Residence) Residence {
		return Residence{cluster.Apps[one.App()].Name, cluster.Nodes[one.Node()].Name, one.Replicas()}
	}
	for k := range root.RunningLength() {
		var one wire.Residence
		root.Running(&one, k)
		cluster.Running = append(cluster.Running, residence(&one))
	}
	for k := range root.PinnedLength() {
		var one wire.Residence
		root.Pinned(&one, k)
		cluster.Pinned = append(cluster.Pinned, residence(&one))
	}
	return cluster, nil
}

func (c *Cluster) readNodes(root *wire.Instance) {
	nodes, session := root.Nodes(nil), root.Session(nil)
	if session != nil {
		c.Version = session.Version()
	}
	if nodes == nil {
		return
	}
	for k := range nodes.NodeClassLength() {
		node := ClusterNode{Name: "#" + strconv.Itoa(k), Class: c.Classes[nodes.NodeClass(k)]}
		if nodes.NamesLength() > 0 {
			node.Name = string(nodes.Names(k))
		}
		if session != nil {
			node.State = NodeState(session.NodeState(k))
		} else if nodes.ClosedLength() > 0 && nodes.Closed(k) != 0 {
			node.State = NodeCordoned
		}
		c.Nodes = append(c.Nodes, node)
	}
}

// Cluster is what the session holds now, by name. A plan of the session fits to the Cluster of the same version.
func (s *Session) Cluster() (*Cluster, error) { return s.ClusterContext(context.Background()) }

// ClusterContext is Cluster with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) ClusterContext(ctx context.Context) (*Cluster, error) {
	snapshot, err := s.SnapshotContext(ctx)
	if err != nil {
		return nil, err
	}
	limits := s.limits
	limits.Bytes = uint64(len(snapshot)) // they limit what comes in
	return ReadClusterContext(ctx, snapshot, limits)
}

// WhereIs lists the nodes on which replicas of an app run, in the order of the nodes. Empty where none runs and where there is no
// such app.
func (c *Cluster) WhereIs(app string) []Residence {
	var found []Residence
	for _, one := range c.Running {
		if one.App == app {
			found = append(found, one)
		}
	}
	return found
}

// Name names the placements of a plan that was made for this cluster. Fails with ErrInvalid where the plan was made for another
// one, or for an earlier state of it.
func (c *Cluster) Name(plan *Plan) ([]NamedPlacement, error) {
	names, err := c.NodeNames(plan)
	if err != nil {
		return nil, err
	}
	named := make([]NamedPlacement, len(plan.Placements))
	for k, one := range plan.Placements {
		if int(one.Node) >= len(plan.Nodes) || int(one.App) >= len(c.Apps) {
			return nil, foreign("a placement refers to nothing")
		}
		node := plan.Nodes[one.Node]
		named[k] = NamedPlacement{c.Apps[one.App].Name, names[one.Node], c.Classes[node.Class], one.Replicas, node.Copies}
	}
	return named, nil
}

func foreign(why string) error {
	return &Error{"STOWAGE_INVALID", "the plan does not belong to the cluster: " + why, "", ErrInvalid}
}

// NodeNames are the names of a plan's Nodes, as in NamedPlacement; of copies, that of the first. Fails as Name.
func (c *Cluster) NodeNames(plan *Plan) ([]string, error) {
	if plan.Instance != c.Fingerprint {
		return nil, foreign("it was made for another instance")
	}
	numbers := make(map[string]*numbering)
	for _, class := range c.Classes {
		numbers[class] = &numbering{}
	}
	for _, node := range c.Nodes {
		if dash := strings.LastIndexByte(node.Name, '-'); dash >= 0 {
			if taken, ok := numbers[node.Name[:dash]]; ok {
				taken.leaveOut(node.Name[dash+1:])
			}
		}
	}
	for _, one := range numbers {
		slices.Sort(one.taken)
	}
	names := make([]string, len(plan.Nodes))
	for k, node := range plan.Nodes {
		if int(node.Class) >= len(c.Classes) || node.Listed != NoIndex && int(node.Listed) >= len(c.Nodes) {
			return nil, foreign("a node does not exist")
		}
		if node.Listed != NoIndex {
			names[k] = c.Nodes[node.Listed].Name
			continue
		}
		class := c.Classes[node.Class]
		names[k] = fmt.Sprintf("%s-%d", class, numbers[class].advance(1))
		if node.Copies > 1 {
			numbers[class].advance(uint64(node.Copies) - 1)
		}
	}
	return names, nil
}

// numbering hands out the numbers from 1 that no name takes. It steps over many at once, as a node may stand for any number.
type numbering struct {
	taken []uint64
	last  uint64
}

func (n *numbering) leaveOut(text string) {
	if number, err := strconv.ParseUint(text, 10, 64); err == nil && strconv.FormatUint(number, 10) == text {
		n.taken = append(n.taken, number)
	}
}

// advance returns the steps-th number after the last one. The numbers that are left out are sorted.
func (n *numbering) advance(steps uint64) uint64 {
	for len(n.taken) > 0 {
		next := n.taken[0]
		free := uint64(0)
		if next > n.last {
			free = next - n.last - 1
		}
		if steps <= free {
			break
		}
		steps -= free
		n.last, n.taken = max(n.last, next), n.taken[1:]
	}
	n.last += steps
	return n.last
}
