// One function per subcommand of stowage-lab. Each takes its options, writes to the console and returns the exit code; failures
// are thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/library/library.h"
#include "capi/cli/simulate/simulation.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/gavel/gavel.h"
#include "capi/lab/learning/simulator.h"
#include "capi/lab/medea/experiments.h"
#include "capi/lab/paper/figures.h"
#include "capi/lab/rasa/rasa.h"
#include "capi/lab/stochastic/experiments.h"
#include "capi/lab/tianchi/tianchi.h"
#include "capi/lab/usage/histories.h"

namespace stowage::cli::lab {

struct BenchPaperCommand : ExperimentCommand {
  BenchPaperCommand() { deadline_ms = 60'000; }
  std::vector<int> figures;
  paper::Scale scale;
  std::optional<std::string> apps_file;  ///< instead of fitted distributions
  std::vector<std::string> also;         ///< planners beside a figure's own
  std::optional<std::string> published;
};
int run_bench_paper_command(const BenchPaperCommand& command, const Console& console);

struct BenchStochasticCommand : ExperimentCommand {
  BenchStochasticCommand() {
    seeds = 5;
    deadline_ms = 3'000;
  }
  std::vector<int> tables;
  stochastic::Scale scale;
  std::string layout;  ///< planner of initial layouts; empty: that of `generate stochastic`
  std::uint32_t samples = 1000;
  stochastic::UsageModel usage = stochastic::UsageModel::kTruncated;
};
int run_bench_stochastic_command(const BenchStochasticCommand& command, const Console& console);

struct BenchMedeaCommand : ExperimentCommand {
  BenchMedeaCommand() { deadline_ms = 1'000; }
  std::vector<int> figures;
  medea::Scale scale;
};
int run_bench_medea_command(const BenchMedeaCommand& command, const Console& console);

struct BenchClustersCommand : ExperimentCommand {
  BenchClustersCommand() { seeds = 3; }
  std::vector<std::string> features;   ///< each several joined by "+"; empty: the default ones
  std::vector<std::uint32_t> sizes;    ///< numbers of apps
  std::vector<std::string> deadlines;  ///< "10s"; of each planner without one of its own
};
int run_bench_clusters_command(const BenchClustersCommand& command, const Console& console);

struct BenchPackingCommand : ExperimentCommand {
  BenchPackingCommand() {
    seeds = 3;
    deadline_ms = 5'000;
  }
  std::vector<std::string> classes;           ///< empty: all
  std::vector<std::uint32_t> items;           ///< empty: as published
  std::vector<std::uint32_t> dims = {2, 10};  ///< of Caprara and Toth's classes
  bool merge = false;                         ///< equal items are replicas of one app
};
int run_bench_packing_command(const BenchPackingCommand& command, const Console& console);

struct BenchLraschedCommand : ExperimentCommand {
  BenchLraschedCommand() {
    seeds = 3;
    deadline_ms = 1'000;
  }
  std::vector<std::string> sizes = {"500/100", "1000/300", "2000/500"};  ///< apps and nodes
  std::vector<std::uint32_t> dims = {3, 4, 5, 6};
  std::vector<std::string> loads = {"literal", "scaled", "added"};              ///< of figures 8 to 10
  std::vector<int> figures = {5, 6, 8, 9, 10, 11, 12};                          ///< with 5 goes table 2
  std::vector<std::uint32_t> latency_nodes = {100, 500, 1'000, 5'000, 10'000};  ///< of figures 11 and 12
  std::uint32_t containers = 1;                                                 ///< most containers of an app
};
int run_bench_lrasched_command(const BenchLraschedCommand& command, const Console& console);

struct BenchColocationCommand : ExperimentCommand {
  BenchColocationCommand() {
    seeds = 30;
    deadline_ms = 1'000;
  }
  std::vector<std::string> classes;  ///< empty: all
  std::vector<std::uint32_t> kinds = {2, 3, 4};
  std::vector<std::string> sizes = {"small", "large"};
};
int run_bench_colocation_command(const BenchColocationCommand& command, const Console& console);

struct GenerateUsageCommand {
  usage::GeneratedUsage options;
  std::string output;
};
int run_generate_usage_command(const GenerateUsageCommand& command, const Console& console);

struct BenchUsageCommand {
  BenchUsageCommand() {
    request.planner = "auto";
    request.deadline_ms = 5'000;
  }
  usage::GeneratedUsage options;
  std::uint32_t periods = 24;
  RequestOptions request;
  std::optional<std::string> tianchi;  ///< folder of the published files
  std::optional<std::string> csv;
};
int run_bench_usage_command(const BenchUsageCommand& command, const Console& console);

struct BenchDevicesCommand {
  std::uint32_t nodes = 1'500;
  std::vector<double> loads = {0.9, 1, 1.1};  ///< GPUs asked for, as shares of those that are there
  std::uint32_t seeds = 3;
  std::uint64_t deadline_ms = 30'000;
  std::optional<std::string> markdown;
  std::string command_line;
};
int run_bench_devices_command(const BenchDevicesCommand& command, const Console& console);

struct BenchSizesCommand {
  std::uint32_t apps = 300;  ///< profiled, and as many new ones
  std::uint32_t seeds = 5;
  std::uint64_t seed = 1;
};
int run_bench_sizes_command(const BenchSizesCommand& command, const Console& console);

struct DrawCurveCommand : GoalOptions {
  std::string model;
  std::string file;
  std::string app;                      ///< empty: the first one
  std::optional<std::string> measured;  ///< a CSV with measurements to draw beside the curve
  bool degrees = false;                 ///< over degrees of collocation instead of sizes
  std::string output;                   ///< NAME.svg
};
int run_draw_curve_command(const DrawCurveCommand& command, const Console& console);

struct GenerateProfilesCommand {
  profiles::Options options;
  std::string output;
};
int run_generate_profiles_command(const GenerateProfilesCommand& command);

struct ImportTianchiCommand {
  TianchiOptions options;
  std::string output;
};
int run_import_tianchi_command(const ImportTianchiCommand& command, const Console& console);

struct ImportRasaCommand {
  std::string cluster;
  std::string output;
};
int run_import_rasa_command(const ImportRasaCommand& command, const Console& console);

struct ImportGavelCommand {
  GavelOptions options;
  std::string output;
};
int run_import_gavel_command(const ImportGavelCommand& command, const Console& console);

}  // namespace stowage::cli::lab
