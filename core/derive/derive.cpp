#include "core/derive/derive.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/model/data/copy.h"

namespace stowage {
namespace {

/// A factor or an amount of a derivation.
Error check_derived_number(double value, const std::string& path) {
  if (std::isfinite(value) && value >= 0) return {};
  return {Code::kInvalid, "must be a number, not below 0", path};
}

/// Finds what changes refer to, each by its name or its index, and refuses what is referred to twice.
class Finder {
 public:
  /// @param name_of the name of the item with an index
  template <class NameOf>
  Finder(const char* list, const char* what, std::size_t size, NameOf name_of)
      : list_(list), what_(what), named_(size, 0), name_of_([=](std::size_t k) { return std::string_view(name_of(k)); }) {}

  Result<std::uint32_t> find(const std::string& name, std::uint32_t index, const char* index_field, std::size_t change) {
    const std::string path = indexed(list_, change);
    if (name.empty() == (index == kNone)) {
      return Error{Code::kInvalid, std::string("needs the name or the index of one ") + what_ + ", not both", path};
    }
    if (!name.empty()) {
      if (indices_.empty()) {
        for (std::uint32_t k = 0; k < named_.size(); ++k) indices_.emplace(name_of_(k), k);
      }
      const auto found = indices_.find(name);
      if (found == indices_.end()) {
        return Error{Code::kNotFound, std::string("there is no ") + what_ + " with this name", path + ".name"};
      }
      index = found->second;
    }
    if (index >= named_.size()) {
      return Error{Code::kNotFound, std::string("there is no ") + what_ + " with this index", path + "." + index_field};
    }
    if (named_[index] != 0) return Error{Code::kInvalid, std::string("this ") + what_ + " stands twice", path};
    named_[index] = 1;
    return index;
  }

 private:
  const char* list_;
  const char* what_;
  std::vector<std::uint8_t> named_;
  std::function<std::string_view(std::size_t)> name_of_;
  std::unordered_map<std::string_view, std::uint32_t> indices_;
};

/// Factors on the demand, capacity and load of each resource: those for all, times those of the resource.
struct ByResource {
  std::vector<double> demand;
  std::vector<double> capacity;
  std::vector<double> load;
};

Error check_factors(const Derivation& d) {
  for (const auto& [value, path] :
       {std::pair(d.demand, "demand"), std::pair(d.replicas, "replicas"), std::pair(d.capacity, "capacity"),
        std::pair(d.load, "load"), std::pair(d.price, "price"), std::pair(d.limits, "limits")}) {
    if (Error e = check_derived_number(value, path); failed(e)) return e;
  }
  return d.limits <= 1 ? Error{} : invalid("limits", "is a share, not above 1");
}

Result<ByResource> factors_of(const Derivation& d, const InstanceData& data) {
  const std::size_t resources = data.resources.size();
  ByResource factors{std::vector<double>(resources, d.demand), std::vector<double>(resources, d.capacity),
                     std::vector<double>(resources, d.load)};
  Finder finder("by_resource", "resource", resources, [&](std::size_t k) { return std::string_view(data.resources[k].name); });
  for (std::size_t k = 0; k < d.by_resource.size(); ++k) {
    const ResourceFactors& one = d.by_resource[k];
    const auto found = finder.find(one.name, one.resource, "resource", k);
    if (!found) return found.error();
    const std::string path = indexed("by_resource", k);
    if (Error e = check_derived_number(one.demand, path + ".demand"); failed(e)) return e;
    if (Error e = check_derived_number(one.capacity, path + ".capacity"); failed(e)) return e;
    if (Error e = check_derived_number(one.load, path + ".load"); failed(e)) return e;
    factors.demand[found.value()] *= one.demand;
    factors.capacity[found.value()] *= one.capacity;
    factors.load[found.value()] *= one.load;
  }
  return factors;
}

/// Multiplies entries of resources, or of resources x periods, by the factors of their resources, times `factor`.
void multiply(double* entries, std::size_t size, const std::vector<double>& factors, double factor) {
  const std::size_t width = size / factors.size();
  for (std::size_t k = 0; k < size; ++k) entries[k] *= factors[k / width] * factor;
}

/// Replicas times a factor, rounded up; first to nine digits, so that 1.1 x 10 is 11 and not 12.
double scaled_replicas(std::uint32_t replicas, double factor) {
  constexpr double kDigits = 1e9;
  return std::ceil(std::nearbyint(replicas * factor * kDigits) / kDigits);
}

/// Changes the columns of apps.
class AppColumns {
 public:
  AppColumns(const Derivation& derivation, const ByResource& factors, const Limits& limits, InstanceData& data, WatchRef watch)
      : derivation_(derivation),
        factors_(factors),
        limits_(limits),
        data_(data),
        watch_(watch),
        resources_(data.resources.size()),
        change_of_(data.replicas.size(), kNone) {}

  Error run() {
    if (Error e = read(); failed(e)) return e;
    for (AppId app = 0; app < change_of_.size(); ++app) {
      if (Error e = change(app); failed(e)) return e;
      if (watch_.step(2 * cells() + 8)) return cancelled();
    }
    return {};
  }

 private:
  /// Finds the apps that changes name, and checks these.
  Error read() {
    const auto name_of = [this](std::size_t app) {
      return data_.app_names.empty() ? std::string_view() : std::string_view(data_.app_names[app]);
    };
    Finder finder("by_app", "app", change_of_.size(), name_of);
    for (std::size_t k = 0; k < derivation_.by_app.size(); ++k) {
      const AppChange& one = derivation_.by_app[k];
      const auto found = finder.find(one.name, one.app, "app", k);
      if (!found) return found.error();
      change_of_[found.value()] = static_cast<std::uint32_t>(k);
      if (Error e = check(one, indexed("by_app", k)); failed(e)) return e;
      if (watch_.step(64)) return cancelled();
    }
    return {};
  }

  Error check(const AppChange& one, const std::string& path) {
    if (Error e = check_derived_number(one.replica_factor, path + ".replica_factor"); failed(e)) return e;
    if (Error e = check_derived_number(one.demand_factor, path + ".demand_factor"); failed(e)) return e;
    if (one.replicas != kNone && one.replica_factor != 1) {
      return invalid(path + ".replica_factor", "the replicas are given already");
    }
    if (one.demand.empty()) return {};
    if (one.demand_factor != 1) return invalid(path + ".demand_factor", "the demand is given already");
    const std::uint64_t profile = std::uint64_t{resources_} * data_.periods;
    if (one.demand.size() != resources_ && one.demand.size() != profile) {
      return invalid(path + ".demand", "has " + std::to_string(one.demand.size()) + " entries; there are " +
                                           std::to_string(resources_) + " resources, times periods " + std::to_string(profile));
    }
    for (std::size_t k = 0; k < one.demand.size(); ++k) {
      if (Error e = check_derived_number(one.demand[k], indexed((path + ".demand").c_str(), k)); failed(e)) return e;
    }
    return one.demand.size() > cells() ? spread_over_periods() : Error{};
  }

  /// Entries of an app's demand.
  [[nodiscard]] std::size_t cells() const { return data_.demand.size() / change_of_.size(); }

  /// Repeats constant demand in every period.
  Error spread_over_periods() {
    if (std::uint64_t{data_.demand.size()} * data_.periods > limits_.max_cells) {
      return too_large("apps.demand", "more demand entries than max_cells allows");
    }
    std::vector<double> profile;
    profile.reserve(data_.demand.size() * data_.periods);
    for (const double value : data_.demand) {
      profile.insert(profile.end(), data_.periods, value);
      if (watch_.step(data_.periods)) return cancelled();
    }
    data_.demand = std::move(profile);
    return {};
  }

  Error change(AppId app) {
    const AppChange* const one = change_of_[app] == kNone ? nullptr : &derivation_.by_app[change_of_[app]];
    if (one != nullptr && one->replicas != kNone) {
      data_.replicas[app] = one->replicas;
    } else {
      const double factor = derivation_.replicas * (one == nullptr ? 1 : one->replica_factor);
      const double wanted = scaled_replicas(data_.replicas[app], factor);
      // Not a number: 0 x infinity.
      if (!(wanted < kNone)) return too_large(indexed("apps.replicas", app), "more replicas than an app may have");
      data_.replicas[app] = static_cast<std::uint32_t>(wanted);
    }
    double* const demand = data_.demand.data() + app * cells();
    if (one != nullptr && !one->demand.empty()) {
      const std::size_t repeated = cells() / one->demand.size();
      for (std::size_t k = 0; k < cells(); ++k) demand[k] = one->demand[k / repeated];
      return {};
    }
    const double factor = one == nullptr ? 1 : one->demand_factor;
    multiply(demand, cells(), factors_.demand, factor);
    for (std::vector<double>* column : {&data_.support_min, &data_.support_max}) {
      if (!column->empty()) multiply(column->data() + app * resources_, resources_, factors_.demand, factor);
    }
    if (data_.variance.empty()) return {};
    for (std::size_t r = 0; r < resources_; ++r) {
      data_.variance[app * resources_ + r] *= (factors_.demand[r] * factor) * (factors_.demand[r] * factor);
    }
    return {};
  }

  const Derivation& derivation_;
  const ByResource& factors_;
  const Limits& limits_;
  InstanceData& data_;
  WatchRef watch_;
  std::size_t resources_;
  std::vector<std::uint32_t> change_of_;  // per app, an index into derivation_.by_app
};

Error check_class_change(const ClassChange& one, const std::string& path, std::size_t resources) {
  if (Error e = check_derived_number(one.capacity_factor, path + ".capacity_factor"); failed(e)) return e;
  if (!std::isfinite(one.price)) return invalid(path + ".price", "must be a number");
  if (one.capacity.empty()) return {};
  if (one.capacity_factor != 1) return invalid(path + ".capacity_factor", "the capacity is given already");
  if (one.capacity.size() != resources) return invalid(path + ".capacity", "needs one entry per resource");
  for (std::size_t r = 0; r < resources; ++r) {
    if (Error e = check_derived_number(one.capacity[r], indexed((path + ".capacity").c_str(), r)); failed(e)) return e;
  }
  return {};
}

Error change_classes(const Derivation& d, const ByResource& factors, InstanceData& data) {
  std::vector<const ClassChange*> change_of(data.classes.size(), nullptr);
  Finder finder("by_class", "class", data.classes.size(),
                [&](std::size_t k) { return std::string_view(data.classes[k].name); });
  for (std::size_t k = 0; k < d.by_class.size(); ++k) {
    const ClassChange& one = d.by_class[k];
    const auto found = finder.find(one.name, one.node_class, "node_class", k);
    if (!found) return found.error();
    if (Error e = check_class_change(one, indexed("by_class", k), data.resources.size()); failed(e)) return e;
    change_of[found.value()] = &one;
  }
  if (d.price != 1 && data.classes[0].price < 0) return invalid("price", "the instance has no prices");
  for (std::size_t c = 0; c < data.classes.size(); ++c) {
    NodeClass& to = data.classes[c];
    const ClassChange one = change_of[c] == nullptr ? ClassChange() : *change_of[c];
    if (one.count != kNone) to.count = one.count;
    if (one.price >= 0) {
      to.price = one.price;
    } else if (to.price >= 0) {
      to.price *= d.price;
    }
    if (one.capacity.empty()) {
      multiply(to.capacity.data(), to.capacity.size(), factors.capacity, one.capacity_factor);
    } else {
      to.capacity = one.capacity;
    }
  }
  return {};
}

void change_load(const ByResource& factors, InstanceData& data, WatchRef watch) {
  const std::size_t resources = data.resources.size();
  const std::size_t cells = data.node_class.empty() ? 0 : data.load.size() / data.node_class.size();
  for (std::size_t node = 0; node < data.node_class.size() && cells > 0 && !watch.step(2 * cells); ++node) {
    multiply(data.load.data() + node * cells, cells, factors.load, 1);
  }
  for (std::size_t k = 0; k < data.load_variance.size() && !watch.step(); ++k) {
    data.load_variance[k] *= factors.load[k % resources] * factors.load[k % resources];
  }
}

/// Whether a limit is among the given share of them. The numbers drawn follow from the two apps alone.
bool is_drawn(AppId app, AppId other, double share) {
  // The finalizer of SplitMix64.
  std::uint64_t mixed = (std::uint64_t{app} << 32 | other) + 0x9E3779B97F4A7C15ull;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
  mixed ^= mixed >> 31;
  return static_cast<double>(mixed >> 11) * 0x1p-53 < share;
}

/// Removes limits between apps; those of an app on itself stay.
void thin_out(LimitLists& lists, double share, WatchRef watch) {
  std::size_t kept = 0;
  std::uint32_t first = 0;
  for (AppId app = 0; app + 1 < lists.row_begin.size(); ++app) {
    const std::uint32_t end = lists.row_begin[app + 1];
    if (watch.step(4 * (end - first) + 1)) return;
    for (std::uint32_t k = first; k < end; ++k) {
      if (lists.app[k] != app && !is_drawn(app, lists.app[k], share)) continue;
      lists.app[kept] = lists.app[k];
      lists.at_most[kept++] = lists.at_most[k];
    }
    first = end;
    lists.row_begin[app + 1] = static_cast<std::uint32_t>(kept);
  }
  lists.app.resize(kept);
  lists.at_most.resize(kept);
  if (kept == 0) lists.row_begin.clear();
}

}  // namespace

Result<Instance> derive_instance(const Instance& from, const Derivation& derivation, const Limits& limits, WatchRef watch) {
  if (Error e = check_factors(derivation); failed(e)) return e;
  InstanceData data = copy_of(from.data(), watch);
  if (watch.ended()) return cancelled();
  if (!derivation.name.empty()) data.name = derivation.name;
  const auto factors = factors_of(derivation, data);
  if (!factors) return factors.error();
  if (Error e = AppColumns(derivation, factors.value(), limits, data, watch).run(); failed(e)) return e;
  if (Error e = change_classes(derivation, factors.value(), data); failed(e)) return e;
  change_load(factors.value(), data, watch);
  LimitLists lists = from.limit_rows().lists(watch);
  // A limit of an app on itself that is no limit counts as one and is not among the lists.
  const bool all_listed = lists.app.size() == from.limit_rows().arc_count() + from.limit_rows().self_limit_count();
  if (derivation.limits < 1) thin_out(lists, derivation.limits, watch);
  if (watch.ended()) return cancelled();
  data.limits = lists.view();
  if (derivation.limits < 1 || !all_listed) return Instance::build(std::move(data), limits, Instance::Rules::kTogether, watch);
  return from.with_columns(std::move(data), limits, watch);
}

}  // namespace stowage
