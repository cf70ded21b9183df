#include "capi/cli/generate/given_apps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>

#include "capi/cli/base/random.h"
#include "capi/cli/library/library.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {

GivenApps::GivenApps(const std::string& path, const std::string& node, const Console& console) {
  const Workload workload = load_workload(path, GivenNodes{node, {}, {}, {}}, console);
  name_ = std::filesystem::path(path).filename().string();
  over_time_ = decode_instance(workload.root());
  if (apps() == 0) throw Failure("--apps-from: " + name_ + " has no apps");
  over_time_.limits = AffinityLimitsData();
  over_time_.running.clear();
  over_time_.pinned.clear();
  fixed_ = over_time_;
  fixed_.periods = 1;
  const std::size_t resources = over_time_.resources.size();
  const std::size_t periods = over_time_.apps.demand.size() / apps() / resources;
  fixed_.apps.demand.clear();
  for (auto from = over_time_.apps.demand.begin(); from != over_time_.apps.demand.end();) {
    const auto end = from + static_cast<std::ptrdiff_t>(periods);
    fixed_.apps.demand.push_back(std::ceil(*std::max_element(from, end)));
    from = end;
  }
}

InstanceData GivenApps::generate(const GenerateOptions& options) const {
  InstanceData data = options.apps != apps() ? sample(options) : options.profile ? over_time_ : fixed_;
  generate_limits(options, data);
  return data;
}

InstanceData GivenApps::sample(const GenerateOptions& options) const {
  enum Draw : std::uint64_t { kDrawDemand, kDrawReplicas };
  const InstanceData& from = options.profile ? over_time_ : fixed_;
  InstanceData result;
  result.resources = from.resources;
  result.periods = from.periods;
  result.classes = from.classes;
  const auto width = static_cast<std::ptrdiff_t>(from.apps.demand.size() / apps());
  for (std::uint32_t app = 0; app < options.apps; ++app) {
    const auto demand = from.apps.demand.begin() + Random(options.seed, kDrawDemand, app).below(apps()) * width;
    result.apps.demand.insert(result.apps.demand.end(), demand, demand + width);
    result.apps.replicas.push_back(from.apps.replicas[Random(options.seed, kDrawReplicas, app).below(apps())]);
    result.apps.names.push_back(std::to_string(app + 1));
  }
  return result;
}

}  // namespace stowage::cli
