package stowage

import (
	"context"
	"fmt"
	"math"
	"slices"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/wire"
)

// NoIndex means "none" where an index of the wire format is optional.
const NoIndex = math.MaxUint32

// NodeGroup is a family of node sets, such as the zones: either sets of listed nodes, or nodes with the same value of a label.
type NodeGroup struct {
	Name    string
	Sets    []NodeSet
	ByLabel string
}

// NodeSet is a set of listed nodes.
type NodeSet struct {
	Name  string
	Nodes []int
}

// Rule holds where all cardinalities of at least one conjunction hold.
type Rule struct {
	Name  string
	AnyOf [][]Cardinality
	// Soft rules cost Weight per violation; no plan violates other rules.
	Soft   bool
	Weight float64
	// Operator: the rule comes from the cluster's operator, not from the application.
	Operator bool
}

type residence struct{ app, node, replicas uint32 }

type limit struct{ app, atMost uint32 }

// Builder collects an instance. Its methods return the position of the added item, by which later calls and plans refer to it.
// Values are checked by Bytes, Build or Load, which report the path of a wrong one. A Builder is used by one goroutine at a
// time.
type Builder struct {
	name        string
	periods     uint32
	resources   [][2]string
	devices     []float64 // per resource
	apps        []App
	classes     []Class
	nodes       []Node
	limits      [][]limit
	running     []residence
	traffic     []traffic
	pinned      []residence
	groups      []NodeGroup
	rules       []Rule
	uncertainty *Uncertainty
	kinds       []string
	coefficient []float64
	loadIs      int
	maxCost     []float64
	problem     error
}

// NewBuilder starts an instance; the name is for people and may be empty.
func NewBuilder(name string) *Builder { return &Builder{name: name, periods: 1} }

// Periods sets the number of periods of demand profiles; default: 1 = constant demand.
func (b *Builder) Periods(count uint32) { b.periods = count }

// Resource adds a resource, such as "cpu" in "cores". All demands and capacities list the resources in this order.
func (b *Builder) Resource(name, unit string) int {
	b.resources = append(b.resources, [2]string{name, unit})
	return len(b.resources) - 1
}

// Device sets the amount of one device of a resource, such as one GPU; default: 0 = divisible at will. A replica takes a part of one
// device, or whole ones.
func (b *Builder) Device(resource int, amount float64) {
	for len(b.devices) <= resource {
		b.devices = append(b.devices, 0)
	}
	b.devices[resource] = amount
}

// Class adds a node class.
func (b *Builder) Class(class Class) int {
	b.classes = append(b.classes, class)
	return len(b.classes) - 1
}

// App adds an app.
func (b *Builder) App(app App) int {
	b.apps = append(b.apps, app)
	b.limits = append(b.limits, nil)
	return len(b.apps) - 1
}

// Node adds a listed node.
func (b *Builder) Node(node Node) int {
	b.nodes = append(b.nodes, node)
	return len(b.nodes) - 1
}

// Limit adds an affinity limit: beside at least one replica of app beside, at most atMost replicas of app limited on the same
// node. If both are the same app, at most atMost of its replicas per node.
func (b *Builder) Limit(beside, limited int, atMost uint32) {
	if beside < 0 || beside >= len(b.apps) {
		b.wrong("limits", "there is no app %d", beside)
		return
	}
	b.limits[beside] = append(b.limits[beside], limit{uint32(limited), atMost})
}

// Running states that replicas of an app run on a listed node.
func (b *Builder) Running(app, node int, replicas uint32) {
	b.running = append(b.running, residence{uint32(app), uint32(node), replicas})
}

// Pin requires replicas of an app on a listed node in every plan.
func (b *Builder) Pin(app, node int, replicas uint32) {
	b.pinned = append(b.pinned, residence{uint32(app), uint32(node), replicas})
}

type traffic struct {
	app, peer uint32
	amount    float64
}

// Traffic states that the replicas of two apps exchange traffic: of all replicas together, in any unit. Each pair stands once. With
// the objective LeastTraffic, plans keep it on nodes.
func (b *Builder) Traffic(app, peer int, amount float64) {
	b.traffic = append(b.traffic, traffic{uint32(app), uint32(peer), amount})
}

// NodeGroup adds a family of node sets.
func (b *Builder) NodeGroup(group NodeGroup) { b.groups = append(b.groups, group) }

// Rule adds a placement rule.
func (b *Builder) Rule(rule Rule) { b.rules = append(b.rules, rule) }

// Uncertainty sets the chance constraint: how variance enters the capacity constraint.
func (b *Builder) Uncertainty(uncertainty Uncertainty) { b.uncertainty = &uncertainty }

// Interference names the kinds of apps, and sets the coefficients: how much a kind (row) is slowed by load of a kind (column).
// Length: kinds x kinds, row-major.
func (b *Builder) Interference(kinds []string, coefficient []float64) {
	b.kinds, b.coefficient = kinds, coefficient
}

// InterferenceResource names the resource that is the load in the sense of Interference: of an app, its largest demand over
// time. Default: the first resource.
func (b *Builder) InterferenceResource(resource int) { b.loadIs = resource }

// MaxCost limits what side effects may cost a replica of each kind, its own load included: the sum over all kinds of
// coefficient x load on its node. Length: kinds; infinity = no limit.
func (b *Builder) MaxCost(maxCost []float64) { b.maxCost = maxCost }

// Build encodes and loads the instance.
func (b *Builder) Build() (*Instance, error) { return b.BuildContext(context.Background()) }

// BuildContext is Build with a context. When ctx ends first, it fails with an error that wraps the context's.
func (b *Builder) BuildContext(ctx context.Context) (*Instance, error) {
	bytes, err := b.Bytes()
	if err != nil {
		return nil, err
	}
	return LoadContext(ctx, bytes, Limits{})
}

func (b *Builder) wrong(path, format string, values ...any) {
	if b.problem == nil {
		b.problem = &Error{"STOWAGE_INVALID", fmt.Sprintf(format, values...), path, ErrInvalid}
	}
}

// rows collects amounts per item, one per resource.
func (b *Builder) rows(path string, items int, row func(int) []float64, optional bool) []float64 {
	return b.amounts(path, items, len(b.resources), row, optional)
}

// profiles collects amounts per item: one per resource, or per resource and period where any item has a profile.
func (b *Builder) profiles(path string, items int, row func(int) []float64, optional bool) []float64 {
	width := len(b.resources)
	for item := range items {
		if len(row(item)) > width {
			width *= int(b.periods)
			break
		}
	}
	return b.amounts(path, items, width, row, optional)
}

// amounts collects amounts per item, with the same number of entries for each item.
func (b *Builder) amounts(path string, items, width int, row func(int) []float64, optional bool) []float64 {
	if optional {
		used := false
		for item := range items {
			used = used || row(item) != nil
		}
		if !used {
			return nil
		}
	}
	all := make([]float64, 0, items*width)
	periods := int(b.periods)
	for item := range items {
		given := row(item)
		switch {
		case len(given) == width:
			all = append(all, given...)
		case given == nil && optional:
			all = append(all, make([]float64, width)...)
		case width != len(b.resources) && len(given) == len(b.resources):
			for _, amount := range given {
				for range periods {
					all = append(all, amount)
				}
			}
		default:
			b.wrong(fmt.Sprintf(path, item), "has %d entries, not %d", len(given), width)
		}
	}
	return all
}

// Bytes encodes the instance (instance.fbs). It fails for values that the encoding cannot represent; all other checks are made
// when the bytes are loaded.
func (b *Builder) Bytes() ([]byte, error) {
	e := &encoder{Builder: flatbuffers.NewBuilder(b.size()), tags: map[string]uint32{}}

	limits := flatbuffers.UOffsetT(0)
	if rowBegin, app, atMost := b.limitRows(); len(app) > 0 {
		atMostAt, appAt, rowBeginAt := e.words(atMost), e.words(app), e.words(rowBegin)
		wire.AffinityLimitsStart(e.Builder)
		wire.AffinityLimitsAddRowBegin(e.Builder, rowBeginAt)
		wire.AffinityLimitsAddApp(e.Builder, appAt)
		wire.AffinityLimitsAddAtMost(e.Builder, atMostAt)
		limits = wire.AffinityLimitsEnd(e.Builder)
	}

	apps, classes := b.writeApps(e), tables(e, b.classes, writeClass)
	nodes := flatbuffers.UOffsetT(0)
	if len(b.nodes) > 0 {
		nodes = b.writeNodes(e)
	}
	running, pinned := e.residences(b.running), e.residences(b.pinned)
	resourcesAt := e.offsets(len(b.resources), func(k int) flatbuffers.UOffsetT {
		name, unit := e.CreateString(b.resources[k][0]), e.text(b.resources[k][1])
		wire.ResourceStart(e.Builder)
		wire.ResourceAddName(e.Builder, name)
		wire.ResourceAddUnit(e.Builder, unit)
		if k < len(b.devices) {
			wire.ResourceAddDevice(e.Builder, b.devices[k])
		}
		return wire.ResourceEnd(e.Builder)
	})
	groups, rules := b.encodeGroups(e), b.encodeRules(e)
	uncertainty := flatbuffers.UOffsetT(0)
	if b.uncertainty != nil {
		uncertainty = writeUncertainty(e, b.uncertainty)
	}
	interference := flatbuffers.UOffsetT(0)
	if b.coefficient != nil {
		kinds, coefficient, maxCost := e.texts(b.kinds), e.doubles(b.coefficient), e.optional(b.maxCost)
		wire.InterferenceStart(e.Builder)
		wire.InterferenceAddKinds(e.Builder, kinds)
		wire.InterferenceAddCoefficient(e.Builder, coefficient)
		wire.InterferenceAddResource(e.Builder, uint32(b.loadIs))
		wire.InterferenceAddMaxCost(e.Builder, maxCost)
		interference = wire.InterferenceEnd(e.Builder)
	}
	name, tags := e.text(b.name), e.texts(e.tagNames)

	exchanged := flatbuffers.UOffsetT(0)
	if len(b.traffic) > 0 {
		wire.InstanceStartTrafficVector(e.Builder, len(b.traffic))
		for k := len(b.traffic) - 1; k >= 0; k-- {
			one := b.traffic[k]
			wire.CreateTraffic(e.Builder, one.app, one.peer, one.amount)
		}
		exchanged = e.EndVector(len(b.traffic))
	}

	wire.InstanceStart(e.Builder)
	wire.InstanceAddName(e.Builder, name)
	wire.InstanceAddResources(e.Builder, resourcesAt)
	wire.InstanceAddPeriods(e.Builder, b.periods)
	wire.InstanceAddApps(e.Builder, apps)
	wire.InstanceAddClasses(e.Builder, classes)
	wire.InstanceAddNodes(e.Builder, nodes)
	wire.InstanceAddLimits(e.Builder, limits)
	wire.InstanceAddRunning(e.Builder, running)
	wire.InstanceAddPinned(e.Builder, pinned)
	wire.InstanceAddTags(e.Builder, tags)
	wire.InstanceAddGroups(e.Builder, groups)
	wire.InstanceAddRules(e.Builder, rules)
	wire.InstanceAddUncertainty(e.Builder, uncertainty)
	wire.InstanceAddInterference(e.Builder, interference)
	wire.InstanceAddTraffic(e.Builder, exchanged)
	root := wire.InstanceEnd(e.Builder)
	if b.problem != nil {
		return nil, b.problem
	}
	return e.finish(root, "STOI"), nil
}

// size is an estimate of the encoded instance in bytes, on the high side, so that the buffer need not grow.
func (b *Builder) size() int {
	size := 4096
	for k, app := range b.apps {
		size += 64 + 2*len(app.Name) + 8*(len(app.Demand)+3*len(b.resources)) + 8*len(b.limits[k]) + 4*len(app.Tags)
	}
	for _, node := range b.nodes {
		size += 64 + 2*len(node.Name) + 8*(len(node.Load)+len(b.resources)) + 4*len(node.Tags)
	}
	return size + 12*(len(b.running)+len(b.pinned)) + 16*len(b.traffic)
}

func (b *Builder) limitRows() (rowBegin, app, atMost []uint32) {
	rowBegin = make([]uint32, 1, len(b.apps)+1)
	for _, row := range b.limits {
		for _, one := range row {
			app, atMost = append(app, one.app), append(atMost, one.atMost)
		}
		rowBegin = append(rowBegin, uint32(len(app)))
	}
	return rowBegin, app, atMost
}

// appKinds is the kind of each app; nil without an interference table.
func (b *Builder) appKinds() []uint32 {
	if b.coefficient == nil {
		return nil
	}
	kinds := make([]uint32, len(b.apps))
	for k, app := range b.apps {
		if app.Kind == "" {
			continue
		}
		found := slices.Index(b.kinds, app.Kind)
		if found < 0 {
			b.wrong(fmt.Sprintf("apps[%d].kind", k), "there is no kind %q", app.Kind)
		}
		kinds[k] = uint32(found)
	}
	return kinds
}

// daemons is the daemon load of the nodes; nil where none has one of its own.
func (b *Builder) daemons() []float64 {
	if !slices.ContainsFunc(b.nodes, func(node Node) bool { return node.Daemon != nil }) {
		return nil
	}
	daemon := func(node int) []float64 { return b.daemon(b.nodes[node]) }
	return b.profiles("nodes[%d].daemon", len(b.nodes), daemon, true)
}

// daemon is the node's own daemon load or else its class's.
func (b *Builder) daemon(node Node) []float64 {
	if node.Daemon != nil || node.Class < 0 || node.Class >= len(b.classes) {
		return node.Daemon
	}
	return b.classes[node.Class].Daemon
}

func (b *Builder) encodeGroups(e *encoder) flatbuffers.UOffsetT {
	if len(b.groups) == 0 {
		return 0
	}
	return e.offsets(len(b.groups), func(k int) flatbuffers.UOffsetT {
		group := b.groups[k]
		var setBegin, node, setNames flatbuffers.UOffsetT
		if len(group.Sets) > 0 {
			begin, members := []uint32{0}, []uint32{}
			for _, set := range group.Sets {
				for _, member := range set.Nodes {
					members = append(members, uint32(member))
				}
				begin = append(begin, uint32(len(members)))
			}
			setBegin, node = e.words(begin), e.words(members)
			setNames = e.names(len(group.Sets), func(s int) string { return group.Sets[s].Name })
		}
		name, byLabel := e.CreateString(group.Name), e.text(group.ByLabel)
		wire.NodeGroupStart(e.Builder)
		wire.NodeGroupAddName(e.Builder, name)
		wire.NodeGroupAddSetBegin(e.Builder, setBegin)
		wire.NodeGroupAddNode(e.Builder, node)
		wire.NodeGroupAddSetNames(e.Builder, setNames)
		wire.NodeGroupAddByLabel(e.Builder, byLabel)
		return wire.NodeGroupEnd(e.Builder)
	})
}

func (b *Builder) encodeRules(e *encoder) flatbuffers.UOffsetT {
	if len(b.rules) == 0 {
		return 0
	}
	return e.offsets(len(b.rules), func(k int) flatbuffers.UOffsetT {
		rule := b.rules[k]
		anyOf := e.offsets(len(rule.AnyOf), func(c int) flatbuffers.UOffsetT {
			allOf := e.offsets(len(rule.AnyOf[c]), func(i int) flatbuffers.UOffsetT {
				return b.encodeCardinality(e, rule.AnyOf[c][i], fmt.Sprintf("rules[%d].any_of[%d].all_of[%d]", k, c, i))
			})
			wire.ConjunctionStart(e.Builder)
			wire.ConjunctionAddAllOf(e.Builder, allOf)
			return wire.ConjunctionEnd(e.Builder)
		})
		name := e.text(rule.Name)
		wire.PlacementRuleStart(e.Builder)
		wire.PlacementRuleAddName(e.Builder, name)
		wire.PlacementRuleAddAnyOf(e.Builder, anyOf)
		wire.PlacementRuleAddHard(e.Builder, !rule.Soft)
		if rule.Soft {
			wire.PlacementRuleAddWeight(e.Builder, rule.Weight)
		}
		if rule.Operator {
			wire.PlacementRuleAddOrigin(e.Builder, wire.OriginOperator)
		}
		return wire.PlacementRuleEnd(e.Builder)
	})
}

func (b *Builder) encodeCardinality(e *encoder, one Cardinality, path string) flatbuffers.UOffsetT {
	group := NoIndex
	if one.Group != "" && one.Group != "node" {
		group = slices.IndexFunc(b.groups, func(g NodeGroup) bool { return g.Name == one.Group })
		if group < 0 {
			b.wrong(path+".group", "there is no group %q", one.Group)
		}
	}
	subject, target := e.words(e.tagIndices(one.Subject)), flatbuffers.UOffsetT(0)
	if one.Target != nil {
		target = e.words(e.tagIndices(one.Target))
	}
	wire.CardinalityStart(e.Builder)
	wire.CardinalityAddKind(e.Builder, wire.CardinalityKind(one.Kind))
	wire.CardinalityAddSubject(e.Builder, subject)
	wire.CardinalityAddTarget(e.Builder, target)
	wire.CardinalityAddMin(e.Builder, one.Min)
	if one.Max != nil {
		wire.CardinalityAddMax(e.Builder, *one.Max)
	}
	wire.CardinalityAddGroup(e.Builder, uint32(group))
	wire.CardinalityAddNegated(e.Builder, one.Negated)
	return wire.CardinalityEnd(e.Builder)
}

// names writes the names, or nothing where no item has a name.
func (e *encoder) names(count int, name func(int) string) flatbuffers.UOffsetT {
	for k := range count {
		if name(k) != "" {
			return e.offsets(count, func(k int) flatbuffers.UOffsetT { return e.CreateString(name(k)) })
		}
	}
	return 0
}

func (e *encoder) tagIndices(names []string) []uint32 {
	return column(names, func(name string) uint32 {
		index, known := e.tags[name]
		if !known {
			index = uint32(len(e.tagNames))
			e.tags[name] = index
			e.tagNames = append(e.tagNames, name)
		}
		return index
	})
}

func (e *encoder) tagRows(count int, tags func(int) []string) (begin, index flatbuffers.UOffsetT) {
	begins, indices := []uint32{0}, []uint32{}
	for k := range count {
		indices = append(indices, e.tagIndices(tags(k))...)
		begins = append(begins, uint32(len(indices)))
	}
	if len(indices) == 0 {
		return 0, 0
	}
	return e.words(begins), e.words(indices)
}

func (e *encoder) residences(list []residence) flatbuffers.UOffsetT {
	if len(list) == 0 {
		return 0
	}
	e.StartVector(12, len(list), 4)
	for _, one := range slices.Backward(list) {
		wire.CreateResidence(e.Builder, one.app, one.node, one.replicas)
	}
	return e.EndVector(len(list))
}
