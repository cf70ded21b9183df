#include "capi/k8s/instance/model.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "capi/k8s/instance/placed.h"
#include "capi/k8s/pods/workloads.h"
#include "capi/k8s/read/ranges.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::k8s {
namespace {

using Words = std::map<std::string, std::uint32_t>;

/// Carried by the kinds of a place and by single nodes in it; and by nodes that are not in it although new ones of their kind
/// are.
std::string in_word(std::size_t place) { return "place " + std::to_string(place); }
std::string out_word(std::size_t place) { return "not place " + std::to_string(place); }
std::string preferred_word(std::size_t k) { return "preferred " + std::to_string(k); }
constexpr const char* kClosedWord = "closed";

std::uint32_t word(const std::string& text, cli::InstanceData& to, Words& words) {
  const auto [at, made] = words.try_emplace(text, static_cast<std::uint32_t>(to.tags.size()));
  if (made) to.tags.push_back(text);
  return at->second;
}

bool is_new(Scope scope) { return scope == Scope::kGrown || scope == Scope::kFresh; }

/// Whether places of volumes or selectors tell nodes of a kind apart.
bool looks_at_nodes(const App& app, const Cluster& cluster) {
  const PodSpec& spec = *app.spec;
  if (spec.node_selector.has(kHostname) || names_nodes(spec.node_terms) || !spec.ports.empty()) return true;
  return ranges::any_of(app.within, [&](const Within& one) {
    return names_nodes(one.terms) || ranges::any_of(one.terms, [&](const NodeTerm& term) {
             return ranges::any_of(term.expressions,
                                   [&](const Requirement& its) { return cluster.own_keys.contains(its.key); });
           });
  });
}

}  // namespace

bool Place::all() const { return ranges::find(nodes, 0) == nodes.end() && ranges::find(kinds, 0) == kinds.end(); }

bool Model::may_grow(const NodeKind& kind) const {
  return !kind.fixed() && (kind.grows || ranges::none_of(cluster.kinds, &NodeKind::grows));
}

Model::Model(Cluster&& of, Prices with) : cluster(std::move(of)), prices(std::move(with)) {
  app_tags.resize(cluster.apps.size());
  uncounted.resize(cluster.apps.size(), 0);
  find_resources();
  find_grid();
  close_nodes();
  find_places();
  make_rules(*this);
  ranges::sort(cluster.left_out);
}

bool Model::rounds() const {
  return ranges::any_of(grid, [](std::int64_t one) { return one > 1; });
}

/// Planners count in whole units, of which the largest capacity has at most 2^30: the greatest common divisor of all demands
/// or, where that is too fine, such as for odd numbers of bytes, a power of two.
void Model::find_grid() {
  constexpr std::int64_t kMostUnits = std::int64_t{1} << 30;
  for (const int resource : resources) {
    std::int64_t divisor = 0, largest = 0;
    for (const App& app : cluster.apps) divisor = std::gcd(divisor, app.requests.get(resource));
    for (const NodeKind& kind : cluster.kinds) largest = std::max(largest, kind.most.get(resource));
    std::int64_t unit = 1;
    if (divisor > 0 && largest / divisor > kMostUnits) {
      while (largest / unit > kMostUnits / 2) unit *= 2;
    }
    grid.push_back(cluster.devices.contains(resource) ? 1 : unit);
  }
}

void Model::find_resources() {
  std::set<int> asked;
  for (const App& app : cluster.apps) {
    for (const auto& [resource, amount] : app.requests) {
      if (amount > 0) asked.insert(resource);
    }
  }
  // An instance has at least one resource, also where nothing asks for any.
  if (asked.empty()) asked = {ResourceNames::kCpu, ResourceNames::kMemory};
  resources.assign(asked.begin(), asked.end());
  ranges::sort(resources, [&](int a, int b) {
    const auto rank = [](int one) { return one <= ResourceNames::kMemory ? one : 2; };
    return std::pair(rank(a), cluster.from.resources.name(a)) < std::pair(rank(b), cluster.from.resources.name(b));
  });
}

/// A node with a condition is closed, unless something that waits or moves tolerates it.
void Model::close_nodes() {
  for (PresentNode& node : cluster.nodes) {
    if (node.closing.empty()) continue;
    node.closed = ranges::none_of(cluster.apps, [&](const App& app) {
      return app.replicas > app.run() && ranges::all_of(node.closing, [&](const Taint& one) {
               return one.effect == Effect::kPreferNoSchedule || tolerates(*app.spec, one);
             });
    });
  }
}

void Model::find_places() {
  std::unordered_map<std::string, std::pair<int, int>> known;
  for (const App& app : cluster.apps) {
    std::string key = signature(*app.spec, {}, {}, cluster.taints) + std::to_string(app.outside) + app.too_large;
    PodSpec terms;
    for (const Within& one : app.within) {
      terms.node_terms = one.terms;
      key += "\n" + signature(terms, {}, {}, {});
    }
    const auto [at, made] = known.try_emplace(std::move(key), -1, -1);
    if (made) {
      Place place = placed(*app.spec, looks_at_nodes(app, cluster), true, [&](const Ground& ground) {
        return app.too_large.empty() && allows(*app.spec, app.within, ground);
      });
      at->second.second = take_place(Place(place));
      if (app.outside >= 0) place.nodes[static_cast<std::size_t>(app.outside)] = 1;
      at->second.first = take_place(std::move(place));
    }
    place_of.push_back(at->second.first);
    new_place_of.push_back(at->second.second);
  }
}

/// The index of a place; -1 = all nodes.
int Model::take_place(Place&& place) {
  if (place.all()) return -1;
  const auto found = ranges::find(places, place);
  const auto index = static_cast<int>(found - places.begin());
  if (found == places.end()) places.push_back(std::move(place));
  return index;
}

namespace {

std::int64_t on_grid(std::int64_t amount, std::int64_t unit, bool up) {
  return unit == 1 ? amount : (amount + (up ? unit - 1 : 0)) / unit * unit;
}

}  // namespace

std::vector<double> Model::demands(const Amounts& of, bool up) const {
  std::vector<double> all;
  for (std::size_t k = 0; k < resources.size(); ++k)
    all.push_back(static_cast<double>(on_grid(of.get(resources[k]), grid[k], up)));
  return all;
}

std::vector<double> Model::capacities(const Amounts& of, bool up) const { return demands(of, !up); }

std::vector<double> Model::loads(const NodeKind& kind, const Amounts& capacity, const Amounts& daemon, bool up) const {
  std::vector<double> all;
  for (std::size_t k = 0; k < resources.size(); ++k) {
    const std::int64_t whole = on_grid(kind.most.get(resources[k]), grid[k], !up);
    const std::int64_t left = capacity.get(resources[k]) - daemon.get(resources[k]);
    // More than the node has may go with it.
    const std::int64_t rest = left < 0 ? left : on_grid(left, grid[k], !up);
    all.push_back(static_cast<double>(std::max<std::int64_t>(whole - rest, 0)));
  }
  return all;
}

std::vector<int> Model::rules_of(Scope scope) const {
  std::vector<int> all;
  for (std::size_t k = 0; k < rules.size(); ++k) {
    const Rule& one = rules[k];
    const bool moves = scope == Scope::kMoving;
    if (one.soft && scope != Scope::kHere && !(moves && one.holds)) continue;
    if (moves ? one.not_moving : one.moving_only) continue;
    if (scope == Scope::kFresh && (one.not_fresh || one.skew_of_nodes > 0)) continue;
    all.push_back(static_cast<int>(k));
  }
  return all;
}

void Model::add_classes(Scope scope, bool up, cli::InstanceData& to) const {
  for (std::size_t k = 0; k < cluster.kinds.size(); ++k) {
    const NodeKind& kind = cluster.kinds[k];
    cli::NodeClassData& made = to.classes.emplace_back();
    made.name = kind.name;
    const bool grows = (is_new(scope) || (scope == Scope::kMoving && prices.decide)) && may_grow(kind);
    made.capacity = capacities(kind.most, up);
    made.count = static_cast<std::uint32_t>(kind.nodes);
    if (grows) {
      made.count = kind.room < 0 ? 0 : static_cast<std::uint32_t>(std::min<std::int64_t>(kind.nodes + kind.room, 1'000'000));
    }
    // A new node has the least that nodes of its kind have. Where nodes cannot be added, one of a kind that is not there yet
    // has room for nothing.
    const bool absent = kind.nodes == 0 && (!grows || kind.room == 0);
    made.daemon = absent ? made.capacity : loads(kind, kind.least, kind.daemon, up);
    if (prices.decide) made.price = std::max(prices.of(kind), 0.0);
    for (const auto& [key, value] : kind.labels) made.labels.push_back(std::string(key) + "=" + std::string(value));
    for (const Group& group : groups) {
      const View* value = kind.labels.find(group.key);
      if (group.name == group.key || group.own_sets || value == nullptr || group.counts.kinds[k] == 0 || !is_new(scope))
        continue;
      made.labels.push_back(group.name + "=" + std::string(*value));
    }
    for (std::size_t p = 0; p < places.size(); ++p) {
      if (places[p].kinds[k] != 0) made.labels.push_back(in_word(p));
    }
    for (std::size_t p = 0; p < preferred.size(); ++p) {
      if (preferred[p].kinds[k] != 0) made.labels.push_back(preferred_word(p));
    }
  }
}

void Model::add_nodes(Scope scope, bool up, cli::InstanceData& to, Words& words) const {
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const PresentNode& node = cluster.nodes[n];
    const auto kind = static_cast<std::size_t>(node.kind);
    const NodeKind& its = cluster.kinds[kind];
    to.nodes.node_class.push_back(static_cast<std::uint32_t>(node.kind));
    to.nodes.names.emplace_back(node.name);
    to.nodes.closed.push_back(node.closed && scope != Scope::kMoving ? 1 : 0);
    for (const double amount : loads(its, node.capacity, node.daemon, up)) to.nodes.daemon.push_back(amount);
    to.nodes.tag_begin.push_back(static_cast<std::uint32_t>(to.nodes.tag_index.size()));
    const auto tag = [&](const std::string& text) { to.nodes.tag_index.push_back(word(text, to, words)); };
    if (!node.closed_by.empty()) tag(kClosedWord);
    for (std::size_t p = 0; p < places.size(); ++p) {
      const bool in = places[p].nodes[n] != 0, of_kind = places[p].kinds[kind] != 0;
      if (in != of_kind) tag(in ? in_word(p) : out_word(p));
    }
    for (std::size_t p = 0; p < preferred.size(); ++p) {
      if (preferred[p].nodes[n] != 0 && preferred[p].kinds[kind] == 0) tag(preferred_word(p));
    }
    for (const Group& group : groups) {
      const View* value = node.labels.find(group.key);
      if (group.name == group.key || group.own_sets || value == nullptr || group.counts.nodes[n] == 0) continue;
      if (!is_new(scope) || group.counts.kinds[kind] == 0) tag(group.name + "=" + std::string(*value));
    }
    const View* free = leave_free.empty() ? nullptr : node.labels.find(leave_free);
    if (free != nullptr && !its.labels.has(leave_free)) tag(std::string(leave_free) + "=" + std::string(*free));
  }
  to.nodes.tag_begin.push_back(static_cast<std::uint32_t>(to.nodes.tag_index.size()));
}

void Model::add_apps(Scope scope, const std::vector<std::uint32_t>& left, bool up, cli::InstanceData& to, Words& words) const {
  cli::AppsData& apps = to.apps;
  const auto begin = [](std::vector<std::uint32_t>& row, const std::vector<std::uint32_t>& index) {
    row.push_back(static_cast<std::uint32_t>(index.size()));
  };
  for (std::size_t i = 0; i < cluster.apps.size(); ++i) {
    const App& app = cluster.apps[i];
    apps.names.push_back(app.title);
    apps.replicas.push_back(static_cast<std::uint32_t>(app.replicas) - (left.empty() ? 0 : left[i]));
    for (const double amount : demands(app.requests, up)) apps.demand.push_back(amount);
    apps.priority.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(app.priority, -2147483648LL, 2147483647LL)));
    begin(apps.tag_begin, apps.tag_index);
    begin(apps.only_begin, apps.only_index);
    begin(apps.not_begin, apps.not_index);
    for (const int tag : app_tags[i]) apps.tag_index.push_back(word(tags[static_cast<std::size_t>(tag)], to, words));
    if (const int place = (scope == Scope::kFresh && !app.pinned ? new_place_of : place_of)[i]; place >= 0) {
      apps.only_index.push_back(word(in_word(static_cast<std::size_t>(place)), to, words));
      apps.not_index.push_back(word(out_word(static_cast<std::size_t>(place)), to, words));
    }
    // Planners leave what runs on closed nodes where it is. Nodes that somebody has closed are those to empty first.
    if (scope == Scope::kMoving) apps.not_index.push_back(word(kClosedWord, to, words));
    const bool held = (app.held || uncounted[i] != 0) && (scope == Scope::kMoving || scope == Scope::kRoom);
    for (const auto& [node, count] : app.running) {
      const wire::Residence one(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(node), count);
      if (scope != Scope::kFresh || app.pinned) to.running.push_back(one);
      if (app.pinned || held) to.pinned.push_back(one);
    }
  }
  begin(apps.tag_begin, apps.tag_index);
  begin(apps.only_begin, apps.only_index);
  begin(apps.not_begin, apps.not_index);
  auto& rows = to.limits;
  auto at = limits.begin();
  for (std::size_t i = 0; i <= cluster.apps.size(); ++i) {
    rows.row_begin.push_back(static_cast<std::uint32_t>(rows.app.size()));
    for (; at != limits.end() && at->first.first == static_cast<int>(i); ++at) {
      rows.app.push_back(static_cast<std::uint32_t>(at->first.second));
      rows.at_most.push_back(at->second);
    }
  }
  if (scope == Scope::kMoving) keep_nodes(to);
}

/// Keeps nodes in use whose emptying gains nothing, or that must stay. An app without demand that is pinned there does this.
void Model::keep_nodes(cli::InstanceData& to) const {
  std::vector<std::uint32_t> kept;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const bool stays =
        cluster.kinds[static_cast<std::size_t>(cluster.nodes[n].kind)].fixed() || !cluster.nodes[n].kept_by.empty();
    if (stays) kept.push_back(static_cast<std::uint32_t>(n));
  }
  if (kept.empty()) return;
  const auto app = static_cast<std::uint32_t>(to.apps.replicas.size());
  to.apps.names.emplace_back("nodes that stay");
  to.apps.replicas.push_back(static_cast<std::uint32_t>(kept.size()));
  to.apps.priority.push_back(0);
  to.apps.demand.insert(to.apps.demand.end(), resources.size(), 0.0);
  to.apps.tag_begin.push_back(to.apps.tag_begin.back());
  to.apps.only_begin.push_back(to.apps.only_begin.back());
  to.apps.not_begin.push_back(to.apps.not_begin.back());
  to.limits.row_begin.push_back(to.limits.row_begin.back());
  for (const std::uint32_t node : kept) {
    to.running.emplace_back(app, node, 1);
    to.pinned.emplace_back(app, node, 1);
  }
}

void Model::add_rules(Scope scope, cli::InstanceData& to, Words& words) const {
  for (const Group& group : groups) {
    cli::NodeGroupData& made = to.groups.emplace_back();
    made.name = group.name;
    if (!group.own_sets) {
      made.by_label = group.name;
      continue;
    }
    made.set_begin.push_back(0);
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      if (group.counts.nodes[n] == 0) continue;
      made.node.push_back(static_cast<std::uint32_t>(n));
      made.set_begin.push_back(static_cast<std::uint32_t>(made.node.size()));
      made.set_names.emplace_back(cluster.nodes[n].name);
    }
  }
  const auto tag = [&](int one) { return word(tags[static_cast<std::size_t>(one)], to, words); };
  for (const int k : rules_of(scope)) {
    const Rule& rule = rules[static_cast<std::size_t>(k)];
    cli::PlacementRuleData& made = to.rules.emplace_back();
    made.name = rule.text;
    made.hard = !rule.soft || scope == Scope::kMoving;
    made.weight = rule.weight;
    const int subject = scope == Scope::kFresh && rule.fresh_subject >= 0 ? rule.fresh_subject : rule.subject;
    // Nodes that are emptied count until they are gone, but preferences need not hold so long.
    if (rule.skew_of_nodes > 0 && (is_new(scope) || (scope == Scope::kMoving && rule.soft))) {
      // New nodes have at least one each.
      const std::uint32_t least = is_new(scope) ? std::min(rule.least_running, 1U) : rule.least;
      cli::CardinalityData& one = made.any_of.emplace_back().emplace_back();
      one.subject = one.target = {tag(subject)};
      one.max = least + rule.skew_of_nodes - 1;
      continue;
    }
    for (const auto& conjunction : rule.any_of) {
      auto& all = made.any_of.emplace_back();
      for (const Condition& condition : conjunction) {
        cli::CardinalityData& one = all.emplace_back();
        one.kind = condition.kind;
        one.subject = {tag(subject)};
        if (condition.target == Condition::kSubject) one.target = one.subject;
        if (condition.target >= 0) one.target = {tag(condition.target)};
        one.min = condition.min;
        one.max = condition.max;
        if (rule.group >= 0) one.group = static_cast<std::uint32_t>(rule.group);
      }
    }
  }
}

cli::InstanceData Model::instance(Scope scope, const std::vector<std::uint32_t>& left, bool up) const {
  cli::InstanceData to;
  Words words;
  to.name = "cluster";
  for (const int resource : resources) {
    const auto device = cluster.devices.find(resource);
    to.resources.push_back({cluster.from.resources.name(resource), cluster.from.resources.unit(resource),
                            device == cluster.devices.end() ? 0.0 : static_cast<double>(device->second)});
  }
  add_classes(scope, up, to);
  add_nodes(scope, up, to, words);
  add_apps(scope, left, up, to, words);
  add_rules(scope, to, words);
  return to;
}

}  // namespace stowage::k8s
