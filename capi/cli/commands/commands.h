// One function per subcommand. Each takes its options, writes to the console and returns the exit code; failures are thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/generate/cluster/cluster.h"
#include "capi/cli/generate/colocation.h"
#include "capi/cli/generate/generate.h"
#include "capi/cli/generate/lras/lras.h"
#include "capi/cli/generate/medea_cluster.h"
#include "capi/cli/generate/packing.h"
#include "capi/cli/generate/stochastic/stochastic_cluster.h"
#include "capi/cli/learn/interference/interference_fit.h"
#include "capi/cli/learn/size_rules.h"
#include "capi/cli/library/library.h"
#include "capi/cli/simulate/simulation.h"
#include "capi/text/words/answer.h"

namespace stowage::cli {

/// The planner that runs without --planner.
inline constexpr const char* kDefaultPlanner = "auto";
/// Work of each plan of a replay where neither work nor time is given: replays are the same on every machine.
inline constexpr std::uint64_t kReplayWork = 200'000;

/// What most commands are told: an instance, other nodes for it, factors of --scale, and how to answer.
struct InstanceCommand {
  std::string file;
  GivenNodes node;
  std::vector<std::string> scales;
  Summary summary = Summary::kText;
  CsvCells cells = CsvCells::kExact;
};

struct PlanCommand : InstanceCommand {
  RequestOptions request;
  std::vector<std::string> outputs;  ///< "-" is standard output, here and below
  std::string format;                ///< of outputs whose names do not say it, here and below; empty: JSON
  std::size_t shown = kShownNodes;   ///< lines of the table of nodes
  bool verbose = false;              ///< tells how the plan was found
};
int run_plan_command(const PlanCommand& command, const Console& console);

struct TradeoffCommand : InstanceCommand {
  RequestOptions request;      ///< of each run; its policy for soft rules is replaced
  std::vector<double> prices;  ///< empty: `steps` prices around what a unit of violation costs
  std::uint32_t steps = 7;
  std::vector<std::string> outputs;
  std::string format;
};
int run_tradeoff_command(const TradeoffCommand& command, const Console& console);

struct SizesCommand : InstanceCommand {
  RequestOptions request;  ///< of each plan, but for the deadline, which is that of all
  std::vector<std::string> outputs;
  std::string format;
};
int run_sizes_command(const SizesCommand& command, const Console& console);

struct VerifyCommand : InstanceCommand {
  std::string plan;
  bool complete = false;
};
int run_verify_command(const VerifyCommand& command, const Console& console);

struct MovesCommand : InstanceCommand {
  std::string plan;
  std::uint32_t per_node = 0;
  double app_share = 1;
};
int run_moves_command(const MovesCommand& command, const Console& console);

struct HeadroomCommand : InstanceCommand {
  std::optional<std::string> plan;  ///< absent: what runs
  std::optional<std::string> app;
  std::uint32_t most = 1'000'000'000;
};
int run_headroom_command(const HeadroomCommand& command, const Console& console);

struct LossesCommand : InstanceCommand {
  std::optional<std::string> plan;  ///< absent: what runs
  std::vector<std::string> lost;    ///< names of nodes; empty: by `label`
  std::string label;                ///< a key; empty: each node
};
int run_losses_command(const LossesCommand& command, const Console& console);

using BoundCommand = InstanceCommand;
int run_bound_command(const BoundCommand& command, const Console& console);

struct ExplainCommand : InstanceCommand {
  std::optional<std::string> plan;  ///< absent: `request` is planned and its plan explained
  std::optional<std::string> app;
  RequestOptions request;
};
int run_explain_command(const ExplainCommand& command, const Console& console);

struct SessionCommandLine {
  std::string file;
  std::string script = "-";
  std::optional<std::string> output;
  bool stop = false;
  CsvCells cells = CsvCells::kExact;
  std::optional<Summary> summary;  ///< of what came of it; absent: none
};
int run_session_command(const SessionCommandLine& command, const Console& console);

struct ReplayCommand : InstanceCommand {
  std::string trace;
  RequestOptions request;
  double interval = 60;  ///< seconds
  std::optional<std::string> csv;
  std::optional<std::string> picture;
};
int run_replay_command(const ReplayCommand& command, const Console& console);

struct PlannersCommand {
  std::optional<std::string> name;
  Summary summary = Summary::kText;
};
int run_planners_command(const PlannersCommand& command, const Console& console);

struct ConvertCommand {
  std::string from;
  std::string to;
  GivenNodes node;
  std::vector<std::string> scales;      ///< of an instance
  std::optional<std::string> instance;  ///< instance of the plan to convert
  std::string format;
  CsvCells cells = CsvCells::kExact;
  Summary summary = Summary::kText;
};
int run_convert_command(const ConvertCommand& command, const Console& console);

struct GenerateCommand {
  GenerateOptions options;
  std::optional<std::string> apps_file;  ///< instance to take the apps from; absent: apps are drawn
  std::string output;
  std::string format;
};
int run_generate_command(const GenerateCommand& command, const Console& console);

struct SimulateCommand : InstanceCommand {
  std::string plan;
  stochastic::SimulationOptions options;
  std::optional<std::string> measured;  ///< file with measured usage
  std::optional<std::string> csv;
};
int run_simulate_command(const SimulateCommand& command, const Console& console);

/// What is learned from a file, and where it goes.
struct LearnCommand {
  std::string file;
  std::optional<std::string> into;    ///< instance that takes what is learned
  std::optional<std::string> output;  ///< where that is written; absent: in its place
  std::string format;
  Summary summary = Summary::kText;
};

struct LearnInterferenceCommand : LearnCommand {
  learn::FitOptions options;
};
int run_learn_interference_command(const LearnInterferenceCommand& command, const Console& console);

struct LearnProfilesCommand {
  std::string file;
  std::string output;
};
int run_learn_profiles_command(const LearnProfilesCommand& command, const Console& console);

/// What is to be reached, as options say it.
struct GoalOptions {
  std::string goal;                    ///< a performance; empty: none
  std::optional<double> latency_goal;  ///< in ms
  std::string confidence;              ///< empty: the default
  std::string cost;                    ///< "cpu=1,memory=.5"; empty: the default
};

struct RecommendCommand : LearnCommand, GoalOptions {
  std::string model;
  bool keep_size = false;
};
int run_recommend_command(const RecommendCommand& command, const Console& console);

struct SizeCommand : LearnCommand {
  learn::SizeTexts texts;
  std::uint32_t periods = 1;
  std::string cycle = "24h";
  std::string confidence;  ///< of uncertain demand in the instance; empty: as it says
};
int run_size_command(const SizeCommand& command, const Console& console);

/// Answers questions about a Kubernetes cluster; the arguments are those of `stowage k8s`.
int run_k8s_command(const std::vector<std::string>& arguments, const Console& console);

struct BenchCommand : InstanceCommand {
  std::vector<std::string> files;
  std::vector<std::string> generate;  ///< such as "lras=9338,density=1%,graph=arbitrary,seed=1"
  std::vector<std::string> planners;
  std::uint32_t repeat = 3;
  RequestOptions request;
  std::optional<std::string> csv;
};
int run_bench_command(const BenchCommand& command, const Console& console);

struct ExampleCommand {
  std::string name = "shop";
  std::string output = "-";
  std::string format;
  bool list = false;
};
int run_example_command(const ExampleCommand& command, const Console& console);
/// In the order in which they are listed.
std::vector<std::string> example_names();

/// Prints a JSON Schema; of an empty name, a list of them.
int run_schema_command(const std::string& name, const Console& console);
std::vector<std::string> schema_names();

/// The words that answers and messages use, a line each, and what they mean.
std::string glossary();
/// Prints what a word means; of an empty one, the glossary.
int run_words_command(const std::string& word, const Console& console);

}  // namespace stowage::cli
