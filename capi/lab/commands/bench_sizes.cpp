#include <algorithm>
#include <array>

#include "capi/lab/commands/commands.h"
#include "capi/lab/learning/baselines.h"
#include "capi/lab/learning/knowing.h"
#include "capi/lab/learning/sizes.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

std::vector<sizes::Method> methods() {
  return {{.name = "features, no sample", .samples = 0},
          {.name = "features, 2 random samples", .chosen = false},
          {.name = "features, 1 sample", .samples = 1},
          {.name = "features, 2 samples"},
          {.name = "features, 2 samples, q = .95", .confidence = 0.95},
          {.name = "no features, 2 random samples", .features = false, .chosen = false},
          {.name = "no features, 4 samples", .features = false, .samples = 4},
          {.name = "no features, 4 samples, q = .95", .features = false, .samples = 4, .confidence = 0.95},
          {.name = "latency, features, 2 samples", .latency = true},
          {.name = "latency, no features, 4 samples", .latency = true, .features = false, .samples = 4},
          {.name = "degrees, features, 2 samples", .degrees = true},
          {.name = "degrees, features, 2 samples, q = .7", .degrees = true, .confidence = 0.7},
          {.name = "the same, judged by measurements", .degrees = true, .confidence = 0.7, .by_measurement = true},
          {.name = "one family, features, 2 samples", .one_family = true},
          {.name = "8 of 30 configurations profiled, features, 2 samples", .profiled_configurations = 8}};
}

/// What can be reached at all: a row per way to choose samples.
void add_knowing(TextTable& table, const BenchSizesCommand& command) {
  constexpr double kConfidence = 0.8;
  std::array<sizes::KnowingScore, sizes::kKnowingChoices> mean;
  std::array<double, sizes::kKnowingChoices> least;
  least.fill(1);
  for (std::uint32_t k = 0; k < command.seeds; ++k) {
    const auto scores = sizes::choose_knowing(command.seed + k, command.apps, kConfidence);
    for (std::size_t c = 0; c < scores.size(); ++c) {
      for (const auto part : {&sizes::KnowingScore::met, &sizes::KnowingScore::exact, &sizes::KnowingScore::recommended})
        mean[c].*part += scores[c].*part / command.seeds;
      if (scores[c].recommended > 0) least[c] = std::min(least[c], scores[c].honest);
    }
  }
  constexpr std::array<const char*, sizes::kKnowingChoices> kNames = {
      "degrees, knowing the simulator, 2 samples", "the same, 2 most telling samples", "the same, all degrees sampled"};
  for (std::size_t c = 0; c < kNames.size(); ++c) {
    table.add({kNames[c], "", percent_text(mean[c].met), percent_text(mean[c].exact), "", percent_text(mean[c].recommended),
               percent_text(least[c]), ""});
  }
}

void print_baselines(const BenchSizesCommand& command, const Console& console) {
  const sizes::BaselineScore score = sizes::mean_baselines(command.seed, command.seeds, command.apps);
  const auto text = [](double error) { return for_people(error, 3); };
  TextTable table({"RMSE", "profiled apps", "new apps, 2 random samples", "paper"});
  table.add({"mean per configuration", text(score.held_out.mean), text(score.fresh.mean), ""});
  table.add({"factorization machine", text(score.held_out.machine), text(score.fresh.machine), "0.243"});
  table.add({"matrix factorization", text(score.held_out.matrix), text(score.fresh.matrix), "0.582"});
  table.print(console);
  console.out << "  The machine's RMSE in its first pass, by tenths:";
  for (const double error : score.over_time.front().by_tenth) console.out << " " << text(error);
  console.out << "\n";
}

}  // namespace

int run_bench_sizes_command(const BenchSizesCommand& command, const Console& console) {
  TextTable table({"learned from", "RMSE", "met", "near", "extra", "recommended", "least met", "us"});
  for (sizes::Method& method : methods()) {
    method.profiled = command.apps;
    sizes::Score mean;
    double least = 1;
    for (std::uint32_t k = 0; k < command.seeds; ++k) {
      const sizes::Score score = sizes::run_method(method, command.seed + k, command.apps);
      for (const auto part : {&sizes::Score::rmse, &sizes::Score::recommended, &sizes::Score::met, &sizes::Score::near,
                              &sizes::Score::extra, &sizes::Score::microseconds})
        mean.*part += score.*part / command.seeds;
      if (score.recommended > 0) least = std::min(least, score.honest);
    }
    table.add({method.name, method.latency ? "" : for_people(mean.rmse, 3), percent_text(mean.met), percent_text(mean.near),
               percent_text(mean.extra), percent_text(mean.recommended), percent_text(least),
               for_people(mean.microseconds, 0)});
  }
  add_knowing(table, command);
  table.print(console);
  print_baselines(command, console);
  return kExitOk;
}

}  // namespace stowage::cli::lab
