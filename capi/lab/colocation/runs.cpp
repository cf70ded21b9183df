#include "capi/lab/colocation/runs.h"

#include "capi/cli/formats/plan_file.h"
#include "capi/cli/generate/colocation.h"

namespace stowage::cli::colocation {
namespace {

void colocation_fields(Run& run, lab::RunLine& line) {
  line.checked("class", run.of.word, [](const std::string& word) { check_class(word, "class"); });
  line.field("kinds", run.of.kinds).field("apps", run.of.apps).field("nodes", run.of.nodes).field("seed", run.seed);
  line.field("largest", run.largest).field("paper_bound", run.paper_bound).contender(run);
  line.field("cost", run.cost).field("bound", run.bound).defects(run).origin(run);
}

}  // namespace

bool Run::proven() const { return status == status_word(wire::PlanStatus::Optimal); }

void write_runs(const std::vector<Run>& runs, const std::string& path) { lab::write_run_table(runs, path, colocation_fields); }

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, colocation_fields, [](const Run& run) { return run.key(); });
}

}  // namespace stowage::cli::colocation
