// The C API with owners for what it hands out. stowage.hpp has such owners too, but its names are those of the core, which the
// soak's references need.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "capi/include/stowage.h"
#include "core/plan/plan.h"
#include "core/run/request.h"
#include "tests/property/generator.h"
#include "tests/soak/cut.h"

namespace stowage::soak {

using Bytes = std::vector<std::uint8_t>;

/// What a check found: an answer of the library that is wrong.
struct Finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding(what);
}

struct FreeInstance {
  void operator()(stowage_instance* handle) const { stowage_instance_free(handle); }
};
struct FreeControl {
  void operator()(stowage_control* handle) const { stowage_control_free(handle); }
};
struct FreeSession {
  void operator()(stowage_session* handle) const { stowage_session_free(handle); }
};
using InstanceHandle = std::unique_ptr<stowage_instance, FreeInstance>;
using ControlHandle = std::unique_ptr<stowage_control, FreeControl>;
using SessionHandle = std::unique_ptr<stowage_session, FreeSession>;

/// The result of a call that fills a buffer.
struct Answer {
  stowage_status status = STOWAGE_OK;
  std::string message;
  Bytes bytes;
};
template <class Call>
Answer ask(Call call) {
  stowage_error error{};
  stowage_buffer buffer{nullptr, 0};
  Answer answer;
  answer.status = call(&buffer, &error);
  call_is_over();
  if (answer.status != STOWAGE_OK) answer.message = std::string(stowage_status_text(answer.status)) + ": " + error.message;
  answer.bytes.assign(buffer.data, buffer.data + buffer.size);
  stowage_buffer_free(&buffer);
  return answer;
}
/// The same for a call that has to succeed.
template <class Call>
Bytes must(const std::string& name, Call call) {
  Answer answer = ask(call);
  require(answer.status == STOWAGE_OK, name + ": " + answer.message);
  return std::move(answer.bytes);
}

Answer plan(const stowage_instance* instance, const Bytes& request, stowage_control* control = nullptr);
Answer verify(const stowage_instance* instance, const Bytes& plan, stowage_control* control = nullptr);
Answer explain(const stowage_instance* instance, const Bytes& plan, stowage_control* control = nullptr,
               std::uint32_t app = STOWAGE_ALL_UNPLACED);
Answer headroom(const stowage_instance* instance, const Bytes& plan, std::uint32_t app, stowage_control* control = nullptr);
Answer headroom_of_apps(const stowage_instance* instance, const Bytes& plan, stowage_control* control = nullptr);
Answer order_moves(const stowage_instance* instance, const Bytes& plan, stowage_control* control = nullptr);
/// Each node by itself.
Answer losses(const stowage_instance* instance, const Bytes& plan, stowage_control* control = nullptr);
Answer bound(const stowage_instance* instance, stowage_control* control = nullptr);

InstanceHandle load(const Bytes& bytes, const stowage_limits* limits = nullptr);
ControlHandle new_control();

Bytes encode(const test::Generated& instance);
Bytes encode(const Request& request);
/// The plan of bytes that the library wrote.
Plan decode_plan(const Bytes& bytes);

}  // namespace stowage::soak
