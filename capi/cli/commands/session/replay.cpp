
#include "capi/cli/replay/replay.h"
#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/names.h"

namespace stowage::cli {
namespace {

using replay::Figures;
using replay::Replay;

/// Column at which figures begin.
constexpr std::size_t kReplayColumn = 14;

/// "90 s", "15 min", "2.5 h", "3 d"
std::string time_text(double seconds) {
  if (seconds < 120) return for_people(seconds) + " s";
  if (seconds < 7'200) return for_people(seconds / 60, 1) + " min";
  if (seconds < 172'800) return for_people(seconds / 3'600, 1) + " h";
  return for_people(seconds / 86'400, 1) + " d";
}

std::string count_of(std::uint64_t count, const char* one, const char* more) {
  return for_people(static_cast<double>(count), 0) + " " + (count == 1 ? one : more);
}

/// A replay and what it comes to.
struct ReplayResult {
  const ReplayCommand& command;
  std::size_t apps;  ///< of the trace
  std::vector<std::string> resources;
  Replay replay;
  Figures figures;
};

void print_text(const ReplayResult& all, const Console& console) {
  const Replay& result = all.replay;
  const Figures& figures = all.figures;
  std::string use;
  for (std::size_t r = 0; r < all.resources.size(); ++r) {
    use += (r == 0 ? "" : ", ") + all.resources[r] + " " + for_people(figures.mean_use[r] * 100, 1) + " %";
  }
  const auto row = [&](std::string what, const std::string& text) {
    what.resize(kReplayColumn, ' ');
    console.out << what << text << '\n';
  };
  row("trace", count_of(all.apps, "application", "applications") + " in " + time_text(figures.seconds) + ", planned by " +
                   all.command.request.planner + " every " + time_text(all.command.interval) + ", " +
                   count_of(result.steps.size(), "time", "times"));
  row("nodes in use", for_people(figures.mean_nodes, 1) + " on average, at most " +
                          for_people(static_cast<double>(figures.most_nodes), 0) + "; " + for_people(figures.node_hours, 1) +
                          " node hours");
  row("their use", use);
  if (figures.cost >= 0) row("cost", for_people(figures.cost) + ", with prices of an hour");
  row("waiting", time_text(figures.mean_wait) + " on average, 99 % up to " + time_text(figures.wait_99) + ", at most " +
                     time_text(figures.most_wait));
  if (result.never_ran + result.still_waiting > 0) {
    row("did not run", count_of(result.never_ran, "replica", "replicas") + " departed before; " +
                           for_people(static_cast<double>(result.still_waiting), 0) + " wait at the end");
  }
  row("moves", for_people(static_cast<double>(figures.moves), 0));
  if (figures.most_violations > 0)
    row("broken rules", "at most " + for_people(static_cast<double>(figures.most_violations), 0));
  row("planning", time_text(figures.mean_planning) + " on average, at most " + time_text(figures.most_planning));
  if (result.interrupted) console.out << "Interrupted: the trace goes on\n";
}

void print_json(const ReplayResult& all, const Console& console) {
  const Replay& result = all.replay;
  const Figures& figures = all.figures;
  JsonObject json(console.out);
  json.key("apps").whole(all.apps).key("planner").text(all.command.request.planner);
  json.key("interval").number(all.command.interval).key("plans").whole(result.steps.size());
  json.key("seconds").number(figures.seconds);
  json.key("nodes").begin_object().key("mean").number(figures.mean_nodes).key("most").whole(figures.most_nodes);
  json.key("hours").number(figures.node_hours).end_object();
  json.key("use").begin_object();
  for (std::size_t r = 0; r < all.resources.size(); ++r) json.key(all.resources[r]).number(figures.mean_use[r]);
  json.end_object();
  if (figures.cost >= 0) json.key("cost").number(figures.cost);
  json.key("wait").begin_object().key("mean").number(figures.mean_wait).key("99 %").number(figures.wait_99);
  json.key("most").number(figures.most_wait).end_object();
  json.key("ran").whole(figures.ran).key("never_ran").whole(result.never_ran);
  json.key("still_waiting").whole(result.still_waiting).key("moves").whole(figures.moves);
  json.key("most_violations").whole(figures.most_violations);
  json.key("planning").begin_object().key("mean").number(figures.mean_planning).key("most").number(figures.most_planning);
  json.end_object();
  if (result.interrupted) json.key("interrupted").flag(true);
  json.print();
}

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

int run_replay_command(const ReplayCommand& command, const Console& console) {
  if (command.file == "-" && command.trace == "-") {
    throw Failure("the cluster and the trace cannot both come from standard input; name a file for one of them");
  }
  if (command.csv == "-" && command.picture == "-") {
    throw Failure("--csv and --picture: standard output takes one of them; name a file for the other one");
  }
  const InterruptGuard guard;
  GivenNodes nodes = command.node;
  auto file = open_instance(command.file, nodes);
  const std::string source = file->name();
  const InstanceBytes cluster = read_instance(std::move(file), nodes);
  static_cast<void>(load_bytes(cluster, source));  // indices are in range
  const InputFile trace_file(command.trace);
  const std::vector<replay::TraceApp> trace = replay::read_trace(trace_file.text(), trace_file.name(), cluster.root());
  ReplayResult result{
      command, trace.size(), {}, replay::replay(cluster, source, trace, command.interval, command.request, console), {}};
  for (const wire::Resource* resource : *cluster.root().resources()) result.resources.push_back(resource->name()->str());
  result.figures = replay::figures_of(result.replay, result.resources.size());
  if (command.csv) write_text(*command.csv, replay::series_csv(result.replay, result.resources, command.cells));
  if (command.picture && !result.replay.steps.empty()) {
    write_text(*command.picture, replay::picture_svg(result.replay, result.resources));
  }
  const Console answer = answer_console(console, {command.csv.value_or(""), command.picture.value_or("")});
  command.summary == Summary::kJson ? print_json(result, answer) : print_text(result, answer);
  const bool all_ran = result.replay.never_ran + result.replay.still_waiting == 0;
  return all_ran && !result.replay.interrupted ? kExitOk : kExitUnmet;
}

}  // namespace stowage::cli
