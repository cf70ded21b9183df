// The common part of the benchmarks that repeat published experiments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/library/library.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/measure.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {

struct ExperimentCommand {
  std::string command_line;           ///< as given, to be repeated
  std::uint64_t seeds = 1;            ///< instances per class
  std::vector<std::string> planners;  ///< instead of the experiment's own; NAME[:OPTION=NUMBER...][@DEADLINE]
  std::uint64_t deadline_ms = 0;
  std::uint32_t repeat = 3;
  std::optional<std::string> output;
  bool resume = false;
  bool no_charts = false;
  std::optional<std::string> markdown;
  Summary summary = Summary::kText;
};

/// Encodes an instance and loads it.
Workload loaded(InstanceData data, const std::string& source);

/// `values` without those that repeat an earlier one.
template <class Value>
std::vector<Value> distinct(const std::vector<Value>& values) {
  std::vector<Value> all;
  for (const Value& value : values) {
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  }
  return all;
}

class Experiment {
 public:
  Experiment(const Experiment&) = delete;
  Experiment(Experiment&&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  Experiment& operator=(Experiment&&) = delete;
  virtual ~Experiment() = default;
  /// Prepares, measures and reports; returns the exit code.
  int run();

 protected:
  Experiment(const ExperimentCommand& command, const Console& console)
      : command_(command), console_(console), catalogue_(planner_catalogue()) {}

  /// Checks the whole command, so that wrong usage is refused before any long work.
  virtual void prepare() = 0;
  virtual void measure_all() = 0;
  virtual void report() const = 0;

  [[nodiscard]] const Console& console() const { return console_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  [[nodiscard]] const std::optional<std::string>& runs_path() const { return runs_path_; }

  /// The contenders of `labels` without duplicates, which would count twice.
  [[nodiscard]] std::vector<Contender> known_contenders(const std::vector<std::string>& labels) const;
  /// A contender of the experiment's own. A planner that this build lacks is noted in missing().
  Contender own_contender(const std::string& label);
  /// Sets the objective ucac (used capacity at confidence) for all contenders whose planners pursue it.
  void ask_for_ucac(std::vector<Contender>& contenders) const;
  [[nodiscard]] bool offers(const Contender& contender) const { return offered(catalogue_.root(), contender.planner); }
  /// Whether the planner ends when its work is done, with or without a deadline.
  [[nodiscard]] bool ends_by_itself(const Contender& contender) const;
  [[nodiscard]] std::uint64_t deadline_of(const Contender& contender) const {
    return contender.deadline_ms > 0 ? contender.deadline_ms : command_.deadline_ms;
  }

  /// Checks the file that --markdown names and makes the folder of --output. Returns the runs to continue from, by read(path).
  template <class Run>
  std::vector<Run> earlier_runs(const char* markdown_word, std::vector<Run> (*read)(const std::string& path)) {
    if (!prepare_output(markdown_word)) return {};
    std::vector<Run> runs = read(*runs_path_);
    for (const Run& run : runs) check_origin(*runs_path_, run.machine, run.build);
    return runs;
  }

  /// The runs that belong to a contender of a job: belongs(run, job, contender). A resumed file may hold others.
  template <class Run, class Job, class Belongs>
  static std::vector<Run> runs_of(const std::vector<Job>& jobs, const std::vector<Run>& runs, Belongs&& belongs) {
    std::vector<Run> found;
    for (const Job& job : jobs) {
      for (const Run& run : runs) {
        const auto is_its = [&](const Contender& one) { return belongs(run, job, one); };
        if (std::any_of(job.contenders.begin(), job.contenders.end(), is_its)) found.push_back(run);
      }
    }
    return found;
  }

  /// Measures the jobs in turn, each with the contenders that are not done: `measure(job)` appends to `runs`, `save()` writes
  /// them.
  template <class Job, class Run, class Done, class Measure, class Save>
  void take_in_turn(const std::vector<Job>& jobs, const std::vector<Run>& runs, Done&& done, Measure&& measure, Save&& save) {
    for (std::size_t j = 0; j < jobs.size() && !InterruptGuard::interrupted(); ++j) {
      Job job = jobs[j];
      std::erase_if(job.contenders, [&](const Contender& one) { return done(job, one); });
      if (job.contenders.empty()) continue;
      const Stopwatch stopwatch;
      const std::size_t before = runs.size();
      measure(job);
      if (runs_path_) save();
      console_.err << "[" << j + 1 << " of " << jobs.size() << "] " << class_text(job.of) << ", seed " << job.seed << ": "
                   << counted(runs.size() - before, "run") << " in " << duration_text(stopwatch.seconds()) << '\n';
    }
  }

  /// How a benchmark writes and shows its results.
  struct Report {
    std::function<void(Figures& figures)> add_figures;           ///< for the summary and --json
    std::function<void(const std::string& folder)> draw_charts;  ///< empty: there is nothing to draw
    std::function<void(const std::optional<std::string>& charts, const std::string& path)> write_markdown;
    std::function<void()> print;
  };
  /// Writes and shows the results as the command asks.
  void publish(const Report& report) const;

  /// Runs a contender, measures it and verifies its plan; fills `run`. Returns the plan. Returns nothing after a Ctrl-C, and
  /// where the planner refused or failed (see `run.status`).
  std::optional<PlanRun> measure_run(const Workload& workload, const Contender& contender, std::uint64_t seed,
                                     MeasuredRun& run);

 private:
  /// Whether there are runs to continue from.
  bool prepare_output(const char* markdown_word);

  const ExperimentCommand& command_;
  const Console& console_;
  Catalogue catalogue_;
  std::vector<std::string> missing_;  ///< planners of the experiment that this build lacks
  std::optional<std::string> runs_path_;
  bool broken_ = false;
};

}  // namespace stowage::cli::lab
