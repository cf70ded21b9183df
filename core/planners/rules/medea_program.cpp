#include "core/planners/rules/medea_program.h"

#include <algorithm>
#include <cmath>

#include "core/affinity/admission.h"

namespace stowage {
namespace {

constexpr double kExtentRounding = 1e-12;

/// violation_extent, but 0 for a negative number without a minimum: `number` is -1 where a subject that is itself a target is
/// subtracted from a count of 0.
double extent_for(std::int64_t number, const TagPart& part) {
  return part.min == 0 && number < 0 ? 0 : violation_extent(number, part.min, part.max);
}

bool has_role(std::span<const TagModel::Role> roles, std::uint32_t part) {
  return std::any_of(roles.begin(), roles.end(), [part](const TagModel::Role& role) { return role.part == part; });
}

}  // namespace

Error MedeaProgram::build() {
  find_relevant();
  const TagModel& model = instance_.tag_model();
  for (std::uint32_t p = 0; p < model.parts(); ++p) {
    const TagPart& part = model.part(p);
    if (relevant_[p] == 0 || part.kind == CardinalityKind::kReplicas) continue;
    return {Code::kUnsupported,
            "the program has no conditions on the number of node sets or on skew, as in " + indexed("rules", part.rule),
            "planner"};
  }
  const std::uint64_t columns = std::uint64_t{units_.size()} * setting_.sites.size();
  if (columns > instance_.limits().max_cells)
    return {Code::kLimitExceeded, "the program has more columns than max_cells allows", "planner"};
  add_assignments();
  add_applications();
  add_capacity();
  add_limits();
  add_node_limit();
  add_rules();
  if (program_.entry_column.size() > instance_.limits().max_cells) {
    return {Code::kLimitExceeded, "the program has more entries than max_cells allows", "planner"};
  }
  return {};
}

void MedeaProgram::find_relevant() {
  const TagModel& model = instance_.tag_model();
  relevant_.assign(model.parts(), 0);
  double subjects = 0;
  for (std::uint32_t k = 0; k < setting_.apps.size(); ++k) {
    if (setting_.as_printed) {
      units_.insert(units_.end(), setting_.waiting[k], Unit{k, 1});
    } else {
      units_.push_back({k, setting_.waiting[k]});
    }
    std::vector<std::uint32_t> rules;
    const auto see = [&](std::uint32_t p, bool subject) {
      const TagPart& part = model.part(p);
      if (!part.hard && part.weight == 0) return;
      relevant_[p] = 1;
      if (!subject || part.hard || std::find(rules.begin(), rules.end(), part.rule) != rules.end()) return;
      rules.push_back(part.rule);
      subjects += part.weight * setting_.waiting[k];
    };
    for (const TagModel::Role& role : model.subject_of(setting_.apps[k])) see(role.part, true);
    for (const TagModel::Role& role : model.target_of(setting_.apps[k])) see(role.part, false);
  }
  violation_cost_ = setting_.violation_weight / std::max(1.0, subjects);
  of_set_.resize(model.groups());
  for (std::uint32_t group = 0; group < model.groups(); ++group) {
    of_set_[group].resize(model.sets(group));
    for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
      const TagSite& at = setting_.sites[s].at;
      for (const std::uint32_t set : model.sets_of(group, at.listed, at.node_class)) of_set_[group][set].push_back(s);
    }
  }
  for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) site_of_[setting_.sites[s].at.node] = s;
}

void MedeaProgram::add_assignments() {
  const auto sites = static_cast<std::uint32_t>(setting_.sites.size());
  column_.assign(units_.size() * sites, kNone);
  for (std::size_t u = 0; u < units_.size(); ++u) {
    for (std::uint32_t s = 0; s < sites; ++s) {
      const std::uint32_t room = std::min(units_[u].count, setting_.sites[s].room[units_[u].app]);
      if (room == 0) continue;
      column_[u * sites + s] = add_column(0, 0, room, true);
      unit_of_column_.push_back(static_cast<std::uint32_t>(u));
    }
  }
}

void MedeaProgram::add_applications() {
  std::map<AppId, std::vector<std::uint32_t>> members;  // of an application
  std::map<AppId, double> wanted;
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    const AppId application = instance_.application(app_of(units_[u]));
    members[application].push_back(u);
    wanted[application] += units_[u].count;
  }
  const auto everywhere = [&](std::uint32_t u) {
    Terms sum;
    for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
      if (column_of(u, s) != kNone) sum.push_back({column_of(u, s), 1});
    }
    return sum;
  };
  for (const auto& [application, units] : members) {
    const double worth = setting_.placed_weight / static_cast<double>(members.size());
    const double all = wanted[application];
    if (!setting_.all_or_nothing) {
      for (const std::uint32_t u : units) {
        const Terms sum = everywhere(u);
        for (const Term& term : sum) program_.cost[term.column] -= worth / all;
        add_row(-kInfinity, units_[u].count, sum);
      }
      continue;
    }
    Terms whole;
    for (const std::uint32_t u : units) {
      for (const Term& term : everywhere(u)) whole.push_back(term);
    }
    const std::uint32_t placed = add_column(-worth, 0, 1, true);
    define([=](std::vector<double>& values) { values[placed] = value(whole, values) >= all ? 1 : 0; });
    for (const std::uint32_t u : units) {
      Terms sum = everywhere(u);
      if (setting_.as_printed) {
        add_row(-kInfinity, units_[u].count, sum);
      } else {
        sum.push_back({placed, -static_cast<double>(units_[u].count)});
        add_row(0, 0, sum);
      }
    }
    if (setting_.as_printed) {
      whole.push_back({placed, -all});
      add_row(0, 0, whole);
    }
  }
}

void MedeaProgram::add_capacity() {
  const std::uint32_t dims = instance_.dims();
  const auto demand = [&](AppId app, std::uint32_t h) {
    return instance_.visit_unit(
        [&](auto unit) { return static_cast<double>(instance_.scaled_demand<decltype(unit)>(app)[h]); });
  };
  std::vector<double> least(dims, kInfinity);  // the smallest demand of any app
  for (AppId app = 0; app < instance_.apps(); ++app) {
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (demand(app, h) > 0) least[h] = std::min(least[h], demand(app, h));
    }
  }
  for (double& one : least) one = std::isinf(one) ? 0 : one;
  score_of_nothing_ = setting_.nodes > 0 ? setting_.fragmentation_weight * setting_.other_kept / setting_.nodes : 0;
  for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
    const MedeaSite& site = setting_.sites[s];
    std::vector<Terms> needs(dims);
    double room = kInfinity;
    for (std::uint32_t h = 0; h < dims; ++h) {
      double smallest = kInfinity;
      bool all_need = true;
      for (std::uint32_t u = 0; u < units_.size(); ++u) {
        if (column_of(u, s) == kNone) continue;
        const double need = demand(app_of(units_[u]), h);
        all_need = all_need && need > 0;
        smallest = std::min(smallest, need);
        if (need > 0) needs[h].push_back({column_of(u, s), need});
      }
      if (all_need && smallest > 0) room = std::min(room, std::floor(static_cast<double>(site.left[h]) / smallest));
    }
    site_room_.push_back(std::isinf(room) ? kNone : static_cast<std::uint32_t>(room));
    bool keeps = site.exists;
    for (std::uint32_t h = 0; h < dims; ++h) keeps = keeps && static_cast<double>(site.left[h]) >= least[h];
    std::uint32_t kept = kNone;
    if (keeps && setting_.fragmentation_weight > 0 && setting_.nodes > 0) {
      const double worth = setting_.fragmentation_weight / setting_.nodes;
      kept = add_column(-worth, 0, 1, true);
      define([=, left = site.left](std::vector<double>& values) {
        bool holds = true;
        for (std::size_t h = 0; h < needs.size(); ++h) {
          holds = holds && static_cast<double>(left[h]) - value(needs[h], values) >= least[h];
        }
        values[kept] = holds ? 1 : 0;
      });
    }
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (needs[h].empty()) continue;
      // Rows are divided by the residual, so that the solver's absolute tolerance is relative to it.
      const double left = std::max(1.0, static_cast<double>(site.left[h]));
      Terms row = needs[h];
      for (Term& term : row) term.factor /= left;
      const double all = static_cast<double>(site.left[h]) / left;
      const double kept_of = least[h] / left;
      if (kept == kNone || kept_of == 0) {
        add_row(-kInfinity, all, row);
      } else if (setting_.as_printed) {
        add_row(-kInfinity, all, row);
        const double enough = all + kept_of;  // B_n
        row.push_back({kept, enough});
        add_row(-kInfinity, all - kept_of + enough, row);
      } else {
        row.push_back({kept, kept_of});
        add_row(-kInfinity, all, row);
      }
    }
  }
}

// Affinity limits between two waiting apps: beside at least one replica of app i, at most a replicas of app j.
void MedeaProgram::add_limits() {
  const LimitRows& limits = instance_.limit_rows();
  if (limits.arc_count() == 0) return;
  std::map<AppId, std::uint32_t> waiting;
  for (std::uint32_t k = 0; k < setting_.apps.size(); ++k) waiting[setting_.apps[k]] = k;
  for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
    const auto on_site = [&](std::uint32_t app) { return sum_of({s}, [&](std::uint32_t u) { return units_[u].app == app; }); };
    const auto there = [&](AppId app) {
      for (const Tenant& tenant : setting_.view.tenants(setting_.sites[s].at.node)) {
        if (tenant.app == app) return tenant.replicas;
      }
      return 0u;
    };
    for (const auto& [app, k] : waiting) {
      const Terms own = on_site(k);
      Terms presence;
      for (std::uint32_t n = 0; n < limits.degree(app); ++n) {
        const Neighbour neighbour = limits.neighbour(app, n);
        const auto other = waiting.find(neighbour.app);
        if (neighbour.imposes == kNone || other == waiting.end()) continue;
        const Terms others = on_site(other->second);
        if (own.empty() || others.empty()) continue;
        const std::uint32_t running = there(neighbour.app);
        const double allowed = room_within(neighbour.imposes, running);
        const double most = most_on({s}, others);
        if (most <= allowed) continue;
        if (presence.empty()) presence = presence_of(own, most_on({s}, own));
        Terms row = others;
        for (const Term& term : presence) row.push_back({term.column, term.factor * (most - allowed)});
        add_row(-kInfinity, most, row);
      }
    }
  }
}

void MedeaProgram::add_node_limit() {
  if (setting_.more_nodes == kNone) return;
  Terms opened;
  for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
    if (setting_.sites[s].used) continue;
    const Terms all = sum_of({s}, [](std::uint32_t) { return true; });
    if (all.empty()) continue;
    for (const Term& term : presence_of(all, most_on({s}, all))) opened.push_back(term);
  }
  add_row(-kInfinity, setting_.more_nodes, opened);
}

template <class HasRole>
MedeaProgram::Terms MedeaProgram::sum_of(const std::vector<std::uint32_t>& sites, HasRole&& has_role_of) const {
  Terms sum;
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    if (!has_role_of(u)) continue;
    for (const std::uint32_t s : sites) {
      if (column_of(u, s) != kNone) sum.push_back({column_of(u, s), 1});
    }
  }
  return sum;
}

// An upper bound on a sum of assignments.
std::uint32_t MedeaProgram::most_on(const std::vector<std::uint32_t>& sites, const Terms& sum) const {
  std::uint64_t by_sites = 0;
  for (const std::uint32_t s : sites) by_sites += site_room_[s];
  std::uint64_t by_units = 0;
  for (std::size_t k = 0; k < sum.size();) {
    const std::uint32_t unit = unit_of_column_[sum[k].column];
    std::uint64_t room = 0;
    for (; k < sum.size() && unit_of_column_[sum[k].column] == unit; ++k) {
      room += static_cast<std::uint64_t>(program_.upper[sum[k].column]);
    }
    by_units += std::min<std::uint64_t>(room, units_[unit].count);
  }
  return static_cast<std::uint32_t>(std::min({by_sites, by_units, std::uint64_t{kNone}}));
}

MedeaProgram::Terms MedeaProgram::presence_of(const Terms& sum, std::uint32_t most) {
  if (most <= 1) return sum;
  const std::uint32_t present = add_column(0, 0, 1, true);
  define([=](std::vector<double>& values) { values[present] = value(sum, values) > 0 ? 1 : 0; });
  Terms row = sum;
  row.push_back({present, -static_cast<double>(most)});
  add_row(-kInfinity, 0, row);
  return {{present, 1}};
}

std::vector<MedeaProgram::Terms> MedeaProgram::levels_of(const Terms& sum, std::uint32_t count) {
  if (count <= 1) return {sum};
  std::vector<Terms> levels;
  Terms row = sum;
  for (std::uint32_t level = 0; level < count; ++level) {
    const std::uint32_t column = add_column(0, 0, 1, true);
    define([=](std::vector<double>& values) { values[column] = value(sum, values) > level ? 1 : 0; });
    row.push_back({column, -1});
    levels.push_back({{column, 1}});
  }
  add_row(0, 0, row);
  return levels;
}

void MedeaProgram::add_rules() {
  const TagModel& model = instance_.tag_model();
  for (std::uint32_t p = 0; p < model.parts(); ++p) {
    if (relevant_[p] != 0 && model.part(p).alone) add_part(p);
  }
  for (std::uint32_t c = 0; c < model.choices().size(); ++c) {
    const auto& any_of = model.choices()[c].any_of;
    const bool relevant = std::any_of(any_of.begin(), any_of.end(), [&](const auto& parts) {
      return std::any_of(parts.begin(), parts.end(), [&](std::uint32_t p) { return relevant_[p] != 0; });
    });
    if (relevant) add_choice(c);
  }
}

MedeaProgram::Scope MedeaProgram::scope_on(std::uint32_t part, const TagSite& at) const {
  const TagModel& model = instance_.tag_model();
  Scope scope{part, {}, {}};
  const auto site = site_of_.find(at.node);
  if (site != site_of_.end()) scope.sites = {site->second};
  const auto tenants = setting_.view.tenants(at.node);
  scope.there.count = setting_.tags.count_on(part, at, tenants);
  for (const Tenant& tenant : tenants) {
    if (!model.is_subject(tenant.app, part)) continue;
    (model.is_target(tenant.app, part) ? scope.there.in : scope.there.out) += tenant.replicas;
  }
  return scope;
}

MedeaProgram::Scope MedeaProgram::scope_in(std::uint32_t part, std::uint32_t set) const {
  return {part, of_set_[instance_.tag_model().part(part).group][set], setting_.tags.in_set(part, set)};
}

void MedeaProgram::add_part(std::uint32_t p) {
  const TagModel& model = instance_.tag_model();
  const TagPart& part = model.part(p);
  if (part.group == kNone) {
    for (const MedeaSite& site : setting_.sites) add_part_in(scope_on(p, site.at));
    return;
  }
  for (std::uint32_t set = 0; set < model.sets(part.group); ++set) {
    if (!of_set_[part.group][set].empty()) add_part_in(scope_in(p, set));
  }
  if (part.min == 0) return;
  for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
    const TagSite& at = setting_.sites[s].at;
    if (model.sets_of(part.group, at.listed, at.node_class).empty()) add_outside(p, s);
  }
}

// On a node outside every set of the group, the count is 0, so each subject violates the minimum with extent 1.
void MedeaProgram::add_outside(std::uint32_t p, std::uint32_t site) {
  const TagPart& part = instance_.tag_model().part(p);
  const Terms subjects =
      sum_of({site}, [&](std::uint32_t u) { return instance_.tag_model().is_subject(app_of(units_[u]), p); });
  for (const Term& term : subjects) {
    if (part.hard) {
      program_.upper[term.column] = 0;
    } else {
      program_.cost[term.column] += violation_cost_ * part.weight;
    }
  }
}

void MedeaProgram::add_part_in(const Scope& scope) {
  const TagModel& model = instance_.tag_model();
  const auto is_subject = [&](std::uint32_t u) { return model.is_subject(app_of(units_[u]), scope.part); };
  const auto is_target = [&](std::uint32_t u) { return model.is_target(app_of(units_[u]), scope.part); };
  const Terms subjects = sum_of(scope.sites, is_subject);
  const Terms count = sum_of(scope.sites, is_target);
  if (subjects.empty() && (count.empty() || (scope.there.out == 0 && scope.there.in == 0))) return;
  const std::uint32_t most = most_on(scope.sites, count);
  const bool same =
      subjects.size() == count.size() && std::equal(subjects.begin(), subjects.end(), count.begin(),
                                                    [](const Term& a, const Term& b) { return a.column == b.column; });
  if (same && !setting_.as_printed) {
    add_single_count(scope, count, most);
  } else if (model.part(scope.part).hard) {
    add_hard(scope, count, most);
  } else {
    add_soft(scope, count, most);
  }
}

// The subjects are the counted replicas: the rule's cost is a function of the number of arrivals, 0 to `most`.
void MedeaProgram::add_single_count(const Scope& scope, const Terms& count, std::uint32_t most) {
  const TagPart& part = instance_.tag_model().part(scope.part);
  const TagState::Count& there = scope.there;
  const auto seen = [&](std::int64_t number) { return violation_extent(number, part.min, part.max); };
  const auto cost = [&](std::uint32_t more) {
    const std::int64_t all = std::int64_t{there.count} + more;
    const std::uint64_t insiders = std::uint64_t{there.in} + more;
    double sum = there.out > 0 ? there.out * seen(all) : 0;
    if (insiders > 0) sum += static_cast<double>(insiders) * seen(all - 1);
    return sum;
  };
  if (part.hard) {
    // Residents' extents do not grow, and arrivals have extent 0.
    const auto allowed = [&](std::uint32_t more) {
      const std::int64_t all = std::int64_t{there.count} + more;
      if (there.out > 0 && seen(all) > seen(there.count)) return false;
      if (there.in > 0 && seen(all - 1) > seen(std::int64_t{there.count} - 1)) return false;
      return seen(all - 1) == 0;
    };
    std::uint32_t least = 1;
    while (least <= most && !allowed(least)) ++least;
    std::uint32_t last = least;
    while (last < most && allowed(last + 1)) ++last;
    if (least > most) {
      add_row(-kInfinity, 0, count);
    } else if (least == 1) {
      if (last < most) add_row(-kInfinity, last, count);
    } else {
      const Terms presence = presence_of(count, last);
      Terms row = count;
      for (const Term& term : presence) row.push_back({term.column, -term.factor * least});
      add_row(0, kInfinity, row);
    }
    return;
  }
  std::vector<double> increments;
  for (std::uint32_t more = 1; more <= most; ++more) increments.push_back(cost(more) - cost(more - 1));
  const auto is_zero = [](double one) { return std::fabs(one) < kExtentRounding; };
  if (std::all_of(increments.begin(), increments.end(), is_zero)) return;
  const double unit_cost = violation_cost_ * part.weight;
  const bool convex =
      std::is_sorted(increments.begin(), increments.end(), [](double a, double b) { return a < b - kExtentRounding; });
  if (!convex) {
    double sum = 0;
    double least = 0;
    double each = 0;
    for (const double increment : increments) {
      sum += increment;
      least = std::min(least, sum);
      each += std::min(0.0, increment);
    }
    columns_exceed_ += unit_cost * (least - each);
  }
  Terms row = count;
  std::uint32_t before = 0;
  std::uint32_t last_column = kNone;
  while (before < increments.size()) {
    // Convex: increments grow, so a minimum uses them in order without binaries, and equal ones share a column.
    std::uint32_t length = 1;
    while (convex && before + length < increments.size() && is_zero(increments[before + length] - increments[before])) ++length;
    const std::uint32_t column = add_column(unit_cost * increments[before], 0, length, !convex);
    define([=](std::vector<double>& values) {
      values[column] = std::clamp(value(count, values) - before, 0.0, static_cast<double>(length));
    });
    row.push_back({column, -1});
    if (!convex && last_column != kNone) add_row(0, kInfinity, {{last_column, 1}, {column, -1}});
    last_column = column;
    before += length;
  }
  add_row(0, 0, row);
}

void MedeaProgram::add_hard(const Scope& scope, const Terms& count, std::uint32_t most) {
  const TagModel& model = instance_.tag_model();
  const TagPart& part = model.part(scope.part);
  const TagState::Count& there = scope.there;
  if (part.max != kNone) {
    std::int64_t allowed = most;
    if (there.out > 0) allowed = std::min<std::int64_t>(allowed, std::max<std::int64_t>(part.max, there.count) - there.count);
    if (there.in > 0) {
      allowed = std::min<std::int64_t>(allowed, std::max<std::int64_t>(std::int64_t{part.max} + 1, there.count) - there.count);
    }
    if (allowed < most) add_row(-kInfinity, static_cast<double>(allowed), count);
  }
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    if (!model.is_subject(app_of(units_[u]), scope.part)) continue;
    const Terms sum = sum_of(scope.sites, [u](std::uint32_t one) { return one == u; });
    if (sum.empty()) continue;
    const double own = model.is_target(app_of(units_[u]), scope.part) ? 1 : 0;
    const Terms presence = presence_of(sum, most_on(scope.sites, sum));
    const double needed = std::max(0.0, part.min + own - there.count);
    if (needed > own) {
      Terms row = count;
      for (const Term& term : presence) row.push_back({term.column, -term.factor * needed});
      add_row(0, kInfinity, row);
    }
    const double room = part.max == kNone ? most : part.max + own - there.count;
    if (room < most) {
      Terms row = count;
      for (const Term& term : presence) row.push_back({term.column, term.factor * (most - room)});
      add_row(-kInfinity, most, row);
    }
  }
}

void MedeaProgram::add_soft(const Scope& scope, const Terms& count, std::uint32_t most) {
  const TagModel& model = instance_.tag_model();
  const TagPart& part = model.part(scope.part);
  const double unit_cost = violation_cost_ * part.weight;
  const std::int64_t there = scope.there.count;
  for (const std::uint32_t own : {0u, 1u}) {
    const std::uint32_t residents = own == 0 ? scope.there.out : scope.there.in;
    if (residents == 0) continue;
    const Extent extent = extent_of(scope, own);
    if (extent.column == kNone || !extent.varies) continue;
    program_.cost[extent.column] += unit_cost * residents;
    score_of_nothing_ += unit_cost * residents * violation_extent(there - own, part.min, part.max);
  }
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    if (!model.is_subject(app_of(units_[u]), scope.part)) continue;
    const Terms sum = sum_of(scope.sites, [u](std::uint32_t one) { return one == u; });
    if (sum.empty()) continue;
    const std::int64_t own = model.is_target(app_of(units_[u]), scope.part) ? 1 : 0;
    // The most by which a present subject can miss the minimum (lacks) or exceed the maximum (exceeds). P2's big-M is larger by
    // `slack`.
    const double slack = setting_.as_printed ? static_cast<double>(units_.size()) : 0;
    const auto lacks = static_cast<double>(std::int64_t{part.min} - there + own);
    const double exceeds = part.max == kNone ? 0 : static_cast<double>(std::int64_t{most} + there - own - part.max);
    if (lacks <= static_cast<double>(own) && exceeds <= 0) continue;
    const double limit = part.max > 0 && part.max != kNone ? part.max : 1;
    for (const Terms& present : levels_of(sum, most_on(scope.sites, sum))) {
      const std::uint32_t violated = add_column(unit_cost, 0, kInfinity, false);
      define([=, &part](std::vector<double>& values) {
        const auto seen = static_cast<std::int64_t>(value(count, values)) + there - own;
        values[violated] = value(present, values) > 0 ? violation_extent(seen, part.min, part.max) : 0;
      });
      if (lacks > static_cast<double>(own)) {
        Terms row = count;
        row.push_back({violated, static_cast<double>(part.min)});
        for (const Term& term : present) row.push_back({term.column, -term.factor * (lacks + slack)});
        add_row(-slack, kInfinity, row);
      }
      if (exceeds > 0) {
        Terms row = {{violated, limit}};
        for (const Term& term : count) row.push_back({term.column, -term.factor});
        for (const Term& term : present) row.push_back({term.column, -term.factor * (exceeds + slack)});
        add_row(-static_cast<double>(most) - slack, kInfinity, row);
      }
    }
  }
}

MedeaProgram::Extent MedeaProgram::extent_of(const Scope& scope, std::uint32_t own) {
  const TagModel& model = instance_.tag_model();
  const TagPart& part = model.part(scope.part);
  const Terms count = sum_of(scope.sites, [&](std::uint32_t u) { return model.is_target(app_of(units_[u]), scope.part); });
  const std::uint32_t most = most_on(scope.sites, count);
  const std::int64_t there = std::int64_t{scope.there.count} - own;
  const double lacks = part.min == 0 ? 0 : static_cast<double>(std::int64_t{part.min} - there);
  const double exceeds = part.max == kNone ? 0 : static_cast<double>(std::int64_t{most} + there - part.max);
  Extent extent;
  extent.varies = !count.empty();
  extent.now = extent_for(there, part);
  if (lacks <= 0 && exceeds <= 0) return extent;
  const double limit = part.max > 0 && part.max != kNone ? part.max : 1;
  extent.most = std::max(lacks > 0 ? lacks / part.min : 0, exceeds > 0 ? exceeds / limit : 0);
  extent.column = add_column(0, 0, kInfinity, false);
  define([=, &part, column = extent.column](std::vector<double>& values) {
    values[column] = extent_for(static_cast<std::int64_t>(value(count, values)) + there, part);
  });
  if (lacks > 0) {
    Terms row = count;
    row.push_back({extent.column, static_cast<double>(part.min)});
    add_row(lacks, kInfinity, row);
  }
  if (exceeds > 0) {
    Terms row = {{extent.column, limit}};
    for (const Term& term : count) row.push_back({term.column, -term.factor});
    add_row(exceeds - most, kInfinity, row);
  }
  return extent;
}

void MedeaProgram::add_choice(std::uint32_t c) {
  const TagModel& model = instance_.tag_model();
  const auto is_subject = [&](AppId app) {
    const auto& any_of = model.choices()[c].any_of;
    return std::any_of(any_of.begin(), any_of.end(), [&](const auto& parts) {
      return std::any_of(parts.begin(), parts.end(), [&](std::uint32_t p) { return has_role(model.subject_of(app), p); });
    });
  };
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    if (!is_subject(app_of(units_[u]))) continue;
    for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
      if (column_of(u, s) == kNone) continue;
      const auto most = static_cast<std::uint32_t>(program_.upper[column_of(u, s)]);
      add_choice_for(c, app_of(units_[u]), setting_.sites[s].at, {{column_of(u, s), 1}}, most, 0);
    }
  }
  const NodeContents& contents = *setting_.view.contents;
  for (NodeId node = 0; node < contents.nodes(); ++node) {
    for (const Tenant& tenant : contents.at(node)) {
      if (is_subject(tenant.app)) add_choice_for(c, tenant.app, setting_.view.site(node), {}, 0, tenant.replicas);
    }
  }
}

// The conjunctions of a choice that have the app as a subject, for a replica at a site.
MedeaProgram::Ways MedeaProgram::ways_of(const TagModel::Choice& choice, AppId app, const TagSite& at) {
  const TagModel& model = instance_.tag_model();
  Ways ways;
  for (const auto& parts : choice.any_of) {
    Way way;
    bool subject = false;
    const auto add = [&](const Scope& scope, std::uint32_t key) {
      const std::uint32_t own = model.is_target(app, scope.part) ? 1 : 0;
      const auto [known, fresh] = extents_.try_emplace({scope.part, key, own}, Extent{});
      if (fresh) known->second = extent_of(scope, own);
      const Extent& extent = known->second;
      if (extent.column == kNone) return;
      ways.vary = ways.vary || extent.varies;
      way.extents.push_back({extent.column, 1});
      way.most += extent.most;
      way.now += extent.now;
    };
    for (const std::uint32_t p : parts) {
      if (!model.is_subject(app, p)) continue;
      subject = true;
      const TagPart& part = model.part(p);
      if (part.group == kNone) {
        add(scope_on(p, at), at.node);
        continue;
      }
      const auto sets = model.sets_of(part.group, at.listed, at.node_class);
      if (sets.empty() && part.min > 0) way.fixed += 1;
      for (const std::uint32_t set : sets) add(scope_in(p, set), set);
    }
    way.most += way.fixed;
    way.now += way.fixed;
    if (subject) ways.all.push_back(std::move(way));
  }
  return ways;
}

// Adds one binary column per way. Exactly one of them is 1: that of the way with the least extent.
std::vector<std::uint32_t> MedeaProgram::choose_one(const std::vector<Way>& ways) {
  std::vector<std::uint32_t> chosen;
  Terms one;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    chosen.push_back(add_column(0, 0, 1, true));
    one.push_back({chosen.back(), 1});
  }
  add_row(1, 1, one);
  define([ways, chosen](std::vector<double>& values) {
    std::size_t best = 0;
    double least = kInfinity;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const double extent = ways[w].fixed + value(ways[w].extents, values);
      if (extent < least - kExtentRounding) {
        least = extent;
        best = w;
      }
      values[chosen[w]] = 0;
    }
    values[chosen[best]] = 1;
  });
  return chosen;
}

// Adds the cost of the least violated conjunction, for up to `levels` arriving replicas of an app (`sum` is their number), or
// for `residents` replicas that are already on the node.
void MedeaProgram::add_choice_for(std::uint32_t c, AppId app, const TagSite& at, const Terms& sum, std::uint32_t levels,
                                  std::uint32_t residents) {
  const TagModel::Choice& choice = instance_.tag_model().choices()[c];
  const Ways found = ways_of(choice, app, at);
  const std::vector<Way>& ways = found.all;
  if ((levels == 0 && !found.vary) || ways.empty()) return;

  double before = kInfinity;
  for (const Way& way : ways) before = std::min(before, way.now);
  const std::vector<std::uint32_t> chosen = choose_one(ways);
  const double unit_cost = choice.hard ? 0 : violation_cost_ * choice.weight;
  const std::uint32_t extent =
      add_column(unit_cost * residents, 0, choice.hard && residents > 0 ? before + kExtentRounding : kInfinity, false);
  score_of_nothing_ += unit_cost * residents * before;
  double most = 0;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    Terms row = {{extent, 1}, {chosen[w], -ways[w].most}};
    for (const Term& term : ways[w].extents) row.push_back({term.column, -term.factor});
    add_row(ways[w].fixed - ways[w].most, kInfinity, row);
    most = std::max(most, ways[w].most);
  }
  define([=](std::vector<double>& values) {
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (values[chosen[w]] > 0) values[extent] = ways[w].fixed + value(ways[w].extents, values);
    }
  });
  if (levels == 0 || most == 0) return;
  if (choice.hard) {
    Terms row = {{extent, 1}};
    for (const Term& term : presence_of(sum, levels)) row.push_back({term.column, term.factor * most});
    add_row(-kInfinity, most, row);
    return;
  }
  for (const Terms& present : levels_of(sum, levels)) {
    const std::uint32_t violated = add_column(unit_cost, 0, kInfinity, false);
    define([=](std::vector<double>& values) { values[violated] = value(present, values) > 0 ? values[extent] : 0; });
    Terms row = {{violated, 1}, {extent, -1}};
    for (const Term& term : present) row.push_back({term.column, -term.factor * most});
    add_row(-most, kInfinity, row);
  }
}

double MedeaProgram::least_cost() const {
  double sum = columns_exceed_;
  // Each replica of a unit is placed at most once: the bound takes its cheapest site.
  std::vector<double> least(units_.size(), 0);
  for (std::size_t c = 0; c < program_.columns(); ++c) {
    const double cost = program_.cost[c];
    if (c < unit_of_column_.size()) {
      if (program_.upper[c] > 0) least[unit_of_column_[c]] = std::min(least[unit_of_column_[c]], cost);
    } else if (cost != 0) {
      sum += cost * (cost > 0 ? program_.lower[c] : program_.upper[c]);
    }
  }
  for (std::size_t u = 0; u < units_.size(); ++u) sum += units_[u].count * least[u];
  return sum;
}

std::vector<double> MedeaProgram::values_of(const std::vector<MedeaSeat>& seats) const {
  std::vector<double> values(program_.columns(), 0);
  for (const MedeaSeat& seat : seats) {
    std::uint32_t left = seat.replicas;
    for (std::uint32_t u = 0; u < units_.size() && left > 0; ++u) {
      if (units_[u].app != seat.app || column_of(u, seat.site) == kNone) continue;
      double elsewhere = 0;
      for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
        if (column_of(u, s) != kNone) elsewhere += values[column_of(u, s)];
      }
      const std::uint32_t free = units_[u].count - static_cast<std::uint32_t>(elsewhere);
      const std::uint32_t here = std::min(left, free);
      values[column_of(u, seat.site)] += here;
      left -= here;
    }
  }
  for (const auto& definition : definitions_) definition(values);
  return values;
}

std::vector<MedeaSeat> MedeaProgram::seats_of(const std::vector<double>& values) const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> replicas;
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    for (std::uint32_t s = 0; s < setting_.sites.size(); ++s) {
      if (column_of(u, s) == kNone || values[column_of(u, s)] <= 0) continue;
      replicas[{units_[u].app, s}] += static_cast<std::uint32_t>(values[column_of(u, s)]);
    }
  }
  std::vector<MedeaSeat> seats;
  seats.reserve(replicas.size());
  for (const auto& [seat, count] : replicas) seats.push_back({seat.first, seat.second, count});
  return seats;
}

}  // namespace stowage
