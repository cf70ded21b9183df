#include "core/rebuild/neighbourhoods/reseat.h"

#include <algorithm>

namespace stowage {
namespace {

/// Nodes in use, and kinds of empty ones, among which a replica chooses.
constexpr std::uint32_t kNodesChosenFrom = 256;
constexpr std::uint32_t kKindsChosenFrom = 8;
/// Replicas that are placed anew at once, and the work after which the rest is left to other steps.
constexpr std::uint64_t kMostReseated = 128;
constexpr std::uint64_t kMostReseatWork = 1u << 15;
/// Of running replicas, so many at most where a step moves few.
constexpr std::uint32_t kFewReseated = 4;
/// Homes that a replica looks at.
constexpr std::size_t kHomesChosenFrom = 64;
/// Between nodes that cost the same, waste decides: a node's whole price counts as this share of it.
constexpr double kOfWaste = 1e-3;
/// Where moves cost nothing, one costs this share of a node's price.
constexpr double kOfMove = 1e-2;
/// Looks at a node, and steps of a question about rules, that take as long as a look at an app.
constexpr std::uint64_t kNodesPerLook = 4;
constexpr std::uint64_t kRuleStepsPerLook = 16;

}  // namespace

template <class Unit>
Reseat<Unit>::Reseat(RebuildState<Unit>& state)
    : state_(&state), costs_(state.instance(), state.placement().tags(), TagCosts::Parts::kAll) {
  if (state.ruled_apps().empty()) return;
  members_.resize(state.instance().apps());
  for (AppId app = 0; app < state.instance().apps(); ++app) members_[state.instance().application(app)].push_back(app);
}

template <class Unit>
void Reseat<Unit>::take_out(AppId application, std::uint64_t most, Random& random) {
  std::uint64_t taken = 0;
  for (const AppId app : members_[application]) {
    if (taken >= most) return;
    const std::vector<NodeId> holders = state_->state().holders(app);
    const std::size_t first =
        most < kMostReseated && !holders.empty() ? random.below(static_cast<std::uint32_t>(holders.size())) : 0;
    for (std::size_t k = 0; k < holders.size() && taken < most; ++k) {
      const NodeId node = holders[(first + k) % holders.size()];
      std::uint32_t replicas = state_->state().removable(app, node);
      if (most < kMostReseated) replicas = static_cast<std::uint32_t>(std::min<std::uint64_t>(replicas, most - taken));
      if (replicas > 0) state_->take(app, node, replicas);
      taken += replicas;
    }
    if (state_->placement().unplaced(app) > 0) waiting_.push_back(app);
  }
}

template <class Unit>
std::uint64_t Reseat<Unit>::away(AppId app) const {
  std::uint64_t replicas = 0;
  for (const NodeId home : state_->homes(app)) replicas += state_->state().away(app, home);
  return replicas;
}

template <class Unit>
AppId Reseat<Unit>::neighbour(AppId application, Random& random) {
  const std::vector<AppId>& apps = members_[application];
  const std::vector<NodeId>& holders = state_->state().holders(apps[random.below(static_cast<std::uint32_t>(apps.size()))]);
  const std::vector<AppId>& ruled = state_->soft_apps().empty() ? state_->ruled_apps() : state_->soft_apps();
  AppId other = ruled[random.below(static_cast<std::uint32_t>(ruled.size()))];
  if (!holders.empty() && random.below(2) == 0) {
    const auto tenants = state_->placement().contents().at(holders[random.below(static_cast<std::uint32_t>(holders.size()))]);
    other = tenants[random.below(static_cast<std::uint32_t>(tenants.size()))].app;
  }
  return state_->instance().application(other);
}

template <class Unit>
void Reseat<Unit>::list_nodes(AppId app, Random& random) {
  nodes_.clear();
  const std::vector<NodeId>& used = state_->used();
  const auto size = static_cast<std::uint32_t>(used.size());
  const std::uint32_t first = size > 0 ? random.below(size) : 0;
  for (std::uint32_t k = 0; k < std::min(size, kNodesChosenFrom); ++k) nodes_.push_back(used[(first + k) % size]);
  const auto kinds = static_cast<std::uint32_t>(state_->kinds().all().size());
  const std::uint32_t first_kind = random.below(kinds);
  for (std::uint32_t k = 0; k < std::min(kinds, kKindsChosenFrom); ++k) {
    const NodeId node = state_->empty_node((first_kind + k) % kinds);
    if (node != kNone) nodes_.push_back(node);
  }
  if (away_ == 0) return;
  const std::span<const NodeId> homes = state_->homes(app);
  const std::uint32_t first_home = random.below(static_cast<std::uint32_t>(homes.size()));
  for (std::size_t k = 0; k < std::min(homes.size(), kHomesChosenFrom); ++k) {
    const NodeId home = homes[(first_home + k) % homes.size()];
    if (state_->state().away(app, home) > 0) nodes_.push_back(home);
  }
}

template <class Unit>
double Reseat<Unit>::hard_extent(AppId app, NodeId node) {
  Placement<Unit>& placement = state_->state().placement();
  work_ += 1 + placement.steps_to_ask(app) / kRuleStepsPerLook;
  const double before = placement.toll(app, node).hard;
  placement.place(app, node, 1);
  const double after = placement.toll(app, node).hard;
  placement.remove(app, node, 1);
  return after - before;
}

template <class Unit>
bool Reseat<Unit>::costs_less(AppId app, NodeId node, bool tight, double& most) {
  const Placement<Unit>& placement = state_->placement();
  double cost = placement.used(node) ? 0 : state_->price_of(node);
  if (cost >= most) return false;
  // One that does not return takes a move of the budget, unless others wait that are new.
  if (placement.unplaced(app) <= away_ && state_->state().away(app, node) == 0) {
    if (state_->state().moves() + 1 > state_->state().move_budget() + returning_) return false;
    cost += std::max(state_->prices().move, kOfMove * state_->price_of(node));
  }
  cost += state_->prices().soft * costs_(placement.tag_view(), placement.tag_view().site(node));
  if (tight) cost += kOfWaste * state_->waste(node);
  if (cost >= most || state_->room(app, node, 1, TagState::Asked::kHard) == 0) return false;
  if (state_->parts().hard > 0) cost += state_->prices().hard * hard_extent(app, node);
  if (cost >= most) return false;
  most = cost;
  return true;
}

template <class Unit>
void Reseat<Unit>::place(AppId app, Random& random) {
  costs_.start(app);
  away_ = away(app);
  list_nodes(app, random);
  const bool tight = random.below(2) == 0;
  while (state_->placement().unplaced(app) > 0) {
    NodeId best = kNone;
    double most = state_->prices().unplaced[app];
    for (const NodeId node : nodes_) {
      if (costs_less(app, node, tight, most)) best = node;
    }
    work_ += 1 + nodes_.size() / kNodesPerLook + costs_.take_work() / kNodesPerLook;
    if (best == kNone || work_ > kMostReseatWork) return;
    returning_ -= std::min<std::uint64_t>(state_->placement().unplaced(app), away_);
    away_ -= state_->state().away(app, best) > 0 ? 1 : 0;
    state_->put(app, best, 1);
    returning_ += std::min<std::uint64_t>(state_->placement().unplaced(app), away_);
    costs_.refresh(state_->placement().tag_view(), best);
  }
}

template <class Unit>
void Reseat<Unit>::move(AppId app, Much much, Random& random) {
  waiting_.clear();
  const AppId application = state_->instance().application(app);
  if (much == Much::kFewReplicas) {
    take_out(application, 1 + random.below(kFewReseated), random);
  } else {
    const AppId second = random.below(2) == 0 ? neighbour(application, random) : application;
    take_out(application, kMostReseated, random);
    if (second != application) take_out(second, kMostReseated, random);
  }
  returning_ = 0;
  for (const AppId one : waiting_) returning_ += std::min<std::uint64_t>(state_->placement().unplaced(one), away(one));
  // The most popular first, as a rule: what others count has to be there.
  const TagModel& rules = state_->instance().tag_model();
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [&](AppId a, AppId b) { return rules.popularity(a) > rules.popularity(b); });
  if (waiting_.size() > 1 && random.below(2) == 0) {
    const auto size = static_cast<std::uint32_t>(waiting_.size());
    std::swap(waiting_[random.below(size)], waiting_[random.below(size)]);
  }
  for (const AppId one : waiting_) place(one, random);
}

template class Reseat<std::int16_t>;
template class Reseat<std::int32_t>;

}  // namespace stowage
