// In which order nodes are emptied, and what becomes of their pods when the scheduler chooses where they go.
#include <algorithm>
#include <array>

#include "capi/k8s/answer/planning.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

/// Planners that choose as the scheduler does when it prefers free nodes (its default), and when it prefers full ones.
constexpr const char* kLeastAllocated = "j-kube";
constexpr const char* kMostAllocated = "bf-avg";

/// Of the share of the saving that the first nodes bring, that of the evictions is so much less where it is worth saying.
constexpr double kKnee = 0.1;

}  // namespace

std::vector<Move> Planning::ordered_moves(const Planned& of) const {
  const Cluster& cluster = model.cluster;
  std::vector<std::string> names;
  for (const PresentNode& one : cluster.nodes) names.emplace_back(one.name);
  for (std::uint32_t k = 0; k < of.root().node_class()->size(); ++k) {
    if (of.root().listed()->Get(k) != cli::kNone) continue;
    const std::uint32_t copies = of.root().copies() == nullptr ? 1 : of.root().copies()->Get(k);
    names.insert(names.end(), copies, "a new node of " + cluster.kinds[of.root().node_class()->Get(k)].name);
  }
  std::vector<Move> all;
  const auto add = [&](const wire::Move& one, std::uint32_t wave, std::map<std::array<std::uint32_t, 3>, std::size_t>& known) {
    if (one.app() >= cluster.apps.size() || one.to() == cli::kNone) return;
    const auto [at, made] = known.try_emplace({one.app(), one.from(), one.to()}, all.size());
    if (made) {
      const std::string from = one.from() == cli::kNone ? "" : names[one.from()];
      all.push_back({cluster.apps[one.app()].workload(), 0, from, names[one.to()], static_cast<int>(one.app()), wave});
    }
    ++all[at->second].replicas;
  };
  const Buffer report = of.instance->order_moves(*of.plan);
  const auto& order = body_of<wire::MoveOrder>(report);
  std::uint32_t next = 0;
  for (std::uint32_t wave = 0; order.wave_ends() != nullptr && wave < order.wave_ends()->size(); ++wave) {
    std::map<std::array<std::uint32_t, 3>, std::size_t> known;
    while (next < order.wave_ends()->Get(wave)) add(*order.moves()->Get(next++), wave + 1, known);
  }
  std::map<std::array<std::uint32_t, 3>, std::size_t> known;
  for (std::uint32_t k = 0; order.stuck() != nullptr && k < order.stuck()->size(); ++k) add(*order.stuck()->Get(k), 0, known);
  return all;
}

/// What it takes to empty a node.
Drain Planning::drain_of(std::size_t node, const std::vector<Move>& moves, bool priced) const {
  const Cluster& cluster = model.cluster;
  const PresentNode& its = cluster.nodes[node];
  Drain made;
  made.node = its.name;
  made.saves = priced ? model.prices.of(cluster.kinds[static_cast<std::size_t>(its.kind)]) : 1;
  std::map<int, std::int64_t> by_app;
  for (const Move& one : moves) {
    if (one.from != its.name) continue;
    by_app[one.app] += one.replicas;
    made.evictions += one.replicas;
    const std::int64_t priority = cluster.apps[static_cast<std::size_t>(one.app)].priority;
    made.priority = std::max(made.priority.value_or(priority), priority);
  }
  for (const BudgetOf& one : cluster.budgets) {
    std::int64_t count = 0;
    for (const int app : one.apps) {
      const auto found = by_app.find(app);
      if (found != by_app.end()) count += found->second;
    }
    if (one.allowed > 0) made.rounds = std::max(made.rounds, (count + one.allowed - 1) / one.allowed);
  }
  return made;
}

/// Orders the nodes that are emptied: those first that save most for each eviction.
void Planning::order_drains(Answer& to) const {
  std::vector<std::size_t> nodes;
  for (const std::string& name : to.emptied) nodes.push_back(static_cast<std::size_t>(model.cluster.find_node(name)));
  const bool priced = ranges::all_of(nodes, [&](std::size_t n) {
    return model.prices.of(model.cluster.kinds[static_cast<std::size_t>(model.cluster.nodes[n].kind)]) >= 0;
  });
  for (const std::size_t node : nodes) to.drains.push_back(drain_of(node, to.move_list, priced));
  ranges::stable_sort(to.drains, [](const Drain& a, const Drain& b) { return a.saves * b.evictions > b.saves * a.evictions; });
  to.drains_priced = priced;
  double saves = 0, evictions = 0;
  for (const Drain& one : to.drains) {
    saves += one.saves;
    evictions += one.evictions;
  }
  double so_far = 0, evicted = 0, best = kKnee;
  for (std::size_t k = 0; k + 1 < to.drains.size(); ++k) {
    so_far += to.drains[k].saves;
    evicted += to.drains[k].evictions;
    const double ahead = so_far / saves - evicted / evictions;
    if (ahead < best) continue;
    best = ahead;
    to.knee = Knee{k + 1, so_far / saves, evicted / evictions};
  }
}

/// How many pods wait in the end if the first nodes of the order are drained and the scheduler chooses where their pods go.
std::uint64_t Planning::waiting_after(const Answer& of, std::size_t nodes, const char* scheduler) const {
  Cluster after = model.cluster;
  for (std::size_t k = 0; k < nodes; ++k) {
    const int node = after.find_node(of.drains[k].node);
    after.nodes[static_cast<std::size_t>(node)].closing.push_back({kCordonTaint, "", Effect::kNoSchedule});
    for (App& app : after.apps) app.running.erase(node);
  }
  Planning drained(std::move(after), options_, control_);
  cli::RequestData request = request_;
  request.planner = scheduler;
  request.soft = wire::SoftPolicy::Last;
  return drained.plan(Scope::kHere, as_is.unplaced(), request).total() - as_is.total();
}

/// Evictions do not choose where pods go. Finds how many wait if all nodes of the order are drained and, where some do, how
/// many of the first nodes leave none waiting.
void Planning::simulate_drains(Answer& to) const {
  if (to.drains.empty()) return;
  const auto waiting = [&](std::size_t nodes) {
    std::array<std::uint64_t, 2> found = {waiting_after(to, nodes, kLeastAllocated), 0};
    found[1] = waiting_after(to, nodes, kMostAllocated);
    return found;
  };
  const auto all = waiting(to.drains.size());
  Waiting made{all[0], all[1], to.drains.size()};
  if (all[0] + all[1] > 0) {
    std::size_t most = 0, less = to.drains.size();
    while (less - most > 1) {
      const std::size_t middle = most + (less - most) / 2;
      const auto part = waiting(middle);
      (part[0] + part[1] == 0 ? most : less) = middle;
    }
    made.safe = most;
  }
  to.waiting = made;
}

}  // namespace stowage::k8s
