// How a command ends when it cannot do its work: a sentence for people, and the exit code for scripts.
#pragma once

#include <stdexcept>
#include <string>

namespace stowage::cli {

/// Exit codes, documented in docs/cli.md.
enum ExitCode : int {
  kExitOk = 0,
  kExitInput = 1,     ///< wrong usage or wrong input
  kExitUnmet = 2,     ///< the work was done, but replicas are unplaced, the run was cancelled, or the plan breaks constraints
  kExitInternal = 3,  ///< a defect of Stowage
};

class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, ExitCode exit_code = kExitInput)
      : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

}  // namespace stowage::cli
