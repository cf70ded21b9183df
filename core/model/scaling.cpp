// How an instance's amounts become integers: units, demand, capacity, load, and the risk of uncertain demand.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/numbers/quantile.h"
#include "core/base/watched.h"
#include "core/model/instance.h"

namespace stowage {
namespace {

/// Units of risk that a node may hold at the start. One replica more then stays within 64 bits.
constexpr std::int64_t kMostRisk = std::int64_t{1} << 61;
/// A start with more risk on a node than this times the largest squared capacity may be refused.
constexpr double kMostRiskOverload = 0x1p20;

/// What listed nodes hold has 16 bits up to this.
constexpr std::int64_t kMostNarrow = std::numeric_limits<std::int16_t>::max();

/// False where the watch ends the call.
bool varies_at_random(const Instance& instance, ResourceId resource, WatchRef watch) {
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (instance.spread(i, resource) > 0) return true;
    if (watch.step()) return false;
  }
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (instance.load_spread(n, resource) > 0) return true;
    if (watch.step()) return false;
  }
  return false;
}

}  // namespace

double Instance::heaviest_start(ResourceId resource, WatchRef watch) const {
  std::vector<double> held;
  watched_resize(held, std::size_t{listed_nodes()} * periods_, watch);
  for (NodeId n = 0; n < listed_nodes() && !watch.step(periods_); ++n) {
    for (std::uint32_t t = 0; t < periods_; ++t) {
      held[std::size_t{n} * periods_ + t] = load(n, resource, t) + daemon(n, data_.node_class[n], resource, t);
    }
  }
  for (const std::vector<Residence>* list : {&data_.running, &data_.pinned}) {
    for (const Residence& r : *list) {
      if (watch.step(4 + periods_)) return 0;
      for (std::uint32_t t = 0; t < periods_; ++t)
        held[std::size_t{r.node} * periods_ + t] += demand(r.app, resource, t) * r.replicas;
    }
  }
  double heaviest = 0;
  in_pieces(std::span<const double>(held), watch, [&](std::span<const double> piece) {
    heaviest = std::max(heaviest, *std::max_element(piece.begin(), piece.end()));
    return true;
  });
  return heaviest;
}

Error Instance::scale_all(WatchRef watch) {
  choose_scales(watch);
  if (watch.ended()) return cancelled();
  std::vector<std::int32_t> start;
  if (Error e = scale_start(start, watch); failed(e)) return e;
  if (Error e = scale_daemons(start, watch); failed(e)) return e;
  scale_demand(watch);
  return scale_risks(watch);
}

void Instance::choose_scales(WatchRef watch) {
  std::vector<double> amounts;
  std::vector<double> capacities;
  std::int64_t largest = 0;
  for (ResourceId r = 0; r < resources(); ++r) {
    amounts.clear();
    capacities.clear();
    // What does not vary counts once.
    const std::uint32_t demand_periods = demand_varies_ ? periods_ : 1;
    const std::uint32_t load_periods = load_varies_ ? periods_ : 1;
    // Room from the start: columns of this size take long to move.
    if (has_daemons()) capacities.reserve((std::size_t{listed_nodes()} + classes()) * periods_ + classes() + 1);
    const bool at_random = varies_at_random(*this, r, watch);
    amounts.reserve(std::size_t{apps()} * demand_periods +
                    (data_.load.empty() ? 0 : std::size_t{listed_nodes()} * load_periods) +
                    (at_random ? capacities.capacity() : 0));
    for (AppId i = 0; i < apps() && !watch.step(demand_periods); ++i) {
      for (std::uint32_t t = 0; t < demand_periods; ++t) amounts.push_back(demand(i, r, t));
    }
    if (!data_.load.empty()) {
      for (NodeId n = 0; n < listed_nodes() && !watch.step(load_periods); ++n) {
        for (std::uint32_t t = 0; t < load_periods; ++t) amounts.push_back(load(n, r, t));
      }
    }
    for (const NodeClass& node_class : data_.classes) capacities.push_back(node_class.capacity[r]);
    // The unit has to be exact for devices as well, none of which is larger than every capacity.
    const double device = data_.resources[r].device;
    if (device > 0 && device <= *std::max_element(capacities.begin(), capacities.end())) capacities.push_back(device);
    // Daemon loads are taken off capacities, so that the unit has to be exact for them as well. No unit is for those beyond
    // every capacity.
    if (has_daemons()) {
      const double largest_of_all = *std::max_element(capacities.begin(), capacities.end());
      const auto add = [&](NodeId listed, ClassId c) {
        for (std::uint32_t t = 0; t < periods_; ++t) {
          if (daemon(listed, c, r, t) <= largest_of_all) capacities.push_back(daemon(listed, c, r, t));
        }
      };
      for (ClassId c = 0; c < classes() && !watch.step(periods_); ++c) add(kNone, c);
      for (NodeId n = 0; n < listed_nodes() && !watch.step(periods_); ++n) add(n, data_.node_class[n]);
    }
    // Where demand varies at random, what a capacity has beyond a multiple of all demands is of use: the unit divides it, too.
    if (at_random) {
      in_pieces(std::span<const double>(capacities), watch, [&](std::span<const double> piece) {
        amounts.insert(amounts.end(), piece.begin(), piece.end());
        return true;
      });
    }
    const double heaviest = heaviest_start(r, watch);
    if (watch.ended()) return;
    scales_.push_back(Scale::choose(amounts, capacities, heaviest, watch));
    if (watch.ended()) return;
    largest = std::max<std::int64_t>(largest, scales_[r].largest_capacity());
  }
  for (ClassId c = 0; c < classes(); ++c) {
    for (ResourceId r = 0; r < resources(); ++r) {
      const std::int64_t left = scales_[r].left(data_.classes[c].capacity[r], least_daemon(c, r));
      scaled_capacity_.push_back(static_cast<std::int32_t>(left));
    }
  }
  // One value is kept free on top for "larger than any node", and one at the bottom for lanes that hold no node.
  narrow_ = largest < std::numeric_limits<std::int16_t>::max();
}

Error Instance::scale_start(std::vector<std::int32_t>& start, WatchRef watch) {
  if (listed_nodes() == 0) return {};
  const std::uint32_t dim_count = dims();
  watched_resize(start, std::size_t{listed_nodes()} * dim_count, watch);
  if (!data_.load.empty()) watched_resize(scaled_load_, start.size(), watch);
  if (watch.ended()) return cancelled();
  for (NodeId n = 0; n < listed_nodes() && !data_.load.empty(); ++n) {
    if (watch.step(4 * dim_count)) return cancelled();
    for (std::uint32_t h = 0; h < dim_count; ++h) {
      const ResourceId r = resource_of(h);
      const std::int64_t units = scales_[r].load(load(n, r, period_of(h)));
      if (units > std::numeric_limits<std::int32_t>::max()) {
        const std::size_t cell = std::size_t{n} * resources() + r;
        return too_large(indexed("nodes.load", load_varies_ ? cell * data_.periods + period_of(h) : cell),
                         "the load is out of proportion to every capacity");
      }
      scaled_load_[std::size_t{n} * dim_count + h] = static_cast<std::int32_t>(units);
      start[std::size_t{n} * dim_count + h] = static_cast<std::int32_t>(units);
      narrow_ = narrow_ && units <= kMostNarrow;
    }
  }
  const auto occupy = [&](const std::vector<Residence>& list, const char* name) -> Error {
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (watch.step(4 * dim_count)) return cancelled();
      for (std::uint32_t h = 0; h < dim_count; ++h) {
        const ResourceId r = resource_of(h);
        std::int32_t& held = start[std::size_t{list[k].node} * dim_count + h];
        const std::int64_t units =
            held + std::int64_t{scales_[r].demand(demand(list[k].app, r, period_of(h)))} * list[k].replicas;
        if (units > std::numeric_limits<std::int32_t>::max()) {
          return too_large(indexed(name, k), "the replicas on this node are out of proportion to every capacity");
        }
        held = static_cast<std::int32_t>(units);
        narrow_ = narrow_ && units <= kMostNarrow;
      }
    }
    return {};
  };
  if (Error e = occupy(data_.running, "running"); failed(e)) return e;
  return occupy(data_.pinned, "pinned");
}

Error Instance::scale_daemons(std::vector<std::int32_t>& start, WatchRef watch) {
  if (!has_daemons()) return {};
  const std::uint32_t dim_count = dims();
  // What a node lacks of its class's capacity.
  const auto lacks = [&](NodeId listed, ClassId c, std::uint32_t h) {
    const ResourceId r = resource_of(h);
    return scaled_capacity(c)[r] - scales_[r].left(data_.classes[c].capacity[r], daemon(listed, c, r, period_of(h)));
  };
  bool any = false;
  for (ClassId c = 0; c < classes(); ++c) {
    if (watch.step(4 * dim_count)) return cancelled();
    for (std::uint32_t h = 0; h < dim_count; ++h) {
      scaled_class_daemon_.push_back(static_cast<std::int32_t>(lacks(kNone, c, h)));
      any = any || scaled_class_daemon_.back() > 0;
    }
  }
  if (!any) scaled_class_daemon_.clear();
  watched_resize(scaled_standing_, start.size(), watch);
  if (watch.ended()) return cancelled();
  for (NodeId n = 0; n < listed_nodes(); ++n) {
    if (watch.step(8 * dim_count)) return cancelled();
    const auto load = scaled_load(n);
    for (std::uint32_t h = 0; h < dim_count; ++h) {
      const std::size_t at = std::size_t{n} * dim_count + h;
      const std::int64_t units = lacks(n, data_.node_class[n], h);
      const std::int64_t held = start[at] + units;
      if (held > std::numeric_limits<std::int32_t>::max()) {
        const std::size_t cell = std::size_t{n} * resources() + resource_of(h);
        const bool profile = data_.daemon.size() > std::size_t{listed_nodes()} * resources();
        return too_large(indexed("nodes.daemon", profile ? cell * data_.periods + period_of(h) : cell),
                         "the daemon load is out of proportion to every capacity");
      }
      start[at] = static_cast<std::int32_t>(held);
      narrow_ = narrow_ && held <= kMostNarrow;
      scaled_standing_[at] = static_cast<std::int32_t>(units + (load.empty() ? 0 : load[h]));
    }
  }
  return {};
}

void Instance::scale_demand(WatchRef watch) {
  const std::uint32_t width = resources();
  const std::size_t cells = std::size_t{apps()} * dims();
  if (narrow_) {
    watched_resize(demand16_, cells, watch);
  } else {
    watched_resize(demand32_, cells, watch);
  }
  if (watch.ended()) return;
  total_demand_.assign(dims(), 0);
  demand_range_.resize(std::size_t{apps()} * width);
  least_demand_.assign(width, std::numeric_limits<double>::infinity());
  std::size_t at = 0;
  for (AppId i = 0; i < apps() && !watch.step(2 * dims()); ++i) {
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
}

std::int64_t Instance::units_for_risk(std::int64_t risk, ResourceId resource) const {
  if (risk <= 0) return 0;
  // Nodes may start with much more risk than any capacity has room for. Beyond twice the largest capacity in units, the exact
  // number makes no difference. The square of this limit is exact.
  constexpr std::int64_t kMostUnits = 3'000'000'000;
  const double root = root_of_risk(risk, resource);
  if (root >= static_cast<double>(kMostUnits)) return kMostUnits;
  // The square root of a rounded number is off by a few units at most: integers decide.
  auto units = static_cast<std::int64_t>(root);
  while (risk_room(units, resource) < risk) ++units;
  while (units > 0 && risk_room(units - 1, resource) >= risk) --units;
  return units;
}

double Instance::risk_in_units(double spread, ResourceId resource, double most) const {
  const double unit = scales_[resource].unit();
  // One division after the other: the square of the unit could leave the range of doubles although the result does not.
  const double risk = squared_factor_ * spread / unit / unit;
  return risk < most ? risk : most;
}

void Instance::find_confidence_factor(WatchRef watch) {
  const Uncertainty& u = data_.uncertainty;
  switch (u.model) {
    case ChanceModel::kGaussian:
      confidence_factor_ = normal_quantile(u.confidence);
      break;
    case ChanceModel::kBoundedSupport:
      // P(sum - mean >= t) <= exp(-2 t^2 / sum of squared widths) (Hoeffding 1963, theorem 2).
      confidence_factor_ = std::sqrt(minus_log_of_rest(u.confidence) / 2);
      break;
    case ChanceModel::kFactor:
      confidence_factor_ = u.factor;
      break;
  }
  squared_factor_ = confidence_factor_ * confidence_factor_;
  for (ResourceId r = 0; r < resources() && confidence_factor_ > 0 && uncertain_resource_ == kNone; ++r) {
    if (varies_at_random(*this, r, watch)) uncertain_resource_ = r;
  }
}

Error Instance::scale_risks(WatchRef watch) {
  find_confidence_factor(watch);
  if (watch.ended()) return cancelled();
  if (uncertain_resource_ == kNone) return {};
  watched_resize(scaled_risk_, std::size_t{apps()} * resources(), watch);
  if (!data_.load_variance.empty()) watched_resize(scaled_load_risk_, std::size_t{listed_nodes()} * resources(), watch);
  if (watch.ended()) return cancelled();
  for (ResourceId r = 0; r < resources(); ++r) {
    if (Error e = scale_risks_of(r, watch); failed(e)) return e;
  }
  return {};
}

Error Instance::scale_risks_of(ResourceId r, WatchRef watch) {
  const std::uint32_t width = resources();
  const double largest = scales_[r].largest_capacity();
  const double square = std::max(1.0, largest * largest);  // at most 2^60, and its factors have 30 bits: exact
  // Twice that square, which no node can take, stands for any larger risk of an app.
  const auto app_risk = [&](AppId app) { return risk_in_units(spread(app, r), r, 2 * square); };
  const auto load_risk = [&](NodeId n) { return risk_in_units(load_spread(n, r), r, kMostRiskOverload * square); };
  std::vector<double> start(listed_nodes());
  for (NodeId n = 0; n < listed_nodes() && !watch.step(8); ++n) start[n] = load_risk(n);
  for (const std::vector<Residence>* list : {&data_.running, &data_.pinned}) {
    for (const Residence& residence : *list) {
      if (watch.step(8)) return cancelled();
      start[residence.node] += app_risk(residence.app) * residence.replicas;
    }
  }
  const double heaviest = start.empty() ? 0 : *std::max_element(start.begin(), start.end());
  int exponent = 0;
  std::frexp(std::max(square, std::min(heaviest, kMostRiskOverload * square)), &exponent);
  const int shift = 60 - exponent;
  risk_shift_.push_back(shift);
  risk_unit_.push_back(std::ldexp(1.0, -shift));
  const auto in_units = [shift](double risk) { return static_cast<std::int64_t>(std::ceil(std::ldexp(risk, shift))); };
  for (AppId i = 0; i < apps() && !watch.step(16); ++i) scaled_risk_[std::size_t{i} * width + r] = in_units(app_risk(i));

  std::vector<std::int64_t> units(listed_nodes());
  for (NodeId n = 0; n < listed_nodes() && !watch.step(16); ++n) {
    units[n] = in_units(load_risk(n));
    if (!scaled_load_risk_.empty()) scaled_load_risk_[std::size_t{n} * width + r] = units[n];
  }
  const auto occupy = [&](const std::vector<Residence>& list, const char* name) -> Error {
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (watch.step(8)) return cancelled();
      const std::int64_t each = scaled_risk_[std::size_t{list[k].app} * width + r];
      if (each > 0 && list[k].replicas > (kMostRisk - units[list[k].node]) / each) {
        return too_large(indexed(name, k),
                         "the uncertainty of the replicas on this node is out of proportion to every capacity");
      }
      units[list[k].node] += each * list[k].replicas;
    }
    return {};
  };
  if (Error e = occupy(data_.running, "running"); failed(e)) return e;
  return occupy(data_.pinned, "pinned");
}

}  // namespace stowage
