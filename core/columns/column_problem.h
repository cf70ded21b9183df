// What nodes may hold, as column generation sees it: kinds of nodes, and items, which are replicas that are alike.
//
// What stays on its node whatever the plan takes its room there: running replicas of a request without moves, and pinned ones.
// Placement rules, devices, and limits on side effects are left out: what holds of the problem's solutions bounds the
// instance's plans.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/watch.h"
#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/run/request.h"

namespace stowage {

/// (item, replicas) of one node, at least 1 each, by ascending item.
using ItemContent = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct ColumnProblem {
  /// Parts of used capacity at confidence (P1, section 4.1), in units of the dearest node. Zero where it costs nothing.
  struct Use {
    /// Per period, of the uncertain resource. Empty with one period: all plans use the same means.
    std::vector<double> means;
    double square = 0;  ///< of D x standard deviation
    void add(const Use& each, std::uint32_t copies);
    [[nodiscard]] double peak() const;
    /// Used capacity that came in since `before`.
    [[nodiscard]] double beyond(const Use& before) const;
    friend bool operator<(const Use& a, const Use& b) { return a.square != b.square ? a.square < b.square : a.means < b.means; }
  };
  /// Apps of equal demand on the same nodes without limits, or one app. See is_relaxed.
  struct Item {
    std::vector<AppId> apps;
    std::uint32_t replicas;            ///< to place, at least 1; 0 where the item is left out
    std::vector<std::int64_t> demand;  ///< per dimension
    std::vector<std::int64_t> risk;    ///< per resource, as Instance::risk_room() counts; empty where nothing is uncertain
    Use use{};                         ///< of a replica
  };
  struct Kind {
    double price;                       ///< in units of the dearest node; 0 for nodes that are in use in any plan
    bool in_use;                        ///< in any plan
    std::int64_t units;                 ///< of `unit`
    std::uint64_t count;                ///< Supply::kEndless: as many as needed
    std::vector<std::int64_t> carries;  ///< per dimension: room beside what stays
    std::vector<std::int64_t> risk;     ///< per resource: of what stays; empty likewise
    Use use;                            ///< of what stays
    std::vector<std::uint32_t> most;    ///< per item: of which a node holds so many at most
    std::vector<NodeId> listed;         ///< its listed nodes
    std::vector<ClassId> classes;       ///< the classes of its other nodes
  };
  /// Beside a replica of one item, at most `imposes` replicas of `item`; beside one of `item`, at most `obeys` of the first.
  struct Limit {
    std::uint32_t item;
    std::uint32_t imposes;
    std::uint32_t obeys;
  };

  const Instance* instance = nullptr;  ///< outlives the problem
  std::uint32_t dims = 0;
  std::vector<Item> items;
  std::vector<std::vector<Limit>> limits;  ///< per item; kNone: no limit
  std::vector<Kind> kinds;
  Objective objective = Objective::kNodes;  ///< kNodes, kCost or kUcac: what solutions cost
  double dearest = 0;                       ///< what a price of 1 is: a cost, a node, or the capacity of the largest one
  double unit = 0;                          ///< all costs are multiples of it; 0: they have no unit
  double standing = 0;  ///< cost of the nodes that are in use in any plan; used capacity that every plan has
  std::uint64_t standing_nodes = 0;
  std::vector<Residence> stays;  ///< what stays on listed nodes; it is no part of contents
  std::int64_t budget = -1;      ///< all nodes together cost so many units at most; below 0: any
  bool is_relaxed = false;       ///< limits between apps are left out, and some are added up
  bool leaves_out = false;       ///< items without room on any node are left out: what holds of the solutions bounds no plan
  bool is_whole = false;

  /// Without items, kinds and limits; the caller adds them.
  ColumnProblem() = default;
  /// Not whole where the watch ends it, or where too much memory would be needed.
  /// @param with_limits false: apps of equal demand are one item, of which a node holds as many as all of their own limits
  /// allow
  ///                    together. Such a problem is smaller. Its bounds hold for the other one
  /// @param costs kNodes (where nodes have prices: kCost) or kUcac
  ColumnProblem(const Instance& of, const Request& request, Objective costs, WatchRef watch, bool with_limits = true);

  /// Units of work that making the problem of an instance takes: each item is asked about each listed node and class.
  [[nodiscard]] static std::uint64_t work_to_make(const Instance& of);
  [[nodiscard]] std::uint64_t replicas() const;
  /// What a node of the kind with the content costs, in units of the dearest node.
  [[nodiscard]] double cost(std::uint32_t kind, const ItemContent& content) const {
    return kinds[kind].price + (objective == Objective::kUcac ? added_use(kind, content) : 0);
  }
  /// What no solution costs less than, as a bound on the objective. Nodes are whole; the rounding of sums does not make a bound
  /// on cost or used capacity false.
  /// @param cost in units of the dearest node, without what stands
  [[nodiscard]] double as_bound(double cost) const;
  /// What solutions cost whose plans have so many nodes, cost so much, or use so much.
  [[nodiscard]] double within(double value) const { return (value - standing) / dearest; }
  /// The problem of fewest nodes that cost so much together at most, as this one counts cost. Needs a unit.
  [[nodiscard]] ColumnProblem of_nodes_within(double cost) const;
  /// Replicas of the item that a dimension lets in, at most `most`, where `left` of it is left and the risk there is `held`.
  [[nodiscard]] std::uint32_t most_beside(std::int64_t left, std::int64_t held, const Item& item, std::uint32_t dim,
                                          std::uint32_t most) const;
  /// Whether a node of the kind may hold the content.
  [[nodiscard]] bool within_kind(std::uint32_t kind, const ItemContent& content) const;

 private:
  /// By how much the content raises the used capacity of a node.
  [[nodiscard]] double added_use(std::uint32_t kind, const ItemContent& content) const;

  class Builder;
};

}  // namespace stowage
