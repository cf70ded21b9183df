// What takes long for columns of millions of entries, in pieces: a caller may end it between two of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/base/watch.h"

namespace stowage {

/// Entries of a piece: a fraction of a millisecond.
inline constexpr std::size_t kWatchedPiece = std::size_t{1} << 15;

/// Calls visit(piece) for one piece of the column after the other, until the watch ends the call or visit returns false.
/// Whether neither did.
template <class Value, class Visit>
bool in_pieces(std::span<const Value> column, WatchRef watch, Visit&& visit) {
  for (std::size_t first = 0; first < column.size(); first += kWatchedPiece) {
    const std::size_t size = std::min(kWatchedPiece, column.size() - first);
    if (!visit(column.subspan(first, size)) || watch.step(size)) return false;
  }
  return !watch.ended();
}

/// Copies a column to where there is room for it. Whether all of it: the watch has not ended the call.
template <class Value>
bool watched_copy(std::span<const Value> from, Value* to, WatchRef watch) {
  return in_pieces(from, watch, [&](std::span<const Value> piece) {
    to = std::copy(piece.begin(), piece.end(), to);
    return true;
  });
}

/// A copy, complete unless the watch has ended the call.
template <class Value>
std::vector<Value> watched_copy(std::span<const Value> from, WatchRef watch) {
  std::vector<Value> to;
  to.reserve(from.size());
  in_pieces(from, watch, [&](std::span<const Value> piece) {
    to.insert(to.end(), piece.begin(), piece.end());
    return true;
  });
  return to;
}

/// Resizes an empty column; shorter if the watch has ended the call.
template <class Value>
void watched_resize(std::vector<Value>& column, std::size_t size, WatchRef watch) {
  column.reserve(size);
  while (column.size() < size && !watch.ended()) {
    const std::size_t piece = std::min(kWatchedPiece, size - column.size());
    column.resize(column.size() + piece);
    watch.step(piece);
  }
}

/// Whether the values are in order; no answer if the watch has ended the call.
template <class Value, class Less>
bool watched_is_sorted(const std::vector<Value>& values, WatchRef watch, Less less) {
  for (std::size_t first = 0; first < values.size() && !watch.ended(); first += kWatchedPiece) {
    const std::size_t end = std::min(first + kWatchedPiece, values.size());
    // With the last value of the piece before.
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first == 0 ? 0 : first - 1);
    if (!std::is_sorted(begin, values.begin() + static_cast<std::ptrdiff_t>(end), less)) return false;
    watch.step(2 * (end - first));
  }
  return true;
}

/// Sorts; in no order if the watch has ended the call.
template <class Value, class Less = std::less<>>
void watched_sort(std::vector<Value>& values, WatchRef watch, Less less = {}) {
  if (watched_is_sorted(values, watch, less)) return;
  const std::size_t size = values.size();
  // A comparison counts as some steps.
  constexpr std::size_t kStepsEach = 8;
  for (std::size_t first = 0; first < size; first += kWatchedPiece) {
    const std::size_t piece = std::min(kWatchedPiece, size - first);
    if (watch.step(piece * kStepsEach)) return;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(piece), less);
  }
  // Each run is twice as long as those before.
  std::vector<Value> merged;
  for (std::size_t run = kWatchedPiece; run < size && !watch.ended(); run *= 2) {
    merged.clear();
    merged.reserve(size);
    for (std::size_t first = 0; first < size; first += 2 * run) {
      std::size_t a = first;
      std::size_t b = std::min(first + run, size);
      const std::size_t a_end = b;
      const std::size_t b_end = std::min(first + 2 * run, size);
      while (a < a_end || b < b_end) {
        const bool takes_b = a == a_end || (b < b_end && less(values[b], values[a]));
        merged.push_back(std::move(values[takes_b ? b++ : a++]));
        if (watch.step(kStepsEach)) return;
      }
    }
    values.swap(merged);
  }
}

}  // namespace stowage
