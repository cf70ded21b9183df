// The content of a session, and changes of it that happen as a whole or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/instance_data.h"
#include "core/session/operations.h"

namespace stowage {

/// Identity of an app or a node in a session: ascends in the order of joining, is never used twice.
using SessionKey = std::uint64_t;
inline constexpr SessionKey kNoSessionKey = 0xFFFFFFFFFFFFFFFFull;

enum class NodeCondition : std::uint8_t { kOpen, kCordoned, kDrained, kFailed };

/// A name that an app has or that a limit refers to. Names stay as long as something refers to them.
struct AppNameUse {
  std::uint64_t references = 0;    ///< the app of this name, and limits on it
  SessionKey app = kNoSessionKey;  ///< the app that is there now
  AppId index = kNone;             ///< scratch of reading and writing the whole state
};
using AppNames = std::map<std::string, AppNameUse, std::less<>>;
/// An entry of AppNames; stays where it is while others come and go.
using AppName = AppNames::value_type;

struct SessionLimit {
  AppName* app;
  std::uint32_t at_most;
};

/// What an app is from submission to removal.
struct AppSpec {
  AppName* name = nullptr;
  std::vector<double> demand;  ///< per resource; resources x periods where it changes
  std::vector<double> variance;
  std::vector<double> support_min;
  std::vector<double> support_max;
  std::int32_t priority = 0;
  std::uint32_t kind = kNone;
  std::vector<std::string> tags;
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

struct SessionApp {
  std::shared_ptr<const AppSpec> spec;
  std::uint32_t replicas = 0;
  std::vector<Home> homes;  ///< where replicas run, by node
  std::vector<Home> pins;   ///< by node
};

struct NodeSpec {
  std::string name;
  ClassId node_class = 0;
  std::vector<std::string> tags;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sets;  ///< group and set, ascending
};

struct SessionNode {
  std::shared_ptr<const NodeSpec> spec;
  NodeCondition state = NodeCondition::kOpen;
  std::vector<double> load;  ///< per resource; resources x periods where it changes; empty: none
  std::vector<double> load_variance;
  std::vector<Guest> guests;       ///< what runs here, by app
  std::vector<SessionKey> pinned;  ///< apps that are pinned here, ascending
  /// Whether pins are in force here: a drained or failed node is waited for.
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

/// What is small enough to be copied for every change.
struct SessionGlobals {
  std::uint64_t version = 0;
  SessionKey next_key = 0;
  std::uint64_t apps = 0;
  std::uint64_t nodes = 0;
  std::uint64_t replicas = 0;
  std::uint64_t limits = 0;
  std::uint64_t varying_apps = 0;           ///< apps whose demand changes over the periods
  std::uint64_t varying_nodes = 0;          ///< nodes whose load does
  std::uint64_t uncertain = 0;              ///< apps and nodes with something that varies at random
  std::vector<std::uint32_t> class_count;   ///< 0 = as many as needed
  std::vector<std::uint32_t> class_listed;  ///< nodes that are known one by one
  std::vector<std::uint32_t> class_number;  ///< number of the last node that was named after the class
  std::shared_ptr<const std::vector<SessionGroup>> groups;
  std::shared_ptr<const std::vector<SessionRule>> rules;
};

struct SessionState {
  /// Fixed from the start: name, resources, periods, classes (but for their counts), uncertainty, interference.
  InstanceData fixed;
  Limits bounds;
  std::vector<double> largest_capacity;  ///< per resource, over the classes

  SessionGlobals globals;
  std::map<SessionKey, std::unique_ptr<SessionApp>> apps;
  std::map<SessionKey, std::unique_ptr<SessionNode>> nodes;
  std::map<std::string, SessionKey, std::less<>> node_keys;
  AppNames names;
  std::map<std::uint32_t, std::uint64_t> limit_values;  ///< distinct values of limits, and how often they stand

  [[nodiscard]] std::size_t resources() const { return fixed.resources.size(); }
};

/// A change in the making. Reads fall through to the state; what is edited is copied first. Nothing of the state is different
/// before commit(), which cannot fail, and nothing is afterwards where a change is dropped instead.
class SessionChange {
 public:
  explicit SessionChange(SessionState& state) : globals(state.globals), state_(state) {}
  SessionChange(const SessionChange&) = delete;
  SessionChange(SessionChange&&) = delete;
  SessionChange& operator=(const SessionChange&) = delete;
  SessionChange& operator=(SessionChange&&) = delete;
  ~SessionChange() { sweep(); }

  [[nodiscard]] const SessionState& state() const { return state_; }

  /// nullptr where there is no such app or node (any more).
  [[nodiscard]] const SessionApp* app(SessionKey key) const { return find(apps_, state_.apps, key); }
  [[nodiscard]] const SessionNode* node(SessionKey key) const { return find(nodes_, state_.nodes, key); }
  [[nodiscard]] SessionKey app_of(const std::string& name) const;
  [[nodiscard]] SessionKey node_of(const std::string& name) const;

  /// For an app or node that is there.
  SessionApp& edit_app(SessionKey key) { return edit(apps_, state_.apps, key); }
  SessionNode& edit_node(SessionKey key) { return edit(nodes_, state_.nodes, key); }

  /// The entry of a name, made where it is missing.
  AppName* intern(const std::string& name);
  /// Makes room for counting a limit's value; false where there would be too many different ones.
  bool intern_value(std::uint32_t value);

  SessionKey add_app(SessionApp app);
  SessionKey add_node(SessionNode node);
  /// They run nothing and nothing is pinned (to them) any more.
  void remove_app(SessionKey key);
  void remove_node(SessionKey key);

  /// Sets how many replicas of the app run on the node.
  void settle(SessionKey app, SessionKey node, std::uint32_t replicas);

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
  Items<SessionApp> apps_;  ///< what is different; nullptr: gone
  Items<SessionNode> nodes_;
  std::map<AppName*, SessionKey> app_names_;
  std::map<std::string, SessionKey, std::less<>> node_names_;
  std::set<AppName*> interned_;
  std::set<std::uint32_t> interned_values_;
};

}  // namespace stowage
