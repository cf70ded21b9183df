// Conversion between FlatBuffers and the core's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "capi/include/stowage.h"
#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/bounds/bounds.h"
#include "core/derive/derive.h"
#include "core/explain/explain.h"
#include "core/explain/headroom.h"
#include "core/headroom/headroom_of_apps.h"
#include "core/losses/loss.h"
#include "core/model/instance.h"
#include "core/moves/move_order.h"
#include "core/plan/plan.h"
#include "core/session/session.h"
#include "core/verify/checker.h"

namespace stowage::capi {

/// A buffer that is aligned for decoding: the caller's bytes if these are aligned, else a copy, which is complete unless the
/// watch has ended the call.
class AlignedBytes {
 public:
  AlignedBytes(const std::uint8_t* bytes, std::size_t size, WatchRef watch);
  [[nodiscard]] const std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::uint64_t[]> copy_;
  const std::uint8_t* data_;
  std::size_t size_;
};

/// Verify the buffer and copy its content. The returned data views the affinity limits inside `bytes`, which must outlive it.
/// Errors: those of BufferCheck::structure(); kMalformed and kInvalid for a plan's and a session's columns that do not belong
/// together.
Result<InstanceData> decode_instance(const AlignedBytes& bytes, const Limits& limits, WatchRef watch);
Result<Request> decode_request(const AlignedBytes& bytes, WatchRef watch);
Result<Plan> decode_plan(const AlignedBytes& bytes, WatchRef watch);
Result<Derivation> decode_derivation(const AlignedBytes& bytes, WatchRef watch);
Result<std::vector<Operation>> decode_operations(const AlignedBytes& bytes, WatchRef watch);
/// The part of a snapshot that an instance lacks; nothing where `bytes` are a plain instance. Requires that decode_instance()
/// has accepted `bytes`.
Result<std::optional<SessionExtra>> decode_session_extra(const AlignedBytes& bytes, WatchRef watch);

// Encoders return what the caller of the C function frees.
stowage_buffer encode_plan(const Plan& plan);
stowage_buffer encode_verification(const Verification& verification);
stowage_buffer encode_explanation(const Explanation& explanation);
stowage_buffer encode_headroom(const Headroom& headroom);
stowage_buffer encode_headroom_of_apps(const HeadroomOfApps& headroom);
stowage_buffer encode_losses(const std::vector<Loss>& losses);
stowage_buffer encode_move_order(const MoveOrder& order);
stowage_buffer encode_bounds(const ComputedBounds& bounds);
stowage_buffer encode_catalogue();
/// Nothing if the watch ends the call.
stowage_buffer encode_commit(const CommitOutcome& outcome, WatchRef watch);
/// Errors: kLimitExceeded where the snapshot exceeds the size of a FlatBuffer (2^31 - 1 bytes); kCancelled.
Result<stowage_buffer> encode_snapshot(const SessionContent& content, WatchRef watch);
/// The bytes that decode_instance() reads as this content, with these affinity limits. Errors: as encode_snapshot().
Result<stowage_buffer> encode_instance(const InstanceData& data, const LimitColumns& limits, WatchRef watch);

}  // namespace stowage::capi
