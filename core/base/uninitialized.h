// Memory that is not written before it is used.
#pragma once

#include <memory>
#include <utility>

namespace stowage {

/// For vectors of numbers that are written block by block: a vector of a given size takes no time, since its numbers have no
/// value yet. The system gives pages only to what is written.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  UninitializedAllocator() = default;
  template <class U>
  explicit UninitializedAllocator(const UninitializedAllocator<U>& /*other*/) noexcept {}

  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Values>
  void construct(U* at, Values&&... values) {
    std::construct_at(at, std::forward<Values>(values)...);
  }
};

}  // namespace stowage
