#include "capi/lab/paper/runs.h"

#include <tuple>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::paper {
namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> kColumns = {"demand",       "apps",        "density",     "graph",      "sizes",
                                                    "seed",         "planner",     "deadline_ms", "status",     "nodes",
                                                    "bound_eq4",    "lower_bound", "unplaced",    "violations", "seconds",
                                                    "call_seconds", "repeats",     "machine",     "build"};
  return kColumns;
}

Run read_run(lab::RunReader& reader) {
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
  lab::read_contender(reader, run);
  run.nodes = reader.whole();
  run.bound = reader.whole();
  if (run.bound == 0) reader.refuse();
  run.lower_bound = reader.optional_number();
  lab::read_defects(reader, run);
  lab::read_origin(reader, run);
  return run;
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(columns()));
  for (const Run& run : runs) {
    out.write(csv_line(lab::joined({{demand_word(run.of.profile), std::to_string(run.of.apps), shortest(run.of.density),
                                     graph_word(run.of.graph), run.sizes, std::to_string(run.seed)},
                                    lab::contender_fields(run),
                                    {std::to_string(run.nodes), std::to_string(run.bound), lab::optional_text(run.lower_bound)},
                                    lab::defect_fields(run),
                                    lab::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, columns(), read_run, [](const Run& run) {
    return std::tuple(run.of, run.sizes, run.seed, run.label, run.deadline_ms);
  });
}

}  // namespace stowage::cli::paper
