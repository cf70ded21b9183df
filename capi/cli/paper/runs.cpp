#include "capi/cli/paper/runs.h"

#include <tuple>

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

Run read_run(RunReader& reader) {
  Run run;
  const std::string& demand = reader.text();
  run.of.profile = demand == demand_word(true);
  if (demand != demand_word(run.of.profile)) reader.refuse();
  run.of.apps = reader.count();
  run.of.density = reader.number();
  const auto graph = find_graph(reader.text());
  if (!graph) reader.refuse();
  run.of.graph = *graph;
  run.sizes = reader.text();
  run.seed = reader.whole();
  read_contender(reader, run);
  run.nodes = reader.whole();
  run.bound = reader.whole();
  if (run.bound == 0) reader.refuse();
  run.lower_bound = reader.optional_number();
  read_defects(reader, run);
  read_origin(reader, run);
  return run;
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(columns()));
  for (const Run& run : runs) {
    out.write(csv_line(joined({{demand_word(run.of.profile), std::to_string(run.of.apps), shortest(run.of.density),
                                graph_word(run.of.graph), run.sizes, std::to_string(run.seed)},
                               contender_fields(run),
                               {std::to_string(run.nodes), std::to_string(run.bound), optional_text(run.lower_bound)},
                               defect_fields(run),
                               origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return read_distinct_runs(path, columns(), read_run,
                            [](const Run& run) { return std::tuple(run.of, run.sizes, run.seed, run.label, run.deadline_ms); });
}

}  // namespace stowage::cli::paper
