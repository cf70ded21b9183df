// Lists of replicas on listed nodes, node by node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/watched.h"
#include "core/model/data/instance_data.h"
#include "core/model/node_contents.h"

namespace stowage {

/// What lists of residences say of each listed node: the entries of a node in the order of the lists, also where an app stands
/// there several times. O(nodes + entries).
class ResidentRows {
 public:
  /// @param nodes listed nodes of the instance
  /// @param watch ends the reading; then all rows mean nothing or are empty
  ResidentRows(std::uint32_t nodes, std::initializer_list<const std::vector<Residence>*> lists, WatchRef watch = {})
      : begin_(nodes + std::size_t{1}, 0) {
    const auto visit = [&](auto&& visit_one) {
      for (const std::vector<Residence>* list : lists) {
        for (const Residence& one : *list) {
          if (watch.step()) return;
          visit_one(one);
        }
      }
    };
    visit([this](const Residence& one) { ++begin_[one.node + std::size_t{1}]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    watched_resize(tenants_, begin_.back(), watch);
    if (watch.ended()) {
      std::fill(begin_.begin(), begin_.end(), 0);
      return;
    }
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    visit([&](const Residence& one) { tenants_[next[one.node]++] = {one.app, one.replicas}; });
  }
  [[nodiscard]] std::span<const Tenant> at(NodeId node) const {
    return std::span(tenants_).subspan(begin_[node], begin_[node + std::size_t{1}] - begin_[node]);
  }
  [[nodiscard]] bool empty() const { return tenants_.empty(); }

 private:
  std::vector<std::size_t> begin_;  // per node: its first entry
  std::vector<Tenant> tenants_;
};

}  // namespace stowage
