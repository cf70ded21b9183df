// A search state on a placement that is built by hand.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/search/search_state.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage::test {

/// The instance must have scaled units of 16 bits, as all instances of small integers have.
struct SearchSetup {
  explicit SearchSetup(const InstanceBuilder& builder, Request wish = {})
      : instance(builder.must_build()), request(std::move(wish)), placement(instance, request), state(placement, request) {}
  SearchSetup(const SearchSetup&) = delete;
  SearchSetup& operator=(const SearchSetup&) = delete;

  /// Opens a node of the class, places one replica of each of the apps on it and adds it to the search state.
  NodeId open(const std::vector<AppId>& apps, ClassId node_class = 0) {
    const NodeId node = placement.open(node_class);
    for (const AppId app : apps) placement.place(app, node, 1);
    state.add(node);
    state.collect_pool();
    return node;
  }
  /// Replicas on the node, in ascending order of apps: "a:1 b:2".
  [[nodiscard]] std::string on(NodeId node) const {
    std::string text;
    for (AppId app = 0; app < instance.apps(); ++app) {
      const std::uint32_t count = placement.contents().count(app, node);
      if (count == 0) continue;
      text += (text.empty() ? "" : " ") + instance.data().app_names[app] + ":" + std::to_string(count);
    }
    return text;
  }

  const Instance instance;
  const Request request;
  Placement<std::int16_t> placement;
  SearchState<std::int16_t> state;
};

}  // namespace stowage::test
