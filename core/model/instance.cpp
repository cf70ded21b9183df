#include "core/model/instance.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"
#include "core/base/watched.h"

namespace stowage {
Result<Instance> Instance::build(InstanceData data, const Limits& limits, Rules rules, WatchRef watch) {
  Instance instance;
  instance.data_ = std::move(data);
  instance.limits_ = limits;
  if (Error e = instance.freeze(rules, watch); failed(e)) return e;
  return instance;
}

Result<Instance> Instance::with_columns(InstanceData data, const Limits& limits, WatchRef watch) const {
  if (data.replicas.size() != data_.replicas.size()) return invalid("apps.replicas", "the number of apps stays");
  Instance instance;
  instance.data_ = std::move(data);
  instance.limits_ = limits;
  instance.limit_rows_ = limit_rows_;
  if (Error e = instance.freeze(Rules::kTogether, watch); failed(e)) return e;
  return instance;
}

Error Instance::freeze(Rules rules, WatchRef watch) {
  if (Error e = validate(watch); failed(e)) return e;
  if (limit_rows_ == nullptr) {
    auto rows = LimitRows::build(data_.limits, apps(), watch);
    if (!rows) return rows.error();
    limit_rows_ = std::make_shared<const LimitRows>(std::move(*rows));
  }
  if (Error e = check_self_limits(); failed(e)) return e;
  MemoryBudget budget(data_, limits_);
  if (Error e = take_cells(budget); failed(e)) return e;
  if (Error e = scale_all(watch); failed(e)) return e;
  if (Error e = check_start(watch); failed(e)) return e;
  if (Error e = check_max_cost(); failed(e)) return e;
  if (Error e = find_devices(watch); failed(e)) return e;
  if (rules == Rules::kTogether) {
    if (Error e = read_rules(budget, watch); failed(e)) return e;
  }
  find_features(watch);
  fingerprint_ = fingerprint_with(data_.limits, watch);
  data_.limits = {};
  return watch.ended() ? cancelled() : Error{};
}

Error Instance::find_devices(WatchRef watch) {
  auto table = DeviceTable::build(*this, watch);
  if (!table) return table.error();
  devices_ = std::move(*table);
  return {};
}

Error Instance::take_cells(MemoryBudget& budget) const {
  if (Error e = budget.take(std::uint64_t{apps()} * dims(), kAppCellBytes, "periods"); failed(e)) return e;
  if (Error e = budget.take(std::uint64_t{listed_nodes()} * dims(), kNodeCellBytes, "periods"); failed(e)) return e;
  return has_daemons() ? budget.take(std::uint64_t{classes()} * dims(), kNodeCellBytes, "periods") : Error{};
}

Error Instance::read_rules(MemoryBudget& budget, WatchRef watch) {
  app_tags_ = all_app_tags(data_, watch);
  if (watch.look()) return cancelled();
  applications_ = applications(data_, app_tags_, watch);
  if (watch.ended()) return cancelled();
  auto rules = effective_rules(data_, app_tags_, rule_conflicts_, watch);
  if (!rules) return rules.error();
  if (watch.look()) return cancelled();
  rules_ = std::move(*rules);
  const std::vector<std::uint8_t> is_selector = find_selectors(data_, rules_, app_tags_, watch);
  if (watch.look()) return cancelled();
  auto eligibility = Eligibility::build(data_, limits_, budget, rules_, is_selector, app_tags_, watch);
  if (!eligibility) return eligibility.error();
  if (watch.look()) return cancelled();
  eligibility_ = std::move(*eligibility);
  auto model = TagModel::build(data_, limits_, budget, rules_, app_tags_, is_selector, watch);
  if (!model) return model.error();
  if (watch.look()) return cancelled();
  tag_model_ = std::move(*model);
  return {};
}

double Instance::spread(AppId app, ResourceId resource) const {
  const std::size_t cell = std::size_t{app} * resources() + resource;
  if (data_.uncertainty.model == ChanceModel::kBoundedSupport) {
    if (data_.support_min.empty()) return 0;
    const double width = data_.support_max[cell] - data_.support_min[cell];
    return width * width;
  }
  return data_.variance.empty() ? 0 : data_.variance[cell];
}

double Instance::load_spread(NodeId listed, ResourceId resource) const {
  return data_.load_variance.empty() ? 0 : data_.load_variance[std::size_t{listed} * resources() + resource];
}

void Instance::find_features(WatchRef watch) {
  const auto set = [this](Feature feature, bool used) {
    if (used) features_ = features_ | feature;
  };
  set(Feature::kPeriods, periods_ > 1);
  set(Feature::kNodeClasses, classes() > 1);
  set(Feature::kFiniteNodes,
      std::any_of(data_.classes.begin(), data_.classes.end(), [](const NodeClass& c) { return c.count > 0; }));
  set(Feature::kPrices, has_prices_);
  set(Feature::kExistingLoad, !in_pieces(std::span<const double>(data_.load), watch, [](std::span<const double> piece) {
        return std::none_of(piece.begin(), piece.end(), [](double v) { return v > 0; });
      }));
  set(Feature::kRunning, !data_.running.empty());
  set(Feature::kPins, !data_.pinned.empty());
  set(Feature::kClosedNodes, std::find(data_.closed.begin(), data_.closed.end(), 1) != data_.closed.end());
  set(Feature::kAffinityLimits, limit_rows_->arc_count() > 0);
  set(Feature::kSelfLimits, limit_rows_->self_limit_count() > 0);
  set(Feature::kPriorities,
      std::any_of(data_.priority.begin(), data_.priority.end(), [&](std::int32_t p) { return p != data_.priority[0]; }));
  set(Feature::kUncertainDemand, uncertain());
  set(Feature::kPlacementRules, !tag_model_.empty());
  const std::vector<double>& most = data_.interference.max_cost;
  set(Feature::kInterference, std::any_of(most.begin(), most.end(), [](double v) { return std::isfinite(v); }));
  set(Feature::kEligibility, eligibility_.any());
  set(Feature::kDevices, !devices_.empty());
}

Instance Instance::with_max_cost(double most) const {
  Instance other = *this;
  std::vector<double>& limits = other.data_.interference.max_cost;
  if (limits.empty()) limits.assign(kinds(), most);
  for (double& limit : limits) limit = std::min(limit, most);
  other.find_features();
  return other;
}

std::uint64_t Instance::fingerprint_with(const LimitColumns& columns, WatchRef watch) const {
  Hash h;
  const auto texts = [&](const std::vector<std::string>& list) {
    h.add(list.size());
    for (const std::string& text : list) {
      h.add_text(text);
      if (watch.step(4)) return;
    }
  };
  const auto column = [&](const auto& values) { h.add_column(std::span(values), watch); };
  const auto rows = [&column](const IndexRows& r) {
    column(r.begin);
    column(r.index);
  };
  h.add_text(data_.name);
  for (const Resource& r : data_.resources) {
    h.add_text(r.name);
    h.add_text(r.unit);
  }
  h.add(data_.periods);
  texts(data_.app_names);
  column(data_.replicas);
  column(data_.demand);
  column(data_.priority);
  column(data_.variance);
  column(data_.support_min);
  column(data_.support_max);
  column(data_.kind);
  rows(data_.app_tags);
  // Columns that came later count where they are given: without them, an instance keeps its fingerprint.
  const auto later = [&](std::string_view name, const IndexRows& r) {
    if (r.empty()) return;
    h.add_text(name);
    rows(r);
  };
  later("only", data_.app_only);
  later("not", data_.app_not);
  if (has_daemons()) {
    h.add_text("daemon");
    for (const NodeClass& c : data_.classes) column(c.daemon);
    column(data_.daemon);
  }
  for (const NodeClass& c : data_.classes) {
    h.add_text(c.name);
    column(c.capacity);
    h.add(c.count);
    column(std::vector<double>{c.price});
    texts(c.labels);
  }
  column(data_.node_class);
  texts(data_.node_names);
  column(data_.load);
  column(data_.load_variance);
  column(data_.closed);
  rows(data_.node_tags);
  h.add_column(columns.row_begin, watch);
  h.add_column(columns.app, watch);
  h.add_column(columns.at_most, watch);
  column(data_.running);
  column(data_.pinned);
  texts(data_.tags);
  for (const NodeGroup& g : data_.groups) {
    h.add_text(g.name);
    rows(g.sets);
    texts(g.set_names);
    h.add_text(g.by_label);
  }
  for (const PlacementRule& rule : data_.rules) {
    h.add_text(rule.name);
    h.add((rule.hard ? 1u : 0u) | (rule.from_operator ? 2u : 0u));
    column(std::vector<double>{rule.weight});
    for (const auto& conjunction : rule.any_of) {
      h.add(conjunction.size());
      for (const Cardinality& part : conjunction) {
        column(part.subject);
        column(part.target);
        column(std::vector<std::uint32_t>{part.min, part.max, part.group, static_cast<std::uint32_t>(part.kind),
                                          part.negated ? 1u : 0u});
      }
    }
  }
  if (data_.has_uncertainty) {
    h.add(static_cast<std::uint64_t>(data_.uncertainty.model));
    column(std::vector<double>{data_.uncertainty.confidence, data_.uncertainty.factor});
  }
  if (data_.has_interference) {
    texts(data_.interference.kinds);
    column(data_.interference.coefficient);
    if (data_.interference.resource != 0 || !data_.interference.max_cost.empty()) {
      h.add_text("max_cost");
      h.add(data_.interference.resource);
      column(data_.interference.max_cost);
    }
  }
  if (std::any_of(data_.resources.begin(), data_.resources.end(), [](const Resource& r) { return r.device != 0; })) {
    h.add_text("device");
    for (const Resource& r : data_.resources) column(std::vector<double>{r.device});
  }
  visit_app_numbers([&](std::string_view name, auto numbers, auto, bool) {
    if (name == "priority" || (data_.*numbers).empty()) return;
    h.add_text(name);
    column(data_.*numbers);
  });
  if (!data_.traffic.empty()) {
    h.add_text("traffic");
    for (const Traffic& one : data_.traffic) {
      h.add(std::uint64_t{one.app} << 32 | one.peer);
      column(std::vector<double>{one.amount});
      if (watch.step(8)) break;
    }
  }
  return h.value();
}

std::size_t Instance::memory_bytes() const {
  return data_.demand.capacity() * 8 + demand_range_.capacity() * sizeof(DemandRange) + data_.replicas.capacity() * 4 +
         demand16_.capacity() * 2 + demand32_.capacity() * 4 + limit_rows_->memory_bytes();
}

}  // namespace stowage
