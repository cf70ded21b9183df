// The caller's error struct, filled. Shared by the library and what is built beside it.
#pragma once

#include <algorithm>
#include <cstddef>
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

}  // namespace stowage::capi
