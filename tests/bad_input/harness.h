// The C API for tests of bad input: status, path and message of every call, and instances as objects that a test can damage.
#pragma once

#include <gtest/gtest.h>
#include <stowage.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "request_generated.h"
#include "session_generated.h"

namespace stowage::test {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::uint32_t kNone = 4294967295;

/// The result of a call.
struct Outcome {
  stowage_status status = STOWAGE_OK;
  std::string path;
  std::string message;
};

/// Reads a call's result. Expects of a failure that the error has its status, and a path and a message that end within their
/// arrays.
inline Outcome outcome(stowage_status status, const stowage_error& error) {
  if (status == STOWAGE_OK) return {};
  EXPECT_EQ(error.status, status);
  EXPECT_NE(std::memchr(error.message, 0, sizeof error.message), nullptr);
  EXPECT_NE(std::memchr(error.path, 0, sizeof error.path), nullptr);
  EXPECT_STRNE(error.message, "");
  return {status, error.path, error.message};
}

/// An instance handle and the result of loading it.
class Loaded {
 public:
  Loaded(const std::uint8_t* data, std::size_t size, const stowage_limits* limits) {
    stowage_error error{};
    result_ = outcome(stowage_instance_load(data, size, limits, &handle_, &error), error);
    EXPECT_EQ(handle_ != nullptr, result_.status == STOWAGE_OK);
  }
  explicit Loaded(const Bytes& bytes, const stowage_limits* limits = nullptr) : Loaded(bytes.data(), bytes.size(), limits) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { stowage_instance_free(handle_); }

  [[nodiscard]] bool ok() const { return handle_ != nullptr; }
  [[nodiscard]] const Outcome& result() const { return result_; }
  [[nodiscard]] const stowage_instance* get() const { return handle_; }

 private:
  stowage_instance* handle_ = nullptr;
  Outcome result_;
};

/// A call that fills a buffer.
struct Answer {
  Outcome result;
  Buffer buffer;

  [[nodiscard]] bool ok() const { return result.status == STOWAGE_OK; }
  [[nodiscard]] const wire::Plan& plan() const { return *wire::GetPlan(buffer.data()); }
  [[nodiscard]] const wire::Verification& verification() const {
    return *wire::GetReport(buffer.data())->body_as_Verification();
  }
};

template <class Call>
Answer ask(Call call) {
  stowage_error error{};
  stowage_buffer buffer{nullptr, 0};
  const stowage_status status = call(&buffer, &error);
  Answer answer{outcome(status, error), Buffer(buffer)};
  EXPECT_EQ(answer.buffer.data() != nullptr, status == STOWAGE_OK);
  return answer;
}
inline Answer plan(const Loaded& instance, ByteView request) {
  return ask([&](auto* buffer, auto* error) {
    return stowage_plan(instance.get(), request.data(), request.size(), nullptr, buffer, error);
  });
}
inline Answer verify(const Loaded& instance, ByteView plan) {
  return ask(
      [&](auto* buffer, auto* error) { return stowage_verify(instance.get(), plan.data(), plan.size(), buffer, error); });
}
inline Answer explain(const Loaded& instance, ByteView plan, std::uint32_t app = STOWAGE_ALL_UNPLACED) {
  return ask([&](auto* buffer, auto* error) {
    return stowage_explain(instance.get(), plan.data(), plan.size(), app, nullptr, buffer, error);
  });
}
inline Answer order_moves(const Loaded& instance, ByteView plan, std::uint32_t per_node, double app_share) {
  return ask([&](auto* buffer, auto* error) {
    return stowage_order_moves(instance.get(), plan.data(), plan.size(), per_node, app_share, nullptr, buffer, error);
  });
}
inline Answer headroom(const Loaded& instance, ByteView plan, std::uint32_t app, std::uint32_t node = STOWAGE_NO_NODE) {
  return ask([&](auto* buffer, auto* error) {
    return stowage_headroom(instance.get(), plan.data(), plan.size(), app, node, buffer, error);
  });
}
inline Answer headroom_of_apps(const Loaded& instance, ByteView plan) {
  return ask([&](auto* buffer, auto* error) {
    return stowage_headroom_of_apps(instance.get(), plan.data(), plan.size(), 0, buffer, error);
  });
}
/// Each node is lost by itself.
inline Answer losses(const Loaded& instance, ByteView plan) {
  return ask([&](auto* buffer, auto* error) {
    return stowage_losses(instance.get(), plan.data(), plan.size(), nullptr, 0, nullptr, 0, nullptr, buffer, error);
  });
}
inline Answer bound(const Loaded& instance) {
  return ask([&](auto* buffer, auto* error) { return stowage_bound(instance.get(), buffer, error); });
}

template <class Object>
Bytes finished(const Object& object, const char* identifier) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Object::TableType::Pack(builder, &object), identifier);
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}
inline Bytes pack(const wire::InstanceT& instance) { return finished(instance, wire::InstanceIdentifier()); }
inline Bytes pack(const wire::RequestT& request) { return finished(request, wire::RequestIdentifier()); }
inline Bytes pack(const wire::PlanT& plan) { return finished(plan, wire::PlanIdentifier()); }
inline Bytes pack(const wire::OperationsT& operations) { return finished(operations, wire::OperationsIdentifier()); }

inline Bytes request_for(const std::string& planner, std::uint64_t work_limit = 0) {
  wire::RequestT request;
  request.planner = planner;
  request.work_limit = work_limit;
  return pack(request);
}

/// One app of three replicas on a class without a count.
wire::InstanceT tiny_instance();
/// Three apps, two classes, two listed nodes with load, one of them closed, limits, running and pinned replicas, two periods:
/// web (4 replicas; at most 2 on a node, at most 1 db beside it), db (2; at most 3 of batch beside it) and batch (9). n0 is
/// small and runs 2 web, one of them pinned; n1 is large and closed, runs 3 batch and has 1 db pinned.
wire::InstanceT busy_instance();
/// The same with all other tables of the schema: tags, groups, rules, variance, supports, uncertainty, kinds, interference.
wire::InstanceT full_instance();

/// Limits with which even an instance with damaged numbers is planned quickly.
stowage_limits small_limits();

}  // namespace stowage::test
