#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

/// Families of kinds of which an empty node is offered at a time, and homes of an app.
constexpr std::uint32_t kMostFamiliesOffered = 4;
constexpr std::uint32_t kMostHomesOffered = 4;

}  // namespace

template <class Unit>
NodeId Site<Unit>::any_node() {
  const std::vector<NodeId>& used = state().used();
  return used.empty() ? kNone : used[random_.below(static_cast<std::uint32_t>(used.size()))];
}

template <class Unit>
NodeId Site<Unit>::burdened_node(std::uint32_t draws) {
  NodeId best = any_node();
  if (best == kNone) return kNone;
  double most = goals_->burden(best);
  for (std::uint32_t k = 1; k < draws; ++k) {
    const NodeId node = any_node();
    const double burden = goals_->burden(node);
    if (burden <= most) continue;
    best = node;
    most = burden;
  }
  count(draws);
  return best;
}

template <class Unit>
AppId Site<Unit>::any_tenant(NodeId node) {
  const auto tenants = state().placement().contents().at(node);
  if (tenants.empty()) return kNone;
  const auto size = static_cast<std::uint32_t>(tenants.size());
  const std::uint32_t first = random_.below(size);
  for (std::uint32_t k = 0; k < size; ++k) {
    const AppId app = tenants[(first + k) % size].app;
    if (state().state().removable(app, node) > 0) return app;
  }
  return kNone;
}

template <class Unit>
typename Site<Unit>::Replica Site<Unit>::any_replica() {
  const NodeId node = burdened_node(1 + random_.below(3));
  return {node == kNone ? kNone : any_tenant(node), node};
}

template <class Unit>
void Site<Unit>::take(AppId app, NodeId node) {
  goals_->take(app, node);
  constexpr double kNoise = 0.3;
  waiting_.push_back({app, state().worth_together(app) * (1 - kNoise + 2 * kNoise * random_.share())});
  count(1);
}

template <class Unit>
void Site<Unit>::add(NodeId node) {
  if (node != kNone && std::find(choice_.begin(), choice_.end(), node) == choice_.end()) choice_.push_back(node);
}

template <class Unit>
void Site<Unit>::begin_choice(std::uint32_t draws) {
  choice_.clear();
  for (std::uint32_t k = 0; k < draws; ++k) add(any_node());
}

template <class Unit>
void Site<Unit>::add_empty_nodes() {
  const auto& families = state().kinds().families();
  const auto size = static_cast<std::uint32_t>(families.size());
  if (size == 0) return;
  const std::uint32_t first = random_.below(size);
  for (std::uint32_t k = 0; k < std::min(size, kMostFamiliesOffered); ++k) {
    const auto& family = families[(first + k) % size];
    const std::uint32_t kind = family[random_.below(static_cast<std::uint32_t>(family.size()))];
    const std::vector<NodeId>& empty = state().kinds().empty(kind);
    add(empty.empty() ? goals_->state().empty_node(kind) : empty[random_.below(static_cast<std::uint32_t>(empty.size()))]);
  }
}

template <class Unit>
void Site<Unit>::add_homes(AppId app) {
  const auto homes = state().homes(app);
  if (homes.empty()) return;
  const auto size = static_cast<std::uint32_t>(homes.size());
  const std::uint32_t first = random_.below(size);
  for (std::uint32_t k = 0; k < std::min(size, kMostHomesOffered); ++k) {
    const NodeId node = homes[(first + k) % size];
    if (state().state().in_play(node) && state().state().away(app, node) > 0) add(node);
  }
}

template <class Unit>
NodeId Site<Unit>::best_place(AppId app) {
  NodeId best = kNone;
  double least = std::numeric_limits<double>::infinity();
  for (const NodeId node : choice_) {
    if (!goals_->has_room(app, node)) continue;
    const double change = goals_->change(app, node);
    if (change >= least) continue;
    best = node;
    least = change;
  }
  count(choice_.size());
  return best;
}

template <class Unit>
NodeId Site<Unit>::draw_place(AppId app) {
  add_homes(app);
  NodeId best = kNone;
  double least = std::numeric_limits<double>::infinity();
  for (const NodeId node : choice_) {
    if (!goals_->has_room(app, node)) continue;
    // The least of the changes, each less temperature x Gumbel noise, is a draw by Boltzmann weights.
    const double draw = -log_.draw(random_);
    const double change = goals_->change(app, node) + temperature_ * portable_log(std::clamp(draw / 16, 0x1p-64, 1.0));
    if (change >= least) continue;
    best = node;
    least = change;
  }
  count(choice_.size());
  return best;
}

template <class Unit>
bool Site<Unit>::place_waiting() {
  std::sort(waiting_.begin(), waiting_.end(),
            [](const Waiting& a, const Waiting& b) { return a.rank != b.rank ? a.rank > b.rank : a.app < b.app; });
  const std::size_t shared = choice_.size();
  for (const Waiting& one : waiting_) {
    choice_.resize(shared);
    add_homes(one.app);
    const NodeId node = best_place(one.app);
    if (node == kNone) {
      waiting_.clear();
      return false;
    }
    goals_->put(one.app, node);
    count(1);
  }
  waiting_.clear();
  return true;
}

template class Site<std::int16_t>;
template class Site<std::int32_t>;

}  // namespace stowage
