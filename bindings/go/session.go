package stowage

import (
	"context"
	"runtime"
	"sync"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/wire"
)

// Session is a cluster over time. Operations change it, pending replicas are planned interval by interval, and run once their
// plan is committed. docs/sessions.md states the rules. A call that fails leaves the session unchanged. Calls from several
// goroutines take turns. Close frees the session; without Close, it is freed after it has become unreachable.
type Session struct {
	mutex   sync.Mutex
	handle  *capi.Session
	cleanup runtime.Cleanup
}

// OpenSession opens a session on a cluster (instance.fbs, .stow) or on a snapshot of one. Fails as Load.
func OpenSession(bytes []byte) (*Session, error) { return openSession(bytes, nil) }

// OpenSessionWithin is OpenSession with the caller's limits; the session refuses what exceeds them, now or later.
func OpenSessionWithin(bytes []byte, limits Limits) (*Session, error) {
	return openSession(bytes, limits.raw())
}

func openSession(bytes []byte, limits *capi.Limits) (*Session, error) {
	handle, failure := capi.OpenSession(bytes, limits)
	if failure != nil {
		return nil, errorOf(failure)
	}
	session := &Session{handle: handle}
	session.cleanup = runtime.AddCleanup(session, capi.FreeSession, handle)
	return session, nil
}

// Close waits for the call that uses the session and frees it. Closing again does nothing. The error is always nil.
func (s *Session) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.handle != nil {
		s.cleanup.Stop()
		capi.FreeSession(s.handle)
		s.handle = nil
	}
	return nil
}

func (s *Session) use(call func(*capi.Session) error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.handle == nil {
		return ErrClosed
	}
	return call(s.handle)
}

// Version is the number of operations and commits so far. 0 once closed.
func (s *Session) Version() (version uint64) {
	_ = s.use(func(handle *capi.Session) error {
		version = capi.SessionVersion(handle)
		return nil
	})
	return version
}

// OperationKind is the kind of an operation; session.fbs states the fields that each kind uses.
type OperationKind byte

// The kinds of operations.
const (
	OpSubmit     = OperationKind(wire.OperationKindSubmit) + 1
	OpScale      = OperationKind(wire.OperationKindScale) + 1
	OpRemove     = OperationKind(wire.OperationKindRemove) + 1
	OpPin        = OperationKind(wire.OperationKindPin) + 1
	OpAddNode    = OperationKind(wire.OperationKindAddNode) + 1
	OpRemoveNode = OperationKind(wire.OperationKindRemoveNode) + 1
	OpCordon     = OperationKind(wire.OperationKindCordon) + 1
	OpUncordon   = OperationKind(wire.OperationKindUncordon) + 1
	OpDrain      = OperationKind(wire.OperationKindDrain) + 1
	OpFail       = OperationKind(wire.OperationKindFail) + 1
	OpLoad       = OperationKind(wire.OperationKindLoad) + 1
	OpAddRule    = OperationKind(wire.OperationKindAddRule) + 1
	OpRemoveRule = OperationKind(wire.OperationKindRemoveRule) + 1
	OpTraffic    = OperationKind(wire.OperationKindTraffic) + 1
)

// LimitOn is an affinity limit: beside a replica of the app, at most AtMost replicas of the named app on the same node. The
// app's own name limits its replicas per node.
type LimitOn struct {
	App    string
	AtMost uint32
}

// Membership of a node in a set of a group.
type Membership struct{ Group, Set string }

// Operation on a cluster. Apps and nodes are given by name.
type Operation struct {
	Kind     OperationKind
	App      string
	Node     string
	Replicas uint32
	// Demand of one replica. Length: resources, or resources x periods.
	Demand   []float64
	Priority int32
	// Weight as in App.
	Weight float64
	// Variance, SupportMin and SupportMax. Length: resources, or nil.
	Variance, SupportMin, SupportMax []float64
	// AppKind of the app, if the cluster has kinds; nil = none.
	AppKind *uint32
	// Tags of the app's replicas, or of the node.
	Tags   []string
	Limits []LimitOn
	// NodeClass of a new node; may be empty where there is one class.
	NodeClass string
	// Load of the node. Length as Demand; nil = none.
	Load, LoadVariance []float64
	Sets               []Membership
	// Rule to add; for a removal, only its Name is used.
	Rule *Rule
	// Only and Not: labels or tags of which every node of the app carries all and none.
	Only, Not []string
	// Daemon load of the node. Length as Demand; nil = as its class says.
	Daemon []float64
	// Peer of the app, and the Amount of traffic between them; 0 = none.
	Peer   string
	Amount float64
}

func (o *Operation) encode(e *encoder) flatbuffers.UOffsetT {
	app, node, class, peer := e.text(o.App), e.text(o.Node), e.text(o.NodeClass), e.text(o.Peer)
	demand, variance := e.optional(o.Demand), e.optional(o.Variance)
	least, most := e.optional(o.SupportMin), e.optional(o.SupportMax)
	load, loadVariance := e.optional(o.Load), e.optional(o.LoadVariance)
	tags, only, not, daemon := e.texts(o.Tags), e.texts(o.Only), e.texts(o.Not), e.optional(o.Daemon)
	limitApp := e.texts(column(o.Limits, func(limit LimitOn) string { return limit.App }))
	var atMost flatbuffers.UOffsetT
	if len(o.Limits) > 0 {
		atMost = e.words(column(o.Limits, func(limit LimitOn) uint32 { return limit.AtMost }))
	}
	groups := e.texts(column(o.Sets, func(one Membership) string { return one.Group }))
	sets := e.texts(column(o.Sets, func(one Membership) string { return one.Set }))
	var rule flatbuffers.UOffsetT
	if o.Rule != nil {
		rule = e.namedRule(*o.Rule)
	}
	wire.OperationStart(e.Builder)
	wire.OperationAddKind(e.Builder, wire.OperationKind(o.Kind-1)) // none is refused: no kind has this number
	wire.OperationAddApp(e.Builder, app)
	wire.OperationAddNode(e.Builder, node)
	wire.OperationAddReplicas(e.Builder, o.Replicas)
	wire.OperationAddDemand(e.Builder, demand)
	wire.OperationAddPriority(e.Builder, o.Priority)
	wire.OperationAddWeight(e.Builder, orOne(o.Weight))
	wire.OperationAddVariance(e.Builder, variance)
	wire.OperationAddSupportMin(e.Builder, least)
	wire.OperationAddSupportMax(e.Builder, most)
	if o.AppKind != nil {
		wire.OperationAddAppKind(e.Builder, *o.AppKind)
	}
	wire.OperationAddTags(e.Builder, tags)
	wire.OperationAddLimitApp(e.Builder, limitApp)
	wire.OperationAddLimitAtMost(e.Builder, atMost)
	wire.OperationAddNodeClass(e.Builder, class)
	wire.OperationAddLoad(e.Builder, load)
	wire.OperationAddLoadVariance(e.Builder, loadVariance)
	wire.OperationAddGroups(e.Builder, groups)
	wire.OperationAddSets(e.Builder, sets)
	wire.OperationAddRule(e.Builder, rule)
	wire.OperationAddOnly(e.Builder, only)
	wire.OperationAddNot(e.Builder, not)
	wire.OperationAddDaemon(e.Builder, daemon)
	wire.OperationAddPeer(e.Builder, peer)
	wire.OperationAddAmount(e.Builder, o.Amount)
	return wire.OperationEnd(e.Builder)
}

func (e *encoder) namedRule(rule Rule) flatbuffers.UOffsetT {
	anyOf := e.offsets(len(rule.AnyOf), func(c int) flatbuffers.UOffsetT {
		allOf := e.offsets(len(rule.AnyOf[c]), func(k int) flatbuffers.UOffsetT {
			one := rule.AnyOf[c][k]
			subject := e.offsets(len(one.Subject), func(k int) flatbuffers.UOffsetT { return e.CreateString(one.Subject[k]) })
			target, group := e.texts(one.Target), e.text(one.Group)
			wire.NamedCardinalityStart(e.Builder)
			wire.NamedCardinalityAddKind(e.Builder, byte(one.Kind))
			wire.NamedCardinalityAddSubject(e.Builder, subject)
			wire.NamedCardinalityAddTarget(e.Builder, target)
			wire.NamedCardinalityAddMin(e.Builder, one.Min)
			if one.Max != nil {
				wire.NamedCardinalityAddMax(e.Builder, *one.Max)
			}
			wire.NamedCardinalityAddGroup(e.Builder, group)
			wire.NamedCardinalityAddNegated(e.Builder, one.Negated)
			return wire.NamedCardinalityEnd(e.Builder)
		})
		wire.NamedConjunctionStart(e.Builder)
		wire.NamedConjunctionAddAllOf(e.Builder, allOf)
		return wire.NamedConjunctionEnd(e.Builder)
	})
	name := e.CreateString(rule.Name)
	wire.NamedRuleStart(e.Builder)
	wire.NamedRuleAddName(e.Builder, name)
	wire.NamedRuleAddAnyOf(e.Builder, anyOf)
	wire.NamedRuleAddHard(e.Builder, !rule.Soft)
	if rule.Soft {
		wire.NamedRuleAddWeight(e.Builder, rule.Weight)
	}
	if rule.Operator {
		wire.NamedRuleAddOrigin(e.Builder, byte(wire.OriginOperator))
	}
	return wire.NamedRuleEnd(e.Builder)
}

// Apply applies operations: all of them, or none if one is refused. Fails with ErrInvalid, ErrNotFound, ErrLimitExceeded,
// ErrOutOfMemory or ErrClosed.
func (s *Session) Apply(operations ...Operation) error {
	e := encoder{Builder: flatbuffers.NewBuilder(1024)}
	list := e.offsets(len(operations), func(k int) flatbuffers.UOffsetT { return operations[k].encode(&e) })
	wire.OperationsStart(e.Builder)
	wire.OperationsAddOperations(e.Builder, list)
	e.FinishWithFileIdentifier(wire.OperationsEnd(e.Builder), []byte("STOS"))
	return s.ApplyBytes(e.FinishedBytes())
}

// ApplyBytes is Apply for operations that are encoded already (session.fbs); ErrMalformed where they are not.
func (s *Session) ApplyBytes(operations []byte) error {
	return s.use(func(handle *capi.Session) error { return errorOf(capi.SessionApply(handle, operations)) })
}

// Instance is the cluster as it is now, with all pending replicas. It may be planned while the session goes on, and serves to
// verify and explain those plans. It outlives the session.
func (s *Session) Instance() (instance *Instance, err error) {
	err = s.use(func(handle *capi.Session) error {
		raw, failure := capi.SessionInstance(handle)
		if failure == nil {
			instance = instanceOf(raw)
		}
		return errorOf(failure)
	})
	return instance, err
}

// Plan runs a planner on the cluster as it is now, like Instance.Plan. Other calls of the session wait for it.
func (s *Session) Plan(ctx context.Context, request Request) (*Plan, error) {
	bytes := request.bytes()
	var plan *Plan
	err := s.use(func(handle *capi.Session) error {
		made, err := watched(ctx, 0, nil, func(control *capi.Control) ([]byte, *capi.Failure) {
			return take(capi.SessionPlan(handle, bytes, control))
		})
		if made != nil {
			plan = decodePlan(made)
		}
		return err
	})
	return plan, err
}

// CommitMode is what Commit takes of a plan that was made for an earlier version of the cluster.
type CommitMode uint32

// The modes of Commit.
const (
	// CommitExact takes nothing.
	CommitExact = CommitMode(capi.CommitExact)
	// CommitWhole takes the whole plan if everything that it places still fits, else nothing.
	CommitWhole = CommitMode(capi.CommitWhole)
	// CommitFitting takes each app whose replicas all still fit.
	CommitFitting = CommitMode(capi.CommitFitting)
)

// Conflict is a part of a plan that was not taken, and why. Its replicas stay pending. Kind is a word, such as "no-room";
// report.fbs defines Wanted and Available for each kind. App and Node are empty where the conflict concerns the whole plan;
// Node also where the node has no name.
type Conflict struct {
	Kind, App, Node   string
	Wanted, Available uint64
}

// Commit is what a session took of a plan.
type Commit struct {
	// Committed: some or all of the plan was taken.
	Committed               bool
	PlannedVersion, Version uint64
	// Placed replicas were pending and run now, Moved ones run on another node now, Ended ones ran and are pending now.
	Placed, Moved, Ended uint64
	// Opened: names of the nodes that the plan opened, in the plan's order.
	Opened    []string
	Conflicts []Conflict
}

// Commit commits a plan: its replicas run from now on. Conflicts are no error. Fails with ErrMalformed, ErrInvalid (the plan
// breaks constraints, or the session does not remember its state), ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (s *Session) Commit(plan *Plan, mode CommitMode) (*Commit, error) {
	var commit *Commit
	err := s.use(func(handle *capi.Session) error {
		report, failure := take(capi.SessionCommit(handle, plan.Bytes, uint32(mode)))
		if failure == nil {
			commit = decodeCommit(report)
		}
		return errorOf(failure)
	})
	return commit, err
}

func decodeCommit(bytes []byte) *Commit {
	var from wire.Commit
	table := body(bytes)
	from.Init(table.Bytes, table.Pos)
	commit := &Commit{
		Committed: from.Committed(), PlannedVersion: from.PlannedVersion(), Version: from.Version(),
		Placed: from.Placed(), Moved: from.Moved(), Ended: from.Ended(),
		Conflicts: all(from.ConflictsLength(), from.Conflicts, func(one *wire.Conflict) Conflict {
			return Conflict{kebab(one.Kind().String()), string(one.App()), string(one.Node()), one.Wanted(), one.Available()}
		}),
	}
	for k := range from.OpenedLength() {
		commit.Opened = append(commit.Opened, string(from.Opened(k)))
	}
	return commit
}

// Reject drops a plan; its replicas stay pending. Fails with ErrInvalid where the session does not remember the plan's state of
// the cluster.
func (s *Session) Reject(plan *Plan) error {
	return s.use(func(handle *capi.Session) error { return errorOf(capi.SessionReject(handle, plan.Bytes)) })
}

// Snapshot is the complete state of the session as the bytes of an instance. OpenSession continues from it; Load reads it.
func (s *Session) Snapshot() (snapshot []byte, err error) {
	err = s.use(func(handle *capi.Session) error {
		bytes, failure := take(capi.SessionSnapshot(handle))
		snapshot = bytes
		return errorOf(failure)
	})
	return snapshot, err
}
