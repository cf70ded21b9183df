package stowage

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"stowage.dev/go/wire"
)

func (s Samples) write(builder *flatbuffers.Builder) flatbuffers.UOffsetT {
	e := &encoder{Builder: builder}
	features := e.offsets(len(s.Features), func(k int) flatbuffers.UOffsetT {
		one := s.Features[k]
		name, numbers, words := e.CreateString(one.Name), e.optional(one.Numbers), flatbuffers.UOffsetT(0)
		if one.Words != nil {
			words = e.strings(one.Words)
		}
		wire.FeatureStart(e.Builder)
		wire.FeatureAddName(e.Builder, name)
		wire.FeatureAddNumbers(e.Builder, numbers)
		wire.FeatureAddWords(e.Builder, words)
		return wire.FeatureEnd(e.Builder)
	})
	resources, apps, asked := e.strings(s.Resources), e.strings(s.Apps), e.optional(s.Asked)
	app, amounts, collocation := e.words(s.RowApp), e.doubles(s.RowAmounts), flatbuffers.UOffsetT(0)
	if s.RowCollocation != nil {
		collocation = e.words(s.RowCollocation)
	}
	value := e.doubles(s.RowValue)
	wire.SamplesStart(e.Builder)
	wire.SamplesAddMeasure(e.Builder, wire.Measure(s.Measure))
	wire.SamplesAddResources(e.Builder, resources)
	wire.SamplesAddApps(e.Builder, apps)
	wire.SamplesAddFeatures(e.Builder, features)
	wire.SamplesAddAsked(e.Builder, asked)
	wire.SamplesAddRowApp(e.Builder, app)
	wire.SamplesAddRowAmounts(e.Builder, amounts)
	wire.SamplesAddRowCollocation(e.Builder, collocation)
	wire.SamplesAddRowValue(e.Builder, value)
	return wire.SamplesEnd(e.Builder)
}

func (q Question) bytes() []byte {
	builder := flatbuffers.NewBuilder(0)
	e := &encoder{Builder: builder}
	samples, cost := q.Samples.write(builder), e.optional(q.Goal.Cost)
	wire.GoalStart(builder)
	wire.GoalAddValue(builder, q.Goal.Value)
	if q.Goal.Confidence != 0 {
		wire.GoalAddConfidence(builder, q.Goal.Confidence)
	}
	wire.GoalAddCost(builder, cost)
	wire.GoalAddKeepAsked(builder, q.Goal.KeepAsked)
	goal := wire.GoalEnd(builder)
	wire.QuestionStart(builder)
	wire.QuestionAddSamples(builder, samples)
	wire.QuestionAddGoal(builder, goal)
	wire.QuestionAddCurves(builder, q.Curves)
	return finishLearning(builder, wire.LearningBodyQuestion, wire.QuestionEnd(builder))
}

func (u Usage) bytes() []byte {
	builder := flatbuffers.NewBuilder(0)
	e := &encoder{Builder: builder}
	rules := e.offsets(len(u.Rules), func(k int) flatbuffers.UOffsetT {
		one := u.Rules[k]
		wire.SizeRuleStart(builder)
		if one.Percentile != 0 {
			wire.SizeRuleAddPercentile(builder, one.Percentile)
		}
		wire.SizeRuleAddHalfLife(builder, one.HalfLife)
		wire.SizeRuleAddWindow(builder, one.Window)
		wire.SizeRuleAddMargin(builder, one.Margin)
		wire.SizeRuleAddBump(builder, orOne(one.Bump))
		wire.SizeRuleAddFloor(builder, one.Floor)
		wire.SizeRuleAddCeiling(builder, one.Ceiling)
		wire.SizeRuleAddUncertain(builder, one.Uncertain)
		return wire.SizeRuleEnd(builder)
	})
	apps, resources, app := e.strings(u.Apps), e.strings(u.Resources), e.words(u.App)
	time, amount := e.doubles(u.Time), e.doubles(u.Amount)
	var replica, killed flatbuffers.UOffsetT
	if u.Replica != nil {
		replica = e.words(u.Replica)
	}
	if u.OutOfMemory != nil {
		killed = e.CreateByteVector(u.OutOfMemory)
	}
	wire.UsageStart(builder)
	wire.UsageAddApps(builder, apps)
	wire.UsageAddResources(builder, resources)
	wire.UsageAddApp(builder, app)
	wire.UsageAddReplica(builder, replica)
	wire.UsageAddTime(builder, time)
	wire.UsageAddAmount(builder, amount)
	wire.UsageAddOutOfMemory(builder, killed)
	wire.UsageAddRules(builder, rules)
	wire.UsageAddPeriods(builder, max(u.Periods, 1))
	wire.UsageAddCycle(builder, u.Cycle)
	return finishLearning(builder, wire.LearningBodyUsage, wire.UsageEnd(builder))
}

// strings writes a list of texts, which may be empty but is there.
func (e *encoder) strings(values []string) flatbuffers.UOffsetT {
	return e.offsets(len(values), func(k int) flatbuffers.UOffsetT { return e.CreateString(values[k]) })
}

// each reads a vector of `count` entries; nil for an empty one.
func each[Value any](count int, at func(int) Value) []Value {
	if count == 0 {
		return nil
	}
	return numbers(count, at)
}

func stringAt(at func(int) []byte) func(int) string {
	return func(k int) string { return string(at(k)) }
}

func learningBody(bytes []byte) flatbuffers.Table {
	var table flatbuffers.Table
	wire.GetRootAsLearning(bytes, 0).Body(&table)
	return table
}

func readRecommendations(bytes []byte) *Recommendations {
	var from wire.Recommendations
	table := learningBody(bytes)
	from.Init(table.Bytes, table.Pos)
	return &Recommendations{
		Resources:   each(from.ResourcesLength(), stringAt(from.Resources)),
		Amounts:     each(from.AmountsLength(), from.Amounts),
		Collocation: each(from.CollocationLength(), from.Collocation),
		Apps:        each(from.AppsLength(), stringAt(from.Apps)),
		Reason: each(from.ReasonLength(), func(k int) RecommendationReason {
			return RecommendationReason(from.Reason(k))
		}),
		Choice:              each(from.ChoiceLength(), from.Choice),
		Probability:         each(from.ProbabilityLength(), from.Probability),
		RunnerUp:            each(from.RunnerUpLength(), from.RunnerUp),
		RunnerUpProbability: each(from.RunnerUpProbabilityLength(), from.RunnerUpProbability),
		Cost:                each(from.CostLength(), from.Cost),
		SavingAsked:         each(from.SavingAskedLength(), from.SavingAsked),
		SavingLargest:       each(from.SavingLargestLength(), from.SavingLargest),
		NextSample:          each(from.NextSampleLength(), from.NextSample),
		NextSaving:          each(from.NextSavingLength(), from.NextSaving),
		Samples:             each(from.SamplesLength(), from.Samples),
		Similar:             each(from.SimilarLength(), from.Similar),
		CurveMean:           each(from.CurveMeanLength(), from.CurveMean),
		CurveLow:            each(from.CurveLowLength(), from.CurveLow),
		CurveHigh:           each(from.CurveHighLength(), from.CurveHigh),
		CurveProbability:    each(from.CurveProbabilityLength(), from.CurveProbability),
	}
}

func readSizes(bytes []byte) *Sizes {
	var from wire.Sizes
	table := learningBody(bytes)
	from.Init(table.Bytes, table.Pos)
	return &Sizes{
		Apps:           each(from.AppsLength(), stringAt(from.Apps)),
		Resources:      each(from.ResourcesLength(), stringAt(from.Resources)),
		Periods:        from.Periods(),
		Size:           each(from.SizeLength(), from.Size),
		Slack:          each(from.SlackLength(), from.Slack),
		Exceeded:       each(from.ExceededLength(), from.Exceeded),
		Demand:         each(from.DemandLength(), from.Demand),
		Variance:       each(from.VarianceLength(), from.Variance),
		DemandSlack:    each(from.DemandSlackLength(), from.DemandSlack),
		DemandExceeded: each(from.DemandExceededLength(), from.DemandExceeded),
		Measured:       each(from.MeasuredLength(), from.Measured),
		First:          each(from.FirstLength(), from.First),
		Last:           each(from.LastLength(), from.Last),
		Killed:         each(from.KilledLength(), from.Killed),
	}
}
