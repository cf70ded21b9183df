#include "core/losses/survival_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/bounds/cost_unit.h"
#include "core/losses/loss.h"
#include "core/model/labels.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

std::uint64_t sum_or_endless(std::uint64_t a, std::uint64_t b) {
  return a > DomainSizes::kEndless - b ? DomainSizes::kEndless : a + b;
}

/// The largest price p of which it is certain that every plan holds a node that costs as much: some app has no room for a
/// replica on cheaper ones, and runs on none.
double certain_price(const Instance& instance) {
  const InstanceData& data = instance.data();
  std::vector<double> least(instance.apps(), std::numeric_limits<double>::infinity());
  for (AppId app = 0; app < instance.apps(); ++app) {
    for (const NodeClass& one : data.classes) {
      bool holds = one.price < least[app];
      for (ResourceId r = 0; r < instance.resources() && holds; ++r) {
        holds = instance.demand_range(app, r).most <= one.capacity[r] * (1 + kCheckerTolerance);
      }
      if (holds) least[app] = one.price;
    }
  }
  // A start that breaks a constraint may stay.
  for (const std::vector<Residence>* list : {&data.running, &data.pinned}) {
    for (const Residence& r : *list) least[r.app] = std::min(least[r.app], data.classes[data.node_class[r.node]].price);
  }
  double certain = 0;
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (instance.replicas(app) > 0 && std::isfinite(least[app])) certain = std::max(certain, least[app]);
  }
  return certain;
}

}  // namespace

DomainSizes::DomainSizes(const Instance& instance, std::string_view label, bool mandatory_is_safe) {
  const InstanceData& data = instance.data();
  const std::vector<std::uint8_t> mandatory = mandatory_nodes(instance);
  std::map<std::string, std::uint64_t> of_value;
  const auto add = [&](NodeId listed, ClassId c, std::uint64_t count) {
    if (count == 0) return;
    if (label.empty()) {
      single = sum_or_endless(single, count);
      return;
    }
    bool any = false;
    visit_values(instance, listed, c, label, [&](std::string_view value) {
      std::uint64_t& of = of_value[std::string(value)];
      of = sum_or_endless(of, count);
      any = true;
    });
    if (!any) safe = sum_or_endless(safe, count);
  };
  std::vector<std::uint64_t> listed_of(instance.classes(), 0);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    ++listed_of[data.node_class[n]];
    if (mandatory_is_safe && mandatory[n] != 0) {
      safe = sum_or_endless(safe, 1);
    } else {
      add(n, data.node_class[n], 1);
    }
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const std::uint64_t count = data.classes[c].count;
    add(kNone, c, count == 0 ? kEndless : count - std::min<std::uint64_t>(count, listed_of[c]));
  }
  for (const auto& [value, count] : of_value) sizes.push_back(count);
}

std::optional<std::uint64_t> DomainSizes::level(std::uint64_t nodes) const {
  const auto remain = [&](std::uint64_t level) {
    std::uint64_t sum = sum_or_endless(safe, level > 0 ? single : 0);
    for (const std::uint64_t size : sizes) sum = sum_or_endless(sum, std::min(size, level));
    return sum == kEndless ? kEndless : sum - std::min(sum, level);
  };
  // What remains grows up to the size of the second largest domain, and shrinks from there on.
  std::uint64_t largest = 0, second = single > 1 ? 1 : 0;
  for (const std::uint64_t size : sizes) {
    second = std::max(second, std::min(size, largest));
    largest = std::max(largest, size);
  }
  second = std::min(second, nodes);
  if (remain(second) < nodes) return std::nullopt;
  std::uint64_t enough = second;
  for (std::uint64_t least = 0; least < enough;) {
    const std::uint64_t middle = least + (enough - least) / 2;
    if (remain(middle) >= nodes) {
      enough = middle;
    } else {
      least = middle + 1;
    }
  }
  return enough;
}

std::optional<SurvivalBound> survival_bound(const Instance& instance, std::string_view label, double nodes, double cost) {
  if (instance.tag_model().has_hard_minimum()) return std::nullopt;
  if (!instance.data().pinned.empty() && !instance.rules().empty()) return std::nullopt;
  SurvivalBound bound{nodes, cost};
  if (!(nodes > 0)) return bound;
  const DomainSizes sizes(instance, label, true);
  const std::optional<std::uint64_t> level = sizes.level(static_cast<std::uint64_t>(std::ceil(nodes)));
  if (!level) {
    bound.infeasible = true;
    return bound;
  }
  bound.nodes = nodes + static_cast<double>(*level);
  if (!(cost > 0) || sizes.safe > 0) return bound;
  // Without safe nodes, some domain has at least its share of the cost.
  double more = label.empty() ? certain_price(instance) : 0;
  const auto domains = static_cast<double>(std::count_if(sizes.sizes.begin(), sizes.sizes.end(), [](auto n) { return n > 0; }));
  if (domains > 1) more = std::max(more, cost / (domains - 1));
  // Sums of prices are inexact by less than this.
  constexpr double kRounding = 1e-12;
  bound.cost = CostUnit(Supply(instance)).round_up((cost + more) * (1 - kRounding));
  return bound;
}

}  // namespace stowage
