// The C functions of learning.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "capi/include/stowage.h"
#include "capi/src/call.h"
#include "capi/src/learning/learning_codec.h"

struct stowage_model {
  stowage::SizeModel model;
};

namespace capi = stowage::capi;

namespace {

/// The limits of the learner that follow from those of the caller.
stowage::SampleLimits sample_limits(const stowage::Limits& limits) {
  stowage::SampleLimits samples;
  samples.apps = static_cast<std::size_t>(std::min<std::uint64_t>(samples.apps, limits.max_apps));
  samples.rows = static_cast<std::size_t>(std::min<std::uint64_t>(samples.rows, limits.max_cells));
  return samples;
}

/// Makes a model from bytes: make(limits of samples, watch).
template <class Make>
stowage_status make_model(const uint8_t* bytes, size_t size, const stowage_limits* limits, stowage_control* control,
                          stowage_model** model, stowage_error* error, const char* name, Make&& make) {
  if (model == nullptr) return capi::null_argument(error, "model");
  *model = nullptr;
  if (bytes == nullptr) return capi::null_argument(error, name);
  stowage::Limits known;
  if (!capi::read_limits(limits, &known, error)) return STOWAGE_INVALID_ARGUMENT;
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    if (size > known.max_bytes) {
      return capi::fail(error, stowage::Code::kLimitExceeded, "the buffer is larger than max_bytes allows");
    }
    stowage::Result<stowage::SizeModel> made = make(sample_limits(known), watch);
    if (!made) return capi::fail(error, made.error());
    *model = new stowage_model{std::move(*made)};
    return STOWAGE_OK;
  });
}

}  // namespace

extern "C" {

stowage_status stowage_model_learn_watched(const uint8_t* profiles, size_t size, const stowage_limits* limits,
                                           stowage_control* control, stowage_model** model, stowage_error* error) {
  return make_model(profiles, size, limits, control, model, error, "profiles",
                    [&](const stowage::SampleLimits& most, stowage::WatchRef watch) -> stowage::Result<stowage::SizeModel> {
                      const capi::AlignedBytes aligned(profiles, size, watch);
                      const auto samples = capi::decode_samples(aligned, watch);
                      if (!samples) return samples.error();
                      return stowage::SizeModel::learn(samples.value(), most, watch);
                    });
}

stowage_status stowage_model_load_watched(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                          stowage_control* control, stowage_model** model, stowage_error* error) {
  return make_model(bytes, size, limits, control, model, error, "bytes",
                    [&](const stowage::SampleLimits& most, stowage::WatchRef watch) {
                      return stowage::SizeModel::from_bytes(std::span(bytes, size), most, watch);
                    });
}

void stowage_model_free(stowage_model* model) { delete model; }

stowage_status stowage_model_save_watched(const stowage_model* model, stowage_control* control, stowage_buffer* bytes,
                                          stowage_error* error) {
  if (bytes == nullptr) return capi::null_argument(error, "bytes");
  *bytes = {nullptr, 0};
  if (model == nullptr) return capi::null_argument(error, "model");
  return capi::watched_whole(control, error, [&](stowage::WatchRef) -> stowage_status {
    *bytes = capi::copy_bytes(model->model.bytes());
    return STOWAGE_OK;
  });
}

stowage_status stowage_model_recommend_watched(const stowage_model* model, const uint8_t* question, size_t size,
                                               stowage_control* control, stowage_buffer* recommendations,
                                               stowage_error* error) {
  if (recommendations == nullptr) return capi::null_argument(error, "recommendations");
  *recommendations = {nullptr, 0};
  if (model == nullptr) return capi::null_argument(error, "model");
  if (question == nullptr) return capi::null_argument(error, "question");
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const capi::AlignedBytes aligned(question, size, watch);
    const auto asked = capi::decode_question(aligned, watch);
    if (!asked) return capi::fail(error, asked.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    const capi::ModelQuestion& known = asked.value();
    const auto answer = model->model.recommend(known.samples, known.goal, watch);
    if (!answer) return capi::fail(error, answer.error());
    std::vector<stowage::CurvePoint> curves;
    if (known.curves) {
      auto points = model->model.curves(known.samples, known.goal, watch);
      if (!points) return capi::fail(error, points.error());
      curves = std::move(*points);
    }
    *recommendations = capi::encode_recommendations(model->model, known, answer.value(), curves);
    return STOWAGE_OK;
  });
}

stowage_status stowage_size_watched(const uint8_t* usage, size_t size, stowage_control* control, stowage_buffer* sizes,
                                    stowage_error* error) {
  if (sizes == nullptr) return capi::null_argument(error, "sizes");
  *sizes = {nullptr, 0};
  if (usage == nullptr) return capi::null_argument(error, "usage");
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const capi::AlignedBytes aligned(usage, size, watch);
    auto question = capi::decode_usage(aligned, watch);
    if (!question) return capi::fail(error, question.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    const auto answer = stowage::sizes_from_usage(question->history, question->options, watch);
    if (!answer) return capi::fail(error, answer.error());
    *sizes = capi::encode_sizes(question.value(), answer.value());
    return STOWAGE_OK;
  });
}

}  // extern "C"
