#include "capi/lab/paper/runs.h"

#include <tuple>

#include "capi/lab/experiment/run_table.h"

namespace stowage::cli::paper {
namespace {

void run_fields(Run& run, lab::RunLine& line) {
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

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) { lab::write_run_table(runs, path, run_fields); }

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(
      path, run_fields, [](const Run& run) { return std::tuple(run.of, run.sizes, run.seed, run.label, run.deadline_ms); });
}

}  // namespace stowage::cli::paper
