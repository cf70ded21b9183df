// Bounds from capacity at confidence: mean + D sqrt(B) <= V on every node, where B is the sum of spreads there (P1, Eq. 2).
//
// Proof sketch. Let s be the largest sqrt(B) of any node in any plan. Then sqrt(B) <= s, so D sqrt(B) >= D B / s on every node.
// If a replica weighs mean + D spread / s, no node holds more weight than V. So weights are the sizes of a deterministic
// problem, and nodes are counted as in the capacity bound. Likewise, the used capacity at confidence of any complete plan is at
// least the sum of all means plus D / s times the sum of all spreads.
//
// An upper limit on s: let rho be the largest ratio of spread to mean of any app or load. Then B <= rho x mean, so
// B / rho + D sqrt(B) <= V. A node whose capacity is exceeded at the start may stay as it is, or hold other replicas that
// exceed it by no more. Of capacities, what
// daemon loads leave counts. All sums are of doubles; a relative margin of 10^-8 covers their rounding and the checker's
// tolerance.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/watched.h"
#include "core/bounds/bounds.h"

namespace stowage {
namespace {

constexpr double kConfidenceMargin = 1e-8;

/// For Supply::ends().
constexpr std::uint64_t kStepsPerSlicedNode = 8;
constexpr std::uint64_t kStepsPerResidence = 4;

/// One resource in one period.
struct Slice {
  ResourceId resource = kNone;
  std::uint32_t period = 0;
  double root = 0;                 // s
  double total_mean = 0;           // of all replicas
  double total_spread = 0;         // of all replicas
  std::vector<double> start_mean;  // per listed node: mean at the start, load included
  std::vector<double> start_use;   // per listed node: capacity used at the start at the instance's confidence
};

/// Incomplete where the supply ends it.
Slice slice(const Instance& instance, const Supply& supply, ResourceId r, std::uint32_t t) {
  Slice result;
  result.resource = r;
  result.period = t;
  const double factor = instance.confidence_factor();
  double ratio = 0;
  const auto widen = [&](double mean, double spread) {
    if (spread > 0) ratio = std::max(ratio, mean > 0 ? spread / mean : std::numeric_limits<double>::infinity());
  };
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (instance.replicas(i) == 0) continue;
    widen(instance.demand(i, r, t), instance.spread(i, r));
    result.total_mean += instance.demand(i, r, t) * instance.replicas(i);
    result.total_spread += instance.spread(i, r) * instance.replicas(i);
  }
  std::vector<double> spread(instance.listed_nodes());
  result.start_mean.resize(instance.listed_nodes());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (supply.ends(kStepsPerSlicedNode)) return result;
    widen(instance.load(n, r, t), instance.load_spread(n, r));
    result.start_mean[n] = instance.load(n, r, t);
    spread[n] = instance.load_spread(n, r);
  }
  for (const std::vector<Residence>* list : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& at : *list) {
      if (supply.ends(kStepsPerResidence)) return result;
      result.start_mean[at.node] += instance.demand(at.app, r, t) * at.replicas;
      spread[at.node] += instance.spread(at.app, r) * at.replicas;
    }
  }
  double capacity = 0;
  for (ClassId c = 0; c < instance.classes(); ++c) {
    capacity =
        std::max(capacity, instance.data().classes[c].capacity[r] * (1 + kConfidenceMargin) - instance.least_daemon(c, r));
  }
  // The solution of s^2 / rho + D s = V, in a form that also holds for rho = infinity.
  result.root = 2 * capacity / (factor + std::sqrt(factor * factor + 4 * capacity / ratio));
  result.start_use.reserve(instance.listed_nodes());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (supply.ends(kStepsPerSlicedNode)) return result;
    result.start_use.push_back(result.start_mean[n] + factor * std::sqrt(spread[n]));
    if (result.start_use[n] > capacity)
      result.root = std::max(result.root, result.start_use[n] * (1 + kConfidenceMargin) / factor);
  }
  return result;
}

}  // namespace

BoundValue confidence_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  const double factor = instance.confidence_factor();
  const InstanceData& data = instance.data();
  const std::vector<std::uint8_t> mandatory = mandatory_nodes(instance, supply.watch());
  for (std::uint32_t h = 0; h < instance.dims() && !supply.ends(1); ++h) {
    const Slice s = slice(instance, supply, instance.resource_of(h), instance.period_of(h));
    if (supply.watch().ended()) break;
    if (s.total_spread == 0) continue;
    double left = s.total_mean + factor * s.total_spread / s.root;
    left -= left * kConfidenceMargin;
    const auto margin = left * kConfidenceMargin;
    std::vector<std::pair<double, std::uint64_t>> carries;  // weight that a node carries, number of such nodes
    std::vector<std::uint64_t> anonymous(instance.classes());
    for (ClassId c = 0; c < instance.classes(); ++c) {
      anonymous[c] = data.classes[c].count == 0 ? Supply::kEndless : data.classes[c].count;
    }
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      if (supply.ends(kStepsPerSlicedNode)) return best;
      const ClassId c = data.node_class[n];
      if (anonymous[c] != Supply::kEndless) --anonymous[c];
      const double capacity =
          data.classes[c].capacity[s.resource] * (1 + kConfidenceMargin) - instance.daemon(n, c, s.resource, s.period);
      const double load = instance.load(n, s.resource, s.period) + factor * instance.load_spread(n, s.resource) / s.root;
      double carried = capacity;
      if (s.start_use[n] > capacity) {
        // Mean and use at confidence may stay as they are at the start. Then sqrt(B) <= use / D, which limits the weight.
        carried = (s.start_mean[n] + s.start_use[n] * s.start_use[n] / factor / s.root) * (1 + kConfidenceMargin);
      }
      carried = std::max(0.0, carried - load);
      if (mandatory[n] != 0) {
        left -= carried;
      } else {
        carries.emplace_back(carried, 1);
      }
    }
    for (ClassId c = 0; c < instance.classes(); ++c) {
      if (anonymous[c] == 0) continue;
      const double capacity = data.classes[c].capacity[s.resource] * (1 + kConfidenceMargin);
      carries.emplace_back(capacity - instance.daemon(kNone, c, s.resource, s.period), anonymous[c]);
    }
    watched_sort(carries, supply.watch(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (supply.watch().ended()) break;
    double nodes = static_cast<double>(supply.mandatory);
    for (const auto& [carried, count] : carries) {
      if (left <= 0 || carried <= 0) break;
      const double taken = std::min(std::ceil(left / carried), static_cast<double>(count));
      nodes += taken;
      left -= taken * carried;
    }
    const bool infeasible = left > margin;
    if (nodes > best.value || (infeasible && !best.infeasible)) {
      best = {std::max(best.value, nodes), s.resource, s.period, best.infeasible || infeasible};
    }
  }
  return best;
}

BoundValue ucac_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  const ResourceId r = instance.uncertain_resource();
  best.resource = r;
  best.period = 0;
  for (std::uint32_t t = 0; t < instance.periods() && !supply.ends(1); ++t) {
    const Slice s = slice(instance, supply, r, t);
    if (supply.watch().ended()) break;
    double mean = s.total_mean;
    double spread = s.total_spread;
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      if (supply.ends(kStepsPerSlicedNode)) return best;
      mean += instance.load(n, r, t);
      spread += instance.load_spread(n, r);
    }
    const double value = mean + (s.root > 0 ? instance.confidence_factor() * spread / s.root : 0);
    if (value * (1 - kConfidenceMargin) <= best.value) continue;
    best.value = value * (1 - kConfidenceMargin);
    best.period = t;
  }
  return best;
}

}  // namespace stowage
