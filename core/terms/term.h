// A term of a goal: what the nodes of a plan contribute to a number that plans make small.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/plan/objective.h"

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

std::unique_ptr<Term> price_term(const Instance& instance);
std::unique_ptr<Term> node_term();
/// Running replicas that have left their node.
std::unique_ptr<Term> move_term(const Instance& instance);
/// @param fold kLargest or kDeviation
/// @param resource kNone: of all, the one of which most is used
std::unique_ptr<Term> use_term(const Instance& instance, ResourceId resource, Term::Fold fold);
std::unique_ptr<Term> used_capacity_term(const Instance& instance);
/// @param fold kLargest: the replica that suffers most; kSum: all replicas
std::unique_ptr<Term> side_effect_term(const Instance& instance, Term::Fold fold);
std::unique_ptr<Term> traffic_term(const Instance& instance);

/// The term of a goal that applies to the instance (see read_goals()). The instance outlives it.
std::unique_ptr<Term> make_term(const Instance& instance, const PlanGoal& goal);

}  // namespace stowage
