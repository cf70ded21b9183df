// The raw content of an instance: the columns of the wire format, with the original numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/data/app_numbers.h"
#include "core/model/data/types.h"

namespace stowage {

struct Resource {
  std::string name;
  std::string unit;
  double device = 0;  ///< amount of one device; 0 = divisible at will
};

struct NodeClass {
  std::string name;
  std::vector<double> capacity;  ///< per resource
  std::uint32_t count = 0;       ///< nodes of the class in all, listed ones included; 0 = no limit
  double price = -1;             ///< negative = not given
  std::vector<std::string> labels;
  std::vector<double> daemon{};  ///< load of each node of the class; resources, or resources x periods; empty = none
};

struct Residence {
  AppId app;
  NodeId node;  ///< index of a listed node
  std::uint32_t replicas;
};

/// Affinity limits as compressed rows: views of memory that has to live until Instance::build() returns.
struct LimitColumns {
  std::span<const std::uint32_t> row_begin;  ///< apps + 1, or empty for none
  std::span<const std::uint32_t> app;
  std::span<const std::uint32_t> at_most;
};

/// Compressed rows of indices: row i is index[begin[i]] .. index[begin[i + 1] - 1].
struct IndexRows {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> index;
  [[nodiscard]] bool empty() const { return begin.empty(); }
};

enum class CardinalityKind : std::uint8_t { kReplicas, kNodeSets, kSkew };

struct Cardinality {
  CardinalityKind kind = CardinalityKind::kReplicas;
  std::vector<std::uint32_t> subject;  ///< tags
  std::vector<std::uint32_t> target;   ///< tags
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  std::uint32_t group = kNone;  ///< kNone: each node alone
  bool negated = false;
};

struct PlacementRule {
  std::string name;
  std::vector<std::vector<Cardinality>> any_of;
  bool hard = true;
  double weight = 1;
  bool from_operator = false;
};

struct NodeGroup {
  std::string name;
  IndexRows sets;  ///< of listed nodes
  std::vector<std::string> set_names;
  std::string by_label;
};

enum class ChanceModel : std::uint8_t { kGaussian, kBoundedSupport, kFactor };

struct Uncertainty {
  ChanceModel model = ChanceModel::kGaussian;
  double confidence = 0.99;
  double factor = 0;
};

struct Interference {
  std::vector<std::string> kinds;
  std::uint32_t kind_count = 0;
  std::vector<double> coefficient;  ///< kinds x kinds
  ResourceId resource = 0;          ///< whose demand is the load
  std::vector<double> max_cost{};   ///< per kind: the most that a replica may cost; infinity = no limit; empty = none at all
};

/// Traffic between the replicas of two apps, counted once for both directions.
struct Traffic {
  AppId app;
  AppId peer;
  double amount;  ///< of all replicas together, in any unit
};

/// The content of instance.fbs, which documents lengths and meanings.
struct InstanceData : NumbersOfApps {
  std::string name;
  std::vector<Resource> resources;
  std::uint32_t periods = 1;

  std::vector<std::string> app_names;
  std::vector<std::uint32_t> replicas;
  std::vector<double> demand;
  std::vector<double> variance;
  std::vector<double> support_min;
  std::vector<double> support_max;
  std::vector<std::uint32_t> kind;
  IndexRows app_tags;
  IndexRows app_only;  ///< per app: tags, all of which a node has to carry
  IndexRows app_not;   ///< per app: tags, none of which a node may carry

  std::vector<NodeClass> classes;

  std::vector<std::uint32_t> node_class;
  std::vector<std::string> node_names;
  std::vector<double> load;
  std::vector<double> load_variance;
  std::vector<std::uint8_t> closed;
  IndexRows node_tags;
  std::vector<double> daemon;  ///< of each listed node, instead of its class's

  LimitColumns limits;
  std::vector<Residence> running;
  std::vector<Residence> pinned;

  std::vector<std::string> tags;
  std::vector<NodeGroup> groups;
  std::vector<PlacementRule> rules;
  bool has_uncertainty = false;
  Uncertainty uncertainty;
  bool has_interference = false;
  Interference interference;
  std::vector<Traffic> traffic{};
};

/// The most that a caller accepts. Mirrors stowage_limits.
struct Limits {
  std::uint64_t max_bytes = 0x7FFFFFFF;
  std::uint64_t max_apps = 10'000'000;
  std::uint64_t max_replicas = 100'000'000;
  std::uint64_t max_limits = 500'000'000;
  std::uint64_t max_nodes = 10'000'000;
  std::uint64_t max_cells = 500'000'000;
  std::uint64_t max_threads = 256;
  std::uint64_t max_memory = 0;  ///< bytes, see MemoryBudget; 0: 2^29 and 16 times those of the data
};

}  // namespace stowage
