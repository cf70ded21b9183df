package stowage_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	stowage "stowage.dev/go"
)

// things are what the functions of the library are called with.
type things struct {
	bytes, model, planBytes []byte
	instance                *stowage.Instance
	session                 *stowage.Session
	plan, sessionPlan       *stowage.Plan
	samples                 stowage.Samples
	usage                   stowage.Usage
}

// functions calls every function of the C ABI by the interface of this package. A function beside which one with a control stands
// is the same without it.
var functions = map[string]func(context.Context, *things) (any, error){
	"stowage_bound_watched": func(ctx context.Context, of *things) (any, error) { return of.instance.BoundsContext(ctx) },
	"stowage_buffer_free":   func(context.Context, *things) (any, error) { return stowage.Planners() },
	"stowage_check": func(ctx context.Context, of *things) (any, error) {
		return nil, stowage.CheckContext(ctx, stowage.KindInstance, of.bytes, stowage.Limits{})
	},
	"stowage_control_cancel": func(_ context.Context, of *things) (any, error) {
		ended, cancel := context.WithCancel(context.Background())
		context.AfterFunc(ended, func() {})
		go cancel()
		if _, err := of.instance.Plan(ended, stowage.Request{Planner: "ff"}); err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
		return nil, nil
	},
	"stowage_control_free": planUnderControl,
	"stowage_control_new":  planUnderControl,
	"stowage_control_progress": func(ctx context.Context, of *things) (any, error) {
		return of.instance.PlanWithProgress(ctx, stowage.Request{Planner: "ff"}, time.Millisecond, func(stowage.Progress) {})
	},
	"stowage_control_set_deadline": planUnderControl,
	"stowage_explain":              func(ctx context.Context, of *things) (any, error) { return of.instance.Explain(ctx, of.plan) },
	"stowage_headroom_of_apps_watched": func(ctx context.Context, of *things) (any, error) {
		return of.instance.HeadroomOfAppsContext(ctx, of.plan, 0)
	},
	"stowage_headroom_watched": func(ctx context.Context, of *things) (any, error) {
		return of.instance.HeadroomContext(ctx, of.plan, 0, 0)
	},
	"stowage_instance_derive_watched": func(ctx context.Context, of *things) (any, error) {
		half := 0.5
		return of.instance.DeriveContext(ctx, stowage.Derivation{Demand: &half}, nil)
	},
	"stowage_instance_fingerprint": func(_ context.Context, of *things) (any, error) {
		if of.instance.Fingerprint() != of.plan.Instance {
			return nil, errors.New("another fingerprint")
		}
		return nil, nil
	},
	"stowage_instance_free": func(_ context.Context, of *things) (any, error) { return closed(stowage.Load(of.bytes)) },
	"stowage_instance_load_watched": func(ctx context.Context, of *things) (any, error) {
		return stowage.LoadContext(ctx, of.bytes, stowage.Limits{})
	},
	"stowage_instance_save_watched": func(ctx context.Context, of *things) (any, error) {
		derived, err := of.instance.DeriveContext(ctx, stowage.Derivation{}, nil)
		if err != nil {
			return nil, err
		}
		return derived.BytesContext(ctx)
	},
	"stowage_losses": func(ctx context.Context, of *things) (any, error) {
		return of.instance.Losses(ctx, of.plan, stowage.LossQuestion{})
	},
	"stowage_model_free":          func(_ context.Context, of *things) (any, error) { return closed(stowage.LoadModel(of.model)) },
	"stowage_model_learn_watched": func(ctx context.Context, of *things) (any, error) { return stowage.LearnContext(ctx, of.samples) },
	"stowage_model_load_watched": func(ctx context.Context, of *things) (any, error) {
		return stowage.LoadModelContext(ctx, of.model, stowage.Limits{})
	},
	"stowage_model_recommend_watched": func(ctx context.Context, of *things) (any, error) {
		model, err := stowage.LoadModel(of.model)
		if err != nil {
			return nil, err
		}
		return model.RecommendContext(ctx, stowage.Question{Samples: of.samples, Goal: stowage.Goal{Value: 0.5}})
	},
	"stowage_model_save_watched": func(ctx context.Context, of *things) (any, error) {
		model, err := stowage.LoadModel(of.model)
		if err != nil {
			return nil, err
		}
		return model.SaveContext(ctx)
	},
	"stowage_order_moves": func(ctx context.Context, of *things) (any, error) {
		return of.instance.OrderMoves(ctx, of.plan, stowage.MoveLimits{})
	},
	"stowage_plan": func(ctx context.Context, of *things) (any, error) {
		return of.instance.Plan(ctx, stowage.Request{Planner: "ff"})
	},
	"stowage_planners": func(context.Context, *things) (any, error) { return stowage.Planners() },
	"stowage_session_apply_watched": func(ctx context.Context, of *things) (any, error) {
		return nil, of.session.ApplyContext(ctx, stowage.Operation{Kind: stowage.OpAddNode, Node: "more"})
	},
	"stowage_session_commit_watched": func(ctx context.Context, of *things) (any, error) {
		return of.session.CommitContext(ctx, of.sessionPlan, stowage.CommitFitting)
	},
	"stowage_session_free":             func(_ context.Context, of *things) (any, error) { return closed(stowage.OpenSession(of.bytes)) },
	"stowage_session_instance_watched": func(ctx context.Context, of *things) (any, error) { return of.session.InstanceContext(ctx) },
	"stowage_session_open_watched": func(ctx context.Context, of *things) (any, error) {
		return stowage.OpenSessionContext(ctx, of.bytes, stowage.Limits{})
	},
	"stowage_session_plan": func(ctx context.Context, of *things) (any, error) {
		return of.session.Plan(ctx, stowage.Request{Planner: "ff"})
	},
	"stowage_session_reject_watched": func(ctx context.Context, of *things) (any, error) {
		if err := of.session.RejectContext(ctx, of.sessionPlan); !errors.Is(err, stowage.ErrInvalid) {
			return nil, err
		}
		return nil, nil // it was committed before
	},
	"stowage_session_snapshot_watched": func(ctx context.Context, of *things) (any, error) { return of.session.ClusterContext(ctx) },
	"stowage_session_version":          func(_ context.Context, of *things) (any, error) { return of.session.Version(), nil },
	"stowage_size_watched":             func(ctx context.Context, of *things) (any, error) { return stowage.SizeContext(ctx, of.usage) },
	"stowage_status_text": func(ctx context.Context, of *things) (any, error) {
		if _, err := of.instance.Plan(ctx, stowage.Request{Planner: "best"}); !errors.Is(err, stowage.ErrNotFound) {
			return nil, err
		}
		return nil, nil
	},
	"stowage_verify_watched": func(ctx context.Context, of *things) (any, error) {
		return of.instance.VerifyContext(ctx, of.planBytes)
	},
	"stowage_version": func(context.Context, *things) (any, error) { return stowage.Version(), nil },
}

// closed closes what a call has made.
func closed[Made interface{ Close() error }](made Made, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return nil, made.Close()
}

func planUnderControl(_ context.Context, of *things) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	return of.instance.Plan(ctx, stowage.Request{Planner: "ff"})
}

// onlyC are the functions that programs in Go cannot call: a solver is called back, and each call has a control of its own.
var onlyC = map[string]bool{"stowage_control_set_solver": true, "stowage_control_reset": true}

func TestFunctionsAreThoseOfTheInventory(t *testing.T) {
	content, err := os.ReadFile("../../capi/abi/abi.json")
	if err != nil {
		t.Fatal(err)
	}
	var abi struct{ Functions map[string]any }
	if err := json.Unmarshal(content, &abi); err != nil {
		t.Fatal(err)
	}
	for name := range abi.Functions {
		if _, watched := abi.Functions[name+"_watched"]; functions[name] == nil && !watched && !onlyC[name] {
			t.Errorf("nothing calls %s from a callback, and nothing cancels it", name)
		}
	}
	for name := range functions {
		if abi.Functions[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
}

// thingsOf makes what functions need of an instance.
func thingsOf(t testing.TB, builder *stowage.Builder, profiled int) *things {
	t.Helper()
	of := &things{samples: stowage.Samples{Resources: []string{"cpu"}}}
	for app := range uint32(profiled) {
		of.samples.Apps = append(of.samples.Apps, "a"+string(rune('a'+app%26))+strings.Repeat("x", int(app/26)))
		of.samples.RowApp = append(of.samples.RowApp, app, app)
		of.samples.RowAmounts = append(of.samples.RowAmounts, 1, 2)
		of.samples.RowValue = append(of.samples.RowValue, 0.4+float64(app%10)/100, 0.9)
	}
	of.usage = stowage.Usage{
		Apps: []string{"web"}, Resources: []string{"cpu"}, App: make([]uint32, 100*profiled), Rules: []stowage.SizeRule{{}},
	}
	for k := range of.usage.App {
		of.usage.Time = append(of.usage.Time, float64(60*k))
		of.usage.Amount = append(of.usage.Amount, float64(1+k%7))
	}
	var err error
	check := func(doing string) {
		if err != nil {
			t.Fatal(doing, err)
		}
	}
	of.bytes, err = builder.Bytes()
	check("bytes")
	of.instance, err = stowage.Load(of.bytes)
	check("load")
	t.Cleanup(func() { _ = of.instance.Close() })
	of.session, err = stowage.OpenSession(of.bytes)
	check("open")
	t.Cleanup(func() { _ = of.session.Close() })
	of.sessionPlan, err = of.session.Plan(t.Context(), stowage.Request{Planner: "ff"})
	check("plan of the session")
	of.plan, err = of.instance.Plan(t.Context(), stowage.Request{Planner: "ff"})
	check("plan")
	of.planBytes = of.plan.Bytes
	model, err := stowage.Learn(of.samples)
	check("learn")
	defer model.Close()
	of.model, err = model.Save()
	check("save")
	return of
}

// hung is how long nothing takes that is not blocked, also on a busy machine.
const hung = 20 * time.Second

// inTime fails where a function does not return.
func inTime(t *testing.T, what string, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(hung):
		t.Fatalf("%s: blocked", what)
		return nil
	}
}

// once calls a function in the first report of a run that lasts until it has returned.
func once(t *testing.T, plan func(context.Context, func(stowage.Progress)) (*stowage.Plan, error), call func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	called := false
	err := inTime(t, "the run", func() error {
		_, err := plan(ctx, func(stowage.Progress) {
			if !called {
				called = true
				call()
				cancel()
			}
		})
		return err
	})
	if !called || !errors.Is(err, context.Canceled) {
		t.Errorf("called %v: %v", called, err)
	}
}

var search = stowage.Request{Planner: "auto", Deadline: time.Minute}

func TestEveryFunctionInTheCallbackOfAnInstance(t *testing.T) {
	of := thingsOf(t, workload(60, 20), 4)
	most := time.Duration(0)
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		function := functions[name]
		once(t, func(ctx context.Context, report func(stowage.Progress)) (*stowage.Plan, error) {
			return of.instance.PlanWithProgress(ctx, search, time.Millisecond, report)
		}, func() {
			start := time.Now()
			if _, err := function(context.Background(), of); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			most = max(most, time.Since(start))
		})
	}
	t.Logf("the longest took %v", most)
}

func TestEveryFunctionInTheCallbackOfASession(t *testing.T) {
	of := thingsOf(t, workload(60, 20), 4)
	before := of.session.Version()
	most := time.Duration(0)
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		function := functions[name]
		once(t, func(ctx context.Context, report func(stowage.Progress)) (*stowage.Plan, error) {
			return of.session.PlanWithProgress(ctx, search, time.Millisecond, report)
		}, func() {
			start := time.Now()
			_, err := function(context.Background(), of)
			own := strings.HasPrefix(name, "stowage_session_") && !strings.HasSuffix(name, "_free") &&
				!strings.HasSuffix(name, "_version") && !strings.HasSuffix(name, "_open_watched")
			if own && !errors.Is(err, stowage.ErrBusy) || !own && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			most = max(most, time.Since(start))
		})
	}
	t.Logf("the longest took %v", most)
	if of.session.Version() != before {
		t.Error("the session has changed")
	}
	if err := of.session.Apply(stowage.Operation{Kind: stowage.OpAddNode, Node: "later"}); err != nil {
		t.Error("after the run", err)
	}
}

// A goroutine that the callback starts has its turn after the run; the callback may wait for it.
func TestAGoroutineOfACallbackHasItsTurn(t *testing.T) {
	big, err := workload(60, 20).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	session, err := stowage.OpenSession(big)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	request := search
	request.Deadline = 300 * time.Millisecond
	called := false
	err = inTime(t, "the run", func() error {
		_, err := session.PlanWithProgress(t.Context(), request, 50*time.Millisecond, func(stowage.Progress) {
			if called {
				return
			}
			called = true
			applied := make(chan error)
			go func() { applied <- session.Apply(stowage.Operation{Kind: stowage.OpAddNode, Node: "more"}) }()
			if err := <-applied; err != nil {
				t.Error(err)
			}
		})
		return err
	})
	if err != nil || !called || session.Version() != 1 {
		t.Errorf("called %v, version %d: %v", called, session.Version(), err)
	}
}

func TestCloseInACallback(t *testing.T) {
	of := thingsOf(t, workload(60, 20), 4)
	for name, one := range map[string]struct {
		plan  func(context.Context, func(stowage.Progress)) (*stowage.Plan, error)
		close func() error
	}{
		"instance": {func(ctx context.Context, report func(stowage.Progress)) (*stowage.Plan, error) {
			return of.instance.PlanWithProgress(ctx, search, time.Millisecond, report)
		}, of.instance.Close},
		"session": {func(ctx context.Context, report func(stowage.Progress)) (*stowage.Plan, error) {
			return of.session.PlanWithProgress(ctx, search, time.Millisecond, report)
		}, of.session.Close},
	} {
		once(t, one.plan, func() {
			if err := one.close(); err != nil {
				t.Error(name, err)
			}
		})
		if _, err := one.plan(t.Context(), nil); !errors.Is(err, stowage.ErrClosed) {
			t.Errorf("%s is closed: %v", name, err)
		}
	}
	if of.session.Version() != 0 || of.instance.Fingerprint() != 0 {
		t.Error("they are closed")
	}
}

func TestAPanicOfACallbackCancelsTheRun(t *testing.T) {
	instance := build(t, workload(60, 20))
	err := inTime(t, "the run", func() (err error) {
		defer func() {
			if found := recover(); found != "mine" {
				t.Errorf("panic %v", found)
			}
		}()
		_, err = instance.PlanWithProgress(t.Context(), search, time.Millisecond, func(stowage.Progress) { panic("mine") })
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWaitingForATurnEndsWithTheContext(t *testing.T) {
	of := thingsOf(t, workload(60, 20), 4)
	running, stop := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		first := true
		_, _ = of.session.PlanWithProgress(running, search, time.Millisecond, func(stowage.Progress) {
			if first {
				first = false
				close(began)
			}
		})
	}()
	<-began
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		function := functions[name]
		if !strings.HasPrefix(name, "stowage_session_") || strings.HasSuffix(name, "_free") {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		err := inTime(t, name, func() error { _, err := function(ctx, of); return err })
		cancel()
		if free := strings.HasSuffix(name, "_version") || strings.HasSuffix(name, "_open_watched"); !free && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Those that wait are not kept by Close either.
	waiting := make(chan error)
	go func() { waiting <- of.session.Apply() }()
	if err := inTime(t, "Close", of.session.Close); err != nil {
		t.Error(err)
	}
	stop()
	if err := inTime(t, "the call that waits", func() error { return <-waiting }); !errors.Is(err, stowage.ErrClosed) {
		t.Error(err)
	}
	<-ended
}

func TestWhatIsMissingIsAnError(t *testing.T) {
	instance, session := build(t, small()), started(t)
	ctx := t.Context()
	var noInstance stowage.Instance
	var noSession stowage.Session
	var noModel stowage.Model
	for name, one := range map[string]struct {
		call func() error
		want error
	}{
		"explain":     {func() error { _, err := instance.Explain(ctx, nil); return err }, stowage.ErrInvalidArgument},
		"headroom":    {func() error { _, err := instance.Headroom(nil, 0, 0); return err }, stowage.ErrInvalidArgument},
		"order moves": {func() error { _, err := instance.OrderMoves(ctx, nil, stowage.MoveLimits{}); return err }, stowage.ErrInvalidArgument},
		"verify":      {func() error { _, err := instance.Verify(nil); return err }, stowage.ErrInvalidArgument},
		"read plan":   {func() error { _, err := stowage.ReadPlan(nil); return err }, stowage.ErrInvalidArgument},
		"commit":      {func() error { _, err := session.Commit(nil, stowage.CommitExact); return err }, stowage.ErrInvalidArgument},
		"reject":      {func() error { return session.Reject(nil) }, stowage.ErrInvalidArgument},
		"instance":    {func() error { _, err := noInstance.Plan(ctx, search); return err }, stowage.ErrClosed},
		"session":     {func() error { return noSession.Apply() }, stowage.ErrClosed},
		"model":       {func() error { _, err := noModel.Save(); return err }, stowage.ErrClosed},
		"close":       {func() error { return errors.Join(noInstance.Close(), noSession.Close(), noModel.Close()) }, nil},
	} {
		if err := one.call(); !errors.Is(err, one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
