#include "core/simd/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

template <class Unit>
std::vector<const Kernels<Unit>*> all_sets() {
  std::vector<const Kernels<Unit>*> result;
  for (const Kernels<Unit>* const* at = all_kernels<Unit>(); *at != nullptr; ++at) result.push_back(*at);
  return result;
}

// Every set of kernels against plain loops over the same data, and so against each other.
template <class Unit>
class KernelsTest : public ::testing::Test {
 protected:
  static std::vector<const Kernels<Unit>*> sets() { return all_sets<Unit>(); }
  static Unit any(test::Random& random) {
    // Mostly small values, so that both results of >= occur, and the ends of the range.
    switch (random.below(20)) {
      case 0:
        return std::numeric_limits<Unit>::max();
      case 1:
        return std::numeric_limits<Unit>::min();
      case 2:
        return -1;
      default:
        return static_cast<Unit>(random.below(64));
    }
  }
};

using Units = ::testing::Types<std::int16_t, std::int32_t>;

class UnitNames {
 public:
  template <class Unit>
  static std::string GetName(int) {  // NOLINT(readability-identifier-naming): Google Test asks for this name
    return sizeof(Unit) == 2 ? "Int16" : "Int32";
  }
};

TYPED_TEST_SUITE(KernelsTest, Units, UnitNames);

TYPED_TEST(KernelsTest, TheBestSetIsTheFirstOfAll) {
  ASSERT_FALSE(this->sets().empty());
  EXPECT_EQ(&best_kernels<TypeParam>(), this->sets().front());
}

TYPED_TEST(KernelsTest, FindBlockAgreesWithALoop) {
  using Unit = TypeParam;
  test::Random random(7);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t rows = random.between(1, 5);
    const std::uint32_t blocks = random.between(1, 150);
    // In the first rounds most nodes have room; in later ones few do, so that whole groups of blocks are skipped.
    const double fits = round < 20 ? 0.5 : round < 40 ? 0.01 : 0.0005;
    const std::size_t stride = std::size_t{blocks} * kBlock + kBlock * random.below(3);
    const std::size_t block_stride = (blocks + kBlock - 1) / kBlock * kBlock;
    std::vector<Unit> values(stride * rows, -1);
    std::vector<Unit> block_max(block_stride * rows, -1);
    std::vector<Unit> need(rows);
    for (Unit& n : need) n = static_cast<Unit>(random.below(100));
    for (std::uint32_t h = 0; h < rows; ++h) {
      for (std::size_t n = 0; n < std::size_t{blocks} * kBlock; ++n) {
        Unit& value = values[h * stride + n];
        value = static_cast<Unit>(random.chance(fits) ? need[h] + random.below(2) : need[h] - 1);
        Unit& largest = block_max[h * block_stride + n / kBlock];
        largest = std::max(largest, value);
      }
    }
    const ResidualColumns<Unit> columns = {values.data(), stride, block_max.data(), block_stride, rows, blocks};
    const auto expected_mask = [&](std::uint32_t block) {
      std::uint64_t mask = 0;
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        bool all = true;
        for (std::uint32_t h = 0; h < rows; ++h) all = all && values[h * stride + std::size_t{block} * kBlock + k] >= need[h];
        mask |= std::uint64_t{all} << k;
      }
      return mask;
    };
    for (const Kernels<Unit>* kernels : this->sets()) {
      std::uint32_t from = 0;
      for (std::uint32_t expected = 0; expected < blocks; ++expected) {
        if (expected_mask(expected) == 0) continue;
        std::uint64_t mask = 0;
        ASSERT_EQ(kernels->find_block(columns, need.data(), from, &mask), expected);
        ASSERT_EQ(mask, expected_mask(expected));
        from = expected + 1;
      }
      std::uint64_t mask = 0;
      ASSERT_EQ(kernels->find_block(columns, need.data(), from, &mask), blocks);
    }
  }
}

TYPED_TEST(KernelsTest, AtLeastAgreesWithALoop) {
  using Unit = TypeParam;
  test::Random random(11);
  for (std::uint64_t round = 0; round < test::cases(200); ++round) {
    std::vector<Unit> values(kBlock);
    for (Unit& value : values) value = this->any(random);
    const auto need = static_cast<Unit>(std::max<Unit>(this->any(random), std::numeric_limits<Unit>::min() + 1));
    std::uint64_t expected = 0;
    for (std::uint32_t k = 0; k < kBlock; ++k) expected |= std::uint64_t{values[k] >= need} << k;
    for (const Kernels<Unit>* kernels : this->sets()) ASSERT_EQ(kernels->at_least(values.data(), need), expected);
  }
}

TYPED_TEST(KernelsTest, BlockDotsAreEqualToTheLastBit) {
  using Unit = TypeParam;
  test::Random random(12);
  for (const std::size_t size : {1u, 2u, 3u, 17u}) {
    const std::size_t stride = kBlock + 5;
    std::vector<double> rows(size * stride);
    std::vector<double> weight(size);
    for (double& value : rows) value = random.below(1000) / 7.0;
    for (double& value : weight) value = random.below(1000) / 3.0;
    for (const Kernels<Unit>* kernels : this->sets()) {
      std::vector<double> sums(kBlock, -1);
      kernels->block_dot(rows.data(), stride, weight.data(), size, sums.data());
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        double expected = 0;
        for (std::size_t h = 0; h < size; ++h) expected += weight[h] * rows[h * stride + k];
        ASSERT_EQ(sums[k], expected);
      }
    }
  }
}

TYPED_TEST(KernelsTest, CoversAgreesWithALoop) {
  using Unit = TypeParam;
  test::Random random(8);
  for (std::size_t size = 0; size < 260; ++size) {
    for (int round = 0; round < 4; ++round) {
      std::vector<Unit> residual(size);
      for (Unit& v : residual) v = this->any(random);
      std::vector<Unit> need(residual);
      bool expected = true;
      // Needs equal everywhere, larger in one place, or random.
      if (round == 1 && size > 0) {
        Unit& one = need[random.below(static_cast<std::uint32_t>(size))];
        if (one < std::numeric_limits<Unit>::max()) ++one;
      }
      if (round > 1) {
        for (Unit& v : need) v = this->any(random);
      }
      for (std::size_t h = 0; h < size; ++h) expected = expected && residual[h] >= need[h];
      for (const Kernels<Unit>* kernels : this->sets()) {
        ASSERT_EQ(kernels->covers(residual.data(), need.data(), size), expected) << size;
      }
    }
  }
}

TYPED_TEST(KernelsTest, SubtractAgreesWithALoop) {
  using Unit = TypeParam;
  test::Random random(9);
  for (std::size_t size = 0; size < 200; ++size) {
    for (const int times : {1, -1, 3, -7, 0}) {
      std::vector<Unit> before(size);
      std::vector<Unit> need(size);
      for (Unit& v : before) v = static_cast<Unit>(random.below(2000));
      for (Unit& v : need) v = static_cast<Unit>(random.below(2000));
      for (const Kernels<Unit>* kernels : this->sets()) {
        std::vector<Unit> residual(before);
        kernels->subtract(residual.data(), need.data(), static_cast<Unit>(times), size);
        for (std::size_t h = 0; h < size; ++h) ASSERT_EQ(residual[h], before[h] - times * need[h]);
      }
    }
  }
}

TYPED_TEST(KernelsTest, ExtremesOfBlocksAndRows) {
  using Unit = TypeParam;
  test::Random random(10);
  for (std::size_t size = 1; size < 200; ++size) {
    std::vector<Unit> values(std::max<std::size_t>(size, kBlock));
    for (Unit& v : values) v = this->any(random);
    for (const Kernels<Unit>* kernels : this->sets()) {
      ASSERT_EQ(kernels->block_max(values.data()), *std::max_element(values.begin(), values.begin() + kBlock));
      ASSERT_EQ(kernels->minimum(values.data(), size),
                *std::min_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size)));
    }
  }
}

// Values such that neither sum leaves the type's range, as the kernel requires.
TYPED_TEST(KernelsTest, ExchangeMinimumAgreesWithALoop) {
  using Unit = TypeParam;
  test::Random random(13);
  for (std::size_t size = 1; size <= 200; ++size) {
    std::vector<Unit> residual(size);
    std::vector<Unit> leaving(size);
    std::vector<Unit> arriving(size);
    for (Unit& v : residual) v = static_cast<Unit>(random.below(16'700)) - 700;
    for (Unit& v : leaving) v = static_cast<Unit>(random.below(16'000));
    for (Unit& v : arriving) v = static_cast<Unit>(random.chance(0.1) ? 32'001 : random.below(2000));
    Unit smallest = std::numeric_limits<Unit>::max();
    for (std::size_t h = 0; h < size; ++h) {
      smallest = std::min(smallest, static_cast<Unit>(residual[h] + leaving[h] - arriving[h]));
    }
    const auto ask = [&](const Kernels<Unit>* kernels, Unit least) {
      return kernels->exchange_minimum(residual.data(), leaving.data(), arriving.data(), least, size);
    };
    for (const Kernels<Unit>* kernels : this->sets()) {
      ASSERT_EQ(ask(kernels, std::numeric_limits<Unit>::min()), smallest) << size;
      ASSERT_EQ(ask(kernels, smallest), smallest) << size;
    }
    // If `least` is above the minimum, the result is some value below `least`, and the same one for all sets.
    for (const Unit least : {static_cast<Unit>(smallest + 1), Unit{0}, Unit{1000}, std::numeric_limits<Unit>::max()}) {
      const Unit first = ask(this->sets().front(), least);
      if (smallest < least) {
        ASSERT_LT(first, least) << size;
      } else {
        ASSERT_EQ(first, smallest) << size;
      }
      for (const Kernels<Unit>* kernels : this->sets()) ASSERT_EQ(ask(kernels, least), first) << size;
    }
  }
}

TYPED_TEST(KernelsTest, SetsAreUnited) {
  for (std::size_t size = 0; size < 70; ++size) {
    std::vector<std::uint64_t> left(size);
    std::vector<std::uint64_t> right(size);
    std::vector<std::uint64_t> both(size);
    for (std::size_t w = 0; w < size; ++w) {
      left[w] = 0x9E3779B97F4A7C15u * (w + 1);
      right[w] = 0xBF58476D1CE4E5B9u * (w + 7);
      both[w] = left[w] | right[w];
    }
    for (const Kernels<TypeParam>* kernels : this->sets()) {
      std::vector<std::uint64_t> set = left;
      kernels->unite(set.data(), right.data(), size);
      ASSERT_EQ(set, both) << size;
    }
  }
}

TYPED_TEST(KernelsTest, ExponentialsAreEqualToTheLastBit) {
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<double> exponents(size);
    for (std::size_t h = 0; h < size; ++h) exponents[h] = 4.0 * static_cast<double>(h) / static_cast<double>(size);
    std::vector<double> first = exponents;
    this->sets().front()->exponentiate(first.data(), size, 6);
    for (const Kernels<TypeParam>* kernels : this->sets()) {
      std::vector<double> values = exponents;
      kernels->exponentiate(values.data(), size, 6);
      ASSERT_EQ(values, first) << size;
    }
    for (std::size_t h = 0; h < size; ++h) ASSERT_NEAR(first[h], std::exp(exponents[h]), 1e-12 * first[h]);
  }
}

TYPED_TEST(KernelsTest, WeightedSumsAreEqualToTheLastBit) {
  using Unit = TypeParam;
  test::Random random(11);
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<Unit> values(size);
    std::vector<double> weight(size);
    double exact = 0;
    for (std::size_t h = 0; h < size; ++h) {
      values[h] = static_cast<Unit>(random.below(30'000));
      weight[h] = 1.0 / random.between(1, 1000);
      exact += weight[h] * values[h];
    }
    const double first = this->sets().front()->weighted_sum(values.data(), weight.data(), size);
    EXPECT_NEAR(first, exact, 1e-12 * (1 + exact));
    for (const Kernels<Unit>* kernels : this->sets()) {
      ASSERT_EQ(kernels->weighted_sum(values.data(), weight.data(), size), first) << size;
    }
  }
}

// Excess over a node's capacity, for values whose differences stay within the type's range.
template <class Unit>
std::int32_t excess_of(const std::vector<Unit>& residual, const std::vector<Unit>& leaving, const std::vector<Unit>& arriving) {
  std::int32_t sum = 0;
  for (std::size_t h = 0; h < residual.size(); ++h) sum += std::max(0, int{arriving[h]} - int{leaving[h]} - int{residual[h]});
  return sum;
}

TEST(KernelsOf16BitsTest, ExcessAgreesWithALoop) {
  using Unit = std::int16_t;
  const std::vector<const Kernels<Unit>*> sets = all_sets<Unit>();
  test::Random random(12);
  for (std::size_t size = 0; size <= 300; ++size) {
    std::vector<Unit> residual(size);
    std::vector<Unit> leaving(size);
    std::vector<Unit> arriving(size);
    for (Unit& v : residual) v = static_cast<Unit>(static_cast<int>(random.below(13'800)) - 13'500);
    for (Unit& v : leaving) v = static_cast<Unit>(random.below(3000));
    for (Unit& v : arriving) v = static_cast<Unit>(random.chance(0.1) ? 19'200 : random.below(2000));
    const std::int32_t excess = excess_of(residual, leaving, arriving);
    for (const Kernels<Unit>* kernels : sets) {
      const auto ask = [&](std::int32_t most) {
        return kernels->excess(residual.data(), leaving.data(), arriving.data(), most, size);
      };
      ASSERT_EQ(ask(std::numeric_limits<std::int32_t>::max()), excess) << size;
      ASSERT_EQ(ask(excess), excess) << size;
      // If `most` is below the excess, the result is some value above `most`, and the same one for all sets.
      for (const std::int32_t most : {excess - 1, excess / 2, -1}) {
        if (most < excess) {
          ASSERT_GT(ask(most), most) << size;
        }
        ASSERT_EQ(ask(most), sets.front()->excess(residual.data(), leaving.data(), arriving.data(), most, size)) << size;
      }
    }
  }
}

TEST(KernelsOf16BitsTest, FirstExchangeAgreesWithALoop) {
  using Unit = std::int16_t;
  const std::vector<const Kernels<Unit>*> sets = all_sets<Unit>();
  test::Random random(11);
  std::uint32_t found = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t size = 32 * (1 + random.below(8));
    const ExcessCost cost = round % 2 == 0 ? ExcessCost{} : ExcessCost{0.25F, 12.5F};
    const auto row = [&](std::uint32_t range) {
      std::vector<Unit> values(size);
      for (Unit& v : values) v = static_cast<Unit>(random.below(range));
      return values;
    };
    const std::vector<Unit> arriving = row(3000);
    const std::size_t count = random.below(33);
    std::vector<std::vector<Unit>> leaving;
    std::vector<std::vector<Unit>> residual;
    std::vector<Partner<Unit>> partners;
    for (std::size_t k = 0; k < count; ++k) {
      leaving.push_back(row(3000));
      residual.push_back(row(random.chance(0.5) ? 3000 : 300));
    }
    std::size_t expected = count;
    for (std::size_t k = 0; k < count; ++k) {
      const std::int32_t excess = excess_of(residual[k], leaving[k], arriving);
      // Often just affordable, or just not.
      const float enough = cost(excess) + static_cast<float>(random.below(3)) - (random.chance(0.1) ? 0.0F : 2.0F);
      partners.push_back({leaving[k].data(), residual[k].data(), enough, 0, static_cast<std::uint32_t>(k)});
      if (expected == count && cost(excess) <= enough) expected = k;
    }
    found += expected < count ? 1 : 0;
    for (const Kernels<Unit>* kernels : sets) {
      std::int32_t there = -1;
      ASSERT_EQ(kernels->first_exchange(arriving.data(), partners.data(), count, size, cost, &there), expected);
      if (expected < count) {
        ASSERT_EQ(there, excess_of(residual[expected], leaving[expected], arriving));
      }
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_LT(found, 390u);
}

TEST(ExcessCostTest, TheLargestThatIsAffordable) {
  for (const ExcessCost cost : {ExcessCost{}, ExcessCost{0.5F, 10}, ExcessCost{0.03F, 11}, ExcessCost{0, 11}}) {
    EXPECT_EQ(cost(0), 0);
    EXPECT_EQ(cost.largest(-0.5F), -1);
    for (const std::int32_t excess : {0, 1, 2, 7, 100, 5000, 1'000'000}) {
      EXPECT_GE(cost.largest(cost(excess)), excess);
      EXPECT_LE(cost.largest(cost(excess)), excess * 1.0001 + 2);
      EXPECT_LE(cost(excess), cost(excess + 1));
    }
    EXPECT_GT(cost.largest(1e30F), 100'000'000) << "whatever that is, it is a number";
  }
}

}  // namespace
}  // namespace stowage
