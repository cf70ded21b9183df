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
// plan is committed. docs/understand/sessions.md states the rules. A call that fails leaves the session unchanged. Calls from several
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

// LimitOn is an affinity limit: beside a replica of the app, at most AtMost replicas of the named app on the same node. The
// app's own name limits its replicas per node.
type LimitOn struct {
	App    string
	AtMost uint32
}

// Membership of a node in a set of a group.
type Membership struct{ Group, Set string }

// namedRule writes a rule with its tags and groups by name; nothing for nil.
func (e *encoder) namedRule(rule *Rule) flatbuffers.UOffsetT {
	if rule == nil {
		return 0
	}
	anyOf := e.offsets(len(rule.AnyOf), func(c int) flatbuffers.UOffsetT {
		allOf := tables(e, rule.AnyOf[c], writeCardinality)
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
	e := &encoder{Builder: flatbuffers.NewBuilder(1024)}
	list := tables(e, operations, writeOperation)
	wire.OperationsStart(e.Builder)
	wire.OperationsAddOperations(e.Builder, list)
	return s.ApplyBytesContext(ctx, e.finish(wire.OperationsEnd(e.Builder), "STOS"))
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

// Commit commits a plan: its replicas run from now on. Conflicts are no error. Fails with ErrMalformed, ErrInvalid (the plan
// breaks constraints, or the session does not remember its state), ErrInvalidArgument (no plan), ErrLimitExceeded, ErrOutOfMemory,
// ErrBusy or ErrClosed.
func (s *Session) Commit(plan *Plan, mode CommitMode) (*Commit, error) {
	return s.CommitContext(context.Background(), plan, mode)
}

// CommitContext is Commit with a context. When ctx ends first, it fails with an error that wraps the context's.
func (s *Session) CommitContext(ctx context.Context, plan *Plan, mode CommitMode) (*Commit, error) {
	return askSession(ctx, s, bodyAs(readCommit), func(handle *capi.Session, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.SessionCommit(handle, bytesOf(plan), uint32(mode), control)
	})
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
