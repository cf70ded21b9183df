// Clusters and long-running applications as in P2's simulations (sections 7.1, 7.3 and 7.4). docs/reference/generate.md lists
// what the paper leaves open and how it is filled in here.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capi/text/formats/instance_data.h"
#include "plan_generated.h"

namespace stowage::cli::medea {

struct ClusterOptions {
  std::uint32_t nodes = 500;  ///< of 8 cores and 16 GiB
  std::uint32_t racks = 10;
  std::uint32_t service_units = 0;  ///< 0: no such group
  double task_load = 0;             ///< share of the cores that tasks use, on random nodes
  std::uint32_t complexity = 1;     ///< number of consecutive HBase instances that share a rule
  bool tensorflow = false;          ///< every second application is TensorFlow
  std::uint64_t seed = 1;
};

/// One container per core.
inline constexpr std::uint32_t kCoresOfNode = 8;

/// A cluster to which applications are submitted one by one, and on which plans are carried out.
class Cluster {
 public:
  explicit Cluster(const ClusterOptions& options);

  [[nodiscard]] const InstanceData& data() const { return data_; }
  /// Submits the next application: HBase or, where the options say so, every second time TensorFlow.
  void submit();
  /// Submits `tasks` tasks of one core and 1 GiB. Each is planned by itself, like an application, but does not count as one.
  void submit_tasks(std::uint32_t tasks);
  /// Submits an application of `containers` containers that should spread over all service units evenly.
  void submit_spread(std::uint32_t containers);
  /// From now on the replicas that the plan places are running. Applications that it does not place as a whole are given up.
  void carry_out(const wire::Plan& plan);

  /// Applications submitted, and those of them that were given up.
  [[nodiscard]] std::uint32_t submitted() const { return submitted_; }
  [[nodiscard]] std::uint32_t given_up() const { return given_up_; }
  /// Containers submitted, including those of applications that were given up, and the share of all cores that they need.
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
  std::vector<std::uint32_t> application_;  ///< per app: position of its application in the order of submission, or kTask
  std::uint32_t tasks_ = 0;
  std::uint64_t containers_ = 0;
  std::uint32_t submitted_ = 0;
  std::uint32_t hbase_ = 0;
  std::uint32_t given_up_ = 0;
};

/// An empty cluster and waiting applications, which are added until they need the share `utilization` of its cores.
InstanceData generate_waiting(const ClusterOptions& options, double utilization);

}  // namespace stowage::cli::medea
