// Random instances that combine all features of the model. A seed gives the same instance on every platform.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/model/instance.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

/// The content of an instance, with the columns that its limits refer to.
struct Generated {
  InstanceData data;
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> limited;
  std::vector<std::uint32_t> at_most;

  [[nodiscard]] Instance build() const {
    InstanceData copy = data;
    copy.limits = {row_begin, limited, at_most};
    auto instance = Instance::build(std::move(copy));
    if (!instance) throw std::invalid_argument(instance.error().path + ": " + instance.error().message);
    return std::move(instance.value());
  }

  [[nodiscard]] std::uint32_t apps() const { return static_cast<std::uint32_t>(data.replicas.size()); }
  [[nodiscard]] std::uint32_t listed() const { return static_cast<std::uint32_t>(data.node_class.size()); }
  [[nodiscard]] std::uint32_t resources() const { return static_cast<std::uint32_t>(data.resources.size()); }
  [[nodiscard]] double demand(AppId app, ResourceId r, std::uint32_t t) const { return at(data.demand, apps(), app, r, t); }
  [[nodiscard]] double load(NodeId n, ResourceId r, std::uint32_t t) const {
    return data.load.empty() ? 0 : at(data.load, listed(), n, r, t);
  }

  [[nodiscard]] bool has_traffic() const {
    return std::any_of(data.traffic.begin(), data.traffic.end(), [](const Traffic& one) { return one.amount > 0; });
  }
  /// The load that one replica is to those beside it: its largest demand for the resource of the interference table.
  [[nodiscard]] double load_of(AppId app) const {
    double most = 0;
    for (std::uint32_t t = 0; t < data.periods; ++t) most = std::max(most, demand(app, data.interference.resource, t));
    return most;
  }

  /// Load that goes with a node.
  [[nodiscard]] double daemon(NodeId n, ClassId c, ResourceId r, std::uint32_t t) const {
    if (n != kNone && !data.daemon.empty()) return at(data.daemon, listed(), n, r, t);
    return data.classes[c].daemon.empty() ? 0 : at(data.classes[c].daemon, 1, 0, r, t);
  }

 private:
  [[nodiscard]] double at(const std::vector<double>& values, std::size_t rows, std::size_t row, std::size_t r,
                          std::size_t t) const {
    const std::size_t cell = row * resources() + r;
    return values.size() == rows * resources() ? values[cell] : values[cell * data.periods + t];
  }
};

/// The largest size of an instance.
struct Size {
  std::uint32_t apps = 30;
  std::uint32_t replicas = 6;  ///< of an app
  std::uint32_t resources = 3;
  std::uint32_t periods = 8;
  std::uint32_t classes = 3;
  std::uint32_t listed = 6;
  double rules = 0.25;        ///< share of instances with placement rules
  double daemons = 0.25;      ///< share of instances with daemon loads
  double eligibility = 0.25;  ///< share of instances with apps that only some nodes may hold
  double kinds = 0.3;         ///< share of instances with side effects
  double weights = 0;         ///< share of instances with weights of apps
  double devices = 0.2;       ///< share of instances with a resource in devices
  double traffic = 0.25;      ///< share of instances with traffic between apps
};

/// The kind of an instance's numbers. The last two are no decimals, so that scaled units cannot be exact.
enum class Numbers : std::uint8_t { kWhole, kDecimal, kThirds, kAny };

class Generator {
 public:
  Generator(std::uint64_t seed, const Size& size)
      : random_(seed),
        uncertainty_(seed ^ 0x5DEECE66D),
        tags_(seed ^ 0x2545F4914F),
        labels_(seed ^ 0x3C6EF372FE),
        daemons_(seed ^ 0x1F83D9ABFB),
        kinds_(seed ^ 0x5BE0CD1913),
        weights_(seed ^ 0x510E527FAD),
        devices_(seed ^ 0x9B05688C2B),
        traffic_(seed ^ 0x6A09E667F3),
        size_(size) {}

  Generated run() {
    constexpr Numbers kKinds[] = {Numbers::kWhole, Numbers::kWhole, Numbers::kDecimal, Numbers::kThirds, Numbers::kAny};
    numbers_ = kKinds[random_.below(5)];
    // Sometimes enough dimensions that they do not all become columns of residuals.
    const std::uint32_t resources = random_.chance(0.1) ? size_.resources * 4 : random_.between(1, size_.resources);
    for (std::uint32_t r = 0; r < resources; ++r) d().resources.push_back({"resource-" + std::to_string(r), ""});
    d().periods = random_.chance(0.4) ? random_.between(2, size_.periods) : 1;
    add_classes();
    add_apps();
    if (random_.chance(0.6)) add_listed();
    if (random_.chance(0.7)) add_limits();
    drop_impossible_counts();
    if (uncertainty_.chance(0.35)) add_uncertainty();
    if (tags_.chance(size_.rules)) add_rules();
    if (labels_.chance(size_.eligibility)) add_eligibility();
    if (daemons_.chance(size_.daemons)) add_daemons();
    if (kinds_.chance(size_.kinds)) add_kinds();
    if (weights_.chance(size_.weights)) {
      for (AppId i = 0; i < result_.apps(); ++i) d().weight.push_back(weights_.between(1, 8) / 4.0);
    }
    if (devices_.chance(size_.devices)) add_devices();
    if (traffic_.chance(size_.traffic)) add_traffic();
    return std::move(result_);
  }

 private:
  InstanceData& d() { return result_.data; }

  // Pairs of different apps, some of which form circles.
  void add_traffic() {
    for (AppId i = 1; i < result_.apps(); ++i) {
      const AppId peer = traffic_.below(i);
      if (traffic_.chance(0.8)) d().traffic.push_back({i, peer, traffic_.below(9) / 2.0});
      const AppId other = traffic_.below(i);
      if (other != peer && traffic_.chance(0.3)) d().traffic.push_back({other, i, traffic_.below(9) / 3.0});
    }
  }

  double amount(double most) {
    switch (numbers_) {
      case Numbers::kWhole:
        return random_.below(static_cast<std::uint32_t>(most) + 1);
      case Numbers::kDecimal:
        return random_.below(static_cast<std::uint32_t>(most * 100) + 1) / 100.0;
      case Numbers::kThirds:
        return random_.below(static_cast<std::uint32_t>(most * 3) + 1) / 3.0;
      case Numbers::kAny:
        break;
    }
    return most * (static_cast<double>(random_.next() >> 11) * 0x1p-53);
  }

  void add_classes() {
    const std::uint32_t classes = random_.between(1, size_.classes);
    const bool priced = random_.chance(0.4);
    const bool finite = random_.chance(0.4);
    for (std::uint32_t c = 0; c < classes; ++c) {
      NodeClass node_class;
      node_class.name = "class-" + std::to_string(c);
      for (std::uint32_t r = 0; r < result_.resources(); ++r) {
        node_class.capacity.push_back(r > 0 && random_.chance(0.05) ? 0 : 5 + amount(10));
      }
      if (priced) node_class.price = random_.below(20) / 4.0;
      if (finite && random_.chance(0.7)) node_class.count = random_.between(1, size_.apps);
      d().classes.push_back(std::move(node_class));
    }
    for (std::uint32_t r = 0; r < result_.resources(); ++r) {
      double most = 0;
      for (const NodeClass& c : d().classes) most = std::max(most, c.capacity[r]);
      largest_.push_back(most);
    }
  }

  // One row of demand or load, constant over the periods or not.
  void add_row(std::vector<double>& column, bool profile, const std::vector<double>& most) {
    for (const double m : most) {
      const bool varies = profile && random_.chance(0.6);
      double value = amount(m);
      for (std::uint32_t t = 0; t < (profile ? d().periods : 1); ++t) {
        if (t > 0 && varies) value = amount(m);
        column.push_back(value);
      }
    }
  }

  void add_apps() {
    const std::uint32_t apps = random_.between(1, size_.apps);
    const bool profile = d().periods > 1 && random_.chance(0.8);
    const double small = random_.chance(0.5) ? 0.2 : 0.5;
    for (std::uint32_t i = 0; i < apps; ++i) {
      d().replicas.push_back(random_.chance(0.05) ? 0 : random_.between(1, size_.replicas));
      // A few apps fit on no node.
      const double share = random_.chance(0.02) ? 1.5 : random_.chance(0.1) ? 1.0 : small;
      std::vector<double> most;
      for (const double m : largest_) most.push_back(random_.chance(0.15) ? 0 : m * share);
      add_row(d().demand, profile, most);
    }
    if (random_.chance(0.3)) {
      for (std::uint32_t i = 0; i < apps; ++i) d().priority.push_back(static_cast<std::int32_t>(random_.below(5)) - 2);
    }
  }

  void add_listed() {
    const std::uint32_t listed = random_.between(1, size_.listed);
    const auto classes = static_cast<std::uint32_t>(d().classes.size());
    for (std::uint32_t n = 0; n < listed; ++n) d().node_class.push_back(random_.below(classes));
    if (random_.chance(0.6)) {
      const bool profile = d().periods > 1 && random_.chance(0.5);
      for (std::uint32_t n = 0; n < listed; ++n) {
        // Some nodes are overloaded at the start.
        const double share = random_.chance(0.4) ? 0 : random_.chance(0.1) ? 1.5 : 0.5;
        std::vector<double> most;
        for (const double c : d().classes[d().node_class[n]].capacity) most.push_back(c * share);
        add_row(d().load, profile, most);
      }
    }
    if (random_.chance(0.3)) {
      for (std::uint32_t n = 0; n < listed; ++n) d().closed.push_back(random_.chance(0.3) ? 1 : 0);
    }
    add_residents(listed);
  }

  // Running replicas are on any nodes, and may break constraints. Some pins are where replicas run.
  void add_residents(std::uint32_t listed) {
    const bool running = random_.chance(0.7);
    const bool pinned = random_.chance(0.5);
    for (AppId i = 0; i < result_.apps(); ++i) {
      std::uint32_t free = d().replicas[i];
      std::vector<std::uint32_t> there(listed, 0);
      for (NodeId n = 0; n < listed && running; ++n) {
        if (free == 0 || !random_.chance(0.15)) continue;
        there[n] = random_.between(1, free);
        free -= there[n];
        d().running.push_back({i, n, there[n]});
      }
      for (NodeId n = 0; n < listed && pinned; ++n) {
        if (there[n] + free == 0 || !random_.chance(0.07)) continue;
        const std::uint32_t replicas = random_.between(1, there[n] + free);
        free -= replicas > there[n] ? replicas - there[n] : 0;
        d().pinned.push_back({i, n, replicas});
      }
    }
  }

  void add_limits() {
    const double density = random_.chance(0.5) ? 0.1 : random_.chance(0.5) ? 0.02 : 0.5;
    const double selfs = random_.chance(0.5) ? 0.3 : 0;
    const bool sorted = random_.chance(0.5);
    result_.row_begin.push_back(0);
    for (AppId i = 0; i < result_.apps(); ++i) {
      std::vector<AppId> row;
      for (AppId j = 0; j < result_.apps(); ++j) {
        if (random_.chance(i == j ? selfs : density)) row.push_back(j);
      }
      for (std::uint32_t k = static_cast<std::uint32_t>(row.size()); !sorted && k > 1; --k) {
        std::swap(row[k - 1], row[random_.below(k)]);
      }
      for (const AppId j : row) {
        result_.limited.push_back(j);
        result_.at_most.push_back(i == j ? random_.between(1, 3) : random_.below(4));
      }
      result_.row_begin.push_back(static_cast<std::uint32_t>(result_.limited.size()));
    }
  }

  // Spreads of every model, some of them 0. From a random sequence of their own, so that they do not change the rest of an
  // instance.
  void add_uncertainty() {
    constexpr ChanceModel kModels[] = {ChanceModel::kGaussian, ChanceModel::kGaussian, ChanceModel::kBoundedSupport,
                                       ChanceModel::kFactor};
    d().has_uncertainty = true;
    d().uncertainty.model = kModels[uncertainty_.below(4)];
    constexpr double kConfidence[] = {0.5, 0.8, 0.99, 0.999, 0.999999};
    d().uncertainty.confidence = kConfidence[uncertainty_.below(5)];
    d().uncertainty.factor = uncertainty_.below(5) / 2.0;
    const double most = uncertainty_.chance(0.5) ? 0.3 : 1.0;  // of the mean
    const auto deviation = [&](double mean) {
      if (uncertainty_.chance(0.2)) return 0.0;
      return mean * most * (static_cast<double>(uncertainty_.next() >> 11) * 0x1p-53);
    };
    const bool all_resources = uncertainty_.chance(0.3);
    for (AppId i = 0; i < result_.apps(); ++i) {
      for (ResourceId r = 0; r < result_.resources(); ++r) {
        const double sigma = all_resources || r == 0 ? deviation(result_.demand(i, r, 0)) : 0;
        d().variance.push_back(std::max(sigma * sigma, sigma > 0 ? 1e-12 : 0));
        if (d().uncertainty.model != ChanceModel::kBoundedSupport) continue;
        d().support_min.push_back(result_.demand(i, r, 0));
        d().support_max.push_back(result_.demand(i, r, 0) + sigma);
      }
    }
    if (d().load.empty() || uncertainty_.chance(0.5)) return;
    for (NodeId n = 0; n < result_.listed(); ++n) {
      for (ResourceId r = 0; r < result_.resources(); ++r) {
        const double sigma = deviation(result_.load(n, r, 0));
        d().load_variance.push_back(std::max(sigma * sigma, sigma > 0 ? 1e-12 : 0));
      }
    }
  }

  // Tags on apps and nodes, overlapping groups by sets and by label, and rules of every kind. From a random sequence of their
  // own. If rules of one origin contradict each other, the instance has no rules.
  void add_rules() {
    const std::uint32_t tags = tags_.between(1, 5);
    for (std::uint32_t t = 0; t < tags; ++t) d().tags.push_back("tag-" + std::to_string(t));
    d().tags.push_back("appID:0");
    d().tags.push_back("rack=1");
    d().tags.push_back("rack=2");
    const auto draw = [&](IndexRows& rows, std::uint32_t count, double share, std::uint32_t first, std::uint32_t last) {
      rows.begin.push_back(0);
      for (std::uint32_t k = 0; k < count; ++k) {
        for (std::uint32_t t = first; t < last; ++t) {
          if (tags_.chance(share)) rows.index.push_back(t);
        }
        rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
      }
    };
    draw(d().app_tags, result_.apps(), 0.3, 0, tags);
    if (result_.listed() > 0) draw(d().node_tags, result_.listed(), 0.2, 0, tags + 3);
    for (NodeClass& node_class : d().classes) {
      if (tags_.chance(0.6)) node_class.labels.push_back(tags_.chance(0.5) ? "rack=1" : "rack=2");
    }
    NodeGroup listed;
    listed.name = "domain";
    draw(listed.sets, tags_.below(4), 0.4, 0, result_.listed());
    d().groups.push_back(listed);
    NodeGroup labelled;
    labelled.name = "rack";
    labelled.by_label = "rack";
    d().groups.push_back(labelled);
    const auto draw_tags = [&](std::uint32_t last) {
      std::vector<std::uint32_t> result = {tags_.below(last)};
      if (tags_.chance(0.2)) result.push_back(tags_.below(last));
      return result;
    };
    const auto draw_part = [&] {
      Cardinality part;
      const std::uint32_t kind = tags_.below(8);
      part.kind = kind == 0 ? CardinalityKind::kNodeSets : kind == 1 ? CardinalityKind::kSkew : CardinalityKind::kReplicas;
      part.subject = draw_tags(tags + 1);
      part.target = draw_tags(tags + 2);
      if (tags_.chance(0.3)) part.target = part.subject;
      part.min = tags_.chance(0.7) ? 0 : tags_.between(1, 3);
      part.max = part.min > 0 && tags_.chance(0.6) ? kNone : part.min + tags_.below(4);
      const std::uint32_t group = tags_.below(3);
      part.group = group == 2 ? kNone : group;
      part.negated = tags_.chance(0.1);
      return part;
    };
    const std::uint32_t rules = tags_.between(1, 6);
    const bool softer = tags_.chance(0.4);
    for (std::uint32_t r = 0; r < rules; ++r) {
      PlacementRule rule;
      rule.name = "rule-" + std::to_string(r);
      rule.hard = !softer || tags_.chance(0.4);
      rule.weight = tags_.below(5) / 2.0;
      rule.from_operator = tags_.chance(0.2);
      const std::uint32_t ways = tags_.chance(0.25) ? 2 : 1;
      for (std::uint32_t w = 0; w < ways; ++w) {
        rule.any_of.emplace_back();
        for (std::uint32_t k = tags_.chance(0.2) ? 2 : 1; k > 0; --k) rule.any_of.back().push_back(draw_part());
      }
      d().rules.push_back(std::move(rule));
    }
    InstanceData copy = d();
    copy.limits = {result_.row_begin, result_.limited, result_.at_most};
    if (!Instance::build(std::move(copy))) d().rules.clear();
  }

  // Labels of classes and single nodes, columns of apps that ask for them and, in instances that may have rules, hard rules
  // that are nothing but selectors; none that contradicts itself. From a random sequence of its own.
  void add_eligibility() {
    const auto first = static_cast<std::uint32_t>(d().tags.size());
    for (const char* label : {"pool=a", "pool=b", "ssd"}) d().tags.emplace_back(label);
    const std::uint32_t picky = first + 3;
    d().tags.emplace_back("picky");
    for (NodeClass& node_class : d().classes) {
      for (std::uint32_t t = first; t < picky; ++t) {
        if (labels_.chance(0.5)) node_class.labels.push_back(d().tags[t]);
      }
    }
    // Rows with further random tags from `low` to `high`.
    const auto extend = [&](IndexRows& rows, std::uint32_t count, double share, std::uint32_t low, std::uint32_t high) {
      IndexRows longer;
      longer.begin.push_back(0);
      for (std::uint32_t k = 0; k < count; ++k) {
        for (std::uint32_t at = rows.empty() ? 0 : rows.begin[k]; !rows.empty() && at < rows.begin[k + 1]; ++at) {
          longer.index.push_back(rows.index[at]);
        }
        for (std::uint32_t t = low; t < high; ++t) {
          if (labels_.chance(share)) longer.index.push_back(t);
        }
        longer.begin.push_back(static_cast<std::uint32_t>(longer.index.size()));
      }
      rows = std::move(longer);
    };
    if (result_.listed() > 0 && labels_.chance(0.5)) extend(d().node_tags, result_.listed(), 0.4, first, picky);
    if (labels_.chance(0.8)) extend(d().app_only, result_.apps(), 0.15, first, picky);
    if (labels_.chance(0.6)) extend(d().app_not, result_.apps(), 0.1, first, picky);
    if (size_.rules == 0 || labels_.chance(0.5)) return;
    extend(d().app_tags, result_.apps(), 0.3, picky, picky + 1);
    PlacementRule rule;
    rule.name = "selector";
    for (std::uint32_t w = labels_.between(1, 2); w > 0; --w) {
      rule.any_of.emplace_back();
      for (std::uint32_t k = labels_.between(1, 2); k > 0; --k) {
        Cardinality part;
        part.subject = {picky};
        part.target = {first + labels_.below(3)};
        part.min = labels_.below(2);
        part.max = part.min == 0 ? 0 : kNone;
        part.negated = labels_.chance(0.2);
        rule.any_of.back().push_back(part);
      }
    }
    d().rules.push_back(std::move(rule));
    InstanceData copy = d();
    copy.limits = {result_.row_begin, result_.limited, result_.at_most};
    if (!Instance::build(std::move(copy))) d().rules.pop_back();
  }

  // Of some classes, and sometimes of the listed nodes, a few of which carry more than their capacity. From a random sequence
  // of its own.
  void add_daemons() {
    const auto row = [&](std::vector<double>& column, const NodeClass& of, double share, bool profile) {
      for (const double capacity : of.capacity) {
        for (std::uint32_t t = 0; t < (profile ? d().periods : 1); ++t) {
          // Halves of whole numbers are decimals.
          const double most = capacity * share;
          column.push_back(numbers_ == Numbers::kAny ? most * (static_cast<double>(daemons_.next() >> 11) * 0x1p-53)
                                                     : daemons_.below(static_cast<std::uint32_t>(most * 2) + 1) / 2.0);
        }
      }
    };
    const bool profile = d().periods > 1 && daemons_.chance(0.4);
    for (NodeClass& c : d().classes) {
      if (daemons_.chance(0.7)) row(c.daemon, c, 0.3, profile && daemons_.chance(0.7));
    }
    if (result_.listed() == 0 || daemons_.chance(0.5)) return;
    for (const ClassId c : d().node_class) {
      row(d().daemon, d().classes[c], daemons_.chance(0.05) ? 1.3 : daemons_.chance(0.3) ? 0 : 0.3, profile);
    }
  }

  // Kinds, some of which suffer from nobody or not from themselves, and limits on what side effects may cost most of them; a
  // few limits are what the largest replica costs alone. From a random sequence of its own.
  void add_kinds() {
    const std::uint32_t kinds = kinds_.chance(0.05) ? 20 : kinds_.between(1, 4);
    Interference& table = d().interference;
    d().has_interference = true;
    table.kind_count = kinds;
    table.resource = kinds_.below(result_.resources());
    for (std::uint32_t k = 0; k < kinds * kinds; ++k) {
      const bool plain = numbers_ == Numbers::kWhole || numbers_ == Numbers::kDecimal;
      table.coefficient.push_back(kinds_.chance(0.15) ? 0 : plain ? kinds_.between(1, 8) / 4.0 : 2 * kinds_.share());
    }
    std::vector<double> alone(kinds, 0);
    for (AppId i = 0; i < result_.apps(); ++i) {
      const std::uint32_t kind = kinds_.below(kinds);
      d().kind.push_back(kind);
      if (d().replicas[i] > 0) alone[kind] = std::max(alone[kind], table.coefficient[kind * kinds + kind] * result_.load_of(i));
    }
    if (kinds_.chance(0.3)) return;
    for (std::uint32_t k = 0; k < kinds; ++k) {
      const double typical = largest_[table.resource] * 0.5;
      const double room = kinds_.chance(0.1) ? 0 : typical * (1 + kinds_.below(8)) / 4;
      table.max_cost.push_back(kinds_.chance(0.25) ? std::numeric_limits<double>::infinity() : alone[k] + room);
    }
  }

  // A further resource, in devices of 12 units. From a random sequence of its own.
  void add_devices() {
    constexpr std::uint32_t kDevice = 12;
    const std::size_t before = d().resources.size();
    d().resources.push_back({"gpu", "", kDevice});
    // Appends a value to each row of a column of rows x resources, or of rows x resources x periods.
    const auto widen = [&](std::vector<double>& column, std::size_t rows, auto&& value_of) {
      if (column.empty()) return;
      const std::size_t repeat = column.size() / (rows * before);
      std::vector<double> wider;
      for (std::size_t row = 0; row < rows; ++row) {
        const auto first = column.begin() + static_cast<std::ptrdiff_t>(row * before * repeat);
        wider.insert(wider.end(), first, first + static_cast<std::ptrdiff_t>(before * repeat));
        wider.insert(wider.end(), repeat, value_of(row));
      }
      column = std::move(wider);
    };
    const auto nothing = [](std::size_t) { return 0.0; };
    const std::uint32_t parts = devices_.chance(0.5) ? 2 : kDevice - 1;  // different sizes
    widen(d().demand, result_.apps(), [&](std::size_t) -> double {
      if (devices_.chance(0.3)) return 0;
      return devices_.chance(0.2) ? kDevice * devices_.between(1, 2) : kDevice - 1 - 2 * devices_.below(parts) % (kDevice - 1);
    });
    widen(d().variance, result_.apps(), nothing);
    widen(d().support_min, result_.apps(), nothing);
    widen(d().support_max, result_.apps(), nothing);
    for (NodeClass& c : d().classes) {
      c.capacity.push_back(kDevice * devices_.below(5));
      const auto most = static_cast<std::uint32_t>(c.capacity.back() / 2);
      widen(c.daemon, 1, [&](std::size_t) -> double { return devices_.chance(0.6) ? 0 : devices_.below(most + 1); });
    }
    const auto most_of = [&](std::size_t n) {
      return static_cast<std::uint32_t>(d().classes[d().node_class[n]].capacity.back());
    };
    widen(d().load, result_.listed(),
          [&](std::size_t n) -> double { return devices_.chance(0.5) ? 0 : devices_.below(most_of(n) + 2); });
    widen(d().load_variance, result_.listed(), nothing);
    widen(d().daemon, result_.listed(),
          [&](std::size_t n) -> double { return devices_.chance(0.6) ? 0 : devices_.below(most_of(n) + 2); });
  }

  // A finite class has at least as many nodes as are listed.
  void drop_impossible_counts() {
    for (ClassId c = 0; c < d().classes.size(); ++c) {
      const auto listed = static_cast<std::uint32_t>(std::count(d().node_class.begin(), d().node_class.end(), c));
      std::uint32_t& count = d().classes[c].count;
      if (count > 0) count = std::max(count, listed);
    }
  }

  Random random_;
  Random uncertainty_;
  Random tags_;
  Random labels_;
  Random daemons_;
  Random kinds_;
  Random weights_;
  Random devices_;
  Random traffic_;
  Size size_;
  Numbers numbers_ = Numbers::kWhole;
  std::vector<double> largest_;
  Generated result_;
};

inline Generated generate(std::uint64_t seed, const Size& size) { return Generator(seed, size).run(); }

}  // namespace stowage::test
