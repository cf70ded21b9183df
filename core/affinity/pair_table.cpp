#include "core/affinity/pair_table.h"

#include <bit>

#include "core/simd/kernels.h"

namespace stowage {
namespace {

constexpr std::uint64_t kMostBytes = 128 << 20;
/// Average length of rows below which a search in them is cheap enough.
constexpr std::uint64_t kLongRow = 48;
/// Limits that are read in the time of one unit of work.
constexpr std::uint64_t kArcsPerWork = 16;
/// Sum over the tenants of the share of apps that they exclude, below which no set is made: an app drawn at random mostly is
/// not excluded then.
constexpr double kLeastExcluded = 0.5;
/// Of every kStride words of a set, one is counted.
constexpr std::size_t kStride = 8;

// One bit for each app that is not excluded.
std::uint64_t not_excluded(std::uint64_t word) { return ~(word >> 1) & 0x5555555555555555u; }

}  // namespace

void PairTable::learn(const LimitRows& limits, WorkClock& clock) {
  const std::uint64_t apps = limits.apps();
  const std::uint64_t words = (apps + kPerWord - 1) / kPerWord;
  if (apps * words * 8 > kMostBytes || limits.arc_count() < apps * kLongRow) return;
  apps_ = limits.apps();
  words_ = words;
  pairs_.reserve(apps * words);
  limits.wide() ? read<std::uint64_t>(limits, clock) : read<std::uint32_t>(limits, clock);
}

template <class Word>
void PairTable::read(const LimitRows& limits, WorkClock& clock) {
  std::uint64_t never = 0;
  for (AppId app = 0; app < apps_; ++app) {
    if (clock.step(1 + limits.degree(app) / kArcsPerWork)) {
      pairs_.clear();
      return;
    }
    // Row by row, because the first touch of so much memory takes as long as the limits do.
    pairs_.resize(pairs_.size() + words_);
    std::uint64_t* const pairs = pairs_.data() + app * words_;
    const Word* const row = limits.row<Word>(app);
    for (std::uint32_t k = 0; k < limits.degree(app); ++k) {
      const std::uint32_t codes = limits.codes_of(row[k]);
      const AppId other = limits.id_of(row[k]);
      const Compatibility pair = compatibility(limits.imposes(codes), limits.obeys(codes));
      pairs[other / kPerWord] |= std::uint64_t{static_cast<std::uint8_t>(pair)} << (other % kPerWord * 2);
      never += pair == Compatibility::kNever ? 1 : 0;
    }
  }
  never_ = static_cast<double>(never) / (static_cast<double>(apps_) * apps_);
}

void PairTable::around(std::span<const Tenant> tenants, AppId leaving, Set& set) const {
  set.clear();
  if (never_ * static_cast<double>(tenants.size()) < kLeastExcluded) return;
  set.assign(words_, 0);
  const auto unite = best_kernels<std::int32_t>().unite;
  for (const Tenant& tenant : tenants) {
    if (tenant.app == leaving && tenant.replicas == 1) continue;
    unite(set.data(), pairs_.data() + tenant.app * words_, words_);
  }
}

bool PairTable::list_not_excluded(const Set& set, std::size_t most, std::vector<AppId>& apps) const {
  apps.clear();
  if (set.empty()) return false;
  std::size_t count = 0;
  for (std::size_t w = 0; w < set.size(); w += kStride) count += static_cast<std::size_t>(std::popcount(not_excluded(set[w])));
  if (count * kStride > most) return false;
  for (std::size_t w = 0; w < set.size(); ++w) {
    for (std::uint64_t left = not_excluded(set[w]); left != 0; left &= left - 1) {
      const auto app = static_cast<AppId>(w * kPerWord + static_cast<std::size_t>(std::countr_zero(left)) / 2);
      if (app < apps_) apps.push_back(app);
    }
  }
  return true;
}

}  // namespace stowage
