#include "capi/lab/learning/testbed.h"

#include <map>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/lab/learning/simulator.h"
#include "capi/text/base/failure.h"
#include "core/predict/size_model.h"
#include "core/predict/tables/samples.h"

namespace stowage::cli::sizes {
namespace {

enum Purpose : std::uint64_t { kDrawTestbed = 751 };

constexpr std::uint64_t kTestbedSeed = 0x4000'0000;  // its apps are none of those learned from
constexpr std::uint32_t kProfiledApps = 300;
constexpr std::uint32_t kTestbedSamples = 2;

template <class Value>
Value value_of(Result<Value> result) {
  if (!result) throw Failure(result.error().path + ": " + result.error().message, kExitInternal);
  return std::move(*result);
}

/// An empty table with the simulator's resources and features.
Samples empty_table() {
  Samples samples;
  samples.measure = SampledMeasure::kPerformance;
  samples.resources = {"cpu", "memory"};
  samples.features = {{"family", {}, {}}, {"load", {}, {}}, {"data", {}, {}}};
  return samples;
}

void add_app(Samples& samples, const profiles::App& app) {
  samples.apps.push_back("app-" + std::to_string(samples.apps.size() + 1));
  samples.features[0].words.push_back(app.family);
  samples.features[1].numbers.push_back(app.load);
  samples.features[2].numbers.push_back(app.data_gib);
}

void add_sample(Samples& samples, const profiles::Measurement& one) {
  samples.row_app.push_back(static_cast<std::uint32_t>(samples.apps.size() - 1));
  samples.row_amounts.insert(samples.row_amounts.end(), {one.cores, one.memory});
  samples.row_collocation.push_back(one.degree);
  samples.row_value.push_back(one.measured);
}

SizeModel learned_model(const profiles::Options& options) {
  Samples samples = empty_table();
  for (std::uint32_t index = 0; index < kProfiledApps; ++index) {
    const profiles::App app = profiles::draw_app(options.seed, index);
    add_app(samples, app);
    for (const profiles::Measurement& one : profiles::measure(app, options, index)) add_sample(samples, one);
  }
  return value_of(SizeModel::learn(samples));
}

/// The configuration that the model recommends after kTestbedSamples samples; the largest size, alone, where there is none.
profiles::Measurement sized(const SizeModel& model, const profiles::App& app, const std::vector<profiles::Measurement>& all,
                            double goal_value) {
  Samples samples = empty_table();
  add_app(samples, app);
  Goal goal;
  goal.value = goal_value;
  for (std::uint32_t taken = 0; taken < kTestbedSamples; ++taken) {
    const Recommendation found = value_of(model.recommend(samples, goal)).front();
    if (!found.next_sample) break;
    // The simulator and the model order configurations alike: by cores, memory, degree.
    add_sample(samples, all[*found.next_sample]);
  }
  const Recommendation found = value_of(model.recommend(samples, goal)).front();
  if (found.choice) return all[*found.choice];
  return {kTestbedCores, kTestbedMemory, 1, 0, 0};
}

}  // namespace

std::vector<TestbedApp> draw_testbed(std::uint64_t seed) {
  profiles::Options options;
  options.seed = seed;
  options.degrees = true;
  const SizeModel model = learned_model(options);
  options.seed = seed ^ kTestbedSeed;
  Random random(options.seed, kDrawTestbed, 0);
  std::map<std::string, std::uint32_t> drawn;
  std::vector<TestbedApp> apps;
  for (std::uint32_t index = 0; apps.size() < std::size_t{kTestbedFamilies} * kTestbedAppsPerFamily; ++index) {
    const profiles::App app = profiles::draw_app(options.seed, index);
    std::uint32_t& count = drawn[app.family];
    if (count == kTestbedAppsPerFamily) continue;
    const double goal = 0.5 + 0.45 * random.uniform();
    const profiles::Measurement size = sized(model, app, profiles::measure(app, options, index), goal);
    const std::uint32_t containers = 1 + random.below(kTestbedContainers);
    apps.push_back({app.family + "-" + std::to_string(++count), size.cores, size.memory, containers, size.degree});
  }
  return apps;
}

}  // namespace stowage::cli::sizes
