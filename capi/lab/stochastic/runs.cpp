#include "capi/lab/stochastic/runs.h"

#include <map>
#include <tuple>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::stochastic {
namespace {

using lab::RunReader;

const std::vector<std::string>& run_columns() {
  static const std::vector<std::string> kColumns = {
      "case",       "services",     "confidence",  "machines",   "layout",    "usage",        "seed",
      "day",        "planner",      "deadline_ms", "status",     "requested", "nodes",        "ucac",
      "ucac_bound", "node_bound",   "unplaced",    "violations", "samples",   "observations", "exceeded",
      "seconds",    "call_seconds", "repeats",     "machine",    "build"};
  return kColumns;
}

const std::vector<std::string>& use_columns() {
  static const std::vector<std::string> kColumns = {"case", "services", "confidence", "seed", "planner", "ucac"};
  return kColumns;
}

ClusterClass read_class(RunReader& reader) {
  ClusterClass one;
  const Table* table = find_case(reader.text());
  if (table == nullptr) reader.refuse();
  one.table = table->number;
  one.services = reader.count();
  one.confidence = reader.number();
  return one;
}

std::vector<std::string> class_fields(const ClusterClass& one) {
  return {find_table(one.table).word, std::to_string(one.services), shortest(one.confidence)};
}

Run read_run(RunReader& reader) {
  Run run;
  run.of = read_class(reader);
  run.machines = reader.count();
  run.layout = reader.text();
  run.usage = reader.text();
  run.seed = reader.whole();
  run.day = reader.count();
  lab::read_contender(reader, run);
  run.requested = reader.whole();
  run.nodes = reader.whole();
  run.ucac = reader.number();
  run.ucac_bound = reader.optional_number();
  run.node_bound = reader.optional_number();
  lab::read_defects(reader, run);
  run.samples = reader.count();
  run.observations = reader.whole();
  run.exceeded = reader.whole();
  if (run.exceeded > run.observations) reader.refuse();
  lab::read_origin(reader, run);
  return run;
}

}  // namespace

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(run_columns()));
  for (const Run& run : runs) {
    out.write(csv_line(
        lab::joined({class_fields(run.of),
                     {std::to_string(run.machines), run.layout, run.usage, std::to_string(run.seed), std::to_string(run.day)},
                     lab::contender_fields(run),
                     {std::to_string(run.requested), std::to_string(run.nodes), shortest(run.ucac),
                      lab::optional_text(run.ucac_bound), lab::optional_text(run.node_bound)},
                     lab::defect_fields(run),
                     {std::to_string(run.samples), std::to_string(run.observations), std::to_string(run.exceeded)},
                     lab::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, run_columns(), read_run, [](const Run& run) {
    return std::tuple(run.of, run.machines, run.layout, run.usage, run.seed, run.day, run.label, run.deadline_ms, run.samples);
  });
}

void write_uses(const std::vector<MachineUse>& uses, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(use_columns()));
  for (const MachineUse& use : uses) {
    for (const double ucac : use.ucac) {
      std::vector<std::string> fields = class_fields(use.of);
      fields.insert(fields.end(), {std::to_string(use.seed), use.label, shortest(ucac)});
      out.write(csv_line(fields));
    }
  }
  out.commit();
}

std::vector<MachineUse> read_uses(const std::string& path) {
  std::vector<MachineUse> uses;
  std::map<std::tuple<ClusterClass, std::uint64_t, std::string>, std::size_t> lines;
  lab::read_run_table(path, use_columns(), [&](RunReader& reader) {
    const ClusterClass of = read_class(reader);
    const std::uint64_t seed = reader.whole();
    const std::string& label = reader.label();
    if (uses.empty() || uses.back().of != of || uses.back().seed != seed || uses.back().label != label) {
      const auto [first, is_new] = lines.emplace(std::tuple(of, seed, label), reader.line());
      if (!is_new) reader.fail("belongs to the plan that line " + std::to_string(first->second) + " begins");
      uses.push_back({of, seed, label, {}});
    }
    std::vector<double>& ucac = uses.back().ucac;
    const double value = reader.number();
    if (!ucac.empty() && value > ucac.back()) reader.fail("is a fuller machine than the one before it");
    ucac.push_back(value);
  });
  return uses;
}

}  // namespace stowage::cli::stochastic
