// A placement in which applications are placed as a whole or not at all, replica after replica.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/placement/placement.h"
#include "core/run/work_clock.h"

namespace stowage {

/// What makes a node better for a replica than another; of equal nodes, the lowest index is best, and open ones come before new
/// ones.
enum class Fitness : std::uint8_t {
  kDot,     ///< P3, Eq. 21: sum over dimensions of demand / all demand x free / all free
  kCosine,  ///< the cosine of the angle between demand and what is free, as shares of the largest capacity
  kFirst,   ///< none: the first node
};

/// Which nodes may be opened for a replica that no open node takes.
enum class Opening : std::uint8_t {
  kCounted,  ///< of classes with a count: nodes that exist
  kAny,      ///< also of classes without a count: nodes that are added, where no other node takes the replica
};

/// An application, with its apps in the order in which they are placed.
struct WholeApplication {
  std::vector<AppId> apps;  ///< that want replicas
  std::int32_t priority;    ///< the highest of its apps
  double weight;            ///< what admitting it counts
  double size;              ///< P3, Eq. 20: sum over dimensions of its demand / all demand
};

/// As a number of nodes: no limit.
inline constexpr std::uint64_t kAnyNodes = ~std::uint64_t{0};
/// Whether nodes may be added: some class has no count, and the request does not limit the nodes in use.
[[nodiscard]] bool may_add_nodes(const Instance& instance, const Request& request);

/// The applications that want replicas, in the order of their first app in app_order() by size.
std::vector<WholeApplication> whole_applications(const Instance& instance);

template <class Unit>
class Admission {
 public:
  Admission(const Instance& instance, const Request& request);

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  [[nodiscard]] const Placement<Unit>& placement() const { return placement_; }
  /// At most so many nodes are added, from now on.
  void add_at_most(std::uint64_t nodes) { may_add_ = nodes; }
  /// At most one replica of an app on each node, from now on (P3, section 4.1: the baseline's constraint).
  void keep_apart() { apart_ = true; }

  /// Places all waiting replicas of the application, or none of them. O(N d) per replica.
  /// @return whether all are placed
  bool admit(const WholeApplication& application, Fitness fitness, Opening opening, WorkClock& clock);
  /// The places of the last application that admit() has placed, replica by replica.
  [[nodiscard]] std::span<const std::pair<AppId, NodeId>> last() const { return last_; }

  /// Adds a node of the first class without a count that takes a replica of the app. kNone: there is none.
  NodeId add_node_for(AppId app);
  /// The node of best cosine that takes a replica of the app, of these nodes; kNone: none of them does.
  NodeId fittest_of(AppId app, std::span<const NodeId> nodes);
  /// The best node of all, or one that is opened for it. kNone: there is none.
  NodeId find_room(AppId app, Fitness fitness, WorkClock& clock);
  /// How many replicas of the app the node takes now, at most `wanted`.
  std::uint32_t headroom(AppId app, NodeId node, std::uint32_t wanted);
  /// The fitness of a node for a replica of the app, Eq. 21.
  [[nodiscard]] double dot(AppId app, NodeId node);
  void place(AppId app, NodeId node);
  void remove(AppId app, NodeId node);

 private:
  struct Choice {
    double score = -1;
    NodeId node = kNone;
    ClassId node_class = kNone;  ///< of a node that has to be opened
  };
  void weigh(AppId app, Fitness fitness);
  [[nodiscard]] double score(NodeId node, Fitness fitness) const;
  [[nodiscard]] double score_of_new(ClassId node_class, Fitness fitness) const;
  /// The best node for the candidate, opened if need be. kNone: there is none.
  NodeId choose(Fitness fitness, Opening opening, WorkClock& clock);
  void consider_new(const std::vector<ClassId>& classes, Fitness fitness, Choice& best) const;

  const Instance* instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  bool apart_ = false;
  std::uint64_t may_add_ = kAnyNodes;  // nodes that may still be added
  std::vector<ClassId> counted_;       // classes that may have nodes left
  std::vector<ClassId> endless_;
  std::vector<double> share_;   // per dimension: 1 / largest capacity
  std::vector<double> free_;    // per dimension: capacity that is free on all nodes that exist
  std::vector<double> weight_;  // per dimension, of the candidate
  std::vector<std::pair<AppId, NodeId>> last_;
};

extern template class Admission<std::int16_t>;
extern template class Admission<std::int32_t>;

}  // namespace stowage
