// Clusters and long-running applications as P2's simulations have them (sections 7.1, 7.3 and 7.4). docs/generate.md tells what
// the paper leaves open and what is done about it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capi/cli/formats/instance_data.h"
#include "plan_generated.h"

namespace stowage::cli::medea {

struct ClusterOptions {
  std::uint32_t nodes = 500;  ///< of 8 cores and 16 GiB
  std::uint32_t racks = 10;
  std::uint32_t service_units = 0;  ///< 0: no such group
  double task_load = 0;             ///< share of the cores that tasks use, on random nodes
  std::uint32_t complexity = 1;     ///< so many HBase instances, one after the other, have a rule in common
  bool tensorflow = false;          ///< every second application is TensorFlow
  std::uint64_t seed = 1;
};

/// One container per core.
inline constexpr std::uint32_t kCoresOfNode = 8;

/// A cluster to which applications are submitted one after the other, and on which plans are carried out.
class Cluster {
 public:
  explicit Cluster(const ClusterOptions& options);

  [[nodiscard]] const InstanceData& data() const { return data_; }
  /// The next application: HBase, or every second time TensorFlow.
  void submit();
  /// So many tasks of one core and 1 GiB that are planned like applications, each for itself; they count as none.
  void submit_tasks(std::uint32_t tasks);
  /// So many containers that should be in as many service units as there are.
  void submit_spread(std::uint32_t containers);
  /// What the plan places runs from now on; applications that it does not place as a whole are given up.
  void carry_out(const wire::Plan& plan);

  /// Applications submitted, and those of them that were given up.
  [[nodiscard]] std::uint32_t submitted() const { return submitted_; }
  [[nodiscard]] std::uint32_t given_up() const { return given_up_; }
  /// Containers submitted, those of applications that were given up included, and the share of all cores that they need.
  [[nodiscard]] std::uint64_t containers() const { return containers_; }
  [[nodiscard]] double utilization() const {
    return static_cast<double>(containers_) / (static_cast<double>(options_.nodes) * kCoresOfNode);
  }

 private:
  std::uint32_t tag(const std::string& name);
  std::uint32_t add_app(const std::string& name, std::uint32_t replicas, double memory, const std::vector<std::string>& tags);
  void add_rule(const std::string& name, const std::vector<std::string>& subject, const std::vector<std::string>& target,
                std::uint32_t min, std::uint32_t max, std::uint32_t group);
  void submit_hbase(const std::string& name);
  void submit_tensorflow(const std::string& name);

  ClusterOptions options_;
  InstanceData data_;
  std::unordered_map<std::string, std::uint32_t> tags_;
  static constexpr std::uint32_t kTask = ~0u;
  std::vector<std::uint32_t> application_;  ///< per app: by number of submission, or kTask
  std::uint32_t tasks_ = 0;
  std::uint64_t containers_ = 0;
  std::uint32_t submitted_ = 0;
  std::uint32_t hbase_ = 0;
  std::uint32_t given_up_ = 0;
};

/// An empty cluster, and applications that wait for so large a share of its cores.
InstanceData generate_waiting(const ClusterOptions& options, double utilization);

}  // namespace stowage::cli::medea
