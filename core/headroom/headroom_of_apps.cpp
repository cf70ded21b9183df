#include "core/headroom/headroom_of_apps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/watched.h"
#include "core/explain/opened_plan.h"
#include "core/losses/loss.h"
#include "core/simd/room_kernels.h"

namespace stowage {
namespace {

// Sums of doubles are exact to less than this share of the amounts. Free capacity is rounded up by it.
constexpr double kRoomRounding = 1e-12;

// Squares of what is below are far from what a double holds. Above, every node is asked by itself.
constexpr double kMostSafe = 1e100;

// In single precision, what is free is rounded up by this share of the largest capacity. All roundings of a room together, of
// which each is at most 2^-24, make up for less.
constexpr double kCoarseRounding = 3e-7;
// By how much rooms in single precision may be too large, at most.
constexpr double kMostCoarse = 1.0 / 64;
// Where more than one room in so many is unsure, all are computed anew in double precision, which takes less time than to ask
// each of those nodes.
constexpr std::size_t kSitesPerUnsure = 64;

// Below, sums of whole numbers are exact.
constexpr double kMostExactSum = 9007199254740992.0;

// What a dimension of a node takes, in steps of a watch.
constexpr std::uint64_t kStepsPerSiteDim = 4;
// The same of a tenant.
constexpr std::uint64_t kStepsPerTenant = 4;
// Rooms that are computed in a step.
constexpr std::uint64_t kRoomsPerStep = 8;

// Sums end here, which keeps them within 64 bits.
constexpr std::uint64_t kMostRoom = 1'000'000'000'000'000'000;

void add_room(std::uint64_t& sum, double more) {
  sum = std::min(kMostRoom, sum + static_cast<std::uint64_t>(std::min(more, static_cast<double>(kMostRoom))));
}

/// The room of an app on some nodes.
struct RoomOfApp {
  std::uint64_t room = 0;
  std::uint64_t nodes = 0;  ///< with room for one
  std::uint32_t most = 0;   ///< on one node

  void add(const RoomSums& sums) {
    add_room(room, sums.room);
    add_room(nodes, sums.open);
    most = std::max(most, static_cast<std::uint32_t>(sums.most));
  }
};

/// A node that an app could join.
struct Site {
  NodeId planned;  ///< kNone: the plan does not use it
  NodeId listed;
  ClassId node_class;
  double weight;  ///< how many nodes with equal contents
};

std::uint32_t below(double room, double most) { return static_cast<std::uint32_t>(std::max(0.0, std::min(room, most))); }

class AllRooms {
 public:
  AllRooms(const OpenedPlan& opened, std::uint32_t most);
  HeadroomOfApps find();

 private:
  void list_sites();
  void add_site(const Site& site);
  /// Sorts the sites from `begin` on by what is free of their scarcest resource, so that an app has room in few blocks or in
  /// all.
  void finish_sites(std::size_t begin);
  void use(const Site& site, std::vector<double>& used) const;
  void read_amounts();
  void read_coarse();
  void index_tenants();
  void weigh(AppId app);
  void count(AppId app, HeadroomOfApps& found);
  /// Prepares what an app needs, row by row. Returns by how much a room may miss the exact one.
  double need_of(AppId app);
  void add_row(std::uint32_t row, ResourceId resource, double demand);
  /// Whether single precision tells the rooms of the app at hand, up to `most`.
  [[nodiscard]] bool coarse_suffices(std::uint32_t most) const;
  /// Computes the rooms of the app at hand in blocks from `begin` on, before `end`; not all if the watch ends it.
  void find_rooms(AppId app, std::size_t begin, std::size_t end, std::uint32_t most);
  [[nodiscard]] bool least_rooms(std::size_t block);
  /// Copies coarse_rooms_ to rooms_. Returns whether few enough are unsure to ask those nodes by themselves.
  bool widen(std::size_t begin, std::size_t end, std::uint32_t most);
  /// The unit in which demand of the resource is whole, where no capacity is 2^15 units or more; else 0.
  [[nodiscard]] double whole_unit(ResourceId r) const {
    return instance_->narrow() && instance_->scale(r).exact() ? instance_->scale(r).unit() : 0;
  }
  void limit(AppId app, std::uint32_t most);
  void lower(std::size_t site, std::uint32_t most) {
    if (is_coarse_) {
      coarse_rooms_[site] = std::min(coarse_rooms_[site], static_cast<float>(most) + 0.5F);
    } else {
      rooms_[site] = std::min(rooms_[site], most + 0.5);
    }
  }
  [[nodiscard]] std::uint32_t settled(AppId app, std::size_t site, std::uint32_t upper) const;
  /// The room of the app at hand in these blocks: in single precision where that tells it, else in double precision.
  RoomOfApp room_of(AppId app, std::size_t begin, std::size_t end, std::uint32_t most, double margin, bool ask_each);
  /// The same from rooms_.
  RoomOfApp add_up(AppId app, std::size_t begin, std::size_t end, std::uint32_t most, double margin, bool ask_each);
  [[nodiscard]] bool may_have_room(std::size_t block) const;
  /// Hard rules, by what replicas elsewhere may change about a node's room: with these, nothing; with these, it only shrinks.
  enum class Apart : std::uint8_t { kNone, kOnNode, kMaximum };
  /// Whether the app is in a hard rule that is none of these.
  [[nodiscard]] bool has_hard_rule(AppId app, Apart apart) const;

  const OpenedPlan* opened_;
  const Instance* instance_;
  const RoomKernels* kernels_ = &best_room_kernels();
  std::uint32_t most_;
  std::vector<Site> sites_;   // padded to blocks with weight 0; those of the plan first
  std::size_t spare_ = 0;     // the first block of nodes that the plan does not use
  std::vector<double> used_;  // per site and dim
  std::vector<double> free_;  // per dim and site; then, per resource and site, the least over time
  // As free_, in single precision: whole units and a half, so that no rounding reaches the next whole room; or shares of the
  // largest capacity, rounded up.
  std::vector<float> coarse_free_;
  std::vector<double> spreads_;       // per resource and site; empty where nothing is uncertain
  std::vector<std::uint8_t> varies_;  // per resource: 1 if what is on some site is uncertain; empty likewise
  std::vector<double> largest_;       // per resource: the largest capacity
  std::vector<std::size_t> begin_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> on_;  // per app: sites and replicas there
  std::vector<std::uint32_t> own_;                           // per site, of the app at hand; else 0
  std::uint32_t group_ = kNone;                              // eligibility for which weight_ is set
  std::vector<double> weight_;                               // per site
  std::vector<double> rooms_;                                // per site, of the app at hand
  std::vector<std::uint32_t> rows_;
  std::vector<double> inverse_;
  std::vector<float> coarse_inverse_;
  double coarse_ = 0;       // by how much rooms of the app at hand may be too large in single precision
  double most_room_ = 0;    // no node has more room for the app at hand
  bool is_coarse_ = false;  // whether coarse_rooms_ has the rooms of the app at hand, instead of rooms_
  bool asks_rules_ = true;  // of the app at hand
  std::uint32_t sure_ = 0;  // how often single precision told all rooms but a few
  std::uint32_t unsure_ = 0;
  std::vector<float> coarse_rooms_;
  std::vector<std::int32_t> counts_;  // per site: all bits set where weight_ is not 0
  bool counts_once_[2] = {};          // whether no weight is above 1: nodes of the plan; those that it does not use
  struct ConfidentRow {
    std::uint32_t row;
    ResourceId resource;
    ConfidentNeed need;
  };
  std::vector<ConfidentRow> confident_;
  std::vector<std::uint8_t> lives_;  // per block: 0 if no site has room
  std::vector<double> most_free_;    // per row of free_ and block
};

AllRooms::AllRooms(const OpenedPlan& opened, std::uint32_t most)
    : opened_(&opened), instance_(&opened.instance()), most_(most) {
  // Once the watch has ended, nobody asks for the answer.
  for (void (AllRooms::*const part)() :
       {&AllRooms::list_sites, &AllRooms::read_amounts, &AllRooms::read_coarse, &AllRooms::index_tenants}) {
    (this->*part)();
    if (opened.watch().look()) return;
  }
  const std::size_t blocks = sites_.size() / kBlock;
  most_free_.reserve(free_.size() / kBlock);
  for (std::size_t first = 0; first < free_.size(); first += kBlock) {
    if (opened.watch().step(kBlock)) return;
    const auto begin = free_.begin() + static_cast<std::ptrdiff_t>(first);
    most_free_.push_back(*std::max_element(begin, begin + kBlock));
  }
  own_.assign(sites_.size(), 0);
  weight_.assign(sites_.size(), 0);
  rooms_.assign(sites_.size(), 0);
  coarse_rooms_.assign(sites_.size(), 0);
  counts_.assign(sites_.size(), 0);
  lives_.assign(blocks, 0);
}

void AllRooms::add_site(const Site& site) {
  if (!opened_->closed(site.listed)) sites_.push_back(site);
}

void AllRooms::use(const Site& site, std::vector<double>& used) const {
  if (site.planned != kNone) {
    opened_->use(site.planned, used);
  } else {
    opened_->use_of_load(site.listed, site.node_class, used);
  }
}

void AllRooms::finish_sites(std::size_t begin) {
  // What is free of the scarcest resource, and the site.
  std::vector<std::pair<double, std::size_t>> sorted;
  sorted.reserve(sites_.size() - begin);
  std::vector<double> used;
  std::vector<double> largest;
  for (ResourceId r = 0; r < instance_->resources(); ++r) largest.push_back(instance_->largest_capacity(r));
  for (std::size_t s = begin; s < sites_.size(); ++s) {
    if (opened_->watch().step(kStepsPerSiteDim * instance_->dims())) return;
    use(sites_[s], used);
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
      const ResourceId r = instance_->resource_of(h);
      const double capacity = instance_->data().classes[sites_[s].node_class].capacity[r];
      if (largest[r] > 0) least = std::min(least, (capacity - used[h]) / largest[r]);
    }
    sorted.emplace_back(least, s);
  }
  watched_sort(sorted, opened_->watch(),
               [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::vector<Site> ordered;
  ordered.reserve(sorted.size());
  for (const auto& [least, s] : sorted) {
    if (opened_->watch().step(kStepsPerSiteDim)) return;
    ordered.push_back(sites_[s]);
  }
  std::copy(ordered.begin(), ordered.end(), sites_.begin() + static_cast<std::ptrdiff_t>(begin));
  while (sites_.size() % kBlock != 0) sites_.push_back({kNone, kNone, 0, 0});
}

void AllRooms::list_sites() {
  const Plan& plan = opened_->plan();
  for (NodeId n = 0; n < opened_->nodes(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    add_site({n, node.listed, node.node_class, static_cast<double>(node.copies)});
  }
  finish_sites(0);
  if (opened_->watch().ended()) return;
  spare_ = sites_.size() / kBlock;
  for (NodeId n = 0; n < instance_->listed_nodes(); ++n) {
    if (!opened_->in_use(n)) add_site({kNone, n, instance_->data().node_class[n], 1});
  }
  for (ClassId c = 0; c < instance_->classes(); ++c) {
    const std::uint64_t left = opened_->anonymous_left(c);
    if (left > 0 && left != OpenedPlan::kEndless) add_site({kNone, kNone, c, static_cast<double>(left)});
  }
  finish_sites(spare_ * kBlock);
}

void AllRooms::read_amounts() {
  const std::uint32_t dims = instance_->dims();
  const bool uncertain = opened_->confidence_factor() > 0;
  // Memory for millions of sites takes long to write.
  used_.reserve(sites_.size() * dims);
  free_.reserve(sites_.size() * (dims + instance_->resources()));
  for (std::uint32_t row = 0; row < dims + instance_->resources(); ++row) {
    free_.resize(free_.size() + sites_.size(), 0);
    if (opened_->watch().step(sites_.size())) return;
  }
  largest_.assign(instance_->resources(), 0);
  if (uncertain) {
    spreads_.assign(sites_.size() * instance_->resources(), 0);
    varies_.assign(instance_->resources(), 0);
  }
  std::vector<double> used;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    const Site& site = sites_[s];
    used_.resize((s + 1) * dims);
    if (site.weight == 0) continue;
    if (opened_->watch().step(kStepsPerSiteDim * instance_->dims())) return;
    use(site, used);
    std::copy(used.begin(), used.end(), used_.begin() + static_cast<std::ptrdiff_t>(s * dims));
    for (std::uint32_t h = 0; h < dims; ++h) {
      const ResourceId r = instance_->resource_of(h);
      const double capacity = instance_->data().classes[site.node_class].capacity[r];
      const double allowed = capacity + kCheckerTolerance * capacity;
      // Plans from outside may hold more than a double.
      const double free = allowed - used[h] + kRoomRounding * (allowed + used[h]);
      free_[h * sites_.size() + s] = std::isfinite(free) ? free : -1;
      largest_[r] = std::max(largest_[r], allowed);
    }
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t t = 0; t < instance_->periods(); ++t) {
        least = std::min(least, free_[(r * instance_->periods() + t) * sites_.size() + s]);
      }
      free_[(dims + r) * sites_.size() + s] = least;
    }
    for (ResourceId r = 0; uncertain && r < instance_->resources(); ++r) {
      double& spread = spreads_[r * sites_.size() + s];
      if (site.listed != kNone) spread = instance_->load_spread(site.listed, r);
      if (site.planned != kNone) {
        for (const OpenedPlan::Tenant& tenant : opened_->tenants(site.planned)) {
          spread += tenant.replicas * instance_->spread(tenant.app, r);
        }
      }
      spread = std::min(spread, kMostSafe);
      if (spread > 0) varies_[r] = 1;
    }
  }
}

void AllRooms::read_coarse() {
  const std::size_t stride = sites_.size();
  coarse_free_.reserve(free_.size());
  for (std::uint32_t row = 0; row < instance_->dims() + instance_->resources(); ++row) {
    const ResourceId r = row < instance_->dims() ? instance_->resource_of(row) : row - instance_->dims();
    const double unit = whole_unit(r);
    if (opened_->watch().step(kStepsPerSiteDim * stride)) return;
    for (std::size_t at = row * stride; at < (row + 1) * stride; ++at) {
      // However little is free below nothing, there is no room.
      const double free = std::max(free_[at], unit > 0 ? -unit : -largest_[r]);
      double coarse = -1;
      if (unit > 0) coarse = std::floor(free / unit) + 0.5;
      if (unit == 0 && largest_[r] > 0) coarse = free / largest_[r] + kCoarseRounding;
      coarse_free_.push_back(static_cast<float>(coarse));
    }
  }
}

void AllRooms::index_tenants() {
  begin_.assign(std::size_t{instance_->apps()} + 1, 0);
  const auto visit = [&](auto&& take) {
    for (std::size_t s = 0; s < sites_.size(); ++s) {
      if (sites_[s].planned == kNone) continue;
      const auto tenants = opened_->tenants(sites_[s].planned);
      if (opened_->watch().step(kStepsPerTenant * (1 + tenants.size()))) return;
      for (const OpenedPlan::Tenant& tenant : tenants) take(tenant, static_cast<std::uint32_t>(s));
    }
  };
  visit([&](const OpenedPlan::Tenant& tenant, std::uint32_t) { ++begin_[std::size_t{tenant.app} + 1]; });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  watched_resize(on_, begin_.back(), opened_->watch());
  if (opened_->watch().ended()) return;
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  visit([&](const OpenedPlan::Tenant& tenant, std::uint32_t s) { on_[next[tenant.app]++] = {s, tenant.replicas}; });
}

void AllRooms::weigh(AppId app) {
  const std::uint32_t group = instance_->eligibility().group(app);
  if (group == group_) return;
  group_ = group;
  counts_once_[0] = counts_once_[1] = true;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    const Site& site = sites_[s];
    weight_[s] = site.weight > 0 && instance_->admits(app, site.listed, site.node_class) ? site.weight : 0;
    counts_[s] = weight_[s] > 0 ? -1 : 0;
    if (weight_[s] > 1) counts_once_[s / kBlock < spare_ ? 0 : 1] = false;
  }
}

void AllRooms::add_row(std::uint32_t row, ResourceId resource, double demand) {
  rows_.push_back(row);
  inverse_.push_back(1 / demand);
  most_room_ = std::min(most_room_, largest_[resource] / demand);
  const double unit = whole_unit(resource);
  const double inverse = unit > 0 ? 1 / std::round(demand / unit) : largest_[resource] / demand;
  coarse_inverse_.push_back(static_cast<float>(inverse));
  if (unit == 0) coarse_ = std::max(coarse_, 2 * kCoarseRounding * inverse);
}

bool AllRooms::coarse_suffices(std::uint32_t most) const {
  constexpr double kMostWhole = 1U << 22U;
  constexpr double kMostSum = 1U << 31U;
  constexpr std::uint32_t kTries = 8;
  const double room = std::min(most_room_ + 1, static_cast<double>(most));
  return confident_.empty() && coarse_ < kMostCoarse && (coarse_ == 0 || unsure_ < kTries + sure_) && room <= kMostWhole &&
         room * static_cast<double>(sites_.size()) < kMostSum;
}

bool AllRooms::least_rooms(std::size_t block) {
  const std::size_t first = block * kBlock;
  return is_coarse_ ? kernels_->least_rooms_coarse(coarse_free_.data() + first, sites_.size(), rows_.data(),
                                                   coarse_inverse_.data(), rows_.size(), coarse_rooms_.data() + first)
                    : kernels_->least_rooms(free_.data() + first, sites_.size(), rows_.data(), inverse_.data(), rows_.size(),
                                            rooms_.data() + first);
}

double AllRooms::need_of(AppId app) {
  rows_.clear();
  inverse_.clear();
  coarse_inverse_.clear();
  coarse_ = 0;
  most_room_ = std::numeric_limits<double>::infinity();
  confident_.clear();
  double margin = 0;
  const double factor = opened_->confidence_factor();
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    const double spread = factor > 0 ? instance_->spread(app, r) : 0;
    const bool varies = spread > 0 || (factor > 0 && varies_[r] != 0);
    const auto& range = instance_->demand_range(app, r);
    const bool constant = range.least == range.most;
    for (std::uint32_t t = 0; t < (constant ? 1 : instance_->periods()); ++t) {
      const double demand = instance_->demand(app, r, t);
      if (!(demand > 0 || spread > 0)) continue;
      const std::uint32_t row = constant ? instance_->dims() + r : r * instance_->periods() + t;
      if (!(largest_[r] < kMostSafe && std::max(demand, spread) < kMostSafe)) {
        margin = std::numeric_limits<double>::infinity();
        continue;
      }
      const double by_mean = demand > 0 ? largest_[r] / demand : std::numeric_limits<double>::infinity();
      if (varies) {
        const double by_spread = largest_[r] * largest_[r] / (factor * factor * spread);
        confident_.push_back({row, r, {demand, spread, factor}});
        margin = std::max(margin, 4 * kRoomRounding * (spread > 0 ? std::min(by_mean, by_spread) : by_mean));
      } else {
        add_row(row, r, demand);
        margin = std::max(margin, 4 * kRoomRounding * by_mean);
      }
    }
  }
  return margin;
}

void AllRooms::limit(AppId app, std::uint32_t most) {
  const LimitRows& limits = instance_->limit_rows();
  const std::span on(on_);
  const auto of = [&](AppId one) { return on.subspan(begin_[one], begin_[one + 1] - begin_[one]); };
  const std::uint32_t self = limits.self_limit(app);
  for (const auto& [site, replicas] : of(app)) {
    own_[site] = replicas;
    lower(site, std::min(most, room_within(self, replicas)));
  }
  for (std::uint32_t k = 0; k < limits.degree(app); ++k) {
    const Neighbour neighbour = limits.neighbour(app, k);
    for (const auto& [site, replicas] : of(neighbour.app)) {
      lower(site, replicas > neighbour.imposes ? 0 : std::min(most, room_within(neighbour.obeys, own_[site])));
    }
  }
  for (const auto& [site, replicas] : of(app)) own_[site] = 0;
}

std::uint32_t AllRooms::settled(AppId app, std::size_t site, std::uint32_t upper) const {
  const Site& at = sites_[site];
  const std::span used = std::span(used_).subspan(site * instance_->dims(), instance_->dims());
  const Spot spot =
      at.planned != kNone ? opened_->spot(at.planned, used) : opened_->empty_spot(at.listed, at.node_class, false, used);
  const auto allowed = [&](std::uint32_t wanted) {
    return at.planned != kNone ? opened_->allowed_by_rules(app, at.planned, wanted)
                               : opened_->allowed_by_rules(app, at.listed, at.node_class, wanted);
  };
  const std::uint32_t most = most_on(*instance_, app, spot, 0, upper);
  if (!asks_rules_) return most;
  // Rules may allow two where they refuse one: replicas that need each other. A node that refuses one more has no room.
  return most == 0 || allowed(1) == 0 ? 0 : allowed(most);
}

void AllRooms::find_rooms(AppId app, std::size_t begin, std::size_t end, std::uint32_t most) {
  const std::size_t stride = sites_.size();
  for (std::size_t b = begin; b < end; ++b) {
    const std::size_t first = b * kBlock;
    const bool lives = may_have_room(b) && least_rooms(b);
    lives_[b] = lives ? 1 : 0;
    const std::size_t rows = rows_.size() + confident_.size();
    if (opened_->watch().step(1 + (lives ? rows * kBlock / kRoomsPerStep : rows))) return;
    for (const ConfidentRow& one : confident_) {
      if (!lives) break;
      kernels_->confident_rooms(free_.data() + one.row * stride + first, spreads_.data() + one.resource * stride + first,
                                one.need, rooms_.data() + first);
    }
  }
  if (begin < spare_) limit(app, most);
}

bool AllRooms::widen(std::size_t begin, std::size_t end, std::uint32_t most) {
  std::size_t unsure = 0;
  for (std::size_t s = begin * kBlock; s < end * kBlock; ++s) {
    rooms_[s] = coarse_rooms_[s];
    const std::uint32_t upper = below(rooms_[s], most);
    if (upper > 0 && rooms_[s] - upper < coarse_) ++unsure;
  }
  return unsure * kSitesPerUnsure <= (end - begin) * kBlock;
}

RoomOfApp AllRooms::room_of(AppId app, std::size_t begin, std::size_t end, std::uint32_t most, double margin, bool ask_each) {
  is_coarse_ = !ask_each && counts_once_[begin < spare_ ? 0 : 1] && coarse_suffices(most);
  if (is_coarse_) {
    find_rooms(app, begin, end, most);
    const RoomSums sums =
        kernels_->add_up_coarse(coarse_rooms_.data() + begin * kBlock, counts_.data() + begin * kBlock, lives_.data() + begin,
                                end - begin, static_cast<float>(most), static_cast<float>(coarse_));
    if (!sums.unsure) {
      ++sure_;
      RoomOfApp found;
      found.add(sums);
      return found;
    }
    const bool few = widen(begin, end, most);
    ++(few ? sure_ : unsure_);
    if (few) return add_up(app, begin, end, most, coarse_, false);
    is_coarse_ = false;
  }
  find_rooms(app, begin, end, most);
  return add_up(app, begin, end, most, margin, ask_each);
}

RoomOfApp AllRooms::add_up(AppId app, std::size_t begin, std::size_t end, std::uint32_t most, double margin, bool ask_each) {
  const auto sums_of = [&](std::size_t from, std::size_t to, double by) {
    return kernels_->add_up(rooms_.data() + from * kBlock, weight_.data() + from * kBlock, lives_.data() + from, to - from,
                            most, by);
  };
  RoomOfApp found;
  const RoomSums sums = sums_of(begin, end, margin);
  if (sums.open == 0) return found;
  if (!sums.unsure && !ask_each && sums.room < kMostExactSum) {
    found.add(sums);
    return found;
  }
  for (std::size_t b = begin; b < end; ++b) {
    if (lives_[b] == 0) continue;
    if (opened_->watch().step(kBlock * kStepsPerSiteDim * instance_->dims())) return found;
    for (std::size_t s = b * kBlock; s < (b + 1) * kBlock; ++s) {
      const std::uint32_t upper = below(rooms_[s], most);
      if (weight_[s] == 0 || upper == 0) continue;
      if (!ask_each && rooms_[s] - upper >= margin) continue;
      if (opened_->watch().step(opened_->steps_to_ask(app))) return found;
      rooms_[s] = settled(app, s, upper) + 0.5;
    }
    found.add(sums_of(b, b + 1, 0));
  }
  return found;
}

bool AllRooms::may_have_room(std::size_t block) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (most_free_[rows_[k] * lives_.size() + block] * inverse_[k] < 1) return false;
  }
  return true;
}

bool AllRooms::has_hard_rule(AppId app, Apart apart) const {
  const TagModel& model = instance_->tag_model();
  if (!model.has_hard()) return false;
  const auto counts = [&](const TagModel::Role& role) {
    const TagPart& part = model.part(role.part);
    const bool is_maximum = part.kind == CardinalityKind::kReplicas && part.alone && part.min == 0;
    const bool is_apart = apart != Apart::kNone && is_maximum && (apart == Apart::kMaximum || part.group == kNone);
    return part.hard && !is_apart;
  };
  const auto subject = model.subject_of(app);
  const auto target = model.target_of(app);
  return std::any_of(subject.begin(), subject.end(), counts) || std::any_of(target.begin(), target.end(), counts);
}

void AllRooms::count(AppId app, HeadroomOfApps& found) {
  weigh(app);
  const double margin = need_of(app);
  const bool rules = has_hard_rule(app, Apart::kNone);
  // Replicas that come to other nodes may raise what such rules let a node take.
  asks_rules_ = !rules || !has_hard_rule(app, Apart::kMaximum);
  // The sums of a node do not decide on rules, side effects and devices. Where rounding could hide a whole replica, every node
  // is asked as well.
  const bool ask_each = rules || opened_->limits_costs() || instance_->devices().uses(app) || !(margin < 0.25);
  const std::uint32_t most = std::min(most_ > 0 ? most_ : std::max(1U, instance_->replicas(app)), kMostHeadroom);
  const std::uint32_t within = std::min(most, instance_->limit_rows().self_limit(app));
  const RoomOfApp planned = room_of(app, 0, spare_, within, margin, ask_each);
  found.room[app] = planned.room;
  found.nodes[app] = planned.nodes;
  found.most[app] = planned.most;
  found.spare_room[app] = room_of(app, spare_, sites_.size() / kBlock, within, margin, ask_each).room;
  found.coupled[app] = rules && has_hard_rule(app, Apart::kOnNode) ? 1 : 0;
}

HeadroomOfApps AllRooms::find() {
  const std::uint32_t apps = instance_->apps();
  HeadroomOfApps found;
  found.room.assign(apps, 0);
  found.nodes.assign(apps, 0);
  found.most.assign(apps, 0);
  found.spare_room.assign(apps, 0);
  found.coupled.assign(apps, 0);
  // One eligibility after the other, so that nodes are weighed once for each.
  std::vector<AppId> order(apps);
  std::iota(order.begin(), order.end(), 0);
  const Eligibility& eligibility = instance_->eligibility();
  std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return eligibility.group(a) < eligibility.group(b); });
  for (const AppId app : order) {
    if (opened_->watch().step(sites_.size())) return found;
    count(app, found);
  }
  return found;
}

}  // namespace

Result<HeadroomOfApps> find_headroom_of_apps(const Instance& instance, const Plan* plan, std::uint32_t most, WatchRef watch) {
  if (most > kMostHeadroom) {
    return Error{Code::kInvalid, "at most " + std::to_string(kMostHeadroom) + " replicas are counted on a node", "most"};
  }
  const Plan start = plan == nullptr ? plan_of_start(instance, {}, watch) : Plan{};
  if (watch.look()) return cancelled();
  const auto opened = OpenedPlan::open(instance, plan != nullptr ? *plan : start, watch);
  if (!opened) return opened.error();
  AllRooms rooms(opened.value(), most);
  if (watch.look()) return cancelled();
  HeadroomOfApps found = rooms.find();
  if (watch.look()) return cancelled();
  return found;
}

}  // namespace stowage
