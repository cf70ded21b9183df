// What is drawn for a cluster, before it is written as an instance. Amounts are whole numbers of thousandths, so that sums are
// exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capi/cli/generate/cluster/cluster.h"

namespace stowage::cli::cluster {

/// Random numbers are drawn for a purpose, from a stream per purpose and index (capi/cli/base/random.h).
enum Purpose : std::uint64_t {
  kDrawSizes = 301,
  kDrawLimits,
  kDrawSelectors,
  kDrawSpreads,
  kDrawSoftApart,
  kDrawContinuous,
  kDrawProfiles,
  kDrawExclusions,
  kDrawNear,
  kDrawGather,
  kDrawPriorities,
  kDrawNodes,
  kDrawRunning
};

/// A type of nodes as it is sold; what a node can use of it is in capacity_of().
struct NodeType {
  const char* name;
  std::uint32_t cores;
  std::uint32_t memory;  ///< GiB
  double price;
  bool arm;  ///< of the other architecture
};

/// The types that nodes of the cluster have.
std::span<const NodeType> node_types(const Options& options);

struct Amounts {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t pods = 0;
};
Amounts capacity_of(const NodeType& type);

struct App {
  std::uint32_t replicas = 0;
  Amounts demand;  ///< of one replica; CPU at its highest
  std::int32_t priority = 0;
  bool limited = false;          ///< at most one replica per node
  bool selects = false;          ///< only on nodes that are not `arm`
  bool spreads = false;          ///< over the zones, evenly
  bool apart = false;            ///< prefers one replica per node
  std::uint32_t near = kNone;    ///< the app that has to be on each of its nodes
  std::uint32_t beside = kNone;  ///< the app whose `near` is this one
  std::uint32_t group = kNone;   ///< the group that stays in one zone with it
};

struct Draft {
  std::vector<App> apps;
  std::uint32_t groups = 0;
  std::vector<std::vector<std::uint32_t>> excluded;  ///< per app, in ascending order; empty where no app excludes another
};

/// What is on a node, for the question of whether it fits.
struct Load {
  Amounts sum;
  double squares = 0;  ///< of CPU

  void add(const Amounts& demand);
  /// Whether it keeps to `capacity`, with the probability that the instance asks for where demand has a deviation. Says no
  /// where all peaks of CPU together do not fit, though they may never meet.
  [[nodiscard]] bool fits(const Amounts& capacity, double deviation) const;
};

/// Draws the apps with everything but running replicas.
Draft draw(const Options& options);

/// Draws nodes that run everything, at about `options.running` times the cost bound of the capacities, into `data`, which holds
/// the rest of the instance. No rule is violated, hard or soft.
void draw_running(const Options& options, const Draft& draft, InstanceData& data);

}  // namespace stowage::cli::cluster
