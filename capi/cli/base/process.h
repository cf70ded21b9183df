// What a command does for the system around it: descriptors 0 to 2, signals, and files that must not stay behind.
#pragma once

#include <atomic>
#include <string>

#include "capi/text/base/output.h"

namespace stowage::cli {

/// Prepares the process; main() calls it first. `program` is the name in messages.
///
/// Descriptors 0 to 2 are open afterwards, so that no file of ours gets such a number and with it what is meant for people. One
/// that was closed refuses to be read or written, as if it were still closed.
///
/// A signal that ends the process removes the temporary files first (TemporaryFile). Where a mapped file became shorter, a
/// message and exit code 1 take the place of SIGBUS.
void settle_process(const char* program);

/// Removes the temporary files and ends the process by this signal. A signal handler may call it.
void end_by_signal(int signal);

/// A file that is removed when this object or the process ends, whatever ends it, except SIGKILL.
class TemporaryFile {
 public:
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  /// Creates a file whose name begins with `beside`, open for reading and writing by its owner alone. Where that is impossible,
  /// descriptor() is -1 and errno says why.
  explicit TemporaryFile(const std::string& beside);
  ~TemporaryFile();

  /// The caller closes it.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Gives the file this name, in place of any file that has it. Returns false, and sets errno, where that is impossible.
  bool rename_to(const std::string& path);

  /// What signal handlers know of a file.
  struct Entry {
    std::string path;
    std::atomic<bool> exists = true;
    Entry* next = nullptr;
  };

 private:
  Entry* entry_ = nullptr;
  int descriptor_ = -1;
};

}  // namespace stowage::cli
