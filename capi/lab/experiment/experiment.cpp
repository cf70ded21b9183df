#include "capi/lab/experiment/experiment.h"

#include <filesystem>

#include "capi/lab/commands/commands.h"
#include "capi/lab/experiment/gnuplot.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/formats/words.h"

namespace stowage::cli::lab {

Workload loaded(InstanceData data, const std::string& source) {
  InstanceBytes bytes(encode_instance(std::move(data)));
  Instance instance = load_bytes(bytes, source);
  return {source, std::move(bytes), std::move(instance), 0};
}

bool Group::has(const std::string& label) const { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

void add_experiment(LabLine& line, CLI::App* parent, const std::shared_ptr<Experiment>& experiment) {
  const ExperimentInfo& info = experiment->info_;
  const std::string footer = std::string(info.help) + R"(
The first Ctrl-C ends the command: it shows what is done, and keeps it with --output.
Exit codes: 0 done, 1 wrong usage or input, 2 interrupted, or a planner failed or broke constraints,
3 a defect of Stowage.)";
  CLI::App* sub = line.command(*parent, info.name, info.summary, footer.c_str(), [&line, experiment] {
    experiment->command_.command_line = line.repeatable();
    return experiment->run();
  });
  experiment->add_options(sub);
  experiment->add_common_options(sub);
}

void Experiment::add_common_options(CLI::App* sub) {
  if (info_.deadline_ms > 0) {
    add_duration(sub, "--deadline", command_.deadline, "End each run after this time")
        ->default_str(std::to_string(info_.deadline_ms / 1000) + "s");
  }
  option(sub, "--seeds", command_.seeds, "Instances per class", "N", kOwn, whole_number(1, 1'000'000));
  option(sub, "--repeat", command_.repeat, "Run a planner up to N times where a run is short; the fastest run counts", "N",
         kOwn, whole_number(1, 1'000));
  option(sub, "-o,--output", command_.output, "Folder to write all runs, a summary (CSV) and charts (SVG) into", "DIR");
  sub->add_flag("--resume", command_.resume, "Continue where an earlier command with the same --output ended");
  sub->add_flag("--no-charts", command_.no_charts, "Draw no charts");
  option(sub, "--markdown", command_.markdown,
         "File to write the tables to, as Markdown; an existing file has begin and end marks for them", "FILE");
  add_summary(sub, command_.summary);
}

int Experiment::run() {
  if (!command_.deadline.empty()) command_.deadline_ms = parse_milliseconds("--deadline", command_.deadline);
  if (command_.resume && !command_.output) throw Failure("--resume: needs --output, the folder to continue in");
  catalogue_ = planner_catalogue();
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
  std::vector<std::string_view> known;
  for (const wire::PlannerInfo* one : *catalogue_->root().planners()) known.emplace_back(one->name()->string_view());
  std::vector<Contender> contenders;
  for (const std::string& label : labels) {
    const Contender& one = contenders.emplace_back(parse_contender(label));
    if (info_of(one) != nullptr) continue;
    throw Failure("there is no planner \"" + one.planner + "\"" + did_you_mean(one.planner, known) +
                  "; stowage planners lists them");
  }
  return distinct(contenders);
}

const wire::PlannerInfo* Experiment::info_of(const Contender& contender) const {
  for (const wire::PlannerInfo* one : *catalogue_->root().planners()) {
    if (one->name()->string_view() == contender.planner) return one;
  }
  return nullptr;
}

std::vector<Contender> Experiment::contenders_or(const std::vector<std::string>& own) {
  if (!command_.planners.empty()) return known_contenders(command_.planners);
  std::vector<Contender> contenders;
  for (const std::string& label : distinct(own)) {
    const Contender& one = contenders.emplace_back(parse_contender(label));
    if (info_of(one) == nullptr) missing_.push_back(one.planner);
  }
  missing_ = distinct(missing_);
  return contenders;
}

std::vector<Group> Experiment::groups_or(const std::vector<Group>& own, std::vector<Contender>& contenders) {
  std::vector<std::string> labels;
  for (const Group& group : own) labels.insert(labels.end(), group.labels.begin(), group.labels.end());
  contenders = contenders_or(labels);
  if (command_.planners.empty()) return own;
  std::vector<Group> groups;
  groups.reserve(contenders.size());
  for (const Contender& one : contenders) groups.push_back({contender_text(one.label), {one.label}});
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

void Experiment::prepare_output() {
  if (command_.markdown) check_between(*command_.markdown, std::string("stowage-lab bench ") + info_.name);
  if (!command_.output) return;
  if (!command_.no_charts) need_gnuplot();
  std::error_code error;
  std::filesystem::create_directories(*command_.output, error);
  if (error) throw Failure("--output: " + *command_.output + ": cannot be made: " + error.message());
  runs_path_ = (std::filesystem::path(*command_.output) / "runs.csv").string();
  if (!std::filesystem::exists(*runs_path_)) return;
  if (!command_.resume) {
    throw Failure("--output: " + *runs_path_ + " exists; continue with --resume, or name another folder");
  }
  read(*runs_path_);
}

void Experiment::note_job(const std::string& job, std::size_t done, std::size_t jobs, std::size_t runs, double seconds) const {
  if (runs_path_) save(*runs_path_);
  console_.err << "[" << done << " of " << jobs << "] " << job << ": " << counted(runs, "run") << " in "
               << duration_text(seconds) << '\n';
}

void Experiment::complain(const std::string& why) const { console_.err << console_.program << ": " << printable(why) << '\n'; }

RequestOptions Experiment::request_of(const Contender& contender) const {
  RequestOptions request;
  request.planner = contender.planner;
  request.settings = contender.options;
  request.deadline_ms = deadline_of(contender);
  request.move_budget = contender.move_budget;
  request.objective = contender.objective;
  return request;
}

std::optional<PlanRun> Experiment::measure_run(const Workload& workload, const Contender& contender, std::uint64_t seed,
                                               MeasuredRun& run) {
  run.machine = this_machine();
  run.build = this_build();
  const std::string which = workload.source + ", seed " + std::to_string(seed);
  const RequestOptions request = request_of(contender);
  // A long run is not repeated: disturbances average out within it.
  constexpr double kWorthRepeating = 1;
  std::optional<PlanRun> first;
  for (double spent = 0; !first || (run.repeats < command_.repeat && spent + spent / run.repeats < kWorthRepeating);) {
    std::optional<PlanRun> made;
    try {
      made = run_plan(workload, request, console_);
    } catch (const Failure& failure) {
      complain(contender.label + " on " + which + ": " + failure.what());
      const bool refused = failure.exit_code() == kExitInput;
      run.status = refused ? MeasuredRun::kRefused : MeasuredRun::kFailed;
      broken_ |= !refused;
      return std::nullopt;
    }
    if (InterruptGuard::interrupted()) return std::nullopt;
    run.seconds = first ? std::min(run.seconds, made->planning_seconds) : made->planning_seconds;
    run.call_seconds = first ? std::min(run.call_seconds, made->seconds) : made->seconds;
    ++run.repeats;
    spent += made->seconds;
    if (!first) first = std::move(made);
  }
  const auto verification = verify_plan(workload.instance, first->plan.span());
  run.status = word_of<wire::PlanStatus>(first->root().status());
  run.nodes = verification.body().nodes();
  run.unplaced = verification.body().unplaced();
  run.violations = verification.body().violation_count();
  if (run.violations > 0) {
    broken_ = true;
    complain("the plan by " + run.label + " for " + which + ", breaks " + counted(run.violations, "constraint") +
             "; it does not count");
  }
  return first;
}

void Experiment::publish() const {
  const auto figures = [&](Figures::Form form) {
    Figures all(form);
    add_figures(all);
    return all.finish();
  };
  Page page(command_.markdown.value_or("page.md"), command_.no_charts ? std::nullopt : command_.output,
            std::string("stowage-lab bench ") + info_.name);
  page.head(command_.command_line, origins_);
  show(page);
  if (command_.output) {
    OutputFile out((std::filesystem::path(*command_.output) / "summary.csv").string());
    out.write(figures(Figures::Form::kCsv));
    out.commit();
    const PassingNote note(console_, "drawing charts");
    for (const Chart& chart : page.linked()) draw_chart(*command_.output, chart.file, chart.script);
  }
  if (command_.markdown) page.write();
  if (command_.summary == Summary::kJson) {
    console_.out << figures(Figures::Form::kJson);
  } else {
    Page terminal(console_);
    show(terminal);
  }
}

}  // namespace stowage::cli::lab
