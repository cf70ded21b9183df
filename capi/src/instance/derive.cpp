// The C functions that make instances of others, and bytes of instances.

#include "core/derive/derive.h"

#include <memory>
#include <utility>

#include "capi/include/stowage.h"
#include "capi/src/call.h"
#include "capi/src/codec.h"

namespace capi = stowage::capi;

extern "C" {

stowage_status stowage_instance_derive_watched(const stowage_instance* instance, const uint8_t* derivation, size_t size,
                                               const stowage_limits* limits, stowage_control* control,
                                               stowage_instance** derived, stowage_error* error) {
  if (derived == nullptr) return capi::null_argument(error, "derived");
  *derived = nullptr;
  if (instance == nullptr) return capi::null_argument(error, "instance");
  if (derivation == nullptr) return capi::null_argument(error, "derivation");
  stowage::Limits known = instance->instance->limits();
  if (limits != nullptr) {
    known = {};
    if (!capi::read_limits(limits, &known, error)) return STOWAGE_INVALID_ARGUMENT;
  }
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    if (size > known.max_bytes) {
      return capi::fail(error, stowage::Code::kLimitExceeded, "the derivation is larger than max_bytes allows");
    }
    const capi::AlignedBytes aligned(derivation, size, watch);
    const auto decoded = capi::decode_derivation(aligned, watch);
    if (!decoded) return capi::fail(error, decoded.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    auto made = stowage::derive_instance(*instance->instance, decoded.value(), known, watch);
    if (!made) return capi::fail(error, made.error());
    *derived = new stowage_instance{std::make_shared<const stowage::Instance>(std::move(*made))};
    return STOWAGE_OK;
  });
}

stowage_status stowage_instance_save_watched(const stowage_instance* instance, stowage_control* control, stowage_buffer* bytes,
                                             stowage_error* error) {
  if (bytes == nullptr) return capi::null_argument(error, "bytes");
  *bytes = {nullptr, 0};
  if (instance == nullptr) return capi::null_argument(error, "instance");
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const stowage::Instance& from = *instance->instance;
    const stowage::LimitLists lists = from.limit_rows().lists(watch);
    const std::uint64_t saved = from.fingerprint_with(lists.view(), watch);
    if (watch.ended()) return capi::fail(error, stowage::cancelled());
    if (saved != from.fingerprint()) {
      return capi::fail(
          error, stowage::Code::kInvalid,
          "the affinity limits were loaded in another order than the one in which they are saved, so that the "
          "fingerprint would be another; keep the bytes that were loaded, or save an instance derived of this one",
          "limits");
    }
    const auto encoded = capi::encode_instance(from.data(), lists.view(), watch);
    if (!encoded) return capi::fail(error, encoded.error());
    *bytes = encoded.value();
    return STOWAGE_OK;
  });
}

}  // extern "C"
