#include "capi/cli/library/places.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/names.h"

namespace stowage::cli {
namespace {

/// The app on whose row of limits an entry is.
std::optional<std::uint32_t> row_of_limit(std::size_t index, const wire::Instance& instance) {
  const wire::AffinityLimits& limits = *instance.limits();
  for (std::uint32_t row = 0; row + 1 < limits.row_begin()->size(); ++row) {
    if (index >= limits.row_begin()->Get(row) && index < limits.row_begin()->Get(row + 1)) return row;
  }
  return std::nullopt;
}

/// The length of a column of nodes x resources, with or without periods; 0 of any other column.
std::size_t node_cells(const std::string& column, const wire::Instance& instance) {
  const wire::Nodes* nodes = instance.nodes();
  if (nodes == nullptr) return 0;
  const auto size = [](const auto* values) { return values == nullptr ? std::size_t{0} : std::size_t{values->size()}; };
  if (column == "nodes.load") return size(nodes->load());
  if (column == "nodes.load_variance") return size(nodes->load_variance());
  return column == "nodes.daemon" ? size(nodes->daemon()) : 0;
}

/// What element `index` of the wire form's column `column` belongs to: "app web, memory, period 2 of 4"; empty where unknown.
std::string describe_element(const std::string& column, std::size_t index, const wire::Instance& instance) {
  const Names names(instance);
  const std::size_t resources = instance.resources()->size();
  const auto per_resource = [&](std::size_t items, std::size_t size) {
    const std::size_t width = items == 0 ? 0 : size / items;
    if (width == 0 || resources == 0 || width % resources != 0) return std::string();
    const std::size_t periods = width / resources;
    std::string text = ", " + names.resource(static_cast<std::uint32_t>(index % width / periods));
    if (periods > 1) text += ", period " + std::to_string(index % periods + 1) + " of " + std::to_string(periods);
    return text;
  };
  const auto app = [&](std::size_t position) { return "app " + names.app(static_cast<std::uint32_t>(position)); };
  const wire::Apps& apps = *instance.apps();
  const std::size_t app_count = apps.replicas()->size();
  if (column == "apps.replicas" || column == "apps.priority" || column == "apps.weight" || column == "apps.kind" ||
      column == "apps.names") {
    return index < app_count ? app(index) : std::string();
  }
  if (column == "apps.demand" && index < apps.demand()->size() && app_count > 0) {
    return app(index / (apps.demand()->size() / app_count)) + per_resource(app_count, apps.demand()->size());
  }
  if ((column == "apps.variance" || column == "apps.support_min" || column == "apps.support_max") && resources > 0 &&
      index < app_count * resources) {
    return app(index / resources) + per_resource(app_count, app_count * resources);
  }
  if (column == "limits.app" || column == "limits.at_most") {
    const std::optional<std::uint32_t> row = row_of_limit(index, instance);
    if (row && index < instance.limits()->app()->size()) {
      const std::uint32_t other = instance.limits()->app()->Get(static_cast<std::uint32_t>(index));
      return "a limit of " + app(*row) + " on " + (other == *row ? "itself" : app(other));
    }
  }
  const auto residence = [&](const auto* residences) {
    if (residences == nullptr || index >= residences->size()) return std::string();
    const wire::Residence* one = residences->Get(static_cast<std::uint32_t>(index));
    return app(one->app()) + " on node " + names.listed(one->node());
  };
  if (column == "running") return residence(instance.running());
  if (column == "pinned") return residence(instance.pinned());
  if (column == "classes") return "class " + names.node_class(static_cast<std::uint32_t>(index));
  if (column == "nodes.node_class" || column == "nodes.names" || column == "nodes.closed") {
    return "node " + names.listed(static_cast<std::uint32_t>(index));
  }
  if (const std::size_t cells = node_cells(column, instance); index < cells) {
    const std::size_t nodes = instance.nodes()->node_class()->size();
    return "node " + names.listed(static_cast<std::uint32_t>(index / (cells / nodes))) + per_resource(nodes, cells);
  }
  return {};
}

std::string element(const char* list, std::size_t index) { return list + ("[" + std::to_string(index) + "]"); }

/// A part of a rule. JSON has the conditions of a rule with one list of them in "all_of", and lists of several in "any_of".
std::string rule_path(std::size_t index, std::string_view tail, const wire::Instance& instance) {
  constexpr std::string_view kFirst = ".any_of[0]";
  constexpr std::string_view kAll = ".all_of";
  const std::string rule = element("rules", index);
  const bool one_list = instance.rules()->Get(static_cast<std::uint32_t>(index))->any_of()->size() == 1;
  if (one_list && tail.starts_with(kFirst)) {
    tail.remove_prefix(kFirst.size());
    return rule + std::string(tail.starts_with(kAll) ? "" : kAll) + std::string(tail);
  }
  const std::size_t all = tail.find(kAll);
  if (all == std::string_view::npos) return rule + std::string(tail);
  return rule + std::string(tail.substr(0, all)) + std::string(tail.substr(all + kAll.size()));
}

/// A part of a class, such as "classes[0].daemon[3]", with the name of the resource in place of its position.
std::string class_path(std::size_t index, std::string_view tail, const wire::Instance& instance) {
  const std::size_t open = tail.find('[');
  std::string path = element("classes", index) + std::string(tail.substr(0, open));
  if (open == std::string_view::npos) return path;
  const auto cell = parse_whole(tail.substr(open + 1, tail.find(']', open) - open - 1));
  const auto* daemon = instance.classes()->Get(static_cast<std::uint32_t>(index))->daemon();
  const std::size_t resources = instance.resources()->size();
  const bool over_periods = tail.starts_with(".daemon") && daemon != nullptr && daemon->size() > resources;
  const std::uint64_t resource = cell.value_or(0) / (over_periods ? daemon->size() / resources : 1);
  return path + path_member(Names(instance).resource(static_cast<std::uint32_t>(resource)));
}

/// A number of the table of side effects.
std::string interference_path(const std::string& column, std::size_t index, const wire::Instance& instance) {
  if (column.ends_with(".max_cost")) {
    const auto* kinds = instance.interference()->kinds();
    const bool named = kinds != nullptr && index < kinds->size();
    return column + path_member(named ? Names(instance).kind(static_cast<std::uint32_t>(index)) : std::to_string(index));
  }
  if (!column.ends_with(".coefficient")) return {};
  std::size_t kinds = 1;
  while (kinds * kinds < instance.interference()->coefficient()->size()) ++kinds;
  return column + "[" + std::to_string(index / kinds) + "][" + std::to_string(index % kinds) + "]";
}

/// The path in JSON of element `index` of a column, of which `tail` follows; empty where it is not known.
std::string json_path(const std::string& column, std::size_t index, std::string_view tail, const wire::Instance& instance) {
  const Names names(instance);
  const std::size_t app_count = instance.apps()->replicas()->size();
  if (column == "limits.app" || column == "limits.at_most") {
    const std::optional<std::uint32_t> row = row_of_limit(index, instance);
    if (!row || index >= instance.limits()->app()->size()) return {};
    const std::uint32_t other = instance.limits()->app()->Get(static_cast<std::uint32_t>(index));
    return element("apps", *row) + (other == *row ? ".max_per_node" : ".limits" + path_member(names.app(other)));
  }
  const auto residence = [&](const char* key, const auto* residences) {
    if (residences == nullptr || index >= residences->size()) return std::string();
    const wire::Residence& one = *residences->Get(static_cast<std::uint32_t>(index));
    return element("nodes", one.node()) + key + path_member(names.app(one.app()));
  };
  if (column == "running") return residence(".running", instance.running());
  if (column == "pinned") return residence(".pinned", instance.pinned());
  if (column == "nodes.node_class") return element("nodes", index) + ".class";
  if (column == "rules" && instance.rules() != nullptr && index < instance.rules()->size()) {
    return rule_path(index, tail, instance);
  }
  if (column == "classes" && index < instance.classes()->size()) return class_path(index, tail, instance);
  if (column.starts_with("interference.") && instance.interference() != nullptr) {
    return interference_path(column, index, instance);
  }
  const auto with_resource = [&](const char* list, const char* key, std::size_t items, const auto* values) {
    const std::size_t resources = instance.resources()->size();
    if (values == nullptr || items == 0 || resources == 0 || index >= values->size()) return std::string();
    const std::size_t width = values->size() / items;
    const std::size_t resource = index % width / std::max<std::size_t>(1, width / resources);
    return element(list, index / width) + key + path_member(names.resource(static_cast<std::uint32_t>(resource)));
  };
  if (column == "apps.demand") return with_resource("apps", ".demand", app_count, instance.apps()->demand());
  if (column == "apps.support_min") return with_resource("apps", ".support", app_count, instance.apps()->support_min());
  if (column == "apps.support_max") return with_resource("apps", ".support", app_count, instance.apps()->support_max());
  // Written as a variance or as a deviation.
  if (column == "apps.variance") return element("apps", index / std::max<std::size_t>(1, instance.resources()->size()));
  if (column == "nodes.load" && instance.nodes() != nullptr) {
    return with_resource("nodes", ".load", instance.nodes()->node_class()->size(), instance.nodes()->load());
  }
  // The daemon load may be that of the class.
  if (const std::size_t cells = node_cells(column, instance); index < cells) {
    return element("nodes", index / (cells / instance.nodes()->node_class()->size()));
  }
  for (const char* list : {"apps", "nodes"}) {
    for (const char* key : {".replicas", ".priority", ".weight", ".kind", ".closed"}) {
      if (column == list + std::string(key)) return element(list, index) + key;
    }
  }
  return {};
}

}  // namespace

std::string place_of(const std::string& path, const wire::Instance& instance, bool from_json) {
  const std::size_t open = path.find('[');
  const std::size_t close = path.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return path;
  const auto index = parse_whole(std::string_view(path).substr(open + 1, close - open - 1));
  if (!index) return path;
  const std::string column = path.substr(0, open);
  const std::string_view tail = std::string_view(path).substr(close + 1);
  const std::string there = from_json ? json_path(column, static_cast<std::size_t>(*index), tail, instance) : std::string();
  const std::string about = describe_element(column, static_cast<std::size_t>(*index), instance);
  return (there.empty() ? path : there) + (about.empty() ? about : " (" + about + ")");
}

}  // namespace stowage::cli
