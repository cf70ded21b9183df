#include "capi/lab/paper/runs.h"

namespace stowage::cli::paper {
void Run::fields(Run& run, lab::RunLine& line) {
  const auto find_demand = [](const std::string& word) -> std::optional<bool> {
    for (const bool profile : {false, true}) {
      if (word == demand_word(profile)) return profile;
    }
    return std::nullopt;
  };
  line.word("demand", run.of.profile, demand_word, find_demand).field("apps", run.of.apps).field("density", run.of.density);
  line.word("graph", run.of.graph, graph_word, find_graph).field("sizes", run.sizes).field("seed", run.seed).contender(run);
  line.field("nodes", run.nodes).field("bound_eq4", run.bound).refuse_if(run.bound == 0);
  line.field("lower_bound", run.lower_bound).defects(run).origin(run);
}

}  // namespace stowage::cli::paper
