// Conversion between learning.fbs and the core's types.
#pragma once

#include <vector>

#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/predict/size_model.h"
#include "core/predict/usage/size.h"

namespace stowage::capi {

/// What stowage_size() is asked.
struct UsageQuestion {
  UsageHistory history;
  SizeOptions options;
};

/// What stowage_model_recommend() is asked.
struct ModelQuestion {
  Samples samples;
  Goal goal;
  bool curves = false;
};

/// Verify the buffer and copy its content, which need not be consistent. Errors: those of BufferCheck::structure(), kMalformed.
Result<UsageQuestion> decode_usage(const AlignedBytes& bytes, WatchRef watch);
Result<Samples> decode_samples(const AlignedBytes& bytes, WatchRef watch);
Result<ModelQuestion> decode_question(const AlignedBytes& bytes, WatchRef watch);

stowage_buffer encode_sizes(const UsageQuestion& question, const std::vector<AppSize>& sizes);
/// A copy that the caller of the C function frees.
stowage_buffer copy_bytes(const std::vector<std::uint8_t>& bytes);

/// @param curves apps x configurations; empty where the question asks for none
stowage_buffer encode_recommendations(const SizeModel& model, const ModelQuestion& question,
                                    const std::vector<Recommendation>& recommendations, const std::vector<CurvePoint>& curves);

}  // namespace stowage::capi
