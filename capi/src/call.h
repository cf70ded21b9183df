// Shared by all C functions of the library.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "capi/include/stowage.h"
#include "capi/src/base/boundary.h"
#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/run/run.h"
#include "core/solver/mip.h"

struct stowage_instance {
  std::shared_ptr<const stowage::Instance> instance;
};

struct stowage_control {
  stowage::Control control;
  std::unique_ptr<stowage::Solver> solver;  // owns the object behind control.solver
};

namespace stowage::capi {

inline stowage_status fail(stowage_error* error, Code code, std::string_view message, std::string_view path = {}) {
  return fill_error(error, static_cast<stowage_status>(code), message, path);
}

inline stowage_status fail(stowage_error* error, const Error& e) { return fail(error, e.code, e.message, e.path); }

inline void hand_over(EncodedBytes bytes, stowage_buffer* to) { *to = {bytes.data, bytes.size}; }

inline Control* control_of(stowage_control* control) { return control == nullptr ? nullptr : &control->control; }

/// Reads the caller's limits. False, and the error is filled, for an unknown struct_size.
inline bool read_limits(const stowage_limits* given, Limits* limits, stowage_error* error) {
  stowage_limits known;
  if (!copy_limits(given, &known, error)) return false;
  const auto set = [](std::uint64_t value, std::uint64_t* to) {
    if (value != 0) *to = value;
  };
  set(known.max_bytes, &limits->max_bytes);
  set(known.max_apps, &limits->max_apps);
  set(known.max_replicas, &limits->max_replicas);
  set(known.max_limits, &limits->max_limits);
  set(known.max_nodes, &limits->max_nodes);
  set(known.max_cells, &limits->max_cells);
  set(known.max_threads, &limits->max_threads);
  set(known.max_memory, &limits->max_memory);
  // The library's own number ranges end here.
  limits->max_apps = std::min<std::uint64_t>(limits->max_apps, 0x7FFFFFFF);
  limits->max_nodes = std::min<std::uint64_t>(limits->max_nodes, 0x7FFFFFFF);
  limits->max_replicas = std::min<std::uint64_t>(limits->max_replicas, 0xFFFFFFFF);
  limits->max_cells = std::min<std::uint64_t>(limits->max_cells, 0x7FFFFFFF);
  return true;
}

}  // namespace stowage::capi
