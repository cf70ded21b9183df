// What nodes may hold, as column generation sees it: kinds of nodes, and items, which are replicas that are alike.
//
// What stays on its node whatever the plan takes its room there: running replicas of a request without moves, and pinned ones.
// Placement rules, devices, and limits on side effects are left out, as is the risk of uncertain demand: what holds of the
// problem's solutions bounds the instance's plans.
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
  /// Apps of equal demand on the same nodes without limits, or one app.
  struct Item {
    std::vector<AppId> apps;
    std::uint32_t replicas;            ///< to place, at least 1
    std::vector<std::int64_t> demand;  ///< per dimension
  };
  struct Kind {
    double price;                       ///< in units of the dearest node; 0 for nodes that are in use in any plan
    bool in_use;                        ///< in any plan
    std::int64_t units;                 ///< of `unit`
    std::uint64_t count;                ///< Supply::kEndless: as many as needed
    std::vector<std::int64_t> carries;  ///< per dimension: room beside what stays
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

  std::uint32_t dims = 0;
  std::vector<Item> items;
  std::vector<std::vector<Limit>> limits;  ///< per item; kNone: no limit
  std::vector<Kind> kinds;
  double dearest = 0;   ///< what a price of 1 is: a cost, or a node
  double unit = 0;      ///< all costs are multiples of it; 0: they have no unit
  double standing = 0;  ///< cost of the nodes that are in use in any plan
  std::uint64_t standing_nodes = 0;
  std::int64_t budget = -1;  ///< all nodes together cost so many units at most; below 0: any
  bool is_whole = false;

  /// Not whole where the watch ends it, where too much memory would be needed, or where an item has no room anywhere.
  ColumnProblem(const Instance& instance, const Request& request, WatchRef watch);

  [[nodiscard]] std::uint64_t replicas() const;
  /// The problem of fewest nodes that cost so much together at most, as this one counts cost. Needs a unit.
  [[nodiscard]] ColumnProblem of_nodes_within(double cost) const;
  /// Whether a node of the kind may hold the content.
  [[nodiscard]] bool within_kind(std::uint32_t kind, const ItemContent& content) const;

 private:
  class Builder;
};

}  // namespace stowage
