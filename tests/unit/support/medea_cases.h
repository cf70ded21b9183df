// Small clusters for the integer program of P2, and the value of a plan by its Eq. 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/verify/rules.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {

struct MedeaCase {
  TaggedBuilder builder;
  Request request;
};

/// Up to six unplaced replicas, some running ones and four nodes in two racks, with all kinds of rules that the program
/// supports.
inline MedeaCase medea_case(std::uint64_t seed) {
  Random random(seed);
  MedeaCase one{TaggedBuilder({"cpu", "memory"}), request_for("medea-ilp")};
  TaggedBuilder& builder = one.builder;
  const std::vector<std::string> names = {"r", "s", "t"};
  const std::uint32_t apps = 2 + random.below(2);
  std::uint32_t left = 6;
  for (std::uint32_t i = 0; i < apps; ++i) {
    std::vector<std::string> tags;
    for (const std::string& name : names) {
      if (random.below(2) == 0) tags.push_back(name);
    }
    if (random.below(2) == 0) tags.push_back("appID:" + std::string(random.below(2) == 0 ? "x" : "y"));
    const std::uint32_t replicas = 1 + random.below(std::min(3u, left - (apps - 1 - i)));
    left -= replicas;
    builder.app("app-" + std::to_string(i), replicas, tags, {1.0 + random.below(2), 1.0 + random.below(3)});
  }
  const bool priced = random.below(2) == 0;
  builder.nodes(2, 3 + random.below(3));
  builder.nodes(2, 4);
  if (priced) builder.data().classes[0].labels = {"fast"};
  if (random.below(3) == 0) {
    builder.app("there", 2, {names[random.below(3)]}, {1, 1});
    builder.running(static_cast<AppId>(builder.data().replicas.size() - 1), random.below(4), 1 + random.below(2));
    // All its replicas run, so that at most six are unplaced.
    builder.data().replicas.back() = builder.data().running.back().replicas;
  }
  if (random.below(4) == 0) builder.limit(0, 1, random.below(2));
  const std::uint32_t rack =
      builder.group("rack", random.below(3) == 0 ? std::vector<std::vector<std::uint32_t>>{{0, 1}, {1, 2, 3}}
                                                 : std::vector<std::vector<std::uint32_t>>{{0, 1}, {2, 3}});
  const auto part = [&](bool hard) {
    const std::uint32_t min = hard || random.below(2) == 0 ? 0 : 1 + random.below(2);
    const std::uint32_t max = min > 0 && random.below(2) == 0 ? kNone : min + random.below(3);
    const std::uint32_t group = random.below(2) == 0 ? rack : kNone;
    const std::string target = priced && random.below(5) == 0 ? "fast" : names[random.below(3)];
    return builder.replicas({names[random.below(3)]}, {target}, min, max, group);
  };
  for (std::uint32_t k = 1 + random.below(4); k > 0; --k) {
    const bool hard = random.below(4) == 0;
    std::vector<std::vector<Cardinality>> any_of = {{part(hard)}};
    if (random.below(4) == 0) any_of.push_back({part(hard)});
    if (random.below(4) == 0) any_of.back().push_back(part(hard));
    builder.soft(any_of, 1 + random.below(3));
    builder.data().rules.back().hard = hard;
  }
  one.request.all_or_nothing = random.below(2) == 0;
  if (random.below(5) == 0) one.request.node_limit = 1 + random.below(3);
  if (random.below(4) == 0) one.request.options.push_back({"w3", static_cast<double>(random.below(3)), ""});
  return one;
}

/// Sum of weight x extent over the violated rules.
inline double cost_of_rules(const Instance& instance, const std::vector<PlannedNode>& nodes,
                            const std::vector<Placed>& placed) {
  return check_rules(instance, nodes, placed).costs.cost;
}

/// Eq. 1 of P2 as medea_program.h states it, computed from the plan. For one period, and listed nodes alone.
inline double score_of_medea(const Instance& instance, const Plan& plan, const Request& request) {
  const auto weight = [&](const std::string& name, double standard) {
    for (const RequestOption& option : request.options) {
      if (option.name == name) return option.number;
    }
    return standard;
  };
  const InstanceData& data = instance.data();
  std::vector<double> waiting(data.replicas.begin(), data.replicas.end());
  std::vector<Placed> running;
  std::vector<PlannedNode> listed;
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) listed.push_back({data.node_class[n], n});
  for (const Residence& one : data.running) {
    waiting[one.app] -= one.replicas;
    running.push_back({one.app, one.node, one.replicas});
  }
  std::map<AppId, double> wanted;
  std::map<AppId, double> left;
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (waiting[app] > 0) wanted[instance.application(app)] += waiting[app];
  }
  for (const Unplaced& one : plan.unplaced) left[instance.application(one.app)] += one.replicas;
  double placed = 0;
  for (const auto& [application, count] : wanted) {
    const double share = (count - left[application]) / count;
    placed += request.all_or_nothing ? (share == 1 ? 1 : 0) : share;
  }

  // Unplaced subjects of soft rules, each once per rule.
  double subjects = 0;
  const auto& tags = instance.app_tags();
  for (const PlacementRule& rule : instance.rules()) {
    if (rule.hard) continue;
    for (AppId app = 0; app < instance.apps(); ++app) {
      const std::set<std::uint32_t> own(tags.index.begin() + tags.begin[app], tags.index.begin() + tags.begin[app + 1]);
      const bool subject = std::any_of(rule.any_of.begin(), rule.any_of.end(), [&](const auto& parts) {
        return std::any_of(parts.begin(), parts.end(), [&](const Cardinality& part) {
          return std::all_of(part.subject.begin(), part.subject.end(), [&](std::uint32_t tag) { return own.count(tag) > 0; });
        });
      });
      if (subject) subjects += rule.weight * waiting[app];
    }
  }
  const double violations = cost_of_rules(instance, plan.nodes, plan.placed) - cost_of_rules(instance, listed, running);

  double kept = 0;
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    bool keeps = true;
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      double room = data.classes[data.node_class[n]].capacity[r];
      double least = 0;
      for (AppId app = 0; app < instance.apps(); ++app) {
        const double need = instance.demand(app, r, 0);
        if (need > 0 && (least == 0 || need < least)) least = need;
      }
      for (const Placed& one : plan.placed) {
        if (plan.nodes[one.node].listed == n) room -= one.replicas * instance.demand(one.app, r, 0);
      }
      keeps = keeps && room >= least;
    }
    kept += keeps ? 1 : 0;
  }
  return (wanted.empty() ? 0 : weight("w1", 1) * placed / static_cast<double>(wanted.size())) -
         weight("w2", 0.5) * violations / std::max(1.0, subjects) +
         weight("w3", 0.25) * kept / static_cast<double>(instance.listed_nodes());
}

}  // namespace stowage::test
