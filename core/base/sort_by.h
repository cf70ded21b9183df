#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Sorts ids by key[id], smallest first; ids with equal keys keep their order. All sorts by a number share this one: each
/// further instance of std::stable_sort is some kilobytes of code.
void sort_by(std::vector<std::uint32_t>& ids, std::span<const double> key);
/// Sorts ids by key[id], largest first; ids with equal keys keep their order.
void sort_by_largest(std::vector<std::uint32_t>& ids, std::span<const double> key);
/// All ids below key.size(), sorted by sort_by().
[[nodiscard]] std::vector<std::uint32_t> ids_by(std::span<const double> key);

}  // namespace stowage
