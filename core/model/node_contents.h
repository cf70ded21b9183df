// The contents of all nodes: a short list of (app, replicas) per node.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/data/types.h"

namespace stowage {

struct Tenant {
  AppId app;
  std::uint32_t replicas;
};

/// The lists of all nodes in one pool. A node holds about a dozen apps, so that a list is searched from end to end. Lists grow
/// by doubling inside the pool, and the pieces that they leave are reused.
class NodeContents {
 public:
  void add_node() { slots_.push_back({}); }
  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(slots_.size()); }
  [[nodiscard]] std::span<const Tenant> at(NodeId node) const {
    const Slot& slot = slots_[node];
    return {pool_.data() + slot.begin, slot.size};
  }
  /// Replicas of the app on the node.
  [[nodiscard]] std::uint32_t count(AppId app, NodeId node) const {
    for (const Tenant& tenant : at(node)) {
      if (tenant.app == app) return tenant.replicas;
    }
    return 0;
  }
  /// Of a tenant's replicas that are on the node now, the number that these earlier contents lack. The node may be a later one.
  [[nodiscard]] std::uint32_t newcomers(const Tenant& tenant, NodeId node) const {
    const std::uint32_t before = node < nodes() ? count(tenant.app, node) : 0;
    return tenant.replicas > before ? tenant.replicas - before : 0;
  }
  void add(AppId app, NodeId node, std::uint32_t replicas) {
    Slot& slot = slots_[node];
    Tenant* list = pool_.data() + slot.begin;
    for (std::uint32_t k = 0; k < slot.size; ++k) {
      if (list[k].app == app) {
        list[k].replicas += replicas;
        return;
      }
    }
    if (slot.size == capacity(slot)) grow(slot);
    pool_[slot.begin + slot.size++] = {app, replicas};
  }
  /// Takes away `replicas` replicas, of which the node must hold at least that number.
  void remove(AppId app, NodeId node, std::uint32_t replicas) {
    Slot& slot = slots_[node];
    Tenant* list = pool_.data() + slot.begin;
    for (std::uint32_t k = 0; k < slot.size; ++k) {
      if (list[k].app != app) continue;
      list[k].replicas -= replicas;
      if (list[k].replicas == 0) list[k] = list[--slot.size];
      return;
    }
  }

 private:
  struct Slot {
    std::size_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t level = 0;  // capacity is 0 at level 0, else 4 x 2^level
  };
  static std::uint32_t capacity(const Slot& slot) { return slot.level == 0 ? 0 : 4u << slot.level; }
  void grow(Slot& slot) {
    std::vector<std::size_t>& reusable = free_[slot.level + 1];
    const std::size_t old = slot.begin;
    if (reusable.empty()) {
      slot.begin = pool_.size();
      pool_.resize(pool_.size() + (8u << slot.level));
    } else {
      slot.begin = reusable.back();
      reusable.pop_back();
    }
    for (std::uint32_t k = 0; k < slot.size; ++k) pool_[slot.begin + k] = pool_[old + k];
    if (slot.level > 0) free_[slot.level].push_back(old);
    ++slot.level;
  }

  std::vector<Slot> slots_;
  std::vector<Tenant> pool_;
  std::array<std::vector<std::size_t>, 31> free_;
};

}  // namespace stowage
