// The integer program of P2 (section 5.2, figure 5): which replicas of waiting apps go where, so that many applications are
// placed, soft rules are violated little, and few nodes are left with next to nothing.
//
//   maximize  w1/k sum S_i  -  w2/m sum v  +  w3/N sum z_n                                               (Eq. 1, minus
//   corrected)
//
// S_i is what is placed of application i, as a share (0 or 1 where requests are all or nothing, Eq. 4), k their number; v is
// weight x extent of a violated soft rule (Eq. 8), for every replica that is subject to it, less what was violated before; m is
// the sum of the rules' weights over the waiting replicas that are subject to them; z_n is 1 where a node keeps at least the
// smallest demand of each resource, N the number of nodes.
//
// As printed: a column per replica and node, big-M rows per subject and node set (Eq. 6 and 7, corrected). Stronger and
// equivalent: a column per app and node, as replicas of an app are alike; of nodes in the same state no more than replicas
// wait; Eq. 3 and 5 in one row; a rule whose subjects are what it counts costs a function of one count, which is written down
// exactly, by increments; elsewhere big-Ms are the least that are valid.
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
  std::vector<std::int64_t> left;   ///< scaled residuals, dims() of them
  bool exists = true;               ///< of a class with a count, so that it counts as a node where nothing comes
  bool used = false;                ///< something is there
  std::vector<std::uint32_t> room;  ///< per waiting app: replicas that fit by capacity and affinity limits
};

struct MedeaSetting {
  const Instance& instance;
  const TagState& tags;
  TagView view;
  std::vector<AppId> apps;             ///< those that wait
  std::vector<std::uint32_t> waiting;  ///< replicas of each
  std::vector<MedeaSite> sites;
  double nodes = 0;       ///< N: nodes that exist and take replicas
  double other_kept = 0;  ///< sum of z over those that are not among the sites
  double placed_weight = 1;
  double violation_weight = 0.5;
  double fragmentation_weight = 0.25;
  bool as_printed = false;
  bool all_or_nothing = false;
  std::uint32_t more_nodes = kNone;  ///< unused nodes that may be used
};

/// So many waiting replicas on a site.
struct MedeaSeat {
  std::uint32_t app;  ///< index into MedeaSetting::apps
  std::uint32_t site;
  std::uint32_t replicas;
};

class MedeaProgram {
 public:
  explicit MedeaProgram(MedeaSetting setting) : setting_(std::move(setting)), instance_(setting_.instance) {}

  /// Errors: kUnsupported where waiting apps are subject to conditions on the number of sets or on skew, which the program does
  /// not have; kLimitExceeded where it has more than max_cells columns or entries.
  Error build();

  [[nodiscard]] const Program& program() const { return program_; }
  void set_start(std::vector<double> values) { program_.start = std::move(values); }
  /// All columns for replicas that sit like this, each at its best.
  [[nodiscard]] std::vector<double> values_of(const std::vector<MedeaSeat>& seats) const;
  /// @param values whole where columns are
  [[nodiscard]] std::vector<MedeaSeat> seats_of(const std::vector<double>& values) const;
  /// A bound that needs no solver: everything placed, every node that can be kept is, and each rule on its own at its best.
  [[nodiscard]] double least_cost() const;
  /// Eq. 1 for a cost of the program.
  [[nodiscard]] double score(double cost) const { return score_of_nothing_ - cost; }

 private:
  using Term = Program::Term;
  using Terms = std::vector<Term>;
  /// Replicas of an app that are taken together.
  struct Unit {
    std::uint32_t app;
    std::uint32_t count;
  };
  /// Where a part counts: on a node, or in a set of its group; and what is there.
  struct Scope {
    std::uint32_t part;
    std::vector<std::uint32_t> sites;
    TagState::Count there;
  };
  /// Extent of a part for those that see a count; `column` is kNone where it is always 0.
  struct Extent {
    std::uint32_t column = kNone;
    double most = 0;
    double now = 0;  ///< while no further replica arrives
    bool varies = false;
  };
  /// A conjunction of a choice: the sum of its parts' extents.
  struct Way {
    Terms extents;
    double fixed = 0;  ///< extent of parts without a node set
    double most = 0;
    double now = 0;  ///< while no further replica arrives
  };
  struct Ways {
    std::vector<Way> all;
    bool vary = false;  ///< whether an arriving replica changes any of them
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
  /// Columns of which the first `n` are 1 where the sum of columns is `n`; `count` columns.
  std::vector<Terms> levels_of(const Terms& sum, std::uint32_t count);
  /// A column that is 1 where a sum of columns is above 0.
  Terms presence_of(const Terms& sum, std::uint32_t most);
  Extent extent_of(const Scope& scope, std::uint32_t own);
  [[nodiscard]] Scope scope_on(std::uint32_t part, const TagSite& at) const;
  [[nodiscard]] Scope scope_in(std::uint32_t part, std::uint32_t set) const;
  /// Columns of units with a role on sites.
  template <class HasRole>
  Terms sum_of(const std::vector<std::uint32_t>& sites, HasRole&& has_role) const;
  [[nodiscard]] std::uint32_t most_on(const std::vector<std::uint32_t>& sites, const Terms& sum) const;
  void add_row(double least, double most, const Terms& terms) { program_.add_row(least, most, terms); }
  std::uint32_t add_column(double cost, double least, double most, bool whole) {
    return program_.add_column(cost, least, most, whole);
  }
  /// How the last column follows from those before it.
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
  std::vector<std::uint32_t> unit_of_column_;  // of those
  std::vector<std::uint32_t> site_room_;       // replicas of whatever apps that a site takes, at most
  std::vector<std::function<void(std::vector<double>&)>> definitions_;
  std::vector<std::uint8_t> relevant_;                           // per part
  std::vector<std::vector<std::vector<std::uint32_t>>> of_set_;  // per group and set: sites
  std::map<NodeId, std::uint32_t> site_of_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Extent> extents_;  // by part, node or set, own
  double violation_cost_ = 0;                                                          // of an extent of 1 and weight 1
  double score_of_nothing_ = 0;
  double columns_exceed_ = 0;  ///< of increments that come one after the other: what their best is above the best of each
};

}  // namespace stowage
