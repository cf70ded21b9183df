#include "core/measures/residual.h"

#include <algorithm>

#include "core/measures/size.h"

namespace stowage {

ResidualMeasure::ResidualMeasure(const Instance& instance, Measure measure, double epsilon)
    : measure_(measure), epsilon_(epsilon), share_(unit_shares(instance)) {
  weight_ = share_;
  if (measure == Measure::kAverage) {
    for (double& w : weight_) w /= static_cast<double>(instance.dims());
  }
}

void ResidualMeasure::refresh(std::span<const std::int64_t> totals, std::uint32_t nodes) {
  const std::size_t dims = weight_.size();
  switch (measure_) {
    case Measure::kAverage:
    case Measure::kMax:
      return;
    case Measure::kAverageExponential: {
      // D'_h = W'_h / |N|; an overloaded node can make a sum negative.
      const double per_node = nodes > 0 ? epsilon_ / nodes : 0;
      for (std::size_t h = 0; h < dims; ++h) {
        weight_[h] = std::clamp(static_cast<double>(totals[h]) * share_[h] * per_node, 0.0, kLargestExponent);
      }
      exponentiate(weight_);
      for (std::size_t h = 0; h < dims; ++h) weight_[h] *= share_[h];
      return;
    }
    case Measure::kSurrogate: {
      double sum = 0;
      for (std::size_t h = 0; h < dims; ++h) sum += std::max(0.0, static_cast<double>(totals[h]) * share_[h]);
      for (std::size_t h = 0; h < dims; ++h) {
        weight_[h] = sum > 0 ? share_[h] * (std::max(0.0, static_cast<double>(totals[h]) * share_[h]) / sum) : 0;
      }
      return;
    }
    case Measure::kExtendedSum:
      for (std::size_t h = 0; h < dims; ++h) weight_[h] = totals[h] > 0 ? 1 / static_cast<double>(totals[h]) : 0;
      return;
  }
}

}  // namespace stowage
