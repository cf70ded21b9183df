#include "capi/lab/learning/sizes.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"
#include "core/predict/size_model.h"
#include "core/predict/tables/samples.h"

namespace stowage::cli::sizes {
namespace {

enum Purpose : std::uint64_t { kDrawGoals = 721, kDrawSamples, kDrawProfiled };

// New apps are those of another seed.
constexpr std::uint64_t kFreshSeed = 0x8000'0000;

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

/// `count` apps of a seed. Cohorts of different seeds have no app in common.
Cohort draw_cohort(const Method& method, const profiles::Options& options, std::uint32_t count) {
  Cohort cohort;
  for (std::uint32_t index = 0; cohort.apps.size() < count; ++index) {
    profiles::App app = profiles::draw_app(options.seed, index);
    if (method.one_family && app.family != "cassandra") continue;
    cohort.all.push_back(profiles::measure(app, options, index));
    if (method.by_measurement)
      for (profiles::Measurement& one : cohort.all.back()) one.exact = one.measured;
    cohort.apps.push_back(std::move(app));
  }
  return cohort;
}

double cost(const profiles::Measurement& one) { return one.cores / 16 + one.memory / 32; }

void add_row(Samples& samples, std::size_t app, const profiles::Measurement& one) {
  samples.row_app.push_back(static_cast<std::uint32_t>(app));
  samples.row_amounts.insert(samples.row_amounts.end(), {one.cores, one.memory});
  samples.row_collocation.push_back(one.degree);
  samples.row_value.push_back(one.measured);
}

/// The apps without rows.
Samples headed(const Cohort& cohort, const profiles::Options& options) {
  Samples samples;
  samples.measure = options.latency ? SampledMeasure::kLatency : SampledMeasure::kPerformance;
  samples.resources = {"cpu", "memory"};
  for (std::size_t app = 0; app < cohort.apps.size(); ++app) samples.apps.push_back("app-" + std::to_string(app + 1));
  if (!options.features) return samples;
  samples.features = {{"family", {}, {}}, {"load", {}, {}}, {"data", {}, {}}};
  for (const profiles::App& app : cohort.apps) {
    samples.features[0].words.push_back(app.family);
    samples.features[1].numbers.push_back(app.load);
    samples.features[2].numbers.push_back(app.data_gib);
  }
  return samples;
}

/// The cohort's measurements as profiles; with features, family, load and data size.
Samples as_profiles(const Cohort& cohort, const profiles::Options& options) {
  Samples samples = headed(cohort, options);
  for (std::size_t app = 0; app < cohort.apps.size(); ++app) {
    std::vector<profiles::Measurement> rows = cohort.all[app];
    if (options.samples > 0 && options.samples < rows.size()) {
      Random random(options.seed, kDrawProfiled, app);
      for (std::uint32_t k = 0; k < options.samples; ++k)
        std::swap(rows[k], rows[k + random.below(static_cast<std::uint32_t>(rows.size() - k))]);
      rows.resize(options.samples);
    }
    for (const profiles::Measurement& one : rows) add_row(samples, app, one);
  }
  return samples;
}

/// One new app, its goal, and what the oracle does.
struct Trial {
  std::size_t app = 0;
  double goal = 0;
  std::size_t oracle = 0;               ///< configuration
  std::vector<std::size_t> candidates;  ///< configurations to choose from, cheapest last resort first
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

Trial draw_trial(const Method& method, const Cohort& cohort, std::size_t app, Random& random) {
  const std::vector<profiles::Measurement>& all = cohort.all[app];
  Trial trial;
  trial.app = app;
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
  return trial;
}

/// Steps on the grid of amounts, each twice the one before.
double steps(double a, double b) { return std::fabs(std::log2(a / b)); }

class Runner {
 public:
  Runner(const Method& method, std::uint64_t seed, std::uint32_t fresh)
      : method_(method),
        options_(options(method)),
        seed_(seed),
        cohort_(fresh_cohort(fresh)),
        samples_(headed(cohort_, options_)),
        model_(learned()) {}

  Score run() {
    draw_trials();
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
  static profiles::Options options(const Method& method) {
    profiles::Options options;
    options.latency = method.latency;
    options.features = method.features;
    options.degrees = method.degrees;
    options.samples = method.profiled_configurations;
    return options;
  }
  Cohort fresh_cohort(std::uint32_t fresh) {
    options_.seed = seed_ ^ kFreshSeed;
    Cohort cohort = draw_cohort(method_, options_, fresh);
    options_.seed = seed_;
    return cohort;
  }
  SizeModel learned() {
    return unwrapped(SizeModel::learn(as_profiles(draw_cohort(method_, options_, method_.profiled), options_)));
  }

  void draw_trials() {
    Random random(seed_, kDrawGoals, 0);
    for (std::size_t app = 0; app < cohort_.apps.size(); ++app) trials_.push_back(draw_trial(method_, cohort_, app, random));
    if (!method_.degrees) return;
    for (const Trial& trial : trials_) {
      const profiles::Measurement& given = cohort_.all[trial.app][trial.candidates.front()];
      samples_.asked.insert(samples_.asked.end(), {given.cores, given.memory});
    }
  }

  /// The rows of one app alone, for its own goal.
  Samples of_app(std::size_t app) const {
    Samples one;
    one.measure = samples_.measure;
    one.resources = samples_.resources;
    one.apps = {samples_.apps[app]};
    for (const SampleFeature& feature : samples_.features) {
      one.features.push_back({feature.name, {}, {}});
      if (!feature.numbers.empty()) one.features.back().numbers = {feature.numbers[app]};
      if (!feature.words.empty()) one.features.back().words = {feature.words[app]};
    }
    if (!samples_.asked.empty()) one.asked = {samples_.asked[2 * app], samples_.asked[2 * app + 1]};
    for (const std::size_t c : taken_.empty() ? std::vector<std::size_t>{} : taken_[app]) add_row(one, 0, cohort_.all[app][c]);
    return one;
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
    for (const Trial& trial : trials_) found.push_back(unwrapped(model_.recommend(of_app(trial.app), goal_of(trial))).front());
    return found;
  }

  void take_samples() {
    taken_.resize(trials_.size());
    const std::vector<Recommendation> found = recommend_all();
    for (std::size_t k = 0; k < trials_.size(); ++k)
      if (found[k].next_sample) taken_[k].push_back(*found[k].next_sample);
  }

  void draw_samples() {
    taken_.resize(trials_.size());
    for (const Trial& trial : trials_) {
      Random random(seed_, kDrawSamples, trial.app);
      std::vector<std::size_t> left = trial.candidates;
      for (std::uint32_t k = 0; k < method_.samples && k < left.size(); ++k) {
        std::swap(left[k], left[k + random.below(static_cast<std::uint32_t>(left.size() - k))]);
        taken_[trial.app].push_back(left[k]);
      }
    }
  }

  void score_curves() {
    double squares = 0;
    double count = 0;
    for (const Trial& trial : trials_) {
      const std::vector<CurvePoint> points = unwrapped(model_.curves(of_app(trial.app), goal_of(trial)));
      const std::vector<std::size_t>& taken = taken_.empty() ? std::vector<std::size_t>{} : taken_[trial.app];
      for (const std::size_t c : trial.candidates) {
        if (std::find(taken.begin(), taken.end(), c) != taken.end()) continue;
        const double off = points[c].mean - cohort_.all[trial.app][c].measured;
        squares += off * off;
        ++count;
      }
    }
    score_.rmse = std::sqrt(squares / std::max(1.0, count));
  }

  void score_choice(const Trial& trial, const Recommendation& found) {
    const std::vector<profiles::Measurement>& all = cohort_.all[trial.app];
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
  Cohort cohort_;
  Samples samples_;
  SizeModel model_;
  std::vector<Trial> trials_;
  std::vector<std::vector<std::size_t>> taken_;  ///< configurations sampled, per app
  Score score_;
  double chosen_cost_ = 0;
  double oracle_cost_ = 0;
};

}  // namespace

std::vector<DegreeTrial> degree_trials(std::uint64_t seed, std::uint32_t fresh) {
  Method method;
  method.degrees = true;
  profiles::Options options;
  options.degrees = true;
  options.seed = seed ^ kFreshSeed;
  const Cohort cohort = draw_cohort(method, options, fresh);
  Random random(seed, kDrawGoals, 0);
  std::vector<DegreeTrial> trials;
  for (std::size_t app = 0; app < cohort.apps.size(); ++app) {
    const Trial trial = draw_trial(method, cohort, app, random);
    DegreeTrial of{cohort.apps[app], trial.goal, {}, trial.oracle - trial.candidates.front()};
    for (const std::size_t c : trial.candidates) of.degrees.push_back(cohort.all[app][c]);
    trials.push_back(std::move(of));
  }
  return trials;
}

Score run_method(const Method& method, std::uint64_t seed, std::uint32_t fresh) { return Runner(method, seed, fresh).run(); }

}  // namespace stowage::cli::sizes
