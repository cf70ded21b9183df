// Any bytes as a plan for a small busy instance: verify, explain, headroom, and the order of its moves. If verify accepts the
// plan, the oracle must agree.
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

std::uint64_t fingerprint() {
  static const std::uint64_t kFingerprint = [] {
    const auto plan =
        stowage::fuzz::plan(instance(), *stowage::wire::GetInstance(instance_bytes().data()), stowage::fuzz::RequestData{});
    return stowage::wire::GetPlan(plan->data())->instance();
  }();
  return kFingerprint;
}

void check(const std::uint8_t* data, std::size_t size) {
  using namespace stowage::fuzz;  // NOLINT(google-build-using-namespace)
  stowage_buffer report{nullptr, 0};
  stowage_error error{};
  stowage_status status = stowage_verify(instance().get(), data, size, &report, &error);
  stowage_buffer_free(&report);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  const bool ok = status == STOWAGE_OK && verified(instance(), data, size) == true;
  for (const std::uint32_t app : {STOWAGE_ALL_UNPLACED, 0u, 7u}) {
    error = {};
    status = stowage_explain(instance().get(), data, size, app, nullptr, &report, &error);
    stowage_buffer_free(&report);
    require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
    FUZZ_REQUIRE(!ok || app == 7 || status == STOWAGE_OK, std::string("verify accepts, explain refuses: ") + error.message);
  }
  for (const std::uint32_t node : {STOWAGE_NO_NODE, 0u}) {
    error = {};
    status = stowage_headroom(instance().get(), data, size, 0, node, &report, &error);
    stowage_buffer_free(&report);
    require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
    FUZZ_REQUIRE(!ok || node == 0 || status == STOWAGE_OK, std::string("verify accepts, headroom refuses: ") + error.message);
  }
  error = {};
  status = stowage_headroom_of_apps(instance().get(), data, size, 0, &report, &error);
  stowage_buffer_free(&report);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  FUZZ_REQUIRE(!ok || status == STOWAGE_OK, std::string("verify accepts, headroom of all apps refuses: ") + error.message);
  error = {};
  status = stowage_losses(instance().get(), data, size, nullptr, 0, nullptr, 0, nullptr, &report, &error);
  stowage_buffer_free(&report);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  FUZZ_REQUIRE(ok == (status == STOWAGE_OK || status == STOWAGE_LIMIT_EXCEEDED),
               std::string("verify and losses disagree: ") + error.message);
  error = {};
  status = stowage_order_moves(instance().get(), data, size, 1, 0.5, nullptr, &report, &error);
  stowage_buffer_free(&report);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  FUZZ_REQUIRE(ok == (status == STOWAGE_OK || status == STOWAGE_LIMIT_EXCEEDED),
               std::string("verify and the order of moves disagree: ") + error.message);
  if (!ok) return;
  const std::string violation =
      first_violation(*stowage::wire::GetInstance(instance_bytes().data()), *stowage::wire::GetPlan(data));
  FUZZ_REQUIRE(violation.empty(), "verify accepts a plan that breaks " + violation);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(data, size);
  // The right fingerprint is set, which no fuzzer guesses and which may change with the library, so that the plan is checked in
  // depth.
  Bytes own(data, data + size);
  flatbuffers::Verifier verifier(own.data(), own.size());
  if (!stowage::wire::VerifyPlanBuffer(verifier)) return 0;
  auto* table = flatbuffers::GetMutableRoot<flatbuffers::Table>(own.data());
  if (!table->SetField<std::uint64_t>(stowage::wire::Plan::VT_INSTANCE, fingerprint(), 0)) return 0;
  check(own.data(), own.size());
  return 0;
}
