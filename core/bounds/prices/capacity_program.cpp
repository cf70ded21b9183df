#include "core/bounds/prices/capacity_program.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace stowage {
namespace {

constexpr std::uint64_t kMostPivots = 2000;
constexpr int kMostRounds = 30;
// Ways to use a dimension that are in the program from the start. Further ones are added where they are exceeded.
constexpr std::size_t kMostCutsAtFirst = 1000;
// A worth that exceeds a cost by less, relative to it, is no reason for another cut.
constexpr double kExcess = 1e-9;
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
  for (std::size_t d = 0; d < divided_.size(); ++d) {
    if (program_.cuts() + shares_of(d).size() > kMostCutsAtFirst) break;
    for (const Share& share : shares_of(d)) add_share(d, share);
  }
}

std::vector<double> CapacityProgram::solve() {
  std::uint64_t left = kMostPivots;
  for (int round = 1;; ++round) {
    left -= program_.solve(left);
    const std::vector<double> values = program_.values();
    std::vector<double> y(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rows_));
    y.push_back(0);
    if (left == 0 || round == kMostRounds || !cut_off(values, y)) return y;
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

bool CapacityProgram::cut_off(std::span<const double> values, const std::vector<double>& y) {
  bool any = false;
  for (std::size_t d = 0; d < divided_.size(); ++d) {
    const std::vector<Share>& shares = shares_of(d);
    const Share& best = *std::max_element(shares.begin(), shares.end(),
                                          [&](const Share& a, const Share& b) { return a.worth(y) < b.worth(y); });
    if (best.worth(y) <= values[worth_variable(d)] * (1 + kExcess) + kExcess) continue;
    add_share(d, best);
    any = true;
  }
  return any;
}

}  // namespace stowage
