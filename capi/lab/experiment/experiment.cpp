#include "capi/lab/experiment/experiment.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "capi/lab/experiment/gnuplot.h"
#include "capi/lab/experiment/tables.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::lab {

Workload loaded(InstanceData data, const std::string& source) {
  InstanceBytes bytes(encode_instance(std::move(data)));
  Instance instance = load_bytes(bytes, source);
  return {source, std::move(bytes), std::move(instance), 0};
}

int Experiment::run() {
  prepare();
  const InterruptGuard guard;
  measure_all();
  report();
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
  for (const std::string& label : labels) {
    Contender contender = known_contender(label, catalogue_.root());
    if (std::find(contenders.begin(), contenders.end(), contender) == contenders.end()) {
      contenders.push_back(std::move(contender));
    }
  }
  return contenders;
}

Contender Experiment::own_contender(const std::string& label) {
  Contender contender = parse_contender(label);
  if (!offers(contender) && std::find(missing_.begin(), missing_.end(), contender.planner) == missing_.end()) {
    missing_.push_back(contender.planner);
  }
  return contender;
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

bool Experiment::prepare_output(const char* markdown_word) {
  if (command_.markdown) check_between(*command_.markdown, markdown_word);
  if (!command_.output) return false;
  if (!command_.no_charts) need_gnuplot();
  runs_path_ = prepare_folder(*command_.output, command_.resume);
  return std::filesystem::exists(*runs_path_);
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

void Experiment::publish(const Report& report) const {
  const auto figures = [&](Figures::Form form) {
    Figures all(form);
    report.add_figures(all);
    return all.finish();
  };
  std::optional<std::string> charts;
  if (command_.output) {
    OutputFile out((std::filesystem::path(*command_.output) / "summary.csv").string());
    out.write(figures(Figures::Form::kCsv));
    out.commit();
    if (!command_.no_charts && report.draw_charts) {
      const PassingNote note(console_, "drawing charts");
      report.draw_charts(*command_.output);
      charts = command_.output;
    }
  }
  if (command_.markdown) report.write_markdown(charts, *command_.markdown);
  if (command_.summary == Summary::kJson) {
    console_.out << figures(Figures::Form::kJson);
  } else {
    report.print();
  }
}

}  // namespace stowage::cli::lab
