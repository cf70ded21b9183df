#include "core/colocation/search/placement_gate.h"

namespace stowage {

template <class Unit>
PlacementGate<Unit>::PlacementGate(Placement<Unit>& placement, const ColocationState& state, std::span<const NodeId> nodes,
                                   std::span<const std::uint8_t> frozen, const Request& request)
    : placement_(&placement),
      state_(&state),
      nodes_(nodes),
      frozen_(frozen),
      budget_(request.move_budget),
      ties_(placement.instance(), request),
      candidate_(placement) {
  moves_ = count_moves();
}

template <class Unit>
std::int64_t PlacementGate<Unit>::count_moves() const {
  std::int64_t moves = 0;
  for (NodeId node = 0; node < ties_.nodes(); ++node) {
    for (const Ties::Tie& tie : ties_.at(node)) moves += ties_.away(tie.app, node, placement_->contents().count(tie.app, node));
  }
  return moves;
}

template <class Unit>
int PlacementGate<Unit>::moves_of_leaving(AppId app, NodeId node) const {
  const Ties::Tie* tie = ties_.find(app, node);
  if (tie == nullptr) return 0;
  const std::uint32_t there = placement_->contents().count(app, node);
  if (ties_.removable(app, node, there) == 0) return kPinned;
  return there <= tie->running ? 1 : 0;
}

template <class Unit>
int PlacementGate<Unit>::moves_of_coming(AppId app, NodeId node) const {
  const Ties::Tie* tie = ties_.find(app, node);
  return tie != nullptr && placement_->contents().count(app, node) < tie->running ? -1 : 0;
}

template <class Unit>
bool PlacementGate<Unit>::takes(AppId app, NodeId node) {
  candidate_.start(*placement_, app);
  return placement_->headroom(candidate_, node, 1) > 0;
}

template <class Unit>
bool PlacementGate<Unit>::may_exchange(std::uint32_t i, std::uint32_t node, std::uint32_t j) {
  const ColocationProblem& problem = state_->problem();
  const NodeId from = nodes_[state_->replica(i).node];
  const NodeId to = nodes_[node];
  const AppId app = problem.app[i];
  const bool alone = j == state_->nothing();
  const AppId other = alone ? kNone : problem.app[j];
  if (app == other || is_frozen(app) || (!alone && is_frozen(other))) return false;
  std::int64_t moves = moves_of_leaving(app, from) + moves_of_coming(app, to);
  if (!alone) moves += moves_of_leaving(other, to) + moves_of_coming(other, from);
  if (moves >= kPinned / 2 || (moves > 0 && moves_ + moves > budget_)) return false;
  // Leaving first: what stays behind may be what a rule or the room hindered.
  placement_->remove(app, from, 1);
  if (!alone) placement_->remove(other, to, 1);
  bool admitted = takes(app, to);
  if (admitted && !alone) {
    placement_->place(app, to, 1);
    admitted = takes(other, from);
    placement_->remove(app, to, 1);
  }
  if (!alone) placement_->place(other, to, 1);
  placement_->place(app, from, 1);
  return admitted;
}

template <class Unit>
void PlacementGate<Unit>::exchanging(std::uint32_t i, std::uint32_t node, std::uint32_t j) {
  const NodeId from = nodes_[state_->replica(i).node];
  const NodeId to = nodes_[node];
  const AppId app = state_->problem().app[i];
  moves_ += moves_of_leaving(app, from);
  placement_->remove(app, from, 1);
  if (j != state_->nothing()) {
    const AppId other = state_->problem().app[j];
    moves_ += moves_of_leaving(other, to);
    placement_->remove(other, to, 1);
    moves_ += moves_of_coming(other, from);
    placement_->place(other, from, 1);
  }
  moves_ += moves_of_coming(app, to);
  placement_->place(app, to, 1);
}

template <class Unit>
void PlacementGate<Unit>::go_to(const Colocation& colocation) {
  const std::vector<AppId>& app = state_->problem().app;
  for (std::uint32_t i = 0; i < state_->replicas(); ++i) {
    const std::uint32_t from = state_->replica(i).node;
    if (from == colocation[i]) continue;
    placement_->remove(app[i], nodes_[from], 1);
  }
  for (std::uint32_t i = 0; i < state_->replicas(); ++i) {
    if (state_->replica(i).node == colocation[i]) continue;
    placement_->place(app[i], nodes_[colocation[i]], 1);
  }
  moves_ = count_moves();
}

template class PlacementGate<std::int16_t>;
template class PlacementGate<std::int32_t>;

}  // namespace stowage
