package stowage

import (
	"context"

	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/wire"
)

// Model has learned how apps perform by size and degree of collocation. Any number of goroutines may use it, and so may progress
// callbacks. Close ends its use; without Close, it is freed after it has become unreachable.
type Model struct {
	shared *shared[*capi.Model]
}

// Learn learns from profiled apps.
func Learn(profiles Samples) (*Model, error) { return LearnContext(context.Background(), profiles) }

// LearnContext is Learn with a context. When ctx ends first, it fails with an error that wraps the context's.
func LearnContext(ctx context.Context, profiles Samples) (*Model, error) {
	return newModel(ctx, profiles.bytes(), nil, capi.LearnModel)
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
	return ask(ctx, m.shared, whole, bodyAs(readRecommendations), func(handle *capi.Model, control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Recommend(handle, bytes, control)
	})
}

// Size sizes replicas by their usage.
func Size(usage Usage) (*Sizes, error) { return SizeContext(context.Background(), usage) }

// SizeContext is Size with a context. When ctx ends first, it fails with an error that wraps the context's.
func SizeContext(ctx context.Context, usage Usage) (sizes *Sizes, err error) {
	bytes := usage.bytes()
	err = whole(ctx, asking(&sizes, bodyAs(readSizes), func(control *capi.Control) (capi.Buffer, *capi.Failure) {
		return capi.Size(bytes, control)
	}))
	return sizes, err
}

func (s Samples) bytes() []byte {
	e := &encoder{Builder: flatbuffers.NewBuilder(0)}
	return e.learning(wire.LearningBodySamples, writeSamples(e, &s))
}

func (q Question) bytes() []byte {
	e := &encoder{Builder: flatbuffers.NewBuilder(0)}
	return e.learning(wire.LearningBodyQuestion, writeQuestion(e, &q))
}

func (u Usage) bytes() []byte {
	e := &encoder{Builder: flatbuffers.NewBuilder(0)}
	return e.learning(wire.LearningBodyUsage, writeUsage(e, &u))
}

func (e *encoder) learning(kind wire.LearningBody, body flatbuffers.UOffsetT) []byte {
	wire.LearningStart(e.Builder)
	wire.LearningAddBodyType(e.Builder, kind)
	wire.LearningAddBody(e.Builder, body)
	return e.finish(wire.LearningEnd(e.Builder), "STOL")
}
