#include "core/domains/domains.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/model/labels.h"

namespace stowage {
namespace {

/// Above so many questions, domains that apps cannot do without are not looked for.
constexpr std::uint64_t kMostAdmissions = 100'000'000;

/// Domains that some app cannot do without: no node elsewhere admits it.
void find_needed(const Instance& instance, const Domains& domains, std::vector<DomainRoom>& rooms) {
  const Eligibility& eligibility = instance.eligibility();
  const std::uint64_t questions = std::uint64_t{eligibility.groups()} * (instance.listed_nodes() + instance.classes());
  if (!eligibility.any() || questions > kMostAdmissions) return;
  // What is where no node admits it may stay there.
  std::vector<std::uint8_t> strays(instance.apps(), 0);
  for (const auto* list : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& r : *list) {
      if (!instance.admits(r.app, r.node, instance.data().node_class[r.node])) strays[r.app] = 1;
    }
  }
  std::vector<AppId> of_group(eligibility.groups(), kNone);
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (instance.replicas(app) > 0 && strays[app] == 0) of_group[eligibility.group(app)] = app;
  }
  for (const AppId app : of_group) {
    if (app == kNone) continue;
    std::uint32_t only = kNone;
    bool has_choice = false;
    const auto see = [&](NodeId listed, ClassId c) {
      if (has_choice || !instance.admits(app, listed, c)) return;
      const auto of = domains.of(listed, c);
      has_choice = of.size() != 1 || (only != kNone && only != of[0]);
      if (!has_choice) only = of[0];
    };
    for (NodeId n = 0; n < instance.listed_nodes() && !has_choice; ++n) see(n, instance.data().node_class[n]);
    for (ClassId c = 0; c < instance.classes() && !has_choice; ++c) see(kNone, c);
    if (!has_choice && only != kNone) rooms[only].mandatory = true;
  }
}

}  // namespace

Domains::Domains(const Instance& instance, std::string_view key) {
  std::unordered_map<std::string_view, std::uint32_t> index;
  const auto add_row = [&](IndexRows& rows, NodeId listed, ClassId c) {
    visit_values(instance, listed, c, key, [&](std::string_view value) {
      const auto [at, fresh] = index.try_emplace(value, count());
      if (fresh) names_.push_back(value);
      const auto begin = rows.index.begin() + rows.begin.back();
      if (std::find(begin, rows.index.end(), at->second) == rows.index.end()) rows.index.push_back(at->second);
    });
    rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
  };
  of_listed_.begin.push_back(0);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) add_row(of_listed_, n, instance.data().node_class[n]);
  of_class_.begin.push_back(0);
  for (ClassId c = 0; c < instance.classes(); ++c) add_row(of_class_, kNone, c);
}

std::vector<std::uint8_t> used_domains(const Instance& instance, const Domains& domains, const Plan& plan) {
  std::vector<std::uint8_t> used(domains.count(), 0);
  const auto use = [&](NodeId listed, ClassId c) {
    for (const std::uint32_t domain : domains.of(listed, c)) used[domain] = 1;
  };
  for (const Placed& placed : plan.placed) {
    const PlannedNode& node = plan.nodes[placed.node];
    use(node.listed, node.node_class);
  }
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (instance.is_loaded(n)) use(n, instance.data().node_class[n]);
  }
  return used;
}

std::uint32_t domains_in_use(const Instance& instance, const Domains& domains, const Plan& plan) {
  const std::vector<std::uint8_t> used = used_domains(instance, domains, plan);
  return static_cast<std::uint32_t>(std::count(used.begin(), used.end(), 1));
}

DomainRooms::DomainRooms(const Instance& instance, const Supply& supply, const Domains& domains)
    : of(domains.count()), elsewhere(instance.dims(), 0), demand(supply.total_demand().begin(), supply.total_demand().end()) {
  const InstanceData& data = instance.data();
  for (DomainRoom& room : of) room.carries.assign(instance.dims(), 0);
  const auto add = [&](const Supply::Group& group, std::uint64_t count, std::vector<std::int64_t>& sum) {
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      const std::int64_t one = group.carries[h];
      // So that nothing overflows.
      const std::int64_t missing = demand[h] - sum[h];
      const bool fills = one > 0 && (count == Supply::kEndless || count > static_cast<std::uint64_t>(missing / one));
      sum[h] = fills ? demand[h] : std::min(demand[h], sum[h] + static_cast<std::int64_t>(count) * one);
    }
  };
  const auto add_node = [&](NodeId listed, ClassId c, const Supply::Group& group, std::uint64_t count) {
    const auto in = domains.of(listed, c);
    if (in.empty()) add(group, count, elsewhere);
    for (const std::uint32_t domain : in) add(group, count, of[domain].carries);
  };
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    add_node(n, data.node_class[n], supply.groups[supply.group_of[n]], 1);
  }
  for (const Supply::Group& group : supply.groups) {
    if (group.listed == kNone) add_node(kNone, group.node_class, group, group.count);
  }
  const std::vector<std::uint8_t> mandatory = mandatory_nodes(instance);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (mandatory[n] == 0) continue;
    for (const std::uint32_t domain : domains.of(n, data.node_class[n])) of[domain].mandatory = true;
  }
  for (const Residence& r : data.running) {
    const auto in = domains.of(r.node, data.node_class[r.node]);
    if (!in.empty()) of[in[0]].running += r.replicas;
  }
  find_needed(instance, domains, of);
}

bool DomainRooms::suffice(std::span<const std::uint8_t> kept) const {
  for (std::size_t h = 0; h < demand.size(); ++h) {
    std::int64_t missing = demand[h] - elsewhere[h];
    for (std::size_t d = 0; d < of.size() && missing > 0; ++d) missing -= kept[d] != 0 ? of[d].carries[h] : 0;
    if (missing > 0) return false;
  }
  return true;
}

std::uint32_t domain_bound(const DomainRooms& rooms, std::uint64_t moves) {
  std::vector<const DomainRoom*> others;
  for (const DomainRoom& room : rooms.of) {
    if (!room.mandatory) others.push_back(&room);
  }
  const auto mandatory = static_cast<std::uint32_t>(rooms.of.size() - others.size());
  std::uint32_t more = 0;
  for (std::size_t h = 0; h < rooms.demand.size(); ++h) {
    std::int64_t missing = rooms.demand[h] - rooms.elsewhere[h];
    std::vector<std::int64_t> largest;
    for (const DomainRoom& room : rooms.of) {
      if (room.mandatory) missing -= std::min(std::max<std::int64_t>(0, missing), room.carries[h]);
    }
    largest.reserve(others.size());
    for (const DomainRoom* room : others) largest.push_back(room->carries[h]);
    std::sort(largest.begin(), largest.end(), std::greater<>());
    std::uint32_t taken = 0;
    for (; taken < largest.size() && missing > 0; ++taken) missing -= largest[taken];
    more = std::max(more, taken);
  }
  std::vector<std::uint64_t> running;
  running.reserve(others.size());
  for (const DomainRoom* room : others) running.push_back(room->running);
  std::sort(running.begin(), running.end());
  std::uint32_t freed = 0;
  for (; freed < running.size() && running[freed] <= moves; ++freed) moves -= running[freed];
  return mandatory + std::max(more, static_cast<std::uint32_t>(others.size()) - freed);
}

std::optional<WithoutDomains> without_domains(const Instance& instance, const Domains& domains,
                                              std::span<const std::uint8_t> kept) {
  const auto is_left = [&](NodeId listed, ClassId c) {
    const auto in = domains.of(listed, c);
    return std::all_of(in.begin(), in.end(), [&](std::uint32_t domain) { return kept[domain] != 0; });
  };
  InstanceData data = instance.data();
  std::vector<std::uint32_t> listed_of(data.classes.size(), 0);
  data.closed.resize(instance.listed_nodes(), 0);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    ++listed_of[data.node_class[n]];
    if (!is_left(n, data.node_class[n])) data.closed[n] = 1;
  }
  std::erase_if(data.running, [&](const Residence& r) { return !is_left(r.node, data.node_class[r.node]); });
  std::vector<ClassId> class_of;
  std::vector<ClassId> new_class(data.classes.size(), kNone);
  std::vector<NodeClass> classes;
  for (ClassId c = 0; c < data.classes.size(); ++c) {
    const bool opens = is_left(kNone, c);
    if (!opens && listed_of[c] == 0) continue;
    if (!opens) data.classes[c].count = listed_of[c];
    new_class[c] = static_cast<ClassId>(class_of.size());
    class_of.push_back(c);
    classes.push_back(std::move(data.classes[c]));
  }
  if (classes.empty()) return std::nullopt;
  data.classes = std::move(classes);
  for (ClassId& c : data.node_class) c = new_class[c];
  Result<Instance> made = instance.with_columns(std::move(data));
  if (!made) return std::nullopt;
  return WithoutDomains{std::move(made.value()), std::move(class_of)};
}

}  // namespace stowage
