#include "capi/cli/generate/medea_cluster.h"

#include <algorithm>
#include <set>
#include <utility>

#include "capi/cli/base/console.h"
#include "capi/cli/base/random.h"

namespace stowage::cli::medea {
namespace {

/// Purpose of the random numbers; it has its own streams.
constexpr std::uint64_t kTasks = 201;

constexpr double kMemoryOfNode = 16;  // GiB
constexpr std::uint32_t kRack = 0;    // groups, by index
constexpr std::uint32_t kServiceUnit = 1;

/// A group of sets of consecutive nodes, whose sizes differ by at most one.
NodeGroupData even_group(const std::string& name, std::uint32_t sets, std::uint32_t nodes) {
  NodeGroupData group;
  group.name = name;
  for (std::uint32_t set = 0; set <= sets; ++set) {
    group.set_begin.push_back(static_cast<std::uint32_t>(std::uint64_t{set} * nodes / sets));
    if (set < sets) group.set_names.push_back(name + "-" + std::to_string(set + 1));
  }
  for (std::uint32_t node = 0; node < nodes; ++node) group.node.push_back(node);
  return group;
}

}  // namespace

Cluster::Cluster(const ClusterOptions& options) : options_(options) {
  data_.name =
      counted(options.nodes, "node") + " in " + counted(options.racks, "rack") + ", seed " + std::to_string(options.seed);
  data_.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  NodeClassData node_class;
  node_class.name = "node";
  node_class.capacity = {kCoresOfNode, kMemoryOfNode};
  node_class.count = options.nodes;
  data_.classes.push_back(std::move(node_class));
  data_.nodes.node_class.assign(options.nodes, 0);
  data_.apps.tag_begin.push_back(0);
  data_.groups.push_back(even_group("rack", options.racks, options.nodes));
  if (options.service_units > 0) data_.groups.push_back(even_group("service-unit", options.service_units, options.nodes));
  if (options.task_load <= 0) return;
  // Each task takes one core and 1 GiB of a random node that has a core left.
  Random random(options.seed, kTasks, 0);
  std::vector<std::uint32_t> tasks(options.nodes, 0);
  const auto all = static_cast<std::uint64_t>(options.task_load * options.nodes * kCoresOfNode);
  for (std::uint64_t placed = 0; placed < all;) {
    const std::uint32_t node = random.below(options.nodes);
    if (tasks[node] == kCoresOfNode) continue;
    ++tasks[node];
    ++placed;
  }
  for (const std::uint32_t count : tasks) {
    data_.nodes.load.push_back(count);
    data_.nodes.load.push_back(count);
  }
}

std::uint32_t Cluster::tag(const std::string& name) {
  const auto [at, fresh] = tags_.emplace(name, static_cast<std::uint32_t>(data_.tags.size()));
  if (fresh) data_.tags.push_back(name);
  return at->second;
}

std::uint32_t Cluster::add_app(const std::string& name, std::uint32_t replicas, double memory,
                               const std::vector<std::string>& tags) {
  data_.apps.names.push_back(name);
  data_.apps.replicas.push_back(replicas);
  data_.apps.demand.insert(data_.apps.demand.end(), {1, memory});
  for (const std::string& one : tags) data_.apps.tag_index.push_back(tag(one));
  data_.apps.tag_begin.push_back(static_cast<std::uint32_t>(data_.apps.tag_index.size()));
  application_.push_back(submitted_);
  containers_ += replicas;
  return static_cast<std::uint32_t>(data_.apps.replicas.size() - 1);
}

void Cluster::add_rule(const std::string& name, const std::vector<std::string>& subject, const std::vector<std::string>& target,
                       std::uint32_t min, std::uint32_t max, std::uint32_t group) {
  CardinalityData part;
  for (const std::string& one : subject) part.subject.push_back(tag(one));
  for (const std::string& one : target) part.target.push_back(tag(one));
  part.min = min;
  part.max = max;
  part.group = group;
  PlacementRuleData rule;
  rule.name = name;
  rule.any_of = {{std::move(part)}};
  rule.hard = false;
  data_.rules.push_back(std::move(rule));
}

void Cluster::submit() {
  const bool tensorflow = options_.tensorflow && submitted_ % 2 == 1;
  const std::string name = (tensorflow ? "tf-" : "hb-") + std::to_string(submitted_ + 1);
  tensorflow ? submit_tensorflow(name) : submit_hbase(name);
  ++submitted_;
}

void Cluster::submit_hbase(const std::string& name) {
  const std::string id = "appID:" + name;
  std::vector<std::string> worker = {"hb", "hb_rs", id};
  std::vector<std::string> master = {"hb", "hb_m", id};
  const std::uint32_t together = options_.complexity;
  const std::uint32_t group = hbase_ / std::max(1u, together);
  const std::string shared = "group:" + std::to_string(group + 1);
  if (together > 1) {
    worker.push_back(shared);
    master.push_back(shared);
  }
  add_app(name + "-worker", 10, 2, worker);
  add_app(name + "-master", 1, 1, master);
  add_app(name + "-thrift", 1, 1, {"hb", "hb_thrift", id});
  add_app(name + "-secondary", 1, 1, {"hb", "hb_sec", id});
  add_rule(name + ": workers in one rack", {id, "hb_rs"}, {id, "hb_rs"}, 9, kNone, kRack);
  add_rule(name + ": two workers a node", {id, "hb_rs"}, {id, "hb_rs"}, 0, 1, kNone);
  add_rule(name + ": master beside thrift", {id, "hb_m"}, {id, "hb_thrift"}, 1, kNone, kNone);
  add_rule(name + ": master apart from secondary", {id, "hb_m"}, {id, "hb_sec"}, 0, 0, kNone);
  if (together > 1 && hbase_ % together == 0) {
    // Half of the groups want their masters in one rack, the others no more than two of their workers on a node.
    if (group % 2 == 0) {
      add_rule(shared + ": masters in one rack", {shared, "hb_m"}, {shared, "hb_m"}, together - 1, kNone, kRack);
    } else {
      add_rule(shared + ": two workers a node", {shared, "hb_rs"}, {shared, "hb_rs"}, 0, 1, kNone);
    }
  }
  ++hbase_;
}

void Cluster::submit_tensorflow(const std::string& name) {
  const std::string id = "appID:" + name;
  add_app(name + "-worker", 7, 2, {"tf", "tf_w", id});
  add_app(name + "-chief", 1, 4, {"tf", "tf_w", id});
  add_app(name + "-ps", 2, 1, {"tf", "tf_ps", id});
  add_rule(name + ": workers in one rack", {id, "tf_w"}, {id, "tf_w"}, 7, kNone, kRack);
  add_rule(name + ": four workers a node", {id, "tf_w"}, {id, "tf_w"}, 0, 3, kNone);
}

void Cluster::submit_tasks(std::uint32_t tasks) {
  for (std::uint32_t k = 0; k < tasks; ++k) {
    add_app("task-" + std::to_string(++tasks_), 1, 1, {});
    application_.back() = kTask;
    --containers_;
  }
}

void Cluster::submit_spread(std::uint32_t containers) {
  const std::string name = "lra-" + std::to_string(submitted_ + 1);
  const std::string id = "appID:" + name;
  add_app(name, containers, 1, {id});
  const std::uint32_t share = (containers + options_.service_units - 1) / options_.service_units;
  add_rule(name + ": apart", {id}, {id}, 0, share - 1, kServiceUnit);
  ++submitted_;
}

void Cluster::carry_out(const wire::Plan& plan) {
  std::set<std::uint32_t> lost;
  for (const wire::Unplaced* one : *plan.unplaced()) {
    // A task that is not placed is dropped.
    if (application_[one->app()] == kTask) {
      data_.apps.replicas[one->app()] = 0;
    } else {
      lost.insert(application_[one->app()]);
    }
  }
  data_.running.clear();
  for (const wire::Placed* one : *plan.placed()) {
    if (lost.contains(application_[one->app()])) continue;
    data_.running.emplace_back(one->app(), plan.listed()->Get(one->node()), one->replicas());
  }
  for (std::size_t app = 0; app < application_.size(); ++app) {
    if (lost.contains(application_[app])) data_.apps.replicas[app] = 0;
  }
  given_up_ += static_cast<std::uint32_t>(lost.size());
}

InstanceData generate_waiting(const ClusterOptions& options, double utilization) {
  Cluster cluster(options);
  while (cluster.utilization() < utilization) cluster.submit();
  return cluster.data();
}

}  // namespace stowage::cli::medea
