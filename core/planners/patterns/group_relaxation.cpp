#include "core/planners/patterns/group_relaxation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "core/solver/dense_inverse.h"

namespace stowage {
namespace {

/// Products of two residues fit 64 bits.
constexpr double kMostClasses = 0x1p31;
/// Entries of the adjoint are exact in a double, and sums of their products with amounts fit 64 bits.
constexpr double kMostAdjoint = 0x1p40;
constexpr std::uint32_t kMostAmount = 1 << 14;
constexpr std::size_t kMostRows = 64;
/// A search keeps so many classes at most.
constexpr std::size_t kMostStates = 1'000'000;
/// Where the basis does not cover the rest of a shortest path, those up to so many times as long are looked at.
constexpr double kDetour = 2;
constexpr std::uint32_t kMostAttempts = 200'000;
/// Steps looked at in a unit of work.
constexpr std::uint64_t kStepsPerUnit = 2;
constexpr std::uint64_t kSlice = 1024;
/// Paths whose losses differ by less are equal: relative to what may be lost.
constexpr double kSame = 1e-12;

// Classes that paths reach, each with the least loss known.
class Reached {
 public:
  struct State {
    double loss;
    std::size_t before;  // state; kNowhere at the start
    std::size_t step;
    bool settled;
  };
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  explicit Reached(std::size_t width) : width_(width), slots_(1024, kNowhere) {}

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] State& operator[](std::size_t state) { return states_[state]; }
  [[nodiscard]] const std::uint32_t* class_of(std::size_t state) const { return classes_.data() + state * width_; }
  /// kNowhere where the class was not reached.
  [[nodiscard]] std::size_t find(const std::uint32_t* of) const { return slots_[slot(of)]; }
  std::size_t add(const std::uint32_t* of, const State& state) {
    if (2 * (states_.size() + 1) > slots_.size()) grow();
    slots_[slot(of)] = states_.size();
    classes_.insert(classes_.end(), of, of + width_);
    states_.push_back(state);
    return states_.size() - 1;
  }

 private:
  [[nodiscard]] std::size_t slot(const std::uint32_t* of) const {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < width_; ++k) hash = (hash ^ of[k]) * 0x9E3779B97F4A7C15u;
    for (std::size_t at = (hash ^ hash >> 29) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == kNowhere || std::equal(of, of + width_, class_of(slots_[at]))) return at;
    }
  }
  void grow() {
    slots_.assign(2 * slots_.size(), kNowhere);
    for (std::size_t state = 0; state < states_.size(); ++state) slots_[slot(class_of(state))] = state;
  }

  std::size_t width_;
  std::vector<std::size_t> slots_;
  std::vector<std::uint32_t> classes_;
  std::vector<State> states_;
};

}  // namespace

std::optional<GroupRelaxation> GroupRelaxation::of(const std::vector<Pattern>& basis) {
  const std::size_t n = basis.size();
  if (n == 0 || n > kMostRows) return std::nullopt;
  std::vector<double> matrix(n * n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      if (basis[c][r] > kMostAmount) return std::nullopt;
      matrix[r * n + c] = basis[c][r];
    }
  }
  GroupRelaxation result;
  const double classes = std::round(std::abs(invert(std::move(matrix), n, result.inverse_)));
  if (!(classes >= 1 && classes < kMostClasses)) return std::nullopt;
  result.rows_ = n;
  result.basis_ = basis;
  result.determinant_ = static_cast<std::uint32_t>(classes);
  const auto modulus = static_cast<std::int64_t>(result.determinant_);
  std::vector<std::int64_t> adjoint(n * n);
  for (std::size_t k = 0; k < n * n; ++k) {
    const double entry = std::round(result.inverse_[k] * classes);
    if (!(std::abs(entry) < kMostAdjoint)) return std::nullopt;
    adjoint[k] = static_cast<std::int64_t>(entry);
  }
  // Elimination rounds; what it found is checked in integers.
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += std::int64_t{basis[k][r]} * adjoint[k * n + c];
      if (sum != (r == c ? modulus : 0)) return std::nullopt;
    }
  }
  for (const std::int64_t entry : adjoint)
    result.adjoint_.push_back(static_cast<std::uint32_t>((entry % modulus + modulus) % modulus));
  return result;
}

bool GroupRelaxation::may_take(const Pattern& wanted, const Pattern& pattern) const {
  for (std::size_t k = 0; k < rows_; ++k) {
    double left = 0;
    for (std::size_t r = 0; r < rows_; ++r)
      left += inverse_[k * rows_ + r] * (static_cast<double>(wanted[r]) - static_cast<double>(pattern[r]));
    if (left < -kSame) return false;
  }
  return true;
}

template <class Number>
GroupRelaxation::Class GroupRelaxation::class_of(const std::vector<Number>& amounts) const {
  const auto modulus = static_cast<std::int64_t>(determinant_);
  Class result(rows_);
  for (std::size_t r = 0; r < rows_; ++r) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < rows_; ++k) {
      const std::int64_t amount = (static_cast<std::int64_t>(amounts[k]) % modulus + modulus) % modulus;
      sum = (sum + amount * adjoint_[r * rows_ + k]) % modulus;
    }
    result[r] = static_cast<std::uint32_t>(sum);
  }
  return result;
}

// Dijkstra's algorithm from both ends, which are alike: from the class that is wanted back to 0 it is as from 0 to it.
//
// The order of steps does not matter, so let those that lose most come first. A part of a shortest path is a shortest path, and
// so is every single step: others are never taken. So once a class is settled, the steps that go on from it are among those
// whose own classes are settled, by themselves; only from 0, all are tried. A path is a first part that loses at most half, a
// step across the middle, and a last part that loses at most half. That step loses no more than the first one, hence no more
// than the first part: when the later one of the two parts is settled, it is known.
GroupRelaxation::Completion GroupRelaxation::shortest(const Pattern& wanted, const std::vector<Step>& steps, double most,
                                                      Run& run) const {
  constexpr std::size_t kNowhere = Reached::kNowhere;
  const Class target = class_of(wanted);
  Completion best{{}, {}, false, most, 0};
  Reached reached(rows_);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto reach = [&](const std::uint32_t* of, const Reached::State& state) {
    const std::size_t known = reached.find(of);
    if (known == kNowhere) {
      queue.emplace(state.loss, reached.add(of, state));
    } else if (!reached[known].settled && state.loss < reached[known].loss) {
      reached[known] = state;
      queue.emplace(state.loss, known);
    }
  };
  reach(Class(rows_).data(), {0, kNowhere, 0, false});
  for (std::size_t k = 0; k < steps.size() && steps[k].loss < most; ++k) {
    if (k % kSlice == 0 && run.clock.step(kSlice)) return best;
    reach(class_of(steps[k].pattern).data(), {steps[k].loss, 0, k, false});
  }
  // Halves of a path have met. Where the basis does not cover the rest, it is a bound, and a longer one may do.
  double shortest = most;
  std::uint32_t attempts = 0;
  std::vector<std::size_t> taken;
  std::vector<std::int64_t> rest;
  const auto meet = [&](double loss, std::size_t first, std::size_t between, std::size_t last) {
    shortest = std::min(shortest, loss);
    if (loss >= best.loss - kSame * most || attempts == kMostAttempts) return;
    ++attempts;
    taken.clear();
    if (between != kNowhere) taken.push_back(between);
    for (std::size_t state : {first, last}) {
      for (; reached[state].before != kNowhere; state = reached[state].before) taken.push_back(reached[state].step);
    }
    rest.assign(wanted.begin(), wanted.end());
    for (const std::size_t step : taken) {
      for (std::size_t i = 0; i < rows_; ++i) rest[i] -= steps[step].pattern[i];
    }
    std::vector<std::uint64_t> times = cover(rest);
    if (times.empty()) return;
    best.loss = loss;
    best.found = true;
    best.steps = taken;
    best.times = std::move(times);
  };
  Class missing(rows_);
  const auto other_end = [&](const Class& of) {
    for (std::size_t r = 0; r < rows_; ++r)
      missing[r] = target[r] >= of[r] ? target[r] - of[r] : target[r] + determinant_ - of[r];
    return reached.find(missing.data());
  };
  std::vector<std::size_t> active;  // steps
  std::vector<std::uint32_t> changes;
  Class at(rows_);
  Class after(rows_);
  bool ended = false;
  while (!queue.empty() && !ended) {
    const auto [loss, state] = queue.top();
    queue.pop();
    if (reached[state].settled) continue;
    best.bound = 2 * loss;
    if (2 * loss > std::min(best.loss, kDetour * shortest)) break;
    reached[state].settled = true;
    std::copy_n(reached.class_of(state), rows_, at.begin());
    if (reached[state].before == 0) {
      active.push_back(reached[state].step);
      changes.insert(changes.end(), at.begin(), at.end());
    }
    if (const std::size_t other = other_end(at); other != kNowhere) meet(loss + reached[other].loss, state, kNowhere, other);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const double far = loss + steps[active[k]].loss;
      if (far >= best.loss) break;
      const std::uint32_t* const change = changes.data() + k * rows_;
      for (std::size_t r = 0; r < rows_; ++r) {
        const std::uint32_t sum = at[r] + change[r];
        after[r] = sum >= determinant_ ? sum - determinant_ : sum;
      }
      if (2 * far <= best.loss) reach(after.data(), {far, state, active[k], false});
      const std::size_t other = other_end(after);
      if (other != kNowhere) meet(far + reached[other].loss, state, active[k], other);
    }
    ended = run.clock.step(1 + active.size() / kStepsPerUnit) || reached.size() > kMostStates;
  }
  best.bound = ended ? std::min(best.bound, shortest) : shortest;
  return best;
}

std::vector<std::uint64_t> GroupRelaxation::cover(const std::vector<std::int64_t>& rest) const {
  std::vector<std::uint64_t> times(rows_);
  std::vector<std::int64_t> covered(rows_, 0);
  for (std::size_t k = 0; k < rows_; ++k) {
    double sum = 0;
    for (std::size_t r = 0; r < rows_; ++r) sum += inverse_[k * rows_ + r] * static_cast<double>(rest[r]);
    const double whole = std::round(sum);
    if (!(whole >= 0 && whole < 0x1p40)) return {};
    times[k] = static_cast<std::uint64_t>(whole);
    for (std::size_t r = 0; r < rows_; ++r) covered[r] += std::int64_t{basis_[k][r]} * static_cast<std::int64_t>(times[k]);
  }
  return covered == rest ? times : std::vector<std::uint64_t>{};
}

}  // namespace stowage
