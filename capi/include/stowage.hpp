// stowage.hpp - stowage.h for C++17 and later: handles that free themselves, and failures as exceptions.
//
// Header only; needs stowage.h and the standard library. Instances, requests, plans and reports are the same FlatBuffers as in
// C. The caller builds and reads them with code that flatc generates from the schemas, which are installed in
// share/stowage/schema. docs/reference/abi.md states the conventions.
//
//   const stowage::Instance instance = stowage::Instance::load(instance_bytes);
//   const stowage::Buffer plan = instance.plan(request_bytes);
//   const stowage::Buffer report = instance.verify(plan);
//
//   stowage::Session session = stowage::Session::open(instance_bytes);
//   session.apply(operations_bytes);
//   const stowage::Buffer commit = session.commit(session.plan(request_bytes));
//
// Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
#pragma once

#include <stowage.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace stowage {
// The inline namespace puts the version into the symbols, so that these classes do not clash with those of the library or of
// another version of this header in the same program.
inline namespace v0 {

/// A failed call. Carries the stowage_error by value: copying and throwing it allocates nothing.
class Error : public std::exception {
 public:
  explicit Error(const stowage_error& details) noexcept : details_(details) {}

  /// One English sentence.
  const char* what() const noexcept override {
    return details_.message[0] != '\0' ? details_.message : stowage_status_text(details_.status);
  }
  /// The status; never STOWAGE_OK. Treat an unknown number as STOWAGE_INTERNAL.
  stowage_status status() const noexcept { return details_.status; }
  /// The field at fault, such as "apps.demand[51]", or "".
  const char* path() const noexcept { return details_.path; }

 private:
  stowage_error details_;
};

/// Bytes that the caller owns and the functions below read during the call. Any alignment.
class ByteView {
 public:
  ByteView() noexcept = default;
  ByteView(const std::uint8_t* data, std::size_t size) noexcept : data_(data), size_(size) {}

  /// From any type with data() and size() over bytes: Buffer, std::vector, std::string, std::span, flatbuffers::DetachedBuffer.
  template <class Bytes, class Element = std::remove_pointer_t<decltype(std::declval<const Bytes&>().data())>,
            class = decltype(std::declval<const Bytes&>().size()),
            class = std::enable_if_t<sizeof(Element) == 1 && std::is_trivially_copyable_v<Element>>>
  ByteView(const Bytes& bytes) noexcept  // NOLINT(google-explicit-constructor)
      : data_(reinterpret_cast<const std::uint8_t*>(bytes.data())), size_(bytes.size()) {}

  const std::uint8_t* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Bytes that the library allocated: a plan, a report or the catalogue. Freed once, by the last owner. Aligned for FlatBuffers.
class Buffer {
 public:
  Buffer() noexcept = default;
  /// Takes ownership of a buffer that a function of stowage.h filled.
  explicit Buffer(stowage_buffer buffer) noexcept : buffer_(buffer) {}
  Buffer(Buffer&& other) noexcept : buffer_(other.release()) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      stowage_buffer_free(&buffer_);
      buffer_ = other.release();
    }
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { stowage_buffer_free(&buffer_); }

  const std::uint8_t* data() const noexcept { return buffer_.data; }
  std::size_t size() const noexcept { return buffer_.size; }
  bool empty() const noexcept { return buffer_.size == 0; }
  const std::uint8_t* begin() const noexcept { return buffer_.data; }
  const std::uint8_t* end() const noexcept { return buffer_.data + buffer_.size; }
#if __cplusplus >= 202002L
  std::span<const std::uint8_t> span() const noexcept { return {buffer_.data, buffer_.size}; }
#endif

  /// Passes ownership of the bytes to the caller, who frees them with stowage_buffer_free(). This buffer is then empty.
  stowage_buffer release() noexcept { return std::exchange(buffer_, stowage_buffer{nullptr, 0}); }

 private:
  stowage_buffer buffer_{nullptr, 0};
};

namespace detail {

/// Frees what the library made, with its one owner.
struct Free {
  void operator()(stowage_control* control) const noexcept { stowage_control_free(control); }
  void operator()(stowage_instance* instance) const noexcept { stowage_instance_free(instance); }
  void operator()(stowage_session* session) const noexcept { stowage_session_free(session); }
  void operator()(stowage_model* model) const noexcept { stowage_model_free(model); }
};

/// Calls `function(arguments..., &error)` and throws the error that it reports.
template <class Function, class... Arguments>
void check(Function function, Arguments... arguments) {
  stowage_error error{};
  const stowage_status status = function(arguments..., &error);
  if (status != STOWAGE_OK) {
    error.status = status;
    throw Error(error);
  }
}

}  // namespace detail

/// Watches and cancels one call at a time, from any thread. It must outlive the call, and may be moved only while no call uses
/// it.
class Control {
 public:
  /// Throws Error (STOWAGE_OUT_OF_MEMORY).
  Control() {
    stowage_control* handle = nullptr;
    detail::check(stowage_control_new, &handle);
    handle_.reset(handle);
  }
  /// Asks the call to end, a run with its best plan so far. Any thread, any number of times, before or during the call.
  void cancel() noexcept { stowage_control_cancel(handle_.get()); }
  /// Prepares the control for another call: not cancelled, phase idle. Does nothing while a call uses it.
  void reset() noexcept { stowage_control_reset(handle_.get()); }
  /// Limits the time of each later call that is given the control; 0: any time.
  void set_deadline(std::uint64_t milliseconds) noexcept { stowage_control_set_deadline(handle_.get(), milliseconds); }
  /// Sets the solver for planners that need one; a solver without a function removes it. Throws Error (STOWAGE_OUT_OF_MEMORY,
  /// STOWAGE_BUSY).
  void set_solver(const stowage_solver& solver) {
    detail::check(stowage_control_set_solver, handle_.get(), solver.solve != nullptr ? &solver : nullptr);
  }
  /// Progress of the run. Any thread.
  stowage_progress progress() const noexcept {
    stowage_progress progress = STOWAGE_PROGRESS_INIT;
    stowage_control_progress(handle_.get(), &progress);
    return progress;
  }

  stowage_control* get() const noexcept { return handle_.get(); }

 private:
  std::unique_ptr<stowage_control, detail::Free> handle_;
};

namespace detail {

inline stowage_control* raw(const Control* control) noexcept { return control != nullptr ? control->get() : nullptr; }

template <class Function, class... Arguments>
Buffer receive(Function function, Arguments... arguments) {
  stowage_buffer buffer{nullptr, 0};
  check(function, arguments..., &buffer);
  return Buffer(buffer);
}

}  // namespace detail

/// A checked, immutable instance. Any number of threads may call its const functions at once. A moved-from instance may only be
/// destroyed or assigned to. All functions throw Error with the statuses that stowage.h lists for the C function.
class Instance {
 public:
  /// Reads and checks an instance (instance.fbs); the bytes may be freed afterwards.
  static Instance load(ByteView bytes, const Control* control = nullptr) { return load(bytes, nullptr, control); }
  /// As above, and refuses an instance that exceeds the caller's limits.
  static Instance load(ByteView bytes, const stowage_limits& limits, const Control* control = nullptr) {
    return load(bytes, &limits, control);
  }

  /// Another instance, which differs from this one as a derivation (derivation.fbs) says. It is independent of this one and has
  /// its limits.
  Instance derive(ByteView derivation, const Control* control = nullptr) const { return derive(derivation, nullptr, control); }
  /// As above, within the caller's limits.
  Instance derive(ByteView derivation, const stowage_limits& limits, const Control* control = nullptr) const {
    return derive(derivation, &limits, control);
  }
  /// The bytes (instance.fbs) of an instance that was derived or that a session returned.
  Buffer save(const Control* control = nullptr) const {
    return detail::receive(stowage_instance_save_watched, handle_.get(), detail::raw(control));
  }

  /// Runs the planner that the request names (request.fbs); returns a plan (plan.fbs).
  Buffer plan(ByteView request, const Control* control = nullptr) const {
    return detail::receive(stowage_plan, handle_.get(), request.data(), request.size(), detail::raw(control));
  }
  /// Checks any plan against this instance; returns a report (report.fbs) with a Verification.
  Buffer verify(ByteView plan, const Control* control = nullptr) const {
    return detail::receive(stowage_verify_watched, handle_.get(), plan.data(), plan.size(), detail::raw(control));
  }
  /// Explains a plan: all unplaced apps, or one app; returns a report with an Explanation.
  Buffer explain(ByteView plan, std::uint32_t app = STOWAGE_ALL_UNPLACED, const Control* control = nullptr) const {
    return detail::receive(stowage_explain, handle_.get(), plan.data(), plan.size(), app, detail::raw(control));
  }

  /// How many more replicas of an app each node of a plan takes; returns a report with a Headroom.
  /// @param node a node of the plan whose obstacles are reported as well; or STOWAGE_NO_NODE
  Buffer headroom(ByteView plan, std::uint32_t app, std::uint32_t node = STOWAGE_NO_NODE,
                  const Control* control = nullptr) const {
    return detail::receive(stowage_headroom_watched, handle_.get(), plan.data(), plan.size(), app, node, detail::raw(control));
  }
  /// How many more replicas of each app a cluster takes; returns a report with a HeadroomOfApps.
  /// @param plan empty: what runs or is pinned
  /// @param most counts on each node end there; 0: at the number of replicas that the app wants
  Buffer headroom_of_apps(ByteView plan = {}, std::uint32_t most = 0, const Control* control = nullptr) const {
    return detail::receive(stowage_headroom_of_apps_watched, handle_.get(), plan.data(), plan.size(), most,
                           detail::raw(control));
  }
  /// What becomes of the replicas of nodes that are lost; returns a report with Losses.
  /// @param plan  empty: what runs or is pinned
  /// @param nodes lost together; empty: `label` decides
  /// @param label a key, each of whose values is lost by itself; empty: each node is
  Buffer losses(ByteView plan, const std::vector<std::uint32_t>& nodes = {}, std::string_view label = {},
                const Control* control = nullptr) const {
    return detail::receive(stowage_losses, handle_.get(), plan.data(), plan.size(), nodes.data(), nodes.size(),
                           reinterpret_cast<const std::uint8_t*>(label.data()), label.size(), detail::raw(control));
  }
  /// The moves of a plan in waves that keep every constraint; returns a report with a MoveOrder.
  /// @param moves_per_node at most so many moves of one wave from or to the same node; 0: any number
  /// @param app_share      at most this share of an app's replicas in one wave, but at least one replica
  Buffer order_moves(ByteView plan, std::uint32_t moves_per_node = 0, double app_share = 1,
                     const Control* control = nullptr) const {
    return detail::receive(stowage_order_moves, handle_.get(), plan.data(), plan.size(), moves_per_node, app_share,
                           detail::raw(control));
  }
  /// Lower bounds that hold for every complete plan; returns a report with Bounds.
  Buffer bound(const Control* control = nullptr) const {
    return detail::receive(stowage_bound_watched, handle_.get(), detail::raw(control));
  }

  /// Fingerprint of the content. A plan carries the fingerprint of the instance it was made for.
  std::uint64_t fingerprint() const { return stowage_instance_fingerprint(handle_.get()); }

  const stowage_instance* get() const noexcept { return handle_.get(); }

 private:
  friend class Session;
  explicit Instance(stowage_instance* handle) noexcept : handle_(handle) {}

  Instance derive(ByteView derivation, const stowage_limits* limits, const Control* control) const {
    stowage_instance* handle = nullptr;
    detail::check(stowage_instance_derive_watched, handle_.get(), derivation.data(), derivation.size(), limits,
                  detail::raw(control), &handle);
    return Instance(handle);
  }
  static Instance load(ByteView bytes, const stowage_limits* limits, const Control* control) {
    stowage_instance* handle = nullptr;
    detail::check(stowage_instance_load_watched, bytes.data(), bytes.size(), limits, detail::raw(control), &handle);
    return Instance(handle);
  }

  std::unique_ptr<stowage_instance, detail::Free> handle_;
};

/// A cluster over time; docs/understand/sessions.md states the rules. Serves one call at a time; a call that throws leaves the
/// session unchanged. A moved-from session may only be destroyed or assigned to. All functions throw Error with the statuses
/// that stowage.h lists.
class Session {
 public:
  /// Opens a session on a cluster (instance.fbs) or on a snapshot.
  static Session open(ByteView bytes, const Control* control = nullptr) { return open(bytes, nullptr, control); }
  /// As above, and refuses what exceeds the caller's limits, now or later.
  static Session open(ByteView bytes, const stowage_limits& limits, const Control* control = nullptr) {
    return open(bytes, &limits, control);
  }

  /// Counts applied operations, and commits that changed something.
  std::uint64_t version() const noexcept { return stowage_session_version(handle_.get()); }
  /// Applies operations (session.fbs): all of them, or none if one is refused.
  void apply(ByteView operations, const Control* control = nullptr) {
    detail::check(stowage_session_apply_watched, handle_.get(), operations.data(), operations.size(), detail::raw(control));
  }
  /// The cluster as it is now, with all pending replicas.
  Instance instance(const Control* control = nullptr) {
    stowage_instance* handle = nullptr;
    detail::check(stowage_session_instance_watched, handle_.get(), detail::raw(control), &handle);
    return Instance(handle);
  }
  /// Runs a planner on the cluster as it is now; returns a plan (plan.fbs).
  Buffer plan(ByteView request, const Control* control = nullptr) {
    return detail::receive(stowage_session_plan, handle_.get(), request.data(), request.size(), detail::raw(control));
  }
  /// Commits a plan: its replicas run from now on. Returns a report (report.fbs) with a Commit.
  Buffer commit(ByteView plan, stowage_commit_mode mode = STOWAGE_COMMIT_EXACT, const Control* control = nullptr) {
    return detail::receive(stowage_session_commit_watched, handle_.get(), plan.data(), plan.size(),
                           static_cast<std::uint32_t>(mode), detail::raw(control));
  }
  /// Drops a plan; its replicas stay pending.
  void reject(ByteView plan, const Control* control = nullptr) {
    detail::check(stowage_session_reject_watched, handle_.get(), plan.data(), plan.size(), detail::raw(control));
  }
  /// The complete state of the session, as an instance (instance.fbs) from which open() continues.
  Buffer snapshot(const Control* control = nullptr) const {
    return detail::receive(stowage_session_snapshot_watched, handle_.get(), detail::raw(control));
  }

  stowage_session* get() const noexcept { return handle_.get(); }

 private:
  explicit Session(stowage_session* handle) noexcept : handle_(handle) {}

  static Session open(ByteView bytes, const stowage_limits* limits, const Control* control) {
    stowage_session* handle = nullptr;
    detail::check(stowage_session_open_watched, bytes.data(), bytes.size(), limits, detail::raw(control), &handle);
    return Session(handle);
  }

  std::unique_ptr<stowage_session, detail::Free> handle_;
};

/// The catalogue of planners (catalogue.fbs). Throws Error (STOWAGE_OUT_OF_MEMORY).
inline Buffer planners() {
  stowage_buffer buffer{nullptr, 0};
  detail::check(stowage_planners, &buffer);
  return Buffer(buffer);
}

/// A model of sizes and degrees of collocation, learned from profiles. Any number of threads may call its const functions at
/// once. A moved-from model may only be destroyed or assigned to. All functions throw Error with the statuses that stowage.h
/// lists.
class Model {
 public:
  /// Learns from profiled apps (learning.fbs, body Samples).
  static Model learn(ByteView profiles, const Control* control = nullptr) {
    return make(stowage_model_learn_watched, profiles, nullptr, control);
  }
  /// As above, and refuses what exceeds the caller's limits.
  static Model learn(ByteView profiles, const stowage_limits& limits, const Control* control = nullptr) {
    return make(stowage_model_learn_watched, profiles, &limits, control);
  }
  /// Reads a model that save() wrote.
  static Model load(ByteView bytes, const Control* control = nullptr) {
    return make(stowage_model_load_watched, bytes, nullptr, control);
  }
  /// As above, and refuses what exceeds the caller's limits.
  static Model load(ByteView bytes, const stowage_limits& limits, const Control* control = nullptr) {
    return make(stowage_model_load_watched, bytes, &limits, control);
  }

  /// The model as bytes, from which load() makes it again.
  Buffer save(const Control* control = nullptr) const {
    return detail::receive(stowage_model_save_watched, handle_.get(), detail::raw(control));
  }
  /// Recommends for each app of a Question (learning.fbs); returns learning.fbs with body Recommendations.
  Buffer recommend(ByteView question, const Control* control = nullptr) const {
    return detail::receive(stowage_model_recommend_watched, handle_.get(), question.data(), question.size(),
                           detail::raw(control));
  }

  const stowage_model* get() const noexcept { return handle_.get(); }

 private:
  explicit Model(stowage_model* handle) noexcept : handle_(handle) {}

  template <class Function>
  static Model make(Function function, ByteView bytes, const stowage_limits* limits, const Control* control) {
    stowage_model* handle = nullptr;
    detail::check(function, bytes.data(), bytes.size(), limits, detail::raw(control), &handle);
    return Model(handle);
  }

  std::unique_ptr<stowage_model, detail::Free> handle_;
};

/// Sizes by usage (learning.fbs, body Usage); returns learning.fbs with body Sizes. Throws Error with the statuses of
/// stowage_size().
inline Buffer size(ByteView usage, const Control* control = nullptr) {
  return detail::receive(stowage_size_watched, usage.data(), usage.size(), detail::raw(control));
}

/// Checks bytes from elsewhere before a reader that does not verify reads them. Throws Error with the statuses of
/// stowage_check().
inline void check(stowage_kind kind, ByteView bytes, const stowage_limits* limits = nullptr, const Control* control = nullptr) {
  detail::check(stowage_check, static_cast<std::uint32_t>(kind), bytes.data(), bytes.size(), limits, detail::raw(control));
}

/// Version of the library that is linked, "major.minor.patch".
inline const char* version() noexcept { return stowage_version(); }

}  // namespace v0
}  // namespace stowage
