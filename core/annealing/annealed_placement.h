// What peak annealing reads of a plan in the making and writes back to it, whatever the unit of demand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/search/search_state.h"

namespace stowage {

/// A search state without its unit. See Placement and SearchState for what the members mean.
class AnnealedPlacement {
 public:
  AnnealedPlacement() = default;
  AnnealedPlacement(const AnnealedPlacement&) = delete;
  AnnealedPlacement(AnnealedPlacement&&) = delete;
  AnnealedPlacement& operator=(const AnnealedPlacement&) = delete;
  AnnealedPlacement& operator=(AnnealedPlacement&&) = delete;
  virtual ~AnnealedPlacement() = default;

  [[nodiscard]] virtual const Instance& instance() const = 0;
  [[nodiscard]] virtual ClassId class_of(NodeId node) const = 0;
  [[nodiscard]] virtual std::span<const Tenant> tenants(NodeId node) const = 0;
  [[nodiscard]] virtual bool loaded(NodeId node) const = 0;
  [[nodiscard]] virtual bool exceeded(NodeId node) const = 0;
  [[nodiscard]] virtual bool free_to_leave(AppId app, NodeId node) const = 0;
  [[nodiscard]] virtual std::uint32_t may_still_use() const = 0;
  [[nodiscard]] virtual const std::vector<AppId>& pool() const = 0;
  [[nodiscard]] virtual std::uint32_t unplaced(AppId app) const = 0;
  virtual void place(AppId app, NodeId node, std::uint32_t replicas) = 0;
  virtual void remove(AppId app, NodeId node, std::uint32_t replicas) = 0;
  virtual void collect_pool() = 0;
};

template <class Unit>
class AnnealedPlacementOf final : public AnnealedPlacement {
 public:
  /// @param state stays where it is while this is used
  explicit AnnealedPlacementOf(SearchState<Unit>& state) : state_(&state) {}

  [[nodiscard]] const Instance& instance() const override { return state_->instance(); }
  [[nodiscard]] ClassId class_of(NodeId node) const override { return state_->placement().class_of(node); }
  [[nodiscard]] std::span<const Tenant> tenants(NodeId node) const override { return state_->placement().contents().at(node); }
  [[nodiscard]] bool loaded(NodeId node) const override { return state_->placement().loaded(node); }
  [[nodiscard]] bool exceeded(NodeId node) const override { return state_->placement().residuals().exceeded(node); }
  [[nodiscard]] bool free_to_leave(AppId app, NodeId node) const override { return state_->free_to_leave(app, node); }
  [[nodiscard]] std::uint32_t may_still_use() const override { return state_->placement().may_still_use(); }
  [[nodiscard]] const std::vector<AppId>& pool() const override { return state_->pool(); }
  [[nodiscard]] std::uint32_t unplaced(AppId app) const override { return state_->placement().unplaced(app); }
  void place(AppId app, NodeId node, std::uint32_t replicas) override { state_->placement().place(app, node, replicas); }
  void remove(AppId app, NodeId node, std::uint32_t replicas) override { state_->placement().remove(app, node, replicas); }
  void collect_pool() override { state_->collect_pool(); }

 private:
  SearchState<Unit>* state_;
};

}  // namespace stowage
