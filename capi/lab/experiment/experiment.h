// The common part of the benchmarks that repeat published experiments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/library/library.h"
#include "capi/lab/experiment/contenders.h"
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

/// The runs that count, by instance.
template <class Run>
auto by_instance(const std::vector<Run>& runs) {
  std::map<std::pair<decltype(Run::of), std::uint64_t>, std::vector<const Run*>> instances;
  for (const Run& run : runs) {
    if (run.counts()) instances[{run.of, run.seed}].push_back(&run);
  }
  return instances;
}

/// A chart of an experiment.
struct Chart {
  std::string file;  ///< without its ending
  std::string title;
  std::string script;  ///< for gnuplot
};

/// An experiment, from its command to its tables. What is known of it before any run is in Bench below.
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
  /// @param name of the command, after "stowage-lab bench"
  /// @param on stands behind each machine and build on the page
  Experiment(const ExperimentCommand& command, const Console& console, const char* name, const char* on = "")
      : command_(command), console_(console), name_(name), on_(on), catalogue_(planner_catalogue()) {}

  /// Checks the whole command, so that wrong usage is refused before any long work.
  virtual void prepare() = 0;
  /// Reads and writes the runs of a file.
  virtual void read(const std::string& path) = 0;
  virtual void save(const std::string& path) const = 0;
  virtual void measure_all() = 0;
  /// Sums up the runs that the command asks for.
  virtual void sum_up_asked() = 0;
  /// What there is to show then: figures for the summary and --json, charts, and a page.
  virtual void add_figures(Figures& figures) const = 0;
  [[nodiscard]] virtual std::vector<Chart> charts() const = 0;
  virtual void show(Page& page) const = 0;

  [[nodiscard]] const Console& console() const { return console_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

  /// The contenders of `labels` without duplicates, which would count twice.
  [[nodiscard]] std::vector<Contender> known_contenders(const std::vector<std::string>& labels) const;
  /// Contenders of the experiment's own. Planners that this build lacks are noted in missing().
  std::vector<Contender> own_contenders(const std::vector<std::string>& labels);
  /// Compares the command's planners, or the groups of the experiment's own.
  std::vector<Group> groups_or(const std::vector<Group>& own, std::vector<Contender>& contenders);
  /// Sets the objective ucac (used capacity at confidence) for all contenders whose planners pursue it.
  void ask_for_ucac(std::vector<Contender>& contenders) const;
  [[nodiscard]] bool offers(const Contender& contender) const { return offered(catalogue_.root(), contender.planner); }
  /// Whether the planner ends when its work is done, with or without a deadline.
  [[nodiscard]] bool ends_by_itself(const Contender& contender) const;
  [[nodiscard]] std::uint64_t deadline_of(const Contender& contender) const {
    return contender.deadline_ms > 0 ? contender.deadline_ms : command_.deadline_ms;
  }
  /// What stands below tables: `what` was measured, then whose plan counts in `groups`, then which planners are missing.
  [[nodiscard]] std::vector<std::string> notes(const std::string& per_row, const std::string& means, const char* best = "",
                                               const std::vector<Group>& groups = {}) const;
  [[nodiscard]] std::string deadline_text() const {
    return duration_text(static_cast<double>(command_.deadline_ms) / 1000) + " at most, unless its name says otherwise";
  }

  /// Runs a contender, measures it and verifies its plan; fills `run`. Returns the plan. Returns nothing after a Ctrl-C, and
  /// where the planner refused or failed (see `run.status`).
  std::optional<PlanRun> measure_run(const Workload& workload, const Contender& contender, std::uint64_t seed,
                                     MeasuredRun& run);
  /// Saves the runs after a job, and says how far the experiment is.
  void note_job(const std::string& job, std::size_t done, std::size_t jobs, std::size_t runs, double seconds) const;

  void note_origin(const MeasuredRun& run) { origins_.insert(run.machine + "; " + run.build + on_); }

 private:
  /// Checks the files that the command names, and reads the runs to continue from.
  void prepare_output();
  /// Writes and shows the results as the command asks.
  void publish() const;

  const ExperimentCommand& command_;
  const Console& console_;
  const char* name_;
  const char* on_;
  Catalogue catalogue_;
  std::vector<std::string> missing_;  ///< planners of the experiment that this build lacks
  std::optional<std::string> runs_path_;
  std::set<std::string> origins_;  ///< machines and builds of the runs that are shown
  bool broken_ = false;
};

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
    std::vector<Of> series;  ///< planned one after the other; empty: `of` alone
  };
  using Experiment::Experiment;

  [[nodiscard]] virtual std::vector<Job> jobs() const = 0;
  virtual void measure(const Job& job) = 0;
  virtual void sum_up(const std::vector<Run>& asked) = 0;
  /// The runs of a contender on a job, with nothing measured.
  [[nodiscard]] virtual std::vector<Run> blanks(const Job& job, const Contender& contender) const {
    if (job.series.empty()) return {blank(job.of, job.seed, contender)};
    std::vector<Run> runs;
    for (const Of& of : job.series) runs.push_back(blank(of, job.seed, contender));
    return runs;
  }

  [[nodiscard]] virtual Run blank(const Of& of, std::uint64_t seed, const Contender& contender) const {
    Run run;
    run.of = of;
    run.seed = seed;
    run.label = contender.label;
    run.deadline_ms = deadline_of(contender);
    return run;
  }
  /// What is measured as a whole, and was cut short, is repeated from its start.
  void forget(const Job& job, const Contender& contender) {
    for (const Run& blank : blanks(job, contender)) {
      std::erase_if(runs_, [&](const Run& run) { return run.key() == blank.key(); });
    }
  }
  [[nodiscard]] bool is_done(const Run& run) const { return done_.contains(run.key()); }

  /// Measures a contender on an instance: describe(plan, run) adds what the plan says. Appends the run to `runs`, unless it was
  /// interrupted or met a defect, which is no result: --resume repeats it.
  template <class Describe>
  std::optional<PlanRun> plan_and_keep(const Workload& workload, const Contender& contender, Run run, std::vector<Run>& runs,
                                       Describe&& describe) {
    if (InterruptGuard::interrupted()) return std::nullopt;
    std::optional<PlanRun> made = measure_run(workload, contender, run.seed, run);
    if (made) describe(made->root(), run);
    if (InterruptGuard::interrupted()) return std::nullopt;
    if (run.status != Run::kFailed) runs.push_back(std::move(run));
    return made;
  }

  std::vector<Run> runs_;

  void read(const std::string& path) override {
    runs_ = read_runs<Run>(path);
    for (const Run& run : runs_) {
      check_origin(path, run.machine, run.build);
      done_.insert(run.key());
    }
  }
  void save(const std::string& path) const override { write_runs<Run>(runs_, path); }

 private:
  using Key = decltype(Run().key());

  void measure_all() override {
    const std::vector<Job> all = jobs();
    for (std::size_t j = 0; j < all.size() && !InterruptGuard::interrupted(); ++j) {
      Job job = all[j];
      std::erase_if(job.contenders, [&](const Contender& one) {
        const std::vector<Run> runs = blanks(job, one);
        return !offers(one) || std::all_of(runs.begin(), runs.end(), [&](const Run& run) { return is_done(run); });
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

/// Sums over runs, by what they are of and by contender.
template <class Of, class Mean>
class Means {
 public:
  Mean& add(const Of& of, const std::string& label) { return means_[{of, label}]; }
  [[nodiscard]] bool has(const Of& of, const std::string& label) const { return means_.contains({of, label}); }
  /// Without runs: a mean of nothing.
  [[nodiscard]] const Mean& of(const Of& of, const std::string& label) const {
    static const Mean kNone;
    const auto found = means_.find({of, label});
    return found == means_.end() ? kNone : found->second;
  }
  template <class Finish>
  void finish(Finish&& finish) {
    for (auto& [key, mean] : means_) finish(mean);
  }
  /// The contenders with a mean of any of these.
  [[nodiscard]] std::vector<Contender> known(const std::vector<Contender>& contenders, const std::vector<Of>& all) const {
    std::vector<Contender> found;
    for (const Contender& one : contenders) {
      if (std::any_of(all.begin(), all.end(), [&](const Of& of) { return has(of, one.label); })) found.push_back(one);
    }
    return found;
  }

 private:
  std::map<std::pair<Of, std::string>, Mean> means_;
};

/// Divides sums by a number; 0 by none.
template <class Number>
void divide(std::initializer_list<double*> sums, Number by) {
  for (double* sum : sums) *sum = by > 0 ? *sum / static_cast<double>(by) : 0;
}

}  // namespace stowage::cli::lab
