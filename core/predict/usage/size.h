// From usage to size: how much of each resource a replica should ask for.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/predict/usage/history.h"

namespace stowage {

/// How the size in one resource follows from usage. The percentile over samples whose weight halves with age is that of
/// Autopilot (Rzadca et al., Autopilot: workload autoscaling at Google, EuroSys 2020, section 3.2.1); peaks over windows,
/// margin and bump are those of Kubernetes' Vertical Pod Autoscaler.
struct SizeRule {
  double percentile = 0.95;  ///< in (0, 1]: the least usage that this share of the samples, by weight, does not exceed
  double half_life = 0;      ///< seconds in which a sample's weight halves; 0: all samples weigh the same
  double window = 0;  ///< seconds: of each replica, the largest usage in a window counts as one sample; 0: each sample counts
  double margin = 0;  ///< usage counts (1 + margin) times
  double bump = 1;    ///< usage at which a replica was killed for lack of memory counts `bump` times; at least 1
  double floor = 0;   ///< least size
  double ceiling = std::numeric_limits<double>::infinity();  ///< largest size
  bool uncertain = false;  ///< demand is the mean of usage, with its variance, in place of the percentile
};

struct SizeOptions {
  std::vector<SizeRule> rules;  ///< per resource
  std::uint32_t periods = 1;    ///< number of periods of demand
  double cycle = 86'400;  ///< seconds after which the periods repeat, counted from time 0; 0: they divide the whole history
};

/// The largest number of periods of a demand profile.
inline constexpr std::uint32_t kMostUsagePeriods = 10'000;
/// The largest number of apps x resources x periods: 400 MB of demand.
inline constexpr std::uint64_t kMostUsageCells = 50'000'000;
/// Of these, what any usage may ask for; more only in proportion to what was measured.
inline constexpr std::uint64_t kFreeUsageCells = 5'000'000;

/// How well an amount held over the history, unweighted.
struct SizeFit {
  double slack = 0;     ///< mean of (amount - min(usage, amount)) / amount, the share that is reserved and not used
  double exceeded = 0;  ///< share of the samples above the amount: throttled or, for memory, out of memory
};

/// The size of one app in one resource.
struct ResourceSize {
  double size = std::numeric_limits<double>::quiet_NaN();  ///< NaN: never measured
  SizeFit fit;                                             ///< of `size`
  std::vector<double> demand;                              ///< per period, for an instance
  double variance = 0;                                     ///< of `demand` where it is uncertain
  SizeFit demand_fit;                                      ///< of `demand`
  std::uint64_t samples = 0;                               ///< that were measured
};

struct AppSize {
  std::vector<ResourceSize> resource;
  std::uint64_t samples = 0;
  std::uint64_t killed = 0;  ///< samples that were out of memory
  double first = 0;          ///< time of the first sample, in seconds
  double last = 0;           ///< and of the last one
};

/// Sizes of all apps, in the order of `history.apps`; an app without samples has no size.
///
/// Usage at which a replica was killed within the last half-life (ever, where there is none) is a least size, whatever the
/// percentile says.
/// Demand of a period is the percentile (or mean) over the samples in it, whatever `window` says; a period without samples gets
/// the size (or the mean over all). The variance is that around the means of the periods.
///
/// Errors: those of check_usage(), kInvalid for options, with the path of the field, and kLimitExceeded for kMostUsageCells;
/// kCancelled.
Result<std::vector<AppSize>> sizes_from_usage(const UsageHistory& history, const SizeOptions& options, WatchRef watch = {});

}  // namespace stowage
