#include "core/solver/sparse_basis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/effort.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using BasisColumns = std::vector<std::vector<SparseBasis::Entry>>;

std::vector<SparseBasis::Entry> random_column(test::Random& random, std::uint32_t rows, std::uint32_t most) {
  std::vector<SparseBasis::Entry> column;
  for (std::uint32_t k = random.between(1, most); k > 0; --k) {
    const std::uint32_t row = random.below(rows);
    const bool known = std::any_of(column.begin(), column.end(), [&](const auto& e) { return e.row == row; });
    if (!known) column.push_back({row, static_cast<double>(random.between(1, 3))});
  }
  return column;
}

void expect_solves(const SparseBasis& basis, const BasisColumns& columns, test::Random& random) {
  const std::size_t n = columns.size();
  std::vector<double> x(n);
  std::vector<double> y(n);
  for (double& value : x) value = random.share();
  for (double& value : y) value = random.share();
  std::vector<double> b(n, 0);
  std::vector<double> c(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (const SparseBasis::Entry& e : columns[j]) {
      b[e.row] += e.value * x[j];
      c[j] += e.value * y[e.row];
    }
  }
  basis.solve(b);
  basis.solve_left(c);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(b[k], x[k], 1e-6);
    EXPECT_NEAR(c[k], y[k], 1e-6);
  }
}

TEST(SparseBasisTest, SolvesWithColumnsReplaced) {
  test::Random random(5);
  std::uint64_t solved = 0;
  for (std::uint64_t k = 0; k < test::cases(300); ++k) {
    const std::uint32_t n = random.between(1, 40);
    BasisColumns columns(n);
    for (std::uint32_t j = 0; j < n; ++j) {
      columns[j] = random_column(random, n, 3);
      std::erase_if(columns[j], [&](const auto& e) { return e.row == j; });
      columns[j].push_back({j, 4});
    }
    SparseBasis basis;
    if (!basis.factorize(columns)) continue;
    ++solved;
    expect_solves(basis, columns, random);
    for (std::uint32_t times = 0; times < 10; ++times) {
      const auto column = random_column(random, n, 4);
      std::vector<double> step(n, 0);
      for (const SparseBasis::Entry& e : column) step[e.row] = e.value;
      basis.solve(step);
      const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
      const auto at = static_cast<std::size_t>(std::max_element(step.begin(), step.end(), larger) - step.begin());
      if (std::abs(step[at]) < .1) continue;
      basis.replace(at, step);
      columns[at] = column;
      expect_solves(basis, columns, random);
    }
  }
  EXPECT_GT(solved, test::cases(200));
}

TEST(SparseBasisTest, DependentColumnsAreSeen) {
  SparseBasis basis;
  EXPECT_FALSE(basis.factorize({{{0, 1}, {1, 1}}, {{0, 2}, {1, 2}}}));
  EXPECT_FALSE(basis.factorize({{{0, 1}}, {{0, 1}}}));
  EXPECT_TRUE(basis.factorize({{{0, 1}, {1, 1}}, {{0, 2}, {1, 1}}}));
}

}  // namespace
}  // namespace stowage
