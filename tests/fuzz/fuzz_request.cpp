// Any bytes as a request for a small busy instance.
#include "request_generated.h"
#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::Bytes;
using stowage::fuzz::Loaded;

const Bytes& instance_bytes() {
  static const Bytes kBytes = stowage::fuzz::busy_instance();
  return kBytes;
}

const Loaded& instance() {
  static const Loaded kInstance = *stowage::fuzz::load(instance_bytes().data(), instance_bytes().size());
  return kInstance;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stowage::fuzz;  // NOLINT(google-build-using-namespace)
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  const stowage_status status = stowage_plan(instance().get(), data, size, nullptr, &buffer, &error);
  const stowage::Buffer plan(buffer);
  require_status(
      status, error,
      {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_UNSUPPORTED, STOWAGE_LIMIT_EXCEEDED, STOWAGE_NOT_FOUND});
  FUZZ_REQUIRE(plan.empty() == (status != STOWAGE_OK), "plan and status disagree");
  if (status != STOWAGE_OK) return 0;
  FUZZ_REQUIRE(verified(instance(), plan.data(), plan.size()) == true, "a plan that verify refuses");
  const std::string violation =
      first_violation(*stowage::wire::GetInstance(instance_bytes().data()), *stowage::wire::GetPlan(plan.data()));
  FUZZ_REQUIRE(violation.empty(), "a plan that breaks " + violation);
  return 0;
}
