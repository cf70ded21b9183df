package stowage

import (
	"context"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/wire"
)

// Measure says what was measured of apps.
type Measure byte

// What was measured.
const (
	// Performance is in [0, 1], higher is better.
	Performance = Measure(wire.MeasurePerformance)
	// Latency is in milliseconds, above 0, lower is better.
	Latency = Measure(wire.MeasureLatency)
)

// Feature is what is known of apps before anything is measured. Exactly one of Numbers and Words has an entry per app.
type Feature struct {
	Name    string
	Numbers []float64 // NaN = not known
	Words   []string  // empty = not known
}

// Samples are measurements of apps with some configurations, in columns.
type Samples struct {
	Measure   Measure
	Resources []string
	Apps      []string
	Features  []Feature
	Asked     []float64 // apps x resources, or nil; NaN = not known
	// An entry per measurement.
	RowApp         []uint32  // index into Apps
	RowAmounts     []float64 // rows x resources
	RowCollocation []uint32  // nil = all 1
	RowValue       []float64
}

// Goal is what recommended configurations are to reach.
type Goal struct {
	Value      float64   // a performance to reach, or a latency not to exceed
	Confidence float64   // probability with which the goal is to be met; 0 = 0.8
	Cost       []float64 // of one unit of each resource; nil = the largest amount of each costs 1
	KeepAsked  bool      // choose the degree of collocation alone
}

// Question asks a model for a recommendation per app of the samples.
type Question struct {
	Samples Samples
	Goal    Goal
	Curves  bool // also answer what is known of every configuration
}

// RecommendationReason says why a recommendation is as it is.
type RecommendationReason byte

// Why a recommendation is as it is.
const (
	MeetsGoal         = RecommendationReason(wire.RecommendationReasonMeetsGoal)
	NotEnoughEvidence = RecommendationReason(wire.RecommendationReasonNotEnoughEvidence)
	GoalOutOfReach    = RecommendationReason(wire.RecommendationReasonGoalOutOfReach)
)

// Recommendations answer a question: an entry per app in each column. Configurations are indices into Collocation;
// NoIndex = none.
type Recommendations struct {
	Resources           []string
	Amounts             []float64 // configurations x resources
	Collocation         []uint32  // per configuration
	Apps                []string
	Reason              []RecommendationReason
	Choice              []uint32
	Probability         []float64
	RunnerUp            []uint32
	RunnerUpProbability []float64
	Cost                []float64
	SavingAsked         []float64 // NaN where nothing was asked or chosen
	SavingLargest       []float64 // NaN where nothing was chosen
	NextSample          []uint32
	NextSaving          []float64
	Samples             []uint32
	Similar             []uint32
	// For a question with Curves: apps x configurations.
	CurveMean, CurveLow, CurveHigh, CurveProbability []float64
}

// SizeRule says how the size in one resource follows from usage. The zero value covers 95 % of the samples.
type SizeRule struct {
	Percentile float64 // 0 = 0.95
	HalfLife   float64 // seconds; 0 = all samples weigh the same
	Window     float64 // seconds; 0 = each sample counts
	Margin     float64
	Bump       float64 // 0 = 1
	Floor      float64
	Ceiling    float64 // 0 = none
	Uncertain  bool
}

// Usage is what replicas used over time, in columns.
type Usage struct {
	Apps        []string
	Resources   []string
	App         []uint32   // per sample
	Replica     []uint32   // per sample, or nil
	Time        []float64  // per sample, in seconds
	Amount      []float64  // samples x resources; NaN = not measured
	OutOfMemory []byte     // per sample, or nil
	Rules       []SizeRule // per resource
	Periods     uint32     // 0 = 1
	Cycle       float64    // seconds after which periods repeat; 0 = they divide the whole history
}

// Sizes are what replicas should ask for.
type Sizes struct {
	Apps           []string
	Resources      []string
	Periods        uint32
	Size           []float64 // apps x resources; NaN = never measured, here and in Demand
	Slack          []float64 // apps x resources
	Exceeded       []float64 // apps x resources
	Demand         []float64 // apps x resources x periods
	Variance       []float64 // apps x resources, or nil
	DemandSlack    []float64 // apps x resources
	DemandExceeded []float64 // apps x resources
	Measured       []uint64  // apps x resources
	First, Last    []float64 // per app, in seconds
	Killed         []uint64  // per app
}

// Model has learned how apps perform by size and degree of collocation. Any number of goroutines may use it, and so may progress
// callbacks. Close ends its use; without Close, it is freed after it has become unreachable.
type Model struct {
	shared *shared[*capi.Model]
}

// Learn learns from profiled apps.
func Learn(profiles Samples) (*Model, error) { return LearnContext(context.Background(), profiles) }

// LearnContext is Learn with a context. When ctx ends first, it fails with an error that wraps the context's.
func LearnContext(ctx context.Context, profiles Samples) (*Model, error) {
	builder := flatbuffers.NewBuilder(0)
	bytes := finishLearning(builder, wire.LearningBodySamples, profiles.write(builder))
	return newModel(ctx, bytes, nil, capi.LearnModel)
}

// LoadModel reads a model that Save wrote.
func LoadModel(bytes []byte) (*Model, error) {
	return LoadModelContext(context.Background(), bytes, Limits{})
}

// LoadModelWithin is LoadModel with the caller's limits.
func LoadModelWithin(bytes []byte, limits Limits) (*Model, error) {
	return LoadModelContext(context.Background(), bytes, limits)
}

// LoadModelContext is LoadModelWithin with a context. When ctx ends first, it fails with an error that wraps the context's.
func LoadModelContext(ctx context.Context, bytes []byte, limits Limits) (*Model, error) {
	return newModel(ctx, bytes, limits.raw(), capi.LoadModel)
}

func newModel(
	ctx context.Context, bytes []byte, limits *capi.Limits,
	make func([]byte, *capi.Limits, *capi.Control) (*capi.Model, *capi.Failure),
) (model *Model, err error) {
	err = whole(ctx, func(control *capi.Control) error {
		handle, failure := make(bytes, limits, control)
		if failure == nil {
			model = &Model{}
			model.shared = share(model, handle, capi.FreeModel, weightOf(len(bytes)))
		}
		return errorOf(failure)
	})
	return model, err
}

// Close ends the use of the model: later calls fail with ErrClosed. It does not wait; calls under way go on, and the last one frees
// the model. Closing again does nothing. The error is always nil.
func (m *Model) Close() error {
	m.shared.close()
	return nil
}

// Save returns the model as bytes, the same on every platform.
func (m *Model) Save() ([]byte, error) { return m.SaveContext(context.Background()) }

// SaveContext is Save with a context. When ctx ends first, it fails with an error that wraps the context's.
func (m *Model) SaveContext(ctx context.Context) ([]byte, error) {
	return ask(ctx, m.shared, whole, same, capi.SaveModel)
}

// Recommend recommends a size and a degree of collocation for each app, or the sample to take next.
func (m *Model) Recommend(question Question) (*Recommendations, error) {
	return m.RecommendContext(context.Background(), question)
}

// RecommendContext is Recommend with a context. When ctx ends first, it fails with an error that wraps the context's.
func (m *Model) RecommendContext(ctx context.Context, question Question) (*Recommendations, error) {
	bytes := question.bytes()
	return ask(ctx, m.shared, whole, readRecommendations, func(handle *capi.Model, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Recommend(handle, bytes, control)
	})
}

// Size sizes replicas by their usage.
func Size(usage Usage) (*Sizes, error) { return SizeContext(context.Background(), usage) }

// SizeContext is Size with a context. When ctx ends first, it fails with an error that wraps the context's.
func SizeContext(ctx context.Context, usage Usage) (sizes *Sizes, err error) {
	bytes := usage.bytes()
	err = whole(ctx, asking(&sizes, readSizes, func(control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Size(bytes, control)
	}))
	return sizes, err
}

func finishLearning(builder *flatbuffers.Builder, kind wire.LearningBody, body flatbuffers.UOffsetT) []byte {
	wire.LearningStart(builder)
	wire.LearningAddFormat(builder, 1)
	wire.LearningAddBodyType(builder, kind)
	wire.LearningAddBody(builder, body)
	builder.FinishWithFileIdentifier(wire.LearningEnd(builder), []byte("STOL"))
	return builder.FinishedBytes()
}
