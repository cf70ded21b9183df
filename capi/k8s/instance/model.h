// The cluster as an instance: apps, classes, limits and rules. Between plans, the numbers of nodes and the rules differ.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capi/k8s/model/cluster.h"
#include "capi/k8s/model/prices.h"
#include "capi/text/records/instance_records.h"

namespace stowage::k8s {

/// The nodes and rules that a plan considers.
enum class Scope : std::uint8_t {
  kHere,    ///< the present nodes; preferences count
  kMoving,  ///< the present nodes, some of which are to be emptied; preferences that hold now are kept
  kRoom,    ///< the present nodes, between which replicas move so that others fit
  kGrown,   ///< as many more nodes of each kind as needed; preferences do not count
  kFresh,   ///< as kGrown, and only what cannot move runs
};

/// A set of present nodes, and of kinds of which new nodes belong to it.
struct Place {
  std::vector<char> nodes, kinds;
  [[nodiscard]] bool all() const;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The domains of a topology key on nodes that count.
struct Group {
  std::string name;
  View key;
  Place counts;
  bool own_sets = false;  ///< each node is a set, of those that count
};

struct Condition {
  wire::CardinalityKind kind = wire::CardinalityKind::Replicas;
  static constexpr int kSubject = -2;
  int target = -1;  ///< a tag; -1 = none
  std::uint32_t min = 0;
  std::uint32_t max = 4294967295U;
};

struct Rule {
  std::string text;
  std::vector<int> apps;   ///< that it is about
  int subject = -1;        ///< their tag
  int fresh_subject = -1;  ///< the same where pods are counted that run where new ones could not; -1 = there are none
  int group = -1;          ///< -1 = each node
  std::vector<std::vector<Condition>> any_of;
  bool soft = false;
  double weight = 1;
  bool holds = false;  ///< a preference that holds on the present nodes
  bool not_moving = false, moving_only = false;
  bool not_fresh = false;
  /// A spread over single nodes depends on which nodes there are. Where these change, each may have the skew more than the
  /// least of the present nodes has: of what runs, and with what is placed there as it is.
  std::uint32_t skew_of_nodes = 0;
  std::uint32_t least = 0, least_running = 0;
};

class Model {
 public:
  Model(Cluster&& cluster, Prices prices);

  /// @param left replicas of each app that are not wanted; empty = none
  /// @param up   amounts beyond the planners' grid are rounded to the cautious side, else to the other
  [[nodiscard]] cli::InstanceData instance(Scope scope, const std::vector<std::uint32_t>& left, bool up) const;
  /// Whether some amounts are beyond the grid in which planners count.
  [[nodiscard]] bool rounds() const;
  /// The rules of a scope's instance, in its order: indices into rules.
  [[nodiscard]] std::vector<int> rules_of(Scope scope) const;
  [[nodiscard]] bool may_grow(const NodeKind& kind) const;
  /// The nodes and kinds that a test accepts: kinds for their nodes, unless it looks at single nodes. Nodes with a condition
  /// that closes them to some pods are accepted where the pod tolerates it.
  template <class Accepts>
  [[nodiscard]] Place placed(const PodSpec& spec, bool single, bool conditions, Accepts&& accepts) const;

  Cluster cluster;
  Prices prices;
  std::vector<int> resources{};      ///< of the instance, in its order
  std::vector<std::int64_t> grid{};  ///< of each: what its amounts are rounded to; 1 = nothing
  std::vector<Place> places{};
  std::vector<int> place_of{};      ///< of each app; -1 = all nodes
  std::vector<int> new_place_of{};  ///< the same without nodes on which it may only stay
  std::map<std::pair<int, int>, std::uint32_t> limits{};
  std::vector<Rule> rules{};
  std::vector<Group> groups{};
  std::vector<std::string> tags{};
  std::vector<std::vector<int>> app_tags{};
  std::vector<Place> preferred{};
  /// Of each app, whether it runs where a rule does not count it, so that it stays: elsewhere it would be counted.
  std::vector<char> uncounted{};
  View leave_free{};

 private:
  friend class RuleMaker;
  void find_resources();
  void find_grid();
  void close_nodes();
  void find_places();
  int take_place(Place&& place);

  void add_classes(Scope scope, bool up, cli::InstanceData& to) const;
  void add_nodes(Scope scope, bool up, cli::InstanceData& to, std::map<std::string, std::uint32_t>& words) const;
  void add_apps(Scope scope, const std::vector<std::uint32_t>& left, bool up, cli::InstanceData& to,
                std::map<std::string, std::uint32_t>& words) const;
  void add_rules(Scope scope, cli::InstanceData& to, std::map<std::string, std::uint32_t>& words) const;
  void keep_nodes(cli::InstanceData& to) const;
  [[nodiscard]] std::vector<double> demands(const Amounts& of, bool up) const;
  [[nodiscard]] std::vector<double> capacities(const Amounts& of, bool up) const;
  /// What goes with a node, so that as much is left of the capacity of its kind as the node has.
  [[nodiscard]] std::vector<double> loads(const NodeKind& kind, const Amounts& capacity, const Amounts& daemon, bool up) const;
};

/// Adds limits and rules for what pods ask of others and of topologies.
void make_rules(Model& to);

}  // namespace stowage::k8s
