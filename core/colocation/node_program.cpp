// Proof sketch of the upper bound. Let y >= 0 be multipliers of the rows. If for each g of the set the sum over h of
// y_h x suffers(h, g) is at least price[g], then price x l <= sum of y_h x (row h of suffers x l) <= y x room for all l >= 0.
// The simplex method yields such y, up to rounding errors; where the sum falls short, y_g is raised by the shortfall, which
// suffices because suffers(g, g) = 1.

#include "core/colocation/node_program.h"

#include <algorithm>

namespace stowage {
namespace {

constexpr double kLeastNodePivot = 1e-12;

}  // namespace

void NodeProgram::start(std::uint32_t set, std::span<const double> price, std::span<const double> room) {
  size_ = 0;
  for (std::uint32_t g = 0; g < kinds_->groups; ++g)
    if ((set >> g & 1u) != 0) group_[size_++] = g;
  for (std::uint32_t i = 0; i < size_; ++i) {
    for (std::uint32_t j = 0; j < size_; ++j) cell_[i][j] = kinds_->suffers(group_[i], group_[j]);
    right_[i] = room[group_[i]];
    gain_[i] = price[group_[i]];
    basis_[i] = size_ + i;
    nonbasis_[i] = i;
  }
}

double NodeProgram::solve(std::uint32_t set, std::span<const double> price, std::span<const double> room) {
  start(set, price, room);
  // By the steepest gain first, then by the first index, which cannot cycle but for rounding errors.
  const std::uint32_t steep = 4 * size_;
  const std::uint32_t most = 16 * size_;
  for (std::uint32_t step = 0; step < most; ++step)
    if (!pivot(step >= steep)) break;
  return finish(price, room);
}

// One step of the simplex method. Returns false if there is none to take.
bool NodeProgram::pivot(bool first_index) {
  std::uint32_t column = size_;
  for (std::uint32_t j = 0; j < size_; ++j) {
    if (gain_[j] <= kLeastNodePivot) continue;
    const bool better = column == size_ || (first_index ? nonbasis_[j] < nonbasis_[column] : gain_[j] > gain_[column]);
    if (better) column = j;
  }
  if (column == size_) return false;
  std::uint32_t row = size_;
  double least = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (cell_[i][column] <= kLeastNodePivot) continue;
    const double ratio = right_[i] / cell_[i][column];
    if (row == size_ || ratio < least || (ratio == least && basis_[i] < basis_[row])) {
      row = i;
      least = ratio;
    }
  }
  if (row == size_) return false;
  exchange(row, column);
  return true;
}

void NodeProgram::exchange(std::uint32_t row, std::uint32_t column) {
  const double inverse = 1 / cell_[row][column];
  for (std::uint32_t j = 0; j < size_; ++j) cell_[row][j] *= inverse;
  cell_[row][column] = inverse;
  right_[row] *= inverse;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const double factor = cell_[i][column];
    if (i == row || factor == 0) continue;
    for (std::uint32_t j = 0; j < size_; ++j) cell_[i][j] -= factor * cell_[row][j];
    cell_[i][column] = -factor * inverse;
    right_[i] = std::max(0.0, right_[i] - factor * right_[row]);
  }
  const double factor = gain_[column];
  for (std::uint32_t j = 0; j < size_; ++j) gain_[j] -= factor * cell_[row][j];
  gain_[column] = -factor * inverse;
  std::swap(basis_[row], nonbasis_[column]);
}

double NodeProgram::finish(std::span<const double> price, std::span<const double> room) {
  loads_.fill(0);
  for (std::uint32_t i = 0; i < size_; ++i)
    if (basis_[i] < size_) loads_[group_[basis_[i]]] = right_[i];
  GroupVector multiplier{};
  for (std::uint32_t j = 0; j < size_; ++j)
    if (nonbasis_[j] >= size_) multiplier[nonbasis_[j] - size_] = std::max(0.0, -gain_[j]);
  double value = 0;
  for (std::uint32_t j = 0; j < size_; ++j) {
    double covered = 0;
    for (std::uint32_t i = 0; i < size_; ++i) covered += multiplier[i] * kinds_->suffers(group_[i], group_[j]);
    multiplier[j] += std::max(0.0, price[group_[j]] - covered);
  }
  for (std::uint32_t i = 0; i < size_; ++i) value += multiplier[i] * room[group_[i]];
  return value;
}

}  // namespace stowage
