// Which node group to grow. All waiting pods are planned on all groups together, at the least cost. The autoscaler grows one
// group at a time, by as many nodes as its option says, so that the best option is the one after which everything costs least:
// its own nodes, and the plan for the pods that it leaves.
#include <algorithm>
#include <cmath>

#include "capi/k8s/questions/questions.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

/// Options that are compared by a plan each: those of the groups of which the plan for everything has most.
constexpr std::size_t kMostTried = 4;
constexpr double kSameCost = 1e-9;

struct GroupOption {
  std::string id;
  std::int64_t nodes = 0;
  std::vector<std::string> pods;  ///< by namespace and name
  int kind = -1;
};

struct GroupOutcome {
  std::uint64_t left = 0;
  double cost = 0;
  std::string text;
  /// Below 0 where this one is better, 0 where both are equal.
  [[nodiscard]] int compare(const GroupOutcome& other) const {
    if (left != other.left) return left < other.left ? -1 : 1;
    if (std::abs(cost - other.cost) <= kSameCost * (1 + other.cost)) return 0;
    return cost < other.cost ? -1 : 1;
  }
};

/// Of what runs now, the pods that run and what goes with nodes; then the pods that wait, and a node of each group.
std::vector<GroupOption> read_option_groups(Objects& to, At request) {
  std::erase_if(to.pods, [](const Pod& one) { return one.node.empty(); });
  to.controllers.clear();
  to.replica_sets.clear();
  to.cron_jobs.clear();
  to.others.clear();
  to.repeated = 0;
  std::vector<std::string> names;
  for (const At pod : request["pods"].list()) {
    const std::size_t before = to.pods.size();
    to.add(pod, "Pod");
    std::string ns(pod["metadata"]["namespace"].text());
    if (ns.empty()) ns = "default";
    names.push_back(ns + "/" + std::string(pod["metadata"]["name"].text()));
    if (to.pods.size() > before) to.pods.back().node = {};
  }
  std::vector<GroupOption> groups;
  for (const At from : request["groups"].list()) {
    GroupOption& made = groups.emplace_back();
    made.id = from["id"].text();
    made.nodes = from["nodes"].whole();
    for (const At index : from["pods"].list()) {
      const auto k = static_cast<std::size_t>(index.whole());
      if (k >= names.size()) index.fail("there is no such pod");
      made.pods.push_back(names[k]);
    }
    const std::size_t before = to.nodes.size();
    to.seen.erase("Node /" + std::string(from["node"]["metadata"]["name"].text()));
    to.add(from["node"], "Node");
    if (to.nodes.size() == before) from.fail("its node is no node");
    Node& node = to.nodes.back();
    node.name = to.texts.keep("a new node of " + made.id);
    node.labels.add(kHostname, node.name);
  }
  return groups;
}

/// A cluster that grows by the groups alone.
Cluster growing_cluster(Objects& from, std::vector<GroupOption>& groups) {
  Cluster cluster = make_cluster(from);
  for (GroupOption& one : groups) {
    const int node = cluster.find_node("a new node of " + one.id);
    if (node < 0) continue;
    one.kind = cluster.nodes[static_cast<std::size_t>(node)].kind;
    NodeKind& kind = cluster.kinds[static_cast<std::size_t>(one.kind)];
    --kind.nodes;
    kind.grows = true;
    kind.room = -1;  // the autoscaler knows its limits
  }
  std::erase_if(cluster.nodes, [&](const PresentNode& node) {
    return ranges::any_of(groups, [&](const GroupOption& one) { return node.name == View("a new node of " + one.id); });
  });
  return cluster;
}

class Expander {
 public:
  Expander(Planning& planning, std::vector<GroupOption>& groups, const Options& options)
      : planning_(planning), groups_(groups), options_(options) {
    const auto& apps = planning.model.cluster.apps;
    for (std::size_t i = 0; i < apps.size(); ++i) {
      for (const std::string& pod : apps[i].pods) app_of_[std::string(apps[i].ns) + "/" + pod] = i;
    }
  }

  std::vector<std::pair<std::string, std::string>> choose() {
    std::vector<std::pair<std::string, std::string>> best;
    if (ranges::all_of(groups_, [](const GroupOption& one) { return one.pods.empty() || one.kind < 0; })) return best;
    const std::vector<std::int64_t> counts = planning_.counts(plan({}, options_.deadline_ms / 2), true);
    const std::vector<const GroupOption*> tried = candidates(counts);
    GroupOutcome least;
    for (const GroupOption* one : tried) {
      GroupOutcome found = outcome(*one, options_.deadline_ms / 2 / tried.size());
      const int order = best.empty() ? -1 : found.compare(least);
      if (order < 0) best.clear();
      if (order <= 0) best.emplace_back(one->id, found.text);
      if (order < 0) least = std::move(found);
    }
    return best;
  }

 private:
  Planned plan(const std::vector<std::uint32_t>& left, std::uint64_t deadline) {
    cli::RequestData request;
    request.planner = options_.planner;
    request.soft = wire::SoftPolicy::Last;
    if (options_.work > 0) {
      request.work_limit = options_.work;
    } else {
      request.deadline_ms = std::max<std::uint64_t>(deadline, 1);
      request.patience_ms = std::max<std::uint64_t>(deadline / 4, 1);
    }
    return planning_.plan(Scope::kGrown, left, request);
  }

  /// The groups with pods whose nodes the plan for everything uses, most nodes first. Where it uses none of them, those with
  /// most pods.
  std::vector<const GroupOption*> candidates(const std::vector<std::int64_t>& counts) const {
    std::vector<const GroupOption*> all;
    for (const GroupOption& one : groups_) {
      if (!one.pods.empty() && one.kind >= 0) all.push_back(&one);
    }
    const auto count = [&](const GroupOption* one) { return counts[static_cast<std::size_t>(one->kind)]; };
    std::vector<const GroupOption*> used = all;
    std::erase_if(used, [&](const GroupOption* one) { return count(one) == 0; });
    if (!used.empty()) all = std::move(used);
    ranges::stable_sort(all, [&](const GroupOption* a, const GroupOption* b) {
      return std::pair(count(a), a->pods.size()) > std::pair(count(b), b->pods.size());
    });
    all.resize(std::min(all.size(), kMostTried));
    return all;
  }

  GroupOutcome outcome(const GroupOption& one, std::uint64_t deadline) {
    const auto& cluster = planning_.model.cluster;
    std::vector<std::uint32_t> left(cluster.apps.size(), 0);
    for (const std::string& pod : one.pods) {
      // A pod that goes with its node, has ended, runs by now or is given twice is no replica that waits.
      const auto found = app_of_.find(pod);
      if (found == app_of_.end()) continue;
      const App& app = cluster.apps[found->second];
      if (left[found->second] < app.replicas - app.run()) ++left[found->second];
    }
    Planned made = plan(left, deadline);
    std::vector<std::int64_t> counts = planning_.counts(made, true);
    counts[static_cast<std::size_t>(one.kind)] += one.nodes;
    GroupOutcome found;
    for (const wire::Unplaced* over : *made.root().unplaced()) found.left += over->replicas();
    found.cost = std::max(planning_.model.prices.cost(cluster.kinds, counts), 0.0);
    found.text = std::to_string(one.nodes) + " nodes for " + std::to_string(one.pods.size()) +
                 " pods; with these, all pending pods cost " + decimal_text(found.cost, 4) + " per hour" +
                 (planning_.model.prices.estimated ? " (prices are estimated)" : "");
    return found;
  }

  Planning& planning_;
  std::vector<GroupOption>& groups_;
  const Options& options_;
  std::map<std::string, std::size_t> app_of_;
};

}  // namespace

Outcome answer_expand(Objects& from, const ReadCall& with, At groups, stowage_control* control) {
  std::vector<GroupOption> options = read_option_groups(from, groups);
  Cluster cluster = growing_cluster(from, options);
  Options asked = with.options;
  asked.prices = asked.prices.for_all(cluster.kinds, from.resources);
  Planning planning(std::move(cluster), asked, control);
  const auto best = Expander(planning, options, asked).choose();
  Outcome made;
  made.text = json_object([&](cli::JsonWriter& to) {
    to.line(2);
    to.list("options", best,
            [&](const auto& one) { to.begin_object().key("id").text(one.first).key("debug").text(one.second).end_object(); });
  });
  return made;
}

}  // namespace stowage::k8s
