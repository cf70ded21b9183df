// The C function that checks bytes from elsewhere.

#include "capi/include/stowage.h"
#include "capi/src/call.h"
#include "capi/src/codec.h"
#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire_reader.h"
#include "catalogue_generated.h"
#include "learning_generated.h"
#include "report_generated.h"

namespace stowage::capi {
namespace {

template <class Answer>
Error error_of(const Answer& answer) {
  return answer ? Error{} : answer.error();
}

Error check(std::uint32_t kind, const AlignedBytes& bytes, const Limits& limits) {
  constexpr std::uint32_t kMostTables = 1'000'000;
  switch (kind) {
    case STOWAGE_KIND_INSTANCE:
      return error_of(decode_instance(bytes, limits));
    case STOWAGE_KIND_REQUEST:
      return error_of(decode_request(bytes));
    case STOWAGE_KIND_PLAN:
      return error_of(decode_plan(bytes));
    case STOWAGE_KIND_REPORT:
      return error_of(root<wire::Report>(bytes, wire::ReportIdentifier(), "a report", kMostTables));
    case STOWAGE_KIND_CATALOGUE:
      return error_of(root<wire::Catalogue>(bytes, wire::CatalogueIdentifier(), "a catalogue", kMostTables));
    case STOWAGE_KIND_OPERATIONS:
      return error_of(decode_operations(bytes));
    case STOWAGE_KIND_LEARNING:
      return error_of(root<wire::Learning>(bytes, wire::LearningIdentifier(), "a learning buffer", kMostTables));
    case STOWAGE_KIND_DERIVATION:
      return error_of(decode_derivation(bytes));
    default:
      return {Code::kInvalidArgument, "unknown kind", "kind"};
  }
}

}  // namespace
}  // namespace stowage::capi

namespace capi = stowage::capi;

stowage_status stowage_check(uint32_t kind, const uint8_t* bytes, size_t size, const stowage_limits* limits,
                             stowage_control* control, stowage_error* error) {
  if (bytes == nullptr) return capi::null_argument(error, "bytes");
  stowage::Limits known;
  if (!capi::read_limits(limits, &known, error)) return STOWAGE_INVALID_ARGUMENT;
  return capi::watched_whole(control, error, [&](stowage::Watch&) -> stowage_status {
    if (size > known.max_bytes) {
      return capi::fail(error, stowage::Code::kLimitExceeded, "the buffer is larger than max_bytes allows");
    }
    const stowage::Error found = capi::check(kind, capi::AlignedBytes(bytes, size), known);
    return failed(found) ? capi::fail(error, found) : STOWAGE_OK;
  });
}
