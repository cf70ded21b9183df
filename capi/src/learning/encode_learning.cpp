#include <algorithm>
#include <limits>

#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire_writer.h"
#include "learning_generated.h"

namespace stowage::capi {
namespace {

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();

template <class Body>
EncodedBytes finish_learning(Builder& builder, wire::LearningBody kind, flatbuffers::Offset<Body> body) {
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

EncodedBytes encode_sizes(const UsageQuestion& question, const std::vector<AppSize>& sizes) {
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
                         wire::CreateSizes(builder, apps, resources, question.options.periods, size, slack, exceeded, demand, variance,
                                           demand_slack, demand_exceeded, measured, first, last, killed));
}

}  // namespace stowage::capi
