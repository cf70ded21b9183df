#include "core/traffic/traffic_state.h"

#include <gtest/gtest.h>

#include "core/base/numbers/random.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

// What steps add up to is what is summed anew, and undoing a step leaves nothing of it.
TEST(TrafficStateTest, ChangesAddUpAndCanBeUndone) {
  Random random(11);
  test::InstanceBuilder builder({"cpu"});
  const ClassId node_class = builder.add_class({40}, 5);
  InstanceData& data = builder.data();
  data.node_class.assign(5, node_class);
  for (AppId app = 0; app < 8; ++app) {
    builder.add_app("app-" + std::to_string(app), 6, {1.0 + app % 3});
    data.running.push_back({app, app % 5, 3});
    if (app > 0) data.traffic.push_back({app, random.below(app), 1.0 + random.below(9)});
  }
  const Instance instance = builder.must_build();
  const Request request;
  Placement<std::int16_t> placement(instance, request);
  const TrafficGraph graph(instance);
  TrafficState<std::int16_t> state(placement, graph, request, {});
  double local = state.local();
  for (int step = 0; step < 500; ++step) {
    state.begin();
    const std::int64_t moves = state.moves();
    for (int k = 0; k < 3; ++k) {
      const AppId app = random.below(8);
      const NodeId node = random.below(5);
      if (random.below(2) == 0) {
        const std::uint32_t most = std::min(state.headroom(app, node, 3), placement.unplaced(app));
        if (most > 0) state.change(app, node, most);
      } else if (const std::uint32_t most = state.removable(app, node); most > 0) {
        state.change(app, node, -std::int64_t{1 + random.below(most)});
      }
    }
    const double gained = state.gained();
    if (random.below(2) == 0) {
      EXPECT_NEAR(state.local(), local + gained, 1e-12);
      local = state.local();
    } else {
      state.undo();
      EXPECT_NEAR(state.local(), local, 1e-12);
      EXPECT_EQ(state.moves(), moves);
    }
    std::int64_t away = 0;
    for (AppId app = 0; app < 8; ++app) away += 3 - std::min<std::int64_t>(3, placement.contents().count(app, app % 5));
    EXPECT_EQ(state.moves(), away);
  }
}

// Pinned replicas stay.
TEST(TrafficStateTest, PinnedReplicasAreNotRemovable) {
  test::InstanceBuilder builder({"cpu"});
  const ClassId node_class = builder.add_class({40}, 1);
  const AppId app = builder.add_app("app", 5, {1});
  builder.data().node_class = {node_class};
  builder.data().running = {{app, 0, 4}};
  builder.data().pinned = {{app, 0, 3}};
  const Instance instance = builder.must_build();
  const Request request;
  Placement<std::int16_t> placement(instance, request);
  const TrafficGraph graph(instance);
  const TrafficState<std::int16_t> state(placement, graph, request, {});
  EXPECT_EQ(state.removable(app, 0), 1u);
}

}  // namespace
}  // namespace stowage
