// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/learning/samples_records.h"

namespace stowage::cli::codec {

inline flatbuffers::Offset<wire::Feature> write_feature(Builder& builder, FeatureData& from) {
  const auto name = builder.must(from.name);
  const auto numbers = builder.put(from.numbers);
  const auto words = builder.put(from.words);
  return wire::CreateFeature(builder, name, numbers, words);
}

inline flatbuffers::Offset<wire::Samples> write_samples(Builder& builder, SamplesData& from) {
  const auto resources = builder.must(from.resources);
  const auto apps = builder.must(from.apps);
  const auto features = builder.all(from.features, write_feature);
  const auto asked = builder.put(from.asked);
  const auto row_app = builder.must(from.row_app);
  const auto row_amounts = builder.must(from.row_amounts);
  const auto row_collocation = builder.put(from.row_collocation);
  const auto row_value = builder.must(from.row_value);
  return wire::CreateSamples(builder, static_cast<wire::Measure>(from.measure), resources, apps, features, asked, row_app, row_amounts, row_collocation, row_value);
}

inline flatbuffers::Offset<wire::Goal> write_goal(Builder& builder, GoalData& from) {
  const auto cost = builder.put(from.cost);
  return wire::CreateGoal(builder, from.value, from.confidence, cost, from.keep_asked);
}

inline flatbuffers::Offset<wire::Question> write_question(Builder& builder, QuestionData& from) {
  const auto samples = write_samples(builder, from.samples);
  const auto goal = write_goal(builder, from.goal);
  return wire::CreateQuestion(builder, samples, goal, from.curves);
}

}  // namespace stowage::cli::codec
