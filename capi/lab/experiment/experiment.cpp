#include "capi/lab/experiment/experiment.h"

#include <filesystem>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::lab {
namespace {

struct Measurement {
  std::optional<PlanRun> run;  ///< the first one
  bool interrupted = false;    ///< by Ctrl-C; the measurement does not count
  bool refused = false;        ///< the planner refuses the instance; no run and not refused means a defect
  double seconds = 0;          ///< the planner alone, the best of `repeats`
  double call_seconds = 0;     ///< with bounds and the final check
  std::uint32_t repeats = 0;
};

/// Runs the contender up to `most_repeats` times, fewer where a run takes long. Prints failures on the console; `which`
/// identifies the instance in its class there.
Measurement measure(const Workload& workload, const Contender& contender, std::uint64_t deadline_ms, std::uint32_t most_repeats,
                    const std::string& which, const Console& console) {
  Measurement result;
  RequestOptions request;
  request.planner = contender.planner;
  request.settings = contender.options;
  request.deadline_ms = deadline_ms;
  request.move_budget = contender.move_budget;
  request.objective = contender.objective;
  // A long run is not repeated: disturbances average out within it.
  constexpr double kWorthRepeating = 1;
  double spent = 0;
  while (result.repeats == 0 || (result.repeats < most_repeats && spent + spent / result.repeats < kWorthRepeating)) {
    std::optional<PlanRun> made;
    try {
      made = run_plan(workload, request, console);
    } catch (const Failure& failure) {
      console.err << console.program << ": " << contender.label << " on " << printable(workload.source) << ", " << which << ": "
                  << printable(failure.what()) << '\n';
      result.refused = failure.exit_code() == kExitInput;
      result.run.reset();
      return result;
    }
    if (InterruptGuard::interrupted()) {
      result.interrupted = true;
      return result;
    }
    const bool first = result.repeats == 0;
    result.seconds = first ? made->planning_seconds : std::min(result.seconds, made->planning_seconds);
    result.call_seconds = first ? made->seconds : std::min(result.call_seconds, made->seconds);
    spent += made->seconds;
    ++result.repeats;
    if (first) result.run = std::move(made);
  }
  return result;
}

}  // namespace

Workload loaded(InstanceData data, const std::string& source) {
  InstanceBytes bytes(encode_instance(std::move(data)));
  Instance instance = load_bytes(bytes, source);
  return {source, std::move(bytes), std::move(instance), 0};
}

bool Group::has(const std::string& label) const { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

int Experiment::run() {
  prepare();
  prepare_output();
  const InterruptGuard guard;
  measure_all();
  sum_up_asked();
  publish();
  if (InterruptGuard::interrupted()) {
    console_.err << console_.program << ": interrupted; the tables hold what was done"
                 << (command_.output ? ", and --resume goes on from there" : "") << '\n';
    return kExitUnmet;
  }
  return broken_ ? kExitUnmet : kExitOk;
}

std::vector<Contender> Experiment::known_contenders(const std::vector<std::string>& labels) const {
  std::vector<Contender> contenders;
  contenders.reserve(labels.size());
  for (const std::string& label : labels) contenders.push_back(known_contender(label, catalogue_.root()));
  return distinct(contenders);
}

std::vector<Contender> Experiment::own_contenders(const std::vector<std::string>& labels) {
  std::vector<Contender> contenders;
  for (const std::string& label : labels) {
    const Contender& one = contenders.emplace_back(parse_contender(label));
    if (!offers(one)) missing_.push_back(one.planner);
  }
  missing_ = distinct(missing_);
  return contenders;
}

std::vector<Group> Experiment::groups_or(const std::vector<Group>& own, std::vector<Contender>& contenders) {
  std::vector<Group> groups = own;
  if (command_.planners.empty()) {
    std::vector<std::string> labels;
    for (const Group& group : own) labels.insert(labels.end(), group.labels.begin(), group.labels.end());
    contenders = own_contenders(distinct(labels));
  } else {
    groups.clear();
    contenders = known_contenders(command_.planners);
    for (const Contender& one : contenders) groups.push_back({contender_text(one.label), {one.label}});
  }
  return groups;
}

std::vector<std::string> Experiment::notes(const std::string& per_row, const std::string& means, const char* best,
                                           const std::vector<Group>& groups) const {
  std::vector<std::string> lines = {counted(command_.seeds, "instance") + " per " + per_row + "; each run has " +
                                    deadline_text() + "; " + means + "times are of the planner alone, on one thread"};
  for (const Group& group : groups) {
    if (group.labels.size() < 2) continue;
    std::string line = group.name + ": the " + best + " of";
    for (const std::string& label : group.labels) line += (label == group.labels.front() ? " " : ", ") + label;
    lines.push_back(line);
  }
  if (!missing_.empty()) lines.push_back(missing_text(missing_));
  return lines;
}

bool Experiment::ends_by_itself(const Contender& contender) const {
  const auto& planners = *catalogue_.root().planners();
  return std::any_of(planners.begin(), planners.end(), [&](const wire::PlannerInfo* info) {
    return contender.planner == info->name()->string_view() && info->default_deadline_ms() == 0;
  });
}

void Experiment::ask_for_ucac(std::vector<Contender>& contenders) const {
  for (const wire::PlannerInfo* info : *catalogue_.root().planners()) {
    const bool pursues = std::any_of(info->objectives()->begin(), info->objectives()->end(),
                                     [](const auto* objective) { return objective->string_view() == "ucac"; });
    for (Contender& one : contenders) {
      if (pursues && one.planner == info->name()->string_view()) one.objective = wire::Objective::Ucac;
    }
  }
}

void Experiment::prepare_output() {
  if (command_.markdown) check_between(*command_.markdown, std::string("stowage-lab bench ") + name_);
  if (!command_.output) return;
  if (!command_.no_charts) need_gnuplot();
  runs_path_ = prepare_folder(*command_.output, command_.resume);
  if (std::filesystem::exists(*runs_path_)) read(*runs_path_);
}

void Experiment::note_job(const std::string& job, std::size_t done, std::size_t jobs, std::size_t runs, double seconds) const {
  if (runs_path_) save(*runs_path_);
  console_.err << "[" << done << " of " << jobs << "] " << job << ": " << counted(runs, "run") << " in "
               << duration_text(seconds) << '\n';
}

std::optional<PlanRun> Experiment::measure_run(const Workload& workload, const Contender& contender, std::uint64_t seed,
                                               MeasuredRun& run) {
  run.label = contender.label;
  run.deadline_ms = deadline_of(contender);
  run.machine = this_machine();
  run.build = this_build();
  const std::string which = "seed " + std::to_string(seed);
  Measurement made = measure(workload, contender, run.deadline_ms, command_.repeat, which, console_);
  if (made.interrupted) return std::nullopt;
  if (!made.run) {
    run.status = made.refused ? MeasuredRun::kRefused : MeasuredRun::kFailed;
    broken_ |= !made.refused;
    return std::nullopt;
  }
  run.seconds = made.seconds;
  run.call_seconds = made.call_seconds;
  run.repeats = made.repeats;
  const auto verification = verify_plan(workload.instance, made.run->plan.span());
  run.status = word_of<wire::PlanStatus>(made.run->root().status());
  run.nodes = verification.body().nodes();
  run.unplaced = verification.body().unplaced();
  run.violations = verification.body().violation_count();
  if (run.violations > 0) {
    broken_ = true;
    console_.err << console_.program << ": the plan by " << run.label << " for " << printable(workload.source) << ", " << which
                 << ", breaks " << counted(run.violations, "constraint") << "; it does not count\n";
  }
  return std::move(made.run);
}

void Experiment::publish() const {
  const auto figures = [&](Figures::Form form) {
    Figures all(form);
    add_figures(all);
    return all.finish();
  };
  std::optional<std::string> drawn;
  if (command_.output) {
    OutputFile out((std::filesystem::path(*command_.output) / "summary.csv").string());
    out.write(figures(Figures::Form::kCsv));
    out.commit();
    if (!command_.no_charts) {
      const PassingNote note(console_, "drawing charts");
      for (const Chart& chart : charts()) draw_chart(*command_.output, chart.file, chart.script);
      drawn = command_.output;
    }
  }
  if (command_.markdown) {
    Page page(*command_.markdown, drawn, std::string("stowage-lab bench ") + name_);
    page.head(command_.command_line, origins_);
    show(page);
    page.write();
  }
  if (command_.summary == Summary::kJson) {
    console_.out << figures(Figures::Form::kJson);
  } else {
    Page page(console_);
    show(page);
  }
}

}  // namespace stowage::cli::lab
