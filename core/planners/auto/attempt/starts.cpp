#include "core/planners/auto/attempt/starts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stowage {
namespace {

/// A start is good where what waits is at most this share of its nodes.
constexpr double kGoodStart = 0.003;
/// Limits are dense where they concern at least this share of all pairs of apps.
constexpr double kDense = 0.15;

}  // namespace

// Matching often leaves less waiting where limits are many, but is slow with periods. Where limits are dense, first fit is the
// only way.
template <class Unit>
std::span<const typename Starts<Unit>::Way> Starts<Unit>::ways() const {
  static constexpr std::array<Way, 4> kWays = {{{nullptr, {}},
                                                {nullptr, {kDemandShare, SpreadOver::kAllButScarcest}},
                                                {nullptr, {kDemandShare, SpreadOver::kAllResources}},
                                                {"match-dotproduct", {}}}};
  static constexpr std::array<Way, 1> kDenseLimits = {{{"ff", {}}}};
  if (dense()) return kDenseLimits;
  return std::span(kWays).first(input_.instance.periods() > 1 ? kWays.size() - 1 : kWays.size());
}

// Where limits are dense, replicas of an app are best kept together, as first fit does: the fewer apps a node holds, the more
// apps it can still take.
template <class Unit>
bool Starts<Unit>::dense() const {
  const double apps = input_.instance.apps();
  return static_cast<double>(input_.instance.limit_rows().arc_count()) >= kDense * apps * apps;
}

template <class Unit>
Error Starts<Unit>::next(bool short_of_nodes, std::unique_ptr<Attempt<Unit>>& next) {
  const double good = kGoodStart * nodes_;
  const auto better = [&](const Start& a, const Start& b) {
    if (short_of_nodes)
      return a.attempt->key(any_broken_, input_.request.fill) < b.attempt->key(any_broken_, input_.request.fill);
    // If no start is good, limits are many. The search then places sooner what matching leaves than what spreading leaves.
    const bool matched = a.way->planner != nullptr;
    if (matched != (b.way->planner != nullptr) && a.waiting > good && b.waiting > good) return matched;
    return a.waiting < b.waiting;
  };
  const auto best = [&] { return std::min_element(made_.begin(), made_.end(), better); };
  while (tried_ < ways().size()) {
    if (!made_.empty() && (best()->waiting <= good || input_.run.clock.stop() != Stop::kNo)) break;
    const Way& way = ways()[tried_++];
    std::unique_ptr<Attempt<Unit>> attempt;
    if (Error e = make(way, short_of_nodes, attempt); failed(e)) return e;
    const double waiting = attempt->waiting_share();
    made_.push_back({&way, std::move(attempt), waiting});
  }
  const auto chosen = best();
  next = std::move(chosen->attempt);
  made_.erase(chosen);
  // With periods, the search never goes on from another start.
  if (input_.instance.periods() > 1) made_.clear();
  return {};
}

template <class Unit>
Error Starts<Unit>::make(const Way& way, bool short_of_nodes, std::unique_ptr<Attempt<Unit>>& attempt) const {
  if (way.planner == nullptr) {
    attempt = std::make_unique<Attempt<Unit>>(input_, nodes_, tied_);
    if (input_.run.checkpoints.is_moot()) return {};
    SpreadRule rule = way.spread;
    rule.by_priority = short_of_nodes;
    SpreadStart<Unit>(attempt->state, rule).run(input_.run.clock);
    return {};
  }
  Request request = input_.request;
  request.node_limit = request.node_limit == 0 ? nodes_ : std::min(request.node_limit, nodes_);
  Plan plan;
  if (Error e = run_within(input_, way.planner, request, plan); failed(e)) return e;
  input_.run.progress.enter(Phase::kImprove);
  attempt = std::make_unique<Attempt<Unit>>(input_, plan, tied_);
  return {};
}

template class Starts<std::int16_t>;
template class Starts<std::int32_t>;

}  // namespace stowage
