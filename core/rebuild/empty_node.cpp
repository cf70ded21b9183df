#include "core/rebuild/empty_node.h"

#include <algorithm>

#include "core/base/most_fitting.h"

namespace stowage {

template <class Unit>
EmptyNode<Unit>::EmptyNode(const Placement<Unit>& placement)
    : placement_(&placement),
      instance_(&placement.instance()),
      kernels_(&best_kernels<Unit>()),
      left_((instance_->dims() + 63) / 64 * 64, 0),
      risk_(instance_->uncertain() ? instance_->resources() : 0, 0) {}

template <class Unit>
void EmptyNode<Unit>::clear(const SpareNodes::Kind& kind) {
  kind_ = kind;
  const auto capacity = instance_->scaled_capacity(kind.node_class);
  const std::uint32_t periods = instance_->periods();
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    std::fill_n(left_.begin() + static_cast<std::ptrdiff_t>(std::size_t{r} * periods), periods, static_cast<Unit>(capacity[r]));
  }
  const auto standing = instance_->scaled_standing(kind.listed, kind.node_class);
  for (std::size_t h = 0; h < standing.size(); ++h) left_[h] = static_cast<Unit>(left_[h] - standing[h]);
  std::fill(risk_.begin(), risk_.end(), 0);
  tenants_.clear();
}

template <class Unit>
std::uint32_t EmptyNode<Unit>::fill(AppId app, std::uint32_t wanted, bool has_rules, TagState::Asked asked) {
  if (!instance_->admits(app, kind_.listed, kind_.node_class)) return 0;
  const Unit* demand = instance_->scaled_demand<Unit>(app).data();
  const std::uint32_t dims = instance_->dims();
  if (dims <= 8) {
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (left_[h] < demand[h]) return 0;
    }
  } else if (!kernels_->covers(left_.data(), demand, dims)) {
    return 0;
  }
  const LimitRows& limits = instance_->limit_rows();
  const std::uint32_t self = limits.self_limit(app);
  if (self != kNone) {
    std::uint32_t own = 0;
    for (const Tenant& tenant : tenants_) own += tenant.app == app ? tenant.replicas : 0;
    wanted = std::min(wanted, room_within(self, own));
  }
  if (limits.degree(app) > 0) wanted = std::min(wanted, affinity_headroom(limits, app, tenants_));
  if (has_rules && wanted > 0) {
    wanted = placement_->tags().allowed(placement_->tag_view(), app, {kNone, kind_.listed, kind_.node_class}, wanted, asked);
  }
  if (wanted == 0) return 0;
  const auto fits = [&](std::uint32_t count) {
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (std::int64_t{demand[h]} * count > left_[h]) return false;
    }
    if (risk_.empty()) return true;
    const auto risk = instance_->scaled_risk(app);
    for (std::uint32_t h = 0; h < dims; ++h) {
      const ResourceId r = instance_->resource_of(h);
      const std::int64_t left = left_[h] - std::int64_t{demand[h]} * count;
      if (instance_->risk_room(left, r) < risk_[r] + risk[r] * count) return false;
    }
    return true;
  };
  const std::uint32_t taken = wanted == 1 && risk_.empty() ? 1 : most_fitting(wanted, fits);
  if (taken == 0) return 0;
  for (std::uint32_t h = 0; h < dims; ++h) left_[h] = static_cast<Unit>(left_[h] - demand[h] * static_cast<Unit>(taken));
  if (!risk_.empty()) {
    const auto risk = instance_->scaled_risk(app);
    for (ResourceId r = 0; r < instance_->resources(); ++r) risk_[r] += risk[r] * taken;
  }
  if (limits.degree(app) > 0 || self != kNone || has_rules) tenants_.push_back({app, taken});
  return taken;
}

template <class Unit>
std::uint32_t EmptyNode<Unit>::lacking(std::uint32_t part) const {
  const TagModel& rules = instance_->tag_model();
  const TagPart& of = rules.part(part);
  std::uint32_t there = 0;
  const TagSite site{kNone, kind_.listed, kind_.node_class};
  if (of.group == kNone) {
    there = placement_->tags().count_on(part, site, {});
  } else {
    const auto sets = rules.sets_of(of.group, site.listed, site.node_class);
    if (sets.empty()) return kNone;
    there = placement_->tags().in_set(part, sets[0]).count;
  }
  for (const Tenant& tenant : tenants_) there += rules.is_target(tenant.app, part) ? tenant.replicas : 0;
  return of.min > there ? of.min - there : 0;
}

template class EmptyNode<std::int16_t>;
template class EmptyNode<std::int32_t>;

}  // namespace stowage
