// What is checked before an instance is frozen. The first error that is found is returned.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/numbers/amounts.h"
#include "core/base/watched.h"
#include "core/model/instance.h"

namespace stowage {
namespace {

/// Largest factor of a standard deviation: beyond it, nothing uncertain would fit anywhere.
constexpr double kLargestFactor = 1e6;

Error check_length(std::size_t length, std::size_t wanted, const char* path, const char* what) {
  if (length == 0 || length == wanted) return {};
  return invalid(path, "has " + std::to_string(length) + " entries; " + what + " is " + std::to_string(wanted));
}

template <class Number>
Error check_numbers(const std::vector<Number>& numbers, std::size_t apps, const std::string& path, bool positive,
                    WatchRef watch) {
  if (Error e = check_length(numbers.size(), apps, path.c_str(), "the number of apps"); failed(e)) return e;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool right =
        (!positive || numbers[i] > 0) && (std::is_integral_v<Number> || is_amount(static_cast<double>(numbers[i])));
    if (Error e = right ? Error{} : check_number(numbers[i], indexed(path.c_str(), i), positive); failed(e)) return e;
    if (watch.step()) return cancelled();
  }
  return {};
}

// By sorting: names come from outside, and a hash without a secret takes quadratic time for names that are chosen for it.
Error check_unique(const std::vector<std::string>& names, const char* path, WatchRef watch) {
  std::vector<std::pair<std::string_view, std::size_t>> sorted;
  sorted.reserve(names.size());
  for (std::size_t k = 0; k < names.size() && !watch.step(); ++k) sorted.emplace_back(names[k], k);
  watched_sort(sorted, watch);
  if (watch.ended()) return cancelled();
  std::size_t second = names.size();
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (watch.step(4)) return cancelled();
    if (sorted[k].first == sorted[k - 1].first) second = std::min(second, sorted[k].second);
  }
  if (second == names.size()) return {};
  return invalid(indexed(path, second), "the name \"" + names[second] + "\" stands twice");
}

Error check_rows(const IndexRows& rows, std::size_t count, std::size_t targets, const char* begin, const char* index,
                 WatchRef watch) {
  if (rows.begin.empty() && rows.index.empty()) return {};
  if (rows.begin.size() != count + 1) return invalid(begin, "needs one start per row and the end");
  if (rows.begin[0] != 0) return invalid(indexed(begin, 0), "the first row does not start at 0");
  for (std::size_t k = 0; k < count; ++k) {
    if (rows.begin[k + 1] < rows.begin[k] || rows.begin[k + 1] > rows.index.size()) {
      return invalid(indexed(begin, k + 1), "row starts decrease or pass the end of the entries");
    }
    if (watch.step()) return cancelled();
  }
  if (rows.begin[count] != rows.index.size())
    return invalid(indexed(begin, count), "the last row does not end at the last entry");
  for (std::size_t k = 0; k < rows.index.size(); ++k) {
    if (rows.index[k] >= targets) return invalid(indexed(index, k), "there is nothing with this index");
    if (watch.step()) return cancelled();
  }
  return {};
}

Error check_tags(std::span<const std::uint32_t> tags, std::size_t count, const std::string& path) {
  for (std::size_t k = 0; k < tags.size(); ++k) {
    if (tags[k] >= count) return invalid(indexed(path.c_str(), k), "there is no tag with this index");
  }
  return {};
}

/// As check_amounts() of one column, which the watch may end.
Error check_column(std::span<const double> values, const char* path, WatchRef watch) {
  bool good = true;
  in_pieces(values, watch, [&](std::span<const double> piece) {
    return good = std::all_of(piece.begin(), piece.end(), [](double value) { return is_amount(value); });
  });
  if (!good) return check_amounts(values, path);
  return watch.ended() ? cancelled() : Error{};
}

/// Whether some profile of `periods` values changes over time. True where the watch ends the call.
bool varies(std::span<const double> values, std::uint32_t periods, WatchRef watch) {
  for (std::size_t row = 0; row + periods <= values.size(); row += periods) {
    const auto profile = values.subspan(row, periods);
    if (!in_pieces(profile, watch, [&](std::span<const double> piece) {
          return std::all_of(piece.begin(), piece.end(), [&](double value) { return value == profile[0]; });
        })) {
      return true;
    }
  }
  return false;
}

Error check_rules(const InstanceData& data, WatchRef watch) {
  for (std::size_t r = 0; r < data.rules.size(); ++r) {
    const PlacementRule& rule = data.rules[r];
    const std::string path = indexed("rules", r);
    if (!(rule.weight >= 0) || std::isinf(rule.weight)) return invalid(path + ".weight", "not a finite number >= 0");
    if (watch.step(16)) return cancelled();
    if (rule.any_of.empty()) return invalid(path + ".any_of", "a rule needs at least one conjunction");
    for (std::size_t c = 0; c < rule.any_of.size(); ++c) {
      const std::string conjunction = path + "." + indexed("any_of", c);
      if (rule.any_of[c].empty()) return invalid(conjunction + ".all_of", "a conjunction needs at least one constraint");
      for (std::size_t k = 0; k < rule.any_of[c].size(); ++k) {
        const Cardinality& part = rule.any_of[c][k];
        const std::string at = conjunction + "." + indexed("all_of", k);
        if (watch.step(16)) return cancelled();
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
  return {};
}

Error check_uncertainty(const InstanceData& data, WatchRef watch) {
  const std::size_t cells = data.replicas.size() * data.resources.size();
  const std::size_t node_cells = data.node_class.size() * data.resources.size();
  if (Error e = check_length(data.variance.size(), cells, "apps.variance", "apps x resources"); failed(e)) return e;
  if (Error e = check_column(data.variance, "apps.variance", watch); failed(e)) return e;
  if (Error e = check_length(data.load_variance.size(), node_cells, "nodes.load_variance", "nodes x resources"); failed(e))
    return e;
  if (Error e = check_column(data.load_variance, "nodes.load_variance", watch); failed(e)) return e;
  if (data.support_min.size() != data.support_max.size()) {
    return invalid("apps.support_max", "support_min and support_max go together");
  }
  if (Error e = check_length(data.support_min.size(), cells, "apps.support_min", "apps x resources"); failed(e)) return e;
  if (Error e = check_column(data.support_min, "apps.support_min", watch); failed(e)) return e;
  if (Error e = check_column(data.support_max, "apps.support_max", watch); failed(e)) return e;
  for (std::size_t k = 0; k < data.support_min.size(); ++k) {
    if (data.support_min[k] > data.support_max[k]) return invalid(indexed("apps.support_min", k), "above support_max");
    if (watch.step()) return cancelled();
  }
  for (std::size_t k = 0; k < data.load_variance.size(); ++k) {
    if (watch.step()) return cancelled();
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
  return {};
}

Error check_interference(const InstanceData& data, WatchRef watch) {
  if (!data.has_interference) {
    if (!data.kind.empty()) return invalid("apps.kind", "kinds are given, but the instance has no interference table");
    return {};
  }
  const std::size_t kinds = data.interference.kind_count;
  if (data.interference.coefficient.size() != kinds * kinds || kinds == 0) {
    return invalid("interference.coefficient", "needs kinds x kinds entries, at least one");
  }
  if (Error e = check_column(data.interference.coefficient, "interference.coefficient", watch); failed(e)) return e;
  if (!data.interference.kinds.empty() && data.interference.kinds.size() != kinds) {
    return invalid("interference.kinds", "needs one name per kind");
  }
  if (data.kind.size() != data.replicas.size()) return invalid("apps.kind", "needs one kind per app");
  for (std::size_t k = 0; k < data.kind.size(); ++k) {
    if (data.kind[k] >= kinds) return invalid(indexed("apps.kind", k), "there is no kind with this index");
  }
  if (data.interference.resource >= data.resources.size()) {
    return invalid("interference.resource", "there is no resource with this index");
  }
  const std::vector<double>& most = data.interference.max_cost;
  if (!most.empty() && most.size() != kinds) return invalid("interference.max_cost", "needs one limit per kind");
  for (std::size_t k = 0; k < most.size(); ++k) {
    if (!(most[k] >= 0)) return invalid(indexed("interference.max_cost", k), "negative or not a number");
  }
  return {};
}

/// The entries of a list of residences node by node, those of a node in the order of the list.
class ResidencesByNode {
 public:
  struct Entry {
    AppId app;
    std::size_t index;  ///< in the list
  };
  /// @param list  on nodes below `nodes`
  /// @param watch where it ends the call, there are no entries
  ResidencesByNode(std::span<const Residence> list, std::size_t nodes, WatchRef watch) : end_(nodes + 1, 0) {
    for (const Residence& one : list) {
      if (watch.step(4)) return;
      ++end_[one.node + std::size_t{1}];
    }
    std::partial_sum(end_.begin(), end_.end(), end_.begin());
    watched_resize(entries_, list.size(), watch);
    // Begins become ends, as entries come.
    for (std::size_t k = 0; k < list.size() && !watch.step(8); ++k) entries_[end_[list[k].node]++] = {list[k].app, k};
    if (watch.ended()) entries_.clear();
  }
  [[nodiscard]] std::span<const Entry> at(NodeId node) const {
    if (entries_.empty()) return {};
    const std::size_t begin = node == 0 ? 0 : end_[node - 1];
    return std::span(entries_).subspan(begin, end_[node] - begin);
  }

 private:
  std::vector<std::size_t> end_;  // per node: the end of its entries
  std::vector<Entry> entries_;
};

/// The first entry whose app and node another one has before it; the length of the list where there is none, or where the watch
/// ends the call.
std::size_t first_repetition(std::span<const Residence> list, const InstanceData& data, WatchRef watch) {
  const ResidencesByNode entries(list, data.node_class.size(), watch);
  std::vector<NodeId> seen_on(data.replicas.size(), kNone);  // per app: the last node
  std::size_t first = list.size();
  for (NodeId node = 0; node < data.node_class.size() && !watch.step(); ++node) {
    for (const ResidencesByNode::Entry& entry : entries.at(node)) {
      if (watch.step(8)) return list.size();
      if (seen_on[entry.app] == node) first = std::min(first, entry.index);
      seen_on[entry.app] = node;
    }
  }
  return first;
}

Error check_residences(const std::vector<Residence>& list, const InstanceData& data, const char* name, WatchRef watch) {
  std::size_t right = 0;  // entries before the first that is wrong by itself
  for (; right < list.size() && !watch.step(4); ++right) {
    const Residence& one = list[right];
    if (one.app >= data.replicas.size() || one.node >= data.node_class.size() || one.replicas == 0) break;
  }
  if (watch.ended()) return cancelled();
  const std::size_t twice = right == 0 ? right : first_repetition(std::span(list).first(right), data, watch);
  if (watch.ended()) return cancelled();
  if (twice < right) return invalid(indexed(name, twice), "this app and node stand twice");
  if (right == list.size()) return {};
  const std::string path = indexed(name, right);
  if (list[right].app >= data.replicas.size()) return invalid(path + ".app", "there is no app with this index");
  if (list[right].node >= data.node_class.size()) return invalid(path + ".node", "there is no listed node with this index");
  return invalid(path + ".replicas", "no replicas");
}

/// Per pin: its replicas beyond those of the app that run on its node, because a pin and a running replica on the same node are
/// one. Incomplete where the watch ends the call: nobody uses them then.
std::vector<std::uint32_t> pinned_beyond_running(const InstanceData& data, WatchRef watch) {
  const std::size_t nodes = data.node_class.size();
  const ResidencesByNode running(data.running, nodes, watch);
  const ResidencesByNode pinned(data.pinned, nodes, watch);
  // Per app: the last node where it runs, and how many replicas of it run there.
  std::vector<NodeId> runs_on(data.replicas.size(), kNone);
  std::vector<std::uint32_t> there(data.replicas.size(), 0);
  std::vector<std::uint32_t> beyond;
  watched_resize(beyond, data.pinned.size(), watch);
  for (NodeId node = 0; node < nodes && !watch.step(2); ++node) {
    const auto pins = pinned.at(node);
    if (pins.empty()) continue;
    for (const ResidencesByNode::Entry& entry : running.at(node)) {
      if (watch.step(8)) return beyond;
      runs_on[entry.app] = node;
      there[entry.app] = data.running[entry.index].replicas;
    }
    for (const ResidencesByNode::Entry& entry : pins) {
      if (watch.step(8)) return beyond;
      const std::uint32_t replicas = data.pinned[entry.index].replicas;
      const std::uint32_t known = runs_on[entry.app] == node ? there[entry.app] : 0;
      beyond[entry.index] = replicas > known ? replicas - known : 0;
    }
  }
  return beyond;
}

Error check_traffic(const InstanceData& d, const Limits& limits, WatchRef watch) {
  if (d.traffic.size() > limits.max_limits) return too_large("traffic", "more pairs than max_limits allows");
  std::vector<std::pair<std::uint64_t, std::size_t>> pairs;
  pairs.reserve(d.traffic.size());
  for (std::size_t k = 0; k < d.traffic.size(); ++k) {
    const Traffic& one = d.traffic[k];
    const std::string path = indexed("traffic", k);
    if (one.app >= d.replicas.size()) return invalid(path + ".app", "there is no app with this index");
    if (one.peer >= d.replicas.size()) return invalid(path + ".peer", "there is no app with this index");
    if (one.app == one.peer) return invalid(path + ".peer", "traffic of an app with itself");
    if (Error e = check_amount(one.amount, path + ".amount"); failed(e)) return e;
    pairs.emplace_back(std::uint64_t{std::min(one.app, one.peer)} << 32 | std::max(one.app, one.peer), k);
    if (watch.step(16)) return cancelled();
  }
  watched_sort(pairs, watch);
  if (watch.ended()) return cancelled();
  const auto twice =
      std::adjacent_find(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  return twice == pairs.end() ? Error{} : invalid(indexed("traffic", (twice + 1)->second), "this pair stands twice");
}

Error check_sizes(const InstanceData& d, const Limits& limits, WatchRef watch) {
  if (d.resources.empty()) return invalid("resources", "an instance needs at least one resource");
  if (d.resources.size() > 256) return too_large("resources", "more than 256 resources");
  if (d.periods == 0) return invalid("periods", "an instance needs at least one period");
  if (d.classes.empty()) return invalid("classes", "an instance needs at least one node class");
  if (d.replicas.size() > limits.max_apps) return too_large("apps.replicas", "more apps than max_apps allows");
  if (d.node_class.size() > limits.max_nodes) return too_large("nodes.node_class", "more listed nodes than max_nodes allows");
  if (d.limits.app.size() > limits.max_limits) return too_large("limits.app", "more affinity limits than max_limits allows");
  std::vector<std::string> resource_names;
  for (const Resource& r : d.resources) resource_names.push_back(r.name);
  return check_unique(resource_names, "resources", watch);
}

Error check_daemon(const std::vector<double>& daemon, std::size_t rows, const InstanceData& d, const std::string& path,
                   WatchRef watch) {
  const std::size_t cells = rows * d.resources.size();
  if (!daemon.empty() && daemon.size() != cells && daemon.size() != cells * d.periods) {
    return invalid(path, "needs " + std::to_string(cells) + " entries, one per resource, or that times periods");
  }
  return check_column(daemon, path.c_str(), watch);
}

/// Entries of demand that does not change over time. Lengths are below 2^31 each, so products of two stay below 2^63.
std::uint64_t constant_cells(const InstanceData& d) { return std::uint64_t{d.replicas.size()} * d.resources.size(); }
/// Entries of load that does not change over time.
std::uint64_t load_cells(const InstanceData& d) { return std::uint64_t{d.node_class.size()} * d.resources.size(); }

Error check_demand(const InstanceData& d, const Limits& limits, WatchRef watch) {
  const std::uint64_t constant = constant_cells(d);
  if (d.periods > limits.max_cells || constant > limits.max_cells) {
    return too_large("apps.demand", "more demand entries than max_cells allows");
  }
  const std::uint64_t profile = constant * d.periods;
  if (d.demand.size() != constant && d.demand.size() != profile) {
    return invalid("apps.demand", "has " + std::to_string(d.demand.size()) + " entries; apps x resources is " +
                                      std::to_string(constant) + ", times periods " + std::to_string(profile));
  }
  if (d.demand.size() > limits.max_cells) return too_large("apps.demand", "more demand entries than max_cells allows");
  return check_column(d.demand, "apps.demand", watch);
}

Error check_apps(const InstanceData& d, const Limits& limits, WatchRef watch) {
  const std::size_t apps = d.replicas.size();
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < apps; ++i) {
    total += d.replicas[i];
    if (total > limits.max_replicas) {
      return too_large(indexed("apps.replicas", i), "more replicas in all than max_replicas allows");
    }
    if (watch.step()) return cancelled();
  }
  if (Error e = check_length(d.app_names.size(), apps, "apps.names", "the number of apps"); failed(e)) return e;
  if (Error e = check_unique(d.app_names, "apps.names", watch); failed(e)) return e;
  Error wrong;
  visit_app_numbers([&](const char* name, auto numbers, auto, bool positive) {
    if (!failed(wrong)) wrong = check_numbers(d.*numbers, apps, std::string("apps.") + name, positive, watch);
  });
  if (failed(wrong)) return wrong;
  const std::size_t tags = d.tags.size();
  if (Error e = check_rows(d.app_tags, apps, tags, "apps.tag_begin", "apps.tag_index", watch); failed(e)) return e;
  if (Error e = check_rows(d.app_only, apps, tags, "apps.only_begin", "apps.only_index", watch); failed(e)) return e;
  return check_rows(d.app_not, apps, tags, "apps.not_begin", "apps.not_index", watch);
}

Error check_classes(const InstanceData& d, WatchRef watch) {
  std::size_t priced = 0;
  for (std::size_t c = 0; c < d.classes.size(); ++c) {
    const NodeClass& node_class = d.classes[c];
    const std::string path = indexed("classes", c);
    if (watch.step(64)) return cancelled();
    if (node_class.capacity.size() != d.resources.size()) return invalid(path + ".capacity", "needs one entry per resource");
    if (Error e = check_amounts(node_class.capacity, (path + ".capacity").c_str()); failed(e)) return e;
    if (std::all_of(node_class.capacity.begin(), node_class.capacity.end(), [](double v) { return v == 0; })) {
      return invalid(path + ".capacity", "the class has no capacity in any resource");
    }
    if (Error e = check_daemon(node_class.daemon, 1, d, path + ".daemon", watch); failed(e)) return e;
    if (std::isnan(node_class.price) || std::isinf(node_class.price)) return invalid(path + ".price", "not a finite number");
    if (node_class.price >= 0) {
      ++priced;
      if (Error e = check_amount(node_class.price, path + ".price"); failed(e)) return e;
    }
  }
  if (priced == 0 || priced == d.classes.size()) return {};
  const auto unpriced = std::find_if(d.classes.begin(), d.classes.end(), [](const NodeClass& c) { return c.price < 0; });
  return invalid(indexed("classes", static_cast<std::size_t>(unpriced - d.classes.begin())) + ".price",
                 "other classes have a price, this one has none");
}

Error check_nodes(const InstanceData& d, WatchRef watch) {
  const std::size_t listed = d.node_class.size();
  std::vector<std::uint64_t> listed_of_class(d.classes.size(), 0);
  for (std::size_t n = 0; n < listed; ++n) {
    if (d.node_class[n] >= d.classes.size())
      return invalid(indexed("nodes.node_class", n), "there is no class with this index");
    const std::uint32_t count = d.classes[d.node_class[n]].count;
    if (++listed_of_class[d.node_class[n]] > count && count != 0) {
      return invalid(indexed("nodes.node_class", n), "more listed nodes of this class than its count");
    }
    if (watch.step(2)) return cancelled();
  }
  if (Error e = check_length(d.node_names.size(), listed, "nodes.names", "the number of listed nodes"); failed(e)) return e;
  if (Error e = check_unique(d.node_names, "nodes.names", watch); failed(e)) return e;
  if (Error e = check_length(d.closed.size(), listed, "nodes.closed", "the number of listed nodes"); failed(e)) return e;
  for (std::size_t n = 0; n < d.closed.size(); ++n) {
    if (d.closed[n] > 1) return invalid(indexed("nodes.closed", n), "neither 0 nor 1");
  }
  const std::uint64_t cells = load_cells(d);
  if (!d.load.empty() && d.load.size() != cells && d.load.size() != cells * d.periods) {
    return invalid("nodes.load", "needs listed nodes x resources entries, or that times periods");
  }
  if (Error e = check_column(d.load, "nodes.load", watch); failed(e)) return e;
  if (Error e = check_daemon(d.daemon, listed, d, "nodes.daemon", watch); failed(e)) return e;
  return check_rows(d.node_tags, listed, d.tags.size(), "nodes.tag_begin", "nodes.tag_index", watch);
}

Error check_groups(const InstanceData& d, WatchRef watch) {
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    const NodeGroup& group = d.groups[g];
    const std::string path = indexed("groups", g);
    const std::size_t sets = group.sets.begin.empty() ? 0 : group.sets.begin.size() - 1;
    if (Error e =
            check_rows(group.sets, sets, d.node_class.size(), (path + ".set_begin").c_str(), (path + ".node").c_str(), watch);
        failed(e)) {
      return e;
    }
    if (Error e = check_length(group.set_names.size(), sets, (path + ".set_names").c_str(), "the number of sets"); failed(e))
      return e;
    if (sets > 0 && !group.by_label.empty())
      return invalid(path + ".by_label", "a group is given by sets or by a label, not both");
  }
  return {};
}

}  // namespace

Error Instance::validate(WatchRef watch) {
  const InstanceData& d = data_;
  if (Error e = check_sizes(d, limits_, watch); failed(e)) return e;
  if (Error e = check_demand(d, limits_, watch); failed(e)) return e;
  if (Error e = check_apps(d, limits_, watch); failed(e)) return e;
  if (Error e = check_classes(d, watch); failed(e)) return e;
  if (Error e = check_nodes(d, watch); failed(e)) return e;
  if (Error e = check_residences(d.running, d, "running", watch); failed(e)) return e;
  if (Error e = check_residences(d.pinned, d, "pinned", watch); failed(e)) return e;
  if (Error e = check_unique(d.tags, "tags", watch); failed(e)) return e;
  if (Error e = check_groups(d, watch); failed(e)) return e;
  if (Error e = check_rules(d, watch); failed(e)) return e;
  if (Error e = check_uncertainty(d, watch); failed(e)) return e;
  if (Error e = check_interference(d, watch); failed(e)) return e;
  if (Error e = check_traffic(d, limits_, watch); failed(e)) return e;

  for (const std::uint32_t replicas : d.replicas) total_replicas_ += replicas;
  has_prices_ = d.classes[0].price >= 0;
  demand_varies_ = d.demand.size() == constant_cells(d) * d.periods && d.periods > 1;
  load_varies_ = !d.load.empty() && d.load.size() == load_cells(d) * d.periods && d.periods > 1;
  const auto daemon_varies = [&](const std::vector<double>& daemon, std::size_t rows) {
    return daemon.size() > rows * d.resources.size() && varies(daemon, d.periods, watch);
  };
  const bool changes =
      (demand_varies_ && varies(d.demand, d.periods, watch)) || (load_varies_ && varies(d.load, d.periods, watch)) ||
      daemon_varies(d.daemon, d.node_class.size()) ||
      std::any_of(d.classes.begin(), d.classes.end(), [&](const NodeClass& c) { return daemon_varies(c.daemon, 1); });
  if (watch.ended()) return cancelled();
  periods_ = changes ? d.periods : 1;
  // Constant demand takes as much room as a profile where the load changes, and the other way round.
  if (constant_cells(d) * periods_ > limits_.max_cells) {
    return too_large("periods", "more demand entries than max_cells allows");
  }
  if (load_cells(d) * periods_ > limits_.max_cells) {
    return too_large("nodes.node_class", "more load entries than max_cells allows");
  }
  return find_daemons(watch);
}

Error Instance::find_daemons(WatchRef watch) {
  const auto carries = [watch](const std::vector<double>& daemon) {
    return !in_pieces(std::span<const double>(daemon), watch, [](std::span<const double> piece) {
      return std::none_of(piece.begin(), piece.end(), [](double v) { return v > 0; });
    });
  };
  const bool any = carries(data_.daemon) || std::any_of(data_.classes.begin(), data_.classes.end(),
                                                        [&](const NodeClass& c) { return carries(c.daemon); });
  if (watch.ended()) return cancelled();
  if (!any) return {};
  least_daemon_.assign(std::size_t{classes()} * resources(), std::numeric_limits<double>::infinity());
  for (ClassId c = 0; c < classes(); ++c) {
    if (std::uint64_t{classes()} * resources() * periods_ > limits_.max_cells) {
      return too_large("classes", "more daemon load entries than max_cells allows");
    }
    if (watch.step(dims())) return cancelled();
    for (ResourceId r = 0; r < resources(); ++r) {
      for (std::uint32_t t = 0; t < periods_; ++t) {
        const double load = daemon(kNone, c, r, t);
        if (load > data_.classes[c].capacity[r]) {
          return invalid(indexed("classes", c) + ".daemon", "more than the capacity: no node of the class could be in use");
        }
        double& least = least_daemon_[std::size_t{c} * resources() + r];
        least = std::min(least, load);
      }
    }
  }
  for (NodeId n = 0; n < listed_nodes() && !data_.daemon.empty(); ++n) {
    if (watch.step(dims())) return cancelled();
    for (ResourceId r = 0; r < resources(); ++r) {
      double& least = least_daemon_[std::size_t{data_.node_class[n]} * resources() + r];
      for (std::uint32_t t = 0; t < periods_; ++t) least = std::min(least, daemon(n, data_.node_class[n], r, t));
    }
  }
  return {};
}

Error Instance::check_self_limits() const {
  if (limit_rows_->self_limit_count() == 0) return {};
  const LimitColumns& columns = data_.limits;
  for (AppId i = 0; i < apps(); ++i) {
    if (limit_rows_->self_limit(i) != 0 || replicas(i) == 0) continue;
    const char* const what = "the app wants replicas, but its own limit allows none";
    // Where limits are shared, their columns are not given again.
    if (columns.row_begin.empty()) return invalid(indexed("apps.replicas", i), what);
    const auto first = columns.app.begin() + columns.row_begin[i];
    const auto self = std::find(first, columns.app.begin() + columns.row_begin[i + 1], i);
    return invalid(indexed("limits.at_most", static_cast<std::size_t>(self - columns.app.begin())), what);
  }
  return {};
}

std::vector<double> Instance::costs_alone() const {
  std::vector<double> most(kinds(), 0);
  for (AppId i = 0; i < apps(); ++i) {
    if (replicas(i) == 0) continue;
    most[kind(i)] = std::max(most[kind(i)], coefficient(kind(i), kind(i)) * interfering_load(i));
  }
  return most;
}

Error Instance::check_max_cost() const {
  if (data_.interference.max_cost.empty()) return {};
  const std::vector<double> alone = costs_alone();
  for (std::uint32_t k = 0; k < kinds(); ++k) {
    if (alone[k] <= max_cost(k)) continue;
    return invalid(indexed("interference.max_cost", k), "a replica of this kind costs more even where it is alone");
  }
  return {};
}

Error Instance::check_start(WatchRef watch) const {
  std::vector<std::uint64_t> bound(apps(), 0);
  for (std::size_t k = 0; k < data_.running.size(); ++k) {
    const Residence& r = data_.running[k];
    bound[r.app] += r.replicas;
    if (bound[r.app] > replicas(r.app)) {
      return invalid(indexed("running", k) + ".replicas", "more running replicas than the app has");
    }
    if (watch.step(8)) return cancelled();
  }
  if (data_.pinned.empty()) return {};
  const std::vector<std::uint32_t> beyond = pinned_beyond_running(data_, watch);
  if (watch.ended()) return cancelled();
  for (std::size_t k = 0; k < data_.pinned.size(); ++k) {
    const AppId app = data_.pinned[k].app;
    bound[app] += beyond[k];
    if (bound[app] > replicas(app)) {
      return invalid(indexed("pinned", k) + ".replicas", "more pinned and running replicas than the app has");
    }
    if (watch.step(8)) return cancelled();
  }
  return {};
}

}  // namespace stowage
