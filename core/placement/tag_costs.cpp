#include "core/placement/tag_costs.h"

namespace stowage {

TagCosts::TagCosts(const Instance& instance, const TagState& state, Parts parts)
    : model_(&instance.tag_model()), state_(&state), parts_(parts) {
  if (model_->empty()) return;
  is_target_.assign(model_->parts(), 0);
  of_group_.resize(model_->groups());
  set_cost_.resize(model_->groups());
  concerned_.assign(instance.apps(), 0);
}

bool TagCosts::counts(const TagPart& part) const {
  if (part.hard || !part.alone || part.weight == 0) return false;
  if (parts_ == Parts::kAll) return true;
  if (part.kind != CardinalityKind::kReplicas) return false;
  return (part.min == 1 && part.max == kNone) || (part.min == 0 && part.max == 0);
}

void TagCosts::add_part(std::uint32_t p, bool subject, bool target) {
  const TagPart& of = model_->part(p);
  if (!counts(of)) return;
  if (of.kind != CardinalityKind::kReplicas) {
    populations_.push_back(p);
  } else if (of.group == kNone) {
    if (subject) on_node_.push_back(p);
    if (target) {
      is_target_[p] = 1;
      targets_.push_back(p);
    }
  } else if (subject || state_->subjects(p) > 0) {
    if (of_group_[of.group].empty()) groups_.push_back(of.group);
    of_group_[of.group].push_back({p, subject, target});
    if (gathering_group_ == kNone && subject && target && of.min > 0) gathering_group_ = of.group;
  }
}

void TagCosts::start(AppId app) {
  app_ = app;
  if (model_->empty()) return;
  on_node_.clear();
  for (const std::uint32_t p : targets_) is_target_[p] = 0;
  targets_.clear();
  populations_.clear();
  choices_.clear();
  for (const std::uint32_t group : groups_) of_group_[group].clear();
  groups_.clear();
  gathering_group_ = kNone;
  ++round_;
  for (const TagModel::Role& role : model_->subject_of(app)) add_part(role.part, true, role.also);
  for (const TagModel::Role& role : model_->target_of(app)) {
    if (!role.also) add_part(role.part, false, true);
  }
  if (parts_ == Parts::kAll) {
    for (const std::uint32_t choice : model_->choices_of(app)) {
      if (!model_->choices()[choice].hard) choices_.push_back(choice);
    }
  }
  forget_choices();
  on_others_ = 0;
  any_static_ = false;
  for (const std::uint32_t p : on_node_) {
    const TagPart& of = model_->part(p);
    on_others_ += of.weight * violation_extent(0, of.min, of.max);
    any_static_ = any_static_ || !of.static_classes.empty();
    concern(p);
  }
  for (const std::uint32_t p : targets_) concern(p);
  for (const std::uint32_t group : groups_) {
    const std::uint32_t sets = model_->sets(group);
    set_cost_[group].resize(std::size_t{sets} + 1);
    looked_ += sets;
    for (std::uint32_t set = 0; set < sets; ++set) set_cost_[group][set] = in_set(group, set);
    set_cost_[group][sets] = outside(group);
  }
}

void TagCosts::concern(std::uint32_t p) {
  for (const AppId app : model_->apps_of(p)) concerned_[app] = round_;
}

void TagCosts::forget_choices() {
  known_.resize(choices_.size());
  for (KnownChoice& known : known_) known.with_one.clear();
}

void TagCosts::refresh(const TagView& view, NodeId node) {
  forget_choices();
  const TagSite site = view.site(node);
  for (const std::uint32_t group : groups_) {
    for (const std::uint32_t set : model_->sets_of(group, site.listed, site.node_class)) {
      set_cost_[group][set] = in_set(group, set);
    }
  }
}

double TagCosts::in_set(std::uint32_t group, std::uint32_t set) const {
  double sum = 0;
  for (const Own& own : of_group_[group]) {
    const TagPart& of = model_->part(own.part);
    const TagState::Count here = state_->in_set(own.part, set);
    const std::int64_t count = here.count;
    double cost = own.subject ? violation_extent(count, of.min, of.max) : 0;
    if (own.target && here.out > 0) {
      cost += here.out * (violation_extent(count + 1, of.min, of.max) - violation_extent(count, of.min, of.max));
    }
    if (own.target && here.in > 0) {
      cost += here.in * (violation_extent(count, of.min, of.max) - violation_extent(count - 1, of.min, of.max));
    }
    sum += of.weight * cost;
  }
  return sum;
}

double TagCosts::outside(std::uint32_t group) const {
  double sum = 0;
  for (const Own& own : of_group_[group]) {
    const TagPart& of = model_->part(own.part);
    if (own.subject && of.min > 0) sum += of.weight;
  }
  return sum;
}

double TagCosts::on_node(const TagView& view, const TagSite& site) const {
  if (on_node_.empty() && targets_.empty()) return 0;
  const auto tenants = view.tenants(site.node);
  const bool concerns =
      std::any_of(tenants.begin(), tenants.end(), [&](const Tenant& tenant) { return concerned_[tenant.app] == round_; });
  if (!concerns && !any_static_) return on_others_;
  double sum = 0;
  for (const std::uint32_t p : on_node_) {
    const TagPart& of = model_->part(p);
    sum += of.weight * violation_extent(state_->count_on(p, site, tenants), of.min, of.max);
  }
  if (targets_.empty()) return sum;
  for (const Tenant& tenant : tenants) {
    for (const TagModel::Role& role : model_->subject_of(tenant.app)) {
      if (is_target_[role.part] == 0) continue;
      const TagPart& of = model_->part(role.part);
      const std::int64_t seen = std::int64_t{state_->count_on(role.part, site, tenants)} - (role.also ? 1 : 0);
      sum +=
          of.weight * tenant.replicas * (violation_extent(seen + 1, of.min, of.max) - violation_extent(seen, of.min, of.max));
    }
  }
  return sum;
}

double TagCosts::elsewhere(const TagView& view, const TagSite& site, double on_node) const {
  double cost = on_node;
  for (const std::uint32_t group : groups_) {
    const auto sets = model_->sets_of(group, site.listed, site.node_class);
    if (sets.empty()) cost += set_cost_[group].back();
    for (const std::uint32_t set : sets) cost += set_cost_[group][set];
  }
  for (const std::uint32_t p : populations_) {
    cost += model_->part(p).weight * (state_->population_extent(p, {app_, site, 1}) - state_->population_extent(p, {}));
  }
  for (std::size_t k = 0; k < choices_.size(); ++k) {
    cost += model_->choices()[choices_[k]].weight * of_choice(view, k, site);
  }
  return cost;
}

// Residents of other nodes see the replica through node sets alone. Many sites have the same key, so their extents are kept.
double TagCosts::of_choice(const TagView& view, std::size_t k, const TagSite& site) const {
  const std::uint32_t choice = choices_[k];
  KnownChoice& known = known_[k];
  if (known.with_one.empty()) {
    known.now = state_->choice_extent(view, choice, {});
    looked_ += state_->residents(choice);
  }
  state_->read_choice_key(choice, site, key_);
  const auto [at, fresh] = known.with_one.try_emplace(key_, 0);
  if (fresh) {
    at->second = state_->choice_extent(view, choice, {app_, site, 1, true});
    looked_ += state_->residents(choice);
  }
  return at->second + state_->choice_extent_on_node(view, choice, {app_, site, 1}) - known.now;
}

}  // namespace stowage
