#include "capi/lab/usage/histories.h"

#include <algorithm>

#include "capi/cli/base/random.h"
#include "capi/cli/simulate/normal.h"
#include "capi/lab/tianchi/tianchi.h"

namespace stowage::cli::lab::usage {
namespace {

constexpr std::uint64_t kUsagePurpose = 0x75736167;  // "usag"
constexpr double kDay = 86'400;

/// What the replicas of an app have in common.
struct AppShape {
  double cpu;             ///< mean, in cores
  double memory;          ///< most, in GiB
  double swing;           ///< by how much usage changes over the day, as a share of the mean
  double peak;            ///< second of the day with most usage
  double noise;           ///< standard deviation of what changes from step to step, as a share
  double leak;            ///< seconds in which memory grows from its least to its most; then a restart
  double spikes_per_day;  ///< on average
};

double between(Random& random, double least, double most) { return least + (most - least) * random.uniform(); }

AppShape draw_shape(Random& random) {
  constexpr std::array<double, 5> kCores = {0.25, 0.5, 1, 2, 4};
  constexpr std::array<double, 5> kGigabytes = {0.5, 1, 2, 4, 8};
  AppShape shape{};
  shape.cpu = kCores[random.below(5)] * between(random, 0.7, 1.3);
  shape.memory = kGigabytes[random.below(5)] * between(random, 0.7, 1.3);
  shape.swing = between(random, 0.2, 0.8);
  // Three of four apps are busy in the afternoon, the others at night.
  const bool by_day = random.below(4) != 0;
  shape.peak = between(random, by_day ? 12 : 0, by_day ? 20 : 6) * 3600;
  shape.noise = between(random, 0.05, 0.2);
  shape.leak = between(random, 1, 5) * kDay;
  shape.spikes_per_day = between(random, 0, 2);
  return shape;
}

/// 1 at the peak of the day, -1 half a day later, a parabola each way.
double wave(double time, double peak) {
  double away = (time - peak) / kDay;
  away -= static_cast<double>(static_cast<std::int64_t>(away));
  if (away < 0) away += 1;
  if (away > 0.5) away = 1 - away;
  return away < 0.25 ? 1 - 16 * away * away : 16 * (0.5 - away) * (0.5 - away) - 1;
}

/// The factor of spikes at each time: 1 without one. All replicas of an app share them.
std::vector<double> draw_spikes(Random& random, const AppShape& shape, const Histories& histories) {
  std::vector<double> factor(histories.times, 1);
  const double chance = shape.spikes_per_day * histories.step / kDay;
  for (std::size_t t = 0; t < factor.size(); ++t) {
    if (random.uniform() >= chance) continue;
    const double height = 0.5 + std::min(1.5, -0.5 * stochastic::exact_log(1 - random.uniform()));
    const double seconds = -1200 * stochastic::exact_log(1 - random.uniform());
    const auto steps = static_cast<std::size_t>(seconds / histories.step) + 1;
    for (std::size_t k = t; k < std::min(t + steps, factor.size()); ++k) factor[k] = std::max(factor[k], 1 + height);
  }
  return factor;
}

void draw_replica(Random& random, const AppShape& shape, const std::vector<double>& spikes, Histories& histories) {
  constexpr double kKept = 0.9;  // of the noise, from step to step
  const double share = 1 + 0.1 * random.nearly_normal();
  const double offset = random.uniform() * shape.leak;
  double noise = 0;
  for (std::size_t t = 0; t < histories.times; ++t) {
    const double time = static_cast<double>(t) * histories.step;
    noise = kKept * noise + shape.noise * 0.43589 * random.nearly_normal();  // sqrt(1 - .9^2)
    const double load = std::max(0.02, (1 + shape.swing * wave(time, shape.peak)) * (1 + noise));
    const double cycles = (time + offset) / shape.leak;
    const double grown = cycles - static_cast<double>(static_cast<std::int64_t>(cycles));
    histories.amount.push_back(shape.cpu * std::max(0.3, share) * load * spikes[t]);
    histories.amount.push_back(shape.memory * std::min(1.5, 0.5 + 0.3 * grown + 0.1 * load + 0.1 * (spikes[t] - 1)));
  }
}

}  // namespace

std::size_t Histories::first_series(std::size_t app) const {
  if (shared) return app;
  std::size_t first = 0;
  for (std::size_t a = 0; a < app; ++a) first += replicas[a];
  return first;
}

Histories generate_usage(const GeneratedUsage& options) {
  Histories histories;
  histories.name = "generated";
  histories.step = options.step;
  histories.times = static_cast<std::size_t>(options.days) * static_cast<std::size_t>(kDay) / options.step;
  histories.capacity = {48, 96};
  for (std::uint32_t a = 0; a < options.apps; ++a) {
    Random random(options.seed, kUsagePurpose, a);
    histories.apps.push_back("app-" + std::to_string(a));
    histories.replicas.push_back(1 + random.below(options.most_replicas));
    const AppShape shape = draw_shape(random);
    const std::vector<double> spikes = draw_spikes(random, shape, histories);
    for (std::uint32_t k = 0; k < histories.replicas.back(); ++k) draw_replica(random, shape, spikes, histories);
  }
  return histories;
}

Histories tianchi_usage(const std::string& folder, std::uint32_t apps) {
  const std::string prefix = folder + "/scheduling_preliminary_b_";
  TianchiOptions options;
  options.apps = prefix + "app_resources_20180726.csv";
  options.interference = prefix + "app_interference_20180726.csv";
  options.deploy = prefix + "instance_deploy_20180726.csv";
  options.p0 = true;
  const InstanceData data = import_tianchi(options);
  Histories histories;
  histories.name = "Tianchi";
  histories.shared = true;
  histories.times = data.periods;
  histories.step = kDay / data.periods;
  histories.capacity = {64, 128};
  const std::size_t count = data.apps.replicas.size();
  const std::size_t every = std::max<std::size_t>(1, count / std::max(1U, apps));
  for (std::size_t a = 0; a < count; a += every) {
    if (data.apps.replicas[a] == 0) continue;
    histories.apps.push_back(data.apps.names[a]);
    histories.replicas.push_back(data.apps.replicas[a]);
    const double* demand = data.apps.demand.data() + a * kUsageResources * data.periods;
    for (std::size_t t = 0; t < data.periods; ++t) {
      for (std::size_t r = 0; r < kUsageResources; ++r) histories.amount.push_back(demand[r * data.periods + t]);
    }
  }
  return histories;
}

}  // namespace stowage::cli::lab::usage
