package stowage

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/wire"
)

// Session is a cluster over time. Operations change it, pending replicas are planned interval by interval, and run once their
// plan is committed. docs/sessions.md states the rules. A call that fails leaves the session unchanged. Calls from several
// goroutines take turns; with a context, they wait until it ends. The progress callback of a session's run cannot have a turn: its
// calls on the session fail with ErrBusy, except Version and Close. Close ends the use of the session; without Close, it is freed
// after it has become unreachable.
type Session struct {
	shared *shared[*capi.Session]
	turn   chan struct{} // has room while no call uses the session
	// version after the last call.
	version atomic.Uint64
	limits  Limits
	// reporters are the goroutines that are in a progress callback of the session's runs.
	reporters sync.Map
	reporting atomic.Int32
}

// OpenSession opens a session on a cluster (instance.fbs, .stow) or on a snapshot of one. Fails as Load.
func OpenSession(bytes []byte) (*Session, error) {
	return OpenSessionContext(context.Background(), bytes, Limits{})
}

// OpenSessionWithin is OpenSession with the caller's limits; the session refuses what exceeds them, now or later.
func OpenSessionWithin(bytes []byte, limits Limits) (*Session, error) {
	return OpenSessionContext(context.Background(), bytes, limits)
}

// OpenSessionContext is OpenSessionWithin with a context. When ctx ends first, it fails with an error that wraps the context's.
func OpenSessionContext(ctx context.Context, bytes []byte, limits Limits) (session *Session, err error) {
	err = whole(ctx, func(control *capi.Control) error {
		handle, failure := capi.OpenSession(bytes, limits.raw(), control)
		if failure == nil {
			session = &Session{turn: make(chan struct{}, 1), limits: limits}
			session.shared = share(session, handle, capi.FreeSession, sessionWeightOf(len(bytes)))
			session.version.Store(capi.SessionVersion(handle))
		}
		return errorOf(failure)
	})
	return session, err
}

// Close ends the use of the session: later calls, and those that wait for their turn, fail with ErrClosed. It does not wait; the
// call under way goes on and frees the session. Closing again does nothing. The error is always nil.
func (s *Session) Close() error {
	s.shared.close()
	return nil
}

var errBusy = &Error{"STOWAGE_BUSY", "the session's own progress callback cannot use it", "", ErrBusy}

// reports tells whether the calling goroutine is in a progress callback of the session's runs.
func (s *Session) reports() bool {
	if s.reporting.Load() == 0 {
		return false
	}
	_, found := s.reporters.Load(goroutine())
	return found
}

// use calls a function with the session, once it is its turn.
func (s *Session) use(ctx context.Context, call func(*capi.Session) error) error {
	if s.shared == nil {
		return ErrClosed
	}
	if s.reports() {
		return errBusy
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return interrupted(ctx)
	}
	defer func() { <-s.turn }()
	return s.shared.use(func(handle *capi.Session) error {
		defer func() { s.version.Store(capi.SessionVersion(handle)) }()
		return call(handle)
	})
}

// askSession calls a function of the session that answers with a buffer, which decode reads.
func askSession[Answer any](
	ctx context.Context, session *Session, decode func([]byte) Answer,
	function func(*capi.Session, *capi.Control) (capi.Buffer, *capi.Failure),
) (answer Answer, err error) {
	err = session.use(ctx, func(handle *capi.Session) error {
		return whole(ctx, asking(&answer, decode, func(control *capi.Control) (capi.Buffer, *capi.Failure) { return function(handle, control) }))
	})
	return answer, err
}

// Version is the number of operations and commits so far, without those of a call that is under way. It never waits. 0 once closed.
func (s *Session) Version() (version uint64) {
	_ = s.shared.use(func(*capi.Session) error {
		version = s.version.Load()
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
// ErrOutOfMemory, ErrBusy or ErrClosed.
func (s *Session) Apply(operations ...Operation) error {
	return s.ApplyContext(context.Background(), operations...)
}

// ApplyContext is Apply with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) ApplyContext(ctx context.Context, operations ...Operation) error {
	e := encoder{Builder: flatbuffers.NewBuilder(1024)}
	list := e.offsets(len(operations), func(k int) flatbuffers.UOffsetT { return operations[k].encode(&e) })
	wire.OperationsStart(e.Builder)
	wire.OperationsAddOperations(e.Builder, list)
	e.FinishWithFileIdentifier(wire.OperationsEnd(e.Builder), []byte("STOS"))
	return s.ApplyBytesContext(ctx, e.FinishedBytes())
}

// ApplyBytes is Apply for operations that are encoded already (session.fbs); ErrMalformed where they are not.
func (s *Session) ApplyBytes(operations []byte) error {
	return s.ApplyBytesContext(context.Background(), operations)
}

// ApplyBytesContext is ApplyBytes with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) ApplyBytesContext(ctx context.Context, operations []byte) error {
	return s.use(ctx, func(handle *capi.Session) error {
		return whole(ctx, func(control *capi.Control) error { return errorOf(capi.SessionApply(handle, operations, control)) })
	})
}

// Instance is the cluster as it is now, with all pending replicas. It may be planned while the session goes on, and serves to
// verify and explain those plans. It outlives the session.
func (s *Session) Instance() (*Instance, error) { return s.InstanceContext(context.Background()) }

// InstanceContext is Instance with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) InstanceContext(ctx context.Context) (instance *Instance, err error) {
	err = s.use(ctx, func(handle *capi.Session) error {
		return whole(ctx, func(control *capi.Control) error {
			made, failure := capi.SessionInstance(handle, control)
			instance = instanceOf(made, s.shared.weight/8)
			return errorOf(failure)
		})
	})
	return instance, err
}

// Plan runs a planner on the cluster as it is now, like Instance.Plan. Other calls of the session wait for it.
func (s *Session) Plan(ctx context.Context, request Request) (plan *Plan, err error) {
	bytes := request.bytes()
	err = s.use(ctx, func(handle *capi.Session) error { return partly(ctx, planning(&plan, handle, bytes)) })
	return plan, err
}

// PlanWithProgress is Plan with progress reports, like Instance.PlanWithProgress. report may call every function of this package,
// but not this session, except Version and Close: those calls fail with ErrBusy. Reports begin while the run waits for its turn.
func (s *Session) PlanWithProgress(
	ctx context.Context, request Request, interval time.Duration, report func(Progress),
) (plan *Plan, err error) {
	if report == nil {
		return s.Plan(ctx, request)
	}
	if s.reports() {
		return nil, errBusy
	}
	bytes, caller := request.bytes(), goroutine()
	// The turn ends with the run, although report may not have returned.
	err = reported(ctx, interval, func(progress Progress) {
		s.reporters.Store(caller, nil)
		s.reporting.Add(1)
		defer func() {
			s.reporting.Add(-1)
			s.reporters.Delete(caller)
		}()
		report(progress)
	}, func(control *capi.Control) error {
		return s.use(ctx, func(handle *capi.Session) error { return planning(&plan, handle, bytes)(control) })
	})
	return plan, err
}

func planning(plan **Plan, session *capi.Session, request []byte) func(*capi.Control) error {
	return asking(plan, decodePlan, func(control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.SessionPlan(session, request, control)
	})
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
// breaks constraints, or the session does not remember its state), ErrInvalidArgument (no plan), ErrLimitExceeded, ErrOutOfMemory,
// ErrBusy or ErrClosed.
func (s *Session) Commit(plan *Plan, mode CommitMode) (*Commit, error) {
	return s.CommitContext(context.Background(), plan, mode)
}

// CommitContext is Commit with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) CommitContext(ctx context.Context, plan *Plan, mode CommitMode) (*Commit, error) {
	return askSession(ctx, s, decodeCommit, func(handle *capi.Session, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.SessionCommit(handle, bytesOf(plan), uint32(mode), control)
	})
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
func (s *Session) Reject(plan *Plan) error { return s.RejectContext(context.Background(), plan) }

// RejectContext is Reject with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) RejectContext(ctx context.Context, plan *Plan) error {
	return s.use(ctx, func(handle *capi.Session) error {
		return whole(ctx, func(control *capi.Control) error { return errorOf(capi.SessionReject(handle, bytesOf(plan), control)) })
	})
}

// Snapshot is the complete state of the session as the bytes of an instance. OpenSession continues from it; Load reads it.
func (s *Session) Snapshot() ([]byte, error) { return s.SnapshotContext(context.Background()) }

// SnapshotContext is Snapshot with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) SnapshotContext(ctx context.Context) ([]byte, error) {
	return askSession(ctx, s, same, capi.SessionSnapshot)
}
