#include "capi/cli/medea/runs.h"

#include <tuple>

#include "capi/cli/csv.h"
#include "capi/cli/files.h"
#include "capi/cli/quantities.h"

namespace stowage::cli::medea {
namespace {

using paper::RunReader;

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
  paper::read_contender(reader, run);
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
  paper::read_defects(reader, run);
  paper::read_origin(reader, run);
  return run;
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(medea_columns()));
  for (const Run& run : runs) {
    out.write(csv_line(paper::joined(
        {{sweep_info(run.of.sweep).word, shortest(run.of.x), std::to_string(run.cluster), std::to_string(run.seed)},
         paper::contender_fields(run),
         {std::to_string(run.applications), std::to_string(run.given_up), std::to_string(run.containers),
          std::to_string(run.violating), shortest(run.cost), std::to_string(run.fragmented), shortest(run.imbalance),
          paper::optional_text(run.mean_gap), paper::optional_text(run.worst_gap), paper::optional_text(run.median_unavailable),
          paper::optional_text(run.most_unavailable), std::to_string(run.nodes)},
         paper::defect_fields(run),
         paper::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return paper::read_distinct_runs(path, medea_columns(), read_medea_run, [](const Run& run) {
    return std::tuple(run.of, run.cluster, run.seed, run.label, run.deadline_ms);
  });
}

}  // namespace stowage::cli::medea
