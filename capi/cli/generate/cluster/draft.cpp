#include "capi/cli/generate/cluster/draft.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "capi/cli/base/random.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::cluster {
namespace {

constexpr std::array<NodeType, 6> kTypes = {{{"general-2", 2, 8, 0.096, false},
                                             {"general-4", 4, 16, 0.192, false},
                                             {"general-8", 8, 32, 0.384, false},
                                             {"general-16", 16, 64, 0.768, false},
                                             {"compute-16", 16, 32, 0.68, true},
                                             {"memory-16", 16, 128, 1.008, false}}};
constexpr std::size_t kOneType = 2;

/// What the system leaves of a core and of a GiB, in thousandths, and the most pods of a node.
constexpr std::int64_t kUsableCpu = 940;
constexpr std::int64_t kUsableMemory = 920;
constexpr std::int64_t kPods = 58'000;
constexpr std::int64_t kOnePod = 1'000;

constexpr std::array<std::uint32_t, 10> kReplicas = {1, 2, 2, 3, 3, 3, 6, 9, 12, 20};
constexpr std::array<std::int64_t, 8> kCpu = {100, 250, 500, 500, 1000, 1000, 2000, 3000};
constexpr std::array<std::int64_t, 5> kMemoryPerCpu = {1, 2, 4, 4, 8};

constexpr double kSpreadShare = 0.5;
/// Continuous demands are those of the table times a factor from 1 - kWidth to 1 + kWidth.
constexpr double kWidth = 0.15;
/// A little more than the normal quantile of the confidence, .99.
constexpr double kQuantile = 2.3264;

template <class Value, std::size_t Size>
Value one_of(const std::array<Value, Size>& values, Random& random) {
  return values[random.below(static_cast<std::uint32_t>(Size))];
}

bool drawn(const Options& options, Purpose purpose, std::uint32_t app, double share) {
  return share > 0 && Random(options.seed, purpose, app).uniform() < share;
}

std::int64_t varied(std::int64_t amount, Random& random) {
  const double factor = 1 - kWidth + 2 * kWidth * random.uniform();
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(static_cast<double>(amount) * factor + 0.5)));
}

App draw_app_of_cluster(const Options& options, std::uint32_t index) {
  App app;
  Random sizes(options.seed, kDrawSizes, index);
  app.replicas = one_of(kReplicas, sizes);
  app.demand.cpu = one_of(kCpu, sizes);
  app.demand.memory = app.demand.cpu * one_of(kMemoryPerCpu, sizes);
  app.demand.pods = kOnePod;
  if (options.continuous) {
    Random factors(options.seed, kDrawContinuous, index);
    app.demand.cpu = varied(app.demand.cpu, factors);
    app.demand.memory = varied(app.demand.memory, factors);
  }
  app.limited = drawn(options, kDrawLimits, index, options.limits);
  app.selects = drawn(options, kDrawSelectors, index, options.selectors);
  app.spreads = options.spread != Spread::kNone && app.replicas >= 2 && drawn(options, kDrawSpreads, index, kSpreadShare);
  app.apart = drawn(options, kDrawSoftApart, index, options.soft_apart);
  app.priority = static_cast<std::int32_t>(Random(options.seed, kDrawPriorities, index).below(options.priorities));
  return app;
}

/// Whether a replica of both fits on a node that either may use.
bool fit_together(const Options& options, const App& one, const App& other) {
  Load load;
  load.add(one.demand);
  load.add(other.demand);
  const std::span<const NodeType> types = node_types(options);
  return std::any_of(types.begin(), types.end(), [&](const NodeType& type) {
    return !(type.arm && (one.selects || other.selects)) && load.fits(capacity_of(type), options.deviation);
  });
}

/// Gives apps another one that has to be near. That one has at least as many replicas, is near to no third app and serves only
/// this one, so that each replica can have one beside it whatever else is asked of both.
void draw_near(const Options& options, std::vector<App>& apps) {
  const auto count = static_cast<std::uint32_t>(apps.size());
  for (std::uint32_t index = 0; index < count; ++index) {
    if (!drawn(options, kDrawNear, index, options.near) || apps[index].beside != kNone) continue;
    Random random(options.seed, kDrawNear, std::uint64_t{count} + index);
    const std::uint32_t start = random.below(count);
    for (std::uint32_t step = 0; step < count; ++step) {
      const std::uint32_t other = (start + step) % count;
      if (other == index || apps[other].near != kNone || apps[other].beside != kNone) continue;
      if (apps[other].replicas < apps[index].replicas || !fit_together(options, apps[index], apps[other])) continue;
      apps[index].near = other;
      apps[other].beside = index;
      break;
    }
  }
}

/// Groups of two to four apps. What has to be near another app, or has one near, stays out; what is in a group does not spread.
void draw_groups(const Options& options, Draft& draft) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t index = 0; index < draft.apps.size(); ++index) {
    const App& app = draft.apps[index];
    if (app.near == kNone && app.beside == kNone && drawn(options, kDrawGather, index, options.gather))
      members.push_back(index);
  }
  for (std::size_t next = 0; next < members.size(); ++draft.groups) {
    const std::size_t size = 2 + Random(options.seed, kDrawGather, draft.apps.size() + draft.groups).below(3);
    for (std::size_t k = 0; k < size && next < members.size(); ++k, ++next) {
      App& app = draft.apps[members[next]];
      app.group = draft.groups;
      app.spreads = false;
    }
  }
}

/// Draws pairs of apps that share no node, but none of an app and the one near it.
void draw_exclusions(const Options& options, Draft& draft) {
  if (options.exclusions == 0) return;
  const auto count = static_cast<std::uint32_t>(draft.apps.size());
  // About half of all pairs at most, so that drawing until they are different ends soon.
  if (std::uint64_t{options.exclusions} * 2 >= count) {
    throw Failure("--exclusions: must be less than half of the number of apps");
  }
  const std::uint64_t pairs = std::uint64_t{options.exclusions} * count / 2;
  draft.excluded.resize(count);
  Random random(options.seed, kDrawExclusions, 0);
  std::unordered_set<std::uint64_t> seen;
  while (seen.size() < pairs) {
    const std::uint32_t one = random.below(count);
    const std::uint32_t other = random.below(count);
    if (one >= other || draft.apps[one].near == other || draft.apps[other].near == one) continue;
    if (!seen.insert((std::uint64_t{one} << 32) | other).second) continue;
    draft.excluded[one].push_back(other);
    draft.excluded[other].push_back(one);
  }
  for (std::vector<std::uint32_t>& row : draft.excluded) std::sort(row.begin(), row.end());
}

}  // namespace

std::span<const NodeType> node_types(const Options& options) {
  const std::span<const NodeType> all = kTypes;
  return options.one_class ? all.subspan(kOneType, 1) : all;
}

Amounts capacity_of(const NodeType& type) { return {type.cores * kUsableCpu, type.memory * kUsableMemory, kPods}; }

void Load::add(const Amounts& demand) {
  sum.cpu += demand.cpu;
  sum.memory += demand.memory;
  sum.pods += demand.pods;
  squares += static_cast<double>(demand.cpu) * static_cast<double>(demand.cpu);
}

bool Load::fits(const Amounts& capacity, double deviation) const {
  if (sum.memory > capacity.memory || sum.pods > capacity.pods) return false;
  if (deviation == 0) return sum.cpu <= capacity.cpu;
  const double needed = static_cast<double>(sum.cpu) + kQuantile * deviation * std::sqrt(squares);
  return needed <= static_cast<double>(capacity.cpu);
}

Draft draw(const Options& options) {
  Draft draft;
  draft.apps.reserve(options.apps);
  for (std::uint32_t app = 0; app < options.apps; ++app) draft.apps.push_back(draw_app_of_cluster(options, app));
  draw_near(options, draft.apps);
  draw_groups(options, draft);
  draw_exclusions(options, draft);
  return draft;
}

}  // namespace stowage::cli::cluster
