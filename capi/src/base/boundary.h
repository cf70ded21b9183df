// What all C functions do at their boundary: fill the caller's error, let no exception out, and read the caller's limits.
// Shared by the library and what is built beside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "capi/include/stowage.h"

namespace stowage::capi {

inline void copy_text(std::string_view text, char* to, std::size_t capacity) {
  std::size_t size = std::min(text.size(), capacity - 1);
  // Never cut a UTF-8 character in two.
  if (size < text.size()) {
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  }
  std::copy_n(text.data(), size, to);
  to[size] = '\0';
}

/// Fills the error where the caller gave one. Returns the status.
inline stowage_status fill_error(stowage_error* error, stowage_status status, std::string_view message,
                                 std::string_view path = {}) {
  if (error != nullptr) {
    error->status = status;
    copy_text(message, error->message, sizeof error->message);
    copy_text(path, error->path, sizeof error->path);
  }
  return status;
}

/// Runs the body of a call and turns every exception into a status.
template <class Body>
stowage_status guarded(stowage_error* error, Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fill_error(error, STOWAGE_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error&) {
    return fill_error(error, STOWAGE_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return fill_error(error, STOWAGE_INTERNAL, e.what());
  } catch (...) {
    return fill_error(error, STOWAGE_INTERNAL, "unknown exception");
  }
}

inline stowage_status null_argument(stowage_error* error, const char* name) {
  return fill_error(error, STOWAGE_INVALID_ARGUMENT, "a required argument is NULL", name);
}

/// The caller's limits, from any version of the struct up to this one; 0 stands for the default. False, and the error is
/// filled, for an unknown struct_size.
inline bool copy_limits(const stowage_limits* given, stowage_limits* known, stowage_error* error) {
  *known = STOWAGE_LIMITS_INIT;
  if (given == nullptr) return true;
  if (given->struct_size < sizeof(std::size_t) || given->struct_size > sizeof *known) {
    fill_error(error, STOWAGE_INVALID_ARGUMENT, "unknown struct_size", "limits.struct_size");
    return false;
  }
  std::memcpy(known, given, given->struct_size);
  known->struct_size = sizeof *known;
  return true;
}

}  // namespace stowage::capi
