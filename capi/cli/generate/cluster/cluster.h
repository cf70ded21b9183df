// Clusters as they are bought: node types with prices in several zones, and apps that need some of what clusters have (limits,
// selectors, spreads, preferences, profiles, uncertain demand, ...). docs/reference/generate.md describes what is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli::cluster {

enum class Spread : std::uint8_t { kNone, kHard, kSoft };

/// Shares of the apps that have a feature, and other strengths, where a feature is on and nothing else is said.
inline constexpr double kLimits = 0.4;
inline constexpr double kSelectors = 0.2;
inline constexpr double kSoftApart = 0.3;
inline constexpr double kNear = 0.1;
inline constexpr double kGather = 0.2;
inline constexpr std::uint32_t kPeriods = 24;
inline constexpr double kDeviation = 0.2;
inline constexpr std::uint32_t kExclusions = 6;

inline constexpr std::uint32_t kMostZones = 26;
inline constexpr std::uint32_t kMostPeriods = 10'000;
/// With a larger deviation, a large replica would not fit on a node of its own.
inline constexpr double kMostDeviation = 0.5;

/// Each feature is off by default and draws from streams of its own: turning one on leaves apps and other features as they are,
/// except that apps in a group do not spread.
struct Options {
  std::uint32_t apps = 300;
  std::uint64_t seed = 0;
  std::uint32_t zones = 3;
  bool one_class = false;         ///< one type of nodes without a price, instead of six with prices
  double limits = 0;              ///< share of the apps with at most one replica per node
  double selectors = 0;           ///< share of the apps that need nodes of one architecture
  Spread spread = Spread::kNone;  ///< whether half of the apps with several replicas spread over the zones evenly
  double soft_apart = 0;          ///< share of the apps that prefer one replica per node
  bool continuous = false;        ///< demands that are no round numbers
  std::uint32_t periods = 1;      ///< length of the day's profile of CPU
  double deviation = 0;           ///< standard deviation of CPU, as a share of its mean
  std::uint32_t exclusions = 0;   ///< other apps that an app shares no node with, on average
  double near = 0;                ///< share of the apps that need another app on their nodes
  double gather = 0;              ///< share of the apps in groups that stay in one zone
  std::uint32_t priorities = 1;   ///< number of different priorities
  double running = 0;             ///< cost of what runs, relative to the capacity bound; 0: nothing runs
};

/// Turns on the features that `words` joins by "+", each with its usual strength: limits, selectors, spread-hard, spread-soft,
/// soft-apart, continuous, periods, uncertain, exclusions, near, gather, one-class; all = limits + selectors + spread-hard +
/// soft-apart; none. Fails on any other word; `option` is named then.
void add_features(std::string_view words, const std::string& option, Options& options);

/// The same options give the same instance on every platform. Fails where more exclusions are wanted than there are apps.
InstanceData generate(const Options& options);

}  // namespace stowage::cli::cluster
