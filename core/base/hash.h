// A 64-bit hash of plain data, equal on every platform. It does not withstand adversaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/base/watch.h"

namespace stowage {

class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
    state_ ^= state_ >> 29;
  }

  /// Adds a column: its length, then its bytes as little-endian words. Four independent lanes make hundreds of megabytes of
  /// limits cheap.
  /// @param watch the value is none if it ends the call
  template <class Value>
  void add_column(std::span<const Value> column, WatchRef watch = {}) {
    add(column.size());
    const auto* bytes = reinterpret_cast<const unsigned char*>(column.data());
    std::size_t left = column.size_bytes();
    std::uint64_t lane[4] = {1, 2, 3, 4};
    constexpr std::size_t kPiece = std::size_t{1} << 18;
    while (left >= 32) {
      const std::size_t before = left;
      const std::size_t rest = left > kPiece ? left - kPiece : 0;
      for (; left >= 32 && left > rest; left -= 32, bytes += 32) {
        std::uint64_t word[4];
        std::memcpy(word, bytes, 32);
        for (int l = 0; l < 4; ++l) {
          lane[l] = (lane[l] ^ word[l]) * 0xD6E8FEB86659FD93ull;
          lane[l] ^= lane[l] >> 32;
        }
      }
      if (watch.step((before - left) / 8)) return;
    }
    for (; left > 0;) {
      std::uint64_t word = 0;
      const std::size_t taken = left < 8 ? left : 8;
      std::memcpy(&word, bytes, taken);
      add(word);
      bytes += taken;
      left -= taken;
    }
    for (const std::uint64_t l : lane) add(l);
  }
  void add_text(std::string_view text) { add_column(std::span<const char>(text.data(), text.size())); }

  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ull;
};

}  // namespace stowage
