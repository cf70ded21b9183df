package stowage

import (
	"context"
	"fmt"
	"time"

	"stowage.dev/go/internal/capi"
)

// Version of the library that is linked, "major.minor.patch".
func Version() string { return capi.LibraryVersion() }

// HeaderVersion is the version of the stowage.h that this package was compiled with. Before 1.0 it must equal Version.
func HeaderVersion() string {
	return fmt.Sprintf("%d.%d.%d", capi.VersionMajor, capi.VersionMinor, capi.VersionPatch)
}

// Limits is the largest instance that the caller accepts. 0 stands for the default that stowage.h states.
type Limits struct {
	Bytes    uint64 // bytes of the buffer
	Apps     uint64
	Replicas uint64 // summed over all apps
	Limits   uint64 // affinity limits
	Nodes    uint64 // listed nodes, and nodes in use in a plan
	Cells    uint64 // apps x resources x periods
	Threads  uint64 // threads of one run
	Memory   uint64 // bytes that loading may take beside the buffer, estimated
}

// Instance is everything known before planning, checked and immutable. Any number of goroutines may use it at once, and so may
// progress callbacks. Close ends its use; without Close, it is freed after it has become unreachable.
type Instance struct {
	shared *shared[*capi.Instance]
}

// Load reads and checks an instance (instance.fbs, .stow). The bytes are read during the call only. Fails with ErrMalformed,
// ErrInvalid, ErrLimitExceeded or ErrOutOfMemory.
func Load(bytes []byte) (*Instance, error) {
	return LoadContext(context.Background(), bytes, Limits{})
}

// LoadWithin is Load with the caller's limits; it refuses a larger instance.
func LoadWithin(bytes []byte, limits Limits) (*Instance, error) {
	return LoadContext(context.Background(), bytes, limits)
}

// LoadContext is LoadWithin with a context. When ctx ends first, it fails with an error that wraps the context's.
func LoadContext(ctx context.Context, bytes []byte, limits Limits) (instance *Instance, err error) {
	err = whole(ctx, func(control *capi.Control) error {
		handle, failure := capi.Load(bytes, limits.raw(), control)
		instance = instanceOf(handle, weightOf(len(bytes)))
		return errorOf(failure)
	})
	return instance, err
}

func (l Limits) raw() *capi.Limits {
	return &capi.Limits{
		MaxBytes: l.Bytes, MaxApps: l.Apps, MaxReplicas: l.Replicas, MaxLimits: l.Limits,
		MaxNodes: l.Nodes, MaxCells: l.Cells, MaxThreads: l.Threads, MaxMemory: l.Memory,
	}
}

// instanceOf takes over what a call has made; nil where it made none.
func instanceOf(handle *capi.Instance, weight int64) *Instance {
	if handle == nil {
		return nil
	}
	instance := &Instance{}
	instance.shared = share(instance, handle, capi.FreeInstance, weight)
	return instance
}

// Close ends the use of the instance: later calls fail with ErrClosed. It does not wait; calls under way go on, and the last one
// frees the instance. Closing again does nothing. The error is always nil.
func (i *Instance) Close() error {
	i.shared.close()
	return nil
}

// Fingerprint of the content, the same on every platform. A plan carries the fingerprint of the instance it was made for. 0
// once closed.
func (i *Instance) Fingerprint() (fingerprint uint64) {
	_ = i.shared.use(func(handle *capi.Instance) error {
		fingerprint = capi.Fingerprint(handle)
		return nil
	})
	return fingerprint
}

// Plan runs a planner.
//
// When the context ends, the run ends within about 50 ms, and Plan returns both its best plan and an error that wraps the
// context's error. A caller may use the plan or treat the error like any other. A context that has ended before the call gives
// no plan. A deadline in the request also ends a run; this is no error, and the plan's status shows it.
//
// Fails with ErrUnsupported, ErrNotFound, ErrInvalid, ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (i *Instance) Plan(ctx context.Context, request Request) (*Plan, error) {
	return i.plan(ctx, request, partly)
}

// PlanWithProgress is Plan with progress reports: it calls report at the given interval until the run ends, on the goroutine of the
// caller. The run goes on meanwhile. report may call every function of this package, also Close on this instance. Where it panics,
// the run is cancelled. PlanWithProgress panics where interval is not positive.
func (i *Instance) PlanWithProgress(
	ctx context.Context, request Request, interval time.Duration, report func(Progress),
) (*Plan, error) {
	return i.plan(ctx, request, func(ctx context.Context, call func(*capi.Control) error) error {
		return reported(ctx, interval, report, call)
	})
}

func (i *Instance) plan(ctx context.Context, request Request, by maker) (*Plan, error) {
	bytes := request.bytes()
	return ask(ctx, i.shared, by, decodePlan, func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Plan(handle, bytes, control)
	})
}

// Verify checks a plan on the original numbers, independently of the planners. A plan that breaks constraints is no error: the
// Verification reports it. The bytes need not be trusted. Fails with ErrMalformed, ErrOutOfMemory or ErrClosed.
func (i *Instance) Verify(plan []byte) (*Verification, error) {
	return i.VerifyContext(context.Background(), plan)
}

// VerifyContext is Verify with a context. When ctx ends first, it fails with an error that wraps the context's.
func (i *Instance) VerifyContext(ctx context.Context, plan []byte) (*Verification, error) {
	return ask(ctx, i.shared, whole, bodyAs(readVerification), func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Verify(handle, plan, control)
	})
}

// Explain returns what determines the plan's number of nodes, and why replicas are unplaced. When the context ends, it returns
// what was found so far with an error, like Plan. Fails with ErrMalformed, ErrInvalid (not a plan of this instance),
// ErrInvalidArgument (no plan), ErrOutOfMemory or ErrClosed.
func (i *Instance) Explain(ctx context.Context, plan *Plan) (*Explanation, error) {
	return i.ExplainApp(ctx, plan, capi.AllUnplaced)
}

// ExplainApp is Explain for one app, whether or not it is fully placed. Fails with ErrInvalid where there is no such app.
func (i *Instance) ExplainApp(ctx context.Context, plan *Plan, app uint32) (*Explanation, error) {
	return ask(ctx, i.shared, partly, decodeExplanation, func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Explain(handle, bytesOf(plan), app, control)
	})
}

// Headroom returns how many more replicas of an app each node of the plan takes, the plan being otherwise as it is. node is a
// node of the plan whose obstacles are returned as well, or NoIndex. Fails with ErrMalformed, ErrInvalid (not a plan of this
// instance, or no such app or node), ErrInvalidArgument (no plan), ErrOutOfMemory or ErrClosed.
func (i *Instance) Headroom(plan *Plan, app, node uint32) (*Headroom, error) {
	return i.HeadroomContext(context.Background(), plan, app, node)
}

// HeadroomContext is Headroom with a context. When ctx ends first, it fails with an error that wraps the context's.
func (i *Instance) HeadroomContext(ctx context.Context, plan *Plan, app, node uint32) (*Headroom, error) {
	return ask(ctx, i.shared, whole, bodyAs(readHeadroom), func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Headroom(handle, bytesOf(plan), app, node, control)
	})
}

// HeadroomOfApps returns how many more replicas of each app a cluster takes, one app growing at a time. A nil plan stands for what
// runs or is pinned. Counts on each node end at most, or at the number of replicas that the app wants where most is 0. Fails with
// ErrMalformed, ErrInvalid (not a plan of this instance, or most is above 1e9), ErrOutOfMemory or ErrClosed.
func (i *Instance) HeadroomOfApps(plan *Plan, most uint32) (*HeadroomOfApps, error) {
	return i.HeadroomOfAppsContext(context.Background(), plan, most)
}

// HeadroomOfAppsContext is HeadroomOfApps with a context. When ctx ends first, it fails with an error that wraps the context's.
func (i *Instance) HeadroomOfAppsContext(ctx context.Context, plan *Plan, most uint32) (*HeadroomOfApps, error) {
	return ask(ctx, i.shared, whole, bodyAs(readHeadroomOfApps), func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.HeadroomOfApps(handle, bytesOf(plan), most, control)
	})
}

// LossQuestion is what is lost: Nodes together; or, without Nodes, all nodes with the same value of the label Label, one value
// after the other; or, without both, each node by itself.
type LossQuestion struct {
	// Nodes: the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself.
	Nodes []uint32
	// Label: the key of a label.
	Label string
}

// Losses finds out which replicas of lost nodes find a place on what remains, while all others stay; worst first. A nil plan
// stands for what runs or is pinned. When the context ends, it returns what was looked at so far with an error, like Plan. Fails
// with ErrMalformed, ErrInvalid (not a plan of this instance, or one that breaks constraints; no such node or label),
// ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (i *Instance) Losses(ctx context.Context, plan *Plan, question LossQuestion) ([]Loss, error) {
	return ask(ctx, i.shared, partly, decodeLosses, func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Losses(handle, bytesOf(plan), question.Nodes, question.Label, control)
	})
}

func bytesOf(plan *Plan) []byte {
	if plan == nil {
		return nil
	}
	return plan.Bytes
}

// MoveLimits is what may happen at the same time.
type MoveLimits struct {
	// PerNode: moves of one wave from or to the same node; 0 = any number.
	PerNode uint32
	// AppShare: the share of an app's replicas that may move in one wave, but at least one replica; 0 = all of them.
	AppShare float64
}

// OrderMoves puts the moves of a valid plan in waves that keep every hard constraint at every step. When the context ends, what is
// not ordered yet is stuck, and the order is returned with an error, like Plan. Fails with ErrMalformed, ErrInvalid (not a plan of
// this instance, or one that breaks constraints; a share that is none), ErrInvalidArgument (no plan), ErrLimitExceeded,
// ErrOutOfMemory or ErrClosed.
func (i *Instance) OrderMoves(ctx context.Context, plan *Plan, limits MoveLimits) (*MoveOrder, error) {
	if limits.AppShare == 0 {
		limits.AppShare = 1
	}
	return ask(ctx, i.shared, partly, bodyAs(readMoveOrder), func(handle *capi.Instance, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.OrderMoves(handle, bytesOf(plan), limits.PerNode, limits.AppShare, control)
	})
}

// Bounds returns lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first.
func (i *Instance) Bounds() ([]BoundEntry, error) { return i.BoundsContext(context.Background()) }

// BoundsContext is Bounds with a context. When ctx ends, it returns the bounds found so far with an error, like Plan.
func (i *Instance) BoundsContext(ctx context.Context) ([]BoundEntry, error) {
	return ask(ctx, i.shared, partly, decodeBounds, capi.Bound)
}

// Planners is the catalogue of planners.
func Planners() ([]Planner, error) {
	catalogue, failure := capi.Planners()
	if failure != nil {
		return nil, errorOf(failure)
	}
	return decodeCatalogue(take(&catalogue)), nil
}

// Phase is the phase of a run.
type Phase uint32

// The phases of a run, in order.
const (
	PhaseIdle Phase = iota
	PhasePrepare
	PhasePlan
	PhaseImprove
	PhaseBound
	PhaseVerify
	PhaseDone
)

var phaseNames = [...]string{"idle", "prepare", "plan", "improve", "bound", "verify", "done"}

func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return fmt.Sprintf("phase %d", uint32(p))
}

// Progress of a run.
type Progress struct {
	Phase Phase
	// Done is how far the phase has come: replicas or nodes handled; while a plan is improved, work units of the work limit, else
	// milliseconds of the deadline. Total is its value at the end of the phase, 0 = not known.
	Done, Total uint64
	// Best is the number of nodes in use in the best plan so far; 0 = none yet.
	Best uint64
	// Value is what the objective minimizes, in the best plan so far; negative = not known.
	Value float64
	// LeftOver is the number of replicas that the best plan so far leaves over.
	LeftOver uint64
	// Work units done in all phases.
	Work uint64
	// Spent is the wall-clock time of each phase that has ended.
	Spent map[Phase]time.Duration
}

func progressOf(raw capi.Progress) Progress {
	spent := make(map[Phase]time.Duration, len(raw.Nanoseconds))
	for phase, nanoseconds := range raw.Nanoseconds {
		spent[Phase(phase)] = time.Duration(nanoseconds)
	}
	return Progress{Phase(raw.Phase), raw.Done, raw.Total, raw.Best, raw.Value, raw.LeftOver, raw.Work, spent}
}
