// Between FlatBuffers and the core's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/status.h"
#include "core/bounds/bounds.h"
#include "core/explain/explain.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/session/session.h"
#include "core/verify/checker.h"

namespace stowage::capi {

/// A buffer that decoders may trust to be aligned: the caller's bytes where they are, else a copy.
class AlignedBytes {
 public:
  AlignedBytes(const std::uint8_t* bytes, std::size_t size);
  [[nodiscard]] const std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::vector<std::uint64_t> copy_;
  const std::uint8_t* data_;
  std::size_t size_;
};

/// Verifies and copies out. The returned data views the affinity limits inside `bytes`.
/// Errors: kMalformed, kLimitExceeded, kInvalid (enumerations out of range).
Result<InstanceData> decode_instance(const AlignedBytes& bytes, const Limits& limits);
Result<Request> decode_request(const AlignedBytes& bytes);
Result<Plan> decode_plan(const AlignedBytes& bytes);
Result<std::vector<Operation>> decode_operations(const AlignedBytes& bytes);
/// What a snapshot has beyond its instance, which decode_instance() has accepted; nothing where it is an instance alone.
Result<std::optional<SessionExtra>> decode_session_extra(const AlignedBytes& bytes);

/// Bytes that are handed to the caller: from malloc, so that any C allocator frees them.
struct EncodedBytes {
  std::uint8_t* data = nullptr;
  std::size_t size = 0;
};
EncodedBytes encode_plan(const Plan& plan);
EncodedBytes encode_verification(const Verification& verification);
EncodedBytes encode_explanation(const Explanation& explanation);
EncodedBytes encode_bounds(const ComputedBounds& bounds);
EncodedBytes encode_catalogue();
EncodedBytes encode_commit(const CommitOutcome& outcome);
/// Errors: kLimitExceeded where it passes what a FlatBuffer holds.
Result<EncodedBytes> encode_snapshot(const SessionContent& content);

}  // namespace stowage::capi
