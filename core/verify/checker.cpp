#include "core/verify/checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/numbers/amounts.h"
#include "core/base/prefetch.h"
#include "core/base/watched.h"
#include "core/model/labels.h"
#include "core/verify/confidence.h"
#include "core/verify/devices/device_check.h"
#include "core/verify/goals/goal_figures.h"
#include "core/verify/goals/row_lists.h"
#include "core/verify/kind_costs.h"
#include "core/verify/metrics.h"

namespace stowage {
namespace {

class Checker {
 public:
  Checker(const Instance& instance, const Plan& plan, CheckScope scope, WatchRef watch)
      : instance_(instance), data_(instance.data()), plan_(plan), measures_(scope == CheckScope::kAll), watch_(watch) {
    find_uncertain();
    if (data_.has_interference) suffering_.emplace(instance);
    has_daemons_ = !data_.daemon.empty() || std::any_of(data_.classes.begin(), data_.classes.end(),
                                                        [](const NodeClass& c) { return !c.daemon.empty(); });
  }

  Verification run() {
    if (plan_.instance != instance_.fingerprint()) report({.kind = ViolationKind::kWrongInstance});
    for (FeatureSet bit = 1; bit < static_cast<FeatureSet>(Feature::kEnd); bit <<= 1) {
      if ((instance_.features() & ~kHeadroomFeatures & bit) == 0) continue;
      report({.kind = ViolationKind::kUnchecked, .what = std::string(feature_name(static_cast<Feature>(bit)))});
    }
    for (void (Checker::*const part)() : {&Checker::read_start, &Checker::check_nodes, &Checker::group_entries,
                                          &Checker::check_counts, &Checker::check_each_node, &Checker::check_absent_nodes,
                                          &Checker::check_placement_rules, &Checker::measure, &Checker::check_figures}) {
      (this->*part)();
      if (!watch_.look()) continue;
      result_.given_up = true;
      return std::move(result_);
    }
    result_.ok = result_.violation_count == 0;
    return std::move(result_);
  }

 private:
  // Bytes of a row to prefetch; the processor prefetches the rest of a row by itself.
  static constexpr std::size_t kPrefetched = 256;
  // Tenants of a node whose rows are prefetched.
  static constexpr std::size_t kMostPrefetched = 64;
  // Steps of a node besides those for its tenants.
  static constexpr std::uint64_t kStepsPerNode = 16;
  // Steps of what is looked for among others or reported, such as an entry to sort and a violation of a rule.
  static constexpr std::uint64_t kStepsToFind = 16;

  void check_each_node() {
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      const std::uint64_t entries = tenants(n).size();
      if (watch_.step(kStepsPerNode + entries * (instance_.dims() + entries))) return;
      if (n + 1 < plan_.nodes.size()) prefetch(n + 1);
      if (node_ok_[n] == 0) continue;
      check_capacity(n);
      check_devices(n);
      check_limits(n);
      check_eligibility(n);
      check_side_effects(n);
      check_start(n);
      check_use(n);
    }
  }

  void measure() {
    if (!measures_) return;
    utilization();
    if (!watch_.step(plan_.nodes.size() * kStepsPerNode)) result_.metrics = measure_cluster(instance_, plan_, peak_, watch_);
  }

  struct Count {
    AppId app = kNone;
    std::uint32_t replicas = 0;
  };
  // Counts by node; app kNone: nothing that counts.
  struct CountRows {
    std::vector<std::size_t> begin;
    std::vector<Count> all;
    [[nodiscard]] std::span<const Count> operator[](std::size_t row) const {
      return {all.data() + begin[row], begin[row + 1] - begin[row]};
    }
    [[nodiscard]] std::span<Count> operator[](std::size_t row) {
      return {all.data() + begin[row], begin[row + 1] - begin[row]};
    }
    // Makes room for rows whose sizes are in begin[row + 1]. Where the watch ends the call, there is not enough.
    void make_room(WatchRef watch) {
      std::partial_sum(begin.begin(), begin.end(), begin.begin());
      watched_resize(all, begin.back(), watch);
    }
  };

  void report(Violation violation) {
    std::uint64_t& count = violation.inherited ? result_.inherited_count : result_.violation_count;
    count += violation.node < plan_.nodes.size() ? copies(violation.node) : 1;
    std::size_t& listed = violation.inherited ? inherited_listed_ : new_listed_;
    if (listed++ < Verification::kMaxListed) result_.violations.push_back(std::move(violation));
  }

  // Reads the contents of listed nodes before planning: per app the running replicas, or the pinned ones if these are more.
  void read_start() {
    start_.begin.assign(instance_.listed_nodes() + std::size_t{1}, 0);
    for (const std::vector<Residence>* list : {&data_.running, &data_.pinned}) {
      for (const Residence& one : *list) {
        if (watch_.step()) return;
        ++start_.begin[one.node + std::size_t{1}];
      }
    }
    start_.make_room(watch_);
    if (watch_.ended()) return;
    std::vector<std::size_t> next(start_.begin.begin(), start_.begin.end() - 1);
    for (const Residence& r : data_.running) {
      if (watch_.step()) return;
      start_.all[next[r.node]++] = {r.app, r.replicas};
    }
    for (const Residence& p : data_.pinned) {
      const std::span<Count> row = start_[p.node];
      if (watch_.step(kStepsToFind + row.size())) return;
      const auto at = std::find_if(row.begin(), row.end(), [&](const Count& c) { return c.app == p.app; });
      if (at == row.end()) {
        start_.all[next[p.node]++] = {p.app, p.replicas};
      } else {
        at->replicas = std::max(at->replicas, p.replicas);
      }
    }
  }

  std::uint64_t start_count(NodeId listed, AppId app) const {
    if (listed == kNone) return 0;
    for (const Count& c : start_[listed]) {
      if (c.app == app) return c.replicas;
    }
    return 0;
  }

  void check_nodes() {
    node_ok_.assign(plan_.nodes.size(), 1);
    if (measures_) watched_resize(peak_, plan_.nodes.size() * instance_.resources(), watch_);
    if (uncertain_resource_ != kNone) result_.node_ucac.assign(plan_.nodes.size(), 0);
    if (suffering_) {
      result_.max_cost = 0;
      result_.total_cost = 0;
      result_.node_max_cost.assign(plan_.nodes.size(), 0);
    }
    plan_node_.assign(instance_.listed_nodes(), kNone);
    std::vector<std::uint64_t> anonymous(instance_.classes(), 0);
    // A small hostile plan could claim enough copies to overflow sums over nodes.
    const std::uint64_t most = std::min<std::uint64_t>(instance_.limits().max_nodes, kNone);
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      if (watch_.step()) return;
      const PlannedNode& node = plan_.nodes[n];
      const bool bad = node.node_class >= instance_.classes() ||
                       (node.listed != kNone && (node.listed >= instance_.listed_nodes() || plan_node_[node.listed] != kNone ||
                                                 data_.node_class[node.listed] != node.node_class || node.copies != 1)) ||
                       node.copies == 0 || (node.copies > 1 && result_.nodes + node.copies > most);
      result_.nodes += bad ? 1 : node.copies;
      if (bad) {
        node_ok_[n] = 0;
        report({.kind = ViolationKind::kBadNode, .node = n, .other = node.node_class});
        continue;
      }
      if (node.listed == kNone) {
        anonymous[node.node_class] += node.copies;
      } else {
        plan_node_[node.listed] = n;
      }
    }
    std::vector<std::uint64_t> listed(instance_.classes(), 0);
    for (const ClassId c : data_.node_class) ++listed[c];
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      const std::uint64_t count = data_.classes[c].count;
      if (count == 0 || anonymous[c] <= count - listed[c]) continue;
      report({.kind = ViolationKind::kClassCount,
              .other = c,
              .amount = static_cast<double>(anonymous[c] + listed[c]),
              .limit = static_cast<double>(count)});
    }
  }

  void group_entries() {
    entries_.begin.assign(plan_.nodes.size() + 1, 0);
    for (const Placed& p : plan_.placed) {
      if (watch_.step()) return;
      if (p.node < plan_.nodes.size()) ++entries_.begin[p.node + std::size_t{1}];
    }
    entries_.make_room(watch_);
    std::vector<std::size_t> next(entries_.begin.begin(), entries_.begin.end() - 1);
    for (const Placed& p : plan_.placed) {
      if (watch_.step()) return;
      if (p.node >= plan_.nodes.size() || p.app >= instance_.apps() || p.replicas == 0) {
        report({.kind = ViolationKind::kBadEntry, .node = p.node, .app = p.app, .amount = static_cast<double>(p.replicas)});
        if (p.node < plan_.nodes.size()) entries_.all[next[p.node]++] = {kNone, 0};
        continue;
      }
      entries_.all[next[p.node]++] = {p.app, p.replicas};
    }
    group_reserved();
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      const std::span<Count> row = entries_[n];
      if (watch_.step(1 + kStepsToFind * row.size())) return;
      std::sort(row.begin(), row.end(), [](const Count& a, const Count& b) { return a.app < b.app; });
      for (std::size_t k = 1; k < row.size(); ++k) {
        const Count& c = row[k];
        if (c.app == kNone || c.app != row[k - 1].app) continue;
        report({.kind = ViolationKind::kBadEntry, .node = n, .app = c.app, .amount = static_cast<double>(c.replicas)});
      }
    }
  }

  // Few bytes must not stand for more replicas than an instance may have, nor for one entry many times on each copy of a node.
  void group_reserved() {
    keeps_room_.assign(plan_.nodes.size(), 0);
    std::uint64_t left = instance_.limits().max_replicas;
    std::vector<std::pair<NodeId, AppId>> seen;
    seen.reserve(plan_.reserved.size());
    for (const Placed& p : plan_.reserved) {
      if (watch_.step()) return;
      const auto bad = [&] {
        report({.kind = ViolationKind::kBadEntry, .node = p.node, .app = p.app, .amount = static_cast<double>(p.replicas)});
      };
      if (p.node >= plan_.nodes.size() || p.app >= instance_.apps() || p.replicas == 0) {
        bad();
        continue;
      }
      keeps_room_[p.node] = 1;
      seen.emplace_back(p.node, p.app);
      const std::uint64_t replicas = std::uint64_t{p.replicas} * plan_.nodes[p.node].copies;
      if (replicas > left) bad();
      left -= std::min(left, replicas);
    }
    watched_sort(seen, watch_);
    for (std::size_t k = 1; k < seen.size(); ++k) {
      if (watch_.step()) return;
      if (seen[k] == seen[k - 1]) report({.kind = ViolationKind::kBadEntry, .node = seen[k].first, .app = seen[k].second});
    }
    std::vector<std::uint8_t> unreserved(instance_.apps(), 0);
    for (const Unplaced& u : plan_.unreserved) {
      const bool bad = u.app >= instance_.apps() || u.replicas == 0 || unreserved[u.app] != 0;
      if (bad) report({.kind = ViolationKind::kBadEntry, .app = u.app, .amount = static_cast<double>(u.replicas)});
      if (u.app < instance_.apps()) unreserved[u.app] = 1;
    }
  }

  void check_counts() {
    std::vector<std::uint64_t> placed(instance_.apps(), 0);
    std::vector<std::uint64_t> unplaced(instance_.apps(), 0);
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      if (watch_.step(1 + tenants(n).size())) return;
      for (const Count& c : tenants(n)) {
        if (c.app != kNone) placed[c.app] += c.replicas * copies(n);
      }
    }
    for (const Unplaced& u : plan_.unplaced) {
      if (u.app >= instance_.apps() || u.replicas == 0 || unplaced[u.app] != 0) {
        report({.kind = ViolationKind::kBadEntry, .app = u.app, .amount = static_cast<double>(u.replicas)});
        continue;
      }
      unplaced[u.app] = u.replicas;
    }
    for (AppId i = 0; i < instance_.apps(); ++i) {
      result_.placed += placed[i];
      result_.unplaced += unplaced[i];
      if (placed[i] + unplaced[i] == instance_.replicas(i)) continue;
      report({.kind = ViolationKind::kReplicaCount,
              .app = i,
              .amount = static_cast<double>(placed[i] + unplaced[i]),
              .limit = static_cast<double>(instance_.replicas(i))});
    }
  }

  [[nodiscard]] std::span<const Count> tenants(NodeId n) const { return entries_[n]; }

  [[nodiscard]] std::uint64_t copies(NodeId n) const { return node_ok_[n] != 0 ? plan_.nodes[n].copies : 1; }

  [[nodiscard]] bool varies(AppId app, ResourceId r) const {
    const Instance::DemandRange& range = instance_.demand_range(app, r);
    return range.least < range.most;
  }
  // The rows of a node's tenants are scattered in memory, and the checker spends most of its time waiting for them. Always
  // inline, for the same reason as stowage::prefetch().
  [[gnu::always_inline]] void prefetch(NodeId n) const {
    const LimitRows& rows = instance_.limit_rows();
    const auto list = tenants(n).first(std::min(tenants(n).size(), kMostPrefetched));
    for (std::size_t a = 0; a < list.size(); ++a) {
      if (list[a].app == kNone) continue;
      for (ResourceId r = 0; r < instance_.resources(); ++r) {
        if (!varies(list[a].app, r)) continue;
        const std::span<const double> row = instance_.demand_over_time(list[a].app, r);
        stowage::prefetch(row.data(), std::min(row.size_bytes(), kPrefetched));
      }
      if (rows.degree(list[a].app) == 0) continue;
      for (std::size_t b = a + 1; b < list.size(); ++b) {
        if (list[b].app != kNone) rows.prefetch(list[a].app, list[b].app);
      }
    }
  }

  // Writes load and demand of a resource on a node, per period.
  template <class Counts>
  void use_over_time(ResourceId r, NodeId listed, const Counts& counts, std::vector<double>& sum) const {
    const std::uint32_t periods = instance_.periods();
    sum.assign(periods, 0);
    if (listed != kNone) {
      for (std::uint32_t t = 0; t < periods; ++t) sum[t] = instance_.load(listed, r, t);
    }
    double constant = 0;
    for (const auto& c : counts) {
      if (c.app == kNone) continue;
      const auto replicas = static_cast<double>(c.replicas);
      if (!varies(c.app, r)) {
        constant += replicas * instance_.demand_range(c.app, r).most;
        continue;
      }
      const std::span<const double> row = instance_.demand_over_time(c.app, r);
      for (std::uint32_t t = 0; t < periods; ++t) sum[t] += replicas * row[t];
    }
    for (double& amount : sum) amount += constant;
  }
  // An upper bound on the use in any period: each app and the load count with their own peaks. Summed in another order than
  // use_over_time(), so that it may be less by rounding.
  template <class Counts>
  [[nodiscard]] double most_use(ResourceId r, NodeId listed, const Counts& counts) const {
    double load = 0;
    if (listed != kNone) {
      for (std::uint32_t t = 0; t < instance_.periods(); ++t) load = std::max(load, instance_.load(listed, r, t));
    }
    for (const Count& c : counts) {
      if (c.app != kNone) load += static_cast<double>(c.replicas) * instance_.demand_range(c.app, r).most;
    }
    return load;
  }

  // Load that goes with a node: its own where the instance has that column, else its class's.
  [[nodiscard]] double daemon_load(const PlannedNode& node, ResourceId r, std::uint32_t t) const {
    const bool own = node.listed != kNone && !data_.daemon.empty();
    const std::vector<double>& values = own ? data_.daemon : data_.classes[node.node_class].daemon;
    if (values.empty()) return 0;
    const std::size_t width = data_.resources.size();
    const std::size_t rows = own ? data_.node_class.size() : 1;
    const std::size_t cell = (own ? node.listed * width : 0) + r;
    return values.size() == rows * width ? values[cell] : values[cell * data_.periods + t];
  }
  [[nodiscard]] double most_daemon_load(const PlannedNode& node, ResourceId r) const {
    double most = 0;
    for (std::uint32_t t = 0; has_daemons_ && t < instance_.periods(); ++t) most = std::max(most, daemon_load(node, r, t));
    return most;
  }
  void add_daemons(const PlannedNode& node, ResourceId r, std::vector<double>& sum) const {
    for (std::uint32_t t = 0; has_daemons_ && t < sum.size(); ++t) sum[t] += daemon_load(node, r, t);
  }

  // Finds the resource that the used capacity at confidence is about: the first with a spread.
  void find_uncertain() {
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      bool varies = false;
      for (AppId i = 0; i < instance_.apps() && !varies; ++i) varies = instance_.spread(i, r) > 0;
      for (NodeId n = 0; n < instance_.listed_nodes() && !data_.load_variance.empty() && !varies; ++n) {
        if (watch_.step()) return;
        varies = instance_.load_spread(n, r) > 0;
      }
      if (!varies) continue;
      // Computed only here, because the quantile takes longer than checking a small plan.
      const double factor = checked_confidence_factor(data_.uncertainty);
      if (factor <= 0) return;
      uncertain_resource_ = r;
      factor_ = factor;
      return;
    }
  }
  // D sqrt(sum of spreads) of a resource.
  template <class Counts>
  [[nodiscard]] double margin(ResourceId r, NodeId listed, const Counts& counts) const {
    if (uncertain_resource_ == kNone) return 0;
    double spread = listed == kNone ? 0 : instance_.load_spread(listed, r);
    for (const Count& c : counts) {
      if (c.app != kNone) spread += static_cast<double>(c.replicas) * instance_.spread(c.app, r);
    }
    return factor_ * std::sqrt(spread);
  }

  void check_capacity(NodeId n) {
    const PlannedNode& node = plan_.nodes[n];
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      const double capacity = data_.classes[node.node_class].capacity[r];
      const double allowed = capacity + kCheckerTolerance * capacity;
      const double spare = margin(r, node.listed, tenants(n));
      const bool is_measured = measures_ || r == uncertain_resource_;
      const double most_daemon = most_daemon_load(node, r);
      // Without the tolerance, which is larger than all rounding: the verdict is always that of use_over_time().
      if (!is_measured && most_use(r, node.listed, tenants(n)) + most_daemon + spare <= capacity) continue;
      use_over_time(r, node.listed, tenants(n), sum_);
      if (r == uncertain_resource_) result_.node_ucac[n] = *std::max_element(sum_.begin(), sum_.end()) + spare;
      add_daemons(node, r, sum_);
      const double peak = *std::max_element(sum_.begin(), sum_.end());
      if (measures_) peak_[std::size_t{n} * instance_.resources() + r] = peak;
      if (peak + spare <= allowed) continue;
      if (node.listed != kNone) {
        use_over_time(r, node.listed, start_[node.listed], start_sum_);
        add_daemons(node, r, start_sum_);
      }
      for (std::uint32_t t = 0; t < instance_.periods(); ++t) {
        const double amount = sum_[t];
        if (amount + spare <= allowed) continue;
        bool inherited = false;
        if (node.listed != kNone) {
          const double start = start_sum_[t];
          const double start_spare = margin(r, node.listed, start_[node.listed]);
          inherited =
              amount <= start * (1 + kCheckerTolerance) && amount + spare <= (start + start_spare) * (1 + kCheckerTolerance);
        }
        const bool by_mean = amount > allowed;
        report({.kind = by_mean ? ViolationKind::kCapacity : ViolationKind::kCapacityAtConfidence,
                .inherited = inherited,
                .node = n,
                .resource = r,
                .period = t,
                .amount = by_mean ? amount : amount + spare,
                .limit = capacity});
      }
    }
  }

  // Whether the devices of a node suffice for these replicas beside load and daemon load.
  template <class Counts>
  [[nodiscard]] bool fits_devices(const PlannedNode& node, ResourceId r, const Counts& counts) {
    const double device = data_.resources[r].device;
    device_check_.begin(device);
    device_check_.add_load(daemon_load(node, r, 0) + (node.listed == kNone ? 0 : instance_.load(node.listed, r, 0)));
    for (const Count& c : counts) {
      if (c.app != kNone) device_check_.add_demand(instance_.demand_range(c.app, r).most, c.replicas);
    }
    return device_check_.fits(std::round(data_.classes[node.node_class].capacity[r] / device), watch_);
  }

  void check_devices(NodeId n) {
    const PlannedNode& node = plan_.nodes[n];
    const auto list = tenants(n);
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      const auto uses = [&](const Count& c) { return c.app != kNone && instance_.demand_range(c.app, r).most > 0; };
      if (!(data_.resources[r].device > 0) || std::none_of(list.begin(), list.end(), uses)) continue;
      if (fits_devices(node, r, list)) continue;
      const double taken = device_check_.taken();
      // Fewer of the same replicas, on a node whose devices did not suffice at the start.
      const bool fewer = std::all_of(list.begin(), list.end(),
                                     [&](const Count& c) { return !uses(c) || c.replicas <= start_count(node.listed, c.app); });
      report({.kind = ViolationKind::kDevices,
              .inherited = node.listed != kNone && fewer && !fits_devices(node, r, start_[node.listed]),
              .node = n,
              .resource = r,
              .amount = taken,
              .limit = std::round(data_.classes[node.node_class].capacity[r] / data_.resources[r].device)});
    }
  }

  void check_limits(NodeId n) {
    const LimitRows& rows = instance_.limit_rows();
    const NodeId listed = plan_.nodes[n].listed;
    const auto list = tenants(n);
    const auto over = [&](AppId imposing, const Count& limited, std::uint32_t limit) {
      if (limit == kNone || limited.replicas <= limit) return;
      report({.kind = ViolationKind::kAffinityLimit,
              .inherited = start_count(listed, imposing) > 0 && start_count(listed, limited.app) >= limited.replicas,
              .node = n,
              .app = limited.app,
              .other = imposing,
              .amount = static_cast<double>(limited.replicas),
              .limit = static_cast<double>(limit)});
    };
    for (std::size_t a = 0; a < list.size(); ++a) {
      if (watch_.step(list.size() - a)) return;
      if (list[a].app == kNone) continue;
      const std::uint32_t self = rows.self_limit(list[a].app);
      if (self != kNone && list[a].replicas > self) {
        report({.kind = ViolationKind::kSelfLimit,
                .inherited = start_count(listed, list[a].app) >= list[a].replicas,
                .node = n,
                .app = list[a].app,
                .amount = static_cast<double>(list[a].replicas),
                .limit = static_cast<double>(self)});
      }
      if (rows.degree(list[a].app) == 0) continue;
      for (std::size_t b = a + 1; b < list.size(); ++b) {
        if (list[b].app == kNone) continue;
        const std::uint32_t codes = rows.find(list[a].app, list[b].app);
        if (codes == 0) continue;
        over(list[a].app, list[b], rows.imposes(codes));
        over(list[b].app, list[a], rows.obeys(codes));
      }
    }
  }

  [[nodiscard]] bool has_tag(const PlannedNode& node, std::uint32_t tag) const {
    for (const std::string& label : data_.classes[node.node_class].labels) {
      if (label == data_.tags[tag]) return true;
    }
    if (node.listed == kNone || data_.node_tags.empty()) return false;
    for (std::uint32_t k = data_.node_tags.begin[node.listed]; k < data_.node_tags.begin[node.listed + 1]; ++k) {
      if (data_.node_tags.index[k] == tag) return true;
    }
    return false;
  }

  // The columns `only` and `not` of apps. Selectors are among the placement rules.
  void check_eligibility(NodeId n) {
    const PlannedNode& node = plan_.nodes[n];
    const auto check = [&](const IndexRows& rows, const Count& c, bool wanted) {
      if (rows.empty()) return;
      for (std::uint32_t k = rows.begin[c.app]; k < rows.begin[c.app + 1]; ++k) {
        const std::uint32_t tag = rows.index[k];
        if (has_tag(node, tag) == wanted) continue;
        report({.kind = ViolationKind::kEligibility,
                .inherited = start_count(node.listed, c.app) >= c.replicas,
                .node = n,
                .app = c.app,
                .other = tag,
                .amount = wanted ? 0.0 : 1.0,
                .limit = wanted ? 1.0 : 0.0,
                .what = data_.tags[tag]});
      }
    };
    for (const Count& c : tenants(n)) {
      if (c.app == kNone) continue;
      check(data_.app_only, c, true);
      check(data_.app_not, c, false);
    }
  }

  // A node of the plan has to be in use: it holds replicas or carries load.
  // Costs of side effects on the node, and whether they keep within their limits.
  void check_side_effects(NodeId n) {
    if (!suffering_) return;
    const auto read = [&](const auto& counts) {
      suffering_->clear();
      for (const Count& c : counts) {
        if (c.app != kNone && c.replicas > 0) suffering_->add(c.app, c.replicas);
      }
    };
    read(tenants(n));
    std::vector<std::uint32_t> beyond;
    double& worst = result_.node_max_cost[n];
    for (const std::uint32_t kind : suffering_->kinds()) {
      const double cost = suffering_->cost(kind);
      worst = std::max(worst, cost);
      result_.total_cost += static_cast<double>(copies(n)) * static_cast<double>(suffering_->replicas(kind)) * cost;
      if (!(cost <= cost_limit(kind) * (1 + kCheckerTolerance))) beyond.push_back(kind);
    }
    result_.max_cost = std::max(result_.max_cost, worst);
    struct Cost {
      double value;
      std::uint64_t sufferers;
    };
    std::vector<Cost> costs;
    costs.reserve(beyond.size());
    for (const std::uint32_t kind : beyond) costs.push_back({suffering_->cost(kind), suffering_->replicas(kind)});
    const NodeId listed = plan_.nodes[n].listed;
    if (!beyond.empty() && listed != kNone) read(start_[listed]);
    for (std::size_t k = 0; k < beyond.size(); ++k) {
      const bool no_more_suffer = listed != kNone && costs[k].sufferers <= suffering_->replicas(beyond[k]);
      report({.kind = ViolationKind::kSideEffects,
              .inherited = no_more_suffer && costs[k].value <= suffering_->cost(beyond[k]) * (1 + kCheckerTolerance),
              .node = n,
              .other = beyond[k],
              .amount = costs[k].value,
              .limit = cost_limit(beyond[k])});
    }
  }

  [[nodiscard]] double cost_limit(std::uint32_t kind) const {
    const std::vector<double>& most = data_.interference.max_cost;
    const double own = most.empty() ? std::numeric_limits<double>::infinity() : most[kind];
    return plan_.max_cost_limit > 0 ? std::min(own, plan_.max_cost_limit) : own;
  }

  void check_use(NodeId n) {
    // Nodes may be kept for losses, or for replicas that there is to be room for.
    if (!tenants(n).empty() || !plan_.survive.empty() || keeps_room_[n] != 0) return;
    const NodeId listed = plan_.nodes[n].listed;
    if (listed != kNone && is_loaded(listed)) return;
    report({.kind = ViolationKind::kFigures, .node = n, .what = "an empty node among the nodes in use"});
  }

  bool is_loaded(NodeId listed) {
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      if (most_use(r, listed, std::span<const Count>{}) > 0) return true;
    }
    return false;
  }

  // A closed node takes no replicas besides those of the start.
  void check_start(NodeId n) {
    const NodeId listed = plan_.nodes[n].listed;
    if (listed == kNone) return;
    if (!data_.closed.empty() && data_.closed[listed] != 0) {
      for (const Count& c : tenants(n)) {
        if (c.app == kNone || c.replicas <= start_count(listed, c.app)) continue;
        report({.kind = ViolationKind::kClosedNode,
                .node = n,
                .app = c.app,
                .amount = static_cast<double>(c.replicas),
                .limit = static_cast<double>(start_count(listed, c.app))});
      }
    }
  }

  [[nodiscard]] std::uint64_t planned_count(NodeId listed, AppId app) const {
    const NodeId n = plan_node_[listed];
    if (n == kNone) return 0;
    const auto list = tenants(n);
    const auto at = std::lower_bound(list.begin(), list.end(), app, [](const Count& c, AppId a) { return c.app < a; });
    return at != list.end() && at->app == app ? at->replicas : 0;
  }

  // Pins and moves; and listed nodes that are in use because of their load have to be in the plan.
  void check_absent_nodes() {
    for (const Residence& p : data_.pinned) {
      if (watch_.step()) return;
      const std::uint64_t planned = planned_count(p.node, p.app);
      if (planned >= p.replicas) continue;
      report({.kind = ViolationKind::kPin,
              .node = plan_node_[p.node],
              .app = p.app,
              .other = p.node,
              .amount = static_cast<double>(planned),
              .limit = static_cast<double>(p.replicas)});
    }
    for (const Residence& r : data_.running) {
      if (watch_.step()) return;
      const std::uint64_t planned = planned_count(r.node, r.app);
      if (planned < r.replicas) result_.moves += r.replicas - planned;
    }
    if (!contains(instance_.features(), Feature::kExistingLoad)) return;
    for (NodeId listed = 0; listed < instance_.listed_nodes(); ++listed) {
      if (plan_node_[listed] != kNone || watch_.step(instance_.dims())) continue;
      if (is_loaded(listed)) {
        report({.kind = ViolationKind::kFigures, .other = listed, .what = "a loaded node is missing among the nodes in use"});
      }
    }
  }

  // Only if all nodes are valid; invalid ones have been reported.
  void check_placement_rules() {
    const bool sound = std::find(node_ok_.begin(), node_ok_.end(), 0) == node_ok_.end();
    if (instance_.rules().empty() || !sound) return;
    std::vector<Placed> placed;
    placed.reserve(plan_.placed.size());
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      if (watch_.step(1 + tenants(n).size())) return;
      for (const Count& c : tenants(n)) {
        if (c.app == kNone) continue;
        if (!placed.empty() && placed.back().node == n && placed.back().app == c.app) {
          placed.back().replicas += c.replicas;
        } else {
          placed.push_back({c.app, n, c.replicas});
        }
      }
    }
    RuleFindings findings = check_rules(instance_, plan_.nodes, placed, watch_);
    for (const RuleViolation& violation : findings.violations) {
      if (watch_.step(kStepsToFind)) return;
      if (!violation.hard) continue;
      report({.kind = ViolationKind::kPlacementRule,
              .inherited = violation.inherited,
              .node = violation.node,
              .app = violation.app,
              .other = violation.rule,
              .amount = violation.amount,
              .limit = violation.limit,
              .what = instance_.rules()[violation.rule].name});
    }
    result_.rule_costs = findings.costs;
    if (findings.violations.size() > Verification::kMaxListed) findings.violations.resize(Verification::kMaxListed);
    result_.rule_violations = std::move(findings.violations);
  }

  void utilization() {
    struct InAll {
      AppId app;
      std::uint64_t replicas;
    };
    std::vector<InAll> placed(instance_.apps());
    for (AppId i = 0; i < instance_.apps(); ++i) placed[i] = {i, 0};
    for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
      if (watch_.step(1 + tenants(n).size())) return;
      if (node_ok_[n] == 0) continue;
      for (const Count& c : tenants(n)) {
        if (c.app != kNone) placed[c.app].replicas += c.replicas * copies(n);
      }
    }
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      use_over_time(r, kNone, placed, sum_);
      double capacity = 0;
      for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
        if (watch_.step()) return;
        if (node_ok_[n] == 0) continue;
        const PlannedNode& node = plan_.nodes[n];
        capacity += static_cast<double>(copies(n)) * data_.classes[node.node_class].capacity[r];
        for (std::uint32_t t = 0; has_daemons_ && t < instance_.periods(); ++t) {
          sum_[t] += static_cast<double>(copies(n)) * daemon_load(node, r, t);
        }
        if (node.listed == kNone || data_.load.empty()) continue;
        for (std::uint32_t t = 0; t < instance_.periods(); ++t) sum_[t] += instance_.load(node.listed, r, t);
      }
      const double most = *std::max_element(sum_.begin(), sum_.end());
      result_.utilization.push_back(capacity > 0 ? std::max(0.0, most / capacity) : 0);
    }
  }

  void check_figures() {
    const auto wrong = [&](const char* what, double amount, double expected) {
      report({.kind = ViolationKind::kFigures, .amount = amount, .limit = expected, .what = what});
    };
    const auto nodes = static_cast<double>(result_.nodes);
    if (instance_.has_prices()) {
      result_.cost = 0;
      for (NodeId n = 0; n < plan_.nodes.size(); ++n) {
        if (watch_.step()) return;
        const PlannedNode& node = plan_.nodes[n];
        if (node_ok_[n] != 0) result_.cost += node.copies * data_.classes[node.node_class].price;
      }
      if (!(std::abs(plan_.cost - result_.cost) <= kCheckerTolerance * std::max(1.0, result_.cost))) {
        wrong("cost", plan_.cost, result_.cost);
      }
    }
    const std::optional<Bound>& cost_bound = plan_.bounds[Objective::kCost];
    if (!instance_.has_prices() && (plan_.cost >= 0 || cost_bound)) wrong("cost", plan_.cost, -1);
    const bool complete = plan_.is_complete();
    const bool claims_complete = plan_.status == PlanStatus::kComplete || plan_.status == PlanStatus::kOptimal;
    const bool claims_partial = plan_.status == PlanStatus::kPartial || plan_.status == PlanStatus::kInfeasibleProven;
    if ((claims_complete && !complete) || (claims_partial && complete)) {
      wrong("status", static_cast<double>(plan_.unplaced.size()), 0);
    }
    // The comparisons are written so that NaN fails them.
    const auto is_amount = [](double value) { return value >= 0 && value <= std::numeric_limits<double>::max(); };
    const double node_bound = plan_.bounds[Objective::kNodes] ? plan_.bounds[Objective::kNodes]->value : 0;
    if (!is_amount(node_bound) || (complete && !(node_bound <= nodes))) wrong("node_bound", node_bound, nodes);
    if (cost_bound &&
        (!is_amount(cost_bound->value) || (complete && !(cost_bound->value <= result_.cost * (1 + kCheckerTolerance))))) {
      wrong("cost_bound", cost_bound->value, result_.cost);
    }
    check_ucac(complete);
    check_costs(complete);
    check_left_out();
    check_traffic();
    check_domains(complete);
    check_rule_costs();
    check_objective(complete);
    check_left_over();
    const FoundFigures found{nodes,
                             instance_.has_prices() ? result_.cost : nodes,
                             static_cast<double>(result_.moves),
                             std::max(0.0, result_.rule_costs.cost),
                             result_.ucac,
                             result_.max_cost,
                             result_.total_cost,
                             result_.left_out,
                             result_.remote_traffic};
    for (const WrongGoal& one : check_goal_figures(instance_, plan_, found, watch_)) {
      report({.kind = ViolationKind::kFigures, .amount = one.said, .limit = one.expected, .what = one.what});
    }
    if (plan_.moves != result_.moves) wrong("moves", plan_.moves, static_cast<double>(result_.moves));
    if (plan_.inherited_violations != result_.inherited_count) {
      wrong("inherited_violations", plan_.inherited_violations, static_cast<double>(result_.inherited_count));
    }
  }

  // The gap, and the claim that the plan is optimal, by what the plan is judged by.
  void check_objective(bool complete) {
    const bool by_nodes = plan_.objective == Objective::kNodes;
    const bool by_cost = by_nodes && instance_.has_prices();
    const std::optional<Bound>& known = plan_.bounds[by_cost ? Objective::kCost : plan_.objective];
    const double bound = known ? known->value : 0;
    double value = plan_.objective == Objective::kUcac       ? result_.ucac
                   : plan_.objective == Objective::kWorst    ? result_.max_cost
                   : plan_.objective == Objective::kTotal    ? result_.total_cost
                   : plan_.objective == Objective::kAdmitted ? result_.left_out
                   : plan_.objective == Objective::kTraffic  ? result_.remote_traffic
                   : by_cost                                 ? result_.cost
                                                             : static_cast<double>(result_.nodes);
    const bool priced = plan_.soft == SoftPolicy::kPrice;
    if (!(plan_.soft_price >= 0 && plan_.soft_price <= kLargestAmount) || (!priced && plan_.soft_price > 0)) {
      report({.kind = ViolationKind::kFigures, .amount = plan_.soft_price, .limit = 0, .what = "soft_price"});
    }
    if (priced) value += plan_.soft_price * std::max(0.0, result_.rule_costs.cost);
    const bool admits = plan_.objective == Objective::kAdmitted;
    const bool misses = admits || plan_.objective == Objective::kTraffic;
    const double all = admits ? all_applications_ : misses ? all_traffic_ : 0;
    const double measure = misses ? all - value : bound;
    if ((misses ? known.has_value() : complete) && measure > kCheckerTolerance * all) {
      const double gap = (value - bound) / measure;
      // A value reaches its bound within the tolerance, which is more of a small measure.
      const double more = misses ? all / measure : 0;
      if (!(std::abs(plan_.gap - gap) <= kCheckerTolerance * (std::max(1.0, gap) + more))) {
        report({.kind = ViolationKind::kFigures, .amount = plan_.gap, .limit = gap, .what = "gap"});
      }
    } else if (!(plan_.gap < 0)) {
      report({.kind = ViolationKind::kFigures, .amount = plan_.gap, .limit = -1, .what = "gap"});
    }
    if (plan_.status != PlanStatus::kOptimal) return;
    const bool exact = by_nodes && !by_cost && !priced;
    // Where soft rules come first, nothing but a plan without violations is known to be best.
    const bool first = by_nodes && plan_.soft == SoftPolicy::kFirst;
    const bool violated =
        first && result_.rule_costs.cost > 0 &&
        std::any_of(instance_.rules().begin(), instance_.rules().end(), [](const PlacementRule& rule) { return !rule.hard; });
    const bool goals_proven =
        std::all_of(plan_.goals.begin(), plan_.goals.end(), [](const ReachedGoal& goal) { return goal.proven; });
    const bool proven = known && !violated && goals_proven && value <= (exact ? bound : bound * (1 + kCheckerTolerance));
    if (!proven) report({.kind = ViolationKind::kFigures, .amount = value, .limit = bound, .what = "status"});
  }

  // The bound on what is left over, and the claim that it is reached.
  void check_left_over() {
    const auto is_app = [&](const Unplaced& left) { return left.app < instance_.apps(); };
    if (!std::all_of(plan_.unplaced.begin(), plan_.unplaced.end(), is_app)) return;  // check_counts() reports the others
    if (plan_.objective == Objective::kAdmitted) return check_most_admitted();
    const bool bounded = plan_.left_over_bound && !plan_.left_over_bound->empty();
    const LeftOver left(instance_, plan_, plan_.fill);
    const bool counts = counts_replicas(instance_, plan_.judgement()) && !plan_.unplaced.empty();
    if (bounded && (!counts || left < *plan_.left_over_bound)) {
      report({.kind = ViolationKind::kFigures, .what = "left_over_bound"});
    }
    if (plan_.places_most && !(bounded && left == *plan_.left_over_bound)) {
      report({.kind = ViolationKind::kFigures, .what = "places_most"});
    }
  }

  // The claim that no plan leaves out less. The bound is on the sum over all priorities.
  void check_most_admitted() {
    if (plan_.left_over_bound) report({.kind = ViolationKind::kFigures, .what = "left_over_bound"});
    const std::optional<Bound>& bound = plan_.bounds[Objective::kAdmitted];
    const bool proven = !plan_.unplaced.empty() && bound && !contains(instance_.features(), Feature::kPriorities) &&
                        result_.left_out <= bound->value * (1 + kCheckerTolerance);
    if (plan_.places_most && !proven) report({.kind = ViolationKind::kFigures, .what = "places_most"});
  }

  // The weight of the applications that lack replicas: of each, the largest weight of its apps that want any.
  void check_left_out() {
    std::vector<double> weight(instance_.apps(), 0);
    std::vector<std::uint8_t> lacks(instance_.apps(), 0);
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (data_.replicas[app] == 0) continue;
      double& largest = weight[instance_.application(app)];
      largest = std::max(largest, data_.weight.empty() ? 1.0 : data_.weight[app]);
    }
    for (const Unplaced& left : plan_.unplaced) {
      if (left.app < instance_.apps() && left.replicas > 0) lacks[instance_.application(left.app)] = 1;
    }
    for (AppId app = 0; app < instance_.apps(); ++app) {
      all_applications_ += weight[app];
      if (lacks[app] != 0) result_.left_out += weight[app];
    }
    const std::optional<Bound>& bound = plan_.bounds[Objective::kAdmitted];
    const auto wrong = [&](const char* what, double amount, double expected) {
      report({.kind = ViolationKind::kFigures, .amount = amount, .limit = expected, .what = what});
    };
    const double said = plan_.objective == Objective::kAdmitted ? result_.left_out : -1;
    if (!(std::abs(plan_.left_out - said) <= kCheckerTolerance * std::max(1.0, said))) wrong("left_out", plan_.left_out, said);
    if (bound && !(said >= 0 && bound->value >= 0 && bound->value <= said * (1 + kCheckerTolerance))) {
      wrong("left_out_bound", bound->value, said);
    }
  }

  // The traffic that leaves its node, app by app: of each pair, what is missing to the whole where the replicas are.
  void check_traffic() {
    if (!data_.traffic.empty()) result_.remote_traffic = 0;
    // Entries by app. Those that are not valid are in a row after those of the apps.
    const auto row_of = [this](std::size_t entry) -> std::size_t {
      const Placed& placed = plan_.placed[entry];
      return placed.node < plan_.nodes.size() ? std::min<std::size_t>(placed.app, instance_.apps()) : instance_.apps();
    };
    const std::size_t entries = data_.traffic.empty() ? 0 : plan_.placed.size();
    const RowLists held = rows_by(instance_.apps() + std::size_t{1}, entries, row_of, watch_);
    // Per node: the app's share there, 0 again after each pair.
    std::vector<double> share(data_.traffic.empty() ? 0 : plan_.nodes.size(), 0);
    for (const Traffic& one : data_.traffic) {
      if (watch_.step(kStepsPerNode)) return;
      const double of_app = data_.replicas[one.app];
      const double of_peer = data_.replicas[one.peer];
      if (!(of_app > 0) || !(of_peer > 0)) continue;
      for (const std::uint32_t entry : held[one.app]) {
        if (watch_.step(kStepsPerNode)) return;
        share[plan_.placed[entry].node] += plan_.placed[entry].replicas / of_app;
      }
      double stays = 0;
      for (const std::uint32_t entry : held[one.peer]) {
        if (watch_.step(kStepsPerNode)) return;
        const Placed& placed = plan_.placed[entry];
        stays += static_cast<double>(copies(placed.node)) * std::min(share[placed.node], placed.replicas / of_peer);
      }
      for (const std::uint32_t entry : held[one.app]) {
        if (watch_.step()) return;
        share[plan_.placed[entry].node] = 0;
      }
      all_traffic_ += one.amount;
      // Shares that are not exact sum up to a little less than 1.
      if (1 - stays > kCheckerTolerance) result_.remote_traffic += one.amount * (1 - stays);
    }
    const std::optional<Bound>& bound = plan_.bounds[Objective::kTraffic];
    // A plan that was read from a table of placements states nothing about traffic.
    if (plan_.remote_traffic < 0 && !bound && plan_.objective != Objective::kTraffic) return;
    const auto wrong = [&](const char* what, double amount, double expected) {
      report({.kind = ViolationKind::kFigures, .amount = amount, .limit = expected, .what = what});
    };
    const double now = result_.remote_traffic;
    const double slack = kCheckerTolerance * std::max(all_traffic_, now);
    if (!(data_.traffic.empty() ? plan_.remote_traffic < 0 : std::abs(plan_.remote_traffic - now) <= slack)) {
      wrong("remote_traffic", plan_.remote_traffic, now);
    }
    if (bound && !(now >= 0 && bound->value >= 0 && bound->value <= now + slack)) {
      wrong("remote_traffic_bound", bound->value, now);
    }
  }

  // The values of the label with a replica or load on a node, one by one.
  void check_domains(bool complete) {
    std::set<std::string_view> used;
    const auto use = [&](NodeId listed, ClassId c) {
      visit_values(instance_, listed, c, plan_.leave_free, [&](std::string_view value) { used.emplace(value); });
    };
    if (!plan_.leave_free.empty()) {
      for (const Placed& placed : plan_.placed) {
        if (watch_.step(kStepsPerNode)) return;
        if (placed.node >= plan_.nodes.size() || node_ok_[placed.node] == 0 || placed.replicas == 0) continue;
        use(plan_.nodes[placed.node].listed, plan_.nodes[placed.node].node_class);
      }
      for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
        if (watch_.step(kStepsPerNode + instance_.dims())) return;
        if (instance_.is_loaded(n)) use(n, data_.node_class[n]);
      }
    }
    const auto now = static_cast<double>(used.size());
    const auto wrong = [&](const char* what, double amount) {
      report({.kind = ViolationKind::kFigures, .amount = amount, .limit = now, .what = what});
    };
    if (plan_.domains_in_use != used.size()) wrong("domains_in_use", plan_.domains_in_use);
    if (plan_.leave_free.empty() ? plan_.domain_bound > 0 : complete && plan_.domain_bound > used.size()) {
      wrong("domain_bound", plan_.domain_bound);
    }
    if (plan_.status == PlanStatus::kOptimal && !plan_.leave_free.empty() && plan_.domain_bound < used.size()) {
      wrong("status", plan_.domain_bound);
    }
  }

  void check_rule_costs() {
    const RuleCosts& said = plan_.rule_costs;
    const RuleCosts& now = result_.rule_costs;
    // A plan that was read from a table of placements states nothing about rules.
    if (said.cost < 0 && said.violations == 0 && said.replicas == 0) return;
    const auto agree = [](double a, double b) { return std::abs(a - b) <= kCheckerTolerance * std::max(1.0, std::abs(b)); };
    if (said.violations != now.violations || said.replicas != now.replicas || !agree(said.extent, now.extent) ||
        !agree(said.weight, now.weight) || !agree(said.cost, now.cost)) {
      report({.kind = ViolationKind::kFigures, .amount = said.cost, .limit = now.cost, .what = "violation_cost"});
    }
  }

  void check_ucac(bool complete) {
    const auto wrong = [&](const char* what, double amount, double expected) {
      report({.kind = ViolationKind::kFigures, .amount = amount, .limit = expected, .what = what});
    };
    if (uncertain_resource_ != kNone) result_.ucac = 0;
    for (NodeId n = 0; n < result_.node_ucac.size() && !watch_.step(); ++n)
      result_.ucac += static_cast<double>(copies(n)) * result_.node_ucac[n];
    // A plan that was read from a table of placements states nothing about used capacity.
    const bool silent =
        plan_.ucac < 0 && plan_.ucac_resource == kNone && plan_.node_ucac.empty() && !plan_.bounds[Objective::kUcac];
    if (silent) return;
    if (plan_.ucac_resource != uncertain_resource_) wrong("ucac_resource", plan_.ucac_resource, uncertain_resource_);
    if (uncertain_resource_ == kNone) {
      if (plan_.ucac >= 0 || plan_.bounds[Objective::kUcac] || !plan_.node_ucac.empty()) wrong("ucac", plan_.ucac, -1);
      return;
    }
    // Within a tolerance: the same numbers are summed in another order.
    const auto agree = [](double a, double b) { return std::abs(a - b) <= kCheckerTolerance * std::max(1.0, b); };
    if (!agree(plan_.ucac, result_.ucac)) wrong("ucac", plan_.ucac, result_.ucac);
    if (plan_.node_ucac.size() != plan_.nodes.size()) {
      wrong("node_ucac", static_cast<double>(plan_.node_ucac.size()), static_cast<double>(plan_.nodes.size()));
    } else {
      for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
        if (watch_.step()) return;
        if (node_ok_[n] != 0 && !agree(plan_.node_ucac[n], result_.node_ucac[n])) {
          report({.kind = ViolationKind::kFigures,
                  .node = static_cast<NodeId>(n),
                  .amount = plan_.node_ucac[n],
                  .limit = result_.node_ucac[n],
                  .what = "node_ucac"});
        }
      }
    }
    const std::optional<Bound>& bound = plan_.bounds[Objective::kUcac];
    if (bound && (!(bound->value >= 0) || (complete && !(bound->value <= result_.ucac * (1 + kCheckerTolerance))))) {
      wrong("ucac_bound", bound->value, result_.ucac);
    }
  }

  // What the plan says of the costs of side effects.
  void check_costs(bool complete) {
    const auto wrong = [&](const char* what, double amount, double expected, NodeId node = kNone) {
      report({.kind = ViolationKind::kFigures, .node = node, .amount = amount, .limit = expected, .what = what});
    };
    if (!(plan_.max_cost_limit >= 0) || (!suffering_ && plan_.max_cost_limit > 0)) {
      wrong("max_cost_limit", plan_.max_cost_limit, 0);
    }
    const std::optional<Bound>& worst = plan_.bounds[Objective::kWorst];
    const std::optional<Bound>& total = plan_.bounds[Objective::kTotal];
    // A plan that was read from a table of placements states nothing about costs.
    if (plan_.max_cost < 0 && plan_.total_cost < 0 && plan_.node_max_cost.empty() && !worst && !total) return;
    const auto agree = [](double a, double b) { return std::abs(a - b) <= kCheckerTolerance * b; };
    if (!suffering_ || !agree(plan_.max_cost, result_.max_cost)) wrong("max_cost", plan_.max_cost, result_.max_cost);
    if (!suffering_ || !agree(plan_.total_cost, result_.total_cost)) wrong("total_cost", plan_.total_cost, result_.total_cost);
    if (plan_.node_max_cost.size() != result_.node_max_cost.size()) {
      wrong("node_max_cost", static_cast<double>(plan_.node_max_cost.size()), static_cast<double>(result_.nodes));
    }
    for (NodeId n = 0; n < std::min(plan_.node_max_cost.size(), result_.node_max_cost.size()); ++n) {
      if (watch_.step()) return;
      if (node_ok_[n] != 0 && !agree(plan_.node_max_cost[n], result_.node_max_cost[n])) {
        wrong("node_max_cost", plan_.node_max_cost[n], result_.node_max_cost[n], n);
      }
    }
    const auto holds = [&](const std::optional<Bound>& bound, double value) {
      return !bound || (bound->value >= 0 && (!complete || bound->value <= value * (1 + kCheckerTolerance)));
    };
    if (!holds(worst, result_.max_cost)) wrong("max_cost_bound", worst->value, result_.max_cost);
    if (!holds(total, result_.total_cost)) wrong("total_cost_bound", total->value, result_.total_cost);
  }

  const Instance& instance_;
  const InstanceData& data_;
  const Plan& plan_;
  const bool measures_;
  WatchRef watch_;  // once it has ended the check, the rest of every loop may be left out
  ResourceId uncertain_resource_ = kNone;
  double factor_ = 0;
  double all_applications_ = 0;  // their weight
  double all_traffic_ = 0;       // of pairs both of which want replicas
  bool has_daemons_ = false;
  std::optional<KindCosts> suffering_;  // scratch; empty without interference
  DeviceCheck device_check_;            // scratch
  Verification result_;
  std::size_t new_listed_ = 0;
  std::size_t inherited_listed_ = 0;
  CountRows start_;                       // by listed node: contents before planning
  std::vector<std::uint8_t> node_ok_;     // per node of the plan
  std::vector<NodeId> plan_node_;         // per listed node: its index in the plan, or kNone
  std::vector<std::uint8_t> keeps_room_;  // per node of the plan: whether replicas are reserved there
  CountRows entries_;                     // by node of the plan: its tenants
  std::vector<double> sum_;               // scratch, per period
  std::vector<double> peak_;              // per node of the plan and resource: use in the fullest period
  std::vector<double> start_sum_;         // scratch, per period
};

}  // namespace

Verification check_plan(const Instance& instance, const Plan& plan, CheckScope scope, WatchRef watch) {
  return Checker(instance, plan, scope, watch).run();
}

}  // namespace stowage
