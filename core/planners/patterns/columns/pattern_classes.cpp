#include "core/planners/patterns/columns/pattern_classes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage {
namespace {

constexpr std::int64_t kModulus = PatternClasses::kModulus;

/// Classes, and their product with the number of apps, at most.
constexpr std::uint64_t kFewClasses = 64;
constexpr std::uint64_t kMostTables = 2048;

using Vector = std::vector<std::int64_t>;

// A lattice that holds all multiples of the modulus, as a triangle of vectors that generate it (Hermite normal form): the r-th
// vector is 0 before its r-th number, which divides the modulus.
class Lattice {
 public:
  explicit Lattice(std::size_t rows) : triangle_(rows, Vector(rows, 0)) {
    for (std::size_t r = 0; r < rows; ++r) triangle_[r][r] = kModulus;
  }

  void add(Vector vector) {
    for (std::size_t r = 0; r < triangle_.size(); ++r) {
      // Euclid's algorithm on the leading numbers.
      while (vector[r] != 0) {
        subtract(triangle_[r], triangle_[r][r] / vector[r], vector, r);
        std::swap(triangle_[r], vector);
      }
    }
  }

  /// Makes of a vector the one of its class whose numbers are at least 0 and below those of the diagonal.
  void reduce(Vector& vector) const {
    for (std::size_t r = 0; r < triangle_.size(); ++r) subtract(vector, vector[r] / triangle_[r][r], triangle_[r], r);
  }

  /// Number of classes; where there are more than `most`, any number above it.
  [[nodiscard]] std::uint64_t index(std::uint64_t most) const {
    std::uint64_t product = 1;
    for (std::size_t r = 0; r < triangle_.size() && product <= most; ++r)
      product *= static_cast<std::uint64_t>(triangle_[r][r]);
    return product;
  }

  [[nodiscard]] std::int64_t diagonal(std::size_t r) const { return triangle_[r][r]; }

 private:
  static void subtract(Vector& from, std::int64_t times, const Vector& what, std::size_t first) {
    if (times == 0) return;
    for (std::size_t k = first; k < from.size(); ++k) {
      from[k] = (from[k] - times * what[k]) % kModulus;
      if (from[k] < 0) from[k] += kModulus;
    }
  }

  std::vector<Vector> triangle_;
};

}  // namespace

PatternClasses::PatternClasses(std::size_t apps, std::span<const Pattern> patterns) : of_app_(apps, 0) {
  Lattice lattice(apps);
  const std::uint64_t most = std::min(kFewClasses, kMostTables / apps);
  std::uint64_t index = lattice.index(most);
  for (std::size_t k = 0; k < patterns.size() && index > most; ++k) {
    lattice.add({patterns[k].begin(), patterns[k].end()});
    index = lattice.index(most);
  }
  if (index <= most) count_ = static_cast<std::uint32_t>(index);
  // A class is the number whose digits are those of the reduced vector.
  const auto class_of = [&](Vector& vector) {
    lattice.reduce(vector);
    std::int64_t number = 0;
    for (std::size_t r = apps; r-- > 0;) number = number * lattice.diagonal(r) + vector[r];
    return static_cast<std::uint32_t>(number);
  };
  const auto vector_of = [&](std::int64_t number) {
    Vector vector(apps);
    for (std::size_t r = 0; r < apps; ++r) {
      vector[r] = number % lattice.diagonal(r);
      number /= lattice.diagonal(r);
    }
    return vector;
  };
  if (count_ > 1) {
    for (std::size_t i = 0; i < apps; ++i) {
      Vector unit(apps, 0);
      unit[i] = 1;
      of_app_[i] = class_of(unit);
    }
  }
  sums_.assign(std::size_t{count_} * count_, 0);
  differences_ = sums_;
  for (std::uint32_t a = 0; a < count_ && count_ > 1; ++a) {
    for (std::uint32_t b = 0; b < count_; ++b) {
      Vector vector = vector_of(a);
      const Vector other = vector_of(b);
      for (std::size_t r = 0; r < apps; ++r) vector[r] += other[r];
      const std::uint32_t both = class_of(vector);
      sums_[a * count_ + b] = both;
      differences_[both * count_ + b] = a;
    }
  }
}

std::uint32_t PatternClasses::of(const Pattern& pattern) const {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) result = sum(result, times(of_app_[i], pattern[i]));
  return result;
}

std::uint32_t PatternClasses::times(std::uint32_t c, std::uint64_t factor) const {
  std::uint32_t result = 0;
  for (; factor > 0; factor /= 2) {
    if (factor % 2 != 0) result = sum(result, c);
    c = sum(c, c);
  }
  return result;
}

// Dijkstra's algorithm on classes, where every class is one step from every other.
double PatternClasses::least_loss(std::vector<double> losses, std::uint32_t wanted) const {
  losses[0] = 0;
  const std::vector<double> steps = losses;
  std::vector<bool> settled(count_, false);
  while (true) {
    std::uint32_t next = count_;
    for (std::uint32_t c = 0; c < count_; ++c) {
      if (!settled[c] && (next == count_ || losses[c] < losses[next])) next = c;
    }
    if (next == wanted || next == count_) return losses[wanted];
    settled[next] = true;
    for (std::uint32_t c = 0; c < count_; ++c) {
      double& known = losses[sum(next, c)];
      known = std::min(known, losses[next] + steps[c]);
    }
  }
}

}  // namespace stowage
