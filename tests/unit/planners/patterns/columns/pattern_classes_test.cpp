#include "core/planners/patterns/columns/pattern_classes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

Pattern sum(const Pattern& a, const Pattern& b) {
  Pattern result = a;
  for (std::size_t i = 0; i < b.size(); ++i) result[i] += b[i];
  return result;
}

TEST(PatternClassesTest, EvenAndOdd) {
  // Two large replicas on each node, and any number of small ones.
  const std::vector<Pattern> patterns = {{2, 0}, {2, 1}};
  const PatternClasses classes(2, patterns);
  ASSERT_EQ(classes.count(), 2u);
  EXPECT_EQ(classes.of({4, 7}), 0u);
  EXPECT_EQ(classes.of({3, 0}), 1u);
  EXPECT_EQ(classes.of_app(0), 1u);
  EXPECT_EQ(classes.of_app(1), 0u);
  EXPECT_EQ(classes.times(1, 4'000'000'001u), 1u);
  // An odd number of large replicas needs a pattern with an odd number of them.
  EXPECT_EQ(classes.least_loss({9, 1.5}, 1), 1.5);
  EXPECT_EQ(classes.least_loss({9, 1.5}, 0), 0);
}

TEST(PatternClassesTest, AsFewPatternsAsLeaveFewClasses) {
  // The first two leave 21 classes; the third, which has the largest loss, is not needed.
  const std::vector<Pattern> patterns = {{3, 0}, {0, 7}, {1, 1}};
  EXPECT_EQ(PatternClasses(2, patterns).count(), 21u);
  EXPECT_EQ(PatternClasses(2, std::vector<Pattern>{{8, 0}, {0, 9}, {1, 1}}).count(), 1u) << "72 are too many";
  EXPECT_EQ(PatternClasses(2, {}).count(), 1u) << "so are all";
  EXPECT_EQ(PatternClasses(2, {}).of({5, 3}), 0u);
  const std::vector<Pattern> odd_prime = {{31, 0}, {0, 1}};
  EXPECT_EQ(PatternClasses(2, odd_prime).count(), 1u) << "31 does not divide the modulus, so its multiples say nothing";
}

// Members of a class differ by patterns of the lattice. The least loss is that of the cheapest collection, found by trying all.
TEST(PatternClassesTest, AgreesWithTryingAll) {
  test::Random random(5);
  for (std::uint64_t round = 0; round < test::cases(300); ++round) {
    const std::size_t apps = random.between(1, 4);
    std::vector<Pattern> lattice;
    for (std::size_t k = 0; k < apps + random.below(3); ++k) {
      for (std::uint32_t& n : lattice.emplace_back(apps)) n = random.below(7);
    }
    const PatternClasses classes(apps, lattice);
    const auto draw = [&] {
      Pattern pattern(apps);
      for (std::uint32_t& n : pattern) n = random.below(30);
      return pattern;
    };
    for (int k = 0; k < 20; ++k) {
      const Pattern a = draw();
      const Pattern b = draw();
      const std::uint32_t both = classes.of(sum(a, b));
      ASSERT_LT(both, classes.count());
      EXPECT_EQ(classes.sum(classes.of(a), classes.of(b)), both);
      EXPECT_EQ(classes.difference(both, classes.of(b)), classes.of(a));
    }
    if (classes.count() == 1) continue;
    // The lattice consists of the patterns up to some index, so that it always contains the first one.
    EXPECT_EQ(classes.of(lattice.front()), 0u);
    std::vector<double> losses;
    for (std::uint32_t c = 0; c < classes.count(); ++c) losses.push_back(1 + random.below(100));
    // A number of rounds equal to the number of classes reaches all classes.
    std::vector<double> least(classes.count(), std::numeric_limits<double>::infinity());
    least[0] = 0;
    for (std::uint32_t step = 0; step < classes.count(); ++step) {
      for (std::uint32_t from = 0; from < classes.count(); ++from) {
        for (std::uint32_t by = 1; by < classes.count(); ++by) {
          double& to = least[classes.sum(from, by)];
          to = std::min(to, least[from] + losses[by]);
        }
      }
    }
    for (std::uint32_t c = 0; c < classes.count(); ++c) EXPECT_EQ(classes.least_loss(losses, c), least[c]);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace stowage
