#include "core/rebuild/nodes/trial_node.h"

#include <algorithm>
#include <limits>

#include "core/base/numbers/most_fitting.h"

namespace stowage {

template <class Unit>
TrialNode<Unit>::TrialNode(const Placement<Unit>& placement)
    : placement_(&placement),
      instance_(&placement.instance()),
      kernels_(&best_kernels<Unit>()),
      left_((instance_->dims() + 63) / 64 * 64, 0),
      risk_(instance_->uncertain() ? instance_->resources() : 0, 0),
      nothing_(instance_->dims(), 0) {
  expect_none();
}

template <class Unit>
void TrialNode<Unit>::expect_none() {
  least_.assign(instance_->dims(), std::numeric_limits<Unit>::max());
  least_risk_.assign(risk_.size(), std::numeric_limits<std::int64_t>::max());
}

template <class Unit>
void TrialNode<Unit>::expect(AppId app) {
  const Unit* demand = instance_->scaled_demand<Unit>(app).data();
  Unit* least = least_.data();
  const std::size_t dims = least_.size();
  for (std::size_t h = 0; h < dims; ++h) least[h] = std::min(least[h], demand[h]);
  if (risk_.empty()) return;
  const auto risk = instance_->scaled_risk(app);
  for (ResourceId r = 0; r < risk.size(); ++r) least_risk_[r] = std::min(least_risk_[r], risk[r]);
}

template <class Unit>
bool TrialNode<Unit>::is_full() const {
  // A first look at all dimensions; where nothing is expected, the least demand is more than any node has.
  return !has_room(least_.data(), least_risk_.data(), 1);
}

template <class Unit>
std::int64_t TrialNode<Unit>::least_left(const Unit* demand, ResourceId r, std::uint32_t count) const {
  const std::uint32_t periods = instance_->periods();
  const std::size_t first = std::size_t{r} * periods;
  if (count == 1 && periods >= kVector)
    return kernels_->exchange_minimum(left_.data() + first, nothing_.data(), demand + first, 0, periods);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t t = 0; t < periods; ++t) {
    least = std::min(least, std::int64_t{left_[first + t]} - std::int64_t{demand[first + t]} * count);
  }
  return least;
}

template <class Unit>
bool TrialNode<Unit>::needs_nothing(const Unit* demand, ResourceId r) const {
  const Unit* first = demand + std::size_t{r} * instance_->periods();
  return std::all_of(first, first + instance_->periods(), [](Unit one) { return one == 0; });
}

template <class Unit>
bool TrialNode<Unit>::has_room(const Unit* demand, const std::int64_t* risk, std::uint32_t count) const {
  const std::uint32_t dims = instance_->dims();
  if (!risk_.empty()) {
    for (ResourceId r = 0; r < risk_.size(); ++r) {
      if (risk[r] == 0 && needs_nothing(demand, r)) continue;
      const std::int64_t left = least_left(demand, r, count);
      if (left < 0 || instance_->risk_room(left, r) < risk_[r] + risk[r] * count) return false;
    }
    return true;
  }
  if (count == 1) return covers(demand);
  for (std::uint32_t h = 0; h < dims; ++h) {
    if (std::int64_t{demand[h]} * count > left_[h] && demand[h] > 0) return false;
  }
  return true;
}

template <class Unit>
void TrialNode<Unit>::clear(const SpareNodes::Kind& kind) {
  site_ = {kNone, kind.listed, kind.node_class};
  const auto capacity = instance_->scaled_capacity(kind.node_class);
  const std::uint32_t periods = instance_->periods();
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    std::fill_n(left_.begin() + static_cast<std::ptrdiff_t>(std::size_t{r} * periods), periods, static_cast<Unit>(capacity[r]));
  }
  const auto standing = instance_->scaled_standing(kind.listed, kind.node_class);
  for (std::size_t h = 0; h < standing.size(); ++h) left_[h] = static_cast<Unit>(left_[h] - standing[h]);
  std::fill(risk_.begin(), risk_.end(), 0);
  is_exceeded_ = false;
  tenants_.clear();
}

template <class Unit>
void TrialNode<Unit>::copy(NodeId node) {
  const Residuals<Unit>& residuals = placement_->residuals();
  site_ = placement_->tag_view().site(node);
  is_exceeded_ = false;
  for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
    left_[h] = static_cast<Unit>(risk_.empty() ? residuals.residual(node, h) : residuals.mean_left(node, h));
    is_exceeded_ = is_exceeded_ || left_[h] < 0;
  }
  for (ResourceId r = 0; r < risk_.size(); ++r) risk_[r] = residuals.risk(node, r);
  const auto contents = placement_->contents().at(node);
  tenants_.assign(contents.begin(), contents.end());
}

template <class Unit>
std::uint32_t TrialNode<Unit>::fill(AppId app, std::uint32_t wanted, bool has_rules, TagState::Asked asked) {
  if (!instance_->admits(app, site_.listed, site_.node_class)) return 0;
  const Unit* demand = instance_->scaled_demand<Unit>(app).data();
  const std::int64_t* risk = risk_.empty() ? nullptr : instance_->scaled_risk(app).data();
  if (!has_room(demand, risk, 1)) return 0;
  const LimitRows& limits = instance_->limit_rows();
  const std::uint32_t self = limits.self_limit(app);
  if (self != kNone) {
    std::uint32_t own = 0;
    for (const Tenant& tenant : tenants_) own += tenant.app == app ? tenant.replicas : 0;
    wanted = std::min(wanted, room_within(self, own));
  }
  if (limits.degree(app) > 0) wanted = std::min(wanted, affinity_headroom(limits, app, tenants_));
  if (wanted > 0) wanted = placement_->allowed_beside(app, {site_.listed, site_.node_class}, tenants_, wanted);
  if (has_rules && wanted > 0) {
    wanted = placement_->tags().allowed(placement_->tag_view(), app, site_, wanted, asked);
  }
  if (wanted == 0) return 0;
  std::uint32_t taken = 1;
  if (wanted > 1) {
    taken = most_fitting(wanted, [&](std::uint32_t count) { return count <= 1 || has_room(demand, risk, count); });
  }
  const std::uint32_t dims = instance_->dims();
  for (std::uint32_t h = 0; h < dims; ++h) left_[h] = static_cast<Unit>(left_[h] - demand[h] * static_cast<Unit>(taken));
  for (ResourceId r = 0; r < risk_.size(); ++r) risk_[r] += risk[r] * taken;
  const bool asked_about = has_rules || instance_->limits_costs() || instance_->devices().uses(app);
  if (limits.degree(app) > 0 || self != kNone || asked_about) tenants_.push_back({app, taken});
  return taken;
}

template <class Unit>
std::uint32_t TrialNode<Unit>::lacking(std::uint32_t part) const {
  const TagModel& rules = instance_->tag_model();
  const TagPart& of = rules.part(part);
  std::uint32_t there = 0;
  if (of.group == kNone) {
    there = placement_->tags().count_on(part, site_, {});
  } else {
    const auto sets = rules.sets_of(of.group, site_.listed, site_.node_class);
    if (sets.empty()) return kNone;
    there = placement_->tags().in_set(part, sets[0]).count;
  }
  for (const Tenant& tenant : tenants_) there += rules.is_target(tenant.app, part) ? tenant.replicas : 0;
  return of.min > there ? of.min - there : 0;
}

template class TrialNode<std::int16_t>;
template class TrialNode<std::int32_t>;

}  // namespace stowage
