#include "tests/bad_input/memory/failing_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace stowage::test {

std::atomic<long> allowance = kNever;
std::atomic<long> live_blocks = 0;

}  // namespace stowage::test

namespace {

using stowage::test::allowance;
using stowage::test::live_blocks;

bool refused() { return allowance.load(std::memory_order_relaxed) != stowage::test::kNever && allowance.fetch_sub(1) <= 0; }

void* counted(void* memory) {
  if (memory != nullptr) live_blocks.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

}  // namespace

// The linker turns the library's calls of malloc and free into calls of these (--wrap).
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __real_malloc(std::size_t size);
void __real_free(void* memory);
void* __wrap_malloc(std::size_t size) { return refused() ? nullptr : counted(__real_malloc(size)); }
void __wrap_free(void* memory) {
  if (memory != nullptr) live_blocks.fetch_sub(1, std::memory_order_relaxed);
  __real_free(memory);
}
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
  if (refused()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return counted(__real_malloc(std::max<std::size_t>(size, 1)));
  return counted(std::aligned_alloc(alignment, (size + alignment) / alignment * alignment));
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* const memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// NOLINTBEGIN(misc-new-delete-overloads): the deletes below serve every form
void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
// Not inlined: else GCC sees `new` paired with `free` and warns.
[[gnu::noinline]] void operator delete(void* memory) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { __wrap_free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { __wrap_free(memory); }
// NOLINTEND(misc-new-delete-overloads)
