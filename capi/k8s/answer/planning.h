// Plans of a cluster, and what answers are made of.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "capi/k8s/instance/model.h"
#include "capi/text/records/request_records.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::k8s {

struct Options {
  std::string planner = "auto";
  std::uint64_t deadline_ms = 1000;
  std::uint64_t work = 0;  ///< of each plan, in place of the deadline
  std::uint32_t moves = 1000;
  std::string leave_free;
  std::vector<std::string> goals;
  bool placements = false;
  bool json = false;
  bool script = false;
  Prices prices;
};

/// An instance of the library, whose calls the caller's control watches and ends.
class Loaded {
 public:
  Loaded(const flatbuffers::DetachedBuffer& bytes, stowage_control* control);
  [[nodiscard]] Buffer plan(const cli::RequestData& request) const;
  [[nodiscard]] Buffer verify(const Buffer& plan) const;
  [[nodiscard]] Buffer explain(const Buffer& plan, std::uint32_t app) const;
  [[nodiscard]] Buffer order_moves(const Buffer& plan) const;
  [[nodiscard]] Buffer losses(const std::vector<std::uint32_t>& nodes) const;

 private:
  std::unique_ptr<stowage_instance, detail::Free> handle_;
  stowage_control* control_;
};

struct Planned {
  std::shared_ptr<const Loaded> instance;
  std::shared_ptr<Buffer> plan;
  std::vector<std::uint32_t> left;  ///< replicas of each app that the instance does not want
  [[nodiscard]] const wire::Plan& root() const { return *wire::GetPlan(plan->data()); }
  /// Replicas of an app without a place, those left out before included.
  [[nodiscard]] std::vector<std::uint32_t> unplaced() const;
  [[nodiscard]] std::uint64_t total() const;
};

struct Need {
  std::string kind;
  std::int64_t nodes = 0;
};
struct Unplaced {
  std::string workload;
  std::int64_t replicas = 0, of = 0;
  std::vector<std::string> why, help;
};
struct Unmet {
  std::string preference;
  std::uint32_t replicas = 0;
};
struct Move {
  std::string workload;
  std::uint32_t replicas = 0;
  std::string from;  ///< "" = it runs nowhere yet
  std::string to;
  int app = 0;
  std::uint32_t wave = 0;  ///< from 1: those of a wave may move at the same time; 0 = no order is known
};
struct FreeValues {
  std::string label;
  std::vector<std::string> values;
  std::uint32_t in_use = 0, bound = 0;
};
struct NodeRow {
  std::string node, kind, state;
  std::int64_t pods = 0;
  Amounts used, capacity;
};
/// What fits once replicas move to other nodes.
struct Room {
  std::vector<Unplaced> unplaced;
  std::vector<Move> moves;
  std::uint32_t count = 0;
};

/// A node to empty.
struct Drain {
  std::string node;
  double saves = 0;  ///< per hour, or the one node where prices are not known
  std::uint32_t evictions = 0;
  std::optional<std::int64_t> priority;  ///< the highest of what is evicted
  std::int64_t rounds = 0;               ///< that budgets make of the evictions; 0 = no budget is about them
};
/// So many of the first nodes bring much of the saving for few of the evictions.
struct Knee {
  std::size_t nodes = 0;
  double saving = 0, evictions = 0;  ///< shares of all
};
/// Replicas that wait once all is drained, by how the scheduler scores nodes, and how many of the first nodes leave none
/// waiting.
struct Waiting {
  std::uint64_t least_allocated = 0, most_allocated = 0;
  std::size_t safe = 0;
};

/// What a plan within a limit of moves empties.
struct CurvePoint {
  std::uint32_t limit = 0, moves = 0;
  std::size_t emptied = 0;
  double saves = 0;  ///< per hour or, where prices are not known, nodes
};

/// Why an app is on no other node.
struct Why {
  std::vector<std::string> takes, why, help;
};

/// Plans node by node, as answers list them.
struct PlannedNodes {
  std::string name;
  std::shared_ptr<Buffer> plan;
};

/// What a question is answered with. Parts that were not asked for are empty.
struct Answer {
  std::size_t nodes = 0, workloads = 0;
  std::int64_t replicas = 0;
  std::vector<Unplaced> unplaced, still_unplaced;
  std::vector<Need> add, afresh, replace;
  double bound = 0;
  std::optional<double> cost_now, cost_afresh, saved;
  std::vector<std::string> emptied, idle, held, rounds, broken_list;
  std::optional<FreeValues> free;
  std::uint32_t moves = 0;
  std::vector<Move> move_list;
  std::vector<Drain> drains;  ///< of the nodes to empty, best first
  bool drains_priced = false;
  std::optional<Knee> knee;
  std::optional<Waiting> waiting;
  std::vector<CurvePoint> curve;  ///< from the plan of the answer on; empty where its limit of moves is not used up
  std::optional<Room> room;
  std::vector<Unmet> unmet;
  std::uint32_t broken = 0;
  std::vector<NodeRow> table;
  std::vector<PlannedNodes> plans;
};

/// Answers questions about one cluster.
class Planning {
 public:
  Planning(Cluster&& cluster, const Options& options, stowage_control* control);

  /// Plans the present nodes with all that runs where it is; lower priorities make room where the scheduler would preempt them.
  /// @param less so many replicas fewer of some workloads
  void begin(const std::map<std::string, std::int64_t>& less = {});

  void start(Answer& to) const;
  void fit(Answer& to);
  void afresh(Answer& to);
  void consolidate(Answer& to, bool curve);
  void order_drains(Answer& to) const;
  void simulate_drains(Answer& to) const;
  void table(Answer& to) const;

  [[nodiscard]] Planned plan(Scope scope, const std::vector<std::uint32_t>& left, const cli::RequestData& request);
  [[nodiscard]] std::vector<Unplaced> explain_unplaced(const Planned& of, Scope scope);
  /// Which nodes take one more replica of an app, why others do not, and what would help.
  [[nodiscard]] Why why(const Planned& of, Scope scope, std::size_t app) const;
  [[nodiscard]] std::vector<Move> move_list(const Planned& of) const;
  /// The same in waves, between which every constraint holds.
  [[nodiscard]] std::vector<Move> ordered_moves(const Planned& of) const;
  [[nodiscard]] std::vector<std::string> rounds(const std::vector<Move>& moves) const;

  /// The nodes of a plan by kind: all of them, or the new ones.
  [[nodiscard]] std::vector<std::int64_t> counts(const Planned& of, bool added) const;

  Model model;
  Planned as_is;

 private:
  [[nodiscard]] Planned plan_groups(Scope scope, const cli::RequestData& request);
  [[nodiscard]] bool fits_exactly(const Planned& of) const;
  void preempt();
  bool preempt_for(std::size_t app, std::vector<Amounts>& free);
  void note_rules();
  void find_least();
  void find_unmet(Answer& to);
  void find_broken(Answer& to) const;
  void add_daemons(Answer& to) const;
  void find_room(Answer& to);
  void grow(Answer& to);
  [[nodiscard]] cli::RequestData moving_request() const;
  void find_curve(const Planned& first, cli::RequestData request, const std::vector<std::uint32_t>& left, Answer& to);
  [[nodiscard]] Planned with_fewer_moves(Planned plan, cli::RequestData request, const std::vector<std::uint32_t>& left);
  [[nodiscard]] std::vector<char> used(const Planned& of) const;
  [[nodiscard]] double gain(const Planned& of, const std::vector<std::uint32_t>& replicas, std::size_t& busy) const;
  void find_emptied(const Planned& of, Answer& to);
  void note_moves(const Answer& of);
  [[nodiscard]] Drain drain_of(std::size_t node, const std::vector<Move>& moves, bool priced) const;
  [[nodiscard]] std::uint64_t waiting_after(const Answer& of, std::size_t nodes, const char* scheduler) const;
  [[nodiscard]] bool removable(std::size_t node) const;
  [[nodiscard]] std::vector<Need> needs(const std::vector<std::int64_t>& counts) const;
  void keep_plan(Answer& to, const char* name, const Planned& plan) const;

  const Options& options_;
  stowage_control* control_;
  cli::RequestData request_;
};

template <class Body>
const Body& body_of(const Buffer& report) {
  return *wire::GetReport(report.data())->body_as<Body>();
}

/// What is free on each node under a plan.
std::vector<Amounts> free_of(const Model& model, const wire::Plan& plan);

/// Whether the planner honours placement rules. Fails where there is no such planner.
bool honours_rules(const std::string& planner);

}  // namespace stowage::k8s
