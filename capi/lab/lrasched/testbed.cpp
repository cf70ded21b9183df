#include "capi/lab/lrasched/testbed.h"

#include <string>
#include <utility>

namespace stowage::cli::lrasched {

InstanceData empty_testbed() {
  InstanceData data;
  data.name = "testbed";
  data.resources = {{"cpu", ""}, {"memory", ""}};
  NodeClassData server;
  server.name = "server";
  server.count = sizes::kTestbedNodes;
  server.capacity = {sizes::kTestbedCores, sizes::kTestbedMemory};
  data.classes.push_back(std::move(server));
  for (std::uint32_t n = 0; n < sizes::kTestbedNodes; ++n) {
    data.nodes.node_class.push_back(0);
    data.nodes.names.push_back("server-" + std::to_string(n + 1));
  }
  data.limits.row_begin = {0};
  return data;
}

void arrive(const sizes::TestbedApp& app, InstanceData& data) {
  const auto id = static_cast<std::uint32_t>(data.apps.names.size());
  data.apps.names.push_back(app.name);
  data.apps.replicas.push_back(app.containers);
  data.apps.demand.insert(data.apps.demand.end(), {app.cores, app.memory});
  if (app.together < app.containers) {
    data.limits.app.push_back(id);
    data.limits.at_most.push_back(app.together);
  }
  data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
}

void keep_running(const wire::Plan& plan, InstanceData& data) {
  data.running.clear();
  for (const wire::Placed* placed : *plan.placed())
    data.running.emplace_back(placed->app(), plan.listed()->Get(placed->node()), placed->replicas());
}

}  // namespace stowage::cli::lrasched
