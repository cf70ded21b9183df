#include "capi/cli/paper/runs.h"

#include <utility>

#include "capi/cli/csv.h"
#include "capi/cli/files.h"
#include "capi/cli/paper/run_table.h"
#include "capi/cli/quantities.h"

namespace stowage::cli::paper {
namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> kColumns = {"demand",       "apps",        "density",     "graph",      "sizes",
                                                    "seed",         "planner",     "deadline_ms", "status",     "nodes",
                                                    "bound_eq4",    "lower_bound", "unplaced",    "violations", "seconds",
                                                    "call_seconds", "repeats",     "machine",     "build"};
  return kColumns;
}

Run read_run(RunReader reader) {
  Run run;
  const std::string& demand = reader.text();
  run.of.profile = demand == demand_word(true);
  if (demand != demand_word(run.of.profile)) reader.refuse();
  run.of.apps = static_cast<std::uint32_t>(reader.whole());
  run.of.density = reader.number();
  run.of.graph = parse_graph(reader.text());
  run.sizes = reader.text();
  run.seed = reader.whole();
  run.label = reader.text();
  run.deadline_ms = reader.whole();
  run.status = reader.text();
  run.nodes = reader.whole();
  run.bound = reader.whole();
  if (run.bound == 0) reader.refuse();
  run.lower_bound = reader.optional_number();
  run.unplaced = reader.whole();
  run.violations = reader.whole();
  run.seconds = reader.number();
  run.call_seconds = reader.number();
  run.repeats = static_cast<std::uint32_t>(reader.whole());
  run.machine = reader.text();
  run.build = reader.text();
  return run;
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(columns()));
  for (const Run& run : runs) {
    out.write(
        csv_line({demand_word(run.of.profile), std::to_string(run.of.apps), shortest(run.of.density), graph_word(run.of.graph),
                  run.sizes, std::to_string(run.seed), run.label, std::to_string(run.deadline_ms), run.status,
                  std::to_string(run.nodes), std::to_string(run.bound), run.lower_bound ? shortest(*run.lower_bound) : "",
                  std::to_string(run.unplaced), std::to_string(run.violations), seconds_text(run.seconds),
                  seconds_text(run.call_seconds), std::to_string(run.repeats), run.machine, run.build}));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  std::vector<Run> runs;
  read_run_table(path, columns(), [&](RunReader reader) { runs.push_back(read_run(std::move(reader))); });
  return runs;
}

}  // namespace stowage::cli::paper
