// A case of the soak: random numbers of its own, counts, and what is written to files where it finds something.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/plan/plan.h"
#include "core/planners/planner.h"
#include "tests/property/claims.h"
#include "tests/soak/calls.h"
#include "tests/unit/support/random.h"

namespace stowage::soak {

/// What cases counted. Names are "KIND: WHAT".
struct Tally {
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, std::uint64_t> longest;  ///< microseconds
};

/// A case. Its random numbers follow from the run's seed and its own number.
class Case {
 public:
  Case(std::uint64_t seed, std::uint64_t number, Tally& tally);

  test::Random random;
  double late_ms = 0;  ///< how long after its deadline or cancel a call may end

  void count(const std::string& what, std::uint64_t more = 1) { tally_.counts[what] += more; }
  void took(const std::string& what, double microseconds);
  /// What is looked at now. A finding, or a crash, leaves it in files.
  void looks_at(const test::Generated& generated);
  void asks(const Request& request);
  /// Asks for a plan and counts it.
  Answer plans(const stowage_instance* instance, const Request& request, stowage_control* control = nullptr);
  [[nodiscard]] const Bytes& instance() const { return instance_; }
  [[nodiscard]] const Bytes& request() const { return request_; }

 private:
  Tally& tally_;
  Bytes instance_;
  Bytes request_;
};

/// A random instance of this size, changed where that makes it worth more: most instances with hard rules have no start, which
/// the judge of rules does not know.
test::Generated any_instance(test::Random& random, const test::Size& size);
/// A small cluster in the middle of its life: running replicas, pins, operators' rules, hard minima, and often a start that
/// breaks constraints.
test::Generated running_instance(test::Random& random);
/// A few apps with 10^5 to 10^8 replicas, and any feature.
test::Generated crowded_instance(test::Random& random);
/// A tiny instance of priced classes, without hard rules.
test::Generated priced_instance(test::Random& random);
/// All features in small numbers.
test::Size small_size();
/// Enough for searches to take their time.
test::Size middle_size();

/// `auto` or, as often, any of the planners.
const PlannerInfo& any_planner(test::Random& random);
/// A request that moves what runs, mostly within few nodes.
Request rebalancing(const PlannerInfo& info, const test::Generated& generated, const Instance& instance, test::Random& random);
/// The same request or, in a share of those to `auto`, one with up to three goals in order instead of its objective.
Request maybe_with_goals(Case& one, const Instance& instance, const Request& request);
/// Whether its objective or one of its goals is traffic.
bool asks_for_traffic(const Request& request);
/// The same request with room to keep and losses to survive, or with racks left free.
Request promising(test::Random& random, const Instance& instance, const Request& request);

/// Whether a planner may answer UNSUPPORTED, as the catalogue says.
bool may_refuse(const std::string& planner, const Instance& instance, const Request& request);

/// What every plan has to be: with notes that are in order, and none by which a planner falls back on the start.
void require_a_search(const Plan& plan);

/// The kinds of cases. Each throws a Finding, or fails as GoogleTest does with throw_on_failure.
void check_claims(Case& one);       ///< what is claimed of tiny instances, against exact search
void check_agreement(Case& one);    ///< all planners, the checker, verify, explain, headroom and order of moves
void check_rebalance(Case& one);    ///< the same where replicas run, also in a session
void check_small_work(Case& one);   ///< runs that end after little work, or at once, and their replays
void check_node_limits(Case& one);  ///< nodes chosen within a limit, with prices, against exact search
void check_crowd(Case& one);        ///< many equal replicas: processor time and memory of every call
void check_session(Case& one);      ///< operations on a session against a reference model
void check_parallel(Case& one);     ///< threads that share an instance, with deadlines and cancels
void check_overrun(Case& one);      ///< time after the deadline and after a cancel
void check_allocation(Case& one);   ///< every call with the Nth allocation failing

/// Writes instances, requests and native plans of `cases` cases to a folder, for wasm/test/soak.test.mjs.
void write_for_wasm(const std::string& folder, std::uint64_t seed, std::uint64_t cases);

}  // namespace stowage::soak
