// Reading and writing files: large ones mapped, replaced as a whole or not at all.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "capi/cli/base/process.h"
#include "capi/text/base/output.h"

namespace stowage::cli {

/// A file's content. Large files are mapped into memory: to copy them would take their time and memory twice. Smaller ones,
/// standard input ("-"), pipes and the like are read, so that later changes do not matter. What gzip compressed is inflated.
class InputFile {
 public:
  InputFile(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  /// The most that is read of what has no size, such as a pipe or a device: the default limit of the library.
  static constexpr std::size_t kMostRead = 0x7FFFFFFF;

  /// Fails where `path` cannot be read, and where it has no size and more than kMostRead bytes.
  explicit InputFile(const std::string& path);
  ~InputFile();

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  /// The path as given, "standard input" for "-".
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct Free {
    void operator()(std::uint8_t* copy) const { std::free(copy); }
  };

  /// Reads all there is. Returns 0, or errno.
  int read_all(int descriptor);
  void inflate();
  void unmap();

  std::string name_;
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::unique_ptr<std::uint8_t, Free> copy_;
};

/// A file that appears under its name only once it is complete: written beside it, then renamed by commit(), after which the
/// disk has it. "-" is standard output.
///
/// Through a symbolic link, the file that it leads to is written. An existing file keeps its mode and owner. One with several
/// names (hard links) keeps them: commit() copies into it. Devices and pipes are written to as they are.
class OutputFile : public Output {
 public:
  OutputFile(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  explicit OutputFile(std::string path);
  ~OutputFile() override;

  void write(std::string_view text) override;
  void write(std::span<const std::uint8_t> bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;
  /// Gives the temporary file the mode and owner of the file that it replaces. Returns false where the owner is another's.
  static bool imitate(int descriptor, const struct ::stat& old);
  void copy_into_target() const;

  std::string path_;    ///< as given
  std::string target_;  ///< without symbolic links
  std::optional<TemporaryFile> temporary_;
  bool in_place_ = false;  ///< the target is to be kept, with new content
  std::FILE* file_ = nullptr;
};

/// The extension of a path in lower case and without the dot; empty where it has none.
std::string extension(const std::string& path);

}  // namespace stowage::cli
