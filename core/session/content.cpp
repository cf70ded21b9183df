#include "core/session/content.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "core/base/watched.h"
#include "core/model/data/memory_budget.h"
#include "core/session/apply.h"

namespace stowage {
namespace {

Error bad_content(std::string path, std::string message) { return {Code::kInvalid, std::move(message), std::move(path)}; }

/// Position of a key in an ascending list that contains it.
std::uint32_t session_position(const std::vector<SessionKey>& keys, SessionKey key) {
  return static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
}

class SessionReader {
 public:
  SessionReader(const Instance& instance, const SessionExtra* extra, SessionState& state, WatchRef watch)
      : instance_(instance), data_(instance.data()), extra_(extra), change_(state), watch_(watch) {}

  Error run() {
    if (Error e = check(); failed(e)) return e;
    read_groups();
    if (watch_.ended()) return cancelled();
    read_rules();
    change_.globals.given_nodes = instance_.listed_nodes();
    for (NodeId n = 0; n < instance_.listed_nodes() && !watch_.step(64); ++n) {
      node_keys_.push_back(change_.add_node(read_node(n)));
    }
    if (!watch_.ended()) read_apps();
    if (watch_.ended()) return cancelled();
    if (Error e = read_waiting_limits(); failed(e)) return e;
    for (AppId i = 0; i < instance_.apps(); ++i) {
      watched_sort(limits_[i], watch_,
                   [](const SessionLimit& a, const SessionLimit& b) { return a.app->first < b.app->first; });
      apps_[i].limits = std::move(limits_[i]);
      if (watch_.step(64)) return cancelled();
    }
    if (Error e = add_apps(); failed(e)) return e;
    change_.commit();
    return {};
  }

 private:
  [[nodiscard]] NodeCondition node_state(NodeId n) const {
    if (extra_ != nullptr) return static_cast<NodeCondition>(extra_->node_state[n]);
    return !data_.closed.empty() && data_.closed[n] != 0 ? NodeCondition::kCordoned : NodeCondition::kOpen;
  }

  Error check() const {
    for (std::size_t i = 0; i < data_.app_names.size(); ++i) {
      if (data_.app_names[i].empty()) return bad_content(indexed("apps.names", i), "in a session, every app has a name");
    }
    for (std::size_t n = 0; n < data_.node_names.size(); ++n) {
      if (data_.node_names[n].empty()) return bad_content(indexed("nodes.names", n), "in a session, every node has a name");
    }
    return extra_ == nullptr ? Error{} : check_extra();
  }

  Error check_extra() const {
    const SessionExtra& extra = *extra_;
    if (extra.node_state.size() != instance_.listed_nodes()) {
      return bad_content("session.node_state", "needs one entry per listed node");
    }
    if (extra.class_number.size() != instance_.classes()) {
      return bad_content("session.class_number", "needs one entry per node class");
    }
    std::vector<std::uint8_t> awaited(instance_.listed_nodes(), 0);
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
      const auto refused = [n](const char* why) { return bad_content(indexed("session.node_state", n), why); };
      if (extra.node_state[n] > static_cast<std::uint8_t>(NodeCondition::kFailed)) return refused("unknown state");
      const bool closed = !data_.closed.empty() && data_.closed[n] != 0;
      if (closed != (node_state(n) != NodeCondition::kOpen)) return refused("contradicts nodes.closed");
      awaited[n] = node_state(n) == NodeCondition::kDrained || node_state(n) == NodeCondition::kFailed ? 1 : 0;
      for (ResourceId r = 0; r < instance_.resources() && node_state(n) == NodeCondition::kFailed; ++r) {
        for (std::uint32_t t = 0; t < instance_.periods(); ++t) {
          if (instance_.load(n, r, t) > 0) return refused("a failed node carries no load");
        }
        if (watch_.step(2 * std::uint64_t{instance_.periods()})) return cancelled();
      }
      if (watch_.step(2)) return cancelled();
    }
    for (const auto& [list, name] : {std::pair(&data_.running, "running"), std::pair(&data_.pinned, "pinned")}) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        if (awaited[(*list)[k].node] != 0) return bad_content(indexed(name, k), "the node is drained or failed");
        if (watch_.step(2)) return cancelled();
      }
    }
    if (Error e = check_waiting_pins(awaited); failed(e)) return e;
    const auto& begin = extra.waiting_limit_begin;
    const std::size_t entries = extra.waiting_limit_app.size();
    if (extra.waiting_limit_at_most.size() != entries) {
      return bad_content("session.waiting_limit_at_most", "needs one value per limit");
    }
    if (begin.empty() && entries == 0) return {};
    if (begin.size() != std::size_t{instance_.apps()} + 1 || begin.front() != 0 || begin.back() != entries ||
        !std::is_sorted(begin.begin(), begin.end())) {
      return bad_content("session.waiting_limit_begin", "no rows of limits, one for each app");
    }
    return {};
  }

  /// @param awaited per listed node: whether it is drained or failed
  Error check_waiting_pins(const std::vector<std::uint8_t>& awaited) const {
    const std::vector<Residence>& pins = extra_->waiting_pins;
    std::vector<std::uint64_t> seen;
    seen.reserve(pins.size());
    for (std::size_t k = 0; k < pins.size(); ++k) {
      const Residence& pin = pins[k];
      const auto refused = [k](const char* field, const char* why) {
        return bad_content(indexed("session.waiting_pins", k) + field, why);
      };
      if (pin.app >= instance_.apps()) return refused(".app", "there is no app with this index");
      if (pin.node >= instance_.listed_nodes()) return refused(".node", "there is no listed node with this index");
      if (pin.replicas == 0) return refused(".replicas", "no replicas");
      if (awaited[pin.node] == 0) return refused("", "the node is neither drained nor failed");
      seen.push_back((std::uint64_t{pin.app} << 32) | pin.node);
      if (watch_.step(2)) return cancelled();
    }
    watched_sort(seen, watch_);
    if (watch_.ended()) return cancelled();
    return std::adjacent_find(seen.begin(), seen.end()) == seen.end()
               ? Error{}
               : bad_content("session.waiting_pins", "an app and node stand twice");
  }

  /// Incomplete if the watch ends the call.
  void read_groups() {
    auto groups = std::make_shared<std::vector<SessionGroup>>();
    node_sets_.resize(instance_.listed_nodes());
    for (std::uint32_t g = 0; g < data_.groups.size(); ++g) {
      const NodeGroup& from = data_.groups[g];
      SessionGroup group{from.name, watched_copy(std::span(from.set_names), watch_), !from.sets.begin.empty(), from.by_label};
      const std::size_t sets = from.sets.begin.empty() ? 0 : from.sets.begin.size() - 1;
      for (std::size_t s = group.set_names.size(); s < sets; ++s) {
        if (watch_.step(8)) return;
        group.set_names.push_back("set-" + std::to_string(s));
      }
      for (std::uint32_t s = 0; s < sets; ++s) {
        for (std::uint32_t k = from.sets.begin[s]; k < from.sets.begin[s + 1]; ++k) {
          node_sets_[from.sets.index[k]].emplace_back(g, s);
          if (watch_.step(16)) return;
        }
      }
      groups->push_back(std::move(group));
    }
    change_.globals.groups = std::move(groups);
  }

  void read_rules() {
    auto rules = std::make_shared<std::vector<SessionRule>>();
    for (const PlacementRule& from : data_.rules) {
      SessionRule rule{from.name, {}, from.hard, from.weight, from.from_operator};
      for (const auto& conjunction : from.any_of) {
        auto& parts = rule.any_of.emplace_back();
        for (const Cardinality& part : conjunction) {
          NamedCardinality named{part.kind, tags(part.subject), tags(part.target), part.min, part.max, {}, part.negated};
          parts.emplace_back(std::move(named), part.group);
        }
      }
      rules->push_back(std::move(rule));
    }
    change_.globals.contradictions = std::make_shared<std::vector<SessionContradiction>>(session_contradictions(*rules));
    change_.globals.rules = std::move(rules);
  }

  [[nodiscard]] std::vector<std::string> tags(std::span<const std::uint32_t> list) const {
    std::vector<std::string> names;
    for (const std::uint32_t tag : list) names.push_back(data_.tags[tag]);
    return names;
  }
  [[nodiscard]] std::vector<std::string> tags_of(const IndexRows& rows, std::size_t item) const {
    if (rows.empty()) return {};
    return tags(std::span(rows.index).subspan(rows.begin[item], rows.begin[item + 1] - rows.begin[item]));
  }

  /// The entries of an item in a column of `items` equal rows, or none if the column is empty.
  [[nodiscard]] static std::vector<double> row_of(const std::vector<double>& column, std::size_t item, std::size_t items) {
    if (column.empty()) return {};
    const std::size_t width = column.size() / items;
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(item * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }
  /// The same, but empty if all entries are 0.
  [[nodiscard]] static std::vector<double> amounts_of(const std::vector<double>& column, std::size_t item, std::size_t items) {
    std::vector<double> row = row_of(column, item, items);
    if (std::all_of(row.begin(), row.end(), [](double value) { return value == 0; })) row.clear();
    return row;
  }

  SessionNode read_node(NodeId n) {
    const std::size_t nodes = instance_.listed_nodes();
    auto spec = std::make_shared<NodeSpec>();
    spec->name = data_.node_names.empty() ? "node-" + std::to_string(n) : data_.node_names[n];
    spec->node_class = data_.node_class[n];
    spec->tags = tags_of(data_.node_tags, n);
    spec->daemon = compressed_profile(row_of(data_.daemon, n, nodes), instance_.resources(), data_.periods);
    spec->sets = std::move(node_sets_[n]);
    std::sort(spec->sets.begin(), spec->sets.end());
    spec->sets.erase(std::unique(spec->sets.begin(), spec->sets.end()), spec->sets.end());
    SessionNode node;
    node.spec = std::move(spec);
    node.state = node_state(n);
    node.load = compressed_profile(amounts_of(data_.load, n, nodes), instance_.resources(), data_.periods);
    node.load_variance = amounts_of(data_.load_variance, n, nodes);
    ++change_.globals.nodes;
    ++change_.globals.class_listed[data_.node_class[n]];
    count_session_load(change_.globals, instance_.resources(), node, 1);
    return node;
  }

  void read_apps() {
    const std::size_t count = instance_.apps();
    apps_.resize(count);
    limits_.resize(count);
    for (AppId i = 0; i < count && !watch_.step(64); ++i) {
      AppSpec& spec = apps_[i];
      spec.name = change_.intern(data_.app_names.empty() ? "app-" + std::to_string(i) : data_.app_names[i]);
      spec.name->second.index = i;
      spec.demand = compressed_profile(row_of(data_.demand, i, count), instance_.resources(), data_.periods);
      spec.variance = amounts_of(data_.variance, i, count);
      spec.support_min = row_of(data_.support_min, i, count);
      spec.support_max = row_of(data_.support_max, i, count);
      visit_app_numbers([&](const char*, auto numbers, auto number, bool) {
        if (!(data_.*numbers).empty()) spec.*number = (data_.*numbers)[i];
      });
      spec.kind = data_.kind.empty() ? kNone : data_.kind[i];
      spec.tags = tags_of(data_.app_tags, i);
      spec.only = tags_of(data_.app_only, i);
      spec.refused = tags_of(data_.app_not, i);
    }
    const LimitRows& rows = instance_.limit_rows();
    for (AppId i = 0; i < count && !watch_.step(); ++i) {
      if (rows.self_limit(i) != kNone) add_limit(i, apps_[i].name, rows.self_limit(i));
      for (std::uint32_t k = 0; k < rows.degree(i); ++k) {
        const Neighbour neighbour = rows.neighbour(i, k);
        if (neighbour.imposes != kNone) add_limit(i, apps_[neighbour.app].name, neighbour.imposes);
        if (watch_.step(16)) return;
      }
    }
  }

  // An instance has no more distinct limit values than a session accepts, so interning cannot fail.
  void add_limit(AppId app, AppName* name, std::uint32_t at_most) {
    change_.intern_value(at_most);
    limits_[app].push_back({name, at_most});
  }

  Error read_waiting_limits() {
    if (extra_ == nullptr || extra_->waiting_limit_begin.empty()) return {};
    std::set<const AppName*> seen;
    for (AppId i = 0; i < instance_.apps(); ++i) {
      seen.clear();
      for (std::uint32_t k = extra_->waiting_limit_begin[i]; k < extra_->waiting_limit_begin[i + 1]; ++k) {
        if (watch_.step(64)) return cancelled();
        const auto refused = [k](const char* why) { return bad_content(indexed("session.waiting_limit_app", k), why); };
        const std::string& name = extra_->waiting_limit_app[k];
        const std::uint32_t at_most = extra_->waiting_limit_at_most[k];
        if (name.empty()) return refused("an app has a name");
        if (at_most == kNone) return bad_content(indexed("session.waiting_limit_at_most", k), "no limit");
        if (!change_.intern_value(at_most)) {
          return {Code::kLimitExceeded, "more than 32767 distinct limit values", indexed("session.waiting_limit_at_most", k)};
        }
        AppName* const entry = change_.intern(name);
        if (entry->second.index != kNone) return refused("an app of this name is there");
        if (!seen.insert(entry).second) return refused("this app stands twice");
        limits_[i].push_back({entry, at_most});
      }
    }
    return {};
  }

  Error add_apps() {
    std::vector<SessionApp> apps(instance_.apps());
    for (AppId i = 0; i < instance_.apps(); ++i) apps[i].replicas = instance_.replicas(i);
    const auto place = [&](const std::vector<Residence>& list, std::vector<Home> SessionApp::*homes) {
      for (const Residence& r : list) {
        (apps[r.app].*homes).push_back({node_keys_[r.node], r.replicas});
        if (watch_.step(8)) return;
      }
    };
    place(data_.running, &SessionApp::homes);
    place(data_.pinned, &SessionApp::pins);
    if (extra_ != nullptr) {
      place(extra_->waiting_pins, &SessionApp::pins);
      for (const Residence& pin : extra_->waiting_pins) {
        if (pin.replicas > kNone - 1 - apps[pin.app].replicas) {
          return {Code::kLimitExceeded, "more replicas than can be counted", "session.waiting_pins"};
        }
        apps[pin.app].replicas += pin.replicas;
      }
    }
    if (watch_.look()) return cancelled();
    const auto by_node = [](const Home& a, const Home& b) { return a.node < b.node; };
    for (AppId i = 0; i < instance_.apps(); ++i) {
      SessionApp& app = apps[i];
      watched_sort(app.homes, watch_, by_node);
      watched_sort(app.pins, watch_, by_node);
      if (watch_.step(64)) return cancelled();
      app.spec = std::make_shared<const AppSpec>(std::move(apps_[i]));
      count_session_app(change_.globals, instance_.resources(), app, 1);
      if (change_.globals.replicas > instance_.limits().max_replicas) {
        return {Code::kLimitExceeded, "more replicas in all than max_replicas allows", "session.waiting_pins"};
      }
      const std::vector<Home> homes = app.homes;
      const std::vector<Home> pins = app.pins;
      const SessionKey key = change_.add_app(std::move(app));
      app_keys_.push_back(key);
      for (const Home& home : homes) {
        change_.edit_node(home.node).guests.push_back({key, home.replicas});
        if (watch_.step(64)) return cancelled();
      }
      for (const Home& pin : pins) {
        change_.edit_node(pin.node).pinned.push_back(key);
        if (watch_.step(64)) return cancelled();
      }
    }
    for (const Traffic& one : data_.traffic) {
      change_.exchange(app_keys_[one.app], app_keys_[one.peer], one.amount);
      if (watch_.step(64)) return cancelled();
    }
    return watch_.look() ? cancelled() : Error{};
  }

  const Instance& instance_;
  const InstanceData& data_;
  const SessionExtra* extra_;
  SessionChange change_;
  WatchRef watch_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> node_sets_;
  std::vector<SessionKey> node_keys_;
  std::vector<SessionKey> app_keys_;
  std::vector<AppSpec> apps_;
  std::vector<std::vector<SessionLimit>> limits_;
};

class SessionWriter {
 public:
  SessionWriter(SessionState& state, WatchRef watch)
      : state_(state), watch_(watch), periods_(state.fixed.periods), resources_(state.resources()) {}

  SessionContent run() {
    InstanceData& data = content_.data;
    data = state_.fixed;
    for (std::size_t c = 0; c < data.classes.size(); ++c) data.classes[c].count = state_.globals.class_count[c];
    content_.extra.version = state_.globals.version;
    content_.extra.class_number = state_.globals.class_number;
    content_.apps.reserve(state_.apps.size());
    content_.nodes.reserve(state_.nodes.size());
    for (const auto& [key, app] : state_.apps) {
      app->spec->name->second.index = static_cast<AppId>(content_.apps.size());
      content_.apps.push_back(key);
      if (watch_.step(8)) return std::move(content_);
    }
    for (const auto& [key, node] : state_.nodes) {
      content_.nodes.push_back(key);
      if (watch_.step(8)) return std::move(content_);
    }
    for (void (SessionWriter::*const part)() :
         {&SessionWriter::write_apps, &SessionWriter::write_nodes, &SessionWriter::write_limits, &SessionWriter::write_traffic,
          &SessionWriter::write_groups_and_rules}) {
      if (!watch_.look()) (this->*part)();
    }
    return std::move(content_);
  }

 private:
  std::uint32_t intern_tag(const std::string& tag) {
    const auto [entry, made] = tags_.emplace(tag, static_cast<std::uint32_t>(content_.data.tags.size()));
    if (made) content_.data.tags.push_back(tag);
    return entry->second;
  }

  /// Appends a row of one entry per resource, or, if `profile`, per resource and period. Appends zeros if the row is empty.
  void append(std::vector<double>& column, const std::vector<double>& row, bool profile) const {
    const std::size_t width = profile ? resources_ * periods_ : resources_;
    if (row.empty() || row.size() == width) {
      column.insert(column.end(), row.begin(), row.end());
      if (row.empty()) column.resize(column.size() + width, 0);
      return;
    }
    for (const double value : row) column.insert(column.end(), periods_, value);
  }
  static void append_tags(IndexRows& rows, std::size_t item, std::size_t items, const std::vector<std::uint32_t>& list) {
    if (list.empty()) return;
    if (rows.begin.empty()) rows.begin.assign(items + 1, 0);
    rows.index.insert(rows.index.end(), list.begin(), list.end());
    rows.begin[item + 1] = static_cast<std::uint32_t>(rows.index.size());
  }
  /// Sets the ends of rows without entries.
  static void finish_rows(IndexRows& rows) {
    for (std::size_t k = 1; k < rows.begin.size(); ++k) rows.begin[k] = std::max(rows.begin[k], rows.begin[k - 1]);
  }
  std::vector<std::uint32_t> tag_indices(const std::vector<std::string>& list) {
    std::vector<std::uint32_t> indices;
    indices.reserve(list.size());
    for (const std::string& tag : list) indices.push_back(intern_tag(tag));
    return indices;
  }

  void write_apps() {
    InstanceData& data = content_.data;
    const bool profile = state_.globals.varying_apps > 0;
    const auto any = [&](const auto& holds) {
      return std::any_of(state_.apps.begin(), state_.apps.end(),
                         [&](const auto& entry) { return watch_.step(8) || holds(*entry.second->spec); });
    };
    const bool variance = any([](const AppSpec& spec) { return !spec.variance.empty(); });
    const bool supports = any([](const AppSpec& spec) { return !spec.support_min.empty(); }) ||
                          data.uncertainty.model == ChanceModel::kBoundedSupport;
    visit_app_numbers([&](const char*, auto numbers, auto number, bool) {
      if (!any([&](const AppSpec& spec) { return spec.*number != AppNumbers().*number; })) return;
      for (const auto& [key, entry] : state_.apps) {
        if (watch_.step(8)) return;
        (data.*numbers).push_back((*entry->spec).*number);
      }
    });
    data.demand.reserve(content_.apps.size() * resources_ * (profile ? periods_ : 1));
    std::size_t i = 0;
    for (const auto& [key, entry] : state_.apps) {
      const SessionApp& app = *entry;
      const AppSpec& spec = *app.spec;
      if (watch_.step(64 + spec.demand.size())) return;
      data.app_names.push_back(spec.name->first);
      append(data.demand, spec.demand, profile);
      if (variance) append(data.variance, spec.variance, false);
      if (supports) write_support(spec);
      if (data.has_interference) data.kind.push_back(spec.kind);
      append_tags(data.app_tags, i, content_.apps.size(), tag_indices(spec.tags));
      append_tags(data.app_only, i, content_.apps.size(), tag_indices(spec.only));
      append_tags(data.app_not, i, content_.apps.size(), tag_indices(spec.refused));
      std::uint32_t waiting = 0;
      for (const Home& pin : app.pins) {
        const Residence residence = {static_cast<AppId>(i), session_position(content_.nodes, pin.node), pin.replicas};
        const bool awaited = state_.nodes.find(pin.node)->second->awaited();
        (awaited ? content_.extra.waiting_pins : data.pinned).push_back(residence);
        if (awaited) waiting += pin.replicas;
        if (watch_.step(64)) return;
      }
      data.replicas.push_back(app.replicas - waiting);
      ++i;
    }
    finish_rows(data.app_tags);
    finish_rows(data.app_only);
    finish_rows(data.app_not);
  }

  /// Appends the app's support. Without one, the support is the range of the demand over the periods.
  void write_support(const AppSpec& spec) {
    InstanceData& data = content_.data;
    if (!spec.support_min.empty()) {
      append(data.support_min, spec.support_min, false);
      append(data.support_max, spec.support_max, false);
      return;
    }
    const std::size_t width = spec.demand.size() / resources_;
    for (std::size_t r = 0; r < resources_; ++r) {
      const auto first = spec.demand.begin() + static_cast<std::ptrdiff_t>(r * width);
      const auto [least, most] = std::minmax_element(first, first + static_cast<std::ptrdiff_t>(width));
      data.support_min.push_back(*least);
      data.support_max.push_back(*most);
    }
  }

  /// What some node has.
  struct NodeTraits {
    bool load = false;
    bool variance = false;
    bool closed = false;
    bool daemon = false;          ///< of its own
    bool daemon_profile = false;  ///< a daemon load that changes over the periods
    std::size_t guests = 0;       ///< of all nodes
  };
  [[nodiscard]] NodeTraits traits_of_nodes() const {
    NodeTraits traits;
    for (const auto& [key, node] : state_.nodes) {
      traits.load = traits.load || !node->load.empty();
      traits.variance = traits.variance || !node->load_variance.empty();
      traits.closed = traits.closed || node->state != NodeCondition::kOpen;
      traits.daemon = traits.daemon || !node->spec->daemon.empty();
      traits.daemon_profile = traits.daemon_profile || daemon_of(*node).size() > resources_;
      traits.guests += node->guests.size();
      if (watch_.step(8)) break;
    }
    return traits;
  }
  /// Of a node without a daemon load of its own, its class's.
  [[nodiscard]] const std::vector<double>& daemon_of(const SessionNode& node) const {
    return node.spec->daemon.empty() ? content_.data.classes[node.spec->node_class].daemon : node.spec->daemon;
  }

  void write_nodes() {
    InstanceData& data = content_.data;
    const bool profile = state_.globals.varying_nodes > 0;
    const std::size_t nodes = state_.nodes.size();
    const NodeTraits traits = traits_of_nodes();
    if (watch_.ended()) return;
    // What grows step by step is copied as a whole again and again.
    data.node_class.reserve(nodes);
    data.node_names.reserve(nodes);
    data.running.reserve(traits.guests);
    if (traits.load) data.load.reserve(nodes * resources_ * (profile ? periods_ : 1));
    if (traits.variance) data.load_variance.reserve(nodes * resources_);
    if (traits.daemon) data.daemon.reserve(nodes * resources_ * (traits.daemon_profile ? periods_ : 1));
    std::size_t n = 0;
    for (const auto& [key, node] : state_.nodes) {
      if (watch_.step(64 + 32 * node->guests.size())) return;
      data.node_class.push_back(node->spec->node_class);
      data.node_names.push_back(node->spec->name);
      if (traits.load) append(data.load, node->load, profile);
      if (traits.variance) append(data.load_variance, node->load_variance, false);
      if (traits.daemon) append(data.daemon, daemon_of(*node), traits.daemon_profile);
      if (traits.closed) data.closed.push_back(node->state == NodeCondition::kOpen ? 0 : 1);
      content_.extra.node_state.push_back(static_cast<std::uint8_t>(node->state));
      append_tags(data.node_tags, n, nodes, tag_indices(node->spec->tags));
      for (const Guest& guest : node->guests) {
        data.running.push_back({session_position(content_.apps, guest.app), static_cast<NodeId>(n), guest.replicas});
      }
      ++n;
    }
    finish_rows(data.node_tags);
  }

  void write_limits() {
    SessionExtra& extra = content_.extra;
    std::vector<std::pair<AppId, std::uint32_t>> row;
    content_.limit_begin.push_back(0);
    extra.waiting_limit_begin.push_back(0);
    for (const auto& [key, app] : state_.apps) {
      row.clear();
      if (watch_.step(32 * app->spec->limits.size() + 1)) return;
      for (const SessionLimit& limit : app->spec->limits) {
        if (limit.app->second.app != kNoSessionKey) {
          row.emplace_back(limit.app->second.index, limit.at_most);
          continue;
        }
        extra.waiting_limit_app.push_back(limit.app->first);
        extra.waiting_limit_at_most.push_back(limit.at_most);
      }
      std::sort(row.begin(), row.end());
      for (const auto& [other, at_most] : row) {
        content_.limit_app.push_back(other);
        content_.limit_at_most.push_back(at_most);
      }
      content_.limit_begin.push_back(static_cast<std::uint32_t>(content_.limit_app.size()));
      extra.waiting_limit_begin.push_back(static_cast<std::uint32_t>(extra.waiting_limit_app.size()));
    }
    if (extra.waiting_limit_app.empty()) extra.waiting_limit_begin.clear();
    if (!content_.limit_app.empty()) {
      content_.data.limits = {content_.limit_begin, content_.limit_app, content_.limit_at_most};
    }
  }

  // Each pair once, from the side of the app that joined first.
  void write_traffic() {
    AppId i = 0;
    for (const auto& [key, app] : state_.apps) {
      for (const SessionTraffic& one : app->traffic) {
        if (one.peer > key) content_.data.traffic.push_back({i, session_position(content_.apps, one.peer), one.amount});
        if (watch_.step(16)) return;
      }
      ++i;
      if (watch_.step(8)) return;
    }
  }

  void write_groups_and_rules() {
    InstanceData& data = content_.data;
    for (const SessionGroup& from : *state_.globals.groups) {
      NodeGroup group;
      group.name = from.name;
      group.by_label = from.by_label;
      group.set_names = watched_copy(std::span(from.set_names), watch_);
      if (from.by_sets) group.sets.begin.assign(from.set_names.size() + 1, 0);
      data.groups.push_back(std::move(group));
    }
    if (!watch_.ended()) write_sets();
    for (const SessionRule& from : *state_.globals.rules) {
      if (watch_.step(256)) return;
      data.rules.push_back(written_rule(from, [this](const std::string& tag) { return intern_tag(tag); }));
    }
  }

  /// Fills the sets of all groups that have room for their beginnings.
  void write_sets() {
    std::vector<NodeGroup>& groups = content_.data.groups;
    const auto visit = [&](const auto& member) {
      std::uint32_t n = 0;
      for (const auto& [key, node] : state_.nodes) {
        for (const auto& [g, set] : node->spec->sets) {
          if (!groups[g].sets.begin.empty()) member(g, set, n);
        }
        if (watch_.step(8 * (1 + node->spec->sets.size()))) return;
        ++n;
      }
    };
    visit([&](std::uint32_t g, std::uint32_t set, std::uint32_t) { ++groups[g].sets.begin[set + 1]; });
    if (watch_.ended()) return;
    std::vector<std::vector<std::uint32_t>> next;
    next.reserve(groups.size());
    for (NodeGroup& group : groups) {
      std::vector<std::uint32_t>& begin = group.sets.begin;
      for (std::size_t s = 1; s < begin.size(); ++s) begin[s] += begin[s - 1];
      next.push_back(begin);
      group.sets.index.resize(begin.empty() ? 0 : begin.back());
      if (watch_.step(begin.size() + group.sets.index.size())) return;
    }
    visit([&](std::uint32_t g, std::uint32_t set, std::uint32_t node) { groups[g].sets.index[next[g][set]++] = node; });
  }

  SessionState& state_;
  WatchRef watch_;
  std::size_t periods_;
  std::size_t resources_;
  SessionContent content_;
  std::map<std::string, std::uint32_t> tags_;
};

}  // namespace

Error read_session(const Instance& instance, const SessionExtra* extra, SessionState& state, WatchRef watch) {
  const InstanceData& data = instance.data();
  state.fixed.name = data.name;
  state.fixed.resources = data.resources;
  state.fixed.periods = data.periods;
  state.fixed.classes = data.classes;
  state.fixed.has_uncertainty = data.has_uncertainty;
  state.fixed.uncertainty = data.uncertainty;
  state.fixed.has_interference = data.has_interference;
  state.fixed.interference = data.interference;
  state.bounds = instance.limits();
  const std::uint64_t memory = state.bounds.max_memory != 0 ? state.bounds.max_memory : default_memory(bytes_of(data));
  state.most_opened = memory / kOpenedNodeBytes;
  state.largest_capacity.assign(instance.resources(), 0);
  SessionGlobals& globals = state.globals;
  globals.version = extra == nullptr ? 0 : extra->version;
  for (const NodeClass& node_class : data.classes) {
    globals.class_count.push_back(node_class.count);
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      state.largest_capacity[r] = std::max(state.largest_capacity[r], node_class.capacity[r]);
    }
  }
  globals.class_listed.assign(data.classes.size(), 0);
  globals.class_number.assign(data.classes.size(), 0);
  if (extra != nullptr && extra->class_number.size() == data.classes.size()) globals.class_number = extra->class_number;
  return SessionReader(instance, extra, state, watch).run();
}

SessionContent write_session(SessionState& state, WatchRef watch) { return SessionWriter(state, watch).run(); }

}  // namespace stowage
