// Compatibility of all pairs of apps, at less cost than by searching rows of limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/admission.h"
#include "core/run/work_clock.h"

namespace stowage {

/// A search in a long row costs several cache misses; here an ordered pair of apps is two bits. The apps that a whole node
/// excludes are the union of its tenants' rows. Limits of an app on itself are left out.
class PairTable {
 public:
  /// Reads all limits. Stays without knowledge where the table would take more than 128 MiB, where rows are short and searches
  /// therefore cheap, or where the clock ends the run. O(arcs).
  void learn(const LimitRows& limits, WorkClock& clock);

  /// Whether of() is exact. If not, of() answers kLimited for every pair.
  [[nodiscard]] bool known() const { return !pairs_.empty(); }
  /// What the limits between two apps allow. Where known(), kLimited guarantees that limits exist and that none is 0, so that
  /// one replica may be beside one.
  [[nodiscard]] Compatibility of(AppId app, AppId other) const {
    if (pairs_.empty()) return Compatibility::kLimited;
    return static_cast<Compatibility>(pairs_[app * words_ + other / kPerWord] >> (other % kPerWord * 2) & 3);
  }

  /// A Compatibility for each app, two bits each. Empty: nothing is known.
  using Set = std::vector<std::uint64_t>;
  /// Writes, for each app, the union of its compatibility with the tenants of a node once a replica of `leaving` has left it.
  /// The set is empty where too few apps are excluded for it to pay, or where the table has no knowledge.
  void around(std::span<const Tenant> tenants, AppId leaving, Set& set) const;
  /// Whether the app certainly may not join the node. False means perhaps: numbers may decide, or the set is empty.
  [[nodiscard]] static bool excludes(const Set& set, AppId app) {
    return !set.empty() && (set[app / kPerWord] >> (app % kPerWord * 2) & 2) != 0;
  }
  /// Lists the apps that the set does not exclude, by ascending id.
  /// @return false, with an empty list, where the set is empty, or where a sample says that there are more than `most`
  bool list_not_excluded(const Set& set, std::size_t most, std::vector<AppId>& apps) const;

 private:
  static constexpr std::uint32_t kPerWord = 32;

  template <class Word>
  void read(const LimitRows& limits, WorkClock& clock);

  AppId apps_ = 0;
  std::uint64_t words_ = 0;  // per app
  double never_ = 0;         // share of pairs that are kNever
  std::vector<std::uint64_t> pairs_;
};

}  // namespace stowage
