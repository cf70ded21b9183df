// Nodes that run everything, for studies of moves: as left behind by schedulers that place replicas at random.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/cli/generate/cluster/draft.h"

namespace stowage::cli::cluster {
namespace {

double price_of(const NodeType& type, const Options& options) { return options.one_class ? 1 : type.price; }

/// The least cost of nodes that hold the CPU and the memory, by linear programming: the largest value of both at prices per
/// unit for which no type is worth more than it costs. It is reached where two types, or one type and a price of 0, are at
/// their cost.
double capacity_cost(const Options& options, double cpu, double memory) {
  struct Line {
    double cpu;
    double memory;
    double price;
  };
  std::vector<Line> lines = {{1, 0, 0}, {0, 1, 0}};
  for (const NodeType& type : node_types(options)) {
    const Amounts capacity = capacity_of(type);
    lines.push_back({static_cast<double>(capacity.cpu), static_cast<double>(capacity.memory), price_of(type, options)});
  }
  constexpr double kNoise = 1e-9;
  double best = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      const double determinant = lines[i].cpu * lines[j].memory - lines[j].cpu * lines[i].memory;
      if (determinant == 0) continue;
      const double per_cpu = (lines[i].price * lines[j].memory - lines[j].price * lines[i].memory) / determinant;
      const double per_memory = (lines[i].cpu * lines[j].price - lines[j].cpu * lines[i].price) / determinant;
      if (per_cpu < 0 || per_memory < 0) continue;
      const bool holds = std::all_of(lines.begin() + 2, lines.end(), [&](const Line& line) {
        return per_cpu * line.cpu + per_memory * line.memory <= line.price + kNoise;
      });
      if (holds) best = std::max(best, per_cpu * cpu + per_memory * memory);
    }
  }
  return best;
}

/// A replica, or a replica of an app and one of the app near it, which go to one node.
struct Unit {
  std::uint32_t app = 0;
  std::uint32_t near = kNone;
};

class Placing {
 public:
  Placing(const Options& options, const Draft& draft, InstanceData& data)
      : options_(options),
        draft_(draft),
        data_(data),
        types_(node_types(options)),
        random_(options.seed, kDrawRunning, 0),
        in_zone_(options.zones),
        spread_(draft.apps.size()) {
    for (std::uint32_t group = 0; group < draft.groups; ++group) zone_of_group_.push_back(random_.below(options.zones));
  }

  void open_nodes(double cost) {
    Random random(options_.seed, kDrawNodes, 0);
    while (cost > 0) {
      const std::uint32_t zone = random.below(options_.zones);
      const std::uint32_t type = random.below(static_cast<std::uint32_t>(types_.size()));
      open(zone, type);
      cost -= price_of(types_[type], options_);
    }
  }

  /// Pairs first: until then both apps of a pair have the same number of replicas in each zone, and can both be even.
  void place_all() {
    std::vector<Unit> pairs;
    std::vector<Unit> singles;
    for (std::uint32_t index = 0; index < draft_.apps.size(); ++index) {
      const App& app = draft_.apps[index];
      if (app.near != kNone) {
        pairs.insert(pairs.end(), app.replicas, Unit{index, app.near});
      } else {
        const std::uint32_t paired = app.beside == kNone ? 0 : draft_.apps[app.beside].replicas;
        singles.insert(singles.end(), app.replicas - paired, Unit{index, kNone});
      }
    }
    place_shuffled(pairs);
    place_shuffled(singles);
  }

  /// Nodes on which nothing runs stay out.
  void write() {
    for (const Node& node : nodes_) {
      if (node.tenants.empty()) continue;
      const auto listed = static_cast<std::uint32_t>(data_.nodes.node_class.size());
      data_.nodes.node_class.push_back(node.zone * static_cast<std::uint32_t>(types_.size()) + node.type);
      data_.nodes.names.push_back("node-" + std::to_string(listed + 1));
      for (const auto& [app, replicas] : node.tenants) data_.running.emplace_back(app, listed, replicas);
    }
  }

 private:
  void place_shuffled(std::vector<Unit>& units) {
    for (std::size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[random_.below(static_cast<std::uint32_t>(i))]);
    for (const Unit& unit : units) place(unit);
  }

  struct Node {
    std::uint32_t zone = 0;
    std::uint32_t type = 0;
    Load load;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> tenants;  ///< apps and their replicas
  };

  std::uint32_t open(std::uint32_t zone, std::uint32_t type) {
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({zone, type, {}, {}});
    in_zone_[zone].push_back(node);
    return node;
  }

  /// The zone in which the unit has to be; nothing where any will do.
  std::optional<std::uint32_t> zone_for(const Unit& unit) {
    const App& app = draft_.apps[unit.app];
    if (app.group != kNone) return zone_of_group_[app.group];
    const std::uint32_t spreading = app.spreads || unit.near == kNone ? unit.app : unit.near;
    if (!draft_.apps[spreading].spreads) return std::nullopt;
    const std::vector<std::uint32_t>& by_zone = counts(spreading);
    std::vector<std::uint32_t> least;
    for (std::uint32_t zone = 0; zone < options_.zones; ++zone) {
      if (!least.empty() && by_zone[zone] > by_zone[least.front()]) continue;
      if (!least.empty() && by_zone[zone] < by_zone[least.front()]) least.clear();
      least.push_back(zone);
    }
    return least[random_.below(static_cast<std::uint32_t>(least.size()))];
  }

  std::vector<std::uint32_t>& counts(std::uint32_t app) {
    if (spread_[app].empty()) spread_[app].assign(options_.zones, 0);
    return spread_[app];
  }

  [[nodiscard]] bool takes(const Node& node, std::uint32_t index) const {
    const App& app = draft_.apps[index];
    if (app.selects && types_[node.type].arm) return false;
    return std::all_of(node.tenants.begin(), node.tenants.end(), [&](const auto& tenant) {
      if (tenant.first == index) return !app.limited && !app.apart;
      if (draft_.excluded.empty()) return true;
      const std::vector<std::uint32_t>& excluded = draft_.excluded[index];
      return !std::binary_search(excluded.begin(), excluded.end(), tenant.first);
    });
  }

  [[nodiscard]] bool takes(const Node& node, const Unit& unit) const {
    if (!takes(node, unit.app) || (unit.near != kNone && !takes(node, unit.near))) return false;
    Load load = node.load;
    load.add(draft_.apps[unit.app].demand);
    if (unit.near != kNone) load.add(draft_.apps[unit.near].demand);
    return load.fits(capacity_of(types_[node.type]), options_.deviation);
  }

  void place(const Unit& unit) {
    const std::optional<std::uint32_t> zone = zone_for(unit);
    Node& node = nodes_[pick(unit, zone)];
    for (const std::uint32_t app : {unit.app, unit.near}) {
      if (app == kNone) continue;
      node.load.add(draft_.apps[app].demand);
      const auto tenant =
          std::find_if(node.tenants.begin(), node.tenants.end(), [&](const auto& one) { return one.first == app; });
      if (tenant == node.tenants.end()) {
        node.tenants.emplace_back(app, 1);
      } else {
        ++tenant->second;
      }
      if (draft_.apps[app].spreads) ++counts(app)[node.zone];
    }
  }

  /// A random node that takes the unit; a new one of a random type where a number of draws finds none.
  std::uint32_t pick(const Unit& unit, std::optional<std::uint32_t> zone) {
    constexpr int kDraws = 200;
    const auto choices = static_cast<std::uint32_t>(zone ? in_zone_[*zone].size() : nodes_.size());
    for (int draw = 0; draw < kDraws && choices > 0; ++draw) {
      const std::uint32_t at = random_.below(choices);
      const std::uint32_t node = zone ? in_zone_[*zone][at] : at;
      if (takes(nodes_[node], unit)) return node;
    }
    for (;;) {
      Node node;
      node.zone = zone ? *zone : random_.below(options_.zones);
      node.type = random_.below(static_cast<std::uint32_t>(types_.size()));
      if (takes(node, unit)) return open(node.zone, node.type);
    }
  }

  const Options& options_;
  const Draft& draft_;
  InstanceData& data_;
  std::span<const NodeType> types_;
  Random random_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> in_zone_;
  std::vector<std::vector<std::uint32_t>> spread_;  ///< per app that spreads: replicas by zone
  std::vector<std::uint32_t> zone_of_group_;
};

/// The largest total of a resource over the periods, in thousandths.
double peak_of(const InstanceData& data, std::size_t resource) {
  const std::size_t width = data.resources.size() * data.periods;
  double peak = 0;
  for (std::size_t period = 0; period < data.periods; ++period) {
    double total = 0;
    for (std::size_t app = 0; app < data.apps.replicas.size(); ++app) {
      total += data.apps.replicas[app] * data.apps.demand[app * width + resource * data.periods + period];
    }
    peak = std::max(peak, total * 1000);
  }
  return peak;
}

}  // namespace

void draw_running(const Options& options, const Draft& draft, InstanceData& data) {
  Placing placing(options, draft, data);
  placing.open_nodes(options.running * capacity_cost(options, peak_of(data, 0), peak_of(data, 1)));
  placing.place_all();
  placing.write();
}

}  // namespace stowage::cli::cluster
