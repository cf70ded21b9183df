#include "core/placement/residuals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

// The reference: residual capacity in plain vectors.
template <class Unit>
class Naive {
 public:
  explicit Naive(const Instance& instance) : instance_(instance) {}

  void add_node(ClassId node_class, std::span<const std::int32_t> load) {
    std::vector<std::int64_t> left(instance_.dims());
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      left[h] = instance_.scaled_capacity(node_class)[instance_.resource_of(h)] - (load.empty() ? 0 : load[h]);
    }
    left_.push_back(left);
    open_.push_back(true);
  }
  void close(NodeId node) { open_[node] = false; }
  void change(AppId app, NodeId node, std::int64_t replicas) {
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) left_[node][h] -= replicas * demand(app, h);
  }
  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(left_.size()); }
  [[nodiscard]] bool open(NodeId node) const { return open_[node]; }
  [[nodiscard]] std::int64_t left(NodeId node, std::uint32_t h) const { return left_[node][h]; }
  [[nodiscard]] std::int64_t demand(AppId app, std::uint32_t h) const { return instance_.scaled_demand<Unit>(app)[h]; }
  [[nodiscard]] bool fits(AppId app, NodeId node, std::int64_t replicas) const {
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      if (demand(app, h) > 0 && left_[node][h] < replicas * demand(app, h)) return false;
    }
    return open_[node];
  }
  [[nodiscard]] std::uint32_t copies(AppId app, NodeId node, std::uint32_t wanted) const {
    std::uint32_t most = 0;
    while (most < wanted && fits(app, node, most + 1)) ++most;
    return most;
  }

 private:
  const Instance& instance_;
  std::vector<std::vector<std::int64_t>> left_;
  std::vector<bool> open_;
};

struct Shape {
  const char* name;
  std::uint32_t resources;
  std::uint32_t periods;
  double capacity;
  bool narrow;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }  // NOLINT(readability-identifier-naming)

// Shapes on both sides of eight dimensions: up to eight, every dimension is a column; above, minima over time and some periods.
constexpr Shape kShapes[] = {
    {"OneDimension", 1, 1, 100, true},        {"FewDimensionsWide", 2, 1, 1'000'000, false},
    {"FewPeriods", 2, 4, 100, true},          {"ManyPeriods", 2, 30, 100, true},
    {"ManyPeriodsWide", 3, 98, 1e6, false},   {"ManyResources", 20, 1, 100, true},
    {"ManyResourcesWide", 12, 1, 1e6, false}, {"ManyOfBoth", 6, 7, 100, true},
};

class ResidualsTest : public ::testing::TestWithParam<Shape> {
 protected:
  static Instance make_instance(const Shape& shape, test::Random& random) {
    std::vector<std::string> names;
    for (std::uint32_t r = 0; r < shape.resources; ++r) names.push_back("resource-" + std::to_string(r));
    InstanceBuilder builder(names, shape.periods);
    for (int i = 0; i < 25; ++i) {
      std::vector<double> demand(std::size_t{shape.resources} * shape.periods);
      // Some apps do not demand some resources, and app 0 demands nothing.
      const double share = i == 0 ? 0 : random.chance(0.3) ? 0.01 : 0.1;
      for (std::uint32_t r = 0; r < shape.resources; ++r) {
        const bool idle = random.chance(0.2);
        for (std::uint32_t t = 0; t < shape.periods; ++t) {
          const auto most = static_cast<std::uint32_t>(shape.capacity * share);
          demand[r * shape.periods + t] = idle ? 0 : random.below(most + 1);
        }
      }
      builder.add_app("app-" + std::to_string(i), 1'000'000, demand);
    }
    builder.add_app("whale", 1, std::vector<double>(shape.resources, 10 * shape.capacity));
    builder.add_app("one", 1, std::vector<double>(shape.resources, 1));  // keeps the divisor at 1
    builder.add_class(std::vector<double>(shape.resources, shape.capacity));
    builder.add_class(std::vector<double>(shape.resources, shape.capacity / 2));
    for (int n = 0; n < 5; ++n) {
      std::vector<double> load(std::size_t{shape.resources} * shape.periods);
      // The load of node 4 may exceed its capacity.
      for (double& l : load) l = random.below(static_cast<std::uint32_t>(n == 4 ? 2 * shape.capacity : shape.capacity / 3));
      builder.add_node(static_cast<ClassId>(n % 2), load);
    }
    return builder.must_build();
  }

  template <class Unit>
  static void exercise(const Instance& instance, test::Random& random) {
    Residuals<Unit> residuals(instance);
    Naive<Unit> naive(instance);
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      const ClassId c = instance.data().node_class[n];
      ASSERT_EQ(residuals.add_node(c, instance.scaled_load(n)), n);
      naive.add_node(c, instance.scaled_load(n));
    }
    const bool totals = random.chance(0.5);
    if (totals) residuals.track_totals();
    if (random.chance(0.3)) residuals.loosen_maxima();
    std::vector<std::vector<std::uint32_t>> held(5, std::vector<std::uint32_t>(instance.apps(), 0));
    typename Residuals<Unit>::Need need;
    std::vector<double> weight(instance.dims());
    for (double& w : weight) w = 1.0 / random.between(1, 100);

    for (int step = 0; step < 1500; ++step) {
      const AppId app = random.below(instance.apps());
      const NodeId node = random.below(naive.nodes());
      residuals.prepare(app, need);
      switch (random.below(12)) {
        case 0: {
          const ClassId c = random.below(2);
          ASSERT_EQ(residuals.add_node(c, {}), naive.nodes());
          naive.add_node(c, {});
          held.emplace_back(instance.apps(), 0);
          break;
        }
        case 1:
          if (!random.chance(0.05)) break;
          residuals.close(node);
          naive.close(node);
          break;
        case 2:
        case 3: {
          const std::uint32_t replicas = random.below(held[node][app] + 1);
          if (replicas == 0 || !naive.open(node)) break;
          residuals.give_back(app, node, replicas);
          naive.change(app, node, -std::int64_t{replicas});
          held[node][app] -= replicas;
          break;
        }
        case 4: {
          const ClassId c = random.below(2);
          Naive<Unit> empty(instance);
          empty.add_node(c, {});
          const std::uint32_t wanted = random.between(1, 50);
          ASSERT_EQ(residuals.copies_on_empty(need, c, wanted), empty.copies(app, 0, wanted));
          break;
        }
        default: {
          const std::uint32_t wanted = random.between(1, 20);
          const std::uint32_t most = residuals.copies(need, node, wanted);
          ASSERT_EQ(most, naive.copies(app, node, wanted)) << "app " << app << " node " << node;
          if (most == 0) break;
          residuals.take(app, node, most);
          naive.change(app, node, most);
          held[node][app] += most;
        }
      }
      if (step % 25 != 0) continue;
      expect_same(residuals, naive, instance, weight, totals);
      expect_same_fitting(residuals, naive, need, app, random.below(naive.nodes()));
      if (HasFatalFailure()) return;
    }
    // Enough nodes for filters to skip whole groups of blocks.
    for (int n = 0; n < 5000; ++n) {
      residuals.add_node(1, {});
      naive.add_node(1, {});
    }
    for (NodeId n = 0; n < naive.nodes(); ++n) {
      if (n % 997 == 0) continue;
      residuals.close(n);
      naive.close(n);
    }
    for (AppId app = 0; app < instance.apps(); ++app) {
      residuals.prepare(app, need);
      expect_same_fitting(residuals, naive, need, app, random.below(naive.nodes()));
      if (HasFatalFailure()) return;
    }
  }

  template <class Unit>
  static void expect_same(const Residuals<Unit>& residuals, const Naive<Unit>& naive, const Instance& instance,
                          const std::vector<double>& weight, bool totals) {
    ASSERT_EQ(residuals.nodes(), naive.nodes());
    std::vector<std::int64_t> sum(instance.dims(), 0);
    for (NodeId n = 0; n < naive.nodes(); ++n) {
      if (!naive.open(n)) continue;
      double weighted = 0;
      double largest = 0;
      bool exceeded = false;
      for (std::uint32_t h = 0; h < instance.dims(); ++h) {
        ASSERT_EQ(residuals.residual(n, h), naive.left(n, h));
        exceeded = exceeded || naive.left(n, h) < 0;
        sum[h] += naive.left(n, h);
        weighted += weight[h] * static_cast<double>(naive.left(n, h));
        largest = std::max(largest, weight[h] * static_cast<double>(naive.left(n, h)));
      }
      ASSERT_EQ(residuals.exceeded(n), exceeded);
      ASSERT_NEAR(residuals.weighted_sum(n, weight.data()), weighted, 1e-6);
      ASSERT_EQ(residuals.weighted_max(n, weight.data()), largest);
    }
    if (!totals) return;
    ASSERT_TRUE(std::equal(sum.begin(), sum.end(), residuals.totals().begin(), residuals.totals().end()));
  }

  template <class Unit>
  static void expect_same_fitting(const Residuals<Unit>& residuals, const Naive<Unit>& naive,
                                  const typename Residuals<Unit>::Need& need, AppId app, NodeId first) {
    std::vector<NodeId> expected;
    for (NodeId n = first; n < naive.nodes(); ++n) {
      if (naive.fits(app, n, 1)) expected.push_back(n);
    }
    std::vector<NodeId> visited;
    residuals.for_each_fitting(need, first, [&](NodeId n) {
      visited.push_back(n);
      return true;
    });
    ASSERT_EQ(visited, expected);
    // The visit that returns false is the last one.
    visited.clear();
    residuals.for_each_fitting(need, first, [&](NodeId n) {
      visited.push_back(n);
      return visited.size() < 2;
    });
    expected.resize(std::min<std::size_t>(expected.size(), 2));
    ASSERT_EQ(visited, expected);
  }
};

TEST_P(ResidualsTest, AgreesWithPlainVectors) {
  for (std::uint64_t seed = 1; seed <= test::cases(3); ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const Instance instance = make_instance(GetParam(), random);
    ASSERT_EQ(instance.narrow(), GetParam().narrow);
    instance.visit_unit([&](auto unit) { exercise<decltype(unit)>(instance, random); });
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ResidualsTest, ::testing::ValuesIn(kShapes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ResidualsCaseTest, AVisitMayTakeFromItsNode) {
  InstanceBuilder builder;
  builder.add_app("half", 100, {5});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Residuals<std::int16_t> residuals(instance);
  for (int n = 0; n < 200; ++n) residuals.add_node(0, {});
  Residuals<std::int16_t>::Need need;
  residuals.prepare(0, need);
  for (int round = 0; round < 3; ++round) {
    std::uint32_t visits = 0;
    residuals.for_each_fitting(need, 0, [&](NodeId node) {
      EXPECT_EQ(node, visits);
      residuals.take(0, node, 1);
      ++visits;
      return true;
    });
    // Two replicas fill a node.
    EXPECT_EQ(visits, round < 2 ? 200 : 0);
  }
}

TEST(ResidualsCaseTest, NoNodesFitNothing) {
  InstanceBuilder builder;
  builder.add_app("idle", 1, {0});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Residuals<std::int16_t> residuals(instance);
  Residuals<std::int16_t>::Need need;
  residuals.prepare(0, need);
  residuals.for_each_fitting(need, 0, [](NodeId) {
    ADD_FAILURE();
    return false;
  });
}

// The largest replica counts and capacities that each integer type has to hold.
TEST(ResidualsCaseTest, TheEndsOfTheIntegers) {
  InstanceBuilder narrow;
  narrow.add_app("crumb", 1'000'000, {1});
  narrow.add_app("nothing", 90'000'000, {0});
  narrow.add_app("whale", 1, {32'767});
  narrow.add_class({32'766});
  const Instance instance = narrow.must_build();
  ASSERT_TRUE(instance.narrow());
  Residuals<std::int16_t> residuals(instance);
  residuals.add_node(0, {});
  Residuals<std::int16_t>::Need need;
  residuals.prepare(2, need);
  EXPECT_EQ(residuals.copies(need, 0, 1), 0);
  residuals.prepare(1, need);
  EXPECT_EQ(residuals.copies(need, 0, 90'000'000), 90'000'000);
  residuals.take(1, 0, 90'000'000);
  residuals.prepare(0, need);
  EXPECT_EQ(residuals.copies(need, 0, 1'000'000), 32'766);
  residuals.take(0, 0, 32'766);
  EXPECT_EQ(residuals.residual(0, 0), 0);
  residuals.give_back(0, 0, 32'766);
  residuals.give_back(1, 0, 90'000'000);
  EXPECT_EQ(residuals.residual(0, 0), 32'766);

  InstanceBuilder wide;
  wide.add_app("crumb", 1, {1});
  wide.add_class({kMaxScaled});
  const Instance large = wide.must_build();
  ASSERT_FALSE(large.narrow());
  Residuals<std::int32_t> most(large);
  most.add_node(0, {});
  Residuals<std::int32_t>::Need one;
  most.prepare(0, one);
  EXPECT_EQ(most.copies(one, 0, kNone - 1), kMaxScaled);
}

}  // namespace
}  // namespace stowage
