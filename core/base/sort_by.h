#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Sorts ids by key[id], smallest first; of equals, those that stand first stay so. Made once for all who order something by a
/// number: every sort by an order of its own is some kilobytes of code.
void sort_by(std::vector<std::uint32_t>& ids, std::span<const double> key);
/// The same, largest first.
void sort_by_largest(std::vector<std::uint32_t>& ids, std::span<const double> key);
/// All ids below key.size() as sort_by() sorts them.
[[nodiscard]] std::vector<std::uint32_t> ids_by(std::span<const double> key);

}  // namespace stowage
