// Any bytes as a derivation of a small busy instance.
#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::Loaded;

const Loaded& instance() {
  static const Loaded kInstance = [] {
    const stowage::fuzz::Bytes bytes = stowage::fuzz::busy_instance();
    return *stowage::fuzz::load(bytes.data(), bytes.size());
  }();
  return kInstance;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stowage::fuzz;  // NOLINT(google-build-using-namespace)
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_replicas = 10'000;
  limits.max_cells = 10'000;
  stowage_instance* derived = nullptr;
  stowage_error error{};
  const stowage_status status = stowage_instance_derive(instance().get(), data, size, &limits, &derived, &error);
  require_status(
      status, error,
      {STOWAGE_OK, STOWAGE_INVALID_ARGUMENT, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED, STOWAGE_NOT_FOUND});
  FUZZ_REQUIRE((derived != nullptr) == (status == STOWAGE_OK), "instance and status disagree");
  if (derived == nullptr) return 0;
  stowage_buffer buffer{nullptr, 0};
  FUZZ_REQUIRE(stowage_instance_save(derived, &buffer, &error) == STOWAGE_OK, error.message);
  const stowage::Buffer saved(buffer);
  stowage_instance* loaded = nullptr;
  FUZZ_REQUIRE(stowage_instance_load(saved.data(), saved.size(), &limits, &loaded, &error) == STOWAGE_OK, error.message);
  FUZZ_REQUIRE(stowage_instance_fingerprint(loaded) == stowage_instance_fingerprint(derived), "another instance is loaded");
  stowage_instance_free(loaded);
  stowage_instance_free(derived);
  return 0;
}
