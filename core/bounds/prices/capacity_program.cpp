#include "core/bounds/prices/capacity_program.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace stowage {
namespace {

// Entries of the dictionary that may change: that takes up to 10 ms, several times as long where others use the memory.
constexpr std::uint64_t kMostChanges = 12'000'000;
constexpr std::uint64_t kPivotsAtOnce = 16;
// Few at a time, the most exceeded first: most others follow from them.
constexpr std::size_t kCutsAtOnce = 20;
constexpr int kMostRounds = 300;
// A worth that exceeds a cost by less, relative to it, is no reason for another cut.
constexpr double kExcess = 1e-12;
// A worth of a full node that is this many times the dearest node's cost is no use: the demand cannot be met.
constexpr double kMostWorth = 16;

}  // namespace

double CapacityProgram::Kind::worth(const std::vector<double>& y) const {
  double sum = 0;
  for (const std::vector<Share>& shares : dims) {
    double most = 0;
    for (const Share& share : shares) most = std::max(most, share.worth(y));
    sum += most;
  }
  return sum;
}

CapacityProgram::CapacityProgram(std::span<const Kind> kinds, std::size_t endless, std::vector<double> gains)
    : kinds_(kinds), endless_(endless), rows_(gains.size()), program_(all_gains(std::move(gains))) {
  cut_.resize(program_.variables());
  for (std::size_t k = 0; k < kinds_.size(); ++k) add_kind(k);
  for (std::size_t row = 0; row < rows_; ++row) {
    std::fill(cut_.begin(), cut_.end(), 0.0);
    cut_[row] = 1;
    program_.add(cut_, kMostWorth);
  }
}

std::vector<double> CapacityProgram::solve(const std::function<double(const std::vector<double>&)>& bound) {
  std::vector<double> best(rows_ + 1, 0.0);
  double most = 0;
  const auto try_prices = [&](const std::vector<double>& y) {
    const double reached = bound(y);
    if (reached <= most) return;
    most = reached;
    best = y;
  };
  for (int round = 1;; ++round) {
    bool optimal = false;
    while (!optimal && program_.changes() < kMostChanges) optimal = program_.solve(kPivotsAtOnce) < kPivotsAtOnce;
    const std::vector<double> values = program_.values();
    std::vector<double> y(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rows_));
    y.push_back(0);
    // Between these prices, which no cut forbids yet, and the best ones so far lie better ones.
    std::vector<double> between(y.size());
    for (std::size_t k = 0; k < y.size(); ++k) between[k] = (y[k] + best[k]) / 2;
    try_prices(between);
    try_prices(y);
    if (!optimal || round == kMostRounds) return best;
    if (!cut_off(values, y, between) && !cut_off(values, y, y)) return best;
  }
}

std::vector<double> CapacityProgram::all_gains(std::vector<double> gains) {
  for (std::size_t k = endless_; k < kinds_.size(); ++k) gains.push_back(-kinds_[k].count);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    for (std::size_t h = 0; h < kinds_[k].dims.size(); ++h) {
      if (kinds_[k].dims[h].size() > 1) divided_.push_back({k, h});
    }
  }
  gains.resize(gains.size() + divided_.size(), 0.0);
  return gains;
}

void CapacityProgram::include(const Share& share) {
  if (share.mean_row < rows_) cut_[share.mean_row] += share.mean;
  if (share.spread_row < rows_) cut_[share.spread_row] += share.spread;
}

void CapacityProgram::add_kind(std::size_t k) {
  std::fill(cut_.begin(), cut_.end(), 0.0);
  for (const std::vector<Share>& shares : kinds_[k].dims) {
    if (shares.size() == 1) include(shares.front());
  }
  for (std::size_t d = 0; d < divided_.size(); ++d) {
    if (divided_[d].kind == k) cut_[worth_variable(d)] = 1;
  }
  if (k >= endless_) cut_[rows_ + k - endless_] = -1;
  program_.add(cut_, kinds_[k].cost);
}

void CapacityProgram::add_share(std::size_t d, const Share& share) {
  std::fill(cut_.begin(), cut_.end(), 0.0);
  include(share);
  cut_[worth_variable(d)] = -1;
  program_.add(cut_, 0);
}

bool CapacityProgram::cut_off(std::span<const double> values, const std::vector<double>& y, const std::vector<double>& at) {
  struct Exceeded {
    double by;
    std::size_t d;
    const Share* share;
  };
  std::vector<Exceeded> exceeded;
  for (std::size_t d = 0; d < divided_.size(); ++d) {
    const std::vector<Share>& shares = shares_of(d);
    const Share& best = *std::max_element(shares.begin(), shares.end(),
                                          [&](const Share& a, const Share& b) { return a.worth(at) < b.worth(at); });
    const double by = best.worth(y) - values[worth_variable(d)] * (1 + kExcess) - kExcess;
    if (by > 0) exceeded.push_back({by, d, &best});
  }
  std::stable_sort(exceeded.begin(), exceeded.end(), [](const Exceeded& a, const Exceeded& b) { return a.by > b.by; });
  exceeded.resize(std::min(exceeded.size(), kCutsAtOnce));
  for (const Exceeded& e : exceeded) add_share(e.d, *e.share);
  return !exceeded.empty();
}

}  // namespace stowage
