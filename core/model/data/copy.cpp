#include "core/model/data/copy.h"

#include "core/base/watched.h"

namespace stowage {

InstanceData copy_of(const InstanceData& data, WatchRef watch) {
  const auto column = [&](const auto& values) { return watched_copy(std::span(values), watch); };
  const auto rows = [&](const IndexRows& from) { return IndexRows{column(from.begin), column(from.index)}; };
  InstanceData to;
  to.name = data.name;
  to.resources = data.resources;
  to.periods = data.periods;
  to.app_names = column(data.app_names);
  to.replicas = column(data.replicas);
  to.demand = column(data.demand);
  to.variance = column(data.variance);
  to.support_min = column(data.support_min);
  to.support_max = column(data.support_max);
  to.kind = column(data.kind);
  to.app_tags = rows(data.app_tags);
  to.app_only = rows(data.app_only);
  to.app_not = rows(data.app_not);
  visit_app_numbers([&](const char*, auto numbers, auto, bool) { to.*numbers = column(data.*numbers); });
  to.classes = column(data.classes);
  to.node_class = column(data.node_class);
  to.node_names = column(data.node_names);
  to.load = column(data.load);
  to.load_variance = column(data.load_variance);
  to.closed = column(data.closed);
  to.node_tags = rows(data.node_tags);
  to.daemon = column(data.daemon);
  to.running = column(data.running);
  to.pinned = column(data.pinned);
  to.tags = column(data.tags);
  to.groups = column(data.groups);
  to.rules = column(data.rules);
  to.has_uncertainty = data.has_uncertainty;
  to.uncertainty = data.uncertainty;
  to.has_interference = data.has_interference;
  to.interference = data.interference;
  to.traffic = column(data.traffic);
  return to;
}

}  // namespace stowage
