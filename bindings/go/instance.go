package stowage

import (
	"context"
	"fmt"
	"runtime"
	"sync"
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

// Instance is everything known before planning, checked and immutable. Any number of goroutines may use it at once. Close frees
// it; without Close, it is freed after it has become unreachable.
type Instance struct {
	mutex   sync.RWMutex // held for reading by every call of the library
	handle  *capi.Instance
	cleanup runtime.Cleanup
}

// Load reads and checks an instance (instance.fbs, .stow). The bytes are read during the call only. Fails with ErrMalformed,
// ErrInvalid, ErrLimitExceeded or ErrOutOfMemory.
func Load(bytes []byte) (*Instance, error) { return load(bytes, nil) }

// LoadWithin is Load with the caller's limits; it refuses a larger instance.
func LoadWithin(bytes []byte, limits Limits) (*Instance, error) {
	return load(bytes, limits.raw())
}

func (l Limits) raw() *capi.Limits {
	return &capi.Limits{
		MaxBytes: l.Bytes, MaxApps: l.Apps, MaxReplicas: l.Replicas, MaxLimits: l.Limits,
		MaxNodes: l.Nodes, MaxCells: l.Cells, MaxThreads: l.Threads, MaxMemory: l.Memory,
	}
}

func load(bytes []byte, limits *capi.Limits) (*Instance, error) {
	handle, failure := capi.Load(bytes, limits)
	if failure != nil {
		return nil, errorOf(failure)
	}
	return instanceOf(handle), nil
}

func instanceOf(handle *capi.Instance) *Instance {
	instance := &Instance{handle: handle}
	instance.cleanup = runtime.AddCleanup(instance, capi.FreeInstance, handle)
	return instance
}

// Close waits for the calls that use the instance and frees it. Closing again does nothing. The error is always nil.
func (i *Instance) Close() error {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.handle != nil {
		i.cleanup.Stop()
		capi.FreeInstance(i.handle)
		i.handle = nil
	}
	return nil
}

// use calls a function with the handle and keeps the handle alive until it returns.
func (i *Instance) use(call func(*capi.Instance) error) error {
	i.mutex.RLock()
	defer i.mutex.RUnlock()
	if i.handle == nil {
		return ErrClosed
	}
	return call(i.handle)
}

// Fingerprint of the content, the same on every platform. A plan carries the fingerprint of the instance it was made for. 0
// once closed.
func (i *Instance) Fingerprint() (fingerprint uint64) {
	_ = i.use(func(handle *capi.Instance) error {
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
	return i.run(ctx, request, 0, nil)
}

// PlanWithProgress is Plan with progress reports: it calls report from another goroutine at the given interval until the run
// ends. It panics where interval is not positive.
func (i *Instance) PlanWithProgress(
	ctx context.Context, request Request, interval time.Duration, report func(Progress),
) (*Plan, error) {
	if interval <= 0 {
		panic("stowage: the interval must be positive")
	}
	return i.run(ctx, request, interval, report)
}

func (i *Instance) run(ctx context.Context, request Request, interval time.Duration, report func(Progress)) (*Plan, error) {
	bytes := request.bytes()
	var plan *Plan
	err := i.use(func(handle *capi.Instance) error {
		made, err := watched(ctx, interval, report, func(control *capi.Control) ([]byte, *capi.Failure) {
			return take(capi.Plan(handle, bytes, control))
		})
		if made != nil {
			plan = decodePlan(made)
		}
		return err
	})
	return plan, err
}

// take copies the buffer that a call has returned, and frees the library's buffer.
func take(buffer capi.Buffer, failure *capi.Failure) ([]byte, *capi.Failure) {
	if failure != nil {
		return nil, failure
	}
	defer capi.FreeBuffer(&buffer)
	return append([]byte(nil), capi.Bytes(&buffer)...), nil
}

// watched runs a call with a control, which the context cancels and from which progress is read.
func watched(
	ctx context.Context, interval time.Duration, report func(Progress), call func(*capi.Control) ([]byte, *capi.Failure),
) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	if ctx.Done() == nil && report == nil {
		made, failure := call(nil)
		return made, errorOf(failure)
	}
	control, failure := capi.NewControl()
	if failure != nil {
		return nil, errorOf(failure)
	}
	defer capi.FreeControl(control)

	cancelled := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		capi.Cancel(control)
		close(cancelled)
	})
	var reporter sync.WaitGroup
	finished := make(chan struct{})
	if report != nil {
		reporter.Add(1)
		go func() {
			defer reporter.Done()
			poll(control, interval, report, finished)
		}()
	}
	made, failure := call(control)
	// The control is freed only after its last use.
	close(finished)
	reporter.Wait()
	if stop() {
		return made, errorOf(failure)
	}
	<-cancelled
	if failure != nil {
		return nil, errorOf(failure)
	}
	return made, interrupted(ctx)
}

func interrupted(ctx context.Context) error { return fmt.Errorf("stowage: %w", context.Cause(ctx)) }

func poll(control *capi.Control, interval time.Duration, report func(Progress), finished <-chan struct{}) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			return
		case <-ticker.C:
			if progress, status := capi.ReadProgress(control); status == capi.OK {
				report(progressOf(progress))
			}
		}
	}
}

// Verify checks a plan on the original numbers, independently of the planners. A plan that breaks constraints is no error: the
// Verification reports it. The bytes need not be trusted. Fails with ErrMalformed, ErrOutOfMemory or ErrClosed.
func (i *Instance) Verify(plan []byte) (*Verification, error) {
	var found *Verification
	err := i.use(func(handle *capi.Instance) error {
		report, failure := take(capi.Verify(handle, plan))
		if failure != nil {
			return errorOf(failure)
		}
		found = decodeVerification(report)
		return nil
	})
	return found, err
}

// Explain returns what determines the plan's number of nodes, and why replicas are unplaced. When the context ends, it returns
// what was found so far with an error, like Plan. Fails with ErrMalformed, ErrInvalid (not a plan of this instance),
// ErrOutOfMemory or ErrClosed.
func (i *Instance) Explain(ctx context.Context, plan *Plan) (*Explanation, error) {
	return i.explain(ctx, plan, capi.AllUnplaced)
}

// ExplainApp is Explain for one app, whether or not it is fully placed. Fails with ErrInvalid where there is no such app.
func (i *Instance) ExplainApp(ctx context.Context, plan *Plan, app uint32) (*Explanation, error) {
	return i.explain(ctx, plan, app)
}

func (i *Instance) explain(ctx context.Context, plan *Plan, app uint32) (*Explanation, error) {
	var found *Explanation
	err := i.use(func(handle *capi.Instance) error {
		report, err := watched(ctx, 0, nil, func(control *capi.Control) ([]byte, *capi.Failure) {
			return take(capi.Explain(handle, plan.Bytes, app, control))
		})
		if report != nil {
			found = decodeExplanation(report)
		}
		return err
	})
	return found, err
}

// Headroom returns how many more replicas of an app each node of the plan takes, the plan being otherwise as it is. node is a
// node of the plan whose obstacles are returned as well, or NoIndex. Fails with ErrMalformed, ErrInvalid (not a plan of this
// instance, or no such app or node), ErrOutOfMemory or ErrClosed.
func (i *Instance) Headroom(plan *Plan, app, node uint32) (*Headroom, error) {
	var found *Headroom
	err := i.use(func(handle *capi.Instance) error {
		report, failure := take(capi.Headroom(handle, plan.Bytes, app, node))
		if failure != nil {
			return errorOf(failure)
		}
		found = decodeHeadroom(report)
		return nil
	})
	return found, err
}

// HeadroomOfApps returns how many more replicas of each app a cluster takes, one app growing at a time. A nil plan stands for what
// runs or is pinned. Counts on each node end at most, or at the number of replicas that the app wants where most is 0. Fails with
// ErrMalformed, ErrInvalid (not a plan of this instance, or most is above 1e9), ErrOutOfMemory or ErrClosed.
func (i *Instance) HeadroomOfApps(plan *Plan, most uint32) (*HeadroomOfApps, error) {
	var found *HeadroomOfApps
	err := i.use(func(handle *capi.Instance) error {
		report, failure := take(capi.HeadroomOfApps(handle, bytesOf(plan), most))
		if failure != nil {
			return errorOf(failure)
		}
		found = decodeHeadroomOfApps(report)
		return nil
	})
	return found, err
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
// stands for what runs or is pinned. If ctx ends, what was not looked at yet is left out. Fails with ErrMalformed, ErrInvalid (not
// a plan of this instance, or one that breaks constraints; no such node or label), ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (i *Instance) Losses(ctx context.Context, plan *Plan, question LossQuestion) ([]Loss, error) {
	var found []Loss
	err := i.use(func(handle *capi.Instance) error {
		report, err := watched(ctx, 0, nil, func(control *capi.Control) ([]byte, *capi.Failure) {
			return take(capi.Losses(handle, bytesOf(plan), question.Nodes, question.Label, control))
		})
		if err == nil {
			found = decodeLosses(report)
		}
		return err
	})
	return found, err
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

// OrderMoves puts the moves of a valid plan in waves that keep every hard constraint at every step. If ctx ends, what is not
// ordered yet is stuck. Fails with ErrMalformed, ErrInvalid (not a plan of this instance, or one that breaks constraints; a share
// that is none), ErrLimitExceeded, ErrOutOfMemory or ErrClosed.
func (i *Instance) OrderMoves(ctx context.Context, plan *Plan, limits MoveLimits) (*MoveOrder, error) {
	if limits.AppShare == 0 {
		limits.AppShare = 1
	}
	var found *MoveOrder
	err := i.use(func(handle *capi.Instance) error {
		report, err := watched(ctx, 0, nil, func(control *capi.Control) ([]byte, *capi.Failure) {
			return take(capi.OrderMoves(handle, plan.Bytes, limits.PerNode, limits.AppShare, control))
		})
		if report != nil {
			found = decodeMoveOrder(report)
		}
		return err
	})
	return found, err
}

// Bounds returns lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first.
func (i *Instance) Bounds() ([]BoundEntry, error) {
	var found []BoundEntry
	err := i.use(func(handle *capi.Instance) error {
		report, failure := take(capi.Bound(handle))
		if failure != nil {
			return errorOf(failure)
		}
		found = decodeBounds(report)
		return nil
	})
	return found, err
}

// Planners is the catalogue of planners.
func Planners() ([]Planner, error) {
	catalogue, failure := take(capi.Planners())
	if failure != nil {
		return nil, errorOf(failure)
	}
	return decodeCatalogue(catalogue), nil
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
