// What happens when memory runs out: the Nth allocation fails, for every N until the call gets through. Each time the call has
// to say OUT_OF_MEMORY, leave its outputs empty and leak nothing (which LeakSanitizer sees).
#include <gtest/gtest.h>
#include <stowage.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "tests/capi/test_data.h"

namespace {

constexpr long kNever = std::numeric_limits<long>::max();
/// Allocations that still succeed.
std::atomic<long> allowance = kNever;

void* allocate(std::size_t size, std::size_t alignment) {
  if (allowance != kNever && allowance-- <= 0) return nullptr;
  const std::size_t rounded = (size + alignment) / alignment * alignment;
  return alignment <= alignof(std::max_align_t) ? std::malloc(size > 0 ? size : 1) : std::aligned_alloc(alignment, rounded);
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
// Not inlined, or gcc sees new paired with free and warns.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace {

using stowage::test::read_data;

/// Runs `call` with 0, 1, 2, ... allocations allowed until it returns OK; every earlier result has to be OUT_OF_MEMORY with
/// `empty` true. Returns how often memory ran out.
template <class Call, class Empty>
int exhaust(Call call, Empty empty) {
  for (int allowed = 0; allowed < 100000; ++allowed) {
    stowage_error error{};
    allowance = allowed;
    const stowage_status status = call(&error);
    allowance = kNever;
    if (status == STOWAGE_OK) return allowed;
    EXPECT_EQ(status, STOWAGE_OUT_OF_MEMORY) << "with " << allowed << " allocations: " << error.message;
    EXPECT_EQ(error.status, status);
    EXPECT_TRUE(empty()) << "with " << allowed << " allocations";
    if (::testing::Test::HasFailure()) return allowed;
  }
  ADD_FAILURE() << "never gets through";
  return 0;
}

class Allocation : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::uint8_t> bytes = read_data("small_instance.stow");
    ASSERT_EQ(stowage_instance_load(bytes.data(), bytes.size(), nullptr, &instance_, nullptr), STOWAGE_OK);
    ASSERT_EQ(stowage_plan(instance_, request_.data(), request_.size(), nullptr, &plan_, nullptr), STOWAGE_OK);
  }
  void TearDown() override {
    stowage_buffer_free(&plan_);
    stowage_instance_free(instance_);
  }

  /// exhaust() for calls that fill a buffer.
  template <class Call>
  void exhaust_buffer(Call call) {
    stowage_buffer output{nullptr, 0};
    const int failures = exhaust([&](stowage_error* error) { return call(&output, error); },
                                 [&] { return output.data == nullptr && output.size == 0; });
    EXPECT_GT(failures, 0);
    stowage_buffer_free(&output);
  }

  stowage_instance* instance_ = nullptr;
  stowage_buffer plan_{nullptr, 0};
  const std::vector<std::uint8_t> request_ = read_data("ff_request.stowreq");
};

TEST_F(Allocation, Load) {
  const std::vector<std::uint8_t> bytes = read_data("small_instance.stow");
  stowage_instance* instance = nullptr;
  const int failures = exhaust(
      [&](stowage_error* error) { return stowage_instance_load(bytes.data(), bytes.size(), nullptr, &instance, error); },
      [&] { return instance == nullptr; });
  EXPECT_GT(failures, 0);
  stowage_instance_free(instance);
}

TEST_F(Allocation, Plan) {
  exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_plan(instance_, request_.data(), request_.size(), nullptr, output, error);
  });
}

TEST_F(Allocation, Verify) {
  exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify(instance_, plan_.data, plan_.size, output, error);
  });
}

TEST_F(Allocation, Explain) {
  exhaust_buffer([&](stowage_buffer* output, stowage_error* error) {
    return stowage_explain(instance_, plan_.data, plan_.size, STOWAGE_ALL_UNPLACED, nullptr, output, error);
  });
}

TEST_F(Allocation, Bound) {
  exhaust_buffer([&](stowage_buffer* output, stowage_error* error) { return stowage_bound(instance_, output, error); });
}

TEST_F(Allocation, Planners) {
  exhaust_buffer([&](stowage_buffer* output, stowage_error* error) { return stowage_planners(output, error); });
}

TEST_F(Allocation, Control) {
  stowage_control* control = nullptr;
  const int failures =
      exhaust([&](stowage_error* error) { return stowage_control_new(&control, error); }, [&] { return control == nullptr; });
  EXPECT_GT(failures, 0);
  stowage_control_free(control);
}

}  // namespace
