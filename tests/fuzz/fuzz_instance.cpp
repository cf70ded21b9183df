// Any bytes as an instance. An instance that loads is used: bounds, two plans, verify, explain.
#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stowage::fuzz;  // NOLINT(google-build-using-namespace)
  const auto instance = load(data, size);
  if (!instance) return 0;
  // An aligned copy; the library has accepted the bytes at any alignment, so that they are well-formed.
  const std::vector<std::uint64_t> aligned = [&] {
    std::vector<std::uint64_t> words(size / sizeof(std::uint64_t) + 1);
    std::copy(data, data + size, reinterpret_cast<std::uint8_t*>(words.data()));
    return words;
  }();
  const stowage::wire::Instance& wire = *stowage::wire::GetInstance(aligned.data());
  require_bounds(*instance);
  for (const char* planner : {"ff", "wfd-avgexp"}) {
    const auto made = plan(*instance, wire, {.planner = planner, .work_limit = 2000});
    if (made) require_explanation(*instance, *made, STOWAGE_ALL_UNPLACED);
    if (made && wire.apps()->replicas()->size() > 0) require_headroom(*instance, *made, 0);
  }
  return 0;
}
