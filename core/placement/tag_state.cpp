#include "core/placement/tag_state.h"

#include <limits>

namespace stowage {
namespace {

constexpr double kNoConjunction = std::numeric_limits<double>::infinity();
/// Steps of a Watch that the sets of a node take.
constexpr std::uint64_t kStepsToMark = 8;

/// The largest k up to `wanted` for which holds(k) is true. holds(0) is taken for true, and holds must be false from some
/// number on, or true throughout.
template <class Holds>
std::uint32_t largest_that_holds(std::uint32_t wanted, Holds&& holds) {
  if (wanted == 0 || holds(wanted)) return wanted;
  std::uint32_t low = 0;
  std::uint32_t high = wanted;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

bool is_tag_set_among(std::span<const std::uint32_t> sets, std::uint32_t set) {
  return std::find(sets.begin(), sets.end(), set) != sets.end();
}

}  // namespace

TagState::TagState(const Instance& instance) {
  const TagModel& model = instance.tag_model();
  if (model.empty()) return;
  model_ = &model;
  const std::uint32_t parts = model.parts();
  offset_.assign(parts, 0);
  subjects_.assign(parts, 0);
  waiting_.assign(parts, 0);
  open_.assign(parts, 0);
  open_at_start_.assign(parts, 0);
  population_.assign(parts, kNone);
  for (std::uint32_t p = 0; p < parts; ++p) {
    const TagPart& from = model.part(p);
    if (from.kind != CardinalityKind::kReplicas) {
      population_[p] = static_cast<std::uint32_t>(populations_.size());
      Population& population = populations_.emplace_back();
      population.of_set.assign(from.group == kNone ? instance.listed_nodes() : model.sets(from.group), 0);
      population.sets_with.add(0, static_cast<std::uint32_t>(population.of_set.size()));
      continue;
    }
    if (from.group == kNone) continue;
    offset_[p] = counts_.size();
    counts_.resize(counts_.size() + model.sets(from.group));
    for (std::uint32_t s = 0; s < from.static_sets.size(); ++s) counts_[offset_[p] + s].count = from.static_sets[s];
  }
  residents_.resize(model.choices().size());
  for (AppId app = 0; app < instance.apps(); ++app) {
    for (const TagModel::Role& role : model.target_of(app)) waiting_[role.part] += instance.replicas(app);
  }
}

void TagState::settle_start() {
  open_at_start_ = open_;
  extents_at_start_.resize(populations_.size());
  for (std::uint32_t p = 0; p < model_->parts(); ++p) {
    // A part without subjects is not broken: the first subject would break it, so its extent at the start is 0.
    if (population_[p] != kNone && subjects_[p] > 0) extents_at_start_[population_[p]] = population_extent(p, {});
  }
}

std::uint32_t TagState::count_on(std::uint32_t p, const TagSite& site, std::span<const Tenant> tenants) const {
  const TagPart& of = part(p);
  std::uint32_t count = 0;
  if (!of.static_classes.empty()) {
    count = site.listed != kNone ? of.static_listed[site.listed] : of.static_classes[site.node_class];
  }
  for (const Tenant& tenant : tenants) {
    if (model_->is_target(tenant.app, p)) count += tenant.replicas;
  }
  return count;
}

TagState::Count TagState::on_node(std::uint32_t p, const TagSite& site, std::span<const Tenant> tenants) const {
  Count result;
  result.count = count_on(p, site, tenants);
  for (const Tenant& tenant : tenants) {
    if (!model_->is_subject(tenant.app, p)) continue;
    (model_->is_target(tenant.app, p) ? result.in : result.out) += tenant.replicas;
  }
  return result;
}

void TagState::change(const TagView& view, AppId app, NodeId node, std::int64_t replicas) {
  for (const TagModel::Role& role : model_->subject_of(app)) {
    change_part(view, role.part, true, role.also, node, replicas);
  }
  for (const TagModel::Role& role : model_->target_of(app)) {
    if (!role.also) change_part(view, role.part, false, true, node, replicas);
  }
  for (const std::uint32_t choice : model_->choices_of(app)) change_residents(choice, app, node, replicas);
}

void TagState::change_part(const TagView& view, std::uint32_t p, bool subject, bool target, NodeId node,
                           std::int64_t replicas) {
  const TagPart& of = part(p);
  const auto moved = static_cast<std::uint32_t>(replicas);  // a negative number wraps, and adding it subtracts
  if (subject) subjects_[p] += static_cast<std::uint64_t>(replicas);
  if (of.kind != CardinalityKind::kReplicas) return change_population(p, view, node, replicas);
  const bool watched = needs_near(of);
  if (target) waiting_[p] -= static_cast<std::uint64_t>(replicas);
  const TagSite site = view.site(node);
  const auto apply = [&](Count& count) {
    if (subject) (target ? count.in : count.out) += moved;
    if (target) count.count += moved;
  };
  if (of.group == kNone) {
    if (!watched) return;
    // The contents have changed already: the count before is the count now less the change.
    const Count after = on_node(p, site, view.tenants(node));
    Count before = after;
    if (subject) (target ? before.in : before.out) -= moved;
    if (target) before.count -= moved;
    open_[p] += (is_open(of, after) ? 1u : 0u) - (is_open(of, before) ? 1u : 0u);
    return;
  }
  for (const std::uint32_t set : model_->sets_of(of.group, site.listed, site.node_class)) {
    Count& count = counts_[offset_[p] + set];
    const bool before = watched && is_open(of, count);
    apply(count);
    if (watched) open_[p] += (is_open(of, count) ? 1u : 0u) - (before ? 1u : 0u);
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>::iterator TagState::SetsBySubjects::find(std::uint32_t subjects) {
  return std::lower_bound(sets_.begin(), sets_.end(), std::pair(subjects, 0u));
}
void TagState::SetsBySubjects::add(std::uint32_t subjects, std::uint32_t sets) {
  if (sets == 0) return;
  const auto at = find(subjects);
  if (at != sets_.end() && at->first == subjects) {
    at->second += sets;
  } else {
    sets_.insert(at, {subjects, sets});
  }
}
void TagState::SetsBySubjects::remove(std::uint32_t subjects, std::uint32_t sets) {
  if (sets == 0) return;
  const auto at = find(subjects);
  at->second -= sets;
  if (at->second == 0) sets_.erase(at);
}

void TagState::change_population(std::uint32_t p, const TagView& view, NodeId node, std::int64_t replicas) {
  const TagPart& of = part(p);
  Population& population = populations_[population_[p]];
  const auto change_set = [&](std::uint32_t set) {
    std::uint32_t& count = population.of_set[set];
    population.sets_with.remove(count, 1);
    population.occupied -= count > 0 ? 1 : 0;
    count += static_cast<std::uint32_t>(replicas);
    population.occupied += count > 0 ? 1 : 0;
    population.sets_with.add(count, 1);
  };
  if (of.group == kNone) {
    if (population.of_set.size() <= node) {
      population.sets_with.add(0, node + 1 - static_cast<std::uint32_t>(population.of_set.size()));
      population.of_set.resize(std::size_t{node} + 1, 0);
    }
    return change_set(node);
  }
  const TagSite site = view.site(node);
  const auto sets = model_->sets_of(of.group, site.listed, site.node_class);
  if (sets.empty()) population.outside += static_cast<std::uint64_t>(replicas);
  for (const std::uint32_t set : sets) change_set(set);
}

std::uint32_t TagState::hidden_sets(const TagView& view, std::uint32_t group, std::span<const NodeId> nodes,
                                    const std::function<bool(NodeId)>& is_left, WatchRef watch) const {
  std::vector<std::uint8_t> keeps(model_->sets(group), 0);
  const auto mark = [&](NodeId node, std::uint8_t as) {
    const TagSite site = view.site(node);
    for (const std::uint32_t set : model_->sets_of(group, site.listed, site.node_class)) keeps[set] = as;
  };
  for (const NodeId node : nodes) {
    if (watch.step(kStepsToMark)) return 0;
    mark(node, 2);
  }
  for (NodeId node = 0; node < view.node_class->size(); ++node) {
    if (watch.step(kStepsToMark)) return 0;
    if (is_left(node)) mark(node, 1);
  }
  return static_cast<std::uint32_t>(std::count(keeps.begin(), keeps.end(), 2));
}

void TagState::hide(const TagView& view, std::span<const NodeId> nodes, const std::function<bool(NodeId)>& is_left,
                    WatchRef watch) {
  if (model_ == nullptr) return;
  std::unordered_map<std::uint32_t, std::uint32_t> hidden_of;  // by group
  for (std::uint32_t p = 0; p < population_.size(); ++p) {
    if (population_[p] == kNone || part(p).kind != CardinalityKind::kSkew) continue;
    Population& population = populations_[population_[p]];
    const std::uint32_t group = part(p).group;
    std::uint32_t hidden = 0;
    if (group == kNone) {
      population.hidden_nodes = static_cast<std::uint32_t>(nodes.size());
      for (const NodeId node : nodes) hidden += node < population.of_set.size() ? 1 : 0;
      watch.step(nodes.size());
    } else {
      const auto [at, fresh] = hidden_of.try_emplace(group, 0);
      if (fresh) at->second = hidden_sets(view, group, nodes, is_left, watch);
      hidden = at->second;
    }
    if (watch.ended()) return;
    // Where no set is left, there is nothing to compare.
    population.hidden = hidden == population.of_set.size() ? 0 : hidden;
    population.sets_with.remove(0, population.hidden);
  }
}

void TagState::show_all() {
  for (Population& population : populations_) {
    population.sets_with.add(0, population.hidden);
    population.hidden = 0;
    population.hidden_nodes = 0;
  }
}

void TagState::change_residents(std::uint32_t choice, AppId app, NodeId node, std::int64_t replicas) {
  const auto& any_of = model_->choices()[choice].any_of;
  const bool subject = std::any_of(any_of.begin(), any_of.end(), [&](const auto& parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::uint32_t p) { return model_->is_subject(app, p); });
  });
  if (!subject) return;
  Residents& residents = residents_[choice];
  const std::uint64_t key = (std::uint64_t{app} << 32) | node;
  const auto [at, fresh] = residents.at.try_emplace(key, residents.list.size());
  if (fresh) residents.list.push_back({app, node, 0});
  Resident& resident = residents.list[at->second];
  resident.replicas += static_cast<std::uint32_t>(replicas);
  if (resident.replicas > 0) return;
  const Resident last = residents.list.back();
  residents.at[(std::uint64_t{last.app} << 32) | last.node] = at->second;
  resident = last;
  residents.list.pop_back();
  residents.at.erase(key);
}

double TagState::population_extent(std::uint32_t p, const TagArrival& arrival) const {
  const TagPart& of = part(p);
  const Population& population = populations_[population_[p]];
  const bool arrives = arrival.replicas > 0 && model_->is_subject(arrival.app, p);
  const std::uint32_t more = arrives ? arrival.replicas : 0;
  std::uint32_t own[1] = {arrival.site.node};
  std::span<const std::uint32_t> sets;
  if (arrives && of.group == kNone) {
    sets = own;
  } else if (arrives) {
    sets = model_->sets_of(of.group, arrival.site.listed, arrival.site.node_class);
  }
  const auto held = [&](std::uint32_t set) { return set < population.of_set.size() ? population.of_set[set] : 0u; };
  double result = static_cast<double>(population.outside + (arrives && sets.empty() ? more : 0));
  std::int64_t occupied = population.occupied;
  for (const std::uint32_t set : sets) occupied += held(set) == 0 ? 1 : 0;
  if (of.kind == CardinalityKind::kNodeSets) {
    const std::uint64_t all = subjects_[p] + more;
    // With fewer subjects than `min`, each has to occupy a set of its own.
    const auto least = static_cast<std::uint32_t>(std::min<std::uint64_t>(of.min, all));
    if (occupied < least) result += static_cast<double>(least - occupied) / of.min;
    return result + violation_extent(occupied, 0, of.max);
  }
  std::uint32_t most = population.sets_with.most();
  for (const std::uint32_t set : sets) most = std::max(most, held(set) + more);
  // As long as some node holds no subject, the least is 0, be that node open or not.
  const bool floor = of.group == kNone && static_cast<std::uint64_t>(occupied) + population.hidden_nodes < model_->node_count();
  std::uint32_t least = floor ? 0 : population.sets_with.least();
  if (!floor && !sets.empty()) {
    // The least number of subjects of a set after the arrival: of a set that the arrival does not change, or of one that it
    // does.
    std::uint32_t least_changed = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t set : sets) least_changed = std::min(least_changed, held(set) + more);
    const auto changed_with = [&](std::uint32_t subjects) {
      return static_cast<std::uint32_t>(std::count_if(sets.begin(), sets.end(), [&](std::uint32_t set) {
        return set < population.of_set.size() && population.of_set[set] == subjects;
      }));
    };
    least = least_changed;
    for (const auto& [subjects, count] : population.sets_with.all()) {
      if (subjects >= least_changed) break;
      if (count == changed_with(subjects)) continue;
      least = subjects;
      break;
    }
  }
  return result + violation_extent(std::int64_t{most} - least, of.min, of.max);
}

double TagState::extent(const TagView& view, std::uint32_t p, AppId app, const TagSite& site, const TagArrival& arrival) const {
  const TagPart& of = part(p);
  const std::int64_t own = model_->is_target(app, p) ? 1 : 0;
  const std::uint32_t more = arrival.replicas > 0 && model_->is_target(arrival.app, p) ? arrival.replicas : 0;
  if (of.group == kNone) {
    const bool here = site.node == arrival.site.node && !arrival.apart;
    const std::int64_t count = count_on(p, site, view.tenants(site.node)) + (here ? std::int64_t{more} : 0);
    return violation_extent(count - own, of.min, of.max);
  }
  const auto sets = model_->sets_of(of.group, site.listed, site.node_class);
  if (sets.empty()) return of.min > 0 ? 1 : 0;
  std::span<const std::uint32_t> arriving;
  if (more > 0) arriving = model_->sets_of(of.group, arrival.site.listed, arrival.site.node_class);
  double sum = 0;
  for (const std::uint32_t set : sets) {
    const std::int64_t count = in_set(p, set).count + (is_tag_set_among(arriving, set) ? std::int64_t{more} : 0);
    sum += violation_extent(count - own, of.min, of.max);
  }
  return sum;
}

TagState::Outlook TagState::outlook(const TagModel::Choice& choice, const TagArrival& arrival) const {
  Outlook result{arrival, {}};
  for (const auto& parts : choice.any_of) {
    for (const std::uint32_t p : parts) {
      result.extents.push_back(part(p).kind == CardinalityKind::kReplicas ? 0 : population_extent(p, arrival));
    }
  }
  return result;
}

double TagState::choice_extent(const TagView& view, const TagModel::Choice& choice, AppId app, const TagSite& site,
                               const Outlook& outlook) const {
  double best = kNoConjunction;
  std::size_t k = 0;
  for (const auto& parts : choice.any_of) {
    double sum = 0;
    bool subject = false;
    for (const std::uint32_t p : parts) {
      const double of_all = outlook.extents[k++];
      if (!model_->is_subject(app, p)) continue;
      subject = true;
      sum += part(p).kind == CardinalityKind::kReplicas ? extent(view, p, app, site, outlook.arrival) : of_all;
    }
    if (subject) best = std::min(best, sum);
  }
  return best;
}

double TagState::choice_extent(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const {
  const TagModel::Choice& chosen = model_->choices()[choice];
  const Outlook with = outlook(chosen, arrival);
  double sum = 0;
  for (const Resident& resident : residents_[choice].list) {
    sum += resident.replicas * choice_extent(view, chosen, resident.app, view.site(resident.node), with);
  }
  return sum;
}

double TagState::choice_extent_on_node(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const {
  const TagModel::Choice& chosen = model_->choices()[choice];
  // Population extents are the same whether the arrival is apart or not.
  Outlook with = outlook(chosen, arrival);
  const auto extent_of = [&](AppId app, bool apart) {
    with.arrival.apart = apart;
    return choice_extent(view, chosen, app, arrival.site, with);
  };
  double sum = 0;
  for (const Tenant& tenant : view.tenants(arrival.site.node)) {
    const double after = extent_of(tenant.app, false);
    if (after != kNoConjunction) sum += tenant.replicas * (after - extent_of(tenant.app, true));
  }
  const double own = extent_of(arrival.app, false);
  return own == kNoConjunction ? sum : sum + arrival.replicas * own;
}

double TagState::part_toll(const TagView& view, std::uint32_t p, const TagSite& site) const {
  const TagPart& of = part(p);
  if (of.kind != CardinalityKind::kReplicas) {
    return subjects_[p] == 0 ? 0 : static_cast<double>(subjects_[p]) * population_extent(p, {});
  }
  const auto toll_of = [&](const Count& count) {
    const std::int64_t all = count.count;
    return count.out * violation_extent(all, of.min, of.max) +
           (count.in > 0 ? count.in * violation_extent(all - 1, of.min, of.max) : 0);
  };
  if (of.group == kNone) return toll_of(on_node(p, site, view.tenants(site.node)));
  const auto sets = model_->sets_of(of.group, site.listed, site.node_class);
  double sum = 0;
  for (const std::uint32_t set : sets) sum += toll_of(in_set(p, set));
  if (!sets.empty() || of.min == 0) return sum;
  // Outside the sets, no minimum is reached.
  for (const Tenant& tenant : view.tenants(site.node)) sum += model_->is_subject(tenant.app, p) ? tenant.replicas : 0;
  return sum;
}

TagState::Toll TagState::all_tolls(const TagView& view) const {
  Toll sum;
  const auto add = [&](bool hard, double weight, double toll) { (hard ? sum.hard : sum.soft) += hard ? toll : toll * weight; };
  for (std::uint32_t p = 0; p < model_->parts(); ++p) {
    const TagPart& of = part(p);
    if (of.alone && of.kind != CardinalityKind::kReplicas) add(of.hard, of.weight, part_toll(view, p, {}));
  }
  for (NodeId node = 0; node < view.contents->nodes(); ++node) {
    const TagSite site = view.site(node);
    for (const Tenant& tenant : view.tenants(node)) {
      for (const TagModel::Role& role : model_->subject_of(tenant.app)) {
        const TagPart& of = part(role.part);
        if (!of.alone || of.kind != CardinalityKind::kReplicas) continue;
        add(of.hard, of.weight, tenant.replicas * extent(view, role.part, tenant.app, site, {}));
      }
    }
  }
  for (std::uint32_t number = 0; number < model_->choices().size(); ++number) {
    const TagModel::Choice& choice = model_->choices()[number];
    add(choice.hard, choice.weight, choice_extent(view, number, {}));
  }
  return sum;
}

TagState::Toll TagState::toll(const TagView& view, AppId app, NodeId node) const {
  const TagSite site = view.site(node);
  Toll sum;
  const auto add = [&](std::uint32_t p) {
    const TagPart& of = part(p);
    if (!of.alone) return;
    const double toll = part_toll(view, p, site);
    (of.hard ? sum.hard : sum.soft) += of.hard ? toll : toll * of.weight;
  };
  for (const TagModel::Role& role : model_->subject_of(app)) add(role.part);
  for (const TagModel::Role& role : model_->target_of(app)) {
    if (!role.also) add(role.part);
  }
  for (const std::uint32_t number : model_->choices_of(app)) {
    const TagModel::Choice& choice = model_->choices()[number];
    const double toll = choice_extent(view, number, {});
    (choice.hard ? sum.hard : sum.soft) += choice.hard ? toll : toll * choice.weight;
  }
  return sum;
}

void TagState::read_choice_key(std::uint32_t choice, const TagSite& site, std::vector<std::uint32_t>& key) const {
  key.clear();
  for (const auto& parts : model_->choices()[choice].any_of) {
    for (const std::uint32_t p : parts) {
      const TagPart& of = part(p);
      if (of.group != kNone) {
        const auto sets = model_->sets_of(of.group, site.listed, site.node_class);
        key.push_back(static_cast<std::uint32_t>(sets.size()));
        key.insert(key.end(), sets.begin(), sets.end());
      } else if (of.kind != CardinalityKind::kReplicas) {
        const std::vector<std::uint32_t>& held = populations_[population_[p]].of_set;
        key.push_back(site.node < held.size() ? held[site.node] : kNone);
      }
    }
  }
}

// Whether a conjunction holds for the arriving replicas, and the choice is no further from holding for any resident.
bool TagState::choice_allows(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const {
  const TagModel::Choice& chosen = model_->choices()[choice];
  const Outlook with = outlook(chosen, arrival);
  const double own = choice_extent(view, chosen, arrival.app, arrival.site, with);
  if (own != kNoConjunction && own > 0) return false;
  const Outlook without = outlook(chosen, {});
  const auto& list = residents_[choice].list;
  return std::all_of(list.begin(), list.end(), [&](const Resident& resident) {
    const TagSite site = view.site(resident.node);
    const double after = choice_extent(view, chosen, resident.app, site, with);
    return after == 0 || after <= choice_extent(view, chosen, resident.app, site, without);
  });
}

// How many subjects of the part the set takes, up to `wanted`. `also`: the part counts them as well.
std::uint32_t TagState::room_in(const TagPart& part, std::uint32_t p, const Count& here, bool also,
                                std::uint32_t wanted) const {
  if (part.max != kNone && here.count > part.max) return 0;
  if (part.max != kNone && also)
    wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, std::uint64_t{part.max} + 1 - here.count));
  if (here.count >= part.min) return wanted;
  // The minimum is not reached. Subjects may come if the unplaced replicas could reach it, in one set at a time.
  const std::uint64_t others = waiting_[p] - std::min<std::uint64_t>(waiting_[p], also ? 1 : 0);
  if (here.count + others < part.min) return 0;
  return is_open(part, here) || open_[p] <= open_at_start_[p] ? wanted : 0;
}

std::uint32_t TagState::allowed_as_subject(const TagView& view, const TagModel::Role& role, const TagSite& site,
                                           std::uint32_t wanted) const {
  const TagPart& of = part(role.part);
  if (of.group == kNone) {
    return room_in(of, role.part, on_node(role.part, site, view.tenants(site.node)), role.also, wanted);
  }
  const auto sets = model_->sets_of(of.group, site.listed, site.node_class);
  if (sets.empty()) return of.min > 0 ? 0 : wanted;
  for (const std::uint32_t set : sets) wanted = room_in(of, role.part, in_set(role.part, set), role.also, wanted);
  return wanted;
}

template <class Visit>
void TagState::visit_maxima(const TagView& view, AppId app, const TagSite& site, Asked which, Visit&& visit) const {
  const auto look = [&](std::uint32_t p, const Count& here) {
    if (here.out > 0 || here.in > 0) visit(p, std::uint64_t{here.count} - (here.out > 0 ? 0 : 1));
  };
  const auto limits = [&](const TagPart& of) {
    return (of.hard || which == Asked::kAll) && of.alone && of.kind == CardinalityKind::kReplicas && of.max != kNone;
  };
  for (const TagModel::Role& role : model_->target_of(app)) {
    const TagPart& of = part(role.part);
    if (!limits(of) || of.group == kNone || subjects_[role.part] == 0) continue;
    for (const std::uint32_t set : model_->sets_of(of.group, site.listed, site.node_class)) {
      look(role.part, in_set(role.part, set));
    }
  }
  // Parts on single nodes, from the tenants.
  const auto tenants = view.tenants(site.node);
  for (const Tenant& tenant : tenants) {
    for (const TagModel::Role& role : model_->subject_of(tenant.app)) {
      const TagPart& of = part(role.part);
      if (!limits(of) || of.group != kNone || !model_->is_target(app, role.part)) continue;
      look(role.part, on_node(role.part, site, tenants));
    }
  }
}

std::uint32_t TagState::allowed_by_part(const TagView& view, const TagModel::Role& role, AppId app, const TagSite& site,
                                        std::uint32_t wanted) const {
  if (part(role.part).kind == CardinalityKind::kReplicas) return allowed_as_subject(view, role, site, wanted);
  const double before = population_extent(role.part, {});
  return largest_that_holds(wanted, [&](std::uint32_t k) {
    const double after = population_extent(role.part, {app, site, k});
    return after == 0 || after <= before;
  });
}

std::uint32_t TagState::allowed(const TagView& view, AppId app, const TagSite& site, std::uint32_t wanted, Asked which) const {
  if (which == Asked::kHard && !model_->has_hard()) return wanted;
  const bool all = which == Asked::kAll;
  for (const TagModel::Role& role : model_->subject_of(app)) {
    if (wanted == 0) return 0;
    if ((all || part(role.part).hard) && part(role.part).alone) wanted = allowed_by_part(view, role, app, site, wanted);
  }
  if (wanted == 0) return 0;
  visit_maxima(view, app, site, which, [&](std::uint32_t p, std::uint64_t seen) {
    const std::uint32_t max = part(p).max;
    wanted = seen >= max ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, max - seen));
  });
  for (const std::uint32_t number : model_->choices_of(app)) {
    if ((!all && !model_->choices()[number].hard) || wanted == 0) continue;
    wanted = largest_that_holds(wanted, [&](std::uint32_t k) { return choice_allows(view, number, {app, site, k}); });
  }
  return wanted;
}

std::uint64_t TagState::steps_to_ask(AppId app) const {
  constexpr std::uint64_t kStepsPerResident = 128;  // twice for each of some numbers of replicas
  std::uint64_t steps = 0;
  for (const std::uint32_t number : model_->choices_of(app)) steps += kStepsPerResident * residents(number);
  return steps;
}

std::vector<TagState::Refusal> TagState::refusals(const TagView& view, AppId app, const TagSite& site) const {
  std::vector<Refusal> all;
  // If several parts of a rule refuse, no change of one part's bounds helps.
  const auto refuse = [&](std::uint32_t rule, std::uint32_t p, std::uint32_t min, std::uint32_t max) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Refusal& one) { return one.rule == rule; });
    if (at == all.end()) {
      all.push_back({rule, p, min, max});
    } else if (at->part == p) {
      at->min = std::min(at->min, min);
      at->max = std::max(at->max, max);
    } else {
      at->part = kNone;
    }
  };
  for (const TagModel::Role& role : model_->subject_of(app)) {
    const TagPart& of = part(role.part);
    if (!of.hard || !of.alone || allowed_by_part(view, role, app, site, 1) > 0) continue;
    if (of.kind != CardinalityKind::kReplicas) {
      refuse(of.rule, kNone, 0, kNone);
      continue;
    }
    const auto refuse_count = [&](const Count& here) {
      refuse(of.rule, role.part, std::min(of.min, here.count), std::max(of.max, here.count));
    };
    if (of.group == kNone) {
      refuse_count(on_node(role.part, site, view.tenants(site.node)));
      continue;
    }
    const auto sets = model_->sets_of(of.group, site.listed, site.node_class);
    if (sets.empty()) refuse_count({});
    for (const std::uint32_t set : sets) refuse_count(in_set(role.part, set));
  }
  visit_maxima(view, app, site, Asked::kHard, [&](std::uint32_t p, std::uint64_t seen) {
    const TagPart& of = part(p);
    if (seen >= of.max) refuse(of.rule, p, of.min, static_cast<std::uint32_t>(std::min<std::uint64_t>(seen + 1, kNone)));
  });
  for (const std::uint32_t number : model_->choices_of(app)) {
    const TagModel::Choice& choice = model_->choices()[number];
    if (choice.hard && !choice_allows(view, number, {app, site, 1})) refuse(choice.rule, kNone, 0, kNone);
  }
  std::sort(all.begin(), all.end(), [](const Refusal& a, const Refusal& b) { return a.rule < b.rule; });
  return all;
}

bool TagState::breaks(const TagView& view, AppId app, NodeId node, const TagState* start, const TagView& at_start) const {
  if (!model_->has_hard()) return false;
  const TagSite site = view.site(node);
  for (const TagModel::Role& role : model_->subject_of(app)) {
    const TagPart& of = part(role.part);
    if (!of.hard || !of.alone) continue;
    const std::uint32_t population = population_[role.part];
    if (population != kNone) {
      if (population_extent(role.part, {}) > extents_at_start_[population]) return true;
      continue;
    }
    const double now = extent(view, role.part, app, site, {});
    if (now > 0 && (start == nullptr || now > start->extent(at_start, role.part, app, site, {}))) return true;
  }
  for (const std::uint32_t number : model_->choices_of(app)) {
    const TagModel::Choice& choice = model_->choices()[number];
    if (!choice.hard) continue;
    const double now = choice_extent(view, choice, app, site, outlook(choice, {}));
    if (now == kNoConjunction || now == 0) continue;
    if (start == nullptr || now > start->choice_extent(at_start, choice, app, site, start->outlook(choice, {}))) return true;
  }
  return false;
}

}  // namespace stowage
