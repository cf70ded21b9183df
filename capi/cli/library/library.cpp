#include "capi/cli/library/library.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#ifdef STOWAGE_WITH_HIGHS
#include "capi/highs/highs.h"
#endif
#include "capi/cli/base/process.h"
#include "capi/cli/library/places.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/names.h"
#include "capi/text/records/request_codec.h"
#include "capi/text/words/page.h"
#include "capi/text/words/render.h"

namespace stowage::cli {
namespace {

using std::chrono::milliseconds;

std::atomic<int> interrupts = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler touches it");

void on_interrupt(int /*signal*/) {
  if (interrupts.fetch_add(1) > 0) end_by_signal(SIGINT);
}

int guards = 0;
struct sigaction before_guards {};

const char* phase_word(std::uint32_t phase) {
  switch (phase) {
    case STOWAGE_PHASE_PREPARE:
      return "preparing";
    case STOWAGE_PHASE_PLAN:
      return "planning";
    case STOWAGE_PHASE_IMPROVE:
      return "improving";
    case STOWAGE_PHASE_BOUND:
      return "bounding";
    case STOWAGE_PHASE_VERIFY:
      return "checking";
    default:
      return "working";
  }
}

/// Watches one run from a separate thread: cancels it at Ctrl-C, and draws the progress line.
class RunWatch {
 public:
  RunWatch(const RunWatch&) = delete;
  RunWatch(RunWatch&&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;
  RunWatch& operator=(RunWatch&&) = delete;
  RunWatch(Control& control, const Console& console) : control_(control), console_(console), thread_([this] { watch(); }) {}
  ~RunWatch() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    thread_.join();
    if (drawn_) console_.err << "\r\x1b[K" << std::flush;
  }

 private:
  void watch() {
    constexpr milliseconds kLook{30};
    constexpr double kDrawAfter = 0.3;
    const Stopwatch stopwatch;
    std::unique_lock<std::mutex> lock(mutex_);
    while (!wake_.wait_for(lock, kLook, [this] { return over_; })) {
      if (interrupts > 0) control_.cancel();
      if (console_.progress && stopwatch.seconds() > kDrawAfter) draw(stopwatch.seconds());
    }
  }

  void draw(double seconds) {
    const stowage_progress progress = control_.progress();
    std::string line = "\r\x1b[K";
    line += progress.cancelled != 0 ? "ending" : phase_word(progress.phase);
    if (progress.total > 0) {
      constexpr std::size_t kWidth = 30;
      const double share = std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
      const auto filled = static_cast<std::size_t>(share * kWidth);
      line += " [" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "] " + for_people(share * 100, 0) + " %";
    }
    if (progress.best > 0) line += ", best " + counted(progress.best, "node");
    const bool says_more = progress.value >= 0 && progress.value != static_cast<double>(progress.best);
    if (progress.best > 0 && says_more) line += ", value " + for_people(progress.value, 2);
    if (progress.left_over > 0) line += ", " + counted(progress.left_over, "replica") + " left over";
    line += ", " + for_people(seconds, 1) + " s";
    console_.err << line << std::flush;
    drawn_ = true;
  }

  Control& control_;
  const Console& console_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  bool drawn_ = false;
  std::thread thread_;
};

flatbuffers::DetachedBuffer encode_request(const RequestOptions& request,
                                           const std::vector<std::pair<std::string, double>>& told,
                                           const wire::Instance& instance) {
  RequestData data = static_cast<const RequestData&>(request);
  for (const auto& [name, number] : told) data.options.push_back({.name = name, .number = number});
  const Names names(instance);
  for (const auto& [name, replicas] : request.kept) data.keep.emplace_back(names.find_app(name, "--keep"), replicas);
  if (!request.named_goals.empty()) data.goals = resolve_goals(request.named_goals, names);
  codec::Builder builder;
  wire::FinishRequestBuffer(builder, codec::write_request(builder, data));
  return builder.Release();
}

/// The options of a run: those of the request and, where it has several threads and the planner an option "portfolio" without a
/// given value, that option with the number of threads.
std::vector<std::pair<std::string, double>> options_of_run(const RequestOptions& request) {
  auto options = request.settings;
  const Catalogue catalogue = planner_catalogue();
  for (const wire::PlannerInfo* planner : *catalogue.root().planners()) {
    if (planner->name()->str() != request.planner || planner->options() == nullptr) continue;
    for (const wire::OptionInfo* option : *planner->options()) {
      const std::string name = option->name()->str();
      const auto given = [&](const auto& one) { return one.first == name; };
      if (name != "portfolio" || request.threads <= 1 || std::any_of(options.begin(), options.end(), given)) continue;
      options.emplace_back(name, std::min<double>(request.threads, option->max()));
    }
  }
  return options;
}

ExitCode exit_code_of(stowage_status status) {
  switch (status) {
    case STOWAGE_MALFORMED:
    case STOWAGE_INVALID:
    case STOWAGE_UNSUPPORTED:
    case STOWAGE_LIMIT_EXCEEDED:
    case STOWAGE_NOT_FOUND:
      return kExitInput;
    default:
      return kExitInternal;
  }
}

/// Calls the library and throws its errors as failures.
template <class Call>
auto guarded(const Call& call, const std::string& prefix = {}, const wire::Instance* instance = nullptr,
             bool from_json = false) {
  try {
    return call();
  } catch (const Error& error) {
    throw Failure(prefix + describe_error(error, instance, from_json), exit_code_of(error.status()));
  }
}

/// The option of the command line that set the refused field of a request.
std::string request_option(const std::string& path, const RequestOptions& request) {
  static const std::map<std::string, std::string> kOptions = {{"planner", "--planner"},
                                                              {"seed", "--seed"},
                                                              {"deadline_ms", "--deadline"},
                                                              {"work_limit", "--work"},
                                                              {"threads", "--threads"},
                                                              {"node_limit", "--nodes"},
                                                              {"move_budget", "--moves"},
                                                              {"objective", "--objective"},
                                                              {"all_or_nothing", "--all-or-nothing"},
                                                              {"soft_price", "--soft-price"},
                                                              {"patience_ms", "--patience"},
                                                              {"max_cost", "--max-cost"},
                                                              {"survive", "--survive"},
                                                              {"leave_free", "--leave-free"}};
  if (const auto found = kOptions.find(path); found != kOptions.end()) return found->second;
  if (path == "soft") return request.soft == wire::SoftPolicy::Price ? "--soft-price" : "--soft";
  if (path.starts_with("keep")) return "--keep";
  if (path.starts_with("goals")) return "--goal";
  if (!path.starts_with("options[")) return path;
  const std::size_t bracket = std::min(path.find('[') + 1, path.size());
  const auto index = parse_whole(std::string_view(path).substr(bracket, path.find(']', bracket) - bracket));
  return index && *index < request.settings.size() ? "--option " + request.settings[*index].first : path;
}

/// A failure for a refused request. It names the option and a similar valid value.
Failure request_failure(const Error& error, const RequestOptions& request, const wire::Instance& instance) {
  const std::string path = error.path();
  if (path == "objective" && error.status() == STOWAGE_UNSUPPORTED && request.objective == wire::Objective::Nodes) {
    // Nobody asked for the default; what was asked for is a planner that does not know it.
    return Failure("--planner: " + std::string(error.what()) + " (say which by --objective)", exit_code_of(error.status()));
  }
  const std::string option = request_option(path, request);
  std::string message = option == path ? describe_error(error, &instance) : option + ": " + error.what();
  if (error.status() == STOWAGE_NOT_FOUND) {
    const Catalogue catalogue = planner_catalogue();
    std::vector<std::string> known;
    for (const wire::PlannerInfo* planner : *catalogue.root().planners()) {
      if (path == "planner") {
        known.push_back(planner->name()->str());
      } else if (planner->name()->str() == request.planner && planner->options() != nullptr) {
        for (const wire::OptionInfo* one : *planner->options()) known.push_back(one->name()->str());
      }
    }
    const std::string word = path == "planner" ? request.planner : option.substr(std::min(option.size(), std::size_t{9}));
    message += did_you_mean(word, {known.begin(), known.end()});
    message +=
        path == "planner" ? "; stowage planners lists them" : "; stowage planners " + request.planner + " lists its options";
  }
  return Failure(message, exit_code_of(error.status()));
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, &before_guards);
}

InterruptGuard::~InterruptGuard() {
  if (--guards == 0) ::sigaction(SIGINT, &before_guards, nullptr);
}

bool InterruptGuard::interrupted() { return interrupts > 0; }

std::string describe_error(const Error& error, const wire::Instance* instance, bool from_json) {
  const std::string path = error.path();
  if (path.empty()) return error.what();
  return (instance == nullptr ? path : place_of(path, *instance, from_json)) + ": " + error.what();
}

Control new_control() {
  return guarded([] {
    Control control;
#ifdef STOWAGE_WITH_HIGHS
    stowage_solver solver = STOWAGE_SOLVER_INIT;
    stowage_highs(&solver);
    control.set_solver(solver);
#endif
    return control;
  });
}

Instance load_bytes(const InstanceBytes& bytes, const std::string& source) {
  return guarded([&] { return Instance::load(bytes.bytes()); }, source + ": ", &bytes.root(), bytes.from_json());
}

PlanBytes plan_in(std::unique_ptr<InputFile> file, const Workload& workload) {
  return read_plan(
      std::move(file), workload.root(), [&] { return workload.instance.fingerprint(); },
      [&](std::span<const std::uint8_t> plan) {
        return static_cast<std::uint32_t>(verify_plan(workload.instance, plan).body().inherited_count());
      });
}

PlanBytes plan_in(const std::string& path, const Workload& workload) {
  return plan_in(std::make_unique<InputFile>(path), workload);
}

void write_checked(const InstanceBytes& bytes, const std::string& source, const std::string& output, const Console& console,
                   const std::string& asked) {
  for (const std::string& one : bytes.unused()) console.err << printable(one) << '\n';
  load_bytes(bytes, source);
  write_loaded(bytes, output, console, asked, CsvCells::kExact);
}

void write_loaded(const InstanceBytes& bytes, const std::string& output, const Console& console, const std::string& asked,
                  CsvCells cells) {
  const std::string text = instance_text(bytes.root());  // the bytes may come from the file that is written
  write_instance(bytes, output, asked, cells);
  if (output == "-") return;
  console.err << printable(output) << ": " << text << '\n';
  if (format_of(output, asked, instance_formats()) == "tsv") {
    console.err << "A .tsv does not hold the nodes: pass --node when it is read\n";
  }
}

Workload load_workload(std::unique_ptr<InputFile> file, const GivenNodes& given, const Console& console,
                       const std::vector<std::string>& scales) {
  const Stopwatch stopwatch;
  const std::string name = file->name();
  const PassingNote note(console, "reading " + name);
  InstanceBytes bytes = read_instance(std::move(file), given);
  for (const std::string& one : bytes.unused()) console.err << printable(one) << '\n';
  Instance instance = load_bytes(bytes, name);
  if (!scales.empty()) {
    const flatbuffers::DetachedBuffer derivation = encode_derivation(scales, bytes.root());
    instance = guarded([&] { return instance.derive(derivation); }, name + ": --scale: ", &bytes.root());
    bytes = InstanceBytes(guarded([&] { return instance.save(); }, name + ": --scale: "));
  }
  return {name, std::move(bytes), std::move(instance), stopwatch.seconds()};
}

Workload load_workload(const std::string& path, const GivenNodes& given, const Console& console,
                       const std::vector<std::string>& scales) {
  GivenNodes nodes = given;
  auto file = open_instance(path, nodes);
  Workload workload = load_workload(std::move(file), nodes, console, scales);
  workload.source = path;
  return workload;
}

namespace {

/// A word of a command line, quoted where a shell would take it apart.
std::string word_to_paste(const std::string& word) {
  std::string shown = printable(word);
  if (!shown.empty() && shown.find_first_of(" \t\"'`$&|;<>()*?[]{}!#~\\") == std::string::npos) return shown;
  for (std::size_t at = shown.find('\''); at != std::string::npos; at = shown.find('\'', at + 4)) {
    shown.replace(at, 1, "'\\''");
  }
  return "'" + shown + "'";
}

}  // namespace

std::string arguments_of(const std::string& file, const GivenNodes& given, const std::vector<std::string>& scales) {
  std::string text = word_to_paste(file);
  const auto add = [&](const char* option, const std::string& value) { text += option + word_to_paste(value); };
  if (given.node) add(" --node ", *given.node);
  if (!given.classes.empty()) add(" --classes ", given.classes);
  if (!given.running.empty()) add(" --running ", given.running);
  if (!given.prices.empty()) add(" --price-list ", given.prices);
  for (const std::string& scale : scales) add(" --scale ", scale);
  return text;
}

namespace {

/// @param plan plan(request bytes, control): the call to watch
template <class Plan>
PlanRun watch_plan(const Workload& workload, const RequestOptions& request, const Console& console, Plan&& plan) {
  PlanRun run;
  run.options = options_of_run(request);
  const flatbuffers::DetachedBuffer bytes = encode_request(request, run.options, workload.root());
  Control control = new_control();
  {
    const InterruptGuard guard;
    const RunWatch watch(control, console);
    const Stopwatch stopwatch;
    try {
      run.plan = plan(bytes, &control);
    } catch (const Error& error) {
      throw request_failure(error, request, workload.root());
    }
    run.seconds = stopwatch.seconds();
  }
  const stowage_progress progress = control.progress();
  for (const stowage_phase phase : {STOWAGE_PHASE_PREPARE, STOWAGE_PHASE_PLAN, STOWAGE_PHASE_IMPROVE}) {
    run.planning_seconds += static_cast<double>(progress.nanoseconds[phase]) / 1e9;
  }
  return run;
}

}  // namespace

PlanRun run_plan(const Workload& workload, const RequestOptions& request, const Console& console) {
  return watch_plan(workload, request, console,
                    [&](const auto& bytes, const Control* control) { return workload.instance.plan(bytes, control); });
}

PlanRun run_plan(Session& session, const Workload& workload, const RequestOptions& request, const Console& console) {
  return watch_plan(workload, request, console,
                    [&](const auto& bytes, const Control* control) { return session.plan(bytes, control); });
}

milliseconds time_for_reasons(const RequestOptions& request) {
  constexpr std::uint64_t kFew = 2'000;
  constexpr std::uint64_t kShare = 4;
  if (request.deadline_ms == 0) return milliseconds(kFew);
  return std::min(kMostForReasons, milliseconds(std::max(request.deadline_ms / kShare, std::min(request.deadline_ms, kFew))));
}

ReportOf<wire::Verification> verify_plan(const Instance& instance, std::span<const std::uint8_t> plan) {
  return {guarded([&] { return instance.verify(plan); })};
}

void write_plan(const Workload& workload, std::span<const std::uint8_t> plan, const std::string& path, CsvCells cells,
                const std::string& asked) {
  const auto page = [&] {
    const Names names(workload.root(), Summary::kText);
    // Its folder is nobody else's business.
    const std::string file = workload.source == "-" ? "" : std::filesystem::path(workload.source).filename().string();
    return page_of(*wire::GetPlan(plan.data()), verify_plan(workload.instance, plan).body(), names, file);
  };
  write_plan(plan, workload.root(), page, path, cells, asked);
}

ReportOf<wire::Bounds> bounds(const Instance& instance) {
  return {guarded([&] { return instance.bound(); })};
}

double best_bound(const Instance& instance, bool of_cost) {
  const auto report = bounds(instance);
  double best = 0;
  for (const wire::BoundEntry* entry : *report.body().entries()) {
    if (entry->objective()->string_view() == (of_cost ? "cost" : "nodes")) best = std::max(best, entry->value());
  }
  return best;
}

ReportOf<wire::Explanation> explain_plan(const Instance& instance, std::span<const std::uint8_t> plan, std::uint32_t app,
                                         milliseconds budget, const Console& console) {
  Control control = guarded([] { return Control(); });
  control.set_deadline(static_cast<std::uint64_t>(budget.count()));
  const InterruptGuard guard;
  const RunWatch watch(control, console);
  return {guarded([&] { return instance.explain(plan, app, &control); })};
}

ReportOf<wire::MoveOrder> order_moves(const Instance& instance, std::span<const std::uint8_t> plan, std::uint32_t per_node,
                                      double app_share, const Console& console) {
  Control control = guarded([] { return Control(); });
  const InterruptGuard guard;
  const RunWatch watch(control, console);
  return {guarded([&] { return instance.order_moves(plan, per_node, app_share, &control); })};
}

ReportOf<wire::HeadroomOfApps> headroom_of_apps(const Instance& instance, std::span<const std::uint8_t> plan,
                                                std::uint32_t most) {
  return {guarded([&] { return instance.headroom_of_apps(plan, most); })};
}

ReportOf<wire::Losses> losses(const Instance& instance, std::span<const std::uint8_t> plan,
                              const std::vector<std::uint32_t>& nodes, const std::string& label, const Console& console) {
  Control control = guarded([] { return Control(); });
  const InterruptGuard guard;
  const RunWatch watch(control, console);
  try {
    return {instance.losses(plan, nodes, label, &control)};
  } catch (const Error& error) {
    const bool is_label = std::string_view(error.path()) == "label";
    throw Failure(is_label ? std::string("--label: ") + error.what() : describe_error(error, nullptr),
                  exit_code_of(error.status()));
  }
}

Catalogue planner_catalogue() {
  return {guarded([] { return planners(); })};
}

}  // namespace stowage::cli
