#include "capi/cli/generate/stochastic/stochastic_cluster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/cli/formats/instance_file.h"
#include "capi/cli/generate/purposes.h"
#include "capi/cli/library/library.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::stochastic {
namespace {

constexpr std::array<Case, 3> kCases = {Case::kEmpty, Case::kScaleUp, Case::kScaleDown};

/// P1 does not give the limits of containers. Here a container uses at most its mean plus this number of standard deviations.
constexpr double kLimitDeviations = 4;

/// Work limit of the planner of a layout; a limit of time would make the layout depend on the machine.
constexpr std::uint64_t kLayoutWork = 1'000'000;

struct Container {
  std::uint32_t app;
  std::uint32_t node;
};

}  // namespace

Case parse_case(std::string_view word) {
  for (const Case one : kCases) {
    if (word == case_word(one)) return one;
  }
  throw Failure("--case: \"" + std::string(word) + "\" is not a case; use empty, scale-up or scale-down");
}

const char* case_word(Case one) {
  switch (one) {
    case Case::kEmpty:
      return "empty";
    case Case::kScaleUp:
      return "scale-up";
    case Case::kScaleDown:
      return "scale-down";
  }
  return "";
}

double scale_of(Case one) {
  switch (one) {
    case Case::kEmpty:
      return 1;
    case Case::kScaleUp:
      return 1.2;
    case Case::kScaleDown:
      return 0.9;
  }
  return 1;
}

std::vector<std::uint32_t> scaled_containers(const std::vector<Service>& services, double scale) {
  std::vector<std::uint32_t> counts;
  counts.reserve(services.size());
  for (const Service& service : services) {
    counts.push_back(static_cast<std::uint32_t>(std::floor(service.containers * scale + 0.5)));
  }
  return counts;
}

InstanceData empty_cluster(const ClusterOptions& options, const std::vector<Service>& services) {
  InstanceData data;
  data.name = counted(services.size(), "service") + " at confidence " + for_people(options.confidence * 100, 6) + " %, " +
              case_word(options.of) + ", seed " + std::to_string(options.seed);
  data.resources = {{"cpu", "cores"}};
  NodeClassData machine;
  machine.name = "machine";
  machine.capacity = {options.capacity};
  machine.count = options.machines;
  data.classes.push_back(std::move(machine));
  for (const Service& service : services) {
    data.apps.names.push_back(service.name);
    data.apps.replicas.push_back(service.containers);
    data.apps.demand.push_back(service.mean);
    data.apps.variance.push_back(service.deviation * service.deviation);
    data.apps.support_min.push_back(0);
    data.apps.support_max.push_back(std::ceil((service.mean + kLimitDeviations * service.deviation) * 100) / 100);
  }
  UncertaintyData uncertainty;
  uncertainty.model = wire::ChanceModel::Gaussian;
  uncertainty.confidence = options.confidence;
  data.uncertainty = uncertainty;
  return data;
}

InstanceData after_losses(const InstanceData& cluster, const wire::Plan& plan, const std::vector<Service>& services,
                          const std::vector<std::uint32_t>& wanted, std::uint64_t seed, std::uint64_t day) {
  std::vector<std::vector<Container>> containers(services.size());
  for (const wire::Placed* one : *plan.placed()) {
    auto& of_service = containers[one->app()];
    of_service.insert(of_service.end(), one->replicas(), Container{one->app(), one->node()});
  }
  std::vector<std::vector<std::uint32_t>> left(plan.node_class()->size(), std::vector<std::uint32_t>(services.size(), 0));
  for (std::size_t s = 0; s < services.size(); ++s) {
    auto& of_service = containers[s];
    const auto count = static_cast<std::uint32_t>(of_service.size());
    const auto lost = static_cast<std::uint32_t>(std::floor(services[s].remove_rate * count + 0.5));
    Random random(seed, kEvictions + (day << 32), s);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i < lost) {
        std::swap(of_service[i], of_service[i + random.below(count - i)]);
      } else {
        ++left[of_service[i].node][s];
      }
    }
  }
  InstanceData data = cluster;
  data.nodes = NodesData();
  data.running.clear();
  data.apps.replicas.assign(services.size(), 0);
  for (std::uint32_t node = 0; node < left.size(); ++node) {
    if (std::all_of(left[node].begin(), left[node].end(), [](std::uint32_t replicas) { return replicas == 0; })) continue;
    const auto listed = static_cast<std::uint32_t>(data.nodes.node_class.size());
    data.nodes.node_class.push_back(plan.node_class()->Get(node));
    data.nodes.names.push_back("m" + std::to_string(listed + 1));
    for (std::uint32_t s = 0; s < services.size(); ++s) {
      if (left[node][s] == 0) continue;
      data.running.emplace_back(s, listed, left[node][s]);
      data.apps.replicas[s] += left[node][s];
    }
  }
  for (std::size_t s = 0; s < services.size(); ++s) data.apps.replicas[s] = std::max(data.apps.replicas[s], wanted[s]);
  return data;
}

InstanceData generate_cluster(const ClusterOptions& options, const Console& console) {
  const std::vector<Service> services = draw_services(options.services, options.seed);
  InstanceData empty = empty_cluster(options, services);
  if (options.of == Case::kEmpty) return empty;
  InstanceBytes bytes(encode_instance(empty));
  Instance instance = load_bytes(bytes, "generate");
  const Workload workload{"generate", std::move(bytes), std::move(instance), 0};
  RequestOptions request;
  request.planner = options.layout;
  request.work_limit = kLayoutWork;
  const PlanRun layout = run_plan(workload, request, console);
  if (InterruptGuard::interrupted()) throw Failure("interrupted", kExitUnmet);
  if (layout.root().unplaced()->size() > 0) {
    throw Failure("--nodes: " + counted(options.machines, "machine") + " of " + shortest(options.capacity) +
                  " cores do not hold the initial layout");
  }
  return after_losses(empty, layout.root(), services, scaled_containers(services, scale_of(options.of)), options.seed, 0);
}

}  // namespace stowage::cli::stochastic
