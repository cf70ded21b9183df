#include "capi/cli/learn/interference/small_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace stowage::cli::learn {
namespace {

/// Turns two columns by the angle with this cosine and sine.
void turn(std::span<double> first, std::span<double> second, double cosine, double sine) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double before = first[i];
    first[i] = cosine * before - sine * second[i];
    second[i] = sine * before + cosine * second[i];
  }
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double length(std::span<const double> a) { return std::sqrt(dot(a, a)); }

void make_triangular(Matrix& a) {
  for (std::size_t j = 0; j < a.columns() && j < a.rows(); ++j) {
    const std::span<double> mirror = a.column(j).subspan(j);
    const double norm = length(mirror);
    if (norm == 0) continue;
    const double diagonal = mirror[0] > 0 ? -norm : norm;
    mirror[0] -= diagonal;
    const double half = std::abs(diagonal) * std::abs(mirror[0]);  // of the mirror's squared length
    for (std::size_t k = j + 1; k < a.columns(); ++k) {
      const std::span<double> column = a.column(k).subspan(j);
      const double share = dot(mirror, column) / half;
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= share * mirror[i];
    }
    std::fill(mirror.begin(), mirror.end(), 0);
    mirror[0] = diagonal;
  }
}

std::vector<double> least_squares(const Matrix& a, std::span<const double> b) {
  const std::size_t columns = a.columns();
  Matrix all(a.rows(), columns + 1);
  for (std::size_t j = 0; j < columns; ++j) std::copy_n(a.column(j).begin(), a.rows(), all.column(j).begin());
  std::copy_n(b.begin(), a.rows(), all.column(columns).begin());
  make_triangular(all);
  std::vector<double> x(columns, 0);
  for (std::size_t j = columns; j-- > 0;) {
    double rest = all(j, columns);
    for (std::size_t k = j + 1; k < columns; ++k) rest -= all(j, k) * x[k];
    x[j] = rest / all(j, j);
  }
  return x;
}

// One-sided rotations (Hestenes): columns are turned in pairs until all are orthogonal. Their lengths are the singular values.
Singular singular(Matrix a) {
  constexpr int kMostSweeps = 60;
  constexpr double kOrthogonal = std::numeric_limits<double>::epsilon();
  const std::size_t count = a.columns();
  Matrix turned(count, count);
  for (std::size_t j = 0; j < count; ++j) turned(j, j) = 1;
  bool changes = true;
  for (int sweep = 0; sweep < kMostSweeps && changes; ++sweep) {
    changes = false;
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t q = p + 1; q < count; ++q) {
        const double first = dot(a.column(p), a.column(p));
        const double second = dot(a.column(q), a.column(q));
        const double product = dot(a.column(p), a.column(q));
        if (std::abs(product) <= kOrthogonal * std::sqrt(first) * std::sqrt(second)) continue;
        changes = true;
        const double slope = (second - first) / (2 * product);
        const double tangent = (slope < 0 ? -1 : 1) / (std::abs(slope) + std::hypot(1, slope));
        const double cosine = 1 / std::hypot(1, tangent);
        turn(a.column(p), a.column(q), cosine, cosine * tangent);
        turn(turned.column(p), turned.column(q), cosine, cosine * tangent);
      }
    }
  }
  std::vector<double> lengths(count);
  for (std::size_t j = 0; j < count; ++j) lengths[j] = length(a.column(j));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t j, std::size_t k) { return lengths[j] > lengths[k]; });
  Singular result{{}, Matrix(count, count)};
  for (std::size_t k = 0; k < count; ++k) {
    result.values.push_back(lengths[order[k]]);
    std::copy_n(turned.column(order[k]).begin(), count, result.vectors.column(k).begin());
  }
  return result;
}

}  // namespace stowage::cli::learn
