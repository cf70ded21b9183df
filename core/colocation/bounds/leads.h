// Large replicas of which no two share a node.
#pragma once

#include <cstdint>
#include <vector>

#include "core/colocation/bounds/support_tree.h"
#include "core/colocation/problem.h"
#include "core/colocation/scaled_kinds.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Chooses leads: replicas of which no two share a node if none may cost more than some cost. Each has a node of its own.
class Leads {
 public:
  /// What is left if each lead has its node.
  struct Rest {
    std::uint32_t leads = 0;         ///< above the number of nodes: the cost cannot be kept
    std::vector<RoomClass> classes;  ///< the nodes of leads, and those without
    std::vector<double> load;        ///< of each group, without leads
    std::vector<double> lead_load;   ///< of each class: the load of its leads, in units of its group; the last class has none
  };

  /// Steps of the clock: one for so many replicas.
  static constexpr std::uint32_t kReplicasPerUnit = 32;

  /// `kinds` are those of the problem with the limit `unit` for all of them. Both must stay. Where the clock ends it, nothing
  /// may use it.
  Leads(const ColocationProblem& problem, const ScaledKinds& kinds, double unit, WorkClock& clock);

  /// Nodes and loads if no replica may cost more than `cost`, at least what each costs alone. Begins with the leads of one kind
  /// and takes those of other kinds that go with them.
  [[nodiscard]] Rest choose(double cost, std::uint32_t first_kind) const;

 private:
  [[nodiscard]] bool apart(std::uint32_t t, double p, std::uint32_t u, double q, double cost) const;
  [[nodiscard]] std::vector<std::uint32_t> count(double cost, std::uint32_t first_kind) const;
  void add_classes(std::uint32_t kind, std::uint32_t leads, std::uint32_t most, double cost, Rest& rest) const;

  const ColocationProblem* problem_;
  const ScaledKinds* kinds_;
  double unit_;
  std::vector<std::vector<double>> load_;  // of each kind: its replicas, largest first
  std::vector<std::vector<double>> rest_;  // of each kind: the sum of the loads from each replica on; ends with 0
};

}  // namespace stowage
