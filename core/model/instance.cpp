#include "core/model/instance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/amounts.h"
#include "core/base/hash.h"
#include "core/base/quantile.h"

namespace stowage {
namespace {

const Error kFine;

/// Largest factor before a standard deviation: beyond it, nothing uncertain would fit anywhere.
constexpr double kLargestFactor = 1e6;
/// Units of risk that a node may hold: leaves room to add one replica's on top.
constexpr std::int64_t kMostRisk = std::int64_t{1} << 61;
/// Nodes that hold more than so many times the largest square of a capacity as risk at the start may be refused.
constexpr double kMostRiskOverload = 0x1p20;

Error check_length(std::size_t length, std::size_t wanted, const char* path, const char* what) {
  if (length == 0 || length == wanted) return kFine;
  return invalid(path, "has " + std::to_string(length) + " entries; " + what + " is " + std::to_string(wanted));
}

Error check_unique(const std::vector<std::string>& names, const char* path) {
  std::unordered_set<std::string_view> seen(names.size() * 2);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!seen.insert(names[k]).second) return invalid(indexed(path, k), "the name \"" + names[k] + "\" stands twice");
  }
  return kFine;
}

Error check_rows(const IndexRows& rows, std::size_t count, std::size_t targets, const char* begin, const char* index) {
  if (rows.begin.empty() && rows.index.empty()) return kFine;
  if (rows.begin.size() != count + 1) return invalid(begin, "needs one start per row and the end");
  if (rows.begin[0] != 0) return invalid(indexed(begin, 0), "the first row does not start at 0");
  for (std::size_t k = 0; k < count; ++k) {
    if (rows.begin[k + 1] < rows.begin[k] || rows.begin[k + 1] > rows.index.size()) {
      return invalid(indexed(begin, k + 1), "row starts decrease or pass the end of the entries");
    }
  }
  if (rows.begin[count] != rows.index.size())
    return invalid(indexed(begin, count), "the last row does not end at the last entry");
  for (std::size_t k = 0; k < rows.index.size(); ++k) {
    if (rows.index[k] >= targets) return invalid(indexed(index, k), "there is nothing with this index");
  }
  return kFine;
}

Error check_tags(std::span<const std::uint32_t> tags, std::size_t count, const std::string& path) {
  for (std::size_t k = 0; k < tags.size(); ++k) {
    if (tags[k] >= count) return invalid(indexed(path.c_str(), k), "there is no tag with this index");
  }
  return kFine;
}

// Whether some row of `width` equal-resource entries changes over its periods.
bool varies(std::span<const double> values, std::uint32_t periods) {
  for (std::size_t row = 0; row + periods <= values.size(); row += periods) {
    for (std::uint32_t t = 1; t < periods; ++t) {
      if (values[row + t] != values[row]) return true;
    }
  }
  return false;
}

Error check_rules(const InstanceData& data) {
  for (std::size_t r = 0; r < data.rules.size(); ++r) {
    const PlacementRule& rule = data.rules[r];
    const std::string path = indexed("rules", r);
    if (!(rule.weight >= 0) || std::isinf(rule.weight)) return invalid(path + ".weight", "not a finite number >= 0");
    if (rule.any_of.empty()) return invalid(path + ".any_of", "a rule needs at least one conjunction");
    for (std::size_t c = 0; c < rule.any_of.size(); ++c) {
      const std::string conjunction = path + "." + indexed("any_of", c);
      if (rule.any_of[c].empty()) return invalid(conjunction + ".all_of", "a conjunction needs at least one constraint");
      for (std::size_t k = 0; k < rule.any_of[c].size(); ++k) {
        const Cardinality& part = rule.any_of[c][k];
        const std::string at = conjunction + "." + indexed("all_of", k);
        if (part.subject.empty()) return invalid(at + ".subject", "a constraint needs at least one subject tag");
        if (Error e = check_tags(part.subject, data.tags.size(), at + ".subject"); failed(e)) return e;
        if (Error e = check_tags(part.target, data.tags.size(), at + ".target"); failed(e)) return e;
        if (part.kind == CardinalityKind::kReplicas && part.target.empty()) {
          return invalid(at + ".target", "a constraint on replicas needs at least one target tag");
        }
        if (part.min > part.max) return invalid(at + ".min", "min is above max");
        if (part.group != kNone && part.group >= data.groups.size()) return invalid(at + ".group", "there is no such group");
      }
    }
  }
  return kFine;
}

Error check_uncertainty(const InstanceData& data) {
  const std::size_t cells = data.replicas.size() * data.resources.size();
  const std::size_t node_cells = data.node_class.size() * data.resources.size();
  if (Error e = check_length(data.variance.size(), cells, "apps.variance", "apps x resources"); failed(e)) return e;
  if (Error e = check_amounts(data.variance, "apps.variance"); failed(e)) return e;
  if (Error e = check_length(data.load_variance.size(), node_cells, "nodes.load_variance", "nodes x resources"); failed(e))
    return e;
  if (Error e = check_amounts(data.load_variance, "nodes.load_variance"); failed(e)) return e;
  if (data.support_min.size() != data.support_max.size()) {
    return invalid("apps.support_max", "support_min and support_max go together");
  }
  if (Error e = check_length(data.support_min.size(), cells, "apps.support_min", "apps x resources"); failed(e)) return e;
  if (Error e = check_amounts(data.support_min, "apps.support_min"); failed(e)) return e;
  if (Error e = check_amounts(data.support_max, "apps.support_max"); failed(e)) return e;
  for (std::size_t k = 0; k < data.support_min.size(); ++k) {
    if (data.support_min[k] > data.support_max[k]) return invalid(indexed("apps.support_min", k), "above support_max");
  }
  for (std::size_t k = 0; k < data.load_variance.size(); ++k) {
    if (data.load_variance[k] == 0) continue;
    const std::size_t width = data.load.size() / std::max<std::size_t>(1, data.load_variance.size());
    const auto first = data.load.begin() + static_cast<std::ptrdiff_t>(k * width);
    if (width == 0 || std::all_of(first, first + static_cast<std::ptrdiff_t>(width), [](double v) { return v == 0; })) {
      return invalid(indexed("nodes.load_variance", k), "a load of 0 does not vary");
    }
  }
  const Uncertainty& u = data.uncertainty;
  if (!(u.confidence > 0 && u.confidence < 1)) return invalid("uncertainty.confidence", "not between 0 and 1");
  if (u.model == ChanceModel::kGaussian && u.confidence < 0.5) {
    return invalid("uncertainty.confidence", "below 0.5: a node would be filled beyond its mean demand");
  }
  if (u.model == ChanceModel::kBoundedSupport && data.support_min.empty() && cells > 0) {
    return invalid("apps.support_min", "the bounded-support model needs the supports of all demand");
  }
  if (!(u.factor >= 0) || u.factor > kLargestFactor) return invalid("uncertainty.factor", "not between 0 and 1e6");
  return kFine;
}

Error check_interference(const InstanceData& data) {
  if (!data.has_interference) {
    if (!data.kind.empty()) return invalid("apps.kind", "kinds are given, but the instance has no interference table");
    return kFine;
  }
  const std::size_t kinds = data.interference.kind_count;
  if (data.interference.coefficient.size() != kinds * kinds || kinds == 0) {
    return invalid("interference.coefficient", "needs kinds x kinds entries, at least one");
  }
  if (Error e = check_amounts(data.interference.coefficient, "interference.coefficient"); failed(e)) return e;
  if (!data.interference.kinds.empty() && data.interference.kinds.size() != kinds) {
    return invalid("interference.kinds", "needs one name per kind");
  }
  if (data.kind.size() != data.replicas.size()) return invalid("apps.kind", "needs one kind per app");
  for (std::size_t k = 0; k < data.kind.size(); ++k) {
    if (data.kind[k] >= kinds) return invalid(indexed("apps.kind", k), "there is no kind with this index");
  }
  return kFine;
}

bool varies_at_random(const Instance& instance, ResourceId resource) {
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (instance.spread(i, resource) > 0) return true;
  }
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (instance.load_spread(n, resource) > 0) return true;
  }
  return false;
}

Error check_residences(const std::vector<Residence>& list, const InstanceData& data, const char* name) {
  std::unordered_set<std::uint64_t> seen(list.size() * 2);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string path = indexed(name, k);
    if (list[k].app >= data.replicas.size()) return invalid(path + ".app", "there is no app with this index");
    if (list[k].node >= data.node_class.size()) return invalid(path + ".node", "there is no listed node with this index");
    if (list[k].replicas == 0) return invalid(path + ".replicas", "no replicas");
    if (!seen.insert((std::uint64_t{list[k].app} << 32) | list[k].node).second) {
      return invalid(path, "this app and node stand twice");
    }
  }
  return kFine;
}

}  // namespace

Result<Instance> Instance::build(InstanceData data, const Limits& limits) {
  Instance instance;
  instance.data_ = std::move(data);
  instance.limits_ = limits;
  if (Error e = instance.validate(); failed(e)) return e;
  auto rows = LimitRows::build(instance.data_.limits, instance.apps());
  if (!rows) return rows.error();
  instance.limit_rows_ = std::move(*rows);
  if (instance.limit_rows_.self_limit_count() > 0) {
    const LimitColumns& columns = instance.data_.limits;
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (instance.limit_rows_.self_limit(i) != 0 || instance.replicas(i) == 0) continue;
      const auto first = columns.app.begin() + columns.row_begin[i];
      const auto self = std::find(first, columns.app.begin() + columns.row_begin[i + 1], i);
      return invalid(indexed("limits.at_most", static_cast<std::size_t>(self - columns.app.begin())),
                     "the app wants replicas, but its own limit allows none");
    }
  }
  if (Error e = instance.scale_all(); failed(e)) return e;
  if (Error e = instance.scale_risks(); failed(e)) return e;
  if (Error e = instance.check_start(); failed(e)) return e;
  if (Error e = instance.read_rules(); failed(e)) return e;
  instance.find_features();
  instance.hash(instance.data_.limits);
  instance.data_.limits = {};
  return instance;
}

Error Instance::validate() {
  const InstanceData& d = data_;
  const std::size_t apps = d.replicas.size();
  if (d.resources.empty()) return invalid("resources", "an instance needs at least one resource");
  if (d.resources.size() > 256) return too_large("resources", "more than 256 resources");
  if (d.periods == 0) return invalid("periods", "an instance needs at least one period");
  if (d.classes.empty()) return invalid("classes", "an instance needs at least one node class");
  if (apps > limits_.max_apps) return too_large("apps.replicas", "more apps than max_apps allows");
  if (d.node_class.size() > limits_.max_nodes) return too_large("nodes.node_class", "more listed nodes than max_nodes allows");
  if (d.limits.app.size() > limits_.max_limits) return too_large("limits.app", "more affinity limits than max_limits allows");

  std::vector<std::string> resource_names;
  for (const Resource& r : d.resources) resource_names.push_back(r.name);
  if (Error e = check_unique(resource_names, "resources"); failed(e)) return e;

  const std::uint64_t constant_cells = std::uint64_t{apps} * d.resources.size();
  // Lengths are below 2^31 each, so the products stay below 2^63.
  if (d.periods > limits_.max_cells || constant_cells > limits_.max_cells) {
    return too_large("apps.demand", "more demand entries than max_cells allows");
  }
  const std::uint64_t profile_cells = constant_cells * d.periods;
  if (d.demand.size() != constant_cells && d.demand.size() != profile_cells) {
    return invalid("apps.demand", "has " + std::to_string(d.demand.size()) + " entries; apps x resources is " +
                                      std::to_string(constant_cells) + ", times periods " + std::to_string(profile_cells));
  }
  if (d.demand.size() > limits_.max_cells) return too_large("apps.demand", "more demand entries than max_cells allows");
  if (Error e = check_amounts(d.demand, "apps.demand"); failed(e)) return e;
  demand_varies_ = d.demand.size() == profile_cells && d.periods > 1;

  for (std::size_t i = 0; i < apps; ++i) {
    total_replicas_ += d.replicas[i];
    if (total_replicas_ > limits_.max_replicas) {
      return too_large(indexed("apps.replicas", i), "more replicas in all than max_replicas allows");
    }
  }
  if (Error e = check_length(d.app_names.size(), apps, "apps.names", "the number of apps"); failed(e)) return e;
  if (Error e = check_unique(d.app_names, "apps.names"); failed(e)) return e;
  if (Error e = check_length(d.priority.size(), apps, "apps.priority", "the number of apps"); failed(e)) return e;
  if (Error e = check_rows(d.app_tags, apps, d.tags.size(), "apps.tag_begin", "apps.tag_index"); failed(e)) return e;

  std::size_t priced = 0;
  for (std::size_t c = 0; c < d.classes.size(); ++c) {
    const NodeClass& node_class = d.classes[c];
    const std::string path = indexed("classes", c);
    if (node_class.capacity.size() != d.resources.size()) return invalid(path + ".capacity", "needs one entry per resource");
    if (Error e = check_amounts(node_class.capacity, (path + ".capacity").c_str()); failed(e)) return e;
    if (std::all_of(node_class.capacity.begin(), node_class.capacity.end(), [](double v) { return v == 0; })) {
      return invalid(path + ".capacity", "the class has no capacity in any resource");
    }
    if (std::isnan(node_class.price) || std::isinf(node_class.price)) return invalid(path + ".price", "not a finite number");
    if (node_class.price >= 0) {
      ++priced;
      if (Error e = check_amount(node_class.price, path + ".price"); failed(e)) return e;
    }
  }
  if (priced != 0 && priced != d.classes.size()) {
    for (std::size_t c = 0; c < d.classes.size(); ++c) {
      if (d.classes[c].price < 0)
        return invalid(indexed("classes", c) + ".price", "other classes have a price, this one has none");
    }
  }
  has_prices_ = priced != 0;

  const std::size_t listed = d.node_class.size();
  std::vector<std::uint64_t> listed_of_class(d.classes.size(), 0);
  for (std::size_t n = 0; n < listed; ++n) {
    if (d.node_class[n] >= d.classes.size())
      return invalid(indexed("nodes.node_class", n), "there is no class with this index");
    const std::uint32_t count = d.classes[d.node_class[n]].count;
    if (++listed_of_class[d.node_class[n]] > count && count != 0) {
      return invalid(indexed("nodes.node_class", n), "more listed nodes of this class than its count");
    }
  }
  if (Error e = check_length(d.node_names.size(), listed, "nodes.names", "the number of listed nodes"); failed(e)) return e;
  if (Error e = check_unique(d.node_names, "nodes.names"); failed(e)) return e;
  if (Error e = check_length(d.closed.size(), listed, "nodes.closed", "the number of listed nodes"); failed(e)) return e;
  for (std::size_t n = 0; n < d.closed.size(); ++n) {
    if (d.closed[n] > 1) return invalid(indexed("nodes.closed", n), "neither 0 nor 1");
  }
  const std::uint64_t load_cells = std::uint64_t{listed} * d.resources.size();
  if (!d.load.empty() && d.load.size() != load_cells && d.load.size() != load_cells * d.periods) {
    return invalid("nodes.load", "needs listed nodes x resources entries, or that times periods");
  }
  if (Error e = check_amounts(d.load, "nodes.load"); failed(e)) return e;
  load_varies_ = !d.load.empty() && d.load.size() == load_cells * d.periods && d.periods > 1;
  if (Error e = check_rows(d.node_tags, listed, d.tags.size(), "nodes.tag_begin", "nodes.tag_index"); failed(e)) return e;

  if (Error e = check_residences(d.running, d, "running"); failed(e)) return e;
  if (Error e = check_residences(d.pinned, d, "pinned"); failed(e)) return e;

  if (Error e = check_unique(d.tags, "tags"); failed(e)) return e;
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    const NodeGroup& group = d.groups[g];
    const std::string path = indexed("groups", g);
    const std::size_t sets = group.sets.begin.empty() ? 0 : group.sets.begin.size() - 1;
    if (Error e = check_rows(group.sets, sets, listed, (path + ".set_begin").c_str(), (path + ".node").c_str()); failed(e))
      return e;
    if (Error e = check_length(group.set_names.size(), sets, (path + ".set_names").c_str(), "the number of sets"); failed(e))
      return e;
    if (sets > 0 && !group.by_label.empty())
      return invalid(path + ".by_label", "a group is given by sets or by a label, not both");
  }
  if (Error e = check_rules(d); failed(e)) return e;
  if (Error e = check_uncertainty(d); failed(e)) return e;
  if (Error e = check_interference(d); failed(e)) return e;

  const bool changes = (demand_varies_ && varies(d.demand, d.periods)) || (load_varies_ && varies(d.load, d.periods));
  periods_ = changes ? d.periods : 1;
  // Constant demand takes as much room as a profile where the load changes, and the other way round.
  if (constant_cells * periods_ > limits_.max_cells) return too_large("periods", "more demand entries than max_cells allows");
  if (load_cells * periods_ > limits_.max_cells)
    return too_large("nodes.node_class", "more load entries than max_cells allows");
  return kFine;
}

double Instance::heaviest_start(ResourceId resource) const {
  std::vector<double> held(std::size_t{listed_nodes()} * periods_, 0);
  for (NodeId n = 0; n < listed_nodes(); ++n) {
    for (std::uint32_t t = 0; t < periods_; ++t) held[std::size_t{n} * periods_ + t] = load(n, resource, t);
  }
  for (const std::vector<Residence>* list : {&data_.running, &data_.pinned}) {
    for (const Residence& r : *list) {
      for (std::uint32_t t = 0; t < periods_; ++t)
        held[std::size_t{r.node} * periods_ + t] += demand(r.app, resource, t) * r.replicas;
    }
  }
  return held.empty() ? 0 : *std::max_element(held.begin(), held.end());
}

Error Instance::scale_all() {
  const std::uint32_t width = resources();
  const std::uint32_t dim_count = dims();
  std::vector<double> amounts;
  std::vector<double> capacities;
  std::int64_t largest = 0;
  for (ResourceId r = 0; r < width; ++r) {
    amounts.clear();
    capacities.clear();
    for (AppId i = 0; i < apps(); ++i) {
      for (std::uint32_t t = 0; t < periods_; ++t) amounts.push_back(demand(i, r, t));
    }
    if (!data_.load.empty()) {
      for (NodeId n = 0; n < listed_nodes(); ++n) {
        for (std::uint32_t t = 0; t < periods_; ++t) amounts.push_back(load(n, r, t));
      }
    }
    for (const NodeClass& node_class : data_.classes) capacities.push_back(node_class.capacity[r]);
    // Where demand varies, what a capacity has beyond a multiple of all demands is of use: it goes into the unit.
    if (varies_at_random(*this, r)) amounts.insert(amounts.end(), capacities.begin(), capacities.end());
    scales_.push_back(Scale::choose(amounts, capacities, heaviest_start(r)));
    largest = std::max<std::int64_t>(largest, scales_[r].largest_capacity());
  }

  for (const NodeClass& node_class : data_.classes) {
    for (ResourceId r = 0; r < width; ++r) scaled_capacity_.push_back(scales_[r].capacity(node_class.capacity[r]));
  }
  // One value is kept free on top for "larger than any node", and one at the bottom for lanes that hold no node.
  narrow_ = largest < std::numeric_limits<std::int16_t>::max();

  // What listed nodes are left with after load, running and pinned replicas must fit the integer, too.
  std::vector<std::int64_t> start;
  if (listed_nodes() > 0) {
    start.resize(std::size_t{listed_nodes()} * dim_count);
    if (!data_.load.empty()) scaled_load_.resize(start.size());
    for (NodeId n = 0; n < listed_nodes(); ++n) {
      for (std::uint32_t h = 0; h < dim_count; ++h) {
        const ResourceId r = resource_of(h);
        std::int64_t units = 0;
        if (!data_.load.empty()) {
          units = scales_[r].load(load(n, r, period_of(h)));
          if (units > std::numeric_limits<std::int32_t>::max()) {
            const std::size_t cell = std::size_t{n} * width + r;
            return too_large(indexed("nodes.load", load_varies_ ? cell * data_.periods + period_of(h) : cell),
                             "the load is out of proportion to every capacity");
          }
          scaled_load_[std::size_t{n} * dim_count + h] = static_cast<std::int32_t>(units);
        }
        start[std::size_t{n} * dim_count + h] = units;
      }
    }
  }
  const auto occupy = [&](const std::vector<Residence>& list, const char* name) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      for (std::uint32_t h = 0; h < dim_count; ++h) {
        const ResourceId r = resource_of(h);
        std::int64_t& units = start[std::size_t{list[k].node} * dim_count + h];
        units += std::int64_t{scales_[r].demand(demand(list[k].app, r, period_of(h)))} * list[k].replicas;
        if (units > std::numeric_limits<std::int32_t>::max()) {
          return too_large(indexed(name, k), "the replicas on this node are out of proportion to every capacity");
        }
      }
    }
    return kFine;
  };
  if (Error e = occupy(data_.running, "running"); failed(e)) return e;
  if (Error e = occupy(data_.pinned, "pinned"); failed(e)) return e;
  for (const std::int64_t units : start) {
    if (units > std::numeric_limits<std::int16_t>::max()) narrow_ = false;
  }

  const std::size_t cells = std::size_t{apps()} * dim_count;
  if (narrow_) {
    demand16_.resize(cells);
  } else {
    demand32_.resize(cells);
  }
  total_demand_.assign(dim_count, 0);
  demand_range_.resize(std::size_t{apps()} * width);
  least_demand_.assign(width, std::numeric_limits<double>::infinity());
  std::size_t at = 0;
  for (AppId i = 0; i < apps(); ++i) {
    for (ResourceId r = 0; r < width; ++r) {
      double last = -1;
      DemandRange& range = demand_range_[std::size_t{i} * width + r];
      range = {std::numeric_limits<double>::infinity(), 0};
      std::int32_t units = 0;
      for (std::uint32_t t = 0; t < periods_; ++t, ++at) {
        const double value = demand(i, r, t);
        if (value != last) {
          units = scales_[r].demand(value);
          last = value;
          range = {std::min(range.least, value), std::max(range.most, value)};
        }
        if (narrow_) {
          demand16_[at] = static_cast<std::int16_t>(units);
        } else {
          demand32_[at] = units;
        }
        // Below 2^31 units x 10^8 replicas: no overflow within 64 bits.
        total_demand_[r * periods_ + t] += std::int64_t{units} * replicas(i);
      }
      if (range.most > 0) least_demand_[r] = std::min(least_demand_[r], range.most);
    }
  }
  return kFine;
}

Error Instance::check_start() const {
  // What must stay where it is may not be more than the app has. A pin and a running replica on the same node are one.
  std::vector<std::uint64_t> bound(apps(), 0);
  std::unordered_map<std::uint64_t, std::uint32_t> running_at(data_.running.size() * 2);
  for (std::size_t k = 0; k < data_.running.size(); ++k) {
    const Residence& r = data_.running[k];
    bound[r.app] += r.replicas;
    running_at[(std::uint64_t{r.app} << 32) | r.node] = r.replicas;
    if (bound[r.app] > replicas(r.app)) {
      return invalid(indexed("running", k) + ".replicas", "more running replicas than the app has");
    }
  }
  for (std::size_t k = 0; k < data_.pinned.size(); ++k) {
    const Residence& p = data_.pinned[k];
    const auto there = running_at.find((std::uint64_t{p.app} << 32) | p.node);
    const std::uint32_t running = there == running_at.end() ? 0 : there->second;
    bound[p.app] += p.replicas > running ? p.replicas - running : 0;
    if (bound[p.app] > replicas(p.app)) {
      return invalid(indexed("pinned", k) + ".replicas", "more pinned and running replicas than the app has");
    }
  }
  return kFine;
}

Error Instance::read_rules() {
  app_tags_ = all_app_tags(data_);
  applications_ = applications(data_, app_tags_);
  auto rules = effective_rules(data_, app_tags_, rule_conflicts_);
  if (!rules) return rules.error();
  rules_ = std::move(*rules);
  auto model = TagModel::build(data_, limits_, rules_, app_tags_);
  if (!model) return model.error();
  tag_model_ = std::move(*model);
  return kFine;
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

std::int64_t Instance::units_for_risk(std::int64_t risk, ResourceId resource) const {
  if (risk <= 0) return 0;
  // Nodes may start with much more risk than any capacity has room for. Beyond twice the largest capacity in units it makes no
  // difference, and this square is exact.
  constexpr std::int64_t kMostUnits = 3'000'000'000;
  const double root = root_of_risk(risk, resource);
  if (root >= static_cast<double>(kMostUnits)) return kMostUnits;
  // The square root of a rounded number is off by less than a few units; integers settle it.
  auto units = static_cast<std::int64_t>(root);
  while (risk_room(units, resource) < risk) ++units;
  while (units > 0 && risk_room(units - 1, resource) >= risk) --units;
  return units;
}

double Instance::risk_in_units(double spread, ResourceId resource, double most) const {
  const double unit = scales_[resource].unit();
  // One division after the other: neither their product nor the quotient may leave the range of doubles for nothing.
  const double risk = squared_factor_ * spread / unit / unit;
  return risk < most ? risk : most;
}

Error Instance::scale_risks() {
  const Uncertainty& u = data_.uncertainty;
  switch (u.model) {
    case ChanceModel::kGaussian:
      confidence_factor_ = normal_quantile(u.confidence);
      break;
    case ChanceModel::kBoundedSupport:
      // P(sum - mean >= t) <= exp(-2 t^2 / sum of squared widths) (Hoeffding 1963, theorem 2).
      confidence_factor_ = std::sqrt(-natural_log(1 - u.confidence) / 2);
      break;
    case ChanceModel::kFactor:
      confidence_factor_ = u.factor;
      break;
  }
  squared_factor_ = confidence_factor_ * confidence_factor_;
  const std::uint32_t width = resources();
  for (ResourceId r = 0; r < width && confidence_factor_ > 0 && uncertain_resource_ == kNone; ++r) {
    if (varies_at_random(*this, r)) uncertain_resource_ = r;
  }
  if (uncertain_resource_ == kNone) return kFine;

  scaled_risk_.assign(std::size_t{apps()} * width, 0);
  if (!data_.load_variance.empty()) scaled_load_risk_.assign(std::size_t{listed_nodes()} * width, 0);
  std::vector<double> start(listed_nodes());
  std::vector<std::int64_t> units(listed_nodes());
  for (ResourceId r = 0; r < width; ++r) {
    const double largest = scales_[r].largest_capacity();
    const double square = std::max(1.0, largest * largest);  // at most 2^60, and its factors have 30 bits: exact
    // What no node can take is as good as twice that.
    const auto app_risk = [&](AppId app) { return risk_in_units(spread(app, r), r, 2 * square); };
    for (NodeId n = 0; n < listed_nodes(); ++n) start[n] = risk_in_units(load_spread(n, r), r, kMostRiskOverload * square);
    for (const std::vector<Residence>* list : {&data_.running, &data_.pinned}) {
      for (const Residence& residence : *list) start[residence.node] += app_risk(residence.app) * residence.replicas;
    }
    const double heaviest = start.empty() ? 0 : *std::max_element(start.begin(), start.end());
    int exponent = 0;
    std::frexp(std::max(square, std::min(heaviest, kMostRiskOverload * square)), &exponent);
    const int shift = 60 - exponent;
    risk_shift_.push_back(shift);
    risk_unit_.push_back(std::ldexp(1.0, -shift));
    const auto in_units = [shift](double risk) { return static_cast<std::int64_t>(std::ceil(std::ldexp(risk, shift))); };
    for (AppId i = 0; i < apps(); ++i) scaled_risk_[std::size_t{i} * width + r] = in_units(app_risk(i));

    for (NodeId n = 0; n < listed_nodes(); ++n) {
      units[n] = in_units(risk_in_units(load_spread(n, r), r, kMostRiskOverload * square));
      if (!scaled_load_risk_.empty()) scaled_load_risk_[std::size_t{n} * width + r] = units[n];
    }
    const auto occupy = [&](const std::vector<Residence>& list, const char* name) {
      for (std::size_t k = 0; k < list.size(); ++k) {
        const std::int64_t each = scaled_risk_[std::size_t{list[k].app} * width + r];
        if (each > 0 && list[k].replicas > (kMostRisk - units[list[k].node]) / each) {
          return too_large(indexed(name, k),
                           "the uncertainty of the replicas on this node is out of proportion to every capacity");
        }
        units[list[k].node] += each * list[k].replicas;
      }
      return kFine;
    };
    if (Error e = occupy(data_.running, "running"); failed(e)) return e;
    if (Error e = occupy(data_.pinned, "pinned"); failed(e)) return e;
  }
  return kFine;
}

void Instance::find_features() {
  const auto set = [this](Feature feature, bool used) {
    if (used) features_ = features_ | feature;
  };
  set(Feature::kPeriods, periods_ > 1);
  set(Feature::kNodeClasses, classes() > 1);
  set(Feature::kFiniteNodes,
      std::any_of(data_.classes.begin(), data_.classes.end(), [](const NodeClass& c) { return c.count > 0; }));
  set(Feature::kPrices, has_prices_);
  set(Feature::kExistingLoad, std::any_of(data_.load.begin(), data_.load.end(), [](double v) { return v > 0; }));
  set(Feature::kRunning, !data_.running.empty());
  set(Feature::kPins, !data_.pinned.empty());
  set(Feature::kClosedNodes, std::find(data_.closed.begin(), data_.closed.end(), 1) != data_.closed.end());
  set(Feature::kAffinityLimits, limit_rows_.arc_count() > 0);
  set(Feature::kSelfLimits, limit_rows_.self_limit_count() > 0);
  set(Feature::kPriorities,
      std::any_of(data_.priority.begin(), data_.priority.end(), [&](std::int32_t p) { return p != data_.priority[0]; }));
  set(Feature::kUncertainDemand, uncertain());
  set(Feature::kPlacementRules, !rules_.empty());
  set(Feature::kInterference, data_.has_interference);
}

void Instance::hash(const LimitColumns& columns) {
  Hash h;
  const auto texts = [&h](const std::vector<std::string>& list) {
    h.add(list.size());
    for (const std::string& text : list) h.add_text(text);
  };
  const auto column = [&h](const auto& values) { h.add_column(std::span(values)); };
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
  h.add_column(columns.row_begin);
  h.add_column(columns.app);
  h.add_column(columns.at_most);
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
  }
  fingerprint_ = h.value();
}

std::size_t Instance::memory_bytes() const {
  return data_.demand.capacity() * 8 + demand_range_.capacity() * sizeof(DemandRange) + data_.replicas.capacity() * 4 +
         demand16_.capacity() * 2 + demand32_.capacity() * 4 + limit_rows_.memory_bytes();
}

}  // namespace stowage
