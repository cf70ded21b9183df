#include "core/colocation/assignment/colocation_state.h"

#include <algorithm>

#include "core/base/watched.h"

namespace stowage {

ColocationState::ColocationState(const ColocationProblem& problem, ColocationGoal goal)
    : problem_(&problem), goal_(goal), width_(width_for(problem.kinds)) {
  const std::uint32_t kinds = problem.kinds;
  effects_.assign((std::size_t{kinds} + 1) * 2 * width_, 0);
  for (std::uint32_t u = 0; u < kinds; ++u) {
    double* effect = effects_.data() + std::size_t{u} * 2 * width_;
    for (std::uint32_t t = 0; t < kinds; ++t) effect[t] = problem.suffers(t, u);
    effect[width_ + u] = 1;
  }
  watched_resize(rows_, std::size_t{problem.nodes} * 2 * width_, problem.watch);
  watched_resize(value_, problem.nodes, problem.watch);
  watched_resize(members_, problem.nodes, problem.watch);
  watched_resize(position_, problem.replicas(), problem.watch);
  replicas_.reserve(problem.replicas() + std::size_t{1});
  for (std::uint32_t i = 0; i < problem.replicas() && !problem.ends(1); ++i) {
    replicas_.push_back({problem.load[i], problem.kind[i], kNone});
  }
  replicas_.push_back({0, kinds, kNone});
}

std::uint32_t ColocationState::width_for(std::uint32_t kinds) {
  std::uint32_t width = 2;
  while (width < kinds && width < 8) width *= 2;
  return width >= kinds ? width : kinds + kinds % 2;
}

double ColocationState::objective() const {
  double objective = 0;
  for (const double value : value_)
    objective = goal_ == ColocationGoal::kWorst ? std::max(objective, value) : objective + value;
  return objective;
}

Colocation ColocationState::colocation() const {
  Colocation colocation(replicas());
  for (std::uint32_t i = 0; i < replicas(); ++i) colocation[i] = replicas_[i].node;
  return colocation;
}

void ColocationState::assign(const Colocation& colocation) {
  for (std::vector<std::uint32_t>& members : members_) members.clear();
  for (std::uint32_t i = 0; i < replicas(); ++i) {
    const std::uint32_t node = colocation[i];
    replicas_[i].node = node;
    if (node == kNone) continue;
    position_[i] = static_cast<std::uint32_t>(members_[node].size());
    members_[node].push_back(i);
  }
  refresh();
}

void ColocationState::refresh() {
  std::fill(rows_.begin(), rows_.end(), 0.0);
  for (std::uint32_t i = 0; i < replicas(); ++i) {
    if (replicas_[i].node != kNone) add(replicas_[i].node, replicas_[i], 1);
  }
  for (std::uint32_t node = 0; node < nodes(); ++node) value_[node] = compute_value(node);
}

void ColocationState::move(std::uint32_t i, std::uint32_t node) {
  if (replicas_[i].node != kNone) {
    const std::uint32_t from = replicas_[i].node;
    leave(i);
    value_[from] = compute_value(from);
  }
  if (node == kNone) return;
  join(i, node);
  value_[node] = compute_value(node);
}

void ColocationState::exchange(std::uint32_t i, std::uint32_t j) {
  const std::uint32_t a = replicas_[i].node;
  const std::uint32_t b = replicas_[j].node;
  leave(i);
  leave(j);
  join(i, b);
  join(j, a);
  value_[a] = compute_value(a);
  value_[b] = compute_value(b);
}

ColocationState::Values ColocationState::after(std::uint32_t i, std::uint32_t node, std::uint32_t j) const {
  return goal_ == ColocationGoal::kWorst ? after_of<0, ColocationGoal::kWorst>(replicas_[i], node, replicas_[j])
                                         : after_of<0, ColocationGoal::kTotal>(replicas_[i], node, replicas_[j]);
}

double ColocationState::with(std::uint32_t node, std::uint32_t kind, double load) const {
  const double* costs = row(node);
  const double* effects = effect(kind);
  double value = 0;
  for (std::uint32_t t = 0; t < kinds(); ++t) {
    const double count = costs[width_ + t] + effects[width_ + t];
    const double cost = costs[t] + effects[t] * load;
    if (goal_ == ColocationGoal::kTotal) {
      value += count * cost;
    } else if (count > 0) {
      value = std::max(value, cost);
    }
  }
  return value;
}

double ColocationState::without(std::uint32_t i) const {
  const Replica& replica = replicas_[i];
  const double* costs = row(replica.node);
  const double* effects = effect(replica.kind);
  double value = 0;
  for (std::uint32_t t = 0; t < kinds(); ++t) {
    const double count = costs[width_ + t] - effects[width_ + t];
    const double cost = costs[t] - effects[t] * replica.load;
    if (goal_ == ColocationGoal::kTotal) {
      value += count * cost;
    } else if (count > 0) {
      value = std::max(value, cost);
    }
  }
  return value;
}

void ColocationState::leave(std::uint32_t i) {
  const std::uint32_t node = replicas_[i].node;
  std::vector<std::uint32_t>& members = members_[node];
  const std::uint32_t last = members.back();
  members[position_[i]] = last;
  position_[last] = position_[i];
  members.pop_back();
  add(node, replicas_[i], -1);
  replicas_[i].node = kNone;
}

void ColocationState::join(std::uint32_t i, std::uint32_t node) {
  replicas_[i].node = node;
  position_[i] = static_cast<std::uint32_t>(members_[node].size());
  members_[node].push_back(i);
  add(node, replicas_[i], 1);
}

void ColocationState::add(std::uint32_t node, const Replica& replica, double times) {
  double* costs = row(node);
  const double* effects = effect(replica.kind);
  const double load = times * replica.load;
  for (std::uint32_t t = 0; t < width_; ++t) costs[t] += effects[t] * load;
  costs[width_ + replica.kind] += times;
}

double ColocationState::compute_value(std::uint32_t node) const {
  const double* costs = row(node);
  double value = 0;
  for (std::uint32_t t = 0; t < kinds(); ++t) {
    if (goal_ == ColocationGoal::kTotal) {
      value += costs[width_ + t] * costs[t];
    } else if (costs[width_ + t] > 0) {
      value = std::max(value, costs[t]);
    }
  }
  return value;
}

}  // namespace stowage
