#include "capi/lab/stochastic/runs.h"

#include <map>

namespace stowage::cli::stochastic {
namespace {

void class_fields(ClusterClass& of, lab::RunLine& line) {
  const auto find_number = [](const std::string& word) -> std::optional<decltype(of.table)> {
    const Table* table = find_case(word);
    if (table == nullptr) return std::nullopt;
    return table->number;
  };
  line.word(
      "case", of.table, [](auto number) { return find_table(number).word; }, find_number);
  line.field("services", of.services).field("confidence", of.confidence);
}

/// A machine of a plan.
struct OneUse {
  ClusterClass of;
  std::uint64_t seed = 0;
  std::string label;
  double ucac = 0;
};

void use_fields(OneUse& use, lab::RunLine& line) {
  class_fields(use.of, line);
  line.field("seed", use.seed).label(use.label).field("ucac", use.ucac);
}

}  // namespace

void Run::fields(Run& run, lab::RunLine& line) {
  class_fields(run.of, line);
  line.field("machines", run.machines).field("layout", run.layout).field("usage", run.usage).field("seed", run.seed);
  line.field("day", run.day).contender(run).field("requested", run.requested).field("nodes", run.nodes);
  line.field("ucac", run.ucac).field("ucac_bound", run.ucac_bound).field("node_bound", run.node_bound).defects(run);
  line.field("samples", run.samples).field("observations", run.observations).field("exceeded", run.exceeded);
  line.refuse_if(run.exceeded > run.observations).origin(run);
}

void write_uses(const std::vector<MachineUse>& uses, const std::string& path) {
  std::vector<OneUse> all;
  for (const MachineUse& use : uses) {
    for (const double ucac : use.ucac) all.push_back({use.of, use.seed, use.label, ucac});
  }
  lab::write_run_table(all, path, use_fields);
}

std::vector<MachineUse> read_uses(const std::string& path) {
  std::vector<MachineUse> uses;
  std::map<std::tuple<ClusterClass, std::uint64_t, std::string>, std::size_t> lines;
  lab::read_run_table(path, lab::columns_of(use_fields), [&](lab::RunLine& line) {
    OneUse one;
    use_fields(one, line);
    if (uses.empty() || uses.back().of != one.of || uses.back().seed != one.seed || uses.back().label != one.label) {
      const auto [first, is_new] = lines.emplace(std::tuple(one.of, one.seed, one.label), line.line());
      if (!is_new) line.fail("belongs to the plan that line " + std::to_string(first->second) + " begins");
      uses.push_back({one.of, one.seed, one.label, {}});
    }
    std::vector<double>& ucac = uses.back().ucac;
    if (!ucac.empty() && one.ucac > ucac.back()) line.fail("is a fuller machine than the one before it");
    ucac.push_back(one.ucac);
  });
  return uses;
}

}  // namespace stowage::cli::stochastic
