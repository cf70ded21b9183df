#include "core/goals/goal_state.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace stowage {
namespace {

/// Contributions of which the largest counts are raised to 3 times this power of two: to the 12th and the 96th power. The sum
/// of 12th powers can be least where the largest is not.
constexpr std::uint32_t kGentlePower = 2;
constexpr std::uint32_t kSteepPower = 5;

}  // namespace

template <class Unit>
GoalState<Unit>::GoalState(RebuildState<Unit>& state, const GoalTerms& terms) : state_(&state), goals_(&terms) {
  for (const auto& term : terms.terms) {
    Sums& sums = sums_.emplace_back();
    sums.fold = term->fold();
  }
  totals_before_.resize(sums_.size());
  resize();
  for (NodeId node = 0; node < state_->placement().nodes(); ++node) settle(node);
  rescale();
}

template <class Unit>
void GoalState<Unit>::resize() {
  const std::size_t nodes = state_->placement().nodes();
  if (nodes <= is_in_use_.size() && !is_in_use_.empty()) return;
  // Room for more at once: searches open nodes one by one.
  const std::size_t room = std::bit_ceil(std::max<std::size_t>(nodes + 1, 64));
  is_in_use_.resize(room, 0);
  is_touched_.resize(room, 0);
  is_stale_.resize(room, 0);
  for (Sums& sums : sums_) {
    sums.of_node.resize(room, 0);
    if (sums.fold != Term::Fold::kLargest) continue;
    sums.largest.assign(2 * room, 0);
    std::copy(sums.of_node.begin(), sums.of_node.end(), sums.largest.begin() + static_cast<std::ptrdiff_t>(room));
    for (std::size_t k = room - 1; k > 0; --k) sums.largest[k] = std::max(sums.largest[2 * k], sums.largest[2 * k + 1]);
  }
}

template <class Unit>
NodeView GoalState<Unit>::view(NodeId node, std::span<const Tenant> tenants) const {
  const NodeId listed = node < instance().listed_nodes() ? node : kNone;
  return {listed, state_->placement().class_of(node), tenants, state_->placement().loaded(node)};
}

template <class Unit>
double GoalState<Unit>::steep(std::size_t term, double of_node) const {
  if (!(of_node > 0)) return 0;
  const Sums& sums = sums_[term];
  // By products alone: the same on every platform.
  double power = of_node / sums.scale;
  power *= power * power;
  for (std::uint32_t k = 0; k < (gentle_ ? kGentlePower : kSteepPower); ++k) power *= power;
  return sums.scale * power;
}

template <class Unit>
void GoalState<Unit>::count(std::size_t term, double of_node, bool in_use, double times) {
  Sums& sums = sums_[term];
  if (sums.fold == Term::Fold::kLargest) {
    sums.sum += times * steep(term, of_node);
  } else if (sums.fold != Term::Fold::kDeviation || in_use) {
    sums.sum += times * of_node;
    sums.squares += times * of_node * of_node;
  }
}

template <class Unit>
void GoalState<Unit>::set_largest(std::size_t term, NodeId node, double of_node) {
  std::vector<double>& tree = sums_[term].largest;
  if (tree.empty()) return;
  std::size_t k = tree.size() / 2 + node;
  tree[k] = of_node;
  for (k /= 2; k > 0; k /= 2) {
    const double most = std::max(tree[2 * k], tree[2 * k + 1]);
    if (tree[k] == most) break;
    tree[k] = most;
  }
}

template <class Unit>
void GoalState<Unit>::settle(NodeId node) {
  const NodeView now = view(node, state_->placement().contents().at(node));
  const bool in_use = now.in_use();
  const bool was_in_use = is_in_use_[node] != 0;
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    const double of_node = goals_->terms[t]->at(now);
    double& known = sums_[t].of_node[node];
    if (of_node == known && in_use == was_in_use) continue;
    count(t, known, was_in_use, -1);
    count(t, of_node, in_use, 1);
    known = of_node;
    set_largest(t, node, of_node);
  }
  in_use_ += static_cast<double>(in_use) - static_cast<double>(was_in_use);
  is_in_use_[node] = in_use ? 1 : 0;
  is_stale_[node] = 0;
}

template <class Unit>
void GoalState<Unit>::settle_all() {
  for (const NodeId node : stale_) {
    if (is_stale_[node] != 0) settle(node);
  }
  stale_.clear();
}

template <class Unit>
void GoalState<Unit>::touch(NodeId node) {
  resize();
  if (is_touched_[node] == 0) {
    is_touched_[node] = 1;
    before_.push_back({node, is_in_use_[node] != 0, before_values_.size()});
    for (const Sums& sums : sums_) before_values_.push_back(sums.of_node[node]);
  }
  if (is_stale_[node] == 0) {
    is_stale_[node] = 1;
    stale_.push_back(node);
  }
}

template <class Unit>
void GoalState<Unit>::begin() {
  settle_all();
  state_->begin();
  for (const Before& one : before_) is_touched_[one.node] = 0;
  before_.clear();
  before_values_.clear();
  for (std::size_t t = 0; t < sums_.size(); ++t) totals_before_[t] = {sums_[t].sum, sums_[t].squares};
  in_use_before_ = in_use_;
}

template <class Unit>
void GoalState<Unit>::roll_back() {
  state_->roll_back();
  for (const Before& one : before_) {
    for (std::size_t t = 0; t < sums_.size(); ++t) {
      const double of_node = before_values_[one.values + t];
      sums_[t].of_node[one.node] = of_node;
      set_largest(t, one.node, of_node);
    }
    is_in_use_[one.node] = one.in_use ? 1 : 0;
    is_stale_[one.node] = 0;
  }
  stale_.clear();
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    sums_[t].sum = totals_before_[t].sum;
    sums_[t].squares = totals_before_[t].squares;
  }
  in_use_ = in_use_before_;
}

template <class Unit>
void GoalState<Unit>::rescale(bool gentle) {
  gentle_ = gentle;
  // An empty node that was offered may be new.
  resize();
  settle_all();
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    Sums& sums = sums_[t];
    if (sums.fold == Term::Fold::kLargest && sums.largest[1] > 0) sums.scale = sums.largest[1];
    // Anew, without what rounding has left.
    sums.sum = 0;
    sums.squares = 0;
    for (NodeId node = 0; node < state_->placement().nodes(); ++node) count(t, sums.of_node[node], is_in_use_[node] != 0, 1);
  }
}

template <class Unit>
double GoalState<Unit>::term_value(std::size_t term) const {
  const Sums& sums = sums_[term];
  switch (sums.fold) {
    case Term::Fold::kLargest:
      return sums.largest[1];
    case Term::Fold::kDeviation: {
      if (!(in_use_ > 0)) return 0;
      const double mean = sums.sum / in_use_;
      return std::sqrt(std::max(0.0, sums.squares / in_use_ - mean * mean));
    }
    case Term::Fold::kOfRules:
      return std::max(0.0, state_->parts().soft);
    case Term::Fold::kLeftOut:
      return 0;
    default:
      return goals_->terms[term]->constant() + sums.sum;
  }
}

template <class Unit>
double GoalState<Unit>::term_slope(std::size_t term) const {
  return sums_[term].fold == Term::Fold::kLargest ? sums_[term].sum : term_value(term);
}

template <class Unit>
double GoalState<Unit>::value(std::size_t level) {
  settle_all();
  double sum = 0;
  for (std::size_t t = goals_->levels[level].begin; t < goals_->levels[level].end; ++t)
    sum += goals_->weight[t] * term_value(t);
  return sum;
}

template <class Unit>
double GoalState<Unit>::slope(std::size_t level) {
  settle_all();
  double sum = 0;
  for (std::size_t t = goals_->levels[level].begin; t < goals_->levels[level].end; ++t)
    sum += goals_->weight[t] * term_slope(t);
  return sum;
}

template <class Unit>
void GoalState<Unit>::set_prices(std::vector<double> prices) {
  for (std::size_t level = 0; level < prices.size(); ++level) {
    for (std::size_t t = goals_->levels[level].begin; t < goals_->levels[level].end; ++t) {
      sums_[t].price = prices[level] * goals_->weight[t];
    }
  }
}

template <class Unit>
double GoalState<Unit>::change(AppId app, NodeId node) {
  resize();
  if (is_stale_[node] != 0) settle(node);
  const auto now = state_->placement().contents().at(node);
  tenants_.assign(now.begin(), now.end());
  const auto known = std::find_if(tenants_.begin(), tenants_.end(), [&](const Tenant& tenant) { return tenant.app == app; });
  if (known == tenants_.end()) {
    tenants_.push_back({app, 1});
  } else {
    ++known->replicas;
  }
  const NodeView then = view(node, tenants_);
  double change = 0;
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    const Sums& sums = sums_[t];
    if (sums.price == 0) continue;
    switch (sums.fold) {
      case Term::Fold::kSum:
        change += sums.price * (goals_->terms[t]->at(then) - sums.of_node[node]);
        break;
      case Term::Fold::kLargest:
        change += sums.price * (steep(t, goals_->terms[t]->at(then)) - steep(t, sums.of_node[node]));
        break;
      case Term::Fold::kDeviation: {
        const double of_node = goals_->terms[t]->at(then);
        const double nodes = in_use_ + (is_in_use_[node] == 0 ? 1 : 0);
        const double was = is_in_use_[node] == 0 ? 0 : sums.of_node[node];
        const double mean = (sums.sum + of_node - was) / nodes;
        const double squares = (sums.squares + of_node * of_node - was * was) / nodes;
        change += sums.price * (std::sqrt(std::max(0.0, squares - mean * mean)) - term_value(t));
        break;
      }
      case Term::Fold::kOfRules:
        if (state_->has_rules(app) && state_->room(app, node, 1, TagState::Asked::kAll) == 0) change += sums.price;
        break;
      default:
        break;
    }
  }
  return change;
}

template <class Unit>
double GoalState<Unit>::burden(NodeId node) {
  resize();
  if (is_stale_[node] != 0) settle(node);
  double burden = 0;
  for (std::size_t t = 0; t < sums_.size(); ++t) {
    const Sums& sums = sums_[t];
    if (sums.price == 0) continue;
    burden += sums.price * (sums.fold == Term::Fold::kLargest ? steep(t, sums.of_node[node]) : sums.of_node[node]);
  }
  return burden;
}

template class GoalState<std::int16_t>;
template class GoalState<std::int32_t>;

}  // namespace stowage
