// Judges plans by the definitions of the model, on the original numbers. It shares no code with the planners, the checker or
// Instance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/run/request.h"
#include "tests/property/generator.h"

namespace stowage::test {

class Judge {
 public:
  explicit Judge(const Generated& instance) : in_(instance), start_(instance.listed(), Counts(instance.apps(), 0)) {
    for (const Residence& r : in_.data.running) start_[r.node][r.app] = r.replicas;
    for (const Residence& p : in_.data.pinned) start_[p.node][p.app] = std::max(start_[p.node][p.app], p.replicas);
    limit_.assign(in_.apps(), Counts(in_.apps(), kNone));
    for (AppId i = 0; i < in_.apps() && !in_.row_begin.empty(); ++i) {
      for (std::uint32_t k = in_.row_begin[i]; k < in_.row_begin[i + 1]; ++k) limit_[i][in_.limited[k]] = in_.at_most[k];
    }
    factor_ = factor_of(in_.data);
    listed_of_.assign(in_.data.classes.size(), 0);
    for (const ClassId c : in_.data.node_class) ++listed_of_[c];
  }

  /// Replicas per app.
  using Counts = std::vector<std::uint32_t>;

  /// What is wrong with a node that holds these replicas; empty: nothing. A constraint that the start breaks may stay broken,
  /// but no further. With `strict` it may not, and a closed node may hold no replicas. Side effects may cost no replica more
  /// than `max_cost`, if that is above 0.
  [[nodiscard]] std::string node_problem(ClassId node_class, NodeId listed, const Counts& held, bool strict = false,
                                         double max_cost = 0) const {
    const Counts* before = listed == kNone ? nullptr : &start_[listed];
    for (ResourceId r = 0; r < in_.resources(); ++r) {
      const double capacity = in_.data.classes[node_class].capacity[r];
      for (std::uint32_t t = 0; t < in_.data.periods; ++t) {
        const double daemon = in_.daemon(listed, node_class, r, t);
        const double mean = sum(listed, held, r, t) + daemon;
        const double now = mean + margin(listed, held, r);
        if (now <= capacity * (1 + kTolerance)) continue;
        if (!strict && before != nullptr) {
          const double was = sum(listed, *before, r, t) + daemon;
          const bool no_worse = now <= (was + margin(listed, *before, r)) * (1 + kTolerance);
          if (no_worse && mean <= was * (1 + kTolerance)) continue;
        }
        return "capacity of resource " + std::to_string(r) + " in period " + std::to_string(t);
      }
    }
    for (ResourceId r = 0; r < in_.resources(); ++r) {
      if (in_.data.resources[r].device == 0 || devices_suffice(node_class, listed, held, r)) continue;
      bool fewer = before != nullptr;
      for (AppId i = 0; i < in_.apps() && fewer; ++i) fewer = in_.demand(i, r, 0) == 0 || held[i] <= (*before)[i];
      if (!strict && fewer && !devices_suffice(node_class, listed, *before, r)) continue;
      return "devices of resource " + std::to_string(r);
    }
    for (AppId i = 0; i < in_.apps(); ++i) {
      if (held[i] == 0) continue;
      for (AppId j = 0; j < in_.apps(); ++j) {
        if (held[j] <= limit_[i][j]) continue;
        if (!strict && before != nullptr && (*before)[i] > 0 && (*before)[j] >= held[j]) continue;
        return "limit of app " + std::to_string(j) + " beside app " + std::to_string(i);
      }
      const bool stays = !strict && before != nullptr && (*before)[i] >= held[i];
      if (!eligible(i, node_class, listed) && !stays) return "app " + std::to_string(i) + " is not eligible";
      const bool closed = listed != kNone && !in_.data.closed.empty() && in_.data.closed[listed] != 0;
      if (closed && (strict || held[i] > (*before)[i])) return "app " + std::to_string(i) + " joins a closed node";
    }
    for (std::uint32_t t = 0; t < in_.data.interference.kind_count; ++t) {
      const double cost = cost_of_kind(t, held);
      const std::vector<double>& limits = in_.data.interference.max_cost;
      const bool kept = limits.empty() || cost <= limits[t] * (1 + kTolerance);
      if (kept && (max_cost == 0 || cost <= max_cost * (1 + kTolerance))) continue;
      const bool no_more_suffer = before != nullptr && of_kind(t, held) <= of_kind(t, *before);
      if (!strict && no_more_suffer && cost <= cost_of_kind(t, *before) * (1 + kTolerance)) continue;
      return "a replica of kind " + std::to_string(t) + " costs " + std::to_string(cost);
    }
    return "";
  }

  /// What the plan's notes say of a defect of its planner; empty: nothing.
  [[nodiscard]] static std::string note_problem(const Plan& plan) {
    for (const Note& note : plan.notes) {
      if (note.code == NoteCode::kStartPlan) return note.text;
    }
    return "";
  }

  /// What is wrong with a plan as the answer to a request; empty: nothing.
  [[nodiscard]] std::string plan_problem(const Plan& plan, const Request& request) const {
    if (const std::string what = note_problem(plan); !what.empty()) return what;
    const std::vector<Counts> held = counts(plan);
    std::vector<std::uint32_t> used(in_.data.classes.size(), 0);
    std::vector<NodeId> at(in_.listed(), kNone);
    for (NodeId n = 0; n < plan.nodes.size(); ++n) {
      const PlannedNode& node = plan.nodes[n];
      if (node.node_class >= in_.data.classes.size()) return "node of no class";
      if (node.listed == kNone) {
        ++used[node.node_class];
      } else {
        if (node.listed >= in_.listed() || in_.data.node_class[node.listed] != node.node_class) return "no such listed node";
        if (at[node.listed] != kNone) return "a listed node stands twice";
        at[node.listed] = n;
      }
      if (const std::string what = node_problem(node.node_class, node.listed, held[n], false, request.max_cost);
          !what.empty()) {
        return "node " + std::to_string(n) + ": " + what;
      }
      const bool empty = std::all_of(held[n].begin(), held[n].end(), [](std::uint32_t k) { return k == 0; });
      if (empty && !loaded(node.listed)) return "an empty node counts as used";
    }
    for (ClassId c = 0; c < in_.data.classes.size(); ++c) {
      const std::uint32_t count = in_.data.classes[c].count;
      if (count > 0 && used[c] > count - listed_of_[c]) return "too many nodes of class " + std::to_string(c);
    }
    for (NodeId n = 0; n < in_.listed(); ++n) {
      if (loaded(n) && at[n] == kNone) return "a loaded node is missing";
    }
    if (const std::string what = rule_problem(plan, held); !what.empty()) return what;
    if (const std::string what = cost_problem(plan, held); !what.empty()) return what;
    for (const Residence& p : in_.data.pinned) {
      if (at[p.node] == kNone || held[at[p.node]][p.app] < p.replicas) return "a pin is not kept";
    }
    if (!request.ignore_running && request.move_budget == 0) {
      for (const Residence& r : in_.data.running) {
        if (at[r.node] == kNone || held[at[r.node]][r.app] < r.replicas) return "a running replica moved";
      }
    }
    if (request.node_limit > 0 && plan.nodes.size() > std::max(request.node_limit, in_use_at_start(request))) {
      return "more nodes than the request allows";
    }
    std::vector<std::uint64_t> total(in_.apps(), 0);
    for (const Counts& node : held) {
      for (AppId i = 0; i < in_.apps(); ++i) total[i] += node[i];
    }
    for (const Unplaced& u : plan.unplaced) total[u.app] += u.replicas;
    for (AppId i = 0; i < in_.apps(); ++i) {
      if (total[i] != in_.data.replicas[i]) return "replicas of app " + std::to_string(i) + " do not add up";
    }
    return "";
  }

  /// An unplaced replica that a node could take without breaking anything; empty: there is none.
  [[nodiscard]] std::string overlooked(const Plan& plan, const Request& request) const {
    // Hard rules and all-or-nothing requests may refuse or withdraw replicas for reasons that are not judged here.
    if (has_hard_rules() || request.all_or_nothing) return "";
    std::vector<Counts> held = counts(plan);
    std::vector<std::uint32_t> used(in_.data.classes.size(), 0);
    std::vector<std::uint8_t> in_use(in_.listed(), 0);
    for (const PlannedNode& node : plan.nodes) {
      if (node.listed == kNone) {
        ++used[node.node_class];
      } else {
        in_use[node.listed] = 1;
      }
    }
    const bool may_open = request.node_limit == 0 || plan.nodes.size() < request.node_limit;
    for (const Unplaced& u : plan.unplaced) {
      const std::string who = "app " + std::to_string(u.app) + " fits on ";
      for (NodeId n = 0; n < plan.nodes.size(); ++n) {
        ++held[n][u.app];
        if (node_problem(plan.nodes[n].node_class, plan.nodes[n].listed, held[n], true, request.max_cost).empty()) {
          return who + "node " + std::to_string(n);
        }
        --held[n][u.app];
      }
      if (!may_open) continue;
      Counts alone(in_.apps(), 0);
      alone[u.app] = 1;
      for (NodeId n = 0; n < in_.listed(); ++n) {
        if (in_use[n] == 0 && node_problem(in_.data.node_class[n], n, alone, true).empty()) {
          return who + "listed node " + std::to_string(n);
        }
      }
      for (ClassId c = 0; c < in_.data.classes.size(); ++c) {
        const std::uint32_t count = in_.data.classes[c].count;
        if (count > 0 && used[c] >= count - listed_of_[c]) continue;
        if (node_problem(c, kNone, alone, true).empty()) return who + "a new node of class " + std::to_string(c);
      }
    }
    return "";
  }

  /// A hard rule that the plan breaks; empty: there is none, or it is not judged because the start has replicas.
  [[nodiscard]] std::string rule_problem(const Plan& plan, const std::vector<Counts>& held) const {
    if (!judges_rules()) return "";
    for (const PlacementRule& rule : in_.data.rules) {
      if (!rule.hard) continue;
      for (NodeId n = 0; n < plan.nodes.size(); ++n) {
        for (AppId i = 0; i < in_.apps(); ++i) {
          if (held[n][i] > 0 && !rule_holds(rule, plan, held, i, n)) {
            return rule.name + " does not hold for app " + std::to_string(i) + " on node " + std::to_string(n);
          }
        }
      }
    }
    return "";
  }

  /// Whether every hard rule of the instance is judged.
  [[nodiscard]] bool judges_rules() const {
    if (!has_hard_rules()) return true;
    return in_.data.running.empty() && in_.data.pinned.empty() &&
           std::none_of(in_.data.rules.begin(), in_.data.rules.end(), [](const auto& rule) { return rule.from_operator; });
  }

  /// What side effects cost a replica of the kind beside these; 0 if there is none.
  [[nodiscard]] double cost_of_kind(std::uint32_t kind, const Counts& held) const {
    const Interference& table = in_.data.interference;
    bool present = false;
    double cost = 0;
    for (AppId i = 0; i < in_.apps(); ++i) {
      present = present || (held[i] > 0 && in_.data.kind[i] == kind);
      cost += table.coefficient[std::size_t{kind} * table.kind_count + in_.data.kind[i]] * held[i] * in_.load_of(i);
    }
    return present ? cost : 0;
  }
  [[nodiscard]] std::uint64_t of_kind(std::uint32_t kind, const Counts& held) const {
    std::uint64_t sum = 0;
    for (AppId i = 0; i < in_.apps(); ++i) sum += in_.data.kind[i] == kind ? held[i] : 0;
    return sum;
  }
  /// What side effects cost all of these.
  [[nodiscard]] double total_cost(const Counts& held) const {
    double sum = 0;
    for (AppId i = 0; i < in_.apps() && in_.data.has_interference; ++i)
      sum += held[i] == 0 ? 0 : held[i] * cost_of_kind(in_.data.kind[i], held);
    return sum;
  }
  /// What side effects cost the one of these that suffers most.
  [[nodiscard]] double worst_cost(const Counts& held) const {
    double most = 0;
    for (std::uint32_t t = 0; t < in_.data.interference.kind_count; ++t) most = std::max(most, cost_of_kind(t, held));
    return most;
  }

  [[nodiscard]] bool loaded(NodeId listed) const {
    for (ResourceId r = 0; r < in_.resources() && listed != kNone; ++r) {
      for (std::uint32_t t = 0; t < in_.data.periods; ++t) {
        if (in_.load(listed, r, t) > 0) return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::uint32_t listed_of(ClassId c) const { return listed_of_[c]; }

  /// Nodes that are in use whatever a plan of the request adds.
  [[nodiscard]] std::uint32_t in_use_at_start(const Request& request) const {
    std::vector<std::uint8_t> used(in_.listed(), 0);
    for (NodeId n = 0; n < in_.listed(); ++n) used[n] = loaded(n) ? 1 : 0;
    for (const Residence& p : in_.data.pinned) used[p.node] = 1;
    if (!request.ignore_running) {
      for (const Residence& r : in_.data.running) used[r.node] = 1;
    }
    return static_cast<std::uint32_t>(std::count(used.begin(), used.end(), 1));
  }

  /// The first resource with uncertain demand or load; kNone: there is none.
  [[nodiscard]] ResourceId first_uncertain() const {
    Counts all(in_.apps(), 1);
    for (ResourceId r = 0; r < in_.resources(); ++r) {
      if (margin(kNone, all, r) > 0) return r;
      for (NodeId n = 0; n < in_.listed(); ++n) {
        if (margin(n, Counts(in_.apps(), 0), r) > 0) return r;
      }
    }
    return kNone;
  }
  /// Used capacity at confidence in the first period.
  [[nodiscard]] double use_at_confidence(NodeId listed, const Counts& held, ResourceId r) const {
    double peak = 0;
    for (std::uint32_t t = 0; t < in_.data.periods; ++t) peak = std::max(peak, sum(listed, held, r, t));
    return peak + margin(listed, held, r);
  }

  /// Replicas on each node of the plan.
  [[nodiscard]] std::vector<Counts> counts(const Plan& plan) const {
    std::vector<Counts> held(plan.nodes.size(), Counts(in_.apps(), 0));
    for (const Placed& p : plan.placed) held.at(p.node).at(p.app) += p.replicas;
    return held;
  }

 private:
  static constexpr double kTolerance = 1e-9;

  // Whether the parts of whole numbers of units can be distributed over devices, by trying every device for each part. A node
  // on which nothing takes of the resource has no problem.
  [[nodiscard]] bool devices_suffice(ClassId node_class, NodeId listed, const Counts& held, ResourceId r) const {
    const auto device = static_cast<int>(in_.data.resources[r].device);
    std::vector<int> free(static_cast<std::size_t>(in_.data.classes[node_class].capacity[r]) / device, device);
    const double load = (listed == kNone ? 0 : in_.load(listed, r, 0)) + in_.daemon(listed, node_class, r, 0);
    std::vector<int> parts(static_cast<std::size_t>(load) / device, device);
    if (static_cast<int>(load) % device > 0) parts.push_back(static_cast<int>(load) % device);
    const std::size_t of_load = parts.size();
    for (AppId i = 0; i < in_.apps(); ++i) {
      for (int left = static_cast<int>(in_.demand(i, r, 0)); left > 0; left -= device) {
        parts.insert(parts.end(), held[i], std::min(left, device));
      }
    }
    if (parts.size() == of_load) return true;
    std::sort(parts.rbegin(), parts.rend());
    return distribute(parts, 0, free);
  }
  [[nodiscard]] static bool distribute(const std::vector<int>& parts, std::size_t next, std::vector<int>& free) {
    if (next == parts.size()) return true;
    for (std::size_t k = 0; k < free.size(); ++k) {
      if (free[k] < parts[next] || std::find(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(k), free[k]) !=
                                       free.begin() + static_cast<std::ptrdiff_t>(k)) {
        continue;
      }
      free[k] -= parts[next];
      const bool rest = distribute(parts, next + 1, free);
      free[k] += parts[next];
      if (rest) return true;
    }
    return false;
  }

  // What the plan says of the costs of side effects.
  [[nodiscard]] std::string cost_problem(const Plan& plan, const std::vector<Counts>& held) const {
    if (!in_.data.has_interference) return plan.max_cost < 0 && plan.total_cost < 0 ? "" : "costs of nothing";
    const auto agree = [](double a, double b) { return std::abs(a - b) <= kTolerance * b; };
    double worst = 0;
    double total = 0;
    for (NodeId n = 0; n < plan.nodes.size(); ++n) {
      const double here = worst_cost(held[n]);
      if (!agree(plan.node_max_cost.at(n), here)) return "another cost on node " + std::to_string(n);
      worst = std::max(worst, here);
      total += total_cost(held[n]);
    }
    return agree(plan.max_cost, worst) && agree(plan.total_cost, total) ? "" : "another cost of side effects";
  }

  // By the columns `only` and `not`. Selectors are judged as rules.
  [[nodiscard]] bool eligible(AppId app, ClassId node_class, NodeId listed) const {
    const InstanceData& d = in_.data;
    const auto carries = [&](std::uint32_t tag) {
      for (const std::string& label : d.classes[node_class].labels) {
        if (label == d.tags[tag]) return true;
      }
      for (std::uint32_t k = 0; listed != kNone && !d.node_tags.empty() && k < d.node_tags.index.size(); ++k) {
        const bool own = k >= d.node_tags.begin[listed] && k < d.node_tags.begin[listed + 1];
        if (own && d.node_tags.index[k] == tag) return true;
      }
      return false;
    };
    for (std::uint32_t k = 0; k < d.app_only.index.size(); ++k) {
      const bool own = k >= d.app_only.begin[app] && k < d.app_only.begin[app + 1];
      if (own && !carries(d.app_only.index[k])) return false;
    }
    for (std::uint32_t k = 0; k < d.app_not.index.size(); ++k) {
      const bool own = k >= d.app_not.begin[app] && k < d.app_not.begin[app + 1];
      if (own && carries(d.app_not.index[k])) return false;
    }
    return true;
  }

  [[nodiscard]] double sum(NodeId listed, const Counts& held, ResourceId r, std::uint32_t t) const {
    double result = listed == kNone ? 0 : in_.load(listed, r, t);
    for (AppId i = 0; i < in_.apps(); ++i) result += held[i] * in_.demand(i, r, t);
    return result;
  }
  // Used capacity at confidence less the mean.
  [[nodiscard]] double margin(NodeId listed, const Counts& held, ResourceId r) const {
    if (factor_ == 0) return 0;
    const InstanceData& d = in_.data;
    double spread = listed == kNone || d.load_variance.empty() ? 0 : d.load_variance[std::size_t{listed} * in_.resources() + r];
    for (AppId i = 0; i < in_.apps(); ++i) {
      const std::size_t cell = std::size_t{i} * in_.resources() + r;
      const double width = d.support_max.empty() ? 0 : d.support_max[cell] - d.support_min[cell];
      spread += held[i] * (d.uncertainty.model == ChanceModel::kBoundedSupport ? width * width : d.variance[cell]);
    }
    return factor_ * std::sqrt(spread);
  }
  // By the definition of a quantile, with the functions of the platform's library.
  [[nodiscard]] static double factor_of(const InstanceData& d) {
    if (d.variance.empty() && d.load_variance.empty()) return 0;
    const double risk = 1 - d.uncertainty.confidence;
    if (d.uncertainty.model == ChanceModel::kFactor) return d.uncertainty.factor;
    if (d.uncertainty.model == ChanceModel::kBoundedSupport) return std::sqrt(-std::log(risk) / 2);
    double low = 0;
    double high = 40;
    for (int k = 0; k < 80; ++k) {
      const double middle = (low + high) / 2;
      (std::erfc(middle / std::sqrt(2.0)) / 2 > risk ? low : high) = middle;
    }
    return low;
  }
  [[nodiscard]] bool has_hard_rules() const {
    return std::any_of(in_.data.rules.begin(), in_.data.rules.end(), [](const PlacementRule& rule) { return rule.hard; });
  }

  // Whether a rule holds for a replica, by the definitions of docs/understand/constraints.md.
  [[nodiscard]] bool rule_holds(const PlacementRule& rule, const Plan& plan, const std::vector<Counts>& held, AppId i,
                                NodeId n) const {
    bool subject_of_any = false;
    for (const auto& conjunction : rule.any_of) {
      bool subject = false;
      bool holds = true;
      for (const Cardinality& part : conjunction) {
        if (!carries(i, part.subject)) continue;
        subject = true;
        holds = holds && part_holds(part, plan, held, i, n);
      }
      if (subject && holds) return true;
      subject_of_any = subject_of_any || subject;
    }
    return !subject_of_any;
  }
  [[nodiscard]] bool carries(AppId i, const std::vector<std::uint32_t>& tags) const {
    const IndexRows& rows = in_.data.app_tags;
    return std::all_of(tags.begin(), tags.end(), [&](std::uint32_t tag) {
      if (in_.data.tags[tag] == "appID:" + std::to_string(i)) return true;
      const auto first = rows.index.begin() + rows.begin[i];
      const auto last = rows.index.begin() + rows.begin[i + 1];
      return std::find(first, last, tag) != last;
    });
  }
  [[nodiscard]] std::vector<std::string> labels(ClassId c, NodeId listed) const {
    std::vector<std::string> result = in_.data.classes[c].labels;
    if (listed == kNone || in_.data.node_tags.empty()) return result;
    for (std::uint32_t k = in_.data.node_tags.begin[listed]; k < in_.data.node_tags.begin[listed + 1]; ++k) {
      result.push_back(in_.data.tags[in_.data.node_tags.index[k]]);
    }
    return result;
  }
  // Names of the sets that a node is in.
  [[nodiscard]] std::vector<std::string> sets(std::uint32_t group, ClassId c, NodeId listed) const {
    const NodeGroup& of = in_.data.groups[group];
    std::vector<std::string> result;
    if (!of.by_label.empty()) {
      for (const std::string& label : labels(c, listed)) {
        const bool fresh = std::find(result.begin(), result.end(), label) == result.end();
        if (fresh && label.rfind(of.by_label + "=", 0) == 0) result.push_back(label);
      }
      return result;
    }
    for (std::uint32_t s = 0; listed != kNone && s + 1 < of.sets.begin.size(); ++s) {
      const auto first = of.sets.index.begin() + of.sets.begin[s];
      const auto last = of.sets.index.begin() + of.sets.begin[s + 1];
      if (std::find(first, last, listed) != last) result.push_back(std::to_string(s));
    }
    return result;
  }
  [[nodiscard]] bool part_holds(const Cardinality& part, const Plan& plan, const std::vector<Counts>& held, AppId i,
                                NodeId n) const {
    const auto names = [&](NodeId node) {
      if (part.group == kNone) return std::vector<std::string>{std::to_string(node)};
      return sets(part.group, plan.nodes[node].node_class, plan.nodes[node].listed);
    };
    const auto within = [&](std::uint64_t count) { return count >= part.min && (part.max == kNone || count <= part.max); };
    if (part.kind == CardinalityKind::kReplicas) {
      const auto own = names(n);
      if (own.empty()) return part.min == 0 || part.negated;
      bool all_within = true;
      bool all_below = true;
      bool all_above = true;
      for (const std::string& set : own) {
        std::uint64_t count = 0;
        for (NodeId m = 0; m < plan.nodes.size(); ++m) {
          const auto there = names(m);
          if (std::find(there.begin(), there.end(), set) == there.end()) continue;
          for (AppId j = 0; j < in_.apps(); ++j) count += carries(j, part.target) ? held[m][j] : 0;
          if (part.group == kNone) count += has_labels(plan.nodes[m].node_class, plan.nodes[m].listed, part.target) ? 1 : 0;
        }
        for (NodeId m = 0; m < in_.listed() && part.group != kNone; ++m) {
          const auto there = sets(part.group, in_.data.node_class[m], m);
          if (std::find(there.begin(), there.end(), set) == there.end()) continue;
          count += has_labels(in_.data.node_class[m], m, part.target) ? 1 : 0;
        }
        count -= carries(i, part.target) ? 1 : 0;
        all_within = all_within && within(count);
        all_below = all_below && count < part.min;
        all_above = all_above && part.max != kNone && count > part.max;
      }
      return part.negated ? all_below || all_above : all_within;
    }
    std::vector<std::pair<std::string, std::uint64_t>> in_set;
    std::uint64_t all = 0;
    for (NodeId m = 0; m < plan.nodes.size(); ++m) {
      std::uint64_t here = 0;
      for (AppId j = 0; j < in_.apps(); ++j) here += carries(j, part.subject) ? held[m][j] : 0;
      if (here == 0) continue;
      all += here;
      const auto there = names(m);
      if (there.empty()) return false;
      for (const std::string& set : there) {
        const auto at = std::find_if(in_set.begin(), in_set.end(), [&](const auto& entry) { return entry.first == set; });
        if (at == in_set.end()) {
          in_set.emplace_back(set, here);
        } else {
          at->second += here;
        }
      }
    }
    if (part.kind == CardinalityKind::kNodeSets) {
      const std::uint64_t occupied = in_set.size();
      const bool above = part.max != kNone && occupied >= std::min<std::uint64_t>(std::uint64_t{part.max} + 1, all);
      if (part.negated) return occupied < part.min || above;
      return occupied >= std::min<std::uint64_t>(part.min, all) && (part.max == kNone || occupied <= part.max);
    }
    std::uint64_t most = 0;
    std::uint64_t least = kNone;
    for (const auto& [set, count] : in_set) {
      most = std::max(most, count);
      least = std::min(least, count);
    }
    if (in_set.size() < all_sets(part.group)) least = 0;
    const bool even = part.max == kNone || most - std::min(least, most) <= part.max;
    return even != part.negated;
  }
  [[nodiscard]] std::uint64_t all_sets(std::uint32_t group) const {
    std::uint64_t count = 0;
    if (group == kNone) {
      for (const NodeClass& c : in_.data.classes) {
        if (c.count == 0) return kNone;
        count += c.count;
      }
      return count;
    }
    if (in_.data.groups[group].by_label.empty()) return in_.data.groups[group].sets.begin.size() - 1;
    std::vector<std::string> names;
    const auto add = [&](ClassId c, NodeId listed) {
      for (const std::string& name : sets(group, c, listed)) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    };
    for (ClassId c = 0; c < in_.data.classes.size(); ++c) add(c, kNone);
    for (NodeId m = 0; m < in_.listed(); ++m) add(in_.data.node_class[m], m);
    return names.size();
  }
  [[nodiscard]] bool has_labels(ClassId c, NodeId listed, const std::vector<std::uint32_t>& tags) const {
    const std::vector<std::string> own = labels(c, listed);
    return std::all_of(tags.begin(), tags.end(),
                       [&](std::uint32_t tag) { return std::find(own.begin(), own.end(), in_.data.tags[tag]) != own.end(); });
  }

  const Generated& in_;
  double factor_ = 0;
  std::vector<Counts> start_;
  std::vector<Counts> limit_;
  std::vector<std::uint32_t> listed_of_;
};

}  // namespace stowage::test
