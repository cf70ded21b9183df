#include "core/bounds/admission/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/watched.h"
#include "core/plan/objective.h"

namespace stowage {
namespace {

// Whether nodes have room for the replicas of an app that want it, each node by itself. False where the supply ends it.
bool has_room(const Instance& instance, const Supply& supply, AppId app, std::uint64_t most, std::uint64_t wanted,
              std::span<const std::int32_t> demand) {
  std::uint64_t room = 0;
  for (const Supply::Group& group : supply.groups) {
    if (room >= wanted) break;
    if (supply.ends(demand.size() + kStepsToOpen)) return false;
    if (!instance.admits(app, group.listed, group.node_class)) continue;
    std::uint64_t each = most;
    for (std::size_t h = 0; h < demand.size(); ++h) {
      if (demand[h] > 0) each = std::min(each, static_cast<std::uint64_t>(group.carries[h] / demand[h]));
    }
    if (each == 0) continue;
    room = group.count >= wanted ? wanted : room + each * group.count;
  }
  return room >= wanted;
}

}  // namespace

void Candidates::find_held(const Instance& instance, const Supply& supply, const Request& request) {
  const InstanceData& data = instance.data();
  held.assign(instance.apps(), 0);
  // What runs and is pinned on a node counts once.
  std::vector<std::pair<std::pair<NodeId, AppId>, std::uint32_t>> all;
  const auto add = [&](const std::vector<Residence>& list) {
    for (const Residence& r : list) {
      if (supply.ends(1)) return;
      all.push_back({{r.node, r.app}, r.replicas});
    }
  };
  if (!request.ignore_running && request.move_budget == 0) add(data.running);
  add(data.pinned);
  watched_sort(all, supply.watch());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (supply.ends(1)) return;
    if (k + 1 == all.size() || all[k + 1].first != all[k].first) held[all[k].first.second] += all[k].second;
  }
}

void Candidates::find_carried(const Instance& instance, const Supply& supply, const Request& request) {
  std::uint64_t in_use = supply.mandatory;
  std::vector<std::uint8_t> running(instance.listed_nodes(), 0);
  for (const Residence& r : instance.data().running) {
    if (supply.ends(1)) break;
    running[r.node] = 1;
  }
  in_use += static_cast<std::uint64_t>(std::count(running.begin(), running.end(), std::uint8_t{1}));
  const std::uint64_t nodes = request.node_limit == 0 ? Supply::kEndless : std::max<std::uint64_t>(request.node_limit, in_use);
  carried.assign(instance.dims(), 0);
  std::vector<std::pair<double, std::uint32_t>> column;  // what a node of a group carries, and the group
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    column.clear();
    for (std::uint32_t g = 0; g < supply.groups.size() && !supply.ends(1); ++g) {
      column.emplace_back(static_cast<double>(supply.groups[g].carries[h]), g);
    }
    watched_sort(column, supply.watch(),
                 [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    if (supply.watch().ended()) return;
    std::uint64_t left = nodes;
    for (const auto& [carries, g] : column) {
      const std::uint64_t taken = std::min(left, supply.groups[g].count);
      if (taken == Supply::kEndless) {
        if (carries > 0) carried[h] = std::numeric_limits<double>::infinity();
        break;
      }
      carried[h] += carries * static_cast<double>(taken);
      left -= taken;
    }
  }
}

Candidates::Candidates(const Instance& instance, const Supply& supply, const Request& request) {
  find_held(instance, supply, request);
  find_carried(instance, supply, request);
  const std::vector<double> weight = application_weights(instance);
  const std::vector<std::uint64_t> most = most_per_node(instance, supply);
  may_stay.assign(instance.apps(), 0);
  for (const auto* list : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& r : *list) {
      if (supply.ends(1)) return;
      may_stay[r.app] = 1;
    }
  }
  std::vector<std::vector<AppId>> apps(instance.apps());
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (instance.replicas(app) > 0) apps[instance.application(app)].push_back(app);
  }
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId first = 0; first < instance.apps(); ++first) {
      if (apps[first].empty()) continue;
      if (supply.ends(apps[first].size() * instance.dims())) return;
      whole_weights = whole_weights && weight[first] == std::floor(weight[first]);
      Application one{first, weight[first], apps[first], std::vector<double>(instance.dims(), 0)};
      bool fits = true;
      for (const AppId app : one.apps) {
        const auto unit = demand_of(app);
        std::vector<std::int32_t> demand(unit.begin(), unit.end());
        const std::uint32_t wanted = instance.replicas(app) - std::min(instance.replicas(app), held[app]);
        for (std::size_t h = 0; h < demand.size(); ++h) {
          one.demand[h] += static_cast<double>(demand[h]) * wanted;
          carried[h] -= static_cast<double>(demand[h]) * held[app];
        }
        fits = fits && (may_stay[app] != 0 || has_room(instance, supply, app, most[app], wanted, demand));
      }
      if (fits) {
        applications.push_back(std::move(one));
      } else {
        hopeless += weight[first];
      }
    }
  });
  for (double& amount : carried) amount = std::max(0.0, amount);
}

double Candidates::left_out(double most) const {
  double all = hopeless;
  for (const Application& a : applications) all += a.weight;
  const double left = all - most * (1 + kMargin);
  if (left <= hopeless) return hopeless;
  return whole_weights ? std::ceil(left - 1e-6) : left;
}

}  // namespace stowage
