// How a command ends when it cannot do its work: a sentence for people, and the exit code for scripts.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace stowage::cli {

/// Exit codes, documented in docs/reference/cli.md.
enum ExitCode : int {
  kExitOk = 0,
  kExitInput = 1,     ///< wrong usage or wrong input
  kExitUnmet = 2,     ///< the work was done, but replicas are unplaced, the run was cancelled, or the plan breaks constraints
  kExitInternal = 3,  ///< a defect of Stowage
};

/// What is wrong with a text: it is not of its format at all, a value of it is wrong, or it stands for more than is allowed.
enum class Fault { kForm, kValue, kSize };

class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, ExitCode exit_code = kExitInput) : Failure(std::vector{message}, exit_code) {}
  /// Several sentences, each in a line of its own.
  explicit Failure(std::vector<std::string> lines, ExitCode exit_code = kExitInput)
      : std::runtime_error(joined(lines)), lines_(std::move(lines)), exit_code_(exit_code) {}
  /// "FILE: PATH: MESSAGE", and the parts for callers that show them apart. An empty path is left out.
  static Failure in(const std::string& file, const std::string& path, const std::string& message, Fault fault = Fault::kValue) {
    Failure failure(file + ": " + (path.empty() ? "" : path + ": ") + message);
    failure.path_ = path;
    failure.message_ = message;
    failure.fault_ = fault;
    return failure;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Without file and path.
  [[nodiscard]] std::string message() const { return message_.empty() ? what() : message_; }
  [[nodiscard]] Fault fault() const { return fault_; }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
  }

  std::vector<std::string> lines_;
  ExitCode exit_code_;
  std::string path_;
  std::string message_;
  Fault fault_ = Fault::kValue;
};

}  // namespace stowage::cli
