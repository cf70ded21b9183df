#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
SearchState<Unit>::SearchState(Placement<Unit>& placement, const Request& request)
    : placement_(&placement),
      limits_(&placement.instance().limit_rows()),
      budget_(request.move_budget),
      moves_matter_(!request.ignore_running && !placement.instance().data().running.empty()) {
  const InstanceData& data = instance().data();
  tied_.resize(instance().listed_nodes());
  for (const Residence& p : data.pinned) tie(p, p.replicas, 0);
  if (moves_matter_) {
    for (const Residence& r : data.running) tie(r, 0, r.replicas);
  }
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
      moves_matter_(original.moves_matter_),
      tied_(original.tied_),
      nodes_(original.nodes_),
      in_play_(original.in_play_),
      spare_(original.spare_),
      pool_(original.pool_),
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
void SearchState<Unit>::set_aside_empty() {
  std::vector<NodeId> kept;
  for (const NodeId node : nodes_) {
    if (placement_->used(node)) kept.push_back(node);
  }
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    if (!placement_->used(nodes_[k])) leave_play(nodes_[k]);
  }
  nodes_ = std::move(kept);
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
  if (node >= tied_.size()) return true;
  std::uint64_t moved = 0;
  for (const Tie& tie : tied_[node]) {
    if (tie.pinned > 0) return false;
    moved += std::min(tie.running, placement_->contents().count(tie.app, node));
  }
  return moves_ + moved <= budget_;
}

template <class Unit>
void SearchState<Unit>::close(NodeId node) {
  while (!placement_->contents().at(node).empty()) {
    const Tenant tenant = placement_->contents().at(node).back();
    for (std::uint32_t k = 0; k < tenant.replicas; ++k) evict(tenant.app, node);
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
      placeable_[app] = takes(c, app, need) ? 1 : 0;
    }
  }
}

template <class Unit>
bool SearchState<Unit>::takes(ClassId node_class, AppId app, const typename Residuals<Unit>::Need& need) const {
  if (!instance().eligibility().reaches(app, node_class)) return false;
  if (placement_->residuals().copies_on_empty(need, node_class, 1) > 0) return true;
  // A listed node may carry less daemon load than new ones do.
  const InstanceData& data = instance().data();
  for (NodeId n = 0; n < instance().listed_nodes() && !data.daemon.empty(); ++n) {
    if (data.node_class[n] != node_class) continue;
    if (placement_->residuals().copies_beside(need, node_class, instance().scaled_standing(n, node_class), 1) > 0) return true;
  }
  return false;
}

template <class Unit>
void SearchState<Unit>::collect_pool() {
  pool_.clear();
  for (AppId app = 0; app < instance().apps(); ++app) {
    if (placement_->unplaced(app) > 0 && placeable(app) && !is_left_out(app)) pool_.push_back(app);
  }
}

template <class Unit>
void SearchState<Unit>::leave_out_of_pool(std::span<const std::uint8_t> left_out) {
  left_out_ = left_out;
  collect_pool();
}

template <class Unit>
void SearchState<Unit>::place_waiting(AppId app, NodeId node) {
  put(app, node);
  if (placement_->unplaced(app) > 0) return;
  *std::find(pool_.begin(), pool_.end(), app) = pool_.back();
  pool_.pop_back();
}

template <class Unit>
void SearchState<Unit>::evict(AppId app, NodeId node) {
  if (placement_->unplaced(app) == 0 && !is_left_out(app)) pool_.push_back(app);
  take(app, node);
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
  return leaving != kNone || placement_->allowed_by_rules(arriving, node, 1) > 0;
}

template <class Unit>
bool SearchState<Unit>::may_leave(AppId app, NodeId node, AppId other, NodeId other_node) const {
  std::uint32_t moved = 0;
  const auto not_pinned = [&](AppId leaving, NodeId from) {
    if (leaving == kNone || from >= tied_.size()) return true;
    for (const Tie& tie : tied_[from]) {
      if (tie.app != leaving) continue;
      const std::uint32_t here = placement_->contents().count(leaving, from);
      if (here <= tie.pinned) return false;
      if (here <= tie.running) ++moved;
    }
    return true;
  };
  return not_pinned(app, node) && not_pinned(other, other_node) && moves_ + moved <= budget_;
}

template <class Unit>
std::uint32_t SearchState<Unit>::pinned(AppId app, NodeId node) const {
  if (node >= tied_.size()) return 0;
  for (const Tie& tie : tied_[node]) {
    if (tie.app == app) return tie.pinned;
  }
  return 0;
}

template <class Unit>
int SearchState<Unit>::moves_for(AppId app, NodeId node, NodeId other) const {
  if (!moves_matter_) return 0;
  // Whether one of the app's replicas on the node, or of those and `more`, runs there.
  const auto counts = [&](NodeId at, std::uint32_t more) {
    if (at >= tied_.size()) return 0;
    const std::uint32_t here = placement_->contents().count(app, at) + more;
    return std::any_of(tied_[at].begin(), tied_[at].end(),
                       [&](const Tie& tie) { return tie.app == app && here <= tie.running; })
               ? 1
               : 0;
  };
  return counts(node, 0) - counts(other, 1);
}

template <class Unit>
void SearchState<Unit>::exchange(AppId a, NodeId node_of_a, AppId b, NodeId node_of_b) {
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
void SearchState<Unit>::tie(const Residence& residence, std::uint32_t pinned, std::uint32_t running) {
  for (Tie& known : tied_[residence.node]) {
    if (known.app != residence.app) continue;
    known.pinned += pinned;
    known.running += running;
    return;
  }
  tied_[residence.node].push_back({residence.app, pinned, running});
}

template <class Unit>
void SearchState<Unit>::put(AppId app, NodeId node) {
  count_move(app, node, -1);
  if (tracks_holders_ && placement_->contents().count(app, node) == 0) holders_[app].push_back(node);
  placement_->place(app, node, 1);
}

template <class Unit>
void SearchState<Unit>::take(AppId app, NodeId node) {
  placement_->remove(app, node, 1);
  if (tracks_holders_ && placement_->contents().count(app, node) == 0) {
    std::vector<NodeId>& holders = holders_[app];
    *std::find(holders.begin(), holders.end(), node) = holders.back();
    holders.pop_back();
  }
  count_move(app, node, 1);
}

// While the replica is away: called before it is put and after it is taken.
template <class Unit>
void SearchState<Unit>::count_move(AppId app, NodeId node, int change) {
  if (!moves_matter_ || node >= tied_.size()) return;
  for (const Tie& tie : tied_[node]) {
    if (tie.app != app || placement_->contents().count(app, node) >= tie.running) continue;
    moves_ = change > 0 ? moves_ + 1 : moves_ - 1;
  }
}

template class SearchState<std::int16_t>;
template class SearchState<std::int32_t>;

}  // namespace stowage
