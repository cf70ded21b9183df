// The memory of the buffers that callers receive and free with stowage_buffer_free().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "capi/include/stowage.h"

namespace stowage::capi {

/// Bytes before those of a buffer. They end with the address of the memory, because a FlatBuffer, which is written backwards,
/// begins anywhere in it: so it reaches the caller without a copy.
inline constexpr std::size_t kBufferHead = 16;

/// Memory for `size` bytes, aligned for all types; free_memory() frees it. Throws std::bad_alloc.
inline std::uint8_t* allocate_memory(std::size_t size) {
  auto* memory = static_cast<std::uint8_t*>(std::malloc(kBufferHead + size));
  if (memory == nullptr) throw std::bad_alloc();
  return memory + kBufferHead;
}
inline void free_memory(std::uint8_t* memory) { std::free(memory - kBufferHead); }

/// Makes a buffer of the bytes from `data` on, which lie in memory of allocate_memory().
inline stowage_buffer make_buffer(std::uint8_t* memory, std::uint8_t* data, std::size_t size) {
  std::uint8_t* start = memory - kBufferHead;
  std::memcpy(data - sizeof start, &start, sizeof start);
  return {data, size};
}

/// What stowage_buffer_free() does.
inline void free_buffer(stowage_buffer& buffer) {
  if (buffer.data == nullptr) return;
  std::uint8_t* start = nullptr;
  std::memcpy(&start, buffer.data - sizeof start, sizeof start);
  std::free(start);
  buffer = {nullptr, 0};
}

}  // namespace stowage::capi
