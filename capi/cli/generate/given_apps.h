// Workloads with the apps of a file and drawn limits.
#pragma once

#include <cstdint>
#include <string>

#include "capi/cli/base/console.h"
#include "capi/cli/generate/generate.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

/// The apps of a file, with their demand over time and with their largest demand over time, rounded up.
class GivenApps {
 public:
  /// @param node capacity of the one, open-ended node class
  GivenApps(const std::string& path, const std::string& node, const Console& console);

  /// The name of the file without its folder.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t apps() const { return static_cast<std::uint32_t>(over_time_.apps.replicas.size()); }
  [[nodiscard]] bool has_profile() const { return over_time_.periods > 1; }
  /// A workload of `options.apps` apps with drawn limits. Its apps are those of the file or, where the numbers differ, each has
  /// the demand of a random app of the file and the replicas of another, as in P0's instances of 10,000 apps and more.
  [[nodiscard]] InstanceData generate(const GenerateOptions& options) const;

 private:
  [[nodiscard]] InstanceData sample(const GenerateOptions& options) const;

  std::string name_;
  InstanceData over_time_;
  InstanceData fixed_;
};

}  // namespace stowage::cli
