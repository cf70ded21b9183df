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
constexpr double kMostClassesRelaxed = 0x1p31;
/// Entries of the adjoint are exact in a double, and sums of their products with amounts fit 64 bits.
constexpr double kMostAdjoint = 0x1p40;
constexpr std::uint32_t kMostAmount = 1 << 14;
constexpr std::size_t kMostBasicPatterns = 64;
/// Classes that a search keeps, at most.
constexpr std::size_t kMostStates = 1'000'000;
/// Where the basis does not cover the rest of a shortest path, paths up to this many times as long are looked at.
constexpr double kDetour = 2;
constexpr std::uint32_t kMostAttempts = 200'000;
/// Steps looked at per unit of work, and between two looks at the clock.
constexpr std::uint64_t kStepsPerUnit = 2;
constexpr std::uint64_t kSlice = 1024;
/// Paths whose losses differ by less than this share of what may be lost are equal.
constexpr double kSame = 1e-12;

// Classes that paths reach, each with the least loss known: a hash table with linear probing.
class Reached {
 public:
  struct State {
    double loss;
    std::size_t before;  // the state before the last step; kNowhere at the start
    std::size_t step;    // the last step
    bool settled;
  };
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  explicit Reached(std::size_t width) : width_(width), slots_(1024, kNowhere) {}

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] State& operator[](std::size_t state) { return states_[state]; }
  [[nodiscard]] const std::uint32_t* class_of(std::size_t state) const { return classes_.data() + state * width_; }
  /// The state of the class; kNowhere where it was not reached.
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
  if (n == 0 || n > kMostBasicPatterns) return std::nullopt;
  std::vector<double> matrix(n * n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      if (basis[c][r] > kMostAmount) return std::nullopt;
      matrix[r * n + c] = basis[c][r];
    }
  }
  GroupRelaxation result;
  const double classes = std::round(std::abs(invert(std::move(matrix), n, result.inverse_)));
  if (!(classes >= 1 && classes < kMostClassesRelaxed)) return std::nullopt;
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
  // Elimination is inexact: its result is checked in integers.
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

// Dijkstra's algorithm from both ends, which are alike: the way back from the wanted class to 0 takes the same steps as the way
// from 0 to it.
//
// The order of steps does not matter, so a path takes the steps that lose most first. A part of a shortest path is a shortest
// path, and so is every single step; other steps are never taken. Once a class is settled, the steps that go on from it are
// therefore among those whose own classes are settled by the step alone; only from 0, all steps are tried. A path is a first
// part that loses at most half, a step across the middle, and a last part that loses at most half. The middle step loses no
// more than the first step, hence no more than the first part. So it is known when the later of the two parts is settled.
class GroupRelaxation::PathSearch {
 public:
  PathSearch(const GroupRelaxation& group, const Pattern& wanted, const std::vector<Step>& steps, double most)
      : group_(group),
        rows_(group.rows_),
        wanted_(wanted),
        steps_(steps),
        most_(most),
        target_(group.class_of(wanted)),
        best_{{}, {}, false, most, 0},
        reached_(rows_),
        shortest_(most),
        at_(rows_),
        after_(rows_),
        missing_(rows_) {}

  Completion run(WorkClock& clock) {
    if (start(clock)) best_.bound = settle_all(clock) ? std::min(best_.bound, shortest_) : shortest_;
    return std::move(best_);
  }

 private:
  static constexpr std::size_t kNowhere = Reached::kNowhere;
  using Entry = std::pair<double, std::size_t>;  // loss, state

  // Reaches 0 and every class that is a single step away; false where the run ends.
  bool start(WorkClock& clock) {
    reach(Class(rows_).data(), {0, kNowhere, 0, false});
    for (std::size_t k = 0; k < steps_.size() && steps_[k].loss < most_; ++k) {
      if (k % kSlice == 0 && clock.step(kSlice)) return false;
      reach(group_.class_of(steps_[k].pattern).data(), {steps_[k].loss, 0, k, false});
    }
    return true;
  }

  // Settles classes by ascending loss until no better path is left; true where the run or the memory ends first.
  bool settle_all(WorkClock& clock) {
    bool ended = false;
    while (!queue_.empty() && !ended) {
      const auto [loss, state] = queue_.top();
      queue_.pop();
      if (reached_[state].settled) continue;
      best_.bound = 2 * loss;
      if (2 * loss > std::min(best_.loss, kDetour * shortest_)) break;
      settle(loss, state);
      ended = clock.step(1 + active_.size() / kStepsPerUnit) || reached_.size() > kMostStates;
    }
    return ended;
  }

  void settle(double loss, std::size_t state) {
    reached_[state].settled = true;
    std::copy_n(reached_.class_of(state), rows_, at_.begin());
    if (reached_[state].before == 0) {
      active_.push_back(reached_[state].step);
      changes_.insert(changes_.end(), at_.begin(), at_.end());
    }
    if (const std::size_t other = other_end(at_); other != kNowhere) meet(loss + reached_[other].loss, state, kNowhere, other);
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const double far = loss + steps_[active_[k]].loss;
      if (far >= best_.loss) break;
      const std::uint32_t* const change = changes_.data() + k * rows_;
      for (std::size_t r = 0; r < rows_; ++r) {
        const std::uint32_t sum = at_[r] + change[r];
        after_[r] = sum >= group_.determinant_ ? sum - group_.determinant_ : sum;
      }
      if (2 * far <= best_.loss) reach(after_.data(), {far, state, active_[k], false});
      const std::size_t other = other_end(after_);
      if (other != kNowhere) meet(far + reached_[other].loss, state, active_[k], other);
    }
  }

  void reach(const std::uint32_t* of, const Reached::State& state) {
    const std::size_t known = reached_.find(of);
    if (known == kNowhere) {
      queue_.emplace(state.loss, reached_.add(of, state));
    } else if (!reached_[known].settled && state.loss < reached_[known].loss) {
      reached_[known] = state;
      queue_.emplace(state.loss, known);
    }
  }

  // The state of the class that `of` lacks to the target; kNowhere where it was not reached.
  std::size_t other_end(const Class& of) {
    for (std::size_t r = 0; r < rows_; ++r)
      missing_[r] = target_[r] >= of[r] ? target_[r] - of[r] : target_[r] + group_.determinant_ - of[r];
    return reached_.find(missing_.data());
  }

  // Two parts of a path have met. Where the basis does not cover the rest, the path is a bound, and a longer one may do.
  void meet(double loss, std::size_t first, std::size_t between, std::size_t last) {
    shortest_ = std::min(shortest_, loss);
    if (loss >= best_.loss - kSame * most_ || attempts_ == kMostAttempts) return;
    ++attempts_;
    taken_.clear();
    if (between != kNowhere) taken_.push_back(between);
    for (std::size_t state : {first, last}) {
      for (; reached_[state].before != kNowhere; state = reached_[state].before) taken_.push_back(reached_[state].step);
    }
    rest_.assign(wanted_.begin(), wanted_.end());
    for (const std::size_t step : taken_) {
      for (std::size_t i = 0; i < rows_; ++i) rest_[i] -= steps_[step].pattern[i];
    }
    std::vector<std::uint64_t> times = group_.cover(rest_);
    if (times.empty()) return;
    best_.loss = loss;
    best_.found = true;
    best_.steps = taken_;
    best_.times = std::move(times);
  }

  const GroupRelaxation& group_;
  std::size_t rows_;
  const Pattern& wanted_;
  const std::vector<Step>& steps_;
  double most_;
  Class target_;
  Completion best_;
  Reached reached_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  double shortest_;  // loss of the shortest path, whether the basis covers its rest or not
  std::uint32_t attempts_ = 0;
  std::vector<std::size_t> active_;     // steps whose own classes are settled
  std::vector<std::uint32_t> changes_;  // classes of these
  // Scratch.
  std::vector<std::size_t> taken_;
  std::vector<std::int64_t> rest_;
  Class at_;
  Class after_;
  Class missing_;
};

GroupRelaxation::Completion GroupRelaxation::shortest(const Pattern& wanted, const std::vector<Step>& steps, double most,
                                                      WorkClock& clock) const {
  return PathSearch(*this, wanted, steps, most).run(clock);
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
