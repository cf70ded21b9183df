#include "capi/lab/medea/runs.h"

namespace stowage::cli::medea {
void Run::fields(Run& run, lab::RunLine& line) {
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

}  // namespace stowage::cli::medea
