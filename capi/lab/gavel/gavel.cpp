#include "capi/lab/gavel/gavel.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/base/files.h"
#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kDrawJobs = 601;

/// The throughputs on one kind of GPU of all types of jobs that run on one GPU.
struct Throughputs {
  std::vector<std::string> types;  ///< in alphabetical order
  std::vector<double> alone;       ///< above 0
  std::vector<double> beside;      ///< types x types: of the first beside the second; 0: they do not share
};

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Failure(file + ": " + what + "; expected Gavel's physical_cluster_throughputs.json");
}

double throughput(const Json& value, const std::string& file) {
  if (!value.is_number() || !(value.get<double>() >= 0)) refuse(file, "a throughput is not a number from 0");
  return value.get<double>();
}

Throughputs read_throughputs(const GavelOptions& options) {
  const InputFile input(options.file);
  const Json root = Json::parse(input.text(), nullptr, false);
  if (!root.is_object()) refuse(input.name(), "is not a JSON object");
  if (!root.contains(options.gpu) || !root[options.gpu].is_object()) {
    std::string known;
    for (const auto& [gpu, of_gpu] : root.items()) known += (known.empty() ? "" : ", ") + gpu;
    throw Failure("--gpu: \"" + options.gpu + "\" is not in " + input.name() + ", which has " + known);
  }
  // A key is ('ResNet-18 (batch size 16)', 1): the type and the number of GPUs.
  std::map<std::string, const Json*> rows;
  for (const auto& [key, row] : root[options.gpu].items()) {
    if (key.starts_with("('") && key.ends_with("', 1)") && row.is_object()) rows[key] = &row;
  }
  Throughputs result;
  std::vector<std::string> keys;
  for (const auto& [key, row] : rows) {
    if (!row->contains("null")) refuse(input.name(), key + " has no throughput alone");
    const double alone = throughput((*row)["null"], input.name());
    if (!(alone > 0)) continue;
    keys.push_back(key);
    result.types.push_back(key.substr(2, key.size() - 7));
    result.alone.push_back(alone);
  }
  if (keys.empty()) refuse(input.name(), "has no jobs on one GPU");
  for (const std::string& key : keys) {
    for (const std::string& other : keys) {
      const Json& row = *rows[key];
      const bool measured = row.contains(other) && row[other].is_array() && row[other].size() == 2;
      const double own = measured ? throughput(row[other][0], input.name()) : 0;
      const double others = measured ? throughput(row[other][1], input.name()) : 0;
      // A pair of which one job stands still does not share the GPU.
      result.beside.push_back(others > 0 ? own : 0);
    }
  }
  return result;
}

/// Half of the jobs of a type.
struct Half {
  std::size_t type;
  std::uint32_t jobs;
  const char* suffix;
};

}  // namespace

InstanceData import_gavel(const GavelOptions& options) {
  if (options.jobs > 2 * std::uint64_t{options.gpus}) throw Failure("--jobs: a GPU holds two jobs at most");
  const Throughputs known = read_throughputs(options);
  std::vector<std::uint32_t> jobs(known.types.size(), 0);
  Random random(options.seed, kDrawJobs, 0);
  for (std::uint32_t j = 0; j < options.jobs; ++j) ++jobs[random.below(static_cast<std::uint32_t>(jobs.size()))];
  std::vector<Half> halves;
  for (std::size_t t = 0; t < jobs.size(); ++t) {
    if (jobs[t] > 0) halves.push_back({t, (jobs[t] + 1) / 2, jobs[t] > 1 ? ", first half" : ""});
    if (jobs[t] > 1) halves.push_back({t, jobs[t] / 2, ", second half"});
  }
  InstanceData data;
  data.name = counted(options.jobs, "job") + " on " + std::to_string(options.gpus) + " " + options.gpu + ", seed " +
              std::to_string(options.seed);
  data.resources.push_back({"jobs", ""});
  NodeClassData gpu;
  gpu.name = options.gpu;
  gpu.capacity = {2};
  gpu.count = options.gpus;
  data.classes.push_back(std::move(gpu));
  InterferenceData interference;
  data.limits.row_begin.push_back(0);
  for (std::uint32_t a = 0; a < halves.size(); ++a) {
    data.apps.names.push_back(known.types[halves[a].type] + halves[a].suffix);
    data.apps.replicas.push_back(halves[a].jobs);
    data.apps.demand.push_back(1);
    data.apps.kind.push_back(a);
    interference.kinds.push_back(data.apps.names.back());
    data.limits.app.push_back(a);
    data.limits.at_most.push_back(1);
    for (std::uint32_t b = 0; b < halves.size(); ++b) {
      const double beside = known.beside[halves[a].type * known.types.size() + halves[b].type];
      const double slowdown = beside > 0 ? known.alone[halves[a].type] / beside : 1;
      interference.coefficient.push_back(a == b ? 1 : std::max(0.0, slowdown - 1));
      if (beside > 0 || a == b) continue;
      data.limits.app.push_back(b);
      data.limits.at_most.push_back(0);
    }
    data.limits.row_begin.push_back(static_cast<std::uint32_t>(data.limits.app.size()));
  }
  data.interference = std::move(interference);
  return data;
}

}  // namespace stowage::cli
