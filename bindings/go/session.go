package stowage

import (
	"context"
	"runtime"
	"sync"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/internal/wire"
)

// Session is a cluster over time: operations change it, what waits is planned interval by interval, and a plan becomes what runs
// when it is committed. docs/sessions.md states the rules. A call that fails leaves the session as it was. Goroutines take turns.
// Close frees it; what nobody closed is freed once nobody can reach it.
type Session struct {
	mutex   sync.Mutex
	handle  *capi.Session
	cleanup runtime.Cleanup
}

// OpenSession opens a session on a cluster (instance.fbs, .stow) or on a snapshot of one. Fails as Load.
func OpenSession(bytes []byte) (*Session, error) { return openSession(bytes, nil) }

// OpenSessionWithin is OpenSession that refuses what is, or later becomes, larger than the caller's limits.
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

// Close waits for the call that uses the session, and frees it. Closing again does nothing. The error is always nil.
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

// Version counts operations and commits. 0 once closed.
func (s *Session) Version() (version uint64) {
	_ = s.use(func(handle *capi.Session) error {
		version = capi.SessionVersion(handle)
		return nil
	})
	return version
}

// OperationKind is what an operation does; session.fbs says which fields it looks at.
type OperationKind byte

// The kinds of operations that Apply encodes. Rules are added and removed by ApplyBytes.
const (
	OpSubmit     = OperationKind(wire.OperationKindSubmit)
	OpScale      = OperationKind(wire.OperationKindScale)
	OpRemove     = OperationKind(wire.OperationKindRemove)
	OpPin        = OperationKind(wire.OperationKindPin)
	OpAddNode    = OperationKind(wire.OperationKindAddNode)
	OpRemoveNode = OperationKind(wire.OperationKindRemoveNode)
	OpCordon     = OperationKind(wire.OperationKindCordon)
	OpUncordon   = OperationKind(wire.OperationKindUncordon)
	OpDrain      = OperationKind(wire.OperationKindDrain)
	OpFail       = OperationKind(wire.OperationKindFail)
	OpLoad       = OperationKind(wire.OperationKindLoad)
)

// LimitOn another app, or on the app itself, by name: beside the app at most AtMost replicas of it.
type LimitOn struct {
	App    string
	AtMost uint32
}

// Membership of a node in a set of a group.
type Membership struct{ Group, Set string }

// Operation on a cluster. Apps and nodes go by name.
type Operation struct {
	Kind     OperationKind
	App      string
	Node     string
	Replicas uint32
	// Demand of one replica: one entry per resource, or resources x periods.
	Demand   []float64
	Priority int32
	// Variance, SupportMin and SupportMax: one entry per resource, or nil.
	Variance, SupportMin, SupportMax []float64
	// AppKind of the app, where the cluster has kinds; nil: none.
	AppKind *uint32
	// Tags of the app's replicas, or of the node.
	Tags   []string
	Limits []LimitOn
	// NodeClass of a new node; may be empty where there is one class.
	NodeClass string
	// Load of the node, as Demand; nil: none.
	Load, LoadVariance []float64
	Sets               []Membership
}

func doubles(builder *flatbuffers.Builder, values []float64) flatbuffers.UOffsetT {
	if len(values) == 0 {
		return 0
	}
	builder.StartVector(8, len(values), 8)
	for k := len(values) - 1; k >= 0; k-- {
		builder.PrependFloat64(values[k])
	}
	return builder.EndVector(len(values))
}

func texts(builder *flatbuffers.Builder, values []string) flatbuffers.UOffsetT {
	if len(values) == 0 {
		return 0
	}
	offsets := make([]flatbuffers.UOffsetT, len(values))
	for k, value := range values {
		offsets[k] = builder.CreateString(value)
	}
	return offsetsOf(builder, offsets)
}

func offsetsOf(builder *flatbuffers.Builder, offsets []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	builder.StartVector(4, len(offsets), 4)
	for k := len(offsets) - 1; k >= 0; k-- {
		builder.PrependUOffsetT(offsets[k])
	}
	return builder.EndVector(len(offsets))
}

func (o *Operation) encode(builder *flatbuffers.Builder) flatbuffers.UOffsetT {
	name := func(text string) flatbuffers.UOffsetT {
		if text == "" {
			return 0
		}
		return builder.CreateString(text)
	}
	app, node, class := name(o.App), name(o.Node), name(o.NodeClass)
	demand, variance := doubles(builder, o.Demand), doubles(builder, o.Variance)
	least, most := doubles(builder, o.SupportMin), doubles(builder, o.SupportMax)
	load, loadVariance := doubles(builder, o.Load), doubles(builder, o.LoadVariance)
	tags := texts(builder, o.Tags)
	limited, groups, sets := make([]string, 0), make([]string, 0), make([]string, 0)
	for _, limit := range o.Limits {
		limited = append(limited, limit.App)
	}
	for _, one := range o.Sets {
		groups, sets = append(groups, one.Group), append(sets, one.Set)
	}
	limitApp, groupList, setList := texts(builder, limited), texts(builder, groups), texts(builder, sets)
	var atMost flatbuffers.UOffsetT
	if len(o.Limits) > 0 {
		builder.StartVector(4, len(o.Limits), 4)
		for k := len(o.Limits) - 1; k >= 0; k-- {
			builder.PrependUint32(o.Limits[k].AtMost)
		}
		atMost = builder.EndVector(len(o.Limits))
	}
	wire.OperationStart(builder)
	wire.OperationAddKind(builder, wire.OperationKind(o.Kind))
	wire.OperationAddApp(builder, app)
	wire.OperationAddNode(builder, node)
	wire.OperationAddReplicas(builder, o.Replicas)
	wire.OperationAddDemand(builder, demand)
	wire.OperationAddPriority(builder, o.Priority)
	wire.OperationAddVariance(builder, variance)
	wire.OperationAddSupportMin(builder, least)
	wire.OperationAddSupportMax(builder, most)
	if o.AppKind != nil {
		wire.OperationAddAppKind(builder, *o.AppKind)
	}
	wire.OperationAddTags(builder, tags)
	wire.OperationAddLimitApp(builder, limitApp)
	wire.OperationAddLimitAtMost(builder, atMost)
	wire.OperationAddNodeClass(builder, class)
	wire.OperationAddLoad(builder, load)
	wire.OperationAddLoadVariance(builder, loadVariance)
	wire.OperationAddGroups(builder, groupList)
	wire.OperationAddSets(builder, setList)
	return wire.OperationEnd(builder)
}

// Apply applies operations: all of them, or none where one is refused.
// Fails with ErrInvalid, ErrNotFound, ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (s *Session) Apply(operations ...Operation) error {
	builder := flatbuffers.NewBuilder(1024)
	offsets := make([]flatbuffers.UOffsetT, len(operations))
	for k := range operations {
		offsets[k] = operations[k].encode(builder)
	}
	list := offsetsOf(builder, offsets)
	wire.OperationsStart(builder)
	wire.OperationsAddOperations(builder, list)
	builder.FinishWithFileIdentifier(wire.OperationsEnd(builder), []byte("STOS"))
	return s.ApplyBytes(builder.FinishedBytes())
}

// ApplyBytes is Apply for operations that are encoded already (session.fbs); ErrMalformed where they are not.
func (s *Session) ApplyBytes(operations []byte) error {
	return s.use(func(handle *capi.Session) error { return errorOf(capi.SessionApply(handle, operations)) })
}

// Instance is the cluster as it is now, with everything that waits: to be planned while the session goes on, and to verify and
// explain its plans by. It outlives the session.
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

// Plan runs a planner on the cluster as it is now, as Instance.Plan does. Other calls wait for it.
func (s *Session) Plan(ctx context.Context, request Request) (*Plan, error) {
	bytes := request.bytes()
	var plan *Plan
	err := s.use(func(handle *capi.Session) error {
		made, err := watched(ctx, 0, nil, func(control *capi.Control) ([]byte, *capi.Failure) {
			return capi.SessionPlan(handle, bytes, control)
		})
		if made != nil {
			plan = decodePlan(made)
		}
		return err
	})
	return plan, err
}

// CommitMode is how a plan that was made for an earlier version of the cluster is taken.
type CommitMode uint32

// The modes of Commit.
const (
	// CommitExact takes no such plan.
	CommitExact = CommitMode(capi.CommitExact)
	// CommitWhole takes it where everything that it places still fits.
	CommitWhole = CommitMode(capi.CommitWhole)
	// CommitFitting takes it app by app, those whose replicas all still fit.
	CommitFitting = CommitMode(capi.CommitFitting)
)

// Conflict is something of a plan that was not taken; what it concerns stays pending. Kind is a word, such as "no-room";
// report.fbs says what Wanted and Available mean for it. App and Node are empty where it concerns all, or a node without a name.
type Conflict struct {
	Kind, App, Node   string
	Wanted, Available uint64
}

// Commit is what became of a plan.
type Commit struct {
	// Committed: something of it was taken.
	Committed               bool
	PlannedVersion, Version uint64
	// Placed replicas run now and did not before, Moved ones run elsewhere, Ended ones ran and wait now.
	Placed, Moved, Ended uint64
	// Opened nodes, by the names that they were given.
	Opened    []string
	Conflicts []Conflict
}

// Commit makes a plan what runs. Conflicts are no error. Fails with ErrMalformed, ErrInvalid (the plan breaks constraints, or was
// made for no state that the session remembers), ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (s *Session) Commit(plan *Plan, mode CommitMode) (*Commit, error) {
	var commit *Commit
	err := s.use(func(handle *capi.Session) error {
		report, failure := capi.SessionCommit(handle, plan.Bytes, uint32(mode))
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

// Reject drops a plan; what it would have placed stays pending. Fails with ErrInvalid where the session does not remember its
// state of the cluster.
func (s *Session) Reject(plan *Plan) error {
	return s.use(func(handle *capi.Session) error { return errorOf(capi.SessionReject(handle, plan.Bytes)) })
}

// Snapshot is everything that the session knows: what OpenSession goes on from, and an instance for Load.
func (s *Session) Snapshot() (snapshot []byte, err error) {
	err = s.use(func(handle *capi.Session) error {
		bytes, failure := capi.SessionSnapshot(handle)
		snapshot = bytes
		return errorOf(failure)
	})
	return snapshot, err
}
