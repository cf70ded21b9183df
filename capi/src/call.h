// Shared by all C functions: they check arguments, let no exception out, and fill the caller's error.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>

#include "capi/include/stowage.h"
#include "capi/src/base/error.h"
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

/// Runs the body of a call and turns every exception into a status.
template <class Body>
stowage_status guarded(stowage_error* error, Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(error, Code::kOutOfMemory, "out of memory");
  } catch (const std::length_error&) {
    return fail(error, Code::kOutOfMemory, "out of memory");
  } catch (const std::exception& e) {
    return fail(error, Code::kInternal, e.what());
  } catch (...) {
    return fail(error, Code::kInternal, "unknown exception");
  }
}

inline stowage_status null_argument(stowage_error* error, const char* name) {
  return fail(error, Code::kInvalidArgument, "a required argument is NULL", name);
}

inline void hand_over(EncodedBytes bytes, stowage_buffer* to) { *to = {bytes.data, bytes.size}; }

inline Control* control_of(stowage_control* control) { return control == nullptr ? nullptr : &control->control; }

/// Reads the caller's limits, from any version of the struct up to this one. False for an unknown struct_size.
inline bool read_limits(const stowage_limits* given, Limits* limits) {
  if (given == nullptr) return true;
  stowage_limits known = STOWAGE_LIMITS_INIT;
  if (given->struct_size < sizeof(std::size_t) || given->struct_size > sizeof known) return false;
  std::memcpy(&known, given, given->struct_size);
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
