// Items sorted into rows, such as the entries of a plan by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/watch.h"
#include "core/base/watched.h"

namespace stowage {

/// Compressed rows: row r is index[begin[r]] .. index[begin[r + 1] - 1].
struct RowLists {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> index;
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(index).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

/// Sorts items 0 .. items - 1 into rows, in this order within a row.
/// @param key the row of item k
/// @param watch ends the sorting: the rows are incomplete, and nobody uses them
template <class Key>
RowLists rows_by(std::size_t rows, std::size_t items, const Key& key, WatchRef watch = {}) {
  RowLists result;
  result.begin.assign(rows + 1, 0);
  for (std::size_t k = 0; k < items; ++k) {
    if (watch.step()) return result;
    ++result.begin[key(k) + 1];
  }
  for (std::size_t r = 0; r < rows; ++r) result.begin[r + 1] += result.begin[r];
  watched_resize(result.index, items, watch);
  std::vector<std::size_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::size_t k = 0; k < items; ++k) {
    if (watch.step()) return result;
    result.index[next[key(k)]++] = static_cast<std::uint32_t>(k);
  }
  return result;
}

}  // namespace stowage
