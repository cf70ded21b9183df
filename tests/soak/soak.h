// A case of the soak: random numbers of its own, counts, and what is written to files where it finds something.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/property/claims.h"
#include "tests/soak/calls.h"
#include "tests/unit/support/random.h"

namespace stowage::soak {

/// What all cases of a run counted.
struct Tally {
  std::map<std::string, std::uint64_t> counts;  ///< "KIND: WHAT"
  test::ClaimCounts claims;
};

/// A case. Its random numbers follow from the run's seed and its own number.
class Case {
 public:
  Case(std::uint64_t seed, std::uint64_t number, Tally& tally);

  test::Random random;
  Tally& tally;
  double late_ms = 0;  ///< how long after its deadline or cancel a call may end

  void count(const std::string& what, std::uint64_t more = 1) { tally.counts[what] += more; }
  /// What is looked at now. A finding, or a crash, leaves it in files.
  void looks_at(const test::Generated& generated);
  void asks(const Request& request);
  [[nodiscard]] const Bytes& instance() const { return instance_; }
  [[nodiscard]] const Bytes& request() const { return request_; }

 private:
  Bytes instance_;
  Bytes request_;
};

/// A random instance of this size, changed where that makes it worth more: most instances with hard rules have no start, which
/// the judge of rules does not know.
test::Generated any_instance(test::Random& random, const test::Size& size);
/// All features in small numbers.
test::Size small_size();
/// Enough for searches to take their time.
test::Size middle_size();

/// The same request with room to keep and losses to survive, or with racks left free.
Request promising(test::Random& random, const Instance& instance, const Request& request);

/// Whether a planner may answer UNSUPPORTED, as the catalogue says.
bool may_refuse(const std::string& planner, const Instance& instance, const Request& request);

/// The kinds of cases. Each throws a Finding, or fails as GoogleTest does with throw_on_failure.
void check_claims(Case& one);      ///< what is claimed of tiny instances, against exact search
void check_agreement(Case& one);   ///< all planners, the checker, verify, explain, headroom and order of moves
void check_session(Case& one);     ///< operations on a session against a reference model
void check_parallel(Case& one);    ///< threads that share an instance, with deadlines and cancels
void check_overrun(Case& one);     ///< time after the deadline and after a cancel
void check_allocation(Case& one);  ///< every call with the Nth allocation failing

/// Writes instances, requests and native plans of `cases` cases to a folder, for wasm/test/soak.test.mjs.
void write_for_wasm(const std::string& folder, std::uint64_t seed, std::uint64_t cases);

}  // namespace stowage::soak
