// Which apps tolerate each other on a node, at less cost than by searching rows of limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/limit_rows.h"
#include "core/model/node_contents.h"

namespace stowage {

/// Two bits per ordered pair of apps: a search in a long row costs several cache misses, a bit one; and what a whole node
/// excludes are the rows of its tenants together.
class PairTable {
 public:
  /// What is known of two apps: there are no limits between them; there may be, which LimitRows::find() has to tell; or one of
  /// them tolerates none of the other beside it.
  enum class Kind : std::uint8_t { kFree = 0, kLimited = 1, kNever = 3 };

  /// Knows nothing: everything is kLimited.
  PairTable() = default;
  /// Stays like that where it would take too much memory, or rows are short.
  explicit PairTable(const LimitRows& rows);

  [[nodiscard]] bool known() const { return !pairs_.empty(); }
  [[nodiscard]] Kind of(AppId app, AppId other) const {
    if (pairs_.empty()) return Kind::kLimited;
    return static_cast<Kind>(pairs_[app * words_ + other / kPerWord] >> (other % kPerWord * 2) & 3);
  }

  /// Apps, two bits each, as in `of`.
  using Set = std::vector<std::uint64_t>;
  /// Of each app, what the tenants of a node together are to it once a replica of `leaving` is gone. Where nothing is known,
  /// the set is empty.
  void around(std::span<const Tenant> tenants, AppId leaving, Set& set) const;
  [[nodiscard]] static bool excludes(const Set& set, AppId app) {
    return !set.empty() && (set[app / kPerWord] >> (app % kPerWord * 2) & 2) != 0;
  }
  /// Lists the apps that such a set does not exclude, unless they are more than `most`.
  bool list_others(const Set& set, std::size_t most, std::vector<AppId>& apps) const;

 private:
  static constexpr std::uint32_t kPerWord = 32;

  template <class Word>
  void read(const LimitRows& rows);

  AppId apps_ = 0;
  std::uint64_t words_ = 0;  // per app
  double never_ = 0;         // share of pairs that are kNever
  std::vector<std::uint64_t> pairs_;
};

}  // namespace stowage
