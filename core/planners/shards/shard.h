// A share of an instance as an instance of its own, and plans in the terms of both.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/status.h"
#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/planners/shards/cut.h"
#include "core/run/request.h"

namespace stowage {

/// Its instance has the share's apps with the share's replicas, in the same order and with the same limits and rules, and the
/// share's nodes. Stays where it is: its bounds refer to it.
class Shard {
 public:
  /// @param request of the whole instance
  Shard(const Instance& whole, const Request& request, Share share);
  Shard(const Shard&) = delete;
  Shard(Shard&&) = delete;
  Shard& operator=(const Shard&) = delete;
  Shard& operator=(Shard&&) = delete;
  ~Shard() = default;

  /// Makes the instance; before that, there is none. Errors: those of Instance::build().
  Error build();
  [[nodiscard]] bool is_built() const { return instance_ != nullptr; }
  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] const Share& share() const { return share_; }
  /// The request of a plan of this shard, without options, threads, patience and limits of time and work.
  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] LazyBounds& bounds() { return *bounds_; }

  /// A plan of the shard as one of the whole instance: its nodes, placed and unplaced replicas.
  [[nodiscard]] Plan in_whole(const Plan& plan) const;
  /// A plan of the whole instance that has nothing but this shard's nodes and replicas, as one of the shard.
  [[nodiscard]] Plan in_shard(const Plan& plan) const;
  /// The plan of the whole instance in which nothing of the share is placed.
  [[nodiscard]] Plan nothing() const;

 private:
  void take_apps(InstanceData& data);
  void take_nodes(InstanceData& data);
  void take_rules(InstanceData& data) const;
  void take_groups(InstanceData& data) const;

  const Instance& whole_;
  Share share_;
  Request request_;
  std::vector<ClassId> class_of_;  // per class of the shard: the one of the whole instance
  std::unique_ptr<const Instance> own_;
  const Instance* instance_ = nullptr;
  std::unique_ptr<LazyBounds> bounds_;
};

/// Plans of disjoint shares as one plan. The plans list listed nodes first, and placed replicas by node and app.
[[nodiscard]] Plan merged(std::vector<Plan> plans);

}  // namespace stowage
