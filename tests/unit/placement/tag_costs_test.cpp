#include "core/placement/tag_costs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

/// Replicas that are added to and removed from listed nodes.
class Layout {
 public:
  explicit Layout(const Instance& instance)
      : instance_(&instance), state_(instance), view_{&contents_, &instance.data().node_class, instance.listed_nodes()} {
    for (NodeId node = 0; node < instance.listed_nodes(); ++node) contents_.add_node();
  }
  Layout(const Layout&) = delete;
  Layout(Layout&&) = delete;
  Layout& operator=(const Layout&) = delete;
  Layout& operator=(Layout&&) = delete;
  ~Layout() = default;

  [[nodiscard]] const TagState& state() const { return state_; }
  [[nodiscard]] const TagView& view() const { return view_; }
  [[nodiscard]] std::uint32_t count(AppId app, NodeId node) const { return contents_.count(app, node); }
  void add(AppId app, NodeId node) {
    contents_.add(app, node, 1);
    state_.change(view_, app, node, 1);
  }
  void remove(AppId app, NodeId node) {
    contents_.remove(app, node, 1);
    state_.change(view_, app, node, -1);
  }
  /// The cost by the checker.
  [[nodiscard]] double cost() const {
    PlanBuilder plan(*instance_);
    for (NodeId node = 0; node < contents_.nodes(); ++node) {
      std::vector<Seat> seats;
      for (const Tenant& tenant : contents_.at(node)) seats.push_back({tenant.app, tenant.replicas});
      if (!seats.empty()) plan.listed(node, seats);
    }
    return check_plan(*instance_, plan.build()).rule_costs.cost;
  }

 private:
  const Instance* instance_;
  NodeContents contents_;
  TagState state_;
  TagView view_;
};

TaggedBuilder soft_rules(Random& random) {
  const std::vector<std::string> names = {"r", "s", "t"};
  TaggedBuilder builder;
  for (std::uint32_t i = 0; i < 4; ++i) {
    std::vector<std::string> tags;
    for (const std::string& name : names) {
      if (random.chance(0.5)) tags.push_back(name);
    }
    builder.app("app-" + std::to_string(i), 6, tags);
  }
  builder.nodes(3, 100);
  builder.nodes(3, 100, {"t"});
  const std::uint32_t racks = builder.group("rack", {{0, 1}, {2, 3}});
  const std::uint32_t overlapping = builder.group("zone", {{0, 1, 2}, {2, 3, 4}, {4, 5}});
  const std::uint32_t groups[] = {racks, overlapping, kNone};
  for (std::uint32_t rules = random.between(1, 3); rules > 0; --rules) {
    const auto part = [&] {
      const std::uint32_t min = random.below(3);
      const std::uint32_t max = random.chance(0.5) ? kNone : min + random.below(3);
      const std::vector<std::string> subject = {names[random.below(3)]};
      const std::uint32_t group = groups[random.below(3)];
      const std::uint32_t kind = random.below(4);
      if (kind == 0) return builder.node_sets(subject, min, std::max(max, 1u), group);
      if (kind == 1) return builder.skew(subject, 1 + random.below(2), group);
      return builder.replicas(subject, {names[random.below(3)]}, min, max, group);
    };
    std::vector<std::vector<Cardinality>> any_of = {{part()}};
    if (random.chance(0.3)) any_of.back().push_back(part());
    if (random.chance(0.7)) any_of.push_back({part()});
    builder.soft(any_of, 1 + random.below(3));
  }
  return builder;
}

// The cost of a replica is the growth of the plan's cost by the checker. For rules of all kinds with one or several
// conjunctions, on single nodes and in overlapping sets; right after start() and after replicas of the app were added.
TEST(TagCostsTest, AreWhatTheCheckerCountsMore) {
  Random random(5);
  int compared = 0;
  for (std::uint64_t round = 0; round < cases(150); ++round) {
    TaggedBuilder builder = soft_rules(random);
    auto built = builder.build();
    if (!built) continue;  // a conjunction that always holds
    const Instance& instance = built.value();
    Layout layout(instance);
    TagCosts costs(instance, layout.state(), TagCosts::Parts::kAll);
    const auto compare = [&](AppId app) {
      const double before = layout.cost();
      for (NodeId node = 0; node < instance.listed_nodes(); ++node) {
        const double cost = costs(layout.view(), layout.view().site(node));
        layout.add(app, node);
        EXPECT_NEAR(cost, layout.cost() - before, 1e-9) << "round " << round << " app " << app << " node " << node;
        layout.remove(app, node);
        ++compared;
      }
    };
    for (int step = 0; step < 8; ++step) {
      const AppId app = random.below(instance.apps());
      costs.start(app);
      compare(app);
      for (std::uint32_t more = random.below(3); more > 0; --more) {
        const NodeId node = random.below(instance.listed_nodes());
        std::uint32_t placed = 0;
        for (NodeId other = 0; other < instance.listed_nodes(); ++other) placed += layout.count(app, other);
        if (placed + 1 >= instance.replicas(app)) break;
        layout.add(app, node);
        costs.refresh(layout.view(), node);
        compare(app);
      }
    }
  }
  EXPECT_GT(compared, static_cast<int>(cases(5000)));
}

}  // namespace
}  // namespace stowage::test
