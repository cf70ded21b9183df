// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire_reader.h"
#include "learning_generated.h"

namespace stowage::capi {

inline void read_size_rule(const wire::SizeRule& from, Copier&, SizeRule& to) {
  to.percentile = from.percentile();
  to.half_life = from.half_life();
  to.window = from.window();
  to.margin = from.margin();
  to.bump = from.bump();
  to.floor = from.floor();
  to.ceiling = from.ceiling();
  to.uncertain = from.uncertain();
}

inline void read_usage(const wire::Usage& from, Copier& copier, UsageQuestion& to) {
  copier.read(from.apps(), to.history.apps);
  copier.read(from.resources(), to.history.resources);
  copier.read(from.app(), to.history.app);
  copier.read(from.replica(), to.history.replica);
  copier.read(from.time(), to.history.time);
  copier.read(from.amount(), to.history.amount);
  copier.read(from.out_of_memory(), to.history.out_of_memory);
  copier.all(from.rules(), to.options.rules, read_size_rule);
  to.options.periods = from.periods();
  to.options.cycle = from.cycle();
}

inline void read_goal(const wire::Goal& from, Copier& copier, Goal& to) {
  to.value = from.value();
  to.confidence = from.confidence();
  copier.read(from.cost(), to.cost);
  to.keep_asked = from.keep_asked();
}

inline void read_feature(const wire::Feature& from, Copier& copier, SampleFeature& to) {
  copier.read(from.name(), to.name);
  copier.read(from.numbers(), to.numbers);
  copier.read(from.words(), to.words);
}

inline void read_samples(const wire::Samples& from, Copier& copier, Samples& to) {
  to.measure = static_cast<decltype(to.measure)>(from.measure());
  copier.read(from.resources(), to.resources);
  copier.read(from.apps(), to.apps);
  copier.all(from.features(), to.features, read_feature);
  copier.read(from.asked(), to.asked);
  copier.read(from.row_app(), to.row_app);
  copier.read(from.row_amounts(), to.row_amounts);
  copier.read(from.row_collocation(), to.row_collocation);
  copier.read(from.row_value(), to.row_value);
}

}  // namespace stowage::capi
