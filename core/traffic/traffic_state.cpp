#include "core/traffic/traffic_state.h"

#include <algorithm>

namespace stowage {

template <class Unit>
TrafficState<Unit>::TrafficState(Placement<Unit>& placement, const TrafficGraph& graph, const Request& request,
                                 std::span<const std::uint8_t> fixed)
    : placement_(&placement),
      graph_(&graph),
      fixed_(fixed),
      nodes_(placement.nodes()),
      candidate_(placement),
      ties_(placement.instance(), request) {
  counts_.assign(std::size_t{graph.rows()} * nodes_, 0);
  holders_.resize(graph.rows());
  const InstanceData& data = placement.instance().data();
  if (ties_.moves_matter()) {
    homes_.resize(placement.instance().apps());
    for (const Residence& residence : data.running) homes_[residence.app].push_back(residence.node);
  }
  for (NodeId node = 0; node < nodes_; ++node) {
    for (const Tenant& tenant : placement.contents().at(node)) {
      const std::uint32_t row = graph.row_of(tenant.app);
      if (row == kNone) continue;
      counts_[std::size_t{row} * nodes_ + node] = tenant.replicas;
      holders_[row].push_back(node);
    }
  }
  for (NodeId node = 0; counts_moves() && node < nodes_; ++node) {
    for (const Tenant& tenant : placement.contents().at(node)) note_guest(tenant.app, node);
  }
  for (NodeId node = 0; node < ties_.nodes(); ++node) {
    for (const Ties::Tie& one : ties_.at(node)) {
      moves_ += ties_.away(one.app, node, placement.contents().count(one.app, node));
    }
  }
}

template <class Unit>
double TrafficState<Unit>::gain(AppId app, NodeId node, std::int64_t change) {
  const std::uint32_t row = graph_->row_of(app);
  ++cells_;
  if (row == kNone) return 0;
  const std::int64_t before = count(row, node);
  const auto of_row = static_cast<std::int64_t>(graph_->replicas(row));
  const auto arcs = graph_->arcs(row);
  cells_ += arcs.size() / 4;
  double gain = 0;
  for (const TrafficGraph::Arc& arc : arcs) {
    const std::int64_t there = count(arc.peer, node);
    if (there == 0) continue;
    const auto of_peer = static_cast<std::int64_t>(graph_->replicas(arc.peer));
    const std::int64_t most = there * of_row;
    const std::int64_t units = std::min((before + change) * of_peer, most) - std::min(before * of_peer, most);
    gain += arc.per_unit * static_cast<double>(units);
  }
  return gain;
}

template <class Unit>
std::int64_t TrafficState<Unit>::moves_for(AppId app, NodeId node, std::int64_t change) const {
  const auto running = static_cast<std::int64_t>(ties_.running(app, node));
  if (running == 0) return 0;
  const std::int64_t before = replicas(app, node);
  const auto away = [running](std::int64_t there) { return std::max<std::int64_t>(0, running - there); };
  return away(before + change) - away(before);
}

template <class Unit>
std::uint32_t TrafficState<Unit>::headroom(AppId app, NodeId node, std::uint32_t wanted) {
  if (!fixed_.empty() && fixed_[app] != 0) return 0;
  if (candidate_.app() != app) candidate_.start(*placement_, app);
  cells_ += 2;
  return placement_->headroom(candidate_, node, wanted);
}

template <class Unit>
std::uint32_t TrafficState<Unit>::removable(AppId app, NodeId node) const {
  if (!fixed_.empty() && fixed_[app] != 0) return 0;
  return ties_.removable(app, node, replicas(app, node));
}

template <class Unit>
void TrafficState<Unit>::apply(AppId app, NodeId node, std::int64_t change) {
  moves_ += moves_for(app, node, change);
  if (change > 0) {
    placement_->place(app, node, static_cast<std::uint32_t>(change));
  } else {
    placement_->remove(app, node, static_cast<std::uint32_t>(-change));
  }
  cells_ += 8;
  const std::uint32_t row = graph_->row_of(app);
  if (row != kNone) count_change(row, node, change);
  if (counts_moves()) note_guest(app, node);
}

template <class Unit>
void TrafficState<Unit>::count_change(std::uint32_t row, NodeId node, std::int64_t change) {
  std::uint32_t& count = counts_[std::size_t{row} * nodes_ + node];
  std::vector<NodeId>& holders = holders_[row];
  if (count == 0) holders.push_back(node);
  count = static_cast<std::uint32_t>(count + change);
  if (count != 0) return;
  const std::size_t at = place_among(holders, node);
  holders[at] = holders.back();
  holders.pop_back();
  last_place_ = at;
}

template <class Unit>
std::size_t TrafficState<Unit>::place_among(const std::vector<NodeId>& holders, NodeId node) const {
  for (const std::size_t at : {last_place_ + 1, last_place_, last_place_ - 1}) {
    if (at < holders.size() && holders[at] == node) return at;
  }
  return static_cast<std::size_t>(std::find(holders.begin(), holders.end(), node) - holders.begin());
}

template <class Unit>
void TrafficState<Unit>::note_guest(AppId app, NodeId node) {
  const bool is_guest = replicas(app, node) > ties_.running(app, node);
  const std::uint64_t key = std::uint64_t{app} << 32 | node;
  const auto known = guest_at_.find(key);
  if (is_guest == (known != guest_at_.end())) return;
  if (is_guest) {
    guest_at_.emplace(key, guests_.size());
    guests_.push_back({app, node});
    return;
  }
  const Guest last = guests_.back();
  const std::size_t at = known->second;
  guest_at_.erase(known);
  guests_.pop_back();
  if (at == guests_.size()) return;
  guests_[at] = last;
  guest_at_[std::uint64_t{last.app} << 32 | last.node] = at;
}

template <class Unit>
void TrafficState<Unit>::change(AppId app, NodeId node, std::int64_t change) {
  gained_ += gain(app, node, change);
  apply(app, node, change);
  journal_.push_back({app, node, change});
}

template <class Unit>
void TrafficState<Unit>::undo() {
  for (std::size_t k = journal_.size(); k-- > 0;) apply(journal_[k].app, journal_[k].node, -journal_[k].change);
  begin();
}

template <class Unit>
double TrafficState<Unit>::local() const {
  double local = 0;
  for (const TrafficGraph::Pair& pair : graph_->pairs()) {
    const std::uint64_t of_row = graph_->replicas(pair.row);
    const std::uint64_t of_peer = graph_->replicas(pair.peer);
    std::uint64_t units = 0;
    for (const NodeId node : holders_[pair.row]) {
      units += std::min(count(pair.row, node) * of_peer, count(pair.peer, node) * of_row);
    }
    local += pair.share * (static_cast<double>(units) / static_cast<double>(of_row * of_peer));
  }
  return local;
}

template <class Unit>
void TrafficState<Unit>::restore(const NodeContents& contents) {
  std::vector<Tenant> tenants;
  // What is not there any more goes first, so that there is room.
  for (const bool removes : {true, false}) {
    for (NodeId node = 0; node < nodes_; ++node) {
      const auto source = removes ? placement_->contents().at(node) : contents.at(node);
      tenants.assign(source.begin(), source.end());
      for (const Tenant& tenant : tenants) {
        const std::int64_t now = replicas(tenant.app, node);
        const std::int64_t then = contents.count(tenant.app, node);
        if (removes ? now > then : now < then) apply(tenant.app, node, then - now);
      }
    }
  }
  begin();
}

template class TrafficState<std::int16_t>;
template class TrafficState<std::int32_t>;

}  // namespace stowage
