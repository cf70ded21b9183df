// Any bytes as a buffer of any kind, which the first byte tells. What stowage_check() accepts, a verifier of FlatBuffers
// accepts as well, and the functions that take such buffers answer or refuse it with a status. What stowage_instance_load()
// accepts, stowage_check() accepts, and so it does what the library writes.
#include "catalogue_generated.h"
#include "derivation_generated.h"
#include "learning_generated.h"
#include "report_generated.h"
#include "session_generated.h"
#include "tests/fuzz/support/support.h"

namespace {

using namespace stowage::fuzz;  // NOLINT(google-build-using-namespace)
namespace wire = stowage::wire;

constexpr std::uint8_t kKinds = 8;

stowage_status checked(std::uint32_t kind, const std::uint8_t* data, std::size_t size) {
  stowage_error error{};
  const stowage_status status = stowage_check(kind, data, size, nullptr, nullptr, &error);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  return status;
}

template <class Root>
bool is_verified(const std::uint8_t* data, std::size_t size, const char* identifier) {
  // A vector's entries are verified where they are tables or texts. No count of tables is too large here.
  flatbuffers::Verifier verifier(data, size, 64, 100'000'000);
  return verifier.VerifyBuffer<Root>(identifier);
}

bool is_verified(std::uint32_t kind, const std::uint8_t* data, std::size_t size) {
  switch (kind) {
    case STOWAGE_KIND_INSTANCE:
      return is_verified<wire::Instance>(data, size, wire::InstanceIdentifier());
    case STOWAGE_KIND_REQUEST:
      return is_verified<wire::Request>(data, size, wire::RequestIdentifier());
    case STOWAGE_KIND_PLAN:
      return is_verified<wire::Plan>(data, size, wire::PlanIdentifier());
    case STOWAGE_KIND_REPORT:
      return is_verified<wire::Report>(data, size, wire::ReportIdentifier());
    case STOWAGE_KIND_CATALOGUE:
      return is_verified<wire::Catalogue>(data, size, wire::CatalogueIdentifier());
    case STOWAGE_KIND_OPERATIONS:
      return is_verified<wire::Operations>(data, size, wire::OperationsIdentifier());
    case STOWAGE_KIND_LEARNING:
      return is_verified<wire::Learning>(data, size, wire::LearningIdentifier());
    default:
      return is_verified<wire::Derivation>(data, size, wire::DerivationIdentifier());
  }
}

/// Whether the instance is loaded. What is saved of it is checked.
bool loads(const std::uint8_t* data, std::size_t size) {
  stowage_instance* instance = nullptr;
  stowage_error error{};
  const stowage_status status = stowage_instance_load(data, size, nullptr, &instance, &error);
  require_status(status, error,
                 {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED, STOWAGE_OUT_OF_MEMORY});
  if (status != STOWAGE_OK) return false;
  stowage_buffer saved{nullptr, 0};
  if (stowage_instance_save(instance, &saved, nullptr) == STOWAGE_OK) {
    FUZZ_REQUIRE(checked(STOWAGE_KIND_INSTANCE, saved.data, saved.size) == STOWAGE_OK, "what is saved is refused");
    stowage_buffer_free(&saved);
  }
  stowage_instance_free(instance);
  return true;
}

void use(std::uint32_t kind, const std::uint8_t* data, std::size_t size) {
  static const Bytes kCluster = busy_instance();
  static const Loaded kInstance = *load(kCluster.data(), kCluster.size());
  stowage_error error{};
  stowage_buffer answer{nullptr, 0};
  stowage_status status = STOWAGE_OK;
  if (kind == STOWAGE_KIND_PLAN) {
    status = stowage_verify(kInstance.get(), data, size, &answer, &error);
    if (status == STOWAGE_OK) {
      FUZZ_REQUIRE(checked(STOWAGE_KIND_REPORT, answer.data, answer.size) == STOWAGE_OK, "a report is refused");
    }
  } else if (kind == STOWAGE_KIND_DERIVATION) {
    stowage_instance* derived = nullptr;
    status = stowage_instance_derive(kInstance.get(), data, size, nullptr, &derived, &error);
    stowage_instance_free(derived);
  } else if (kind == STOWAGE_KIND_OPERATIONS) {
    stowage_session* session = nullptr;
    FUZZ_REQUIRE(stowage_session_open(kCluster.data(), kCluster.size(), nullptr, &session, nullptr) == STOWAGE_OK, "open");
    status = stowage_session_apply(session, data, size, &error);
    FUZZ_REQUIRE(stowage_session_snapshot(session, &answer, nullptr) == STOWAGE_OK, "a session without a snapshot");
    FUZZ_REQUIRE(checked(STOWAGE_KIND_INSTANCE, answer.data, answer.size) == STOWAGE_OK, "a snapshot is refused");
    stowage_session_free(session);
  } else if (kind == STOWAGE_KIND_LEARNING) {
    status = stowage_size(data, size, &answer, &error);
    if (status == STOWAGE_OK) {
      FUZZ_REQUIRE(checked(STOWAGE_KIND_LEARNING, answer.data, answer.size) == STOWAGE_OK, "sizes are refused");
    }
  }
  stowage_buffer_free(&answer);
  require_status(status, error, {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_NOT_FOUND, STOWAGE_LIMIT_EXCEEDED});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint32_t kind = data[0] % kKinds;
  // Aligned as an allocator does it.
  const Bytes bytes(data + 1, data + size);
  const bool accepted = checked(kind, bytes.data(), bytes.size()) == STOWAGE_OK;
  if (kind == STOWAGE_KIND_INSTANCE) {
    FUZZ_REQUIRE(!loads(bytes.data(), bytes.size()) || accepted, "load accepts what check refuses");
  }
  if (!accepted) return 0;
  FUZZ_REQUIRE(is_verified(kind, bytes.data(), bytes.size()), "check accepts what a verifier refuses");
  use(kind, bytes.data(), bytes.size());
  return 0;
}
