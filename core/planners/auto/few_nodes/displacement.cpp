#include "core/planners/auto/few_nodes/displacement.h"

#include <algorithm>

#include "core/base/sort_by.h"

namespace stowage {
namespace {

/// Apps that are tried on a node: those that come first.
constexpr std::size_t kMostTried = 64;
/// Steps of a Watch that all nodes may take, and those of trying a node beside its questions.
constexpr std::uint64_t kMostDisplacementSteps = std::uint64_t{1} << 24;
constexpr std::uint64_t kStepsToTry = 2 * kStepsToOpen;
constexpr std::uint64_t kStepsPerDisplacedNode = 16;

template <class Unit>
class Displacement {
 public:
  Displacement(Attempt<Unit>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost, WatchRef watch)
      : placement_(attempt.placement), state_(attempt.state), apps_(apps), cost_(cost), needs_(apps.size()), watch_(watch) {
    for (std::size_t k = 0; k < apps.size(); ++k) placement_.residuals().prepare(apps[k], needs_[k]);
    for (std::uint32_t k = 0; k < apps.size(); ++k) {
      if (placement_.unplaced(apps[k]) > 0) waiting_.push_back(k);
    }
  }

  void run(std::uint64_t questions) {
    std::vector<NodeId> nodes;
    std::vector<double> dearest(placement_.nodes(), 0);
    for (const NodeId node : state_.nodes()) {
      if (watch_.step(kStepsPerDisplacedNode)) return;
      const AppId app = chosen(node);
      if (app == kNone) continue;
      dearest[node] = cost_[app];
      nodes.push_back(node);
    }
    sort_by_largest(nodes, dearest);
    for (const NodeId node : nodes) {
      if (waiting_.empty() || asked_ >= questions || took(kStepsToTry)) return;
      try_node(node);
    }
  }

 private:
  /// Whether the end has come, after so many steps.
  bool took(std::uint64_t steps) {
    steps_ += steps;
    return watch_.step(steps) || steps_ >= kMostDisplacementSteps;
  }
  [[nodiscard]] std::int32_t priority(AppId app) const { return placement_.instance().priority(app); }

  /// The dearest replica of the lowest priority that may leave the node.
  [[nodiscard]] AppId chosen(NodeId node) const {
    AppId best = kNone;
    for (const Tenant& tenant : placement_.contents().at(node)) {
      if (!state_.free_to_leave(tenant.app, node)) continue;
      if (best == kNone || priority(tenant.app) < priority(best) ||
          (priority(tenant.app) == priority(best) && cost_[tenant.app] > cost_[best])) {
        best = tenant.app;
      }
    }
    return best;
  }

  void try_node(NodeId node) {
    const AppId leaving = chosen(node);
    if (leaving == kNone) return;
    state_.evict(leaving, node);
    placed_.clear();
    std::uint32_t higher = 0;
    std::uint32_t same = 0;
    for (std::size_t n = 0; n < std::min(waiting_.size(), kMostTried); ++n) {
      const AppId app = apps_[waiting_[n]];
      if (app == leaving || priority(app) < priority(leaving)) continue;
      ++asked_;
      if (took(placement_.steps_to_ask(app))) break;
      std::uint32_t room = placement_.allowed(app, node, placement_.unplaced(app));
      if (room > 0) room = placement_.residuals().copies(needs_[waiting_[n]], node, room);
      if (room == 0) continue;
      state_.place_waiting(app, node, room);
      placed_.push_back({app, room});
      (priority(app) > priority(leaving) ? higher : same) += room;
    }
    if (higher > 0 || same > 1) {
      std::erase_if(waiting_, [&](std::uint32_t k) { return placement_.unplaced(apps_[k]) == 0; });
      return;
    }
    for (const Tenant& tenant : placed_) state_.evict(tenant.app, node, tenant.replicas);
    state_.place_waiting(leaving, node);
  }

  Placement<Unit>& placement_;
  SearchState<Unit>& state_;
  const std::vector<AppId>& apps_;
  const std::vector<double>& cost_;
  std::vector<typename Residuals<Unit>::Need> needs_;  // per entry of apps_
  std::vector<std::uint32_t> waiting_;                 // entries of apps_
  std::vector<Tenant> placed_;
  WatchRef watch_;
  std::uint64_t asked_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

template <class Unit>
void displace(Attempt<Unit>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost, std::uint64_t questions,
              WatchRef watch) {
  Displacement<Unit>(attempt, apps, cost, watch).run(questions);
}

template void displace(Attempt<std::int16_t>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost,
                       std::uint64_t questions, WatchRef watch);
template void displace(Attempt<std::int32_t>& attempt, const std::vector<AppId>& apps, const std::vector<double>& cost,
                       std::uint64_t questions, WatchRef watch);

}  // namespace stowage
