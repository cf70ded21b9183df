// Conversion between learning.fbs and the core's types.
#pragma once

#include <vector>

#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/predict/usage/size.h"

namespace stowage::capi {

/// What stowage_size() is asked.
struct UsageQuestion {
  UsageHistory history;
  SizeOptions options;
};

/// Verify the buffer and copy its content, which need not be consistent. Errors: kMalformed, kLimitExceeded, kInvalid
/// (enumerations out of range).
Result<UsageQuestion> decode_usage(const AlignedBytes& bytes);

EncodedBytes encode_sizes(const UsageQuestion& question, const std::vector<AppSize>& sizes);

}  // namespace stowage::capi
