#include "core/search/search_state.h"

#include <cassert>

#include "core/placement/fits_empty.h"

namespace stowage {

template <class Unit>
SearchState<Unit>::SearchState(Placement<Unit>& placement, const Request& request)
    : placement_(&placement),
      limits_(&placement.instance().limit_rows()),
      budget_(request.move_budget),
      ties_(placement.instance(), request) {
  const InstanceData& data = instance().data();
  for (NodeId n = 0; n < placement.nodes(); ++n) {
    if (n >= data.closed.size() || data.closed[n] == 0) add(n);
  }
  find_placeable();
  collect_pool();
}

template <class Unit>
SearchState<Unit>::SearchState(const SearchState& original, Placement<Unit>& copy)
    : placement_(&copy),
      limits_(original.limits_),
      budget_(original.budget_),
      moves_(original.moves_),
      ties_(original.ties_),
      nodes_(original.nodes_),
      in_play_(original.in_play_),
      spare_(original.spare_),
      pool_(original.pool_),
      pool_at_(original.pool_at_),
      frozen_(original.frozen_),
      placeable_(original.placeable_) {
  if (!original.left_out_.empty()) collect_pool();
}

template <class Unit>
void SearchState<Unit>::add(NodeId node) {
  nodes_.push_back(node);
  if (in_play_.size() <= node) in_play_.resize(std::size_t{node} + 1, 0);
  in_play_[node] = 1;
}

template <class Unit>
void SearchState<Unit>::set_aside(NodeId node) {
  nodes_.erase(std::find(nodes_.begin(), nodes_.end(), node));
  leave_play(node);
}

template <class Unit>
void SearchState<Unit>::set_aside(const std::vector<NodeId>& nodes) {
  for (const NodeId node : nodes) leave_play(node);
  std::erase_if(nodes_, [&](NodeId node) { return in_play_[node] == 0; });
}

template <class Unit>
bool SearchState<Unit>::set_aside_empty(WatchRef watch) {
  std::vector<NodeId> empty;
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    if (!placement_->used(nodes_[k])) empty.push_back(nodes_[k]);
  }
  if (empty.empty()) return true;
  // Each node of a block that is closed as a whole would be its largest one for a moment.
  placement_->residuals().loosen_maxima();
  for (const NodeId node : empty) {
    if (watch.step(kStepsToOpen)) return false;
    leave_play(node);
  }
  placement_->residuals().settle();
  std::erase_if(nodes_, [&](NodeId node) { return in_play_[node] == 0; });
  return true;
}

template <class Unit>
void SearchState<Unit>::leave_play(NodeId node) {
  in_play_[node] = 0;
  spare_.push_back(node);
  placement_->residuals().close(node);
}

template <class Unit>
void SearchState<Unit>::reopen(NodeId node) {
  spare_.erase(std::find(spare_.rbegin(), spare_.rend(), node).base() - 1);
  placement_->reopen(node);
  add(node);
}

template <class Unit>
bool SearchState<Unit>::can_close(NodeId node) const {
  if (placement_->loaded(node)) return false;
  const auto tenants = placement_->contents().at(node);
  if (std::any_of(tenants.begin(), tenants.end(), [&](const Tenant& tenant) { return is_frozen(tenant.app); })) return false;
  const auto ties = ties_.at(node);
  if (std::any_of(ties.begin(), ties.end(), [](const Ties::Tie& tie) { return tie.pinned > 0; })) return false;
  return moves_ + moves_to_close(node) <= budget_;
}

template <class Unit>
std::uint64_t SearchState<Unit>::moves_to_close(NodeId node) const {
  std::uint64_t moved = 0;
  for (const Ties::Tie& tie : ties_.at(node)) moved += std::min(tie.running, placement_->contents().count(tie.app, node));
  return moved;
}

template <class Unit>
void SearchState<Unit>::close(NodeId node) {
  while (!placement_->contents().at(node).empty()) {
    const Tenant tenant = placement_->contents().at(node).back();
    evict(tenant.app, node, tenant.replicas);
  }
  set_aside(node);
}

template <class Unit>
void SearchState<Unit>::find_placeable() {
  placeable_.assign(instance().apps(), 0);
  typename Residuals<Unit>::Need need;
  for (AppId app = 0; app < instance().apps(); ++app) {
    placement_->residuals().prepare(app, need);
    for (ClassId c = 0; c < instance().classes() && placeable_[app] == 0; ++c) {
      placeable_[app] = fits_empty(instance(), placement_->residuals(), need, app, c) ? 1 : 0;
    }
  }
}

template <class Unit>
void SearchState<Unit>::collect_pool() {
  pool_.clear();
  pool_at_.resize(instance().apps());
  for (AppId app = 0; app < instance().apps(); ++app) {
    if (placement_->unplaced(app) > 0 && placeable(app) && !is_left_out(app)) enter_pool(app);
  }
}

template <class Unit>
void SearchState<Unit>::enter_pool(AppId app) {
  pool_at_[app] = static_cast<std::uint32_t>(pool_.size());
  pool_.push_back(app);
}

template <class Unit>
void SearchState<Unit>::leave_pool(AppId app) {
  const std::uint32_t at = pool_at_[app];
  pool_[at] = pool_.back();
  pool_at_[pool_[at]] = at;
  pool_.pop_back();
}

template <class Unit>
void SearchState<Unit>::leave_out_of_pool(std::span<const std::uint8_t> left_out) {
  left_out_ = left_out;
  collect_pool();
}

template <class Unit>
void SearchState<Unit>::place_waiting(AppId app, NodeId node, std::uint32_t replicas) {
  put(app, node, replicas);
  if (placement_->unplaced(app) == 0) leave_pool(app);
}

template <class Unit>
void SearchState<Unit>::evict(AppId app, NodeId node, std::uint32_t replicas) {
  if (placement_->unplaced(app) == 0 && !is_left_out(app)) enter_pool(app);
  take(app, node, replicas);
}

template <class Unit>
bool SearchState<Unit>::may_join(AppId arriving, NodeId node, AppId leaving) const {
  if (!placement_->admits(arriving, node)) return false;
  const auto tenants = placement_->contents().at(node);
  if (tenants.empty() && !placement_->may_use(node)) return false;
  std::uint32_t own = 1;
  for (const Tenant& tenant : tenants) {
    if (tenant.app == arriving) own += tenant.replicas;
  }
  if (own > limits_->self_limit(arriving)) return false;
  for (const Tenant& tenant : tenants) {
    const std::uint32_t replicas = tenant.replicas - (tenant.app == leaving ? 1 : 0);
    if (replicas == 0 || tenant.app == arriving) continue;
    if (!admits(pairs_.of(arriving, tenant.app), *limits_, {arriving, own}, {tenant.app, replicas})) return false;
  }
  const Instance& instance = placement_->instance();
  if (instance.limits_costs() && !costs_admit(instance, arriving, leaving, tenants)) return false;
  if (instance.devices().uses(arriving) && !placement_->devices_admit(arriving, leaving, node)) return false;
  return leaving != kNone || placement_->allowed_by_rules(arriving, node, 1) > 0;
}

template <class Unit>
bool SearchState<Unit>::may_leave(AppId app, NodeId node, AppId other, NodeId other_node) const {
  std::uint32_t moved = 0;
  const auto may_go = [&](AppId leaving, NodeId from) {
    if (leaving == kNone) return true;
    if (is_frozen(leaving)) return false;
    const Ties::Tie* tie = ties_.find(leaving, from);
    if (tie == nullptr) return true;
    const std::uint32_t here = placement_->contents().count(leaving, from);
    if (here <= tie->running) ++moved;
    return ties_.removable(leaving, from, here) > 0;
  };
  return may_go(app, node) && may_go(other, other_node) && moves_ + moved <= budget_;
}

template <class Unit>
int SearchState<Unit>::moves_for(AppId app, NodeId node, NodeId other) const {
  if (!moves_matter()) return 0;
  // Whether one of the app's replicas on the node, or of those and `more`, runs there.
  const auto counts = [&](NodeId at, std::uint32_t more) {
    const Ties::Tie* tie = ties_.find(app, at);
    return tie != nullptr && placement_->contents().count(app, at) + more <= tie->running ? 1 : 0;
  };
  return counts(node, 0) - counts(other, 1);
}

template <class Unit>
void SearchState<Unit>::exchange(AppId a, NodeId node_of_a, AppId b, NodeId node_of_b) {
  assert(may_leave(a, node_of_a, b, node_of_b));
  take(a, node_of_a);
  if (b != kNone) {
    take(b, node_of_b);
    put(b, node_of_a);
  }
  put(a, node_of_b);
}

template <class Unit>
void SearchState<Unit>::track_holders(const std::vector<NodeId>& nodes) {
  holders_.resize(instance().apps());
  for (const NodeId node : nodes) {
    for (const Tenant& tenant : placement_->contents().at(node)) holders_[tenant.app].push_back(node);
  }
  tracks_holders_ = true;
}

template <class Unit>
void SearchState<Unit>::stop_tracking() {
  for (std::vector<NodeId>& holders : holders_) holders.clear();
  tracks_holders_ = false;
}

template <class Unit>
void SearchState<Unit>::put(AppId app, NodeId node, std::uint32_t replicas) {
  moves_ -= away(app, node);
  if (tracks_holders_ && placement_->contents().count(app, node) == 0) holders_[app].push_back(node);
  placement_->place(app, node, replicas);
  moves_ += away(app, node);
}

template <class Unit>
std::uint32_t SearchState<Unit>::many_at_once(AppId app, NodeId node) const {
  // Counting what a node takes costs about as much as placing so many one by one.
  constexpr std::uint32_t kCrowd = 256;
  const std::uint32_t waiting = placement_->unplaced(app);
  if (waiting < kCrowd) return 1;
  typename Placement<Unit>::Candidate candidate(*placement_);
  candidate.start(*placement_, app);
  return std::max(1u, placement_->headroom(candidate, node, waiting));
}

template <class Unit>
void SearchState<Unit>::take(AppId app, NodeId node, std::uint32_t replicas) {
  moves_ -= away(app, node);
  placement_->remove(app, node, replicas);
  if (tracks_holders_ && placement_->contents().count(app, node) == 0) {
    std::vector<NodeId>& holders = holders_[app];
    // What came last leaves first, most of the time.
    *std::find(holders.rbegin(), holders.rend(), node) = holders.back();
    holders.pop_back();
  }
  moves_ += away(app, node);
}

template class SearchState<std::int16_t>;
template class SearchState<std::int32_t>;

}  // namespace stowage
