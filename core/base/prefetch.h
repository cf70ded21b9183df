// Brings memory that is read soon into the cache.
#pragma once

#include <cstddef>

namespace stowage {

/// Always inline: some compilers take a function that only prefetches for one without effect, and drop its calls.
[[gnu::always_inline]] inline void prefetch(const void* first, std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;
  const auto* const begin = static_cast<const char*>(first);
  for (std::size_t at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(begin + at);
}

}  // namespace stowage
