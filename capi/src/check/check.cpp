// The C function that checks bytes from elsewhere.

#include "capi/include/stowage.h"
#include "capi/src/call.h"
#include "capi/src/check/buffer_check.h"

namespace capi = stowage::capi;

static_assert(static_cast<int>(capi::Kind::kDerivation) == STOWAGE_KIND_DERIVATION &&
              static_cast<int>(capi::Kind::kEnd) == STOWAGE_KIND_END);

stowage_status stowage_check(uint32_t kind, const uint8_t* bytes, size_t size, const stowage_limits* limits,
                             stowage_control* control, stowage_error* error) {
  if (bytes == nullptr) return capi::null_argument(error, "bytes");
  stowage::Limits known;
  if (!capi::read_limits(limits, &known, error)) return STOWAGE_INVALID_ARGUMENT;
  if (kind >= STOWAGE_KIND_END) return capi::fail(error, stowage::Code::kInvalidArgument, "unknown kind", "kind");
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    if (size > known.max_bytes) {
      return capi::fail(error, stowage::Code::kLimitExceeded, "the buffer is larger than max_bytes allows");
    }
    capi::BufferCheck check(static_cast<capi::Kind>(kind), bytes, size, watch);
    stowage::Error found = check.structure();
    if (!failed(found)) found = check.relations(known);
    return failed(found) ? capi::fail(error, found) : STOWAGE_OK;
  });
}
