// The content of a session, and atomic changes of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/watch.h"
#include "core/model/data/instance_data.h"
#include "core/session/operations.h"

namespace stowage {

/// Identifies an app or a node in a session. Keys ascend in the order of joining and are never reused.
using SessionKey = std::uint64_t;
inline constexpr SessionKey kNoSessionKey = 0xFFFFFFFFFFFFFFFFull;

enum class NodeCondition : std::uint8_t { kOpen, kCordoned, kDrained, kFailed };

/// The use of an app name by apps and limits. A name is kept while references remain.
struct AppNameUse {
  std::uint64_t references = 0;    ///< the app of this name, and limits on it
  SessionKey app = kNoSessionKey;  ///< the app of this name, if it exists
  AppId index = kNone;             ///< scratch of reading and writing the whole state
};
using AppNames = std::map<std::string, AppNameUse, std::less<>>;
/// An entry of AppNames. Its address is stable.
using AppName = AppNames::value_type;

struct SessionLimit {
  AppName* app;
  std::uint32_t at_most;
};

/// The properties of an app, which do not change between submission and removal.
struct AppSpec : AppNumbers {
  AppName* name = nullptr;
  std::vector<double> demand;  ///< per resource, or resources x periods if it changes over the periods
  std::vector<double> variance;
  std::vector<double> support_min;
  std::vector<double> support_max;
  std::uint32_t kind = kNone;
  std::vector<std::string> tags;
  std::vector<std::string> only;     ///< tags that a node has to carry
  std::vector<std::string> refused;  ///< tags that a node may not carry
  std::vector<SessionLimit> limits;  ///< by name
};

/// Replicas on a node, from the app's side.
struct Home {
  SessionKey node;
  std::uint32_t replicas;
};
/// Replicas of an app, from the node's side.
struct Guest {
  SessionKey app;
  std::uint32_t replicas;
};

/// Traffic between an app and another, from either side.
struct SessionTraffic {
  SessionKey peer;
  double amount;  ///< above 0
};

struct SessionApp {
  std::shared_ptr<const AppSpec> spec;
  std::uint32_t replicas = 0;
  std::vector<Home> homes;              ///< running replicas, in ascending order of nodes
  std::vector<Home> pins;               ///< pinned replicas, in ascending order of nodes
  std::vector<SessionTraffic> traffic;  ///< in ascending order of peers
};

struct NodeSpec {
  std::string name;
  ClassId node_class = 0;
  std::vector<std::string> tags;
  std::vector<double> daemon;  ///< per resource, or resources x periods if it changes; empty: its class's
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sets;  ///< group and set, ascending
};

struct SessionNode {
  std::shared_ptr<const NodeSpec> spec;
  NodeCondition state = NodeCondition::kOpen;
  std::vector<double> load;  ///< per resource, or resources x periods if it changes; empty: none
  std::vector<double> load_variance;
  std::vector<Guest> guests;       ///< running replicas, in ascending order of apps
  std::vector<SessionKey> pinned;  ///< apps with replicas pinned here, ascending
  /// Whether the node is drained or failed: replicas pinned to it wait for its return.
  [[nodiscard]] bool awaited() const { return state == NodeCondition::kDrained || state == NodeCondition::kFailed; }
};

struct SessionGroup {
  std::string name;
  std::vector<std::string> set_names;
  bool by_sets = false;
  std::string by_label;
};

/// A rule with tags by name and groups by index.
struct SessionRule {
  std::string name;
  std::vector<std::vector<std::pair<NamedCardinality, std::uint32_t>>> any_of;  ///< with the group's index, kNone for "node"
  bool hard = true;
  double weight = 1;
  bool from_operator = false;
};

/// A subject that two hard rules leave no number of replicas.
struct SessionContradiction {
  std::vector<std::string> subject;  ///< tags: no replica may carry all of them
  std::string rule;                  ///< names of the rules
  std::string other;
};

/// Data that is small enough to be copied for every change.
struct SessionGlobals {
  std::uint64_t version = 0;
  SessionKey next_key = 0;
  std::uint64_t apps = 0;
  std::uint64_t nodes = 0;
  std::uint64_t given_nodes = 0;  ///< nodes that instances and operations gave; commits opened the others
  std::uint64_t replicas = 0;
  std::uint64_t limits = 0;
  std::uint64_t traffic = 0;                ///< pairs of apps
  std::uint64_t varying_apps = 0;           ///< apps whose demand changes over the periods
  std::uint64_t varying_nodes = 0;          ///< nodes whose load changes over the periods
  std::uint64_t uncertain = 0;              ///< apps with uncertain demand and nodes with uncertain load
  std::vector<std::uint32_t> class_count;   ///< per class: its nodes; 0: as many as needed
  std::vector<std::uint32_t> class_listed;  ///< per class: its listed nodes
  std::vector<std::uint32_t> class_number;  ///< per class: the last number used by next_node_name()
  std::shared_ptr<const std::vector<SessionGroup>> groups;
  std::shared_ptr<const std::vector<SessionRule>> rules;
  std::shared_ptr<const std::vector<SessionContradiction>> contradictions;  ///< of these rules

  /// Nodes that commits have opened, at least.
  [[nodiscard]] std::uint64_t opened() const { return nodes - std::min(nodes, given_nodes); }
};

/// What a node takes that a commit opens: in the session, and in the instances that are made of it.
inline constexpr std::uint64_t kOpenedNodeBytes = 1024;

struct SessionState {
  /// Never changes: name, resources, periods, classes without their counts, uncertainty, interference.
  InstanceData fixed;
  Limits bounds;
  std::uint64_t most_opened = 0;         ///< nodes that commits may open, for Limits::max_memory
  std::vector<double> largest_capacity;  ///< per resource, over the classes

  SessionGlobals globals;
  std::map<SessionKey, std::unique_ptr<SessionApp>> apps;
  std::map<SessionKey, std::unique_ptr<SessionNode>> nodes;
  std::map<std::string, SessionKey, std::less<>> node_keys;
  AppNames names;
  std::map<std::uint32_t, std::uint64_t> limit_values;  ///< distinct values of limits, and the number of limits with each

  [[nodiscard]] std::size_t resources() const { return fixed.resources.size(); }
};

/// A change under construction. Reads see the state with the change applied; an edited item is a copy. commit(), which cannot
/// fail, applies the change to the state. A change that is destroyed without commit() leaves the state unchanged.
class SessionChange {
 public:
  explicit SessionChange(SessionState& state) : globals(state.globals), state_(state) {}
  SessionChange(const SessionChange&) = delete;
  SessionChange(SessionChange&&) = delete;
  SessionChange& operator=(const SessionChange&) = delete;
  SessionChange& operator=(SessionChange&&) = delete;
  ~SessionChange() { sweep(); }

  [[nodiscard]] const SessionState& state() const { return state_; }

  /// nullptr if there is no such app or node, or the change removes it.
  [[nodiscard]] const SessionApp* app(SessionKey key) const { return find(apps_, state_.apps, key); }
  [[nodiscard]] const SessionNode* node(SessionKey key) const { return find(nodes_, state_.nodes, key); }
  [[nodiscard]] SessionKey app_of(const std::string& name) const;
  [[nodiscard]] SessionKey node_of(const std::string& name) const;

  /// The app or node for editing; it has to exist.
  SessionApp& edit_app(SessionKey key) { return edit(apps_, state_.apps, key); }
  SessionNode& edit_node(SessionKey key) { return edit(nodes_, state_.nodes, key); }

  /// The entry of a name, created if it does not exist.
  AppName* intern(const std::string& name);
  /// Creates the counter of a limit value if it does not exist. False: there are too many distinct values.
  bool intern_value(std::uint32_t value);

  /// Visits every app, in no particular order, until `visit` returns false.
  template <class Visit>
  void for_each_app(Visit&& visit) const {
    for (const auto& [key, before] : state_.apps) {
      if (const SessionApp* now = app(key); now != nullptr && !visit(*now)) return;
    }
    for (const auto& [key, added] : apps_) {
      if (added != nullptr && !state_.apps.contains(key) && !visit(*added)) return;
    }
  }

  SessionKey add_app(SessionApp app);
  SessionKey add_node(SessionNode node);
  /// Remove an app or node. No replicas of the app may run or be pinned, and it has no traffic; no replicas may run on the node
  /// or be pinned to it.
  void remove_app(SessionKey key);
  void remove_node(SessionKey key);

  /// Sets how many replicas of the app run on the node.
  void settle(SessionKey app, SessionKey node, std::uint32_t replicas);
  /// Sets how many replicas of the app run on each of these nodes, in any order, no node twice. If the watch ends the call, the
  /// change is good for nothing.
  void settle(SessionKey app, std::vector<Home> homes, WatchRef watch);
  /// Sets the traffic of two apps; 0: none. Counts the pair.
  void exchange(SessionKey app, SessionKey peer, double amount);

  void commit() noexcept;

  SessionGlobals globals;

 private:
  template <class Item>
  using Items = std::map<SessionKey, std::unique_ptr<Item>>;
  template <class Item>
  static const Item* find(const Items<Item>& changed, const Items<Item>& all, SessionKey key) {
    if (const auto found = changed.find(key); found != changed.end()) return found->second.get();
    const auto found = all.find(key);
    return found == all.end() ? nullptr : found->second.get();
  }
  template <class Item>
  static Item& edit(Items<Item>& changed, const Items<Item>& all, SessionKey key) {
    if (const auto found = changed.find(key); found != changed.end()) return *found->second;
    return *changed.emplace(key, std::make_unique<Item>(*all.at(key))).first->second;
  }
  template <class Item>
  static void merge(Items<Item>& changed, Items<Item>& all) noexcept;
  void count(const AppSpec& spec, std::uint64_t by) noexcept;
  void drop(AppName* name) noexcept;
  void sweep() noexcept;

  SessionState& state_;
  Items<SessionApp> apps_;  ///< added and edited apps; nullptr: removed
  Items<SessionNode> nodes_;
  std::map<AppName*, SessionKey> app_names_;
  std::map<std::string, SessionKey, std::less<>> node_names_;  ///< of added and removed nodes; kNoSessionKey: removed
  bool removes_nodes_ = false;
  std::set<AppName*> interned_;
  std::set<std::uint32_t> interned_values_;
};

}  // namespace stowage
