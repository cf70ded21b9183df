// Reading and writing files: mapped where possible, replaced as a whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

/// A file's content, mapped into memory; standard input ("-"), pipes and the like are read instead.
class InputFile {
 public:
  /// Fails where `path` cannot be read.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile& operator=(InputFile&&) = delete;

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  /// The path as given, "standard input" for "-".
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::vector<std::uint8_t> copy_;
};

/// A file that appears under its name only once it is complete: written beside it, then renamed by commit(). "-" is standard
/// output.
class OutputFile {
 public:
  /// Callers that write in pieces should collect about this number of bytes per call.
  static constexpr std::size_t kFlushSize = std::size_t{1} << 18;

  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::uint8_t> bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

/// The extension of a path in lower case and without the dot; empty where it has none.
std::string extension(const std::string& path);

}  // namespace stowage::cli
