// What the commands `stowage` and `stowage-lab` share: parsing, help, messages, exit codes, and options of several subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"

namespace stowage::cli {

/// What a subcommand does once everything is parsed; returns the exit code.
using Action = std::function<int()>;

/// A program with subcommands, of which one runs.
class CommandLine {
 public:
  CommandLine(const CommandLine&) = delete;
  CommandLine(CommandLine&&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  CommandLine& operator=(CommandLine&&) = delete;

  /// Parses `arguments` (without the program's name) and runs the subcommand; returns its exit code. Throws what that throws.
  int run(std::vector<std::string> arguments);

 protected:
  CommandLine(const Console& console, const char* purpose, const char* footer);
  ~CommandLine() = default;

  [[nodiscard]] const Console& console() const { return console_; }
  [[nodiscard]] CLI::App& app() { return app_; }
  /// The command line as given, without --resume: what repeats this run from the beginning.
  [[nodiscard]] const std::string& repeatable() const { return repeatable_; }

  /// Adds a subcommand. The last one that is parsed runs its action.
  CLI::App* command(CLI::App& parent, const char* name, const char* summary, const char* footer, Action action);

 private:
  [[nodiscard]] std::string unknown_command_hint() const;

  const Console& console_;
  CLI::App app_;
  Action action_;
  std::string repeatable_;
};

/// Runs `program`; what it throws becomes a message and an exit code. Throws nothing.
int run_reporting(const Console& console, const std::function<int()>& program);

/// Default strings for help, which shows "none" where an option has no default string.
inline constexpr const char* kNoLimit = "no limit";
/// Of an option that the command itself requires, because the parser would ask for it beside a subcommand as well.
inline constexpr const char* kRequired = "required";

void add_summary(CLI::App* sub, Summary& summary);
void add_node(CLI::App* sub, std::optional<std::string>& node);
void add_file(CLI::App* sub, std::string& file);

/// Milliseconds, at least one. `option` is named where the text is no duration.
std::uint64_t parse_milliseconds(const std::string& option, const std::string& text);
/// A probability between 0 and 1, both excluded. `option` is named where it is none.
double parse_confidence(const std::string& option, const std::string& text);

}  // namespace stowage::cli
