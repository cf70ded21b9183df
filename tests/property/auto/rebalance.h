// Clusters that run and are planned anew: what runs, pins, hard minima, rules of operators, prices and a broken start together,
// with limits on moves and nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/domains/domains.h"
#include "core/losses/loss.h"
#include "core/model/labels.h"
#include "core/plan/objective.h"
#include "core/plan/side_effects.h"
#include "core/planners/planner.h"
#include "core/terms/asked/goals.h"
#include "tests/property/judge.h"

namespace stowage::test {

class Rebalance {
 public:
  explicit Rebalance(std::uint64_t seed)
      : random_(seed * 0x9E3779B97F4A7C15 + 7), generated_(draw()), instance_(generated_.build()) {}

  [[nodiscard]] const Generated& generated() const { return generated_; }
  [[nodiscard]] const Instance& instance() const { return instance_; }

  /// A request for `auto`, without a work limit.
  Request request() {
    Request request;
    request.planner = "auto";
    request.seed = random_.next();
    request.move_budget = random_.chance(0.15) ? 1000 : random_.below(5);
    request.node_limit = random_.chance(0.5) ? 0 : random_.between(1, 4);
    request.ignore_running = random_.chance(0.1);
    request.all_or_nothing = random_.chance(0.2);
    request.compact = random_.chance(0.3);
    request.trace = request.compact;
    request.fill = random_.chance(0.2);
    request.objective = objective(request.node_limit);
    request.soft = static_cast<SoftPolicy>(random_.below(request.objective == Objective::kNodes ? 3 : 2));
    if (request.objective == Objective::kNodes) add_promises(request);
    return request;
  }

  /// What is wrong with the answer to a request; empty: nothing.
  [[nodiscard]] std::string problem(const Request& asked) const {
    const Result<Plan> made = run_planner(instance_, asked, nullptr);
    const Request request = by_goals(asked);
    if (!made.ok()) {
      const bool refused = made.error().code == Code::kUnsupported || made.error().code == Code::kInvalid;
      return refused ? "" : made.error().message;
    }
    const Plan& plan = made.value();
    if (plan.work == 0) return "a plan of no work cannot be repeated";
    if (!request.ignore_running && plan.moves > request.move_budget) return "more moves than allowed";
    const Judge judge(generated_);
    // The judge knows neither copies nor nodes that are kept empty.
    if (!request.compact && request.survive.empty() && request.keep.empty()) {
      if (const std::string what = judge.plan_problem(plan, request); !what.empty()) return what;
    }
    if (const std::string what = Judge::note_problem(plan); !what.empty()) return what;
    const Plan start = plan_of_start(instance_, request);
    const Judgement judgement = request.judgement();
    const bool judged = request.keep.empty() && request.survive.empty();
    if (judged && left_over_of(instance_, start, judgement) < left_over_of(instance_, plan, judgement)) {
      return "less is placed than what runs";
    }
    return "";
  }

 private:
  Generated draw() {
    const Size size = {
        .apps = 5, .replicas = 4, .resources = 2, .periods = 2, .classes = 3, .listed = 4, .rules = 0.6, .traffic = 0.4};
    Generated result = generate(random_.next(), size);
    while (result.listed() == 0) result = generate(random_.next(), size);
    run_more(result);
    if (random_.chance(0.4)) {
      for (NodeClass& c : result.data.classes) c.price = random_.below(8) / 2.0;
    }
    for (std::uint32_t k = random_.below(3); k > 0; --k) add_minimum(result);
    for (PlacementRule& rule : result.data.rules) rule.from_operator = rule.from_operator || random_.chance(0.3);
    InstanceData copy = result.data;
    copy.limits = {result.row_begin, result.limited, result.at_most};
    if (!Instance::build(std::move(copy))) result.data.rules.clear();
    return result;
  }

  void run_more(Generated& result) {
    std::vector<Residence>& running = result.data.running;
    std::vector<Residence>& pinned = result.data.pinned;
    running.clear();
    pinned.clear();
    for (AppId app = 0; app < result.apps(); ++app) {
      std::uint32_t free = result.data.replicas[app];
      for (NodeId node = 0; node < result.listed() && free > 0; ++node) {
        std::uint32_t runs = random_.chance(0.35) ? random_.between(1, free) : 0;
        if (runs > 0) running.push_back({app, node, runs});
        free -= runs;
        if (!random_.chance(0.12)) continue;
        const std::uint32_t pins = random_.between(1, runs + free == 0 ? 1 : runs + free);
        if (pins > runs + free) continue;
        pinned.push_back({app, node, pins});
        free -= pins > runs ? pins - runs : 0;
      }
    }
  }

  void add_minimum(Generated& result) {
    InstanceData& data = result.data;
    if (data.app_tags.empty()) {
      const auto first = static_cast<std::uint32_t>(data.tags.size());
      data.tags.insert(data.tags.end(), {"t0", "t1"});
      data.app_tags.begin.push_back(0);
      for (AppId app = 0; app < result.apps(); ++app) {
        for (std::uint32_t tag = first; tag < first + 2; ++tag) {
          if (random_.chance(0.5)) data.app_tags.index.push_back(tag);
        }
        data.app_tags.begin.push_back(static_cast<std::uint32_t>(data.app_tags.index.size()));
      }
    }
    const auto tags = static_cast<std::uint32_t>(data.tags.size());
    Cardinality part;
    part.kind = static_cast<CardinalityKind>(random_.below(3));
    part.subject = {random_.below(tags)};
    if (part.kind == CardinalityKind::kReplicas) part.target = {random_.below(tags)};
    part.min = part.kind == CardinalityKind::kSkew ? 0 : random_.between(1, 3);
    part.max = part.kind == CardinalityKind::kSkew ? random_.between(1, 2) : kNone;
    part.group =
        data.groups.empty() || random_.chance(0.5) ? kNone : random_.below(static_cast<std::uint32_t>(data.groups.size()));
    PlacementRule rule;
    rule.name = "minimum";
    rule.any_of = {{part}};
    if (random_.chance(0.2)) {
      part.min = part.kind == CardinalityKind::kSkew ? 0 : 2;
      rule.any_of.push_back({part});
    }
    data.rules.push_back(std::move(rule));
    InstanceData copy = data;
    copy.limits = {result.row_begin, result.limited, result.at_most};
    if (!Instance::build(std::move(copy))) data.rules.pop_back();
  }

  [[nodiscard]] Objective objective(std::uint32_t node_limit) {
    std::vector<Objective> possible = {Objective::kNodes, Objective::kNodes, Objective::kAdmitted};
    if (instance_.uncertain()) possible.push_back(Objective::kUcac);
    if (!instance_.data().traffic.empty()) possible.push_back(Objective::kTraffic);
    if (instance_.has_interference() && most_nodes(instance_, node_limit) != kNone) {
      possible.push_back(Objective::kWorst);
      possible.push_back(Objective::kTotal);
    }
    return possible[random_.below(static_cast<std::uint32_t>(possible.size()))];
  }

  void add_promises(Request& request) {
    const bool racks = has_label(instance_, "rack");
    switch (random_.below(12)) {
      case 0:
        request.keep = {{random_.below(instance_.apps()), random_.between(1, 2)}};
        break;
      case 1:
        request.survive = racks && random_.chance(0.5) ? "rack" : std::string(kEachNode);
        break;
      case 2:
        if (racks) request.leave_free = "rack";
        break;
      default:
        break;
    }
  }

  Random random_;
  Generated generated_;
  Instance instance_;
};

}  // namespace stowage::test
