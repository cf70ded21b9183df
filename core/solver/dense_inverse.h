#pragma once

#include <cstddef>
#include <vector>

namespace stowage {

/// Inverts a dense matrix by Gauss and Jordan with row exchanges. O(n^3)
/// @param matrix  n x n, row after row
/// @param inverse likewise; of no use where the determinant is 0
/// @return the determinant
double invert(std::vector<double> matrix, std::size_t n, std::vector<double>& inverse);

}  // namespace stowage
