#include "core/model/data/types.h"

namespace stowage {

std::string_view feature_name(Feature feature) {
  switch (feature) {
    case Feature::kPeriods:
      return "periods";
    case Feature::kNodeClasses:
      return "node-classes";
    case Feature::kFiniteNodes:
      return "finite-nodes";
    case Feature::kPrices:
      return "prices";
    case Feature::kExistingLoad:
      return "existing-load";
    case Feature::kRunning:
      return "running-replicas";
    case Feature::kPins:
      return "pinned-replicas";
    case Feature::kClosedNodes:
      return "closed-nodes";
    case Feature::kAffinityLimits:
      return "affinity-limits";
    case Feature::kSelfLimits:
      return "self-limits";
    case Feature::kPriorities:
      return "priorities";
    case Feature::kUncertainDemand:
      return "uncertain-demand";
    case Feature::kPlacementRules:
      return "placement-rules";
    case Feature::kInterference:
      return "interference";
    case Feature::kEligibility:
      return "eligibility";
    case Feature::kDevices:
      return "devices";
    case Feature::kEnd:
      break;
  }
  return "unknown";
}

}  // namespace stowage
