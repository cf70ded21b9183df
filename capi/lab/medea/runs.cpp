#include "capi/lab/medea/runs.h"

#include <tuple>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::medea {
namespace {

using lab::RunReader;

const std::vector<std::string>& medea_columns() {
  static const std::vector<std::string> kColumns = {"axis",
                                                    "x",
                                                    "cluster",
                                                    "seed",
                                                    "planner",
                                                    "deadline_ms",
                                                    "status",
                                                    "applications",
                                                    "given_up",
                                                    "containers",
                                                    "violating",
                                                    "cost",
                                                    "fragmented",
                                                    "imbalance",
                                                    "mean_gap",
                                                    "worst_gap",
                                                    "median_unavailable",
                                                    "most_unavailable",
                                                    "nodes",
                                                    "unplaced",
                                                    "violations",
                                                    "seconds",
                                                    "call_seconds",
                                                    "repeats",
                                                    "machine",
                                                    "build"};
  return kColumns;
}

Run read_medea_run(RunReader& reader) {
  Run run;
  const auto sweep = find_sweep(reader.text());
  if (!sweep) reader.refuse();
  run.of.sweep = *sweep;
  run.of.x = reader.number();
  run.cluster = reader.count();
  run.seed = reader.whole();
  lab::read_contender(reader, run);
  run.applications = reader.count();
  run.given_up = reader.count();
  run.containers = reader.whole();
  run.violating = reader.whole();
  run.cost = reader.number();
  run.fragmented = reader.whole();
  run.imbalance = reader.number();
  run.mean_gap = reader.optional_number();
  run.worst_gap = reader.optional_number();
  run.median_unavailable = reader.optional_number();
  run.most_unavailable = reader.optional_number();
  run.nodes = reader.whole();
  lab::read_defects(reader, run);
  lab::read_origin(reader, run);
  return run;
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(medea_columns()));
  for (const Run& run : runs) {
    out.write(csv_line(lab::joined(
        {{sweep_info(run.of.sweep).word, shortest(run.of.x), std::to_string(run.cluster), std::to_string(run.seed)},
         lab::contender_fields(run),
         {std::to_string(run.applications), std::to_string(run.given_up), std::to_string(run.containers),
          std::to_string(run.violating), shortest(run.cost), std::to_string(run.fragmented), shortest(run.imbalance),
          lab::optional_text(run.mean_gap), lab::optional_text(run.worst_gap), lab::optional_text(run.median_unavailable),
          lab::optional_text(run.most_unavailable), std::to_string(run.nodes)},
         lab::defect_fields(run),
         lab::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, medea_columns(), read_medea_run, [](const Run& run) {
    return std::tuple(run.of, run.cluster, run.seed, run.label, run.deadline_ms);
  });
}

}  // namespace stowage::cli::medea
