#include "core/measures/measure.h"

#include <algorithm>

#include "core/simd/kernels.h"

namespace stowage {

void exponentiate(std::vector<double>& weight) {
  double largest = 0;
  for (const double w : weight) largest = std::max(largest, w);
  int halvings = 0;
  for (; largest > 0x1p-4; largest /= 2) ++halvings;
  best_kernels<std::int32_t>().exponentiate(weight.data(), weight.size(), halvings);
}

}  // namespace stowage
