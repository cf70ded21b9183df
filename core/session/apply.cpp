#include "core/session/apply.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/numbers/amounts.h"
#include "core/base/watched.h"
#include "core/model/data/memory_budget.h"
#include "core/model/devices.h"
#include "core/model/scale.h"

namespace stowage {
namespace {

/// A node may hold this multiple of the largest capacity at the start: a little less than the scale of an instance allows.
constexpr double kMostHeld = kMostOverload * 0.9;
/// Most replicas held by one node if demand is uncertain, so that their sum of spreads stays within an instance's range.
constexpr std::uint64_t kMostUncertainPins = std::uint64_t{1} << 18;

bool any_amount(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
}

bool uncertain_spec(const AppSpec& spec) {
  if (any_amount(spec.variance)) return true;
  for (std::size_t r = 0; r < spec.support_min.size(); ++r) {
    if (spec.support_min[r] != spec.support_max[r]) return true;
  }
  return false;
}

/// The place of a node in an ascending list of homes.
template <class Homes>
auto first_home(Homes& homes, SessionKey node) {
  return std::lower_bound(homes.begin(), homes.end(), node, [](const Home& one, SessionKey key) { return one.node < key; });
}

/// Applies one operation to a change.
class Applied {
 public:
  Applied(SessionChange& change, const Operation& operation, const std::string& path, WatchRef watch)
      : change_(change), operation_(operation), path_(path), watch_(watch), state_(change.state()), totals_(change.globals) {}

  Error run() {
    switch (operation_.kind) {
      case OperationKind::kSubmit:
        return submit();
      case OperationKind::kScale:
        return scale();
      case OperationKind::kRemove:
        return remove();
      case OperationKind::kPin:
        return pin();
      case OperationKind::kAddNode:
        return add_node();
      case OperationKind::kRemoveNode:
        return remove_node();
      case OperationKind::kCordon:
        return set_state(NodeCondition::kCordoned);
      case OperationKind::kUncordon:
        return set_state(NodeCondition::kOpen);
      case OperationKind::kDrain:
        return set_state(NodeCondition::kDrained);
      case OperationKind::kFail:
        return set_state(NodeCondition::kFailed);
      case OperationKind::kLoad:
        return load();
      case OperationKind::kAddRule:
        return add_rule();
      case OperationKind::kRemoveRule:
        return remove_rule();
      case OperationKind::kTraffic:
        return traffic();
    }
    return invalid(at("kind"), "unknown kind of operation");
  }

 private:
  [[nodiscard]] std::string at(const char* field) const { return path_ + "." + field; }

  Error find_app(SessionKey& key) const {
    key = change_.app_of(operation_.app);
    if (key != kNoSessionKey) return {};
    return {Code::kNotFound, "there is no app \"" + operation_.app + "\"", at("app")};
  }
  Error find_node(SessionKey& key) const {
    key = change_.node_of(operation_.node);
    if (key != kNoSessionKey) return {};
    return {Code::kNotFound, "there is no node \"" + operation_.node + "\"", at("node")};
  }

  /// Checks one amount per resource, or none.
  Error check_row(const std::vector<double>& row, const char* field) const {
    if (!row.empty() && row.size() != state_.resources()) return invalid(at(field), "needs one entry per resource");
    return check_amounts(row, at(field).c_str());
  }
  /// Checks one amount per resource, or per resource and period.
  Error check_profile(const std::vector<double>& values, const char* field) const {
    const std::size_t resources = state_.resources();
    if (values.size() != resources && values.size() != resources * state_.fixed.periods) {
      return invalid(at(field), "needs one entry per resource, or resources x periods");
    }
    if (Error e = check_amounts(values, at(field).c_str()); failed(e)) return e;
    const std::size_t width = values.size() / resources;
    for (ResourceId r = 0; r < resources; ++r) {
      if (state_.fixed.resources[r].device == 0) continue;
      for (std::size_t k = r * width + 1; k < (r + 1) * width; ++k) {
        if (values[k] != values[k - 1])
          return invalid(indexed(at(field).c_str(), k), "what is on devices does not change over time");
      }
    }
    return {};
  }
  /// Refuses spreads of resources in devices. For columns of check_row().
  Error check_certain(const std::vector<double>& row, const char* field) const {
    for (ResourceId r = 0; r < row.size(); ++r) {
      if (row[r] == 0 || state_.fixed.resources[r].device == 0) continue;
      return invalid(indexed(at(field).c_str(), r), "what is on devices is certain");
    }
    return {};
  }
  /// Refuses a demand for devices that is neither a part of one nor a whole number of them. For checked profiles.
  Error check_device_demand() const {
    const std::vector<double>& demand = operation_.demand;
    const std::size_t width = demand.size() / state_.resources();
    for (ResourceId r = 0; r < state_.resources(); ++r) {
      const double device = state_.fixed.resources[r].device;
      if (device == 0 || is_device_demand(demand[r * width], device)) continue;
      return invalid(indexed(at("demand").c_str(), r * width), "more than one device, and no whole number of them");
    }
    return {};
  }

  /// Checks the size of the cluster against the caller's limits.
  Error check_totals() const {
    const Limits& bounds = state_.bounds;
    if (totals_.apps > bounds.max_apps) return too_large(at("app"), "more apps than max_apps allows");
    if (totals_.replicas > bounds.max_replicas)
      return too_large(at("replicas"), "more replicas in all than max_replicas allows");
    if (totals_.limits > bounds.max_limits) return too_large(at("limit_app"), "more affinity limits than max_limits allows");
    if (totals_.traffic > bounds.max_limits) return too_large(at("peer"), "more pairs with traffic than max_limits allows");
    if (totals_.nodes > bounds.max_nodes) return too_large(at("node"), "more nodes than max_nodes allows");
    const bool varies = totals_.varying_apps + totals_.varying_nodes > 0;
    const std::uint64_t width = state_.resources() * (varies ? std::uint64_t{state_.fixed.periods} : 1);
    if (totals_.apps > bounds.max_cells / width) return too_large(at("demand"), "more demand entries than max_cells allows");
    if (totals_.nodes > bounds.max_cells / width) return too_large(at("load"), "more load entries than max_cells allows");
    // What the columns of an instance take at least.
    const std::uint64_t given = totals_.apps * (totals_.varying_apps > 0 ? width : state_.resources()) * sizeof(double) +
                                totals_.nodes * (totals_.varying_nodes > 0 ? width : 0) * sizeof(double);
    const std::uint64_t most = bounds.max_memory != 0 ? bounds.max_memory : default_memory(given);
    if (totals_.apps * width * kAppCellBytes + totals_.nodes * width * kNodeCellBytes > most) {
      return too_large(at(operation_.node.empty() ? "demand" : "load"), "the cluster takes more memory than max_memory allows");
    }
    return {};
  }

  void count_app(const SessionApp& app, std::uint64_t by) { count_session_app(totals_, state_.resources(), app, by); }
  void count_load(const SessionNode& node, std::uint64_t by) { count_session_load(totals_, state_.resources(), node, by); }

  Error submit() {
    const Operation& o = operation_;
    if (o.app.empty()) return invalid(at("app"), "an app needs a name");
    if (change_.app_of(o.app) != kNoSessionKey) return invalid(at("app"), "there is an app \"" + o.app + "\" already");
    if (Error e = check_profile(o.demand, "demand"); failed(e)) return e;
    if (Error e = check_device_demand(); failed(e)) return e;
    if (Error e = check_row(o.variance, "variance"); failed(e)) return e;
    if (Error e = check_certain(o.variance, "variance"); failed(e)) return e;
    if (o.support_min.size() != o.support_max.size()) {
      return invalid(at("support_max"), "support_min and support_max go together");
    }
    if (Error e = check_row(o.support_min, "support_min"); failed(e)) return e;
    if (Error e = check_row(o.support_max, "support_max"); failed(e)) return e;
    for (std::size_t r = 0; r < o.support_min.size(); ++r) {
      if (o.support_min[r] > o.support_max[r]) return invalid(indexed(at("support_min").c_str(), r), "above support_max");
      if (o.support_min[r] < o.support_max[r] && state_.fixed.resources[r].device > 0) {
        return invalid(indexed(at("support_max").c_str(), r), "what is on devices is certain");
      }
    }
    Error wrong;
    visit_app_numbers([&](const char* name, auto, auto number, bool positive) {
      if (!failed(wrong)) wrong = check_number(o.*number, at(name), positive);
    });
    if (failed(wrong)) return wrong;
    if (!state_.fixed.has_interference && o.app_kind != kNone) {
      return invalid(at("app_kind"), "a kind is given, but the cluster has no interference table");
    }
    if (state_.fixed.has_interference && o.app_kind >= state_.fixed.interference.kind_count) {
      return invalid(at("app_kind"), "there is no kind with this index");
    }
    auto spec = std::make_shared<AppSpec>();
    if (Error e = read_limits(spec->limits); failed(e)) return e;
    spec->name = change_.intern(o.app);
    spec->demand = compressed_profile(o.demand, state_.resources(), state_.fixed.periods);
    if (any_amount(o.variance)) spec->variance = o.variance;
    spec->support_min = o.support_min;
    spec->support_max = o.support_max;
    static_cast<AppNumbers&>(*spec) = static_cast<const AppNumbers&>(o);
    spec->kind = o.app_kind;
    spec->tags = o.tags;
    spec->only = o.only;
    spec->refused = o.refused;
    if (o.replicas > 0 && costs_too_much(*spec)) {
      return invalid(at("app_kind"), "a replica costs more than its kind may even where it is alone");
    }
    if (Error e = check_contradictions(*spec, o.replicas, "tags"); failed(e)) return e;
    SessionApp app;
    app.spec = std::move(spec);
    app.replicas = o.replicas;
    count_app(app, 1);
    if (Error e = check_totals(); failed(e)) return e;
    change_.add_app(std::move(app));
    return {};
  }

  Error traffic() {
    SessionKey key = kNoSessionKey;
    if (Error e = find_app(key); failed(e)) return e;
    const SessionKey peer = change_.app_of(operation_.peer);
    if (peer == kNoSessionKey) return {Code::kNotFound, "there is no app \"" + operation_.peer + "\"", at("peer")};
    if (peer == key) return invalid(at("peer"), "traffic of an app with itself");
    if (Error e = check_amount(operation_.amount, at("amount")); failed(e)) return e;
    change_.exchange(key, peer, operation_.amount);
    return check_totals();
  }

  /// Whether side effects cost a replica more than the limit of its kind, even where it is alone.
  [[nodiscard]] bool costs_too_much(const AppSpec& spec) const {
    const Interference& table = state_.fixed.interference;
    if (table.max_cost.empty()) return false;
    const std::size_t width = spec.demand.size() / state_.resources();
    const auto first = spec.demand.begin() + static_cast<std::ptrdiff_t>(table.resource * width);
    const double load = *std::max_element(first, first + static_cast<std::ptrdiff_t>(width));
    return table.coefficient[std::size_t{spec.kind} * table.kind_count + spec.kind] * load > table.max_cost[spec.kind];
  }

  /// The contradiction in words; `app` is subject to it.
  [[nodiscard]] static std::string words_for(const SessionContradiction& one, const AppSpec& app) {
    return "no replica of the app \"" + app.name->first + "\" can meet both the hard rule \"" + one.other +
           "\" and the hard rule \"" + one.rule + "\"";
  }
  /// Refuses replicas that contradicting hard rules forbid wherever they are.
  Error check_contradictions(const AppSpec& spec, std::uint32_t replicas, const char* field) const {
    const SessionContradiction* one = replicas == 0 ? nullptr : contradiction_for(*totals_.contradictions, spec);
    return one == nullptr ? Error{} : invalid(at(field), words_for(*one, spec));
  }
  /// The same for all apps of the cluster; for some if the watch ends the call.
  Error check_contradictions(const std::vector<SessionContradiction>& all, const std::string& path) const {
    Error found;
    if (all.empty()) return found;
    change_.for_each_app([&](const SessionApp& app) {
      if (watch_.step(64 * (1 + all.size()))) return false;
      const SessionContradiction* one = app.replicas == 0 ? nullptr : contradiction_for(all, *app.spec);
      if (one != nullptr) found = invalid(path, words_for(*one, *app.spec));
      return one == nullptr;
    });
    return found;
  }

  Error read_limits(std::vector<SessionLimit>& limits) {
    const Operation& o = operation_;
    if (o.limit_app.size() != o.limit_at_most.size()) {
      return invalid(at("limit_at_most"), "affinity limits need one value per app");
    }
    for (std::size_t k = 0; k < o.limit_app.size(); ++k) {
      if (o.limit_app[k].empty()) return invalid(indexed(at("limit_app").c_str(), k), "an app has a name");
      if (o.limit_app[k] == o.app && o.limit_at_most[k] == 0 && o.replicas > 0) {
        return invalid(indexed(at("limit_at_most").c_str(), k), "the app wants replicas, but its own limit allows none");
      }
      if (!change_.intern_value(o.limit_at_most[k])) {
        return too_large(indexed(at("limit_at_most").c_str(), k), "more than 32767 distinct limit values");
      }
      limits.push_back({change_.intern(o.limit_app[k]), o.limit_at_most[k]});
      if (watch_.step(64)) return cancelled();
    }
    const auto by_name = [](const SessionLimit& a, const SessionLimit& b) { return a.app->first < b.app->first; };
    watched_sort(limits, watch_, by_name);
    if (watch_.ended()) return cancelled();
    const auto twice = std::adjacent_find(limits.begin(), limits.end(),
                                          [](const SessionLimit& a, const SessionLimit& b) { return a.app == b.app; });
    if (twice == limits.end()) {
      std::erase_if(limits, [](const SessionLimit& limit) { return limit.at_most == kNone; });
      return {};
    }
    const auto first = std::find(o.limit_app.begin(), o.limit_app.end(), twice->app->first);
    const auto second = std::find(first + 1, o.limit_app.end(), twice->app->first);
    return invalid(indexed(at("limit_app").c_str(), static_cast<std::size_t>(second - o.limit_app.begin())),
                   "this app stands twice");
  }

  Error scale() {
    SessionKey key = kNoSessionKey;
    if (Error e = find_app(key); failed(e)) return e;
    const SessionApp& app = *change_.app(key);
    const std::uint32_t wanted = operation_.replicas;
    std::uint64_t pinned = 0;
    for (const Home& pin : app.pins) pinned += pin.replicas;
    if (pinned > wanted) return invalid(at("replicas"), "fewer than are pinned, " + std::to_string(pinned));
    if (wanted > 0) {
      for (const SessionLimit& limit : app.spec->limits) {
        if (limit.app == app.spec->name && limit.at_most == 0)
          return invalid(at("replicas"), "the app's own limit allows none");
      }
      if (costs_too_much(*app.spec)) {
        return invalid(at("replicas"), "a replica costs more than its kind may even where it is alone");
      }
    }
    if (Error e = check_contradictions(*app.spec, wanted, "replicas"); failed(e)) return e;
    totals_.replicas = totals_.replicas - app.replicas + wanted;
    if (Error e = check_totals(); failed(e)) return e;
    change_.edit_app(key).replicas = wanted;
    shrink(key);
    return {};
  }

  /// Ends running replicas that are not pinned until bound_replicas() is at most the number wanted: on cordoned nodes first,
  /// then on the node with most of these replicas, then on the node that joined last. If the watch ends the call, the change is
  /// good for nothing.
  void shrink(SessionKey key) {
    const SessionApp& app = *change_.app(key);
    std::uint64_t bound = bound_replicas(app);
    if (bound <= app.replicas) return;
    struct Spare {
      bool open;
      std::uint32_t replicas;
      Home home;
    };
    std::vector<Spare> spares;
    auto pin = app.pins.begin();
    for (const Home& home : app.homes) {
      while (pin != app.pins.end() && pin->node < home.node) ++pin;
      const std::uint32_t pinned = pin != app.pins.end() && pin->node == home.node ? pin->replicas : 0;
      if (home.replicas > pinned) {
        spares.push_back({change_.node(home.node)->state == NodeCondition::kOpen, home.replicas - pinned, home});
      }
      if (watch_.step(64)) return;
    }
    const auto later = [](const Spare& a, const Spare& b) {
      if (a.open != b.open) return a.open;
      if (a.replicas != b.replicas) return a.replicas < b.replicas;
      return a.home.node < b.home.node;
    };
    std::make_heap(spares.begin(), spares.end(), later);
    std::vector<Home> left;
    for (; bound > app.replicas && !watch_.step(8); --bound) {
      std::pop_heap(spares.begin(), spares.end(), later);
      Spare& spare = spares.back();
      --spare.home.replicas;
      if (--spare.replicas == 0) {
        left.push_back(spare.home);
        spares.pop_back();
      } else {
        std::push_heap(spares.begin(), spares.end(), later);
      }
    }
    for (const Spare& spare : spares) left.push_back(spare.home);
    change_.settle(key, std::move(left), watch_);
  }

  Error remove() {
    SessionKey key = kNoSessionKey;
    if (Error e = find_app(key); failed(e)) return e;
    const SessionApp app = *change_.app(key);
    std::vector<Home> left = app.homes;
    for (Home& home : left) home.replicas = 0;
    change_.settle(key, std::move(left), watch_);
    if (watch_.ended()) return cancelled();
    for (const Home& pin : app.pins) {
      std::vector<SessionKey>& pinned = change_.edit_node(pin.node).pinned;
      pinned.erase(std::lower_bound(pinned.begin(), pinned.end(), key));
      if (watch_.step(64)) return cancelled();
    }
    for (const SessionTraffic& one : app.traffic) {
      // The change takes a copy of the peer.
      if (watch_.step(64 + change_.app(one.peer)->homes.size())) return cancelled();
      change_.exchange(key, one.peer, 0);
    }
    count_app(app, ~std::uint64_t{0});
    change_.remove_app(key);
    return {};
  }

  Error pin() {
    SessionKey app_key = kNoSessionKey;
    SessionKey node_key = kNoSessionKey;
    if (Error e = find_app(app_key); failed(e)) return e;
    if (Error e = find_node(node_key); failed(e)) return e;
    std::vector<Home> pins = change_.app(app_key)->pins;
    const auto place = first_home(pins, node_key);
    const bool there = place != pins.end() && place->node == node_key;
    if (operation_.replicas == 0 && !there) return {};
    if (operation_.replicas == 0) {
      pins.erase(place);
    } else if (there) {
      place->replicas = operation_.replicas;
    } else {
      pins.insert(place, {node_key, operation_.replicas});
    }
    SessionApp& app = change_.edit_app(app_key);
    app.pins.swap(pins);
    if (bound_replicas(app) > app.replicas) {
      return invalid(at("replicas"), "more pinned and running replicas than the app has");
    }
    std::vector<SessionKey>& pinned = change_.edit_node(node_key).pinned;
    const auto entry = std::lower_bound(pinned.begin(), pinned.end(), app_key);
    if (operation_.replicas == 0) {
      pinned.erase(entry);
    } else if (!there) {
      pinned.insert(entry, app_key);
    }
    return check_held(node_key, "replicas");
  }

  /// Checks that running and pinned replicas and load of a node stay within the range of an instance's numbers.
  Error check_held(SessionKey key, const char* field) const {
    const SessionNode& node = *change_.node(key);
    const std::size_t resources = state_.resources();
    std::uint64_t replicas = 0;
    std::vector<std::pair<const std::vector<double>*, std::uint32_t>> rows;
    const auto add_app = [&](SessionKey app, std::uint32_t count) {
      rows.emplace_back(&change_.app(app)->spec->demand, count);
      replicas += count;
    };
    if (!node.load.empty()) rows.emplace_back(&node.load, 1);
    if (!node.spec->daemon.empty()) rows.emplace_back(&node.spec->daemon, 1);
    for (const Guest& guest : node.guests) {
      add_app(guest.app, guest.replicas);
      if (watch_.step(64)) return cancelled();
    }
    for (const SessionKey app : node.pinned) {
      const std::vector<Home>& pins = change_.app(app)->pins;
      const auto pin = first_home(pins, key);
      if (pin != pins.end() && pin->node == key) add_app(app, pin->replicas);
      if (watch_.step(64)) return cancelled();
    }
    std::size_t width = resources;
    for (const auto& row : rows) width = std::max(width, row.first->size());
    const std::size_t periods = width / resources;
    std::vector<double> held(width, 0);
    for (const auto& [row, times] : rows) {
      if (watch_.step(width)) return cancelled();
      for (std::size_t cell = 0; cell < width; ++cell) {
        held[cell] += times * (row->size() == width ? (*row)[cell] : (*row)[cell / periods]);
      }
    }
    for (std::size_t cell = 0; cell < held.size(); ++cell) {
      if (held[cell] > kMostHeld * state_.largest_capacity[cell / periods]) {
        return too_large(at(field), "what the node would hold is out of proportion to every capacity");
      }
    }
    const bool supports = state_.fixed.uncertainty.model == ChanceModel::kBoundedSupport;
    if ((totals_.uncertain > 0 || supports) && replicas > kMostUncertainPins) {
      return too_large(at(field), "more replicas of uncertain demand on one node than a session takes");
    }
    return {};
  }

  Error add_node() {
    const Operation& o = operation_;
    if (o.node.empty()) return invalid(at("node"), "a node needs a name");
    if (change_.node_of(o.node) != kNoSessionKey) return invalid(at("node"), "there is a node \"" + o.node + "\" already");
    auto spec = std::make_shared<NodeSpec>();
    spec->name = o.node;
    if (Error e = find_class(spec->node_class); failed(e)) return e;
    if (Error e = join_sets(spec->sets); failed(e)) return e;
    spec->tags = o.tags;
    if (!o.daemon.empty()) {
      if (Error e = check_profile(o.daemon, "daemon"); failed(e)) return e;
      spec->daemon = compressed_profile(o.daemon, state_.resources(), state_.fixed.periods);
    }
    SessionNode node;
    if (Error e = read_load(node); failed(e)) return e;
    std::uint32_t& count = totals_.class_count[spec->node_class];
    if (count == kNone) return too_large(at("node_class"), "the class has as many nodes as can be counted");
    if (count > 0) ++count;
    ++totals_.class_listed[spec->node_class];
    ++totals_.nodes;
    ++totals_.given_nodes;
    count_load(node, 1);
    if (Error e = check_totals(); failed(e)) return e;
    node.spec = std::move(spec);
    return check_held(change_.add_node(std::move(node)), "load");
  }

  Error find_class(ClassId& found) const {
    const auto& classes = state_.fixed.classes;
    found = kNone;
    // With only one class, its name may be omitted.
    if (operation_.node_class.empty() && classes.size() == 1) found = 0;
    for (ClassId c = 0; c < classes.size() && !operation_.node_class.empty(); ++c) {
      if (classes[c].name != operation_.node_class) continue;
      if (found != kNone) return invalid(at("node_class"), "two node classes have this name");
      found = c;
    }
    if (found != kNone) return {};
    return {Code::kNotFound, "there is no node class \"" + operation_.node_class + "\"", at("node_class")};
  }

  /// Finds the node sets of a new node, and creates those that do not exist.
  Error join_sets(std::vector<std::pair<std::uint32_t, std::uint32_t>>& joined) {
    const Operation& o = operation_;
    if (o.groups.size() != o.sets.size()) return invalid(at("sets"), "needs one set per group");
    for (std::size_t k = 0; k < o.groups.size(); ++k) {
      const std::vector<SessionGroup>& groups = *totals_.groups;
      std::uint32_t g = 0;
      while (g < groups.size() && groups[g].name != o.groups[k]) ++g;
      const std::string path = indexed(at("groups").c_str(), k);
      if (g == groups.size()) return {Code::kNotFound, "there is no node group \"" + o.groups[k] + "\"", path};
      if (!groups[g].by_label.empty()) return invalid(path, "the sets of this group are made by a label");
      if (o.sets[k].empty()) return invalid(indexed(at("sets").c_str(), k), "a node set needs a name");
      const auto& names = groups[g].set_names;
      const auto set = static_cast<std::uint32_t>(std::find(names.begin(), names.end(), o.sets[k]) - names.begin());
      if (set == names.size()) create_set(g, o.sets[k]);
      joined.emplace_back(g, set);
      if (watch_.look()) return cancelled();
    }
    std::sort(joined.begin(), joined.end());
    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    return {};
  }

  /// Adds a set to a group. If the watch ends the call, the change is good for nothing.
  void create_set(std::uint32_t group, const std::string& name) {
    auto more = std::make_shared<std::vector<SessionGroup>>();
    for (const SessionGroup& from : *totals_.groups) {
      more->push_back({from.name, watched_copy(std::span(from.set_names), watch_), from.by_sets, from.by_label});
    }
    (*more)[group].set_names.push_back(name);
    (*more)[group].by_sets = true;
    totals_.groups = std::move(more);
  }

  Error read_load(SessionNode& node) const {
    const Operation& o = operation_;
    if (!o.load.empty()) {
      if (Error e = check_profile(o.load, "load"); failed(e)) return e;
    }
    if (Error e = check_row(o.load_variance, "load_variance"); failed(e)) return e;
    if (Error e = check_certain(o.load_variance, "load_variance"); failed(e)) return e;
    node.load.clear();
    node.load_variance.clear();
    if (any_amount(o.load)) node.load = compressed_profile(o.load, state_.resources(), state_.fixed.periods);
    const std::size_t width = node.load.size() / std::max<std::size_t>(1, state_.resources());
    for (std::size_t r = 0; r < o.load_variance.size(); ++r) {
      if (o.load_variance[r] == 0) continue;
      if (width == 0 || !any_amount(std::span(node.load).subspan(r * width, width))) {
        return invalid(indexed(at("load_variance").c_str(), r), "a load of 0 does not vary");
      }
    }
    if (any_amount(o.load_variance)) node.load_variance = o.load_variance;
    return {};
  }

  Error remove_node() {
    SessionKey key = kNoSessionKey;
    if (Error e = find_node(key); failed(e)) return e;
    const SessionNode& node = *change_.node(key);
    if (!node.pinned.empty()) {
      const std::string& app = change_.app(node.pinned.front())->spec->name->first;
      return invalid(at("node"), "the app \"" + app + "\" is pinned to this node");
    }
    const ClassId c = node.spec->node_class;
    if (totals_.class_count[c] == 1) {
      return invalid(at("node"), "the only node of its class: a class without nodes cannot be stated; fail the node instead");
    }
    if (totals_.class_count[c] > 0) --totals_.class_count[c];
    --totals_.class_listed[c];
    --totals_.nodes;
    count_load(node, ~std::uint64_t{0});
    empty_node(change_, key, watch_);
    if (watch_.ended()) return cancelled();
    change_.remove_node(key);
    return {};
  }

  Error set_state(NodeCondition wanted) {
    SessionKey key = kNoSessionKey;
    if (Error e = find_node(key); failed(e)) return e;
    const NodeCondition now = change_.node(key)->state;
    // Conditions ascend in severity. Only uncordon, which wants kOpen, may lower it.
    if (wanted != NodeCondition::kOpen && wanted < now) return {};
    SessionNode& node = change_.edit_node(key);
    node.state = wanted;
    if (wanted == NodeCondition::kFailed) {
      count_load(node, ~std::uint64_t{0});
      node.load.clear();
      node.load_variance.clear();
    }
    if (node.awaited()) empty_node(change_, key, watch_);
    return {};
  }

  Error load() {
    SessionKey key = kNoSessionKey;
    if (Error e = find_node(key); failed(e)) return e;
    SessionNode& node = change_.edit_node(key);
    if (node.state == NodeCondition::kFailed) return invalid(at("node"), "a failed node carries no load");
    count_load(node, ~std::uint64_t{0});
    if (Error e = read_load(node); failed(e)) return e;
    count_load(node, 1);
    if (Error e = check_totals(); failed(e)) return e;
    return check_held(key, "load");
  }

  Error add_rule() {
    const NamedRule& from = operation_.rule;
    const std::string path = at("rule");
    if (from.name.empty()) return invalid(path + ".name", "a rule needs a name");
    const std::vector<SessionRule>& rules = *totals_.rules;
    if (std::any_of(rules.begin(), rules.end(), [&](const SessionRule& rule) { return rule.name == from.name; })) {
      return invalid(path + ".name", "there is a rule \"" + from.name + "\" already");
    }
    if (!(from.weight >= 0) || std::isinf(from.weight)) return invalid(path + ".weight", "not a finite number >= 0");
    if (from.any_of.empty()) return invalid(path + ".any_of", "a rule needs at least one conjunction");
    SessionRule rule{from.name, {}, from.hard, from.weight, from.from_operator};
    for (std::size_t c = 0; c < from.any_of.size(); ++c) {
      const std::string conjunction = path + "." + indexed("any_of", c);
      if (from.any_of[c].empty()) return invalid(conjunction + ".all_of", "a conjunction needs at least one constraint");
      auto& parts = rule.any_of.emplace_back();
      for (std::size_t k = 0; k < from.any_of[c].size(); ++k) {
        const NamedCardinality& part = from.any_of[c][k];
        std::uint32_t group = kNone;
        if (Error e = check_cardinality(part, conjunction + "." + indexed("all_of", k), group); failed(e)) return e;
        parts.emplace_back(part, group);
      }
    }
    if (Error e = check_session_rule(rule, path); failed(e)) return e;
    auto more = std::make_shared<std::vector<SessionRule>>(rules);
    more->push_back(std::move(rule));
    auto contradictions = std::make_shared<std::vector<SessionContradiction>>(session_contradictions(*more));
    if (Error e = check_contradictions(*contradictions, path); failed(e)) return e;
    totals_.rules = std::move(more);
    totals_.contradictions = std::move(contradictions);
    return {};
  }

  Error check_cardinality(const NamedCardinality& part, const std::string& path, std::uint32_t& group) const {
    if (part.subject.empty()) return invalid(path + ".subject", "a constraint needs at least one subject tag");
    if (part.kind == CardinalityKind::kReplicas && part.target.empty()) {
      return invalid(path + ".target", "a constraint on replicas needs at least one target tag");
    }
    if (part.min > part.max) return invalid(path + ".min", "min is above max");
    if (part.group.empty() || part.group == "node") return {};
    const std::vector<SessionGroup>& groups = *totals_.groups;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      if (groups[g].name != part.group) continue;
      group = g;
      return {};
    }
    return {Code::kNotFound, "there is no node group \"" + part.group + "\"", path + ".group"};
  }

  Error remove_rule() {
    auto rules = std::make_shared<std::vector<SessionRule>>(*totals_.rules);
    const auto gone = std::erase_if(*rules, [&](const SessionRule& rule) { return rule.name == operation_.rule.name; });
    if (gone == 0) {
      return {Code::kNotFound, "there is no rule \"" + operation_.rule.name + "\"", at("rule.name")};
    }
    auto contradictions = std::make_shared<std::vector<SessionContradiction>>(session_contradictions(*rules));
    // A rule that gave way to the removed one may contradict a third now. Where rules contradict each other already, as in a
    // snapshot of an earlier version, one after the other can be removed.
    Error e = check_contradictions(*contradictions, at("rule"));
    if (failed(e) && !failed(check_contradictions(*totals_.contradictions, ""))) return e;
    totals_.rules = std::move(rules);
    totals_.contradictions = std::move(contradictions);
    return {};
  }

  SessionChange& change_;
  const Operation& operation_;
  const std::string& path_;
  WatchRef watch_;
  const SessionState& state_;
  SessionGlobals& totals_;
};

}  // namespace

Error apply_operation(SessionChange& change, const Operation& operation, const std::string& path, WatchRef watch) {
  return Applied(change, operation, path, watch).run();
}

void count_session_app(SessionGlobals& totals, std::size_t resources, const SessionApp& app, std::uint64_t by) {
  const AppSpec& spec = *app.spec;
  totals.apps += by;
  totals.limits += by * spec.limits.size();
  totals.replicas += by * app.replicas;
  if (spec.demand.size() > resources) totals.varying_apps += by;
  if (uncertain_spec(spec)) totals.uncertain += by;
}

void count_session_load(SessionGlobals& totals, std::size_t resources, const SessionNode& node, std::uint64_t by) {
  if (node.load.size() > resources) totals.varying_nodes += by;
  if (any_amount(node.load_variance)) totals.uncertain += by;
}

std::string next_node_name(SessionChange& change, ClassId node_class, WatchRef watch) {
  const std::string& name = change.state().fixed.classes[node_class].name;
  const std::string stem = (name.empty() ? "class-" + std::to_string(node_class) : name) + "-";
  for (;;) {
    std::string candidate = stem + std::to_string(++change.globals.class_number[node_class]);
    if (watch.step(64) || change.node_of(candidate) == kNoSessionKey) return candidate;
  }
}

void empty_node(SessionChange& change, SessionKey node, WatchRef watch) {
  const std::vector<Guest> guests = change.node(node)->guests;
  for (const Guest& guest : guests) {
    // The change takes a copy of each app that it edits.
    if (watch.step(64 + change.app(guest.app)->homes.size())) return;
    change.settle(guest.app, node, 0);
  }
}

std::uint64_t bound_replicas(const SessionApp& app) {
  std::uint64_t bound = 0;
  auto pin = app.pins.begin();
  for (const Home& home : app.homes) {
    for (; pin != app.pins.end() && pin->node < home.node; ++pin) bound += pin->replicas;
    const bool both = pin != app.pins.end() && pin->node == home.node;
    bound += both ? std::max(pin->replicas, home.replicas) : home.replicas;
    if (both) ++pin;
  }
  for (; pin != app.pins.end(); ++pin) bound += pin->replicas;
  return bound;
}

bool constant_over_periods(std::span<const double> values, std::uint32_t periods) {
  for (std::size_t row = 0; row + periods <= values.size(); row += periods) {
    for (std::uint32_t t = 1; t < periods; ++t) {
      if (values[row + t] != values[row]) return false;
    }
  }
  return true;
}

std::vector<double> compressed_profile(std::span<const double> values, std::size_t resources, std::uint32_t periods) {
  if (values.size() == resources || !constant_over_periods(values, periods)) return {values.begin(), values.end()};
  std::vector<double> constant;
  for (std::size_t row = 0; row < values.size(); row += periods) constant.push_back(values[row]);
  return constant;
}

}  // namespace stowage
