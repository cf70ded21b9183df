#include "core/session/state.h"

#include <algorithm>

#include "core/base/watched.h"

namespace stowage {
namespace {

/// Most distinct limit values that LimitRows can store.
constexpr std::size_t kMostLimitValues = 32767;

/// Sets the replicas of `key` in a list in ascending order of `id`; 0 removes the entry.
template <class Entry>
void set_entry(std::vector<Entry>& list, SessionKey Entry::*id, SessionKey key, std::uint32_t replicas) {
  const auto at =
      std::lower_bound(list.begin(), list.end(), key, [id](const Entry& entry, SessionKey k) { return entry.*id < k; });
  const bool there = at != list.end() && (*at).*id == key;
  if (replicas == 0) {
    if (there) list.erase(at);
  } else if (there) {
    at->replicas = replicas;
  } else {
    list.insert(at, Entry{key, replicas});
  }
}

/// Sets the amount of traffic with `peer` in a list in ascending order of peers; 0 removes the entry. Returns by how many the
/// entries grow.
int set_amount(std::vector<SessionTraffic>& list, SessionKey peer, double amount) {
  const auto at =
      std::lower_bound(list.begin(), list.end(), peer, [](const SessionTraffic& one, SessionKey k) { return one.peer < k; });
  const bool there = at != list.end() && at->peer == peer;
  if (amount == 0) {
    if (there) list.erase(at);
    return there ? -1 : 0;
  }
  if (there) {
    at->amount = amount;
    return 0;
  }
  list.insert(at, {peer, amount});
  return 1;
}

}  // namespace

SessionKey SessionChange::app_of(const std::string& name) const {
  const auto entry = state_.names.find(name);
  if (entry == state_.names.end()) return kNoSessionKey;
  // app_names_ has mutable pointers as keys; this look-up does not change the entry.
  const auto changed = app_names_.find(&*entry);
  return changed == app_names_.end() ? entry->second.app : changed->second;
}

SessionKey SessionChange::node_of(const std::string& name) const {
  if (const auto changed = node_names_.find(name); changed != node_names_.end()) return changed->second;
  const auto found = state_.node_keys.find(name);
  return found == state_.node_keys.end() ? kNoSessionKey : found->second;
}

AppName* SessionChange::intern(const std::string& name) {
  if (const auto there = state_.names.find(name); there != state_.names.end()) return &*there;
  const auto made = state_.names.emplace(name, AppNameUse{}).first;
  try {
    interned_.insert(&*made);
  } catch (...) {
    state_.names.erase(made);
    throw;
  }
  return &*made;
}

bool SessionChange::intern_value(std::uint32_t value) {
  if (state_.limit_values.contains(value)) return true;
  if (state_.limit_values.size() >= kMostLimitValues) return false;
  interned_values_.insert(value);
  state_.limit_values.emplace(value, 0);
  return true;
}

SessionKey SessionChange::add_app(SessionApp app) {
  const SessionKey key = globals.next_key;
  AppName* const name = app.spec->name;
  apps_.emplace(key, std::make_unique<SessionApp>(std::move(app)));
  app_names_[name] = key;
  ++globals.next_key;
  return key;
}

SessionKey SessionChange::add_node(SessionNode node) {
  const SessionKey key = globals.next_key;
  const std::string name = node.spec->name;
  nodes_.emplace(key, std::make_unique<SessionNode>(std::move(node)));
  node_names_[name] = key;
  ++globals.next_key;
  return key;
}

void SessionChange::remove_app(SessionKey key) {
  AppName* const name = app(key)->spec->name;
  apps_[key] = nullptr;
  app_names_[name] = kNoSessionKey;
}

void SessionChange::remove_node(SessionKey key) {
  const std::string name = node(key)->spec->name;
  nodes_[key] = nullptr;
  node_names_[name] = kNoSessionKey;
  removes_nodes_ = true;
}

void SessionChange::settle(SessionKey app, SessionKey node, std::uint32_t replicas) {
  set_entry(edit_app(app).homes, &Home::node, node, replicas);
  set_entry(edit_node(node).guests, &Guest::app, app, replicas);
}

void SessionChange::settle(SessionKey app, std::vector<Home> homes, WatchRef watch) {
  const auto by_node = [](const Home& a, const Home& b) { return a.node < b.node; };
  watched_sort(homes, watch, by_node);
  if (watch.ended()) return;
  const std::vector<Home>& before = edit_app(app).homes;
  std::vector<Home> after;
  after.reserve(before.size() + homes.size());
  auto old = before.begin();
  for (const Home& home : homes) {
    for (; old != before.end() && old->node < home.node; ++old) after.push_back(*old);
    if (old != before.end() && old->node == home.node) ++old;
    if (home.replicas > 0) after.push_back(home);
    set_entry(edit_node(home.node).guests, &Guest::app, app, home.replicas);
    if (watch.step(64)) return;
  }
  after.insert(after.end(), old, before.end());
  edit_app(app).homes = std::move(after);
}

void SessionChange::exchange(SessionKey app, SessionKey peer, double amount) {
  set_amount(edit_app(app).traffic, peer, amount);
  globals.traffic += static_cast<std::uint64_t>(std::int64_t{set_amount(edit_app(peer).traffic, app, amount)});
}

template <class Item>
void SessionChange::merge(Items<Item>& changed, Items<Item>& all) noexcept {
  // As when a session opens, with all its nodes.
  if (all.empty()) {
    std::erase_if(changed, [](const auto& entry) { return entry.second == nullptr; });
    all.swap(changed);
    return;
  }
  for (auto entry = changed.begin(); entry != changed.end();) {
    const auto now = entry++;
    // Keys ascend, so that those of added items are often beyond all others.
    const bool is_last = all.empty() || all.rbegin()->first < now->first;
    const auto there = is_last ? all.end() : all.find(now->first);
    if (there == all.end()) {
      // Moves the map's node, so that nothing is allocated.
      if (now->second != nullptr) all.insert(all.end(), changed.extract(now));
    } else if (now->second == nullptr) {
      all.erase(there);
    } else {
      there->second.swap(now->second);
    }
  }
}

void SessionChange::count(const AppSpec& spec, std::uint64_t by) noexcept {
  spec.name->second.references += by;
  for (const SessionLimit& limit : spec.limits) {
    limit.app->second.references += by;
    state_.limit_values.find(limit.at_most)->second += by;
  }
}

void SessionChange::drop(AppName* name) noexcept {
  if (name->second.references == 0) state_.names.erase(state_.names.find(name->first));
}

void SessionChange::sweep() noexcept {
  for (AppName* const name : interned_) drop(name);
  interned_.clear();
  for (const std::uint32_t value : interned_values_) {
    const auto found = state_.limit_values.find(value);
    if (found != state_.limit_values.end() && found->second == 0) state_.limit_values.erase(found);
  }
  interned_values_.clear();
}

void SessionChange::commit() noexcept {
  for (const auto& [name, key] : app_names_) name->second.app = key;
  // New apps are counted before removed ones are dropped, because they may use the same names.
  for (const auto& [key, app] : apps_) {
    if (app != nullptr && !state_.apps.contains(key)) count(*app->spec, 1);
  }
  for (const auto& [key, app] : apps_) {
    const auto before = state_.apps.find(key);
    if (app != nullptr || before == state_.apps.end()) continue;
    const AppSpec& spec = *before->second->spec;
    count(spec, ~std::uint64_t{0});
    for (const SessionLimit& limit : spec.limits) {
      const auto value = state_.limit_values.find(limit.at_most);
      // Several limits may have the same value: the first one removes it.
      if (value != state_.limit_values.end() && value->second == 0) state_.limit_values.erase(value);
    }
    for (const SessionLimit& limit : spec.limits) {
      if (limit.app != spec.name) drop(limit.app);
    }
    drop(spec.name);
  }
  merge(apps_, state_.apps);
  merge(nodes_, state_.nodes);
  if (state_.node_keys.empty() && !removes_nodes_) state_.node_keys.swap(node_names_);
  for (auto entry = node_names_.begin(); entry != node_names_.end();) {
    const auto now = entry++;
    const auto after = state_.node_keys.lower_bound(now->first);
    const auto there = after != state_.node_keys.end() && after->first == now->first ? after : state_.node_keys.end();
    if (there == state_.node_keys.end()) {
      if (now->second != kNoSessionKey) state_.node_keys.insert(after, node_names_.extract(now));
    } else if (now->second == kNoSessionKey) {
      state_.node_keys.erase(there);
    } else {
      there->second = now->second;
    }
  }
  std::swap(state_.globals, globals);
  sweep();
}

}  // namespace stowage
