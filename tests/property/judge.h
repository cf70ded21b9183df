// Judges plans by the definitions of the model, over the original numbers. Written for these tests alone: it shares nothing
// with the planners, the checker or Instance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/plan.h"
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

  /// What is wrong with a node that holds these replicas; empty where nothing is. A constraint that the start breaks already
  /// may stay broken, no worse, unless `strict`; then a closed node holds nothing, either.
  [[nodiscard]] std::string node_problem(ClassId node_class, NodeId listed, const Counts& held, bool strict = false) const {
    const Counts* before = listed == kNone ? nullptr : &start_[listed];
    for (ResourceId r = 0; r < in_.resources(); ++r) {
      const double capacity = in_.data.classes[node_class].capacity[r];
      for (std::uint32_t t = 0; t < in_.data.periods; ++t) {
        const double mean = sum(listed, held, r, t);
        const double now = mean + margin(listed, held, r);
        if (now <= capacity * (1 + kTolerance)) continue;
        if (!strict && before != nullptr) {
          const double was = sum(listed, *before, r, t);
          const bool no_worse = now <= (was + margin(listed, *before, r)) * (1 + kTolerance);
          if (no_worse && mean <= was * (1 + kTolerance)) continue;
        }
        return "capacity of resource " + std::to_string(r) + " in period " + std::to_string(t);
      }
    }
    for (AppId i = 0; i < in_.apps(); ++i) {
      if (held[i] == 0) continue;
      for (AppId j = 0; j < in_.apps(); ++j) {
        if (held[j] <= limit_[i][j]) continue;
        if (!strict && before != nullptr && (*before)[i] > 0 && (*before)[j] >= held[j]) continue;
        return "limit of app " + std::to_string(j) + " beside app " + std::to_string(i);
      }
      const bool closed = listed != kNone && !in_.data.closed.empty() && in_.data.closed[listed] != 0;
      if (closed && (strict || held[i] > (*before)[i])) return "app " + std::to_string(i) + " joins a closed node";
    }
    return "";
  }

  /// What is wrong with a plan as an answer to a request; empty where nothing is.
  [[nodiscard]] std::string plan_problem(const Plan& plan, const Request& request) const {
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
      if (const std::string what = node_problem(node.node_class, node.listed, held[n]); !what.empty()) {
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

  /// A replica that was left over although a node could take it without breaking anything; empty where there is none.
  [[nodiscard]] std::string overlooked(const Plan& plan, const Request& request) const {
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
        if (node_problem(plan.nodes[n].node_class, plan.nodes[n].listed, held[n], true).empty()) {
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

  [[nodiscard]] bool loaded(NodeId listed) const {
    for (ResourceId r = 0; r < in_.resources() && listed != kNone; ++r) {
      for (std::uint32_t t = 0; t < in_.data.periods; ++t) {
        if (in_.load(listed, r, t) > 0) return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::uint32_t listed_of(ClassId c) const { return listed_of_[c]; }

  /// The first resource in which anything varies; kNone where nothing does.
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
  /// Mean and what it takes to keep the confidence, in the first period.
  [[nodiscard]] double use_at_confidence(NodeId listed, const Counts& held, ResourceId r) const {
    return sum(listed, held, r, 0) + margin(listed, held, r);
  }

 private:
  static constexpr double kTolerance = 1e-9;

  [[nodiscard]] double sum(NodeId listed, const Counts& held, ResourceId r, std::uint32_t t) const {
    double result = listed == kNone ? 0 : in_.load(listed, r, t);
    for (AppId i = 0; i < in_.apps(); ++i) result += held[i] * in_.demand(i, r, t);
    return result;
  }
  // What a resource needs beyond its mean.
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
  // By the definition of a quantile, from the platform's own functions.
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
  [[nodiscard]] std::vector<Counts> counts(const Plan& plan) const {
    std::vector<Counts> held(plan.nodes.size(), Counts(in_.apps(), 0));
    for (const Placed& p : plan.placed) held.at(p.node).at(p.app) += p.replicas;
    return held;
  }
  [[nodiscard]] std::uint32_t in_use_at_start(const Request& request) const {
    std::vector<std::uint8_t> used(in_.listed(), 0);
    for (NodeId n = 0; n < in_.listed(); ++n) used[n] = loaded(n) ? 1 : 0;
    for (const Residence& p : in_.data.pinned) used[p.node] = 1;
    if (!request.ignore_running) {
      for (const Residence& r : in_.data.running) used[r.node] = 1;
    }
    return static_cast<std::uint32_t>(std::count(used.begin(), used.end(), 1));
  }

  const Generated& in_;
  double factor_ = 0;
  std::vector<Counts> start_;
  std::vector<Counts> limit_;
  std::vector<std::uint32_t> listed_of_;
};

}  // namespace stowage::test
