#include <algorithm>

#include "capi/lab/commands/commands.h"
#include "capi/lab/learning/learning.h"
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
          {.name = "8 of 30 configurations profiled, features, 2 samples", .profiled_configurations = 8}};
}

/// Scores over seeds: their means, and the least share of recommendations that met the goal.
struct Scores {
  sizes::Score mean;
  double least = 1;

  void add(const sizes::Score& score, std::uint32_t seeds) {
    using sizes::Score;
    for (const auto part : {&Score::rmse, &Score::recommended, &Score::met, &Score::near, &Score::extra, &Score::microseconds})
      mean.*part += score.*part / seeds;
    if (score.recommended > 0) least = std::min(least, score.honest);
  }
};

class BenchSizes {
 public:
  void add_options(CLI::App* sub) {
    option(sub, "--apps", apps_, "Number of profiled apps, and of new ones", "N", kOwn, whole_number(1, 10'000));
    option(sub, "--seeds", seeds_, "Number of seeds", "N", kOwn, whole_number(1, 1'000));
    option(sub, "--seed", seed_, "First seed", "N", kOwn);
  }

  [[nodiscard]] int run(const Console& console) const {
    TextTable table({"learned from", "RMSE", "met", "near", "extra", "recommended", "least met", "us"});
    for (sizes::Method& method : methods()) {
      method.profiled = apps_;
      Scores scores;
      for (std::uint32_t k = 0; k < seeds_; ++k) scores.add(sizes::run_method(method, seed_ + k, apps_), seeds_);
      const auto& [mean, least] = scores;
      table.add({method.name, method.latency ? "" : for_people(mean.rmse, 3), percent_text(mean.met), percent_text(mean.near),
                 percent_text(mean.extra), percent_text(mean.recommended), percent_text(least),
                 for_people(mean.microseconds, 0)});
    }
    add_knowing(table);
    table.print(console);
    print_baselines(console);
    return kExitOk;
  }

 private:
  /// What can be reached at all: a row per way to choose samples.
  void add_knowing(TextTable& table) const {
    constexpr double kConfidence = 0.8;
    std::array<Scores, 2> both;
    for (std::uint32_t k = 0; k < seeds_; ++k) {
      const auto scores = sizes::choose_knowing(seed_ + k, apps_, kConfidence);
      for (std::size_t c = 0; c < both.size(); ++c) both[c].add(scores[c], seeds_);
    }
    const auto add = [&](const char* name, const Scores& of) {
      table.add({name, "", percent_text(of.mean.met), percent_text(of.mean.near), "", percent_text(of.mean.recommended),
                 percent_text(of.least), ""});
    };
    add("degrees, knowing the simulator, 2 samples", both[0]);
    add("the same, all degrees sampled", both[1]);
  }

  void print_baselines(const Console& console) const {
    const sizes::BaselineScore score = sizes::mean_baselines(seed_, seeds_, apps_);
    const auto text = [](double error) { return for_people(error, 3); };
    TextTable table({"RMSE", "profiled apps", "new apps, 2 random samples", "paper"});
    table.add({"mean per configuration", text(score.held_out.mean), text(score.fresh.mean), ""});
    table.add({"factorization machine", text(score.held_out.machine), text(score.fresh.machine), "0.243"});
    table.add({"matrix factorization", text(score.held_out.matrix), text(score.fresh.matrix), "0.582"});
    table.print(console);
    console.out << "  The machine's RMSE in its first pass, by tenths:";
    for (const double error : score.over_time.at("all")) console.out << " " << text(error);
    console.out << "\n";
  }

  std::uint32_t apps_ = 300;  ///< profiled, and as many new ones
  std::uint32_t seeds_ = 5;
  std::uint64_t seed_ = 1;
};

}  // namespace

void add_bench_sizes(LabLine& line, CLI::App* parent) {
  line.add<BenchSizes>(parent, "sizes", "Learn sizes of containers from simulated profiles, beside an oracle",
                       R"(Examples:
  stowage-lab bench sizes
  stowage-lab bench sizes --apps 100 --seeds 2

"met": the true value reaches the goal; "near": within one step of the oracle per resource, for
degrees equal to it; "extra": cost beyond the oracle's, for degrees the sum over the oracle's;
"least met": of recommendations, on the worst seed. docs/understand/learning.md explains.)");
}

}  // namespace stowage::cli::lab
