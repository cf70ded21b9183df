// The terms of balance: how much of a node's capacity its load and its replicas use.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

class UseTerm : public Term {
 public:
  UseTerm(const Instance& instance, ResourceId resource, Fold fold) : instance_(instance), resource_(resource), fold_(fold) {}

  [[nodiscard]] Fold fold() const override { return fold_; }
  [[nodiscard]] double at(const NodeView& node) const override {
    if (!node.in_use()) return 0;
    if (resource_ != kNone) return of(node, resource_);
    double most = 0;
    for (ResourceId r = 0; r < instance_.resources(); ++r) most = std::max(most, of(node, r));
    return most;
  }

 private:
  [[nodiscard]] double of(const NodeView& node, ResourceId r) const {
    const double capacity = instance_.data().classes[node.node_class].capacity[r];
    if (!(capacity > 0)) return 0;
    double most = 0;
    for (std::uint32_t t = 0; t < instance_.periods(); ++t) {
      double sum = instance_.daemon(node.listed, node.node_class, r, t);
      if (node.listed != kNone) sum += instance_.load(node.listed, r, t);
      for (const Tenant& tenant : node.tenants) sum += tenant.replicas * instance_.demand(tenant.app, r, t);
      most = std::max(most, sum);
    }
    return most / capacity;
  }

  const Instance& instance_;
  ResourceId resource_;
  Fold fold_;
};

template <Term::Fold kFold>
std::unique_ptr<Term> use_term(const Instance& instance, ResourceId resource) {
  return std::make_unique<UseTerm>(instance, resource, kFold);
}

// The most capacity of the resource that nodes have, of so many nodes and so much cost together.
double most_capacity_within(const Instance& instance, ResourceId resource, double nodes, double cost) {
  struct Offer {
    double capacity;
    double price;
    double count;
  };
  const auto most_by = [&](double budget, auto&& price_of) {
    std::vector<Offer> offers;
    for (ClassId c = 0; c < instance.classes(); ++c) {
      const NodeClass& one = instance.data().classes[c];
      const double count = one.count == 0 ? std::numeric_limits<double>::infinity() : one.count;
      offers.push_back({one.capacity[resource], price_of(c), count});
    }
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.capacity * b.price > b.capacity * a.price; });
    double sum = 0;
    for (const Offer& offer : offers) {
      const double taken = offer.price > 0 ? std::min(offer.count, budget / offer.price) : offer.count;
      if (!(offer.capacity > 0) || !(taken > 0)) continue;
      sum += taken * offer.capacity;
      budget -= offer.price > 0 ? taken * offer.price : 0;
    }
    return sum;
  };
  return std::min(most_by(nodes, [](ClassId) { return 1.0; }), most_by(cost, [&](ClassId c) { return instance.node_cost(c); }));
}

// What the replica that needs most of a node needs of the class where that is least.
double largest_share_of_replica(const Instance& instance, ResourceId resource) {
  double most = 0;
  for (AppId app = 0; app < instance.apps(); ++app) {
    double least = std::numeric_limits<double>::infinity();
    for (ClassId c = 0; c < instance.classes() && least > most && instance.replicas(app) > 0; ++c) {
      double share = 0;
      for (ResourceId r = 0; r < instance.resources(); ++r) {
        const double capacity = instance.data().classes[c].capacity[r];
        if ((resource == kNone || r == resource) && capacity > 0) {
          share = std::max(share, instance.demand_range(app, r).most / capacity);
        }
      }
      least = std::min(least, share);
    }
    if (std::isfinite(least)) most = std::max(most, least);
  }
  return most;
}

// The demand that is on nodes with some of the resource, at least: replicas that run or are pinned where there is none may
// stay.
double demand_on_capacity(const Instance& instance, ResourceId r, std::uint32_t t) {
  const auto has_some = [&](NodeId node) { return instance.data().classes[instance.data().node_class[node]].capacity[r] > 0; };
  double demand = 0;
  for (AppId app = 0; app < instance.apps(); ++app) demand += instance.replicas(app) * instance.demand(app, r, t);
  for (NodeId node = 0; node < instance.listed_nodes(); ++node) demand += has_some(node) ? instance.load(node, r, t) : 0;
  for (const std::vector<Residence>* at_start : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& one : *at_start) demand -= has_some(one.node) ? 0 : one.replicas * instance.demand(one.app, r, t);
  }
  return demand;
}

// No plan on so many nodes, of so much cost, has a smaller largest use: all demand together, by all capacity together.
double balance_bound(const Instance& instance, ResourceId resource, double nodes, double cost) {
  double most = largest_share_of_replica(instance, resource);
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    if (resource != kNone && r != resource) continue;
    const double capacity = most_capacity_within(instance, r, nodes, cost);
    if (!(capacity > 0)) continue;
    for (std::uint32_t t = 0; t < instance.periods(); ++t) {
      most = std::max(most, demand_on_capacity(instance, r, t) / capacity);
    }
  }
  return most * (1 - kValueTolerance);
}

}  // namespace

const GoalTerm kBalanceGoal = {.make = use_term<Term::Fold::kLargest>, .bound = balance_bound};
const GoalTerm kEvennessGoal = {.make = use_term<Term::Fold::kDeviation>};

}  // namespace stowage
