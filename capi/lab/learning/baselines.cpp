#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <numeric>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/lab/learning/learning.h"
#include "capi/lab/learning/simulator.h"
#include "core/predict/factors/factorization_machine.h"
#include "core/predict/factors/matrix_factorization.h"

namespace stowage::cli::sizes {
namespace {

enum Purpose : std::uint64_t { kSplitCells = 741, kOrderCells, kPickSamples };

constexpr std::uint64_t kOtherSeed = 0x8000'0000;
constexpr std::uint32_t kEpochs = 20;       // over the profiles
constexpr std::uint32_t kPassesOfNew = 10;  // over the samples of new apps
constexpr std::uint32_t kSamplesOfNew = 2;  // as LraSched takes

double rmse(const std::vector<double>& squares) {
  double sum = 0;
  for (const double square : squares) sum += square;
  return squares.empty() ? 0 : std::sqrt(sum / static_cast<double>(squares.size()));
}

void shuffle(std::vector<Rating>& cells, Random& random) {
  for (std::size_t k = cells.size(); k > 1; --k) std::swap(cells[k - 1], cells[random.below(static_cast<std::uint32_t>(k))]);
}

/// Cells that are learned from and cells that are asked for.
struct Split {
  std::vector<Rating> known;
  std::vector<Rating> asked;
};

Split split_profiles(std::uint64_t seed, std::uint32_t apps) {
  Split split;
  profiles::Options options;
  options.seed = seed;
  Random random(seed, kSplitCells, 0);
  for (std::uint32_t app = 0; app < apps; ++app) {
    const std::vector<profiles::Measurement> all = profiles::measure(profiles::draw_app(seed, app), options, app);
    for (std::uint32_t c = 0; c < all.size(); ++c)
      (random.below(5) != 0 ? split.known : split.asked).push_back({app, c, all[c].measured});
  }
  return split;
}

Split split_fresh(std::uint64_t seed, std::uint32_t apps) {
  Split split;
  profiles::Options options;
  options.seed = seed ^ kOtherSeed;
  for (std::uint32_t app = 0; app < apps; ++app) {
    const std::vector<profiles::Measurement> all = profiles::measure(profiles::draw_app(options.seed, app), options, app);
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0u);
    Random random(seed, kPickSamples, app);
    profiles::draw_first(random, order, kSamplesOfNew);
    for (std::uint32_t k = 0; k < order.size(); ++k)
      (k < kSamplesOfNew ? split.known : split.asked).push_back({apps + app, order[k], all[order[k]].measured});
  }
  return split;
}

/// LraSched's features (figure 4): configuration, all configurations that the app is known with, app.
class FeatureRows {
 public:
  FeatureRows(std::uint32_t configurations, std::size_t apps) : configurations_(configurations), known_of_(apps) {}
  void know(const std::vector<Rating>& cells) {
    for (const Rating& cell : cells) known_of_[cell.row].push_back(cell.column);
  }
  /// The number of features, of the first `apps` apps.
  [[nodiscard]] std::size_t count(std::size_t apps) const { return 2 * std::size_t{configurations_} + apps; }
  [[nodiscard]] std::vector<ActiveFeature> row(const Rating& cell) const {
    std::vector<ActiveFeature> x = {{cell.column, 1}};
    const std::vector<std::uint32_t>& known = known_of_[cell.row];
    for (const std::uint32_t c : known) x.push_back({configurations_ + c, 1.0 / static_cast<double>(known.size())});
    x.push_back({2 * configurations_ + cell.row, 1});
    return x;
  }

 private:
  std::uint32_t configurations_;
  std::vector<std::vector<std::uint32_t>> known_of_;
};

/// Squared errors in the order of learning, by tenths.
std::vector<double> tenths(const std::vector<double>& squares) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < 10; ++k) {
    errors.push_back(rmse({squares.begin() + static_cast<std::ptrdiff_t>(squares.size() * k / 10),
                           squares.begin() + static_cast<std::ptrdiff_t>(squares.size() * (k + 1) / 10)}));
  }
  return errors;
}

/// The learner's mean CPU time for the whole curve of an app. `predict` returns a value, so that no call can be left out.
template <class Predict>
double microseconds_per_curve(std::uint32_t apps, std::uint32_t configurations, Predict&& predict) {
  const std::clock_t start = std::clock();
  volatile double last = 0;
  for (std::uint32_t app = 0; app < apps; ++app)
    for (std::uint32_t c = 0; c < configurations; ++c) last = predict(Rating{app, c, 0});
  static_cast<void>(last);
  return 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / apps;
}

/// The errors of a prediction, per cell.
template <class Predict>
double error_of(const std::vector<Rating>& cells, Predict&& predict) {
  std::vector<double> squares;
  for (const Rating& cell : cells) {
    const double off = predict(cell) - cell.value;
    squares.push_back(off * off);
  }
  return rmse(squares);
}

}  // namespace

BaselineScore run_baselines(std::uint64_t seed, std::uint32_t apps) {
  constexpr std::uint32_t kConfigurations = std::size(profiles::kCores) * std::size(profiles::kMemory);
  Split old = split_profiles(seed, apps);
  const Split fresh = split_fresh(seed, apps);
  BaselineScore score;
  std::vector<double> mean(kConfigurations, 0);
  std::vector<double> count(kConfigurations, 0);
  for (const Rating& cell : old.known) {
    mean[cell.column] += cell.value;
    ++count[cell.column];
  }
  for (std::uint32_t c = 0; c < kConfigurations; ++c) mean[c] /= std::max(1.0, count[c]);
  const auto by_mean = [&](const Rating& cell) { return mean[cell.column]; };
  score.held_out.mean = error_of(old.asked, by_mean);
  score.fresh.mean = error_of(fresh.asked, by_mean);

  FeatureRows rows(kConfigurations, 2 * std::size_t{apps});
  rows.know(old.known);
  rows.know(fresh.known);
  FactorOptions options;
  options.seed = seed;
  FactorizationMachine machine(options);
  machine.append_features(rows.count(apps));
  Random random(seed, kOrderCells, 0);
  std::map<std::string, std::vector<double>> first_pass;
  for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
    shuffle(old.known, random);
    for (const Rating& cell : old.known) {
      const double off = machine.learn(rows.row(cell), cell.value) - cell.value;
      if (epoch > 0) continue;
      for (const std::string& family : {std::string("all"), profiles::draw_app(seed, cell.row).family})
        first_pass[family].push_back(off * off);
    }
  }
  for (const auto& [family, squares] : first_pass) score.over_time[family] = tenths(squares);
  const auto by_machine = [&](const Rating& cell) { return machine.predict(rows.row(cell)); };
  score.held_out.machine = error_of(old.asked, by_machine);
  machine.append_features(rows.count(2 * std::size_t{apps}));
  for (std::uint32_t pass = 0; pass < kPassesOfNew; ++pass)
    for (const Rating& cell : fresh.known) machine.learn(rows.row(cell), cell.value);
  score.fresh.machine = error_of(fresh.asked, by_machine);
  score.machine_microseconds = microseconds_per_curve(2 * apps, kConfigurations, by_machine);

  std::vector<Rating> known = old.known;
  known.insert(known.end(), fresh.known.begin(), fresh.known.end());
  MatrixFactorizationOptions matrix_options;
  matrix_options.seed = seed;
  const MatrixFactorization matrix(std::size_t{2} * apps, kConfigurations, known, matrix_options);
  const auto by_matrix = [&](const Rating& cell) { return matrix.predict(cell.row, cell.column); };
  score.held_out.matrix = error_of(old.asked, by_matrix);
  score.fresh.matrix = error_of(fresh.asked, by_matrix);
  score.matrix_microseconds = microseconds_per_curve(2 * apps, kConfigurations, by_matrix);
  return score;
}

BaselineScore mean_baselines(std::uint64_t seed, std::uint32_t seeds, std::uint32_t apps) {
  BaselineScore mean;
  for (std::uint32_t k = 0; k < seeds; ++k) {
    const BaselineScore score = run_baselines(seed + k, apps);
    for (const auto part : {&LearnerErrors::mean, &LearnerErrors::machine, &LearnerErrors::matrix}) {
      mean.fresh.*part += score.fresh.*part / seeds;
      mean.held_out.*part += score.held_out.*part / seeds;
    }
    mean.machine_microseconds += score.machine_microseconds / seeds;
    mean.matrix_microseconds += score.matrix_microseconds / seeds;
    for (const auto& [family, by_tenth] : score.over_time) {
      std::vector<double>& of_family = mean.over_time.try_emplace(family, by_tenth.size(), 0.0).first->second;
      for (std::size_t t = 0; t < by_tenth.size(); ++t) of_family[t] += by_tenth[t] / seeds;
    }
  }
  return mean;
}

}  // namespace stowage::cli::sizes
