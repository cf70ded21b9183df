#include "core/colocation/price_program.h"

#include <algorithm>

namespace stowage {
namespace {

constexpr double kPriceTolerance = 1e-11;

}  // namespace

PriceProgram::PriceProgram(std::span<const double> load, std::span<const double> alone)
    : size_(static_cast<std::uint32_t>(load.size())),
      load_(load.begin(), load.end()),
      pattern_(std::size_t{size_} * size_, 0),
      inverse_(pattern_.size(), 0),
      value_(size_),
      price_(size_, 0) {
  for (std::uint32_t g = 0; g < size_; ++g) {
    pattern_[std::size_t{g} * size_ + g] = alone[g];
    inverse_[std::size_t{g} * size_ + g] = 1 / alone[g];
    value_[g] = load[g] / alone[g];
    basis_.push_back(g);
  }
}

void PriceProgram::add(std::span<const double> pattern) { pattern_.insert(pattern_.end(), pattern.begin(), pattern.end()); }

void PriceProgram::solve() {
  const std::uint32_t most = 20 * size_ + 20;
  for (std::uint32_t k = 0; k < most && step(); ++k) continue;
  set_prices();
  for (double& price : price_) price = std::max(0.0, price);
}

std::vector<double> PriceProgram::weights() const {
  std::vector<double> weight(patterns(), 0);
  for (std::uint32_t i = 0; i < size_; ++i)
    if (basis_[i] < kSurplus) weight[basis_[i]] = value_[i];
  return weight;
}

// price = cost of the basis x inverse; a pattern costs 1, a surplus nothing.
void PriceProgram::set_prices() {
  std::fill(price_.begin(), price_.end(), 0);
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (basis_[i] >= kSurplus) continue;
    for (std::uint32_t g = 0; g < size_; ++g) price_[g] += inverse_[std::size_t{i} * size_ + g];
  }
}

// One step of the simplex method, with the variable of least reduced cost. Returns false if there is none to take.
bool PriceProgram::step() {
  set_prices();
  double most = kPriceTolerance;
  std::uint32_t best = kSurplus + size_;
  for (std::uint32_t g = 0; g < size_; ++g) {
    if (-price_[g] <= most) continue;
    most = -price_[g];
    best = kSurplus + g;
  }
  for (std::uint32_t k = 0; k < patterns(); ++k) {
    double gain = -1;
    for (std::uint32_t g = 0; g < size_; ++g) gain += price_[g] * pattern_[std::size_t{k} * size_ + g];
    if (gain <= most) continue;
    most = gain;
    best = k;
  }
  if (best == kSurplus + size_) return false;
  if (best < kSurplus) return enter(best, std::span(pattern_).subspan(std::size_t{best} * size_, size_));
  std::vector<double> column(size_, 0);
  column[best - kSurplus] = -1;
  return enter(best, column);
}

bool PriceProgram::enter(std::uint32_t variable, std::span<const double> column) {
  std::vector<double> direction(size_, 0);
  std::uint32_t leaving = size_;
  double least = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    for (std::uint32_t g = 0; g < size_; ++g) direction[i] += inverse_[std::size_t{i} * size_ + g] * column[g];
    if (direction[i] <= kPriceTolerance) continue;
    const double ratio = value_[i] / direction[i];
    if (leaving != size_ && (ratio > least || (ratio == least && basis_[i] > basis_[leaving]))) continue;
    leaving = i;
    least = ratio;
  }
  if (leaving == size_) return false;
  for (std::uint32_t g = 0; g < size_; ++g) inverse_[std::size_t{leaving} * size_ + g] /= direction[leaving];
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (i == leaving) continue;
    for (std::uint32_t g = 0; g < size_; ++g)
      inverse_[std::size_t{i} * size_ + g] -= direction[i] * inverse_[std::size_t{leaving} * size_ + g];
    value_[i] = std::max(0.0, value_[i] - direction[i] * least);
  }
  value_[leaving] = least;
  basis_[leaving] = variable;
  return true;
}

}  // namespace stowage
