#include "tests/bad_input/harness.h"

#include <limits>
#include <memory>

namespace stowage::test {
namespace {

std::unique_ptr<wire::ResourceT> resource(const char* name, const char* unit) {
  auto result = std::make_unique<wire::ResourceT>();
  result->name = name;
  result->unit = unit;
  return result;
}

std::unique_ptr<wire::NodeClassT> node_class(const char* name, std::vector<double> capacity, std::uint32_t count,
                                             double price) {
  auto result = std::make_unique<wire::NodeClassT>();
  result->name = name;
  result->capacity = std::move(capacity);
  result->count = count;
  result->price = price;
  return result;
}

}  // namespace

wire::InstanceT tiny_instance() {
  wire::InstanceT instance;
  instance.resources.push_back(resource("cpu", ""));
  instance.apps = std::make_unique<wire::AppsT>();
  instance.apps->replicas = {3};
  instance.apps->demand = {2};
  instance.classes.push_back(node_class("", {5}, 0, -1));
  return instance;
}

wire::InstanceT busy_instance() {
  wire::InstanceT instance;
  instance.name = "busy";
  instance.resources.push_back(resource("cpu", "cores"));
  instance.resources.push_back(resource("memory", "GiB"));
  instance.periods = 2;
  instance.apps = std::make_unique<wire::AppsT>();
  instance.apps->names = {"web", "db", "batch"};
  instance.apps->replicas = {4, 2, 9};
  instance.apps->demand = {1, 2, 2, 2, 3, 2, 8, 8, 0.5, 0.25, 1, 1};
  instance.apps->priority = {1, 2, -3};
  instance.classes.push_back(node_class("small", {8, 16}, 0, 1));
  instance.classes.push_back(node_class("large", {64, 128}, 3, 5));
  instance.nodes = std::make_unique<wire::NodesT>();
  instance.nodes->node_class = {0, 1};
  instance.nodes->names = {"n0", "n1"};
  instance.nodes->load = {1, 1, 0, 0};
  instance.nodes->closed = {0, 1};
  instance.limits = std::make_unique<wire::AffinityLimitsT>();
  instance.limits->row_begin = {0, 2, 3, 3};
  instance.limits->app = {0, 1, 2};
  instance.limits->at_most = {2, 1, 3};
  instance.running = {{0, 0, 2}, {2, 1, 3}};
  instance.pinned = {{0, 0, 1}, {1, 1, 1}};
  return instance;
}

wire::InstanceT full_instance() {
  wire::InstanceT instance = busy_instance();
  instance.tags = {"front", "store", "spot"};
  instance.apps->tag_begin = {0, 1, 2, 3};
  instance.apps->tag_index = {0, 1, 2};
  instance.apps->only_begin = {0, 0, 0, 1};
  instance.apps->only_index = {2};
  instance.apps->not_begin = {0, 1, 1, 1};
  instance.apps->not_index = {1};
  instance.apps->variance = {0.5, 0, 0, 0, 0, 0};
  instance.apps->support_min = {0, 0, 0, 0, 0, 0};
  instance.apps->support_max = {4, 4, 4, 16, 1, 1};
  instance.apps->kind = {0, 1, 1};
  instance.nodes->load_variance = {0.5, 0, 0, 0};
  instance.nodes->tag_begin = {0, 1, 1};
  instance.nodes->tag_index = {2};
  instance.classes[0]->daemon = {0.5, 0};
  instance.nodes->daemon = {0.5, 0, 0, 0.25};
  auto rack = std::make_unique<wire::NodeGroupT>();
  rack->name = "rack";
  rack->set_begin = {0, 1, 2};
  rack->node = {0, 1};
  rack->set_names = {"r0", "r1"};
  instance.groups.push_back(std::move(rack));
  auto cardinality = std::make_unique<wire::CardinalityT>();
  cardinality->subject = {0};
  cardinality->target = {1};
  cardinality->max = 3;
  cardinality->group = 0;
  auto conjunction = std::make_unique<wire::ConjunctionT>();
  conjunction->all_of.push_back(std::move(cardinality));
  auto rule = std::make_unique<wire::PlacementRuleT>();
  rule->name = "apart";
  rule->any_of.push_back(std::move(conjunction));
  instance.rules.push_back(std::move(rule));
  instance.uncertainty = std::make_unique<wire::UncertaintyT>();
  instance.interference = std::make_unique<wire::InterferenceT>();
  instance.interference->kinds = {"cpu-bound", "io-bound"};
  instance.interference->coefficient = {1, 0.5, 0.5, 0};
  instance.interference->max_cost = {1000, std::numeric_limits<double>::infinity()};
  return instance;
}

stowage_limits small_limits() {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_replicas = 10'000;
  limits.max_nodes = 1000;
  limits.max_cells = 100'000;
  return limits;
}

}  // namespace stowage::test
