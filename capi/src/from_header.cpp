// Made by scripts/generate-bindings.py from stowage.h. Do not edit.
// clang-format off
#include "capi/include/stowage.h"

extern "C" {

const char* stowage_status_text(stowage_status status) {
  switch (static_cast<int>(status)) {
    case STOWAGE_OK: return "STOWAGE_OK";
    case STOWAGE_INVALID_ARGUMENT: return "STOWAGE_INVALID_ARGUMENT";
    case STOWAGE_MALFORMED: return "STOWAGE_MALFORMED";
    case STOWAGE_INVALID: return "STOWAGE_INVALID";
    case STOWAGE_UNSUPPORTED: return "STOWAGE_UNSUPPORTED";
    case STOWAGE_LIMIT_EXCEEDED: return "STOWAGE_LIMIT_EXCEEDED";
    case STOWAGE_NOT_FOUND: return "STOWAGE_NOT_FOUND";
    case STOWAGE_OUT_OF_MEMORY: return "STOWAGE_OUT_OF_MEMORY";
    case STOWAGE_CANCELLED: return "STOWAGE_CANCELLED";
    case STOWAGE_BUSY: return "STOWAGE_BUSY";
    default: return "STOWAGE_INTERNAL";
  }
}

stowage_status stowage_bound(const stowage_instance* instance, stowage_buffer* report, stowage_error* error) {
  return stowage_bound_watched(instance, nullptr, report, error);
}

stowage_status stowage_headroom_of_apps(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t most, stowage_buffer* report, stowage_error* error) {
  return stowage_headroom_of_apps_watched(instance, plan, size, most, nullptr, report, error);
}

stowage_status stowage_headroom(const stowage_instance* instance, const uint8_t* plan, size_t size, uint32_t app, uint32_t node, stowage_buffer* report, stowage_error* error) {
  return stowage_headroom_watched(instance, plan, size, app, node, nullptr, report, error);
}

stowage_status stowage_instance_derive(const stowage_instance* instance, const uint8_t* derivation, size_t size, const stowage_limits* limits, stowage_instance** derived, stowage_error* error) {
  return stowage_instance_derive_watched(instance, derivation, size, limits, nullptr, derived, error);
}

stowage_status stowage_instance_load(const uint8_t* bytes, size_t size, const stowage_limits* limits, stowage_instance** instance, stowage_error* error) {
  return stowage_instance_load_watched(bytes, size, limits, nullptr, instance, error);
}

stowage_status stowage_instance_save(const stowage_instance* instance, stowage_buffer* bytes, stowage_error* error) {
  return stowage_instance_save_watched(instance, nullptr, bytes, error);
}

stowage_status stowage_model_learn(const uint8_t* profiles, size_t size, const stowage_limits* limits, stowage_model** model, stowage_error* error) {
  return stowage_model_learn_watched(profiles, size, limits, nullptr, model, error);
}

stowage_status stowage_model_load(const uint8_t* bytes, size_t size, const stowage_limits* limits, stowage_model** model, stowage_error* error) {
  return stowage_model_load_watched(bytes, size, limits, nullptr, model, error);
}

stowage_status stowage_model_recommend(const stowage_model* model, const uint8_t* question, size_t size, stowage_buffer* recommendations, stowage_error* error) {
  return stowage_model_recommend_watched(model, question, size, nullptr, recommendations, error);
}

stowage_status stowage_model_save(const stowage_model* model, stowage_buffer* bytes, stowage_error* error) {
  return stowage_model_save_watched(model, nullptr, bytes, error);
}

stowage_status stowage_session_apply(stowage_session* session, const uint8_t* operations, size_t size, stowage_error* error) {
  return stowage_session_apply_watched(session, operations, size, nullptr, error);
}

stowage_status stowage_session_commit(stowage_session* session, const uint8_t* plan, size_t size, uint32_t mode, stowage_buffer* report, stowage_error* error) {
  return stowage_session_commit_watched(session, plan, size, mode, nullptr, report, error);
}

stowage_status stowage_session_instance(stowage_session* session, stowage_instance** instance, stowage_error* error) {
  return stowage_session_instance_watched(session, nullptr, instance, error);
}

stowage_status stowage_session_open(const uint8_t* bytes, size_t size, const stowage_limits* limits, stowage_session** session, stowage_error* error) {
  return stowage_session_open_watched(bytes, size, limits, nullptr, session, error);
}

stowage_status stowage_session_reject(stowage_session* session, const uint8_t* plan, size_t size, stowage_error* error) {
  return stowage_session_reject_watched(session, plan, size, nullptr, error);
}

stowage_status stowage_session_snapshot(const stowage_session* session, stowage_buffer* snapshot, stowage_error* error) {
  return stowage_session_snapshot_watched(session, nullptr, snapshot, error);
}

stowage_status stowage_size(const uint8_t* usage, size_t size, stowage_buffer* sizes, stowage_error* error) {
  return stowage_size_watched(usage, size, nullptr, sizes, error);
}

stowage_status stowage_verify(const stowage_instance* instance, const uint8_t* plan, size_t size, stowage_buffer* report, stowage_error* error) {
  return stowage_verify_watched(instance, plan, size, nullptr, report, error);
}

}  // extern "C"
