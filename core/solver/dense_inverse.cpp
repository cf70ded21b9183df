#include "core/solver/dense_inverse.h"

#include <algorithm>
#include <cmath>

namespace stowage {

double invert(std::vector<double> matrix, std::size_t n, std::vector<double>& inverse) {
  inverse.assign(n * n, 0);
  for (std::size_t k = 0; k < n; ++k) inverse[k * n + k] = 1;
  double determinant = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t k = c + 1; k < n; ++k) {
      if (std::abs(matrix[k * n + c]) > std::abs(matrix[pivot * n + c])) pivot = k;
    }
    if (pivot != c) {
      for (std::vector<double>* rows : {&matrix, &inverse}) {
        std::swap_ranges(rows->begin() + static_cast<std::ptrdiff_t>(c * n),
                         rows->begin() + static_cast<std::ptrdiff_t>((c + 1) * n),
                         rows->begin() + static_cast<std::ptrdiff_t>(pivot * n));
      }
      determinant = -determinant;
    }
    const double head = matrix[c * n + c];
    if (head == 0) return 0;
    determinant *= head;
    const double scale = 1 / head;
    for (std::size_t j = 0; j < n; ++j) {
      matrix[c * n + j] *= scale;
      inverse[c * n + j] *= scale;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = matrix[k * n + c];
      if (k == c || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        matrix[k * n + j] -= factor * matrix[c * n + j];
        inverse[k * n + j] -= factor * inverse[c * n + j];
      }
    }
  }
  return determinant;
}

}  // namespace stowage
