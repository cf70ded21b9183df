#include "capi/lab/clusters/runs.h"

#include <tuple>

#include "capi/cli/base/console.h"
#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/generate/cluster/cluster.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::clusters {
namespace {

using lab::RunReader;

const std::vector<std::string>& cluster_columns() {
  static const std::vector<std::string> kColumns = {
      "features", "apps",     "seed",       "planner",         "deadline_ms", "status",       "objective", "value",   "bound",
      "nodes",    "unplaced", "violations", "rule_violations", "seconds",     "call_seconds", "repeats",   "machine", "build"};
  return kColumns;
}

constexpr const char* kCost = "cost";
constexpr const char* kNodes = "nodes";

Run read_cluster_run(RunReader& reader) {
  Run run;
  run.of.features = reader.text();
  try {
    cluster::Options options;
    cluster::add_features(run.of.features, "features", options);
  } catch (const Failure&) {
    reader.refuse();
  }
  run.of.apps = reader.count();
  run.seed = reader.whole();
  lab::read_contender(reader, run);
  const std::string& objective = reader.text();
  if (objective != kCost && objective != kNodes) reader.refuse();
  run.priced = objective == kCost;
  run.value = reader.number();
  run.bound = reader.optional_number();
  run.nodes = reader.whole();
  lab::read_defects(reader, run);
  run.rule_violations = reader.whole();
  lab::read_origin(reader, run);
  return run;
}

}  // namespace

std::string class_text(const Class& of) { return counted(of.apps, "app") + ", " + of.features; }

const std::vector<std::string>& default_features() {
  static const std::vector<std::string> kFeatures = {"none",        "limits",     "selectors",  "spread-hard",
                                                     "spread-soft", "soft-apart", "all",        "continuous",
                                                     "periods",     "uncertain",  "exclusions", "periods+uncertain+exclusions",
                                                     "one-class"};
  return kFeatures;
}

const std::vector<std::uint32_t>& default_sizes() {
  static const std::vector<std::uint32_t> kSizes = {300, 1000, 5000};
  return kSizes;
}

const std::vector<std::string>& default_deadlines() {
  static const std::vector<std::string> kDeadlines = {"100ms", "1s", "10s"};
  return kDeadlines;
}

std::optional<double> Run::gap() const {
  if (!counts() || !bound || *bound <= 0) return std::nullopt;
  return value / *bound - 1;
}

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(cluster_columns()));
  for (const Run& run : runs) {
    out.write(csv_line(lab::joined(
        {{run.of.features, std::to_string(run.of.apps), std::to_string(run.seed)},
         lab::contender_fields(run),
         {run.priced ? kCost : kNodes, shortest(run.value), lab::optional_text(run.bound), std::to_string(run.nodes)},
         lab::defect_fields(run),
         {std::to_string(run.rule_violations)},
         lab::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, cluster_columns(), read_cluster_run,
                                 [](const Run& run) { return std::tuple(run.of, run.seed, run.label, run.deadline_ms); });
}

}  // namespace stowage::cli::clusters
