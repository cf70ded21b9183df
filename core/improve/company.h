// Which apps tolerate each other on a node, at less cost than by searching rows of limits.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/limit_rows.h"
#include "core/model/node_contents.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Two bits per ordered pair of apps: a search in a long row costs several cache misses, a bit one; and what a whole node
/// excludes are the rows of its tenants together.
class Company {
 public:
  /// What is known of two apps: there are no limits between them; there may be, which LimitRows::find() has to tell; or one of
  /// them tolerates none of the other beside it.
  enum class Kind : std::uint8_t { kFree = 0, kLimited = 1, kNever = 3 };

  /// Knows nothing: everything is kLimited.
  Company() = default;
  /// Stays like that where it would take too much memory, or rows are short.
  explicit Company(const LimitRows& rows) {
    const std::uint64_t apps = rows.apps();
    const std::uint64_t words = (apps + kPerWord - 1) / kPerWord;
    if (apps * words * 8 > kMostBytes || rows.arc_count() < apps * kLongRow) return;
    apps_ = rows.apps();
    words_ = words;
    pairs_.assign(apps * words, 0);
    rows.wide() ? read<std::uint64_t>(rows) : read<std::uint32_t>(rows);
  }

  [[nodiscard]] bool known() const { return !pairs_.empty(); }
  [[nodiscard]] Kind of(AppId app, AppId other) const {
    if (pairs_.empty()) return Kind::kLimited;
    return static_cast<Kind>(pairs_[app * words_ + other / kPerWord] >> (other % kPerWord * 2) & 3);
  }

  /// Apps, two bits each, as in `of`.
  using Set = std::vector<std::uint64_t>;
  /// Of each app, what the tenants of a node together are to it once a replica of `leaving` is gone. Where nothing is known,
  /// the set is empty.
  void around(std::span<const Tenant> tenants, AppId leaving, Set& set) const {
    set.clear();
    if (never_ * static_cast<double>(tenants.size()) < kWorthIt) return;
    set.assign(words_, 0);
    for (const Tenant& tenant : tenants) {
      if (tenant.app == leaving && tenant.replicas == 1) continue;
      kernels_->unite(set.data(), pairs_.data() + tenant.app * words_, words_);
    }
  }
  [[nodiscard]] static bool excludes(const Set& set, AppId app) {
    return !set.empty() && (set[app / kPerWord] >> (app % kPerWord * 2) & 2) != 0;
  }
  /// Lists the apps that such a set does not exclude, unless they are more than `most`.
  bool list_others(const Set& set, std::size_t most, std::vector<AppId>& apps) const {
    apps.clear();
    if (set.empty()) return false;
    std::size_t count = 0;
    for (std::size_t w = 0; w < set.size(); w += kStride) count += static_cast<std::size_t>(std::popcount(open(set[w])));
    if (count * kStride > most) return false;
    for (std::size_t w = 0; w < set.size(); ++w) {
      for (std::uint64_t left = open(set[w]); left != 0; left &= left - 1) {
        const auto app = static_cast<AppId>(w * kPerWord + static_cast<std::size_t>(std::countr_zero(left)) / 2);
        if (app < apps_) apps.push_back(app);
      }
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kMostBytes = 128 << 20;
  /// Shorter on average, rows are searched.
  static constexpr std::uint64_t kLongRow = 48;
  static constexpr std::uint32_t kPerWord = 32;
  static constexpr std::size_t kStride = 8;
  static constexpr double kWorthIt = 0.5;

  template <class Word>
  void read(const LimitRows& rows) {
    std::uint64_t never = 0;
    for (AppId app = 0; app < apps_; ++app) {
      std::uint64_t* const pairs = pairs_.data() + app * words_;
      const Word* const row = rows.row<Word>(app);
      for (std::uint32_t k = 0; k < rows.degree(app); ++k) {
        const std::uint32_t codes = rows.codes_of(row[k]);
        const AppId other = rows.id_of(row[k]);
        const Kind kind = rows.imposes(codes) == 0 || rows.obeys(codes) == 0 ? Kind::kNever : Kind::kLimited;
        pairs[other / kPerWord] |= std::uint64_t{static_cast<std::uint8_t>(kind)} << (other % kPerWord * 2);
        never += kind == Kind::kNever ? 1 : 0;
      }
    }
    never_ = static_cast<double>(never) / (static_cast<double>(apps_) * apps_);
  }
  [[nodiscard]] static std::uint64_t open(std::uint64_t word) { return ~(word >> 1) & 0x5555555555555555u; }

  AppId apps_ = 0;
  std::uint64_t words_ = 0;  // per app
  double never_ = 0;         // share of pairs that are kNever
  const Kernels<std::int32_t>* kernels_ = &best_kernels<std::int32_t>();
  std::vector<std::uint64_t> pairs_;
};

}  // namespace stowage
