// What makes one plan better than another. docs/contribute/add-an-objective.md says how to add an objective.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/goals/goal_kinds.h"

namespace stowage {

struct Plan;

/// What plans make small. Those before kCost mirror Objective of request.fbs; the others follow from the instance.
enum class Objective : std::uint8_t {
  kNodes,      ///< nodes in use
  kUcac,       ///< used capacity at confidence (P1, section 4.1)
  kWorst,      ///< what the replica that suffers most from side effects costs (P4, section 2)
  kTotal,      ///< what side effects cost all replicas together
  kAdmitted,   ///< weight of the applications left out (P3, section 3.3.1, Eq. 11): each is placed as a whole or not at all
  kTraffic,    ///< traffic between replicas that do not share a node (gained affinity: Wang et al. 2024, section 3)
  kCost,       ///< sum of prices; takes the place of kNodes where node classes have prices
  kSoftRules,  ///< weight x extent of violated soft rules (P2, Eq. 8); a SoftPolicy says how it counts
  kEnd
};
inline constexpr std::size_t kObjectives = static_cast<std::size_t>(Objective::kEnd);

struct PlanGoal {
  GoalKind what = GoalKind::kCost;
  ResourceId resource = kNone;  ///< with kBalance and kEvenness; kNone: all
  bool beside = false;          ///< counts together with the goal before it
  double weight = 1;
  double tolerance = 0;
  std::string words{};  ///< in the place of all but `beside`: as people write goals; read_goals() reads them
};

struct ReachedGoal : PlanGoal {
  double value = 0;
  double bound = -1;  ///< of any complete plan that is as good by the goals before; negative: none is known
  bool proven = false;
};

/// How the value of kSoftRules counts beside the objective. Mirrors SoftPolicy of request.fbs.
enum class SoftPolicy : std::uint8_t {
  kFirst,  ///< before the objective
  kLast,   ///< only among plans of the same value: violations never cost anything
  kPrice,  ///< a unit of it costs as much as `soft_price` units of the objective
};

/// What the plans of one request are judged by.
struct Judgement {
  Objective objective = Objective::kNodes;
  SoftPolicy soft = SoftPolicy::kFirst;
  double soft_price = 0;  ///< at least 0; counts with kPrice only
  bool fill = false;      ///< where not everything fits: capacity used counts, instead of replicas
};

/// One T per objective.
template <class T>
class ByObjective {
 public:
  [[nodiscard]] T& operator[](Objective objective) { return all_[static_cast<std::size_t>(objective)]; }
  [[nodiscard]] const T& operator[](Objective objective) const { return all_[static_cast<std::size_t>(objective)]; }

 private:
  std::array<T, kObjectives> all_{};
};

class ObjectiveSet {
 public:
  constexpr ObjectiveSet(std::initializer_list<Objective> objectives) {
    for (const Objective objective : objectives) bits_ |= 1u << static_cast<unsigned>(objective);
  }
  [[nodiscard]] constexpr bool contains(Objective objective) const {
    return (bits_ >> static_cast<unsigned>(objective) & 1) != 0;
  }

 private:
  std::uint32_t bits_ = 0;
};

/// An objective as the catalogue and error messages spell it, and how it is computed.
struct ObjectiveInfo {
  Objective objective;
  std::string_view name;
  /// Values are sums of doubles: a value reaches a bound within kValueTolerance. Otherwise both are whole numbers.
  bool rounds;
  /// Whether plans of the instance have a value.
  bool (*applies)(const Instance& instance);
  /// The value of a plan, the smaller the better; at least 0. Depends only on which replicas run where; that of kSoftRules is
  /// what the checker counted. O(placed + nodes).
  double (*value)(const Instance& instance, const Plan& plan);
  /// What the value counts the missing part of, which gaps refer to; null: the value counts what there is.
  double (*whole)(const Instance& instance) = nullptr;
};

/// One entry per enumerator, in their order.
std::span<const ObjectiveInfo> objective_table();
inline const ObjectiveInfo& info_of(Objective objective) { return objective_table()[static_cast<std::size_t>(objective)]; }

/// Relative tolerance by which a sum of doubles may miss the number that it stands for.
inline constexpr double kValueTolerance = 1e-9;

/// What plans of a request for `requested` are judged by: kCost instead of kNodes where the instance has prices.
[[nodiscard]] Objective judged_by(const Instance& instance, Objective requested);
/// The value of a plan, see ObjectiveInfo::value.
[[nodiscard]] double value(const Instance& instance, const Plan& plan, Objective objective);
/// The value of what plans are judged by. With SoftPolicy::kPrice, soft violations are part of it.
[[nodiscard]] double judged_value(const Instance& instance, const Plan& plan, const Judgement& judgement);
/// Whether a plan of this value is best if `bound` is a lower bound.
[[nodiscard]] bool reaches(Objective objective, double value, double bound);
/// Whether violations of rules may outweigh nodes or their cost: with SoftPolicy::kPrice, and with kFirst where some rule is
/// soft.
[[nodiscard]] bool violations_count(const Instance& instance, const Plan& plan);
/// Whether the plan, whose bounds are filled in, is complete and no complete plan has a smaller judged_value(); with
/// SoftPolicy::kFirst, whether it also violates no soft rule. Needs the plan's soft violations where violations_count(): the
/// bound on these is 0.
[[nodiscard]] bool proven(const Instance& instance, const Plan& plan);
/// How far judged_value() is above the bound on the objective, as a share of the bound or, where ObjectiveInfo::whole says what
/// is missing, of what is there; negative where the plan is not complete or that is not above 0. Plans that leave applications
/// out have a gap by kAdmitted. Needs what proven() needs.
[[nodiscard]] double gap_of(const Instance& instance, const Plan& plan);

/// What leaving one replica of the app over counts: its weight. With `fill`, its weight x the mean of its demand over resources
/// and time, as a share of the largest capacity of any class.
[[nodiscard]] double replica_worth(const Instance& instance, AppId app, bool fill);

/// Whether every replica that is left over counts 1, as in bounds on what is left over.
[[nodiscard]] bool counts_replicas(const Instance& instance, const Judgement& judgement);

/// What leaving out an application counts: the largest weight of its apps that want replicas; 0 where none does. One entry per
/// app, 0 for all but the lowest index of each application.
[[nodiscard]] std::vector<double> application_weights(const Instance& instance);

/// What is left over per priority, highest priority first; priorities without any are absent. The highest priority in which
/// two differ decides which is less: the one with the smaller sum of replica_worth(). Sums are exact where all weights are 1
/// and nothing is filled.
class LeftOver {
 public:
  LeftOver() = default;
  LeftOver(const Instance& instance, const Plan& plan, bool fill);
  void add(std::int32_t priority, std::uint64_t replicas, double worth) {
    if (replicas > 0) worth_[priority] += static_cast<double>(replicas) * worth;
  }
  [[nodiscard]] bool empty() const { return worth_.empty(); }
  [[nodiscard]] const std::map<std::int32_t, double, std::greater<>>& by_priority() const { return worth_; }
  friend bool operator<(const LeftOver& a, const LeftOver& b) { return a.worth_ < b.worth_; }
  friend bool operator==(const LeftOver& a, const LeftOver& b) { return a.worth_ == b.worth_; }

 private:
  std::map<std::int32_t, double, std::greater<>> worth_;
};

/// What a plan leaves over, by what it is judged by: with kAdmitted, the weights of the applications that it leaves out, at the
/// highest priority of their apps.
[[nodiscard]] LeftOver left_over_of(const Instance& instance, const Plan& plan, const Judgement& judgement);

/// Whether the plan, whose bounds are filled in, leaves replicas over, and no plan of its request leaves less over.
[[nodiscard]] bool places_most(const Instance& instance, const Plan& plan);

/// What plans of one request are compared by, most important first. A smaller key is a better plan.
struct PlanKey {
  LeftOver left_over;
  std::uint64_t inherited = 0;   ///< constraints that were broken at the start and still are
  double soft = 0;               ///< value of kSoftRules where it counts first
  std::vector<double> goals;     ///< values of the plan's goals, level by level, where it has any
  double value = 0;              ///< judged_value()
  double soft_among_equals = 0;  ///< value of kSoftRules where it does not count first
  double tie = 0;  ///< breaks ties: nodes in use or, with kAdmitted and kTraffic, their cost; with kWorst, the value of kTotal
  friend bool operator<(const PlanKey& a, const PlanKey& b);
};

/// The key of a plan. Inherited violations and soft rules are only known once the checker has seen the plan. Before that, they
/// are the same for all plans, which then compare by the rest.
[[nodiscard]] PlanKey key_of(const Instance& instance, const Plan& plan, const Judgement& judgement);

/// Whether plan `a` is better than plan `b` of the same request: the one comparison of plans outside the checker.
[[nodiscard]] bool better(const Instance& instance, const Judgement& judgement, const Plan& a, const Plan& b);

}  // namespace stowage
