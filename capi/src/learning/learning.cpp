// The C functions of learning.

#include "capi/include/stowage.h"
#include "capi/src/call.h"
#include "capi/src/learning/learning_codec.h"

namespace capi = stowage::capi;

extern "C" {

stowage_status stowage_size(const uint8_t* usage, size_t size, stowage_buffer* sizes, stowage_error* error) {
  if (sizes == nullptr) return capi::null_argument(error, "sizes");
  *sizes = {nullptr, 0};
  if (usage == nullptr) return capi::null_argument(error, "usage");
  return capi::guarded(error, [&]() -> stowage_status {
    const capi::AlignedBytes aligned(usage, size);
    auto question = capi::decode_usage(aligned);
    if (!question) return capi::fail(error, question.error());
    const auto answer = stowage::sizes_from_usage(question->history, question->options);
    if (!answer) return capi::fail(error, answer.error());
    capi::hand_over(capi::encode_sizes(question.value(), answer.value()), sizes);
    return STOWAGE_OK;
  });
}

}  // extern "C"
