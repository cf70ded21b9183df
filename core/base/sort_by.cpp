#include "core/base/sort_by.h"

#include <algorithm>
#include <numeric>

namespace stowage {

void sort_by(std::vector<std::uint32_t>& ids, std::span<const double> key) {
  std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
}

void sort_by_largest(std::vector<std::uint32_t>& ids, std::span<const double> key) {
  std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] > key[b]; });
}

std::vector<std::uint32_t> ids_by(std::span<const double> key) {
  std::vector<std::uint32_t> ids(key.size());
  std::iota(ids.begin(), ids.end(), 0);
  sort_by(ids, key);
  return ids;
}

}  // namespace stowage
