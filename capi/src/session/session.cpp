// The C functions of sessions.

#include "core/session/session.h"

#include <atomic>
#include <memory>
#include <utility>

#include "capi/include/stowage.h"
#include "capi/src/call.h"
#include "capi/src/codec.h"

struct stowage_session {
  stowage::Session session;
  mutable std::atomic<bool> in_use{false};

  explicit stowage_session(stowage::Session&& opened) : session(std::move(opened)) {}
};

static_assert(static_cast<int>(stowage::CommitMode::kFitting) == STOWAGE_COMMIT_FITTING &&
              STOWAGE_COMMIT_END == STOWAGE_COMMIT_FITTING + 1);

namespace capi = stowage::capi;

namespace {

/// Runs the body of a call on a session, which serves one call at a time: body(watch).
template <class Body>
stowage_status in_session(const stowage_session& session, stowage_control* control, stowage_error* error, Body&& body) {
  const capi::Use use(&session.in_use);
  if (!use.granted()) return capi::fail(error, stowage::Code::kBusy, "the session is used by another call", "session");
  return capi::watched(control, error, std::forward<Body>(body));
}

/// As in_session(), for a call that has no answer in part.
template <class Body>
stowage_status in_session_whole(const stowage_session& session, stowage_control* control, stowage_error* error, Body&& body) {
  return in_session(session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    return watch.look() ? capi::fail(error, stowage::cancelled()) : body(watch);
  });
}

}  // namespace

extern "C" {

stowage_status stowage_session_open_watched(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                            stowage_control* control, stowage_session** session, stowage_error* error) {
  if (session == nullptr) return capi::null_argument(error, "session");
  *session = nullptr;
  if (bytes == nullptr) return capi::null_argument(error, "bytes");
  stowage::Limits known;
  if (!capi::read_limits(limits, &known, error)) return STOWAGE_INVALID_ARGUMENT;
  return capi::watched_whole(control, error, [&](stowage::WatchRef watch) -> stowage_status {
    if (size > known.max_bytes) {
      return capi::fail(error, stowage::Code::kLimitExceeded, "the buffer is larger than max_bytes allows");
    }
    const capi::AlignedBytes aligned(bytes, size, watch);
    auto data = capi::decode_instance(aligned, known, watch);
    if (!data) return capi::fail(error, data.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    const auto extra = capi::decode_session_extra(aligned, watch);
    if (!extra) return capi::fail(error, extra.error());
    auto opened = stowage::Session::open(std::move(*data), known, extra.value() ? &*extra.value() : nullptr, watch);
    if (!opened) return capi::fail(error, opened.error());
    *session = new stowage_session(std::move(*opened));
    return STOWAGE_OK;
  });
}

void stowage_session_free(stowage_session* session) { delete session; }

uint64_t stowage_session_version(const stowage_session* session) { return session == nullptr ? 0 : session->session.version(); }

stowage_status stowage_session_apply_watched(stowage_session* session, const uint8_t* operations, size_t size,
                                             stowage_control* control, stowage_error* error) {
  if (session == nullptr) return capi::null_argument(error, "session");
  if (operations == nullptr) return capi::null_argument(error, "operations");
  return in_session_whole(*session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const capi::AlignedBytes aligned(operations, size, watch);
    const auto decoded = capi::decode_operations(aligned, watch);
    if (!decoded) return capi::fail(error, decoded.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    const stowage::Error refused = session->session.apply(decoded.value(), watch);
    return refused.code == stowage::Code::kOk ? STOWAGE_OK : capi::fail(error, refused);
  });
}

stowage_status stowage_session_instance_watched(stowage_session* session, stowage_control* control, stowage_instance** instance,
                                                stowage_error* error) {
  if (instance == nullptr) return capi::null_argument(error, "instance");
  *instance = nullptr;
  if (session == nullptr) return capi::null_argument(error, "session");
  return in_session_whole(*session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    auto handle = std::make_unique<stowage_instance>();
    const auto batch = session->session.batch(watch);
    if (!batch) return capi::fail(error, batch.error());
    handle->instance = batch.value();
    *instance = handle.release();
    return STOWAGE_OK;
  });
}

stowage_status stowage_session_plan(stowage_session* session, const uint8_t* request, size_t size, stowage_control* control,
                                    stowage_buffer* plan, stowage_error* error) {
  if (plan == nullptr) return capi::null_argument(error, "plan");
  *plan = {nullptr, 0};
  if (session == nullptr) return capi::null_argument(error, "session");
  if (request == nullptr) return capi::null_argument(error, "request");
  return in_session(*session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const capi::AlignedBytes aligned(request, size, watch);
    const auto decoded = capi::decode_request(aligned, watch);
    if (!decoded) return capi::fail(error, decoded.error());
    const auto result = session->session.plan(decoded.value(), capi::control_of(control),
                                              [plan](const stowage::Plan& made) { *plan = capi::encode_plan(made); });
    return result ? STOWAGE_OK : capi::fail(error, result.error());
  });
}

stowage_status stowage_session_commit_watched(stowage_session* session, const uint8_t* plan, size_t size, uint32_t mode,
                                              stowage_control* control, stowage_buffer* report, stowage_error* error) {
  if (report == nullptr) return capi::null_argument(error, "report");
  *report = {nullptr, 0};
  if (session == nullptr) return capi::null_argument(error, "session");
  if (plan == nullptr) return capi::null_argument(error, "plan");
  if (mode >= STOWAGE_COMMIT_END) return capi::fail(error, stowage::Code::kInvalidArgument, "unknown mode", "mode");
  return in_session_whole(*session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const capi::AlignedBytes aligned(plan, size, watch);
    const auto decoded = capi::decode_plan(aligned, watch);
    if (!decoded) return capi::fail(error, decoded.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    const auto result = session->session.commit(
        decoded.value(), static_cast<stowage::CommitMode>(mode),
        [&](const stowage::CommitOutcome& outcome) { *report = capi::encode_commit(outcome, watch); }, watch);
    if (result) return STOWAGE_OK;
    stowage_buffer_free(report);
    return capi::fail(error, result.error());
  });
}

stowage_status stowage_session_reject_watched(stowage_session* session, const uint8_t* plan, size_t size,
                                              stowage_control* control, stowage_error* error) {
  if (session == nullptr) return capi::null_argument(error, "session");
  if (plan == nullptr) return capi::null_argument(error, "plan");
  return in_session_whole(*session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const capi::AlignedBytes aligned(plan, size, watch);
    const auto decoded = capi::decode_plan(aligned, watch);
    if (!decoded) return capi::fail(error, decoded.error());
    if (watch.look()) return capi::fail(error, stowage::cancelled());
    const stowage::Error refused = session->session.reject(decoded.value());
    return refused.code == stowage::Code::kOk ? STOWAGE_OK : capi::fail(error, refused);
  });
}

stowage_status stowage_session_snapshot_watched(const stowage_session* session, stowage_control* control,
                                                stowage_buffer* snapshot, stowage_error* error) {
  if (snapshot == nullptr) return capi::null_argument(error, "snapshot");
  *snapshot = {nullptr, 0};
  if (session == nullptr) return capi::null_argument(error, "session");
  return in_session_whole(*session, control, error, [&](stowage::WatchRef watch) -> stowage_status {
    const stowage::SessionContent content = session->session.content(watch);
    if (watch.ended()) return capi::fail(error, stowage::cancelled());
    const auto bytes = capi::encode_snapshot(content, watch);
    if (!bytes) return capi::fail(error, bytes.error());
    *snapshot = bytes.value();
    return STOWAGE_OK;
  });
}

}  // extern "C"
