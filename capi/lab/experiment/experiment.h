// The frame of the benchmarks that repeat published experiments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/library/library.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/quantities.h"

namespace CLI {  // NOLINT(readability-identifier-naming): of CLI11
class App;
}

namespace stowage::cli::lab {

class LabLine;

/// What an experiment's command is told.
struct ExperimentCommand {
  std::string command_line;           ///< as given, to be repeated
  std::uint64_t seeds = 1;            ///< instances per class
  std::vector<std::string> planners;  ///< instead of the experiment's own; NAME[:OPTION=NUMBER...][@DEADLINE]
  std::string deadline;               ///< empty: as below
  std::uint64_t deadline_ms = 0;      ///< of each run; 0: contenders say it
  std::uint32_t repeat = 3;
  std::optional<std::string> output;
  bool resume = false;
  bool no_charts = false;
  std::optional<std::string> markdown;
  Summary summary = Summary::kText;
};

/// What help says of an experiment, and the usual numbers of its command.
struct ExperimentInfo {
  const char* name;  ///< of the command, after "stowage-lab bench"
  const char* summary;
  const char* help;
  std::uint64_t seeds = 1;
  std::uint64_t deadline_ms = 0;  ///< 0: there is no --deadline
  const char* on = "";            ///< stands behind each machine and build on the page
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

/// The value of a plan's bound, if it has one.
inline std::optional<double> bound_of(const wire::Bound* bound) {
  return bound != nullptr ? std::optional(bound->value()) : std::nullopt;
}

/// What is compared: a contender, or several of which the best plan of each instance counts.
struct Group {
  std::string name;
  std::vector<std::string> labels;

  [[nodiscard]] bool has(const std::string& label) const;
};

/// Of the runs on an instance, the one of a group with the lowest rank(run); nullptr where the group has none.
template <class Run, class Rank>
const Run* best_of(const Group& group, const std::vector<const Run*>& runs, Rank&& rank) {
  const Run* best = nullptr;
  for (const Run* run : runs) {
    if (group.has(run->label) && (best == nullptr || rank(*run) < rank(*best))) best = run;
  }
  return best;
}

/// The runs that count, by what they are of and by instance.
template <class Run>
auto by_instance(const std::vector<Run>& runs) {
  std::map<decltype(Run::of), std::map<std::uint64_t, std::vector<const Run*>>> instances;
  for (const Run& run : runs) {
    if (run.counts()) instances[run.of][run.seed].push_back(&run);
  }
  return instances;
}

/// An experiment, from its options to its tables. What is known of it before any run is in Bench below.
class Experiment {
 public:
  Experiment(const Experiment&) = delete;
  Experiment(Experiment&&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  Experiment& operator=(Experiment&&) = delete;
  virtual ~Experiment() = default;

 protected:
  Experiment(const Console& console, const ExperimentInfo& info) : info_(info), console_(console) {
    command_.seeds = info.seeds;
    command_.deadline_ms = info.deadline_ms;
  }

  /// Adds the options that other experiments do not have.
  virtual void add_options(CLI::App* sub) = 0;
  /// Checks the whole command, so that wrong usage is refused before any long work.
  virtual void prepare() = 0;
  /// Reads and writes the runs of a file.
  virtual void read(const std::string& path) = 0;
  virtual void save(const std::string& path) const = 0;
  virtual void measure_all() = 0;
  /// Sums up the runs that the command asks for.
  virtual void sum_up_asked() = 0;
  /// What there is to show then: figures for the summary and --json, and a page. The charts that it links are drawn.
  virtual void add_figures(Figures& figures) const = 0;
  virtual void show(Page& page) const = 0;

  [[nodiscard]] const Console& console() const { return console_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

  /// The contenders of `labels` without duplicates, which would count twice. Fails, and names a similar planner, where this
  /// build lacks one.
  [[nodiscard]] std::vector<Contender> known_contenders(const std::vector<std::string>& labels) const;
  /// The command's planners, or the experiment's own. Of these, planners that this build lacks are noted in missing().
  std::vector<Contender> contenders_or(const std::vector<std::string>& own);
  /// Compares the command's planners, or the groups of the experiment's own.
  std::vector<Group> groups_or(const std::vector<Group>& own, std::vector<Contender>& contenders);
  /// What the catalogue says of the planner; nullptr where this build lacks it.
  [[nodiscard]] const wire::PlannerInfo* info_of(const Contender& contender) const;
  [[nodiscard]] std::uint64_t deadline_of(const Contender& contender) const {
    return contender.deadline_ms > 0 ? contender.deadline_ms : command_.deadline_ms;
  }
  /// A request for a plan by the contender.
  [[nodiscard]] RequestOptions request_of(const Contender& contender) const;
  /// What stands below tables: `what` was measured, then whose plan counts in `groups`, then which planners are missing.
  [[nodiscard]] std::vector<std::string> notes(const std::string& per_row, const std::string& means, const char* best = "",
                                               const std::vector<Group>& groups = {}) const;
  [[nodiscard]] std::string deadline_text() const {
    return duration_text(static_cast<double>(command_.deadline_ms) / 1000) + " at most, unless its name says otherwise";
  }

  /// Runs a contender, measures it and verifies its plan; fills `run`. A short run is repeated. Returns the first plan; nothing
  /// after a Ctrl-C, and where the planner refused or failed (see `run.status`).
  std::optional<PlanRun> measure_run(const Workload& workload, const Contender& contender, std::uint64_t seed,
                                     MeasuredRun& run);
  /// Tells why a run or its plan does not count.
  void complain(const std::string& why) const;
  /// Saves the runs after a job, and says how far the experiment is.
  void note_job(const std::string& job, std::size_t done, std::size_t jobs, std::size_t runs, double seconds) const;

  void note_origin(const MeasuredRun& run) { origins_.insert(run.machine + "; " + run.build + info_.on); }

  ExperimentCommand command_;

 private:
  friend void add_experiment(LabLine& line, CLI::App* parent, const std::shared_ptr<Experiment>& experiment);

  /// Adds the options that all experiments have.
  void add_common_options(CLI::App* sub);
  /// Prepares, measures and reports; returns the exit code.
  int run();
  /// Checks the files that the command names, and reads the runs to continue from.
  void prepare_output();
  /// Writes and shows the results as the command asks.
  void publish() const;

  ExperimentInfo info_;
  const Console& console_;
  std::optional<Catalogue> catalogue_;
  std::vector<std::string> missing_;  ///< planners of the experiment that this build lacks
  std::optional<std::string> runs_path_;
  std::set<std::string> origins_;  ///< machines and builds of the runs that are shown
  bool broken_ = false;
};

/// Adds the experiment as a command.
void add_experiment(LabLine& line, CLI::App* parent, const std::shared_ptr<Experiment>& experiment);

/// An experiment with jobs, each of which leaves runs of a kind: what they are of is `of` in each. Contenders that this build
/// lacks are left out.
template <class RunType>
class Bench : public Experiment {
 protected:
  using Run = RunType;
  using Of = decltype(Run::of);
  /// Instances that are made once and planned by several contenders.
  struct Job {
    Of of;
    std::uint64_t seed = 0;
    std::vector<Contender> contenders;
    std::vector<Of> series{};  ///< planned one after the other; empty: `of` alone
  };
  using Experiment::Experiment;

  [[nodiscard]] virtual std::vector<Job> jobs() const = 0;
  virtual void sum_up(const std::vector<Run>& asked) = 0;
  virtual void measure(const Job& job) { measure_instance(job); }
  /// The instance that measure_instance() measures.
  [[nodiscard]] virtual InstanceData make(const Of&, std::uint64_t /*seed*/) const { return {}; }
  /// Note in a run what the command, the instance and the plan say.
  virtual void note_command(Run&) const {}
  virtual void note_instance(const InstanceData&, Run&) const {}
  virtual void note_plan(const Workload&, const wire::Plan&, Run&) {}
  /// The runs of a contender on a job, with nothing measured.
  [[nodiscard]] virtual std::vector<Run> blanks(const Job& job, const Contender& contender) const {
    std::vector<Run> runs;
    for (const Of& of : job.series) runs.push_back(blank(of, job.seed, contender));
    if (runs.empty()) runs.push_back(blank(job.of, job.seed, contender));
    return runs;
  }
  [[nodiscard]] Run blank(const Of& of, std::uint64_t seed, const Contender& contender) const {
    Run run;
    run.of = of;
    run.seed = seed;
    run.label = contender.label;
    run.deadline_ms = deadline_of(contender);
    note_command(run);
    return run;
  }

  void measure_instance(const Job& job) {
    InstanceData data = [&] {
      const PassingNote note(console(), "making " + class_text(job.of));
      return make(job.of, job.seed);
    }();
    Run run = blank(job.of, job.seed, job.contenders.front());
    note_instance(data, run);
    const Workload workload = loaded(std::move(data), class_text(job.of));
    for (const Contender& contender : job.contenders) {
      run.label = contender.label;
      run.deadline_ms = deadline_of(contender);
      if (!done_.contains(run.key())) plan_and_keep(workload, contender, run);
    }
  }
  /// What is measured as a whole, and was cut short, is repeated from its start.
  void forget(const Job& job, const Contender& contender) {
    for (const Run& blank : blanks(job, contender)) {
      std::erase_if(runs_, [&](const Run& run) { return run.key() == blank.key(); });
    }
  }
  /// Measures a contender on an instance. Keeps the run unless it was interrupted or met a defect, which is no result: --resume
  /// repeats it.
  std::optional<PlanRun> plan_and_keep(const Workload& workload, const Contender& contender, Run run) {
    if (InterruptGuard::interrupted()) return std::nullopt;
    std::optional<PlanRun> made = measure_run(workload, contender, run.seed, run);
    if (made) note_plan(workload, made->root(), run);
    if (InterruptGuard::interrupted()) return std::nullopt;
    if (run.status != Run::kFailed) runs_.push_back(std::move(run));
    return made;
  }

  void read(const std::string& path) override {
    runs_ = read_runs<Run>(path);
    for (const Run& run : runs_) {
      check_origin(path, run.machine, run.build);
      done_.insert(run.key());
    }
  }
  void save(const std::string& path) const override { write_runs<Run>(runs_, path); }

  std::vector<Run> runs_;

 private:
  using Key = decltype(Run().key());

  void measure_all() override {
    const std::vector<Job> all = jobs();
    for (std::size_t j = 0; j < all.size() && !InterruptGuard::interrupted(); ++j) {
      Job job = all[j];
      std::erase_if(job.contenders, [&](const Contender& one) {
        const std::vector<Run> runs = blanks(job, one);
        return info_of(one) == nullptr ||
               std::all_of(runs.begin(), runs.end(), [&](const Run& run) { return done_.contains(run.key()); });
      });
      if (job.contenders.empty()) continue;
      const Stopwatch stopwatch;
      const std::size_t before = runs_.size();
      measure(job);
      note_job(class_text(job.of) + ", seed " + std::to_string(job.seed), j + 1, all.size(), runs_.size() - before,
               stopwatch.seconds());
    }
  }

  /// A resumed file may hold other runs.
  void sum_up_asked() override {
    std::map<Key, const Run*> measured;
    for (const Run& run : runs_) measured.emplace(run.key(), &run);
    std::vector<Run> asked;
    for (const Job& job : jobs()) {
      for (const Contender& contender : job.contenders) {
        for (const Run& blank : blanks(job, contender)) {
          if (const auto found = measured.find(blank.key()); found != measured.end()) asked.push_back(*found->second);
        }
      }
    }
    for (const Run& run : asked) note_origin(run);
    sum_up(asked);
  }

  std::set<Key> done_;
};

}  // namespace stowage::cli::lab
