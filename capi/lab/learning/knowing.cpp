#include "capi/lab/learning/knowing.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "capi/cli/base/random.h"
#include "capi/lab/learning/simulator.h"
#include "capi/lab/learning/sizes.h"
#include "core/predict/linear/elementary.h"

namespace stowage::cli::sizes {
namespace {

enum Purpose : std::uint64_t { kDrawAlike = 761 };

constexpr std::size_t kDraws = 4000;
constexpr std::size_t kMostTries = 20 * kDraws;
constexpr std::size_t kFantasies = 40;   // samples that may come, when the next one is chosen
constexpr std::size_t kFantasyStep = 4;  // of the draws, every fourth one
constexpr std::size_t kDegreeCount = std::size(profiles::kDegrees);
constexpr double kNoDegree = 0.25;  // as the library's rule counts having none

using Curve = std::array<double, kDegreeCount>;

/// Performance by degree at the size given; normalized as the simulator does. More memory is never worse, so that only the
/// largest counts there.
Curve curve_of(const profiles::App& app, const profiles::Measurement& size) {
  double least = profiles::latency_ms(app, size.cores, size.memory, 1);
  for (const double cores : profiles::kCores) {
    for (const std::uint32_t degree : profiles::kDegrees)
      least = std::min(least, profiles::latency_ms(app, cores, *std::rbegin(profiles::kMemory), degree));
  }
  Curve curve;
  for (std::size_t d = 0; d < kDegreeCount; ++d)
    curve[d] = least / profiles::latency_ms(app, size.cores, size.memory, profiles::kDegrees[d]);
  return curve;
}

/// What is believed of one app.
class Belief {
 public:
  Belief(const DegreeTrial& trial, Random random) : trial_(trial) {
    for (std::size_t tries = 0; curves_.size() < kDraws && tries < kMostTries; ++tries) {
      if (const std::optional<profiles::App> alike = profiles::draw_alike(trial.app, random))
        curves_.push_back(curve_of(*alike, trial.degrees.front()));
    }
    forget();
  }

  void forget() {
    weight_.assign(curves_.size(), 1);
    taken_ = {};
  }
  void take(std::size_t degree) {
    taken_[degree] = true;
    for (std::size_t k = 0; k < curves_.size(); ++k)
      weight_[k] *= likelihood(trial_.degrees[degree].measured, curves_[k][degree]);
  }
  [[nodiscard]] Curve probabilities() const {
    Curve met{};
    double all = 0;
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      all += weight_[k];
      for (std::size_t d = 0; d < kDegreeCount; ++d) met[d] += curves_[k][d] >= trial_.goal ? weight_[k] : 0;
    }
    for (double& one : met) one = all > 0 ? one / all : 0;
    return met;
  }
  [[nodiscard]] std::optional<std::size_t> choice(double confidence) const {
    const Curve met = probabilities();
    std::optional<std::size_t> best;
    for (std::size_t d = 0; d < kDegreeCount; ++d)
      if (met[d] >= confidence) best = d;
    return best;
  }
  /// The library's rule: the largest expected saving of nodes.
  void take_saving(double confidence) {
    const Curve met = probabilities();
    const std::optional<std::size_t> now = choice(confidence);
    const double current = now ? profiles::kDegrees[*now] : kNoDegree;
    take_best([&](std::size_t d) { return met[d] * (1 - current / profiles::kDegrees[d]); });
  }
  /// The degree after whose sample the most probable degree of the oracle is expected to be most probable.
  void take_telling() {
    take_best([&](std::size_t d) { return expected_certainty(d); });
  }

 private:
  /// Of a measurement, in proportion; measurements are cut at 1.
  static double likelihood(double measured, double exact) {
    const double off = (measured - exact) / (profiles::kNoise * exact);
    return measured >= 1 && exact >= 1 ? 1 : natural_exp(-off * off / 2);
  }

  template <class Gain>
  void take_best(Gain&& gain) {
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t d = 0; d < kDegreeCount; ++d) {
      if (taken_[d]) continue;
      const double own = gain(d);
      if (own <= most) continue;
      most = own;
      best = d;
    }
    if (best) take(*best);
  }

  [[nodiscard]] double expected_certainty(std::size_t degree) const {
    double all = 0;
    for (const double weight : weight_) all += weight;
    double sum = 0;
    double passed = 0;
    std::size_t at = 0;
    for (std::size_t f = 0; f < kFantasies; ++f) {
      const double place = all * (static_cast<double>(f) + 0.5) / kFantasies;
      while (at + 1 < curves_.size() && passed + weight_[at] < place) passed += weight_[at++];
      // Noise in turn from -1.7 to 1.7 standard deviations, whose variance is that of the noise.
      const double turn = 1.7 * (2 * (static_cast<double>(f * 7 % kFantasies) + 0.5) / kFantasies - 1);
      const double measured = curves_[at][degree] * (1 + profiles::kNoise * turn);
      std::array<double, kDegreeCount> mass{};
      for (std::size_t k = 0; k < curves_.size(); k += kFantasyStep) {
        std::size_t oracle = 0;
        for (std::size_t d = 0; d < kDegreeCount; ++d)
          if (curves_[k][d] >= trial_.goal) oracle = d;
        mass[oracle] += weight_[k] * likelihood(measured, curves_[k][degree]);
      }
      double total = 0;
      for (const double one : mass) total += one;
      if (total > 0) sum += *std::max_element(mass.begin(), mass.end()) / total;
    }
    return sum;
  }

  const DegreeTrial& trial_;
  std::vector<Curve> curves_;
  std::vector<double> weight_;
  std::array<bool, kDegreeCount> taken_{};
};

}  // namespace

std::array<KnowingScore, kKnowingChoices> choose_knowing(std::uint64_t seed, std::uint32_t apps, double confidence) {
  std::array<KnowingScore, kKnowingChoices> scores;
  const std::vector<DegreeTrial> trials = degree_trials(seed, apps);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const DegreeTrial& trial = trials[t];
    Belief belief(trial, Random(seed, kDrawAlike, t));
    for (const KnowingChoice how : {KnowingChoice::kLargestSaving, KnowingChoice::kMostTelling, KnowingChoice::kAll}) {
      belief.forget();
      if (how == KnowingChoice::kAll) {
        for (std::size_t d = 0; d < kDegreeCount; ++d) belief.take(d);
      } else {
        for (int samples = 0; samples < 2; ++samples)
          how == KnowingChoice::kMostTelling ? belief.take_telling() : belief.take_saving(confidence);
      }
      const std::optional<std::size_t> choice = belief.choice(confidence);
      const std::size_t degree = choice.value_or(0);
      const bool met = trial.degrees[degree].exact >= trial.goal;
      KnowingScore& score = scores[static_cast<std::size_t>(how)];
      score.met += met ? 1 : 0;
      score.exact += degree == trial.oracle ? 1 : 0;
      score.recommended += choice ? 1 : 0;
      score.honest += choice && met ? 1 : 0;
    }
  }
  for (KnowingScore& score : scores) {
    score.honest /= std::max(1.0, score.recommended);
    for (double* share : {&score.met, &score.exact, &score.recommended}) *share /= static_cast<double>(trials.size());
  }
  return scores;
}

}  // namespace stowage::cli::sizes
