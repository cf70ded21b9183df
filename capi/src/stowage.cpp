// The C functions: argument checks, decoding, one call into the core, encoding. Nothing may escape from here.

#include "capi/include/stowage.h"

#include <cstring>
#include <optional>
#include <utility>

#include "capi/src/base/buffer.h"
#include "capi/src/call.h"
#include "capi/src/codec.h"
#include "core/bounds/traffic/traffic_forest_bound.h"
#include "core/columns/tree/column_bound.h"
#include "core/losses/promises.h"
#include "core/planners/planner.h"
#include "core/run/run.h"

namespace {

namespace call = stowage::capi;
using call::AlignedBytes;
using call::control_of;
using call::fail;
using call::guarded;
using call::null_argument;
using call::read_limits;
using call::watched;
using call::watched_whole;
using stowage::Code;

/// Work for the bounds that take time, the same on every machine: columns a tenth of a second, traffic about one.
constexpr std::uint64_t kBoundWork = 1'000'000;
constexpr std::uint64_t kTrafficBoundWork = 6'000'000;

static_assert(static_cast<int>(Code::kBusy) == STOWAGE_BUSY && STOWAGE_STATUS_END == STOWAGE_BUSY + 1);
static_assert(static_cast<int>(stowage::Phase::kDone) == STOWAGE_PHASE_DONE);

/// Decodes a plan unless `plan` is null.
stowage_status decode_if_any(const uint8_t* plan, size_t size, std::optional<stowage::Plan>& decoded, stowage::WatchRef watch,
                             stowage_error* error) {
  if (plan == nullptr) return STOWAGE_OK;
  const AlignedBytes aligned(plan, size, watch);
  auto result = stowage::capi::decode_plan(aligned, watch);
  if (!result) return fail(error, result.error());
  decoded = std::move(*result);
  return STOWAGE_OK;
}

/// Whether a call that is cancelled returns what it has.
enum class Answer { kWhole, kInPart };

/// Writes a report on a plan: find(plan, watch) is a Result, of which encode() makes the bytes. The plan is null where the
/// caller gives none and may give none.
template <class Find, class Encode>
stowage_status report_on(const stowage_instance* instance, const uint8_t* plan, size_t size, bool needs_plan, Answer answer,
                         stowage_control* control, stowage_buffer* report, stowage_error* error, Find&& find, Encode&& encode) {
  if (report == nullptr) return null_argument(error, "report");
  *report = {nullptr, 0};
  if (instance == nullptr) return null_argument(error, "instance");
  if (plan == nullptr && (needs_plan || size > 0)) return null_argument(error, "plan");
  return watched(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const bool whole = answer == Answer::kWhole;
    if (whole && watch.look()) return fail(error, stowage::cancelled());
    std::optional<stowage::Plan> decoded;
    if (stowage_status status = decode_if_any(plan, size, decoded, watch, error); status != STOWAGE_OK) return status;
    if (whole && watch.look()) return fail(error, stowage::cancelled());
    const auto found = find(decoded ? &*decoded : nullptr, watch);
    if (!found) return fail(error, found.error());
    *report = encode(found.value());
    return STOWAGE_OK;
  });
}

}  // namespace

extern "C" {

const char* stowage_version(void) {
#define STOWAGE_TEXT_(x) #x
#define STOWAGE_TEXT(x) STOWAGE_TEXT_(x)
  return STOWAGE_TEXT(STOWAGE_VERSION_MAJOR) "." STOWAGE_TEXT(STOWAGE_VERSION_MINOR) "." STOWAGE_TEXT(STOWAGE_VERSION_PATCH);
#undef STOWAGE_TEXT
#undef STOWAGE_TEXT_
}

stowage_status stowage_instance_load_watched(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                             stowage_control* control, stowage_instance** instance, stowage_error* error) {
  if (instance == nullptr) return null_argument(error, "instance");
  *instance = nullptr;
  if (bytes == nullptr) return null_argument(error, "bytes");
  stowage::Limits known;
  if (!read_limits(limits, &known, error)) return STOWAGE_INVALID_ARGUMENT;
  return watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    if (size > known.max_bytes) return fail(error, Code::kLimitExceeded, "the buffer is larger than max_bytes allows");
    const AlignedBytes aligned(bytes, size, watch);
    auto data = stowage::capi::decode_instance(aligned, known, watch);
    if (!data) return fail(error, data.error());
    if (watch.look()) return fail(error, stowage::cancelled());
    auto built = stowage::Instance::build(std::move(*data), known, stowage::Instance::Rules::kTogether, watch);
    if (!built) return fail(error, built.error());
    *instance = new stowage_instance{std::make_shared<const stowage::Instance>(std::move(*built))};
    return STOWAGE_OK;
  });
}

uint64_t stowage_instance_fingerprint(const stowage_instance* instance) {
  return instance == nullptr ? 0 : instance->instance->fingerprint();
}

void stowage_instance_free(stowage_instance* instance) { delete instance; }

stowage_status stowage_plan(const stowage_instance* instance, const uint8_t* request, size_t size, stowage_control* control,
                            stowage_buffer* plan, stowage_error* error) {
  if (plan == nullptr) return null_argument(error, "plan");
  *plan = {nullptr, 0};
  if (instance == nullptr) return null_argument(error, "instance");
  if (request == nullptr) return null_argument(error, "request");
  return watched(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const AlignedBytes aligned(request, size, watch);
    const auto decoded = stowage::capi::decode_request(aligned, watch);
    if (!decoded) return fail(error, decoded.error());
    const auto result = stowage::run_planner(*instance->instance, decoded.value(), control_of(control));
    if (!result) return fail(error, result.error());
    *plan = stowage::capi::encode_plan(result.value());
    return STOWAGE_OK;
  });
}

stowage_status stowage_verify_watched(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                      stowage_control* control, stowage_buffer* report, stowage_error* error) {
  const auto find = [&](const stowage::Plan* decoded, stowage::WatchRef watch) -> stowage::Result<stowage::Verification> {
    stowage::Verification verification = stowage::verify_plan(*instance->instance, *decoded, watch);
    if (verification.given_up) return stowage::cancelled();
    return verification;
  };
  return report_on(instance, plan, size, true, Answer::kWhole, control, report, error, find, call::encode_verification);
}

stowage_status stowage_explain(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t app,
                               stowage_control* control, stowage_buffer* report, stowage_error* error) {
  const auto find = [&](const stowage::Plan* decoded, stowage::WatchRef) {
    return stowage::explain_plan(*instance->instance, *decoded, app, control_of(control));
  };
  return report_on(instance, plan, size, true, Answer::kInPart, control, report, error, find, call::encode_explanation);
}

stowage_status stowage_headroom_watched(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t app,
                                        uint32_t node, stowage_control* control, stowage_buffer* report, stowage_error* error) {
  const auto find = [&](const stowage::Plan* decoded, stowage::WatchRef watch) {
    return stowage::find_headroom(*instance->instance, *decoded, app, node, watch);
  };
  return report_on(instance, plan, size, true, Answer::kWhole, control, report, error, find, call::encode_headroom);
}

stowage_status stowage_headroom_of_apps_watched(const stowage_instance* instance, const uint8_t* plan, size_t size,
                                                uint32_t most, stowage_control* control, stowage_buffer* report,
                                                stowage_error* error) {
  const auto find = [&](const stowage::Plan* decoded, stowage::WatchRef watch) {
    return stowage::find_headroom_of_apps(*instance->instance, decoded, most, watch);
  };
  return report_on(instance, plan, size, false, Answer::kWhole, control, report, error, find, call::encode_headroom_of_apps);
}

stowage_status stowage_losses(const stowage_instance* instance, const uint8_t* plan, size_t size, const uint32_t* nodes,
                              size_t node_count, const uint8_t* label, size_t label_size, stowage_control* control,
                              stowage_buffer* report, stowage_error* error) {
  const auto find = [&](const stowage::Plan* decoded, stowage::WatchRef) -> stowage::Result<std::vector<stowage::Loss>> {
    if (nodes == nullptr && node_count > 0)
      return stowage::Error{Code::kInvalidArgument, "a required argument is NULL", "nodes"};
    if (label == nullptr && label_size > 0)
      return stowage::Error{Code::kInvalidArgument, "a required argument is NULL", "label"};
    stowage::LossQuestion question;
    if (node_count > 0) question.nodes.assign(nodes, nodes + node_count);
    if (label_size > 0) question.label.assign(reinterpret_cast<const char*>(label), label_size);
    return stowage::find_losses(*instance->instance, decoded, question, control_of(control));
  };
  return report_on(instance, plan, size, false, Answer::kInPart, control, report, error, find, call::encode_losses);
}

stowage_status stowage_order_moves(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t moves_per_node,
                                   double app_share, stowage_control* control, stowage_buffer* report, stowage_error* error) {
  const auto find = [&](const stowage::Plan* decoded, stowage::WatchRef) {
    return stowage::find_move_order(*instance->instance, *decoded, {moves_per_node, app_share}, control_of(control));
  };
  return report_on(instance, plan, size, true, Answer::kInPart, control, report, error, find, call::encode_move_order);
}

stowage_status stowage_bound_watched(const stowage_instance* instance, stowage_control* control, stowage_buffer* report,
                                     stowage_error* error) {
  if (report == nullptr) return null_argument(error, "report");
  *report = {nullptr, 0};
  if (instance == nullptr) return null_argument(error, "instance");
  return watched(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const stowage::WorkClock::Watch caller{control_of(control)};
    stowage::ComputedBounds bounds = stowage::compute_bounds(*instance->instance, 0, watch);
    stowage::Request request;
    request.work_limit = kBoundWork;
    stowage::WorkClock clock(request, caller);
    if (!watch.look()) stowage::add_column_bound(*instance->instance, clock, bounds);
    request.work_limit = kTrafficBoundWork;
    stowage::WorkClock traffic_clock(request, caller);
    if (!watch.look()) stowage::add_traffic_forest_bound(*instance->instance, traffic_clock, bounds);
    *report = stowage::capi::encode_bounds(bounds);
    return STOWAGE_OK;
  });
}

stowage_status stowage_planners(stowage_buffer* catalogue, stowage_error* error) {
  if (catalogue == nullptr) return null_argument(error, "catalogue");
  *catalogue = {nullptr, 0};
  return guarded(error, [&]() -> stowage_status {
    *catalogue = stowage::capi::encode_catalogue();
    return STOWAGE_OK;
  });
}

void stowage_buffer_free(stowage_buffer* buffer) {
  if (buffer != nullptr) stowage::capi::free_buffer(*buffer);
}

stowage_status stowage_control_new(stowage_control** control, stowage_error* error) {
  if (control == nullptr) return null_argument(error, "control");
  *control = nullptr;
  return guarded(error, [&]() -> stowage_status {
    *control = new stowage_control;
    return STOWAGE_OK;
  });
}

void stowage_control_free(stowage_control* control) { delete control; }

void stowage_control_cancel(stowage_control* control) {
  if (control != nullptr) control->control.cancelled.store(true, std::memory_order_relaxed);
}

void stowage_control_reset(stowage_control* control) {
  if (control == nullptr) return;
  const call::Use use(&control->in_use);
  if (use.granted()) reset(control->control);
}

stowage_status stowage_control_set_deadline(stowage_control* control, uint64_t milliseconds) {
  if (control == nullptr) return STOWAGE_INVALID_ARGUMENT;
  control->deadline_ms.store(milliseconds, std::memory_order_relaxed);
  return STOWAGE_OK;
}

stowage_status stowage_control_progress(const stowage_control* control, stowage_progress* progress) {
  if (control == nullptr || progress == nullptr) return STOWAGE_INVALID_ARGUMENT;
  stowage_progress known = STOWAGE_PROGRESS_INIT;
  const size_t size = progress->struct_size;
  if (size < sizeof(size_t) || size > sizeof known) return STOWAGE_INVALID_ARGUMENT;
  const stowage::Control& c = control->control;
  known.phase = c.phase.load(std::memory_order_relaxed);
  known.cancelled = c.cancelled.load(std::memory_order_relaxed) ? 1 : 0;
  const stowage::PhaseShare share = share_done(c);
  known.done = share.done;
  known.total = share.total;
  known.best = c.best.load(std::memory_order_relaxed);
  known.value = c.value.load(std::memory_order_relaxed);
  known.left_over = c.left_over.load(std::memory_order_relaxed);
  known.work = c.work.load(std::memory_order_relaxed);
  for (std::size_t phase = 0; phase < c.nanoseconds.size(); ++phase) {
    known.nanoseconds[phase] = c.nanoseconds[phase].load(std::memory_order_relaxed);
  }
  known.struct_size = size;
  std::memcpy(progress, &known, size);
  return STOWAGE_OK;
}

}  // extern "C"
