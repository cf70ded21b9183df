#include "capi/lab/colocation/runs.h"

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/generate/colocation.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::colocation {
namespace {

using lab::RunReader;

const std::vector<std::string>& colocation_columns() {
  static const std::vector<std::string> kColumns = {
      "class", "kinds", "apps",     "nodes",      "seed",    "largest",      "paper_bound", "planner", "deadline_ms", "status",
      "cost",  "bound", "unplaced", "violations", "seconds", "call_seconds", "repeats",     "machine", "build"};
  return kColumns;
}

Run read_colocation_run(RunReader& reader) {
  Run run;
  run.of.word = reader.text();
  try {
    check_class(run.of.word, "class");
  } catch (const Failure&) {
    reader.refuse();
  }
  run.of.kinds = reader.count();
  run.of.apps = reader.count();
  run.of.nodes = reader.count();
  run.seed = reader.whole();
  run.largest = reader.number();
  run.paper_bound = reader.number();
  lab::read_contender(reader, run);
  run.cost = reader.number();
  run.bound = reader.optional_number();
  lab::read_defects(reader, run);
  lab::read_origin(reader, run);
  return run;
}

}  // namespace

bool Run::proven() const { return status == status_word(wire::PlanStatus::Optimal); }

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(colocation_columns()));
  for (const Run& run : runs) {
    out.write(csv_line(
        lab::joined({{run.of.word, std::to_string(run.of.kinds), std::to_string(run.of.apps), std::to_string(run.of.nodes),
                      std::to_string(run.seed), shortest(run.largest), shortest(run.paper_bound)},
                     lab::contender_fields(run),
                     {shortest(run.cost), lab::optional_text(run.bound)},
                     lab::defect_fields(run),
                     lab::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, colocation_columns(), read_colocation_run, [](const Run& run) { return run.key(); });
}

}  // namespace stowage::cli::colocation
