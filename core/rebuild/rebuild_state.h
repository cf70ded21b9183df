// A plan that is taken apart and rebuilt: who is where, what it costs, and the way back to an earlier state.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/rebuild/nodes/spare_nodes.h"
#include "core/run/control.h"
#include "core/search/search_state.h"

namespace stowage {

/// What the energy charges, besides the cost of nodes (Instance::node_cost()).
struct EnergyPrices {
  std::vector<double> unplaced;  ///< per app: for a replica that waits
  double hard = 0;               ///< per unit of extent of a violated hard rule
  double soft = 0;               ///< per unit of weight x extent of a violated soft rule
  double move = 0;               ///< per running replica that is away from its node
};

/// Where a request allows fewer nodes than the cheapest plan needs, nodes are scarce as well as money. They are then compared
/// by a price of a node beside its cost, and apps by what their demand takes of it. The energy charges none of this.
struct ScarceNodes {
  double price = 0;           ///< of a node, in units of cost; 0: nodes are not scarce
  std::vector<double> worth;  ///< per app: of one replica, in nodes
};

/// Everything that plans are judged by, as sums with exact changes.
struct Energy {
  double unplaced = 0;  ///< replicas that wait, each at its price
  double nodes = 0;     ///< cost of the nodes in use
  double hard = 0;      ///< extent of violated hard rules
  double soft = 0;      ///< weight x extent of violated soft rules
  double in_use = 0;    ///< nodes in use, which count where all else is equal
};

/// Wraps a SearchState. Every change goes through put() and take(), which keep the energy and a journal.
///
/// - A node counts as in use by Placement::used(). The nodes in use that are in play are listed by used().
/// - Empty nodes wait by kind (SpareNodes).
/// - The worth of a replica is what its demand costs at the prices of capacity. The waste of a node is its cost less the worth
///   of what it holds.
template <class Unit>
class RebuildState {
 public:
  /// @param worth per app: of one replica, in units of cost
  RebuildState(SearchState<Unit>& state, EnergyPrices prices, std::vector<double> worth, const ScarceNodes& scarce = {});

  [[nodiscard]] const Instance& instance() const { return state_->instance(); }
  [[nodiscard]] const Placement<Unit>& placement() const { return state_->placement(); }
  [[nodiscard]] SearchState<Unit>& state() { return *state_; }
  [[nodiscard]] const SearchState<Unit>& state() const { return *state_; }

  // Nodes.
  [[nodiscard]] const std::vector<NodeId>& used() const { return used_; }
  [[nodiscard]] const SpareNodes& kinds() const { return kinds_; }
  /// An empty node of the kind, which stays empty until something is put on it; kNone: there is none.
  NodeId empty_node(std::uint32_t kind) {
    const NodeId node = kinds_.empty_node(kind, state_->placement(), *state_);
    know_all_nodes();
    return node;
  }
  [[nodiscard]] double cost_of(NodeId node) const { return instance().node_cost(placement().class_of(node)); }
  /// What a node counts as where nodes are compared: its cost, and the price of a scarce node.
  [[nodiscard]] double price_of(NodeId node) const { return cost_of(node) + scarce_.price; }
  /// What of the price of a node buys nothing. A node with load is paid for in any case: of its price, the share of capacity
  /// that is left of what runs out first.
  [[nodiscard]] double waste(NodeId node) const {
    return placement().loaded(node) ? price_of(node) * usable_share(node) : price_of(node) - held_worth_[node];
  }
  [[nodiscard]] const ScarceNodes& scarce() const { return scarce_; }

  // Apps.
  /// At the prices of capacity and of scarce nodes.
  [[nodiscard]] double worth(AppId app) const { return worth_[app]; }
  [[nodiscard]] const typename Residuals<Unit>::Need& need(AppId app) const { return need_[app]; }
  /// Whether some rule speaks of the app.
  [[nodiscard]] bool has_rules(AppId app) const { return has_rules_[app] != 0; }
  /// How many more replicas of the app the node takes, at most `wanted`, under every hard constraint.
  /// @param which kAll: without violating soft rules further
  [[nodiscard]] std::uint32_t room(AppId app, NodeId node, std::uint32_t wanted, TagState::Asked which) const {
    const std::uint32_t fitting = placement().residuals().copies(need_[app], node, wanted);
    return fitting == 0 ? 0 : placement().allowed(app, node, fitting, which);
  }
  /// Conditions by which the app needs others near: parts of hard rules with a minimum. Empty for most apps.
  [[nodiscard]] std::span<const std::uint32_t> needs_near(AppId app) const {
    if (near_begin_.empty()) return {};
    return {near_.data() + near_begin_[app], near_begin_[app + 1] - near_begin_[app]};
  }
  /// The same of soft rules: conditions that hold more easily where these others come along.
  [[nodiscard]] std::span<const std::uint32_t> likes_near(AppId app) const {
    if (liked_begin_.empty()) return {};
    return {liked_.data() + liked_begin_[app], liked_begin_[app + 1] - liked_begin_[app]};
  }
  /// Apps that one of needs_near() counts.
  [[nodiscard]] std::span<const AppId> targets_of(std::uint32_t part) const { return near_targets_[part]; }
  /// Whether the condition counts few apps: they must be kept for those that need them. Of many, some are nearly everywhere.
  [[nodiscard]] bool counts_few(std::uint32_t part) const { return near_targets_[part].size() <= kFewTargets; }
  /// What an app is worth together with one of few that it needs near: such apps have to come first.
  [[nodiscard]] double worth_together(AppId app) const { return together_.empty() ? worth_[app] : together_[app]; }
  /// Apps with a soft rule.
  [[nodiscard]] const std::vector<AppId>& soft_apps() const { return soft_apps_; }
  /// Apps with any rule.
  [[nodiscard]] const std::vector<AppId>& ruled_apps() const { return ruled_apps_; }
  /// Whether running replicas may leave their nodes.
  [[nodiscard]] bool may_move() const { return state_->moves_matter() && state_->move_budget() > 0; }

  /// Listed nodes on which replicas of the app run at the start; empty where moves do not matter.
  [[nodiscard]] std::span<const NodeId> homes(AppId app) const {
    if (homes_.empty()) return {};
    return homes_[app];
  }

  // Changes.
  void put(AppId app, NodeId node, std::uint32_t replicas);
  /// Takes replicas away, at most SearchState::removable().
  void take(AppId app, NodeId node, std::uint32_t replicas);
  /// Takes away everything on the node that SearchState::removable() lets leave.
  void take_all(NodeId node);
  /// Starts a new journal.
  void begin();
  /// Undoes everything since begin().
  void roll_back();
  /// Changes since begin(), each a number of replicas put (positive) or taken (negative).
  struct Change {
    AppId app;
    NodeId node;
    std::int32_t replicas;
  };
  [[nodiscard]] const std::vector<Change>& journal() const { return journal_; }

  // Energy.
  [[nodiscard]] const Energy& parts() const { return energy_; }
  [[nodiscard]] const EnergyPrices& prices() const { return prices_; }
  void set_prices(double soft, double move) {
    prices_.soft = soft;
    prices_.move = move;
  }
  [[nodiscard]] double energy() const {
    return energy_.unplaced + energy_.nodes + prices_.hard * energy_.hard + prices_.soft * energy_.soft +
           prices_.move * static_cast<double>(state_->moves());
  }

  // The best state.
  /// Remembers the present state. O(nodes changed since the last call).
  void keep();
  /// Goes back to the state that was kept last. Ends the journal.
  void return_to_kept();
  /// The contents of all nodes in the state that was kept last.
  [[nodiscard]] NodeContents kept_contents() const;
  [[nodiscard]] const Energy& kept() const { return kept_energy_; }
  /// The present state, by the objective kNodes.
  [[nodiscard]] BestSoFar as_best() const { return {placement().nodes_in_use(), energy_.nodes, waiting_}; }

 private:
  static constexpr std::size_t kFewTargets = 16;

  /// The share of capacity that is left of what runs out first.
  [[nodiscard]] double usable_share(NodeId node) const;
  template <class Do>
  void change(AppId app, NodeId node, std::int32_t replicas, Do&& apply);
  void take_any(AppId app, NodeId node, std::uint32_t replicas);
  void mark(NodeId node);
  /// Nodes that have been opened since are nodes without contents.
  void know_all_nodes() {
    if (used_at_.size() >= placement().nodes()) return;
    used_at_.resize(placement().nodes(), kNone);
    held_worth_.resize(placement().nodes(), 0);
  }
  void list_used(NodeId node);
  void read_rules();
  void read_needs();
  void read_homes();

  SearchState<Unit>* state_;
  EnergyPrices prices_;
  SpareNodes kinds_;
  ScarceNodes scarce_;
  std::vector<double> worth_;
  std::vector<typename Residuals<Unit>::Need> need_;
  std::vector<std::uint8_t> has_rules_;
  std::vector<std::size_t> near_begin_;
  std::vector<std::uint32_t> near_;
  std::vector<std::size_t> liked_begin_;
  std::vector<std::uint32_t> liked_;
  std::vector<std::vector<AppId>> near_targets_;  // per part; empty for those that no app needs
  std::vector<double> together_;                  // per app: worth_together(); empty where no app needs others
  std::vector<std::vector<NodeId>> homes_;        // per app
  std::vector<AppId> soft_apps_;
  std::vector<AppId> ruled_apps_;
  std::vector<NodeId> used_;
  std::vector<std::uint32_t> used_at_;  // per node: position in used_, or kNone
  std::vector<double> held_worth_;      // per node
  std::uint64_t waiting_ = 0;           // replicas
  Energy energy_;
  Energy energy_at_begin_;
  std::vector<Change> journal_;
  std::vector<std::vector<Tenant>> kept_contents_;  // per node
  std::vector<std::uint8_t> is_marked_;             // per node: changed since keep()
  std::vector<NodeId> marked_;
  Energy kept_energy_;
};

extern template class RebuildState<std::int16_t>;
extern template class RebuildState<std::int32_t>;

}  // namespace stowage
