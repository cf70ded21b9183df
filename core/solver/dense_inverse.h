#pragma once

#include <cstddef>
#include <vector>

namespace stowage {

/// Inverts a dense matrix by Gauss-Jordan elimination with row exchanges. O(n^3).
/// @param matrix  n x n entries, row by row
/// @param inverse is set to n x n entries, row by row; they mean nothing where the determinant is 0
/// @return the determinant
double invert(std::vector<double> matrix, std::size_t n, std::vector<double>& inverse);

}  // namespace stowage
