#include "core/bounds/admission/node_prices.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/sort_by.h"
#include "core/bounds/admission/candidates.h"
#include "core/columns/best_content.h"
#include "core/columns/column_problem.h"

namespace stowage {
namespace {

/// Entries of all knapsacks together: beyond this, the bound is not looked for.
constexpr std::size_t kMostKnapsackEntries = 3'000'000;
/// Dimensions of a knapsack; the others only let nodes hold more.
constexpr std::size_t kMostKnapsackDims = 12;
/// Operations of the search in one node.
constexpr std::uint64_t kOperationsPerNode = 30'000;
/// The target is this share of the way from the best bound to what is admitted; after so many looks without a better bound, the
/// way is half as long.
constexpr double kShareOfWay = 0.7;
constexpr std::uint32_t kLooksWithoutBetter = 5;
/// Steps that are shorter find no more.
constexpr double kShortestWay = 1e-4;

}  // namespace

struct NodePrices::State {
  explicit State(Candidates of) : candidates(std::move(of)) {}

  Candidates candidates;
  std::vector<std::uint32_t> application;  // per app; kNone: it may not be admitted
  ColumnProblem nodes;                     // its items are apps
  std::vector<BestContent> contents;       // per kind of nodes
  std::vector<std::uint32_t> all;          // per app: replicas
  std::vector<double> worth;               // per app: the prices
  std::vector<double> best_worth;
  std::vector<double> slope;
  double bound = 0;  // the least bound on what is admitted
  double value = 0;  // at `worth`
  double way = 1;    // by how much the target is nearer than kShareOfWay says
  std::uint32_t since = 0;
  bool started = false;

  void add_kinds(const Instance& instance, const Supply& supply, const std::vector<std::uint32_t>& dims);
  bool look(WorkClock& clock);
};

void NodePrices::State::add_kinds(const Instance& instance, const Supply& supply, const std::vector<std::uint32_t>& dims) {
  const std::vector<std::uint64_t> most_of = most_per_node(instance, supply);
  nodes.dims = static_cast<std::uint32_t>(dims.size());
  nodes.limits.resize(instance.apps());
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId app = 0; app < instance.apps(); ++app) {
      nodes.items.push_back({{app}, instance.replicas(app), {}, {}});
      for (const std::uint32_t h : dims) nodes.items.back().demand.push_back(demand_of(app)[h]);
    }
  });
  for (const Supply::Group& group : supply.groups) {
    ColumnProblem::Kind kind{};
    kind.count = group.count;
    for (const std::uint32_t h : dims) kind.carries.push_back(group.carries[h]);
    for (AppId app = 0; app < instance.apps(); ++app) {
      const bool may_be_there =
          application[app] != kNone && (instance.admits(app, group.listed, group.node_class) || candidates.may_stay[app] != 0);
      auto copies =
          static_cast<std::uint32_t>(may_be_there ? std::min<std::uint64_t>(most_of[app], instance.replicas(app)) : 0);
      for (std::uint32_t h = 0; h < nodes.dims; ++h) {
        copies = nodes.most_beside(kind.carries[h], 0, nodes.items[app], h, copies);
      }
      kind.most.push_back(copies);
    }
    nodes.kinds.push_back(std::move(kind));
    if (nodes.kinds.size() * (nodes.dims + 1) * instance.apps() <= kMostKnapsackEntries) continue;
    nodes.kinds.clear();
    return;
  }
  for (std::uint32_t k = 0; k < nodes.kinds.size(); ++k) contents.emplace_back(nodes, k);
}

// The bound at these prices, and the subgradient. False: the run ended.
bool NodePrices::State::look(WorkClock& clock) {
  Effort effort(clock);
  slope.assign(worth.size(), 0);
  double sum = 0;
  std::vector<double> cost(candidates.applications.size(), 0);
  std::vector<double> kept(candidates.applications.size(), 0);
  for (AppId app = 0; app < worth.size(); ++app) {
    if (application[app] == kNone) continue;
    cost[application[app]] += worth[app] * all[app];
    kept[application[app]] += worth[app] * candidates.held[app];
  }
  for (std::size_t a = 0; a < cost.size(); ++a) {
    const Candidates::Application& one = candidates.applications[a];
    const bool admitted = one.weight - cost[a] > -kept[a];
    sum += admitted ? one.weight - cost[a] : -kept[a];
    for (const AppId app : one.apps) slope[app] -= admitted ? all[app] : candidates.held[app];
  }
  for (std::size_t k = 0; k < contents.size(); ++k) {
    contents[k].set({worth, 0, {}}, effort);
    const BestContent::Found found = contents[k].find({}, all, kOperationsPerNode, effort);
    const auto count = static_cast<double>(nodes.kinds[k].count);
    sum += count * std::max(0.0, found.upper()) * (1 + Candidates::kMargin);
    for (const auto& [app, replicas] : found.contents.empty() ? ItemContent{} : found.contents.back()) {
      slope[app] += count * replicas;
    }
    if (clock.step(1) || effort.is_over()) return false;
  }
  value = sum;
  return true;
}

NodePrices::NodePrices(const Instance& instance, const Supply& supply, const Request& request, const AdmissionBound& known)
    : state_(std::make_unique<State>(Candidates(instance, supply, request))) {
  State& state = *state_;
  const Candidates& candidates = state.candidates;
  for (const Candidates::Application& one : candidates.applications) state.bound += one.weight;
  state.bound = std::max(0.0, state.bound - std::max(0.0, known.left_out - candidates.hopeless));
  // With a limit on the nodes, any of them may be used; with endless nodes, nothing is short for long.
  const bool limited = request.node_limit != 0 || known.price.empty() ||
                       std::any_of(supply.groups.begin(), supply.groups.end(),
                                   [](const Supply::Group& group) { return group.count == Supply::kEndless; });
  if (limited) return;
  state.application.assign(instance.apps(), kNone);
  for (std::uint32_t a = 0; a < candidates.applications.size(); ++a) {
    for (const AppId app : candidates.applications[a].apps) state.application[app] = a;
  }
  std::vector<std::uint32_t> dims(instance.dims());
  std::iota(dims.begin(), dims.end(), 0u);
  std::vector<double> value(instance.dims());
  for (std::uint32_t h = 0; h < instance.dims(); ++h) value[h] = known.price[h] * candidates.carried[h];
  sort_by_largest(dims, value);
  if (dims.size() > kMostKnapsackDims) dims.resize(kMostKnapsackDims);
  state.all = instance.data().replicas;
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
  if (state.contents.empty()) return false;
  while (state.bound > admitted && state.way > kShortestWay) {
    if (state.started) {
      const double square = std::inner_product(state.slope.begin(), state.slope.end(), state.slope.begin(), 0.0);
      if (!(square > 0)) return false;
      const double target = state.bound - state.way * kShareOfWay * (state.bound - admitted);
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
    if (state.value < state.bound) {
      state.bound = state.value;
      state.best_worth = state.worth;
      state.since = 0;
    } else if (++state.since == kLooksWithoutBetter) {
      state.way /= 2;
      state.since = 0;
    }
  }
  return false;
}

double NodePrices::left_out() const { return state_->candidates.left_out(state_->bound); }

std::span<const double> NodePrices::worth() const { return state_->best_worth; }

}  // namespace stowage
