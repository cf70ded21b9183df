// A term of a goal: what the nodes of a plan contribute to a number that plans make small.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/plan/objective.h"
#include "core/run/request.h"

namespace stowage {

/// A node, as terms see it.
struct NodeView {
  NodeId listed;  ///< kNone for an anonymous node
  ClassId node_class;
  std::span<const Tenant> tenants;
  bool loaded;  ///< carries load of its own
  [[nodiscard]] bool in_use() const { return loaded || !tenants.empty(); }
};

/// Each term is one file with what a node contributes to it. How the contributions of all nodes make a number, Fold says.
/// Searches ask what a node would contribute with other tenants, and so know no term by its name.
class Term {
 public:
  enum class Fold : std::uint8_t {
    kSum,        ///< of all nodes
    kLargest,    ///< of any node; contributions are at least 0
    kDeviation,  ///< standard deviation between the nodes in use
    kOfRules,    ///< no node contributes: what violated soft rules cost
    kLeftOut,    ///< no node contributes: it depends on what is placed alone
  };

  Term() = default;
  Term(const Term&) = delete;
  Term(Term&&) = delete;
  Term& operator=(const Term&) = delete;
  Term& operator=(Term&&) = delete;
  virtual ~Term() = default;

  [[nodiscard]] virtual Fold fold() const { return Fold::kSum; }
  /// What the node contributes. 0 for a node that is not in use, unless replicas have left it.
  [[nodiscard]] virtual double at(const NodeView& node) const = 0;
  /// What a sum begins with.
  [[nodiscard]] virtual double constant() const { return 0; }
};

/// All that is true of a goal, beside its definition in request.fbs. Each file of this folder defines its own; goal_terms.h,
/// which is made from the schema, lists them.
struct GoalTerm {
  /// The term, for a goal that applies to the instance. The instance outlives it.
  /// @param resource where the goal may have one; kNone: all
  std::unique_ptr<Term> (*make)(const Instance& instance, ResourceId resource);
  /// The objective that has the same value; kCost: with prices or without. Nothing: the term gives the value.
  std::optional<Objective> objective{};
  /// Why the goal means nothing there; empty where it means something. Null: it always does.
  std::string (*refusal)(const Instance& instance, const Request& request) = nullptr;
  /// Sets what else the goal asks of a run. Null: nothing.
  void (*ask)(Request& request) = nullptr;
  /// A lower bound on the value of complete plans on so many nodes, of so much cost. Null: the plan's bound on the
  /// objective, else 0.
  double (*bound)(const Instance& instance, ResourceId resource, double nodes, double cost) = nullptr;
};

const GoalTerm& goal_term(GoalKind what);
std::unique_ptr<Term> make_term(const Instance& instance, const PlanGoal& goal);

}  // namespace stowage
