// The integer program of P2 (section 5.2, figure 5). It assigns waiting replicas to nodes and weighs three goals: many placed
// applications, little violation of soft rules, and many nodes that keep room for a small replica.
//
//   maximize  w1/k sum S_i  -  w2/m sum v  +  w3/N sum z_n    (Eq. 1, sign corrected)
//
// S_i is the placed share of application i (0 or 1 where the request is all or nothing, Eq. 4); k is the number of
// applications. v is weight x extent of a violated soft rule (Eq. 8), for every replica that is subject to it, minus its value
// before. m is the sum of the rules' weights over the waiting replicas that are subject to them. z_n is 1 where node n keeps at
// least the smallest demand of each resource; N is the number of nodes.
//
// As printed: one column per replica and node, and big-M rows per subject and node set (Eq. 6 and 7, corrected).
// The default program is stronger and has the same optimum:
// - One column per app and node, because replicas of an app are alike.
// - The number of nodes in the same state is at most the number of waiting replicas.
// - Eq. 3 and Eq. 5 share one row.
// - A rule whose subjects are the replicas that it counts costs a function of one count, written exactly by increments.
// - Every other big-M is the least valid one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/placement/tag_state.h"
#include "core/solver/mip.h"

namespace stowage {

/// A node that may take waiting replicas.
struct MedeaSite {
  TagSite at;
  std::vector<std::int64_t> left;   ///< scaled residuals, dims() entries
  bool exists = true;               ///< its class has a count, so that it counts in N even while empty
  bool used = false;                ///< in use: it holds replicas, or load that keeps it in use
  std::vector<std::uint32_t> room;  ///< per waiting app: replicas that fit by capacity, affinity limits and eligibility
};

struct MedeaSetting {
  const Instance& instance;
  const TagState& tags;
  TagView view;
  std::vector<AppId> apps;             ///< apps with waiting replicas
  std::vector<std::uint32_t> waiting;  ///< waiting replicas of each app
  std::vector<MedeaSite> sites;
  double nodes = 0;       ///< N: nodes that exist and are not closed
  double other_kept = 0;  ///< sum of z over nodes that are not sites
  double placed_weight = 1;
  double violation_weight = 0.5;
  double fragmentation_weight = 0.25;
  bool as_printed = false;
  bool all_or_nothing = false;
  std::uint32_t more_nodes = kNone;  ///< how many unused nodes may be used; kNone: no limit
};

/// Assigns `replicas` waiting replicas of an app to a site.
struct MedeaSeat {
  std::uint32_t app;  ///< index into MedeaSetting::apps
  std::uint32_t site;
  std::uint32_t replicas;
};

class MedeaProgram {
 public:
  explicit MedeaProgram(MedeaSetting setting) : setting_(std::move(setting)), instance_(setting_.instance) {}

  /// Errors: kUnsupported where a rule of waiting apps limits the number of node sets or the skew, which the program cannot
  /// express; kLimitExceeded where it has more than max_cells columns or entries.
  Error build();

  [[nodiscard]] const Program& program() const { return program_; }
  void set_start(std::vector<double> values) { program_.start = std::move(values); }
  /// Values of all columns for these seats; every column that follows from them has its best value.
  [[nodiscard]] std::vector<double> values_of(const std::vector<MedeaSeat>& seats) const;
  /// @param values one per column; integral where the column is
  [[nodiscard]] std::vector<MedeaSeat> seats_of(const std::vector<double>& values) const;
  /// A lower bound on the cost without a solver: every replica at its cheapest site, every node keeps its room, and each rule
  /// on its own at its best.
  [[nodiscard]] double least_cost() const;
  /// The value of Eq. 1 for a cost of the program.
  [[nodiscard]] double score(double cost) const { return score_of_nothing_ - cost; }

 private:
  using Term = Program::Term;
  using Terms = std::vector<Term>;
  /// Replicas of an app that share their columns.
  struct Unit {
    std::uint32_t app;
    std::uint32_t count;
  };
  /// Where a part counts: a node, or a node set of its group; and what it counts there now.
  struct Scope {
    std::uint32_t part;
    std::vector<std::uint32_t> sites;
    TagState::Count there;
  };
  /// Extent of a part as its subjects see it; `column` is kNone where it is always 0.
  struct Extent {
    std::uint32_t column = kNone;
    double most = 0;
    double now = 0;  ///< before any waiting replica arrives
    bool varies = false;
  };
  /// A conjunction of a choice: the sum of its parts' extents.
  struct Way {
    Terms extents;
    double fixed = 0;  ///< extent of parts whose group has no set with this node
    double most = 0;
    double now = 0;  ///< before any waiting replica arrives
  };
  struct Ways {
    std::vector<Way> all;
    bool vary = false;  ///< whether an arriving replica can change one of them
  };

  [[nodiscard]] AppId app_of(const Unit& unit) const { return setting_.apps[unit.app]; }
  [[nodiscard]] std::uint32_t column_of(std::uint32_t unit, std::uint32_t site) const {
    return column_[std::size_t{unit} * setting_.sites.size() + site];
  }
  void add_assignments();
  void add_applications();
  void add_capacity();
  void add_limits();
  void add_node_limit();
  void add_rules();
  void find_relevant();
  void add_part(std::uint32_t part);
  void add_part_in(const Scope& scope);
  void add_outside(std::uint32_t part, std::uint32_t site);
  void add_single_count(const Scope& scope, const Terms& count, std::uint32_t most);
  void add_hard(const Scope& scope, const Terms& count, std::uint32_t most);
  void add_soft(const Scope& scope, const Terms& count, std::uint32_t most);
  void add_choice(std::uint32_t choice);
  void add_choice_for(std::uint32_t choice, AppId app, const TagSite& at, const Terms& sum, std::uint32_t levels,
                      std::uint32_t residents);
  Ways ways_of(const TagModel::Choice& choice, AppId app, const TagSite& at);
  std::vector<std::uint32_t> choose_one(const std::vector<Way>& ways);
  /// `count` binary columns that add up to `sum`; in values_of(), the first ones are 1. `sum` itself where `count` is at
  /// most 1.
  std::vector<Terms> levels_of(const Terms& sum, std::uint32_t count);
  /// A column that is 1 where `sum` is above 0; `sum` itself where `most` is at most 1.
  Terms presence_of(const Terms& sum, std::uint32_t most);
  Extent extent_of(const Scope& scope, std::uint32_t own);
  [[nodiscard]] Scope scope_on(std::uint32_t part, const TagSite& at) const;
  [[nodiscard]] Scope scope_in(std::uint32_t part, std::uint32_t set) const;
  /// The sum of the assignment columns, on `sites`, of the units with a role.
  template <class HasRole>
  Terms sum_of(const std::vector<std::uint32_t>& sites, HasRole&& has_role) const;
  [[nodiscard]] std::uint32_t most_on(const std::vector<std::uint32_t>& sites, const Terms& sum) const;
  void add_row(double least, double most, const Terms& terms) { program_.add_row(least, most, terms); }
  std::uint32_t add_column(double cost, double least, double most, bool whole) {
    return program_.add_column(cost, least, most, whole);
  }
  /// Defines how new columns follow from earlier ones.
  void define(std::function<void(std::vector<double>&)> definition) { definitions_.push_back(std::move(definition)); }
  static double value(const Terms& sum, const std::vector<double>& values) {
    double total = 0;
    for (const Term& term : sum) total += term.factor * values[term.column];
    return total;
  }

  MedeaSetting setting_;
  const Instance& instance_;
  Program program_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> column_;          // per unit and site
  std::vector<std::uint32_t> unit_of_column_;  // by assignment column
  std::vector<std::uint32_t> site_room_;       // per site: upper bound on waiting replicas of all apps together
  std::vector<std::function<void(std::vector<double>&)>> definitions_;
  std::vector<std::uint8_t> relevant_;                           // per part
  std::vector<std::vector<std::vector<std::uint32_t>>> of_set_;  // per group and set: sites
  std::map<NodeId, std::uint32_t> site_of_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Extent> extents_;  // by part, node or set, own
  double violation_cost_ = 0;                                                          // of an extent of 1 and weight 1
  double score_of_nothing_ = 0;
  double columns_exceed_ = 0;  ///< sum over non-convex costs: least total minus the sum of each increment's least
};

}  // namespace stowage
