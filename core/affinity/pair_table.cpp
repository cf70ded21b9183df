#include "core/affinity/pair_table.h"

#include <bit>

#include "core/simd/kernels.h"

namespace stowage {
namespace {

constexpr std::uint64_t kMostBytes = 128 << 20;
/// Shorter on average, rows are searched.
constexpr std::uint64_t kLongRow = 48;
/// Where tenants exclude less than this, all together, no set is made: of a few apps drawn, most will do.
constexpr double kWorthIt = 0.5;
/// One word in so many is counted.
constexpr std::size_t kStride = 8;

// One bit for each app that is not excluded.
std::uint64_t open(std::uint64_t word) { return ~(word >> 1) & 0x5555555555555555u; }

}  // namespace

PairTable::PairTable(const LimitRows& rows) {
  const std::uint64_t apps = rows.apps();
  const std::uint64_t words = (apps + kPerWord - 1) / kPerWord;
  if (apps * words * 8 > kMostBytes || rows.arc_count() < apps * kLongRow) return;
  apps_ = rows.apps();
  words_ = words;
  pairs_.assign(apps * words, 0);
  rows.wide() ? read<std::uint64_t>(rows) : read<std::uint32_t>(rows);
}

template <class Word>
void PairTable::read(const LimitRows& rows) {
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

void PairTable::around(std::span<const Tenant> tenants, AppId leaving, Set& set) const {
  set.clear();
  if (never_ * static_cast<double>(tenants.size()) < kWorthIt) return;
  set.assign(words_, 0);
  const auto unite = best_kernels<std::int32_t>().unite;
  for (const Tenant& tenant : tenants) {
    if (tenant.app == leaving && tenant.replicas == 1) continue;
    unite(set.data(), pairs_.data() + tenant.app * words_, words_);
  }
}

bool PairTable::list_others(const Set& set, std::size_t most, std::vector<AppId>& apps) const {
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

}  // namespace stowage
