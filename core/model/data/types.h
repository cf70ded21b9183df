// Identifiers and the features of the model.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage {

using AppId = std::uint32_t;
using NodeId = std::uint32_t;
using ClassId = std::uint32_t;
using ResourceId = std::uint32_t;

/// Stands for nothing: no limit, an anonymous node, an absent index.
inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// What an instance may use, one bit each. A planner declares the features that it honours. An instance that uses another
/// feature is refused, with the feature's name.
enum class Feature : std::uint32_t {
  kPeriods = 1u << 0,           ///< demand that changes over periods
  kNodeClasses = 1u << 1,       ///< more than one node class
  kFiniteNodes = 1u << 2,       ///< a node class with a count
  kPrices = 1u << 3,            ///< node classes with prices
  kExistingLoad = 1u << 4,      ///< load on listed nodes
  kRunning = 1u << 5,           ///< replicas that run already
  kPins = 1u << 6,              ///< replicas pinned to nodes
  kClosedNodes = 1u << 7,       ///< nodes that accept nothing new
  kAffinityLimits = 1u << 8,    ///< limits between two apps
  kSelfLimits = 1u << 9,        ///< limits of an app on itself
  kPriorities = 1u << 10,       ///< apps with priorities
  kUncertainDemand = 1u << 11,  ///< variance or supports, chance-constrained capacity
  kPlacementRules = 1u << 12,   ///< rules over tags and node groups
  kInterference = 1u << 13,     ///< kinds with a limit on what side effects may cost a replica
  kEligibility = 1u << 14,      ///< apps that only some nodes may hold
  kDevices = 1u << 15,          ///< resources in devices that a replica takes a part of, or as a whole
  kEnd = 1u << 16,
};

using FeatureSet = std::uint32_t;

constexpr FeatureSet operator|(Feature a, Feature b) { return static_cast<FeatureSet>(a) | static_cast<FeatureSet>(b); }
constexpr FeatureSet operator|(FeatureSet a, Feature b) { return a | static_cast<FeatureSet>(b); }
constexpr bool contains(FeatureSet set, Feature feature) { return (set & static_cast<FeatureSet>(feature)) != 0; }

/// Everything but uncertainty, placement rules, eligibility, limits on side effects and devices.
inline constexpr FeatureSet kDeterministicFeatures = Feature::kPeriods | Feature::kNodeClasses | Feature::kFiniteNodes |
                                                     Feature::kPrices | Feature::kExistingLoad | Feature::kRunning |
                                                     Feature::kPins | Feature::kClosedNodes | Feature::kAffinityLimits |
                                                     Feature::kSelfLimits | Feature::kPriorities;

/// What planners honour that ask Placement for headroom: everything. Hard rules hold. Some planners state that
/// they seek to meet soft rules, too; plans report the soft rules that are not met.
inline constexpr FeatureSet kHeadroomFeatures = kDeterministicFeatures | Feature::kUncertainDemand | Feature::kPlacementRules |
                                                Feature::kEligibility | Feature::kInterference | Feature::kDevices;

/// Name of a feature in the catalogue and in error messages, such as "affinity-limits".
std::string_view feature_name(Feature feature);

}  // namespace stowage
