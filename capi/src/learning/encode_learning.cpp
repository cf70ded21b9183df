#include <algorithm>
#include <limits>

#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire_writer.h"
#include "learning_generated.h"

namespace stowage::capi {
namespace {

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();

template <class Body>
stowage_buffer finish_learning(Builder& builder, wire::LearningBody kind, flatbuffers::Offset<Body> body) {
  wire::FinishLearningBuffer(builder, wire::CreateLearning(builder, 1, kind, body.Union()));
  return release(builder);
}

/// Sizes as columns.
struct SizeColumns {
  std::vector<double> size, slack, exceeded, demand, variance, demand_slack, demand_exceeded, first, last;
  std::vector<std::uint64_t> measured, killed;
};

SizeColumns columns_of(const UsageQuestion& question, const std::vector<AppSize>& sizes) {
  SizeColumns columns;
  const auto& rules = question.options.rules;
  const bool uncertain = std::any_of(rules.begin(), rules.end(), [](const SizeRule& rule) { return rule.uncertain; });
  for (const AppSize& app : sizes) {
    columns.first.push_back(app.first);
    columns.last.push_back(app.last);
    columns.killed.push_back(app.killed);
    for (const ResourceSize& one : app.resource) {
      columns.size.push_back(one.size);
      columns.slack.push_back(one.fit.slack);
      columns.exceeded.push_back(one.fit.exceeded);
      columns.demand_slack.push_back(one.demand_fit.slack);
      columns.demand_exceeded.push_back(one.demand_fit.exceeded);
      columns.measured.push_back(one.samples);
      if (uncertain) columns.variance.push_back(one.variance);
      for (std::size_t p = 0; p < question.options.periods; ++p) {
        columns.demand.push_back(one.demand.empty() ? kUnmeasured : one.demand[one.demand.size() == 1 ? 0 : p]);
      }
    }
  }
  return columns;
}

}  // namespace

stowage_buffer copy_bytes(const std::vector<std::uint8_t>& bytes) {
  std::uint8_t* memory = allocate_memory(bytes.size());
  std::copy(bytes.begin(), bytes.end(), memory);
  return make_buffer(memory, memory, bytes.size());
}

stowage_buffer encode_sizes(const UsageQuestion& question, const std::vector<AppSize>& sizes) {
  const SizeColumns columns = columns_of(question, sizes);
  Builder builder;
  const auto apps = builder.CreateVectorOfStrings(question.history.apps);
  const auto resources = builder.CreateVectorOfStrings(question.history.resources);
  const auto size = builder.CreateVector(columns.size);
  const auto slack = builder.CreateVector(columns.slack);
  const auto exceeded = builder.CreateVector(columns.exceeded);
  const auto demand = builder.CreateVector(columns.demand);
  const auto variance = columns.variance.empty() ? 0 : builder.CreateVector(columns.variance);
  const auto demand_slack = builder.CreateVector(columns.demand_slack);
  const auto demand_exceeded = builder.CreateVector(columns.demand_exceeded);
  const auto measured = builder.CreateVector(columns.measured);
  const auto first = builder.CreateVector(columns.first);
  const auto last = builder.CreateVector(columns.last);
  const auto killed = builder.CreateVector(columns.killed);
  return finish_learning(builder, wire::LearningBody::Sizes,
                         wire::CreateSizes(builder, apps, resources, question.options.periods, size, slack, exceeded, demand,
                                           variance, demand_slack, demand_exceeded, measured, first, last, killed));
}

stowage_buffer encode_recommendations(const SizeModel& model, const ModelQuestion& question,
                                    const std::vector<Recommendation>& recommendations, const std::vector<CurvePoint>& curves) {
  Builder builder;
  const auto column = [&](auto value) {
    std::vector<decltype(value(recommendations[0]))> values;
    values.reserve(recommendations.size());
    for (const Recommendation& one : recommendations) values.push_back(value(one));
    return builder.CreateVector(values);
  };
  const auto curve = [&](double CurvePoint::*part) {
    std::vector<double> values;
    if (!question.curves) return flatbuffers::Offset<flatbuffers::Vector<double>>();
    values.reserve(curves.size());
    for (const CurvePoint& point : curves) values.push_back(point.*part);
    return builder.CreateVector(values);
  };
  std::vector<double> amounts;
  std::vector<std::uint32_t> collocation;
  for (const SampledConfiguration& one : model.configurations()) {
    amounts.insert(amounts.end(), one.amounts.begin(), one.amounts.end());
    collocation.push_back(one.collocation);
  }
  const auto resources =
      builder.CreateVectorOfStrings(std::vector<std::string>(model.resources().begin(), model.resources().end()));
  const auto amount_column = builder.CreateVector(amounts);
  const auto collocation_column = builder.CreateVector(collocation);
  const auto apps = builder.CreateVectorOfStrings(question.samples.apps);
  const auto reason = column([](const Recommendation& one) { return static_cast<std::uint8_t>(one.reason); });
  const auto choice = column([](const Recommendation& one) { return one.choice.value_or(kNone); });
  const auto probability = column([](const Recommendation& one) { return one.probability; });
  const auto runner_up = column([](const Recommendation& one) { return one.runner_up.value_or(kNone); });
  const auto runner_up_probability = column([](const Recommendation& one) { return one.runner_up_probability; });
  const auto cost = column([](const Recommendation& one) { return one.cost; });
  const auto saving_asked = column([](const Recommendation& one) { return one.saving_asked; });
  const auto saving_largest = column([](const Recommendation& one) { return one.choice ? one.saving_largest : kUnmeasured; });
  const auto next_sample = column([](const Recommendation& one) { return one.next_sample.value_or(kNone); });
  const auto next_saving = column([](const Recommendation& one) { return one.next_saving; });
  const auto samples = column([](const Recommendation& one) { return one.samples; });
  const auto similar = column([](const Recommendation& one) { return one.similar; });
  const auto mean = curve(&CurvePoint::mean);
  const auto low = curve(&CurvePoint::low);
  const auto high = curve(&CurvePoint::high);
  const auto met = curve(&CurvePoint::probability);
  wire::RecommendationsBuilder body(builder);
  body.add_resources(resources);
  body.add_amounts(amount_column);
  body.add_collocation(collocation_column);
  body.add_apps(apps);
  body.add_reason(reason.o);
  body.add_choice(choice);
  body.add_probability(probability);
  body.add_runner_up(runner_up);
  body.add_runner_up_probability(runner_up_probability);
  body.add_cost(cost);
  body.add_saving_asked(saving_asked);
  body.add_saving_largest(saving_largest);
  body.add_next_sample(next_sample);
  body.add_next_saving(next_saving);
  body.add_samples(samples);
  body.add_similar(similar);
  body.add_curve_mean(mean);
  body.add_curve_low(low);
  body.add_curve_high(high);
  body.add_curve_probability(met);
  return finish_learning(builder, wire::LearningBody::Recommendations, body.Finish());
}

}  // namespace stowage::capi
