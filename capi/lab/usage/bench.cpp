// Usage of replicas: histories generated, and ways from usage to demand compared.
#include <algorithm>
#include <functional>

#include "capi/cli/base/files.h"
#include "capi/cli/learn/demand.h"
#include "capi/cli/learn/usage_file.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/experiment.h"
#include "capi/lab/usage/histories.h"

namespace stowage::cli::lab {
namespace {

using usage::Histories;
using usage::kCpu;
using usage::kMemory;
using usage::kUsageResources;

void add_history_options(CLI::App* sub, usage::GeneratedUsage& options) {
  option(sub, "--apps", options.apps, "Number of apps", "N", kOwn, whole_number(1, 100'000));
  option(sub, "--replicas", options.most_replicas, "Largest number of replicas of an app", "N", kOwn, whole_number(1, 1'000));
  option(sub, "--days", options.days, "Length of the history", "N", kOwn, whole_number(2, 365));
  option(sub, "--step", options.step, "Seconds from one sample to the next", "S", kOwn, whole_number(1, 21'600));
  option(sub, "--seed", options.seed, "Seed; the same seed gives the same history on every platform", "N", kOwn);
}

class GenerateUsage {
 public:
  void add_options(CLI::App* sub) {
    add_history_options(sub, options_);
    option(sub, "-o,--output", output_, "File to write: a CSV; - is standard output", "FILE")->required();
  }

  int run(const Console& console) const {
    const Histories histories = usage::generate_usage(options_);
    OutputFile file(output_);
    std::string text = "app,time,replica,cpu,memory\n";
    histories.for_each_sample([&](std::uint32_t app, std::uint32_t replica, std::size_t time, const double* amount) {
      text += histories.apps[app] + "," + std::to_string(time * options_.step) + "," + std::to_string(replica) + "," +
              shortest(amount[kCpu]) + "," + shortest(amount[kMemory]) + "\n";
      if (text.size() < OutputFile::kFlushSize) return;
      file.write(text);
      text.clear();
    });
    file.write(text);
    file.commit();
    if (output_ != "-") {
      console.out << output_ << ": " << counted(histories.amount.size() / kUsageResources, "sample") << " of "
                  << counted(histories.apps.size(), "app") << '\n';
    }
    return kExitOk;
  }

 private:
  usage::GeneratedUsage options_;
  std::string output_;
};

struct Policy {
  std::string name;
  std::string percentile = "95%";
  std::string half_life = "none";
  std::string peaks = "none";
  std::string margin = "0";
  std::uint32_t periods = 1;
  double confidence = 0;  ///< above 0: plan mean and variance at this confidence
};

/// Over the part of the history that was not learned from.
struct Verdict {
  std::array<double, kUsageResources> slack{};     ///< share of a replica's demand that it does not use, on average
  std::array<double, kUsageResources> exceeded{};  ///< share of the samples in which a replica uses more than its demand
  std::array<double, kUsageResources> over{};      ///< share of the samples in which a node is asked for more than it has
  std::uint64_t nodes = 0;
  std::uint64_t unplaced = 0;
};

/// Which times are learned from and which judge.
struct Split {
  std::function<bool(std::size_t time)> learn;
  std::function<bool(std::size_t time)> judge;
};

constexpr double kCycle = 86'400;
/// Below this share, a node that is asked for more than it has is a matter of rounding.
constexpr double kRoundingShare = 1e-9;

learn::SizeTexts texts_of(const Policy& policy) {
  learn::SizeTexts texts;
  texts.percentile.given = policy.percentile;
  texts.half_life.given = policy.half_life;
  texts.peaks.given = policy.peaks;
  texts.margin.given = policy.margin;
  if (policy.confidence > 0) texts.uncertain = "all";
  return texts;
}

/// The samples to learn from, as `stowage size` reads them.
learn::UsageTable learned_samples(const Histories& histories, const Split& split) {
  learn::UsageTable table;
  table.apps = histories.apps;
  table.resources = {"cpu", "memory"};
  histories.for_each_sample([&](std::uint32_t app, std::uint32_t replica, std::size_t time, const double* usage) {
    if (!split.learn(time) || (histories.shared && replica > 0)) return;
    table.app.push_back(app);
    table.replica.push_back(replica);
    table.time.push_back(static_cast<double>(time) * histories.step);
    table.amount.insert(table.amount.end(), usage, usage + kUsageResources);
  });
  return table;
}

InstanceData bare_instance(const Histories& histories) {
  InstanceData data;
  data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  data.classes.push_back({"node", {histories.capacity[kCpu], histories.capacity[kMemory]}, 0, -1, {}});
  data.apps.names = histories.apps;
  data.apps.replicas = histories.replicas;
  data.apps.demand.assign(histories.apps.size() * kUsageResources, 0);
  return data;
}

std::size_t period_at(const Histories& histories, std::size_t time, std::uint32_t periods) {
  const double day = static_cast<double>(time) * histories.step / kCycle;
  const double share = day - static_cast<double>(static_cast<std::int64_t>(day));
  return std::min<std::size_t>(static_cast<std::size_t>(share * periods), periods - 1);
}

/// How demand held per replica.
void judge_replicas(const Histories& histories, const Split& split, const learn::LearnedDemand& learned, Verdict& verdict) {
  double samples = 0;
  histories.for_each_sample([&](std::uint32_t app, std::uint32_t, std::size_t time, const double* usage) {
    if (!split.judge(time)) return;
    samples += 1;
    for (std::size_t r = 0; r < kUsageResources; ++r) {
      const double demand = learned.apps[app].demand[r][period_at(histories, time, learned.periods)];
      if (usage[r] > demand) verdict.exceeded[r] += 1;
      if (usage[r] < demand) verdict.slack[r] += (demand - usage[r]) / demand;
    }
  });
  for (std::size_t r = 0; r < kUsageResources; ++r) {
    verdict.slack[r] /= samples;
    verdict.exceeded[r] /= samples;
  }
}

/// How often a node of the plan is asked for more than it has.
void judge_nodes(const Histories& histories, const Split& split, const wire::Plan& plan, Verdict& verdict) {
  verdict.nodes = plan.node_class()->size();
  for (const wire::Unplaced* one : *plan.unplaced()) verdict.unplaced += one->replicas();
  // The series of each placed replica, by node: replicas of an app are taken in order.
  std::vector<std::vector<std::size_t>> series(verdict.nodes);
  std::vector<std::uint32_t> taken(histories.apps.size(), 0);
  for (const wire::Placed* placed : *plan.placed()) {
    const std::size_t first = histories.first_series(placed->app());
    for (std::uint32_t k = 0; k < placed->replicas(); ++k) {
      series[placed->node()].push_back(first + (histories.shared ? 0 : taken[placed->app()]++));
    }
  }
  double samples = 0;
  for (const std::vector<std::size_t>& node : series) {
    for (std::size_t t = 0; t < histories.times; ++t) {
      if (!split.judge(t)) continue;
      samples += 1;
      std::array<double, kUsageResources> sum{};
      for (const std::size_t one : node) {
        for (std::size_t r = 0; r < kUsageResources; ++r) sum[r] += histories.at(one, t)[r];
      }
      for (std::size_t r = 0; r < kUsageResources; ++r) {
        if (sum[r] > histories.capacity[r] * (1 + kRoundingShare)) verdict.over[r] += 1;
      }
    }
  }
  for (double& share : verdict.over) share /= std::max(samples, 1.0);
}

/// The policies that are compared: fixed percentiles, Autopilot's and the Vertical Pod Autoscaler's, periods, and confidences.
std::vector<Policy> policies(std::uint32_t periods) {
  std::vector<Policy> list;
  for (const char* percentile : {"100%", "99%", "98%", "95%", "90%", "80%", "70%", "60%", "50%"}) {
    list.push_back({.name = std::string("percentile ") + percentile, .percentile = percentile});
  }
  list.push_back({"defaults of stowage size", "95%,memory=98%", "12h,memory=48h", "none", "15%"});
  list.push_back({"90 % of daily peaks", "90%", "24h", "24h", "15%"});
  const std::string over = std::to_string(periods) + " periods, ";
  for (const char* percentile : {"100%", "99%", "98%", "95%", "90%", "80%", "70%", "60%"}) {
    list.push_back({.name = over + percentile, .percentile = percentile, .periods = periods});
  }
  for (const double confidence : {0.9999, 0.999, 0.99, 0.95, 0.9}) {
    const std::string name = "mean, variance at " + for_people(confidence * 100) + " %";
    list.push_back({.name = name, .confidence = confidence});
    list.push_back({.name = over + name, .periods = periods, .confidence = confidence});
  }
  return list;
}

Verdict judge_policy(const Histories& histories, const Split& split, const Policy& policy, const RequestOptions& request,
                     const Console& console) {
  const learn::UsageTable table = learned_samples(histories, split);
  const auto rules = learn::size_rules(texts_of(policy), table.resources);
  const Buffer answer = size(learn::encode_usage(table, rules, policy.periods, kCycle));
  const auto confidence = policy.confidence > 0 ? std::optional(policy.confidence) : std::nullopt;
  const learn::LearnedDemand learned = learn::learned_demand(*wire::GetLearning(answer.data())->body_as_Sizes(), confidence);
  Verdict verdict;
  judge_replicas(histories, split, learned, verdict);
  InstanceData data = bare_instance(histories);
  learn::put_into(data, learned, histories.name);
  const PlanRun run = run_plan(loaded(std::move(data), histories.name), request, console);
  judge_nodes(histories, split, run.root(), verdict);
  return verdict;
}

class BenchUsage {
 public:
  void add_options(CLI::App* sub) {
    add_history_options(sub, options_);
    option(sub, "--periods", periods_, "Periods of the day for demand over periods", "N", kOwn, whole_number(2, 288));
    option(sub, "--tianchi", tianchi_, "Folder with the files of Tianchi 2018, data set B", "DIR");
    add_duration(sub, "--deadline", deadline_, "Time of each plan")->default_str(deadline_);
    option(sub, "--csv", csv_, "File to write the tables to", "FILE");
  }

  int run(const Console& console) {
    request_.planner = "auto";
    request_.deadline_ms = parse_milliseconds("--deadline", deadline_);
    const InterruptGuard guard;
    const Histories generated = usage::generate_usage(options_);
    const std::size_t last_day = generated.times - generated.times / options_.days;
    compare(generated, {[&](std::size_t t) { return t < last_day; }, [&](std::size_t t) { return t >= last_day; }}, console);
    console.out << '\n';
    if (tianchi_) {
      compare(usage::tianchi_usage(*tianchi_, options_.apps),
              {[](std::size_t t) { return t % 2 == 0; }, [](std::size_t t) { return t % 2 == 1; }}, console);
    } else {
      console.out << "Tianchi: skipped; --tianchi names the folder with the published files\n";
    }
    if (csv_) {
      OutputFile file(*csv_);
      file.write(figures_.finish());
      file.commit();
    }
    return kExitOk;
  }

 private:
  void compare(const Histories& histories, const Split& split, const Console& console) {
    std::uint64_t replicas = 0;
    for (const std::uint32_t count : histories.replicas) replicas += count;
    console.out << toned(console, Tone::kStrong, histories.name) << ": " << counted(histories.apps.size(), "app") << ", "
                << counted(replicas, "replica") << ", nodes of " << for_people(histories.capacity[kCpu]) << " cores and "
                << for_people(histories.capacity[kMemory]) << " GiB\n";
    TextTable table({"demand", "nodes", "cpu slack", "memory slack", "cpu exceeded", "memory exceeded", "nodes over cpu",
                     "nodes over memory"});
    for (const Policy& policy : policies(periods_)) {
      const Verdict verdict = judge_policy(histories, split, policy, request_, console);
      const auto& [slack, exceeded, over, nodes, unplaced] = verdict;
      table.add({policy.name, std::to_string(nodes) + (unplaced > 0 ? " (" + std::to_string(unplaced) + " unplaced)" : ""),
                 percent_text(slack[kCpu]), percent_text(slack[kMemory]), fixed_percent(exceeded[kCpu], 3),
                 fixed_percent(exceeded[kMemory], 3), fixed_percent(over[kCpu], 3), fixed_percent(over[kMemory], 3)});
      figures_.record().text("history", histories.name).text("demand", policy.name).whole("nodes", nodes);
      figures_.whole("unplaced", unplaced).number("cpu_slack", slack[kCpu]).number("memory_slack", slack[kMemory]);
      figures_.number("cpu_exceeded", exceeded[kCpu]).number("memory_exceeded", exceeded[kMemory]);
      figures_.number("nodes_over_cpu", over[kCpu]).number("nodes_over_memory", over[kMemory]);
    }
    table.print(console);
  }

  usage::GeneratedUsage options_;
  std::uint32_t periods_ = 24;
  std::optional<std::string> tianchi_;  ///< folder of the published files
  std::string deadline_ = "5s";
  std::optional<std::string> csv_;
  RequestOptions request_;
  Figures figures_{Figures::Form::kCsv};
};

}  // namespace

void add_generate_usage(LabLine& line, CLI::App* parent) {
  line.add<GenerateUsage>(parent, "usage", "Generate usage over time, with days, spikes and leaks", R"(Examples:
  stowage-lab generate usage --apps 20 --days 7 -o usage.csv
  stowage size usage.csv

docs/reference/generate.md states the formulas.)");
}

void add_bench_usage(LabLine& line, CLI::App* parent) {
  line.add<BenchUsage>(parent, "usage", "Compare ways from usage to demand", R"(Examples:
  stowage-lab bench usage --apps 200
  stowage-lab bench usage --apps 1000 --tianchi tianchi-2018-b --csv usage.csv

Demand is learned from all days but the last one, which judges it; of Tianchi's profiles, from every
second sample. Slack and exceeded are per replica. "Over" is the share of the samples in which a node
of the plan is asked for more than it has.)");
}

}  // namespace stowage::cli::lab
