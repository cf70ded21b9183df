// State as bytes, the same on every platform: little-endian words, a magic number in front and a checksum at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/status.h"

namespace stowage {

class StateWriter {
 public:
  explicit StateWriter(std::uint64_t magic) { word(magic); }
  void word(std::uint64_t value) {
    for (int k = 0; k < 8; ++k) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
  }
  void number(double value) {
    // Not std::bit_cast, which Emscripten's library lacks.
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    word(bits);
  }
  void numbers(std::span<const double> values) {
    word(values.size());
    for (const double value : values) number(value);
  }
  void text(std::string_view value) {
    word(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  /// The bytes, with the checksum.
  [[nodiscard]] std::vector<std::uint8_t> finish() && {
    Hash hash;
    hash.add_column(std::span<const std::uint8_t>(bytes_));
    word(hash.value());
    return std::move(bytes_);
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Reads what a StateWriter wrote. Past the first defect every read gives 0 or nothing, and failed() holds.
class StateReader {
 public:
  StateReader(std::span<const std::uint8_t> bytes, std::uint64_t magic) : bytes_(bytes) {
    if (bytes.size() < 16) {
      fail("is truncated");
      return;
    }
    bytes_ = bytes.first(bytes.size() - 8);
    Hash hash;
    hash.add_column(bytes_);
    StateReader tail(bytes.last(8));
    if (word() != magic) {
      fail("is of another kind or version");
    } else if (tail.word() != hash.value()) {
      fail("is truncated or was edited: its checksum differs");
    }
  }
  std::uint64_t word() {
    if (bytes_.size() - at_ < 8) {
      fail("is truncated");
      return 0;
    }
    std::uint64_t value = 0;
    for (int k = 0; k < 8; ++k) value |= std::uint64_t{bytes_[at_++]} << (8 * k);
    return value;
  }
  double number() {
    const std::uint64_t bits = word();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  /// A number of elements, which take at least `bytes_each` bytes each of those that are left.
  std::size_t count(std::size_t bytes_each) {
    const std::uint64_t value = word();
    if (value > (bytes_.size() - at_) / bytes_each) {
      fail("has a length beyond its end");
      return 0;
    }
    return static_cast<std::size_t>(value);
  }
  std::vector<double> numbers() {
    std::vector<double> values(count(8));
    for (double& value : values) value = number();
    return values;
  }
  std::string text() {
    const std::size_t size = count(1);
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return value;
  }
  [[nodiscard]] bool failed() const { return !why_.empty(); }
  /// Code::kOk where everything was read and nothing is left; else Code::kMalformed. `what` begins the message: "The model".
  [[nodiscard]] Error error(std::string_view what) const {
    if (failed()) return {Code::kMalformed, std::string(what) + " " + why_ + ".", ""};
    if (at_ != bytes_.size()) return {Code::kMalformed, std::string(what) + " has bytes behind its end.", ""};
    return {};
  }

 private:
  explicit StateReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  void fail(const char* why) {
    if (why_.empty()) why_ = why;
    bytes_ = {};
    at_ = 0;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::string why_;
};

}  // namespace stowage
