#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace stowage::capi {

/// Whether the text is UTF-8, which clients need to print it and to write it as JSON.
inline bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  for (std::size_t k = 0; k < text.size();) {
    std::uint64_t eight = 0;
    if (text.size() - k >= sizeof eight) {
      std::memcpy(&eight, text.data() + k, sizeof eight);
      if ((eight & 0x8080808080808080u) == 0) {
        k += sizeof eight;
        continue;
      }
    }
    const unsigned lead = byte(k);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || k + length > text.size()) return false;
    for (std::size_t next = k + 1; next < k + length; ++next) {
      if ((byte(next) & 0xC0) != 0x80) return false;
    }
    // Refuses overlong forms, surrogates and values above U+10FFFF.
    if ((lead == 0xE0 && byte(k + 1) < 0xA0) || (lead == 0xED && byte(k + 1) > 0x9F) || (lead == 0xF0 && byte(k + 1) < 0x90) ||
        (lead == 0xF4 && byte(k + 1) > 0x8F)) {
      return false;
    }
    k += length;
  }
  return true;
}

}  // namespace stowage::capi
