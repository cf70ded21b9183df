// The parts of the explainer, which explain.cpp puts together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/explain/explain.h"
#include "core/explain/opened_plan.h"

namespace stowage {

/// A hard placement rule that refuses an app at a spot.
struct RuleRefusal {
  std::uint32_t rule = kNone;
  /// The rule's only condition that refuses, its bounds, and those with which it would allow a replica. kNone: no change of one
  /// condition's bounds helps.
  std::uint32_t condition = kNone;
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  std::uint32_t wanted_min = 0;
  std::uint32_t wanted_max = kNone;
};

/// Explains one app. look_at() has to be called for every node of the plan once, in ascending order, then finish() once.
class AppExplainer {
 public:
  AppExplainer(const OpenedPlan& opened, AppId app, std::uint32_t unplaced);

  /// @param used OpenedPlan::use() of the node
  void look_at(NodeId node, std::span<const double> used);
  /// All obstacles to one more replica on a node of the plan. May be asked at any time, and any number of times.
  /// @param used OpenedPlan::use() of the node
  const std::vector<Obstacle>& obstacles_on(NodeId node, std::span<const double> used);
  /// What looking at a node takes for placement rules, in steps of a Watch.
  [[nodiscard]] std::uint64_t steps_to_ask() const { return opened_->steps_to_ask(result_.app); }
  /// Looks at the nodes that the plan does not use, and returns the explanation.
  AppExplanation finish();

 private:
  /// What a relaxation changes. Of relaxations with the same change on different nodes, the one of least effort is kept.
  using Change = std::tuple<RelaxationKind, std::uint32_t, std::uint32_t>;
  struct Candidate {
    double effort;
    Relaxation relaxation;
  };

  /// Writes obstacles_ and refusals_.
  /// @param refusals the placement rules, selectors excluded, that refuse the app at the spot
  void find_obstacles(const Spot& spot, const std::vector<TagState::Refusal>& refusals);
  /// Adds the selectors that refuse the app at the spot to refusals_.
  void find_refusing_selectors(const Spot& spot);
  [[nodiscard]] bool is_subject(const Cardinality& condition) const;
  void keep_close(NodeId node, ClassId node_class);
  /// What has to be added to a capacity that is the only obstacle: on devices, as many as the replica takes of.
  [[nodiscard]] double capacity_to_add(const Obstacle& obstacle) const;
  void relax(NodeId node, ClassId node_class);
  void relax_rule(const RuleRefusal& refusal, const Relaxation& there);
  void suggest(const Change& change, double effort, const Relaxation& relaxation);
  void look_at_unused();
  void choose_relaxations();

  const OpenedPlan* opened_;
  const Instance* instance_;
  AppExplanation result_;
  std::vector<Obstacle> obstacles_;
  std::vector<RuleRefusal> refusals_;     // the same as the last entries of obstacles_
  std::vector<std::uint32_t> selectors_;  // rules that are selectors and concern the app
  std::map<Change, Candidate> candidates_;
  NodeId unused_ = kNone;  // the listed node that is looked at, where the plan does not use it
};

/// Measures the used and the stranded amount of each resource, in two passes over the nodes.
class ResourceExplainer {
 public:
  explicit ResourceExplainer(const OpenedPlan& opened);

  /// First pass: sums up the use per period.
  void add(NodeId node, std::span<const double> used);
  /// Between the passes: finds the peak periods.
  void choose_peaks();
  /// Apps that the second pass may try on each node.
  [[nodiscard]] std::size_t probes() const { return probes_.size(); }
  /// Second pass: sums up the stranded amounts.
  void add_stranded(NodeId node, std::span<const double> used);

  [[nodiscard]] std::vector<ResourceUse> result() const { return result_; }

 private:
  void choose_probes();

  const OpenedPlan* opened_;
  const Instance* instance_;
  std::vector<ResourceUse> result_;
  std::vector<double> total_;                       // dims() entries: use of all nodes
  std::vector<AppId> probes_;                       // apps that are tried on the nodes
  std::vector<std::vector<std::uint32_t>> trying_;  // per resource: indices into probes_
  std::vector<std::int8_t> fits_;                   // per probe, on the present node: 1 fits, 0 does not, -1 not tried yet
};

/// Whether an obstacle is a lack of capacity, at the mean or at confidence.
bool is_capacity(const Obstacle& obstacle);

/// Whether no obstacle keeps one more replica of the app off a node of the plan.
/// @param used OpenedPlan::use() of the node
bool takes_one(const OpenedPlan& opened, AppId app, NodeId node, std::span<const double> used);

/// Who suffers most from side effects; nothing without interference, without replicas, or where the run is cancelled.
std::optional<WorstOff> find_suffering(const OpenedPlan& opened, Run& run);

/// The causes of the plan's number of nodes. If `control` is cancelled or its deadline is over, returns those found by then.
std::vector<Driver> find_drivers(const OpenedPlan& opened, Control* control);

}  // namespace stowage
