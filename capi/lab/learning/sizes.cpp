#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/lab/learning/learning.h"
#include "capi/lab/learning/simulator.h"
#include "capi/text/base/failure.h"
#include "core/base/status.h"
#include "core/predict/linear/elementary.h"
#include "core/predict/size_model.h"
#include "core/predict/tables/samples.h"

namespace stowage::cli::sizes {
namespace {

enum Purpose : std::uint64_t { kDrawGoals = 721, kDrawSamples, kDrawProfiled, kDrawTestbed = 751, kDrawAlike = 761 };

// New apps are those of another seed.
constexpr std::uint64_t kFreshSeed = 0x8000'0000;

/// What the library returned; fails with a defect where it refused.
template <class Value>
Value unwrapped(Result<Value> result) {
  if (!result) throw Failure(result.error().path + ": " + result.error().message, kExitInternal);
  return std::move(*result);
}

/// Apps as the simulator knows them.
struct Cohort {
  std::vector<profiles::App> apps;
  std::vector<std::vector<profiles::Measurement>> all;  ///< per app and configuration
};

/// `count` apps of the options' seed. Cohorts of different seeds have no app in common.
Cohort draw_cohort(const profiles::Options& options, std::uint32_t count) {
  Cohort cohort;
  for (std::uint32_t index = 0; index < count; ++index) {
    cohort.apps.push_back(profiles::draw_app(options.seed, index));
    cohort.all.push_back(profiles::measure(cohort.apps.back(), options, index));
  }
  return cohort;
}

/// A table of the apps without rows: with the measure and, if the options say so, the features family, load and data size.
Samples headed(const std::vector<profiles::App>& apps, const profiles::Options& options) {
  Samples samples;
  samples.measure = options.latency ? SampledMeasure::kLatency : SampledMeasure::kPerformance;
  samples.resources = {"cpu", "memory"};
  if (options.features) samples.features = {{"family", {}, {}}, {"load", {}, {}}, {"data", {}, {}}};
  for (const profiles::App& app : apps) {
    samples.apps.push_back("app-" + std::to_string(samples.apps.size() + 1));
    if (!options.features) continue;
    samples.features[0].words.push_back(app.family);
    samples.features[1].numbers.push_back(app.load);
    samples.features[2].numbers.push_back(app.data_gib);
  }
  return samples;
}

void add_row(Samples& samples, std::size_t app, const profiles::Measurement& one) {
  samples.row_app.push_back(static_cast<std::uint32_t>(app));
  samples.row_amounts.insert(samples.row_amounts.end(), {one.cores, one.memory});
  samples.row_collocation.push_back(one.degree);
  samples.row_value.push_back(one.measured);
}

/// The cohort's measurements, or as many random ones per app as the options say, as profiles.
Samples as_profiles(const Cohort& cohort, const profiles::Options& options) {
  Samples samples = headed(cohort.apps, options);
  for (std::size_t app = 0; app < cohort.apps.size(); ++app) {
    std::vector<profiles::Measurement> rows = cohort.all[app];
    if (options.samples > 0 && options.samples < rows.size()) {
      Random random(options.seed, kDrawProfiled, app);
      profiles::draw_first(random, rows, options.samples);
      rows.resize(options.samples);
    }
    for (const profiles::Measurement& one : rows) add_row(samples, app, one);
  }
  return samples;
}

double cost(const profiles::Measurement& one) { return one.cores / 16 + one.memory / 32; }

profiles::Options options_of(const Method& method, std::uint64_t seed) {
  profiles::Options options;
  options.seed = seed;
  options.latency = method.latency;
  options.features = method.features;
  options.degrees = method.degrees;
  options.samples = method.profiled_configurations;
  return options;
}

/// One new app, its goal, and what the oracle does. Numbers are of configurations.
struct Trial {
  profiles::App app;
  std::vector<profiles::Measurement> all;  ///< by configuration
  double goal = 0;
  std::size_t oracle = 0;
  std::vector<std::size_t> candidates{};  ///< to choose from, cheapest last resort first
  std::vector<std::size_t> taken{};       ///< sampled
};

bool meets(const profiles::Measurement& one, double goal, bool latency) {
  return latency ? one.exact <= goal : one.exact >= goal;
}

/// The cheapest size that meets the goal without neighbours; the costliest one where none does.
std::size_t oracle_size(const std::vector<profiles::Measurement>& all, double goal, bool latency) {
  std::size_t best = all.size();
  std::size_t costliest = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (all[c].degree != 1) continue;
    if (cost(all[c]) > cost(all[costliest])) costliest = c;
    if (meets(all[c], goal, latency) && (best == all.size() || cost(all[c]) < cost(all[best]))) best = c;
  }
  return best < all.size() ? best : costliest;
}

void draw_goal(const Method& method, Trial& trial, Random& random) {
  const std::vector<profiles::Measurement>& all = trial.all;
  trial.goal = method.degrees ? .8 + .17 * random.uniform() : .5 + .45 * random.uniform();
  if (method.latency) {
    double least = all.front().exact;
    for (const profiles::Measurement& one : all) least = std::min(least, one.exact);
    trial.goal = least / trial.goal;
  }
  trial.oracle = oracle_size(all, trial.goal, method.latency);
  const std::size_t size = trial.oracle;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const bool same_size = all[c].cores == all[size].cores && all[c].memory == all[size].memory;
    if (method.degrees && !same_size) continue;
    trial.candidates.push_back(c);
    if (method.degrees && meets(all[c], trial.goal, method.latency) && all[c].degree > all[trial.oracle].degree)
      trial.oracle = c;
  }
}

/// New apps of a seed, with goals.
std::vector<Trial> draw_trials(const Method& method, std::uint64_t seed, std::uint32_t count) {
  const Cohort cohort = draw_cohort(options_of(method, seed ^ kFreshSeed), count);
  Random random(seed, kDrawGoals, 0);
  std::vector<Trial> trials;
  trials.reserve(count);
  for (std::uint32_t app = 0; app < count; ++app)
    draw_goal(method, trials.emplace_back(Trial{cohort.apps[app], cohort.all[app]}), random);
  return trials;
}

/// Steps on the grid of amounts, each twice the one before.
double steps(double a, double b) { return std::fabs(std::log2(a / b)); }

class Runner {
 public:
  Runner(const Method& method, std::uint64_t seed, std::uint32_t fresh)
      : method_(method),
        options_(options_of(method, seed)),
        seed_(seed),
        model_(unwrapped(SizeModel::learn(as_profiles(draw_cohort(options_, method.profiled), options_)))),
        trials_(draw_trials(method, seed, fresh)) {}

  Score run() {
    if (method_.chosen) {
      for (std::uint32_t k = 0; k < method_.samples; ++k) take_samples();
    } else {
      draw_samples();
    }
    score_curves();
    const std::clock_t start = std::clock();
    const std::vector<Recommendation> found = recommend_all();
    score_.microseconds =
        1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(trials_.size());
    for (std::size_t k = 0; k < trials_.size(); ++k) score_choice(trials_[k], found[k]);
    const double count = static_cast<double>(trials_.size());
    score_.honest /= std::max(1.0, score_.recommended);
    for (double* share : {&score_.recommended, &score_.met, &score_.near}) *share /= count;
    score_.extra = chosen_cost_ / oracle_cost_ - (method_.degrees ? 0 : 1);
    return score_;
  }

 private:
  /// The samples of one app alone, for its own goal.
  Samples samples_of(const Trial& trial) const {
    Samples samples = headed({trial.app}, options_);
    const profiles::Measurement& given = trial.all[trial.candidates.front()];
    if (method_.degrees) samples.asked = {given.cores, given.memory};
    for (const std::size_t c : trial.taken) add_row(samples, 0, trial.all[c]);
    return samples;
  }

  Goal goal_of(const Trial& trial) const {
    Goal goal;
    goal.value = trial.goal;
    goal.confidence = method_.confidence;
    goal.keep_asked = method_.degrees;
    return goal;
  }

  std::vector<Recommendation> recommend_all() const {
    std::vector<Recommendation> found;
    for (const Trial& trial : trials_) found.push_back(unwrapped(model_.recommend(samples_of(trial), goal_of(trial))).front());
    return found;
  }

  void take_samples() {
    const std::vector<Recommendation> found = recommend_all();
    for (std::size_t k = 0; k < trials_.size(); ++k)
      if (found[k].next_sample) trials_[k].taken.push_back(*found[k].next_sample);
  }

  void draw_samples() {
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      Random random(seed_, kDrawSamples, k);
      trials_[k].taken = trials_[k].candidates;
      const std::size_t count = std::min<std::size_t>(method_.samples, trials_[k].taken.size());
      profiles::draw_first(random, trials_[k].taken, count);
      trials_[k].taken.resize(count);
    }
  }

  void score_curves() {
    double squares = 0;
    double count = 0;
    for (const Trial& trial : trials_) {
      const std::vector<CurvePoint> points = unwrapped(model_.curves(samples_of(trial), goal_of(trial)));
      for (const std::size_t c : trial.candidates) {
        if (std::find(trial.taken.begin(), trial.taken.end(), c) != trial.taken.end()) continue;
        const double off = points[c].mean - trial.all[c].measured;
        squares += off * off;
        ++count;
      }
    }
    score_.rmse = std::sqrt(squares / std::max(1.0, count));
  }

  void score_choice(const Trial& trial, const Recommendation& found) {
    const std::vector<profiles::Measurement>& all = trial.all;
    // The simulator and the model order configurations alike: by cores, memory, degree.
    const std::size_t without = method_.degrees ? trial.candidates.front() : all.size() - 1;
    const profiles::Measurement& choice = all[found.choice ? *found.choice : without];
    const profiles::Measurement& oracle = all[trial.oracle];
    const bool met = meets(choice, trial.goal, method_.latency);
    score_.met += met ? 1 : 0;
    if (found.choice) {
      ++score_.recommended;
      score_.honest += met ? 1 : 0;
    }
    if (method_.degrees) {
      score_.near += choice.degree == oracle.degree ? 1 : 0;
      chosen_cost_ += choice.degree;
      oracle_cost_ += oracle.degree;
    } else {
      score_.near += steps(choice.cores, oracle.cores) <= 1 && steps(choice.memory, oracle.memory) <= 1 ? 1 : 0;
      chosen_cost_ += cost(choice);
      oracle_cost_ += cost(oracle);
    }
  }

  const Method& method_;
  profiles::Options options_;
  std::uint64_t seed_;
  SizeModel model_;
  std::vector<Trial> trials_;
  Score score_;
  double chosen_cost_ = 0;
  double oracle_cost_ = 0;
};

constexpr std::size_t kDraws = 4000;
constexpr std::size_t kMostTries = 20 * kDraws;
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
  /// @param degrees measurements of the app, by degree, at the size given
  Belief(const profiles::App& app, const profiles::Measurement* degrees, double goal, Random random)
      : degrees_(degrees), goal_(goal) {
    for (std::size_t tries = 0; curves_.size() < kDraws && tries < kMostTries; ++tries) {
      if (const std::optional<profiles::App> alike = profiles::draw_alike(app, random))
        curves_.push_back(curve_of(*alike, degrees[0]));
    }
    forget();
  }

  void forget() {
    weight_.assign(curves_.size(), 1);
    taken_ = {};
  }
  void take(std::size_t degree) {
    taken_[degree] = true;
    for (std::size_t k = 0; k < curves_.size(); ++k) weight_[k] *= likelihood(degrees_[degree].measured, curves_[k][degree]);
  }
  [[nodiscard]] Curve probabilities() const {
    Curve met{};
    double all = 0;
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      all += weight_[k];
      for (std::size_t d = 0; d < kDegreeCount; ++d) met[d] += curves_[k][d] >= goal_ ? weight_[k] : 0;
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
  /// Takes the sample with the largest expected saving of nodes: the library's rule.
  void take_saving(double confidence) {
    const Curve met = probabilities();
    const std::optional<std::size_t> now = choice(confidence);
    const double current = now ? profiles::kDegrees[*now] : kNoDegree;
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t d = 0; d < kDegreeCount; ++d) {
      const double saving = met[d] * (1 - current / profiles::kDegrees[d]);
      if (taken_[d] || saving <= most) continue;
      most = saving;
      best = d;
    }
    if (best) take(*best);
  }

 private:
  /// Of a measurement, in proportion; measurements are cut at 1.
  static double likelihood(double measured, double exact) {
    const double off = (measured - exact) / (profiles::kNoise * exact);
    return measured >= 1 && exact >= 1 ? 1 : natural_exp(-off * off / 2);
  }

  const profiles::Measurement* degrees_;
  double goal_;
  std::vector<Curve> curves_;
  std::vector<double> weight_;
  std::array<bool, kDegreeCount> taken_{};
};

constexpr std::uint64_t kTestbedSeed = 0x4000'0000;  // its apps are none of those learned from
constexpr std::uint32_t kProfiledApps = 300;
constexpr std::uint32_t kTestbedSamples = 2;

/// The configuration that the model recommends after kTestbedSamples samples; the largest size, alone, where there is none.
profiles::Measurement sized(const SizeModel& model, const profiles::App& app, const profiles::Options& options,
                            std::uint32_t index, double goal_value) {
  const std::vector<profiles::Measurement> all = profiles::measure(app, options, index);
  Samples samples = headed({app}, options);
  Goal goal;
  goal.value = goal_value;
  for (std::uint32_t taken = 0; taken < kTestbedSamples; ++taken) {
    const Recommendation found = unwrapped(model.recommend(samples, goal)).front();
    if (!found.next_sample) break;
    // The simulator and the model order configurations alike: by cores, memory, degree.
    add_row(samples, 0, all[*found.next_sample]);
  }
  const Recommendation found = unwrapped(model.recommend(samples, goal)).front();
  return found.choice ? all[*found.choice] : profiles::Measurement{kTestbedCores, kTestbedMemory, 1, 0, 0};
}

}  // namespace

Score run_method(const Method& method, std::uint64_t seed, std::uint32_t fresh) { return Runner(method, seed, fresh).run(); }

std::array<Score, 2> choose_knowing(std::uint64_t seed, std::uint32_t apps, double confidence) {
  std::array<Score, 2> scores;
  const std::vector<Trial> trials = draw_trials({.name = {}, .degrees = true}, seed, apps);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const Trial& trial = trials[t];
    // The candidates are the degrees at the oracle's size, side by side.
    const profiles::Measurement* degrees = &trial.all[trial.candidates.front()];
    Belief belief(trial.app, degrees, trial.goal, Random(seed, kDrawAlike, t));
    for (Score& score : scores) {
      const bool all = &score == &scores.back();
      belief.forget();
      for (std::size_t k = 0; k < (all ? kDegreeCount : 2); ++k) all ? belief.take(k) : belief.take_saving(confidence);
      const std::optional<std::size_t> choice = belief.choice(confidence);
      const std::size_t degree = choice.value_or(0);
      const bool met = degrees[degree].exact >= trial.goal;
      score.met += met ? 1 : 0;
      score.near += trial.candidates[degree] == trial.oracle ? 1 : 0;
      score.recommended += choice ? 1 : 0;
      score.honest += choice && met ? 1 : 0;
    }
  }
  for (Score& score : scores) {
    score.honest /= std::max(1.0, score.recommended);
    for (double* share : {&score.met, &score.near, &score.recommended}) *share /= apps;
  }
  return scores;
}

std::vector<TestbedApp> draw_testbed(std::uint64_t seed) {
  profiles::Options options;
  options.seed = seed;
  options.degrees = true;
  const SizeModel model = unwrapped(SizeModel::learn(as_profiles(draw_cohort(options, kProfiledApps), options)));
  options.seed = seed ^ kTestbedSeed;
  Random random(options.seed, kDrawTestbed, 0);
  std::map<std::string, std::uint32_t> drawn;
  std::vector<TestbedApp> apps;
  for (std::uint32_t index = 0; apps.size() < std::size_t{kTestbedFamilies} * kTestbedAppsPerFamily; ++index) {
    const profiles::App app = profiles::draw_app(options.seed, index);
    std::uint32_t& count = drawn[app.family];
    if (count == kTestbedAppsPerFamily) continue;
    const double goal = 0.5 + 0.45 * random.uniform();
    const profiles::Measurement size = sized(model, app, options, index, goal);
    const std::uint32_t containers = 1 + random.below(kTestbedContainers);
    apps.push_back({app.family + "-" + std::to_string(++count), size.cores, size.memory, containers, size.degree});
  }
  return apps;
}

}  // namespace stowage::cli::sizes
