// Apps of a file, to be combined with drawn limits.
#pragma once

#include <cstdint>
#include <string>

#include "capi/cli/base/console.h"
#include "capi/cli/formats/instance_data.h"
#include "capi/cli/generate/generate.h"

namespace stowage::cli {

/// Demand over time, as the file has it, and the largest demand over time, rounded up.
class GivenApps {
 public:
  /// @param node capacity of the one, open-ended node class
  GivenApps(const std::string& path, const std::string& node, const Console& console);

  /// Of the file, without its folder.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t apps() const { return static_cast<std::uint32_t>(over_time_.apps.replicas.size()); }
  [[nodiscard]] bool has_profile() const { return over_time_.periods > 1; }
  /// The apps of the file or, where the options ask for another number, so many that each have the demand of a random app and
  /// the replicas of another, as P0's instances of 10,000 apps and more; with limits drawn anew.
  [[nodiscard]] InstanceData generate(const GenerateOptions& options) const;

 private:
  [[nodiscard]] InstanceData sample(const GenerateOptions& options) const;

  std::string name_;
  InstanceData over_time_;
  InstanceData fixed_;
};

}  // namespace stowage::cli
