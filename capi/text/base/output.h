// Where writers of large texts put them, piece by piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage::cli {

class Output {
 public:
  Output(const Output&) = delete;
  Output(Output&&) = delete;
  Output& operator=(const Output&) = delete;
  Output& operator=(Output&&) = delete;
  /// Callers that write in pieces should collect about this number of bytes per call.
  static constexpr std::size_t kFlushSize = std::size_t{1} << 18;

  Output() = default;
  virtual ~Output() = default;

  virtual void write(std::string_view text) = 0;
};

/// Keeps the text.
class TextOutput : public Output {
 public:
  void write(std::string_view text) override { text_ += text; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace stowage::cli
