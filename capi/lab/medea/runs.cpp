#include "capi/lab/medea/runs.h"

#include <tuple>

namespace stowage::cli::medea {
namespace {

void medea_fields(Run& run, lab::RunLine& line) {
  line.word(
          "axis", run.of.sweep, [](Sweep sweep) { return sweep_info(sweep).word; }, find_sweep)
      .field("x", run.of.x);
  line.field("cluster", run.cluster).field("seed", run.seed).contender(run).field("applications", run.applications);
  line.field("given_up", run.given_up).field("containers", run.containers).field("violating", run.violating);
  line.field("cost", run.cost).field("fragmented", run.fragmented).field("imbalance", run.imbalance);
  line.field("mean_gap", run.mean_gap).field("worst_gap", run.worst_gap);
  line.field("median_unavailable", run.median_unavailable).field("most_unavailable", run.most_unavailable);
  line.field("nodes", run.nodes).defects(run).origin(run);
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) { lab::write_run_table(runs, path, medea_fields); }

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(
      path, medea_fields, [](const Run& run) { return std::tuple(run.of, run.cluster, run.seed, run.label, run.deadline_ms); });
}

}  // namespace stowage::cli::medea
