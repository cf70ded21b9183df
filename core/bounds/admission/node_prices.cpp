#include "core/bounds/admission/node_prices.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/sort_by.h"
#include "core/bounds/admission/candidates.h"
#include "core/bounds/configuration/node_knapsack.h"

namespace stowage {
namespace {

/// Entries of all knapsacks together: beyond this, the bound is not looked for.
constexpr std::size_t kMostKnapsackEntries = 3'000'000;
/// Dimensions of a knapsack; the others only let nodes hold more.
constexpr std::size_t kMostKnapsackDims = 12;
/// Steps of the search in one knapsack.
constexpr std::uint64_t kKnapsackSteps = 3'000;
/// Floating-point operations of knapsacks per unit of work.
constexpr std::uint64_t kPricedPerUnit = 1'000;
/// The target is this share of the way from the best bound to what is admitted; after so many looks without a better bound, the
/// way is half as long.
constexpr double kShareOfWay = 0.7;
constexpr std::uint32_t kLooksWithoutBetter = 5;
/// Steps that are shorter find no more.
constexpr double kShortestWay = 1e-4;

}  // namespace

struct NodePrices::State {
  struct Kind {
    double count;
    NodeKnapsack knapsack;
  };
  explicit State(Candidates of) : candidates(std::move(of)) {}

  Candidates candidates;
  std::vector<std::uint32_t> application;  // per app; kNone: it may not be admitted
  std::vector<double> wanted;              // per app: replicas
  std::vector<Kind> kinds;
  std::vector<double> worth;  // per app: the prices
  std::vector<double> best_worth;
  std::vector<double> slope;
  SearchMemory memory;
  double most = 0;   // the least bound on what is admitted
  double value = 0;  // at `worth`
  double way = 1;    // by how much the target is nearer than kShareOfWay says
  std::uint32_t since = 0;
  bool started = false;

  void add_kinds(const Instance& instance, const Supply& supply, const std::vector<std::uint32_t>& dims);
  bool look(WorkClock& clock);
};

void NodePrices::State::add_kinds(const Instance& instance, const Supply& supply, const std::vector<std::uint32_t>& dims) {
  const std::vector<std::uint64_t> most_of = most_per_node(instance, supply);
  std::size_t entries = 0;
  std::vector<double> weight(dims.size());
  supply.visit_demand([&](const auto& demand_of) {
    for (const Supply::Group& group : supply.groups) {
      NodeKnapsack knapsack(dims.size());
      for (AppId app = 0; app < instance.apps(); ++app) {
        if (application[app] == kNone) continue;
        if (!instance.admits(app, group.listed, group.node_class) && candidates.may_stay[app] == 0) continue;
        const auto demand = demand_of(app);
        bool fits = true;
        for (std::size_t k = 0; k < dims.size() && fits; ++k) {
          fits = demand[dims[k]] <= group.carries[dims[k]];
          weight[k] =
              demand[dims[k]] > 0 ? static_cast<double>(demand[dims[k]]) / static_cast<double>(group.carries[dims[k]]) : 0;
        }
        const double copies = std::min<double>(static_cast<double>(most_of[app]), wanted[app]);
        if (fits && copies >= 1) knapsack.add(app, weight, copies);
      }
      entries += knapsack.items() * (dims.size() + 1);
      if (entries > kMostKnapsackEntries) {
        kinds.clear();
        return;
      }
      if (knapsack.items() > 0) kinds.push_back({static_cast<double>(group.count), std::move(knapsack)});
    }
  });
}

// The bound at these prices, and the subgradient. False: the run ended.
bool NodePrices::State::look(WorkClock& clock) {
  slope.assign(worth.size(), 0);
  double sum = 0;
  std::vector<double> cost(candidates.applications.size(), 0);
  std::vector<double> kept(candidates.applications.size(), 0);
  for (AppId app = 0; app < worth.size(); ++app) {
    if (application[app] == kNone) continue;
    cost[application[app]] += worth[app] * wanted[app];
    kept[application[app]] += worth[app] * candidates.held[app];
  }
  for (std::size_t a = 0; a < cost.size(); ++a) {
    const Candidates::Application& one = candidates.applications[a];
    const bool admitted = one.weight - cost[a] > -kept[a];
    sum += admitted ? one.weight - cost[a] : -kept[a];
    for (const AppId app : one.apps) slope[app] -= admitted ? wanted[app] : candidates.held[app];
  }
  for (Kind& kind : kinds) {
    const NodeKnapsack::Priced priced = kind.knapsack.price(worth, 0, kKnapsackSteps, memory);
    sum += kind.count * priced.upper * (1 + Candidates::kMargin);
    for (const auto& [app, replicas] : priced.content) slope[app] += kind.count * replicas;
    if (clock.step(1 + kind.knapsack.take_work() / kPricedPerUnit)) return false;
  }
  value = sum;
  return true;
}

NodePrices::NodePrices(const Instance& instance, const Supply& supply, const Request& request, const AdmissionBound& known)
    : state_(std::make_unique<State>(Candidates(instance, supply, request))) {
  State& state = *state_;
  const Candidates& candidates = state.candidates;
  for (const Candidates::Application& one : candidates.applications) state.most += one.weight;
  state.most = std::max(0.0, state.most - std::max(0.0, known.left_out - candidates.hopeless));
  // With a limit on the nodes, any of them may be used; with endless nodes, nothing is short for long.
  const bool limited = request.node_limit != 0 || known.price.empty() ||
                       std::any_of(supply.groups.begin(), supply.groups.end(),
                                   [](const Supply::Group& group) { return group.count == Supply::kEndless; });
  if (limited) return;
  state.application.assign(instance.apps(), kNone);
  state.wanted.assign(instance.apps(), 0);
  for (std::uint32_t a = 0; a < candidates.applications.size(); ++a) {
    for (const AppId app : candidates.applications[a].apps) {
      state.application[app] = a;
      state.wanted[app] = instance.replicas(app);
    }
  }
  std::vector<std::uint32_t> dims(instance.dims());
  std::iota(dims.begin(), dims.end(), 0u);
  std::vector<double> value(instance.dims());
  for (std::uint32_t h = 0; h < instance.dims(); ++h) value[h] = known.price[h] * candidates.carried[h];
  sort_by_largest(dims, value);
  if (dims.size() > kMostKnapsackDims) dims.resize(kMostKnapsackDims);
  state.add_kinds(instance, supply, dims);
  state.worth.assign(instance.apps(), 0);
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId app = 0; app < instance.apps(); ++app) {
      const auto demand = demand_of(app);
      for (const std::uint32_t h : dims) state.worth[app] += known.price[h] * static_cast<double>(demand[h]);
    }
  });
}

NodePrices::~NodePrices() = default;

bool NodePrices::run(double admitted, WorkClock& clock) {
  State& state = *state_;
  if (state.kinds.empty()) return false;
  while (state.most > admitted && state.way > kShortestWay) {
    if (state.started) {
      const double square = std::inner_product(state.slope.begin(), state.slope.end(), state.slope.begin(), 0.0);
      if (!(square > 0)) return false;
      const double target = state.most - state.way * kShareOfWay * (state.most - admitted);
      const double step = (state.value - target) / square;
      for (AppId app = 0; app < state.worth.size(); ++app) {
        state.worth[app] = std::max(0.0, state.worth[app] - step * state.slope[app]);
      }
    }
    if (!state.look(clock)) {
      // The look is taken anew by the next run, at the same prices.
      state.started = false;
      return true;
    }
    state.started = true;
    if (state.value < state.most) {
      state.most = state.value;
      state.best_worth = state.worth;
      state.since = 0;
    } else if (++state.since == kLooksWithoutBetter) {
      state.way /= 2;
      state.since = 0;
    }
  }
  return false;
}

double NodePrices::left_out() const { return state_->candidates.left_out(state_->most); }

std::span<const double> NodePrices::worth() const { return state_->best_worth; }

}  // namespace stowage
