// The parts of the explainer, as explain.cpp puts them together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "core/explain/explain.h"
#include "core/explain/opened_plan.h"

namespace stowage {

/// Explains one app: shown every node of the plan once, in ascending order, it then looks at what the plan leaves unused.
class AppExplainer {
 public:
  AppExplainer(const OpenedPlan& opened, AppId app, std::uint32_t unplaced);

  void look_at(NodeId node, std::span<const double> used);
  /// Once, after the last node.
  AppExplanation finish();

 private:
  /// What a relaxation changes: those that change the same thing on different nodes are alternatives.
  using Change = std::tuple<RelaxationKind, std::uint32_t, std::uint32_t>;
  struct Candidate {
    double effort;
    Relaxation relaxation;
  };

  /// @param refusals the placement rules that keep the app off the spot
  void find_obstacles(const Spot& spot, std::vector<TagState::Refusal> refusals);
  void keep_close(NodeId node, ClassId node_class);
  void relax(NodeId node, ClassId node_class);
  void relax_rule(const TagState::Refusal& refusal, const Relaxation& there);
  void suggest(const Change& change, double effort, const Relaxation& relaxation);
  void look_at_unused();
  void choose_relaxations();

  const OpenedPlan* opened_;
  const Instance* instance_;
  AppExplanation result_;
  std::vector<Obstacle> obstacles_;
  std::vector<TagState::Refusal> refusals_;  // among obstacles_, and last
  std::map<Change, Candidate> candidates_;
};

/// Measures what the plan uses and strands of each resource, in two passes over the nodes.
class ResourceExplainer {
 public:
  explicit ResourceExplainer(const OpenedPlan& opened);

  /// First pass: finds the peak periods.
  void add(NodeId node, std::span<const double> used);
  /// Between the passes.
  void choose_peaks();
  /// Second pass: finds what is stranded.
  void add_stranded(NodeId node, std::span<const double> used);

  [[nodiscard]] std::vector<ResourceUse> result() const { return result_; }

 private:
  void choose_probes();

  const OpenedPlan* opened_;
  const Instance* instance_;
  std::vector<ResourceUse> result_;
  std::vector<double> total_;                       // dims()
  std::vector<AppId> probes_;                       // apps that are tried
  std::vector<std::vector<std::uint32_t>> trying_;  // per resource: indices into probes_
  std::vector<std::int8_t> fits_;                   // per probe, for the node at hand: -1 = not tried yet
};

/// What makes the plan need its nodes. Ends early, with what it has, when `control` says so.
std::vector<Driver> find_drivers(const OpenedPlan& opened, Control* control);

}  // namespace stowage
