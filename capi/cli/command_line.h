// What the commands `stowage` and `stowage-lab` share: parsing, help, messages, exit codes, and options of several subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/instance/instance_tables.h"
#include "capi/cli/formats/output_format.h"
#include "capi/cli/usage/table.h"

#include "capi/text/base/output.h"

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
  virtual ~CommandLine() = default;

  /// Parses `arguments` (without the program's name) and runs the subcommand; returns its exit code. Throws what that throws.
  int run(std::vector<std::string> arguments);

 protected:
  CommandLine(const Console& console, const char* purpose, const char* footer);

  [[nodiscard]] const Console& console() const { return console_; }
  [[nodiscard]] CLI::App& app() { return app_; }
  /// The command line as given, without --resume: what repeats this run from the beginning.
  [[nodiscard]] const std::string& repeatable() const { return repeatable_; }

  /// Adds a subcommand. The innermost one that is parsed runs its action.
  CLI::App* command(CLI::App& parent, const char* name, const char* summary, const char* footer, Action action);

  /// The values that completion offers for an option ("--planner") or argument ("NAME") of a command whose help does not list
  /// them.
  [[nodiscard]] virtual std::vector<std::string> known_values(const std::string& command, const std::string& option) const;

 private:
  /// The commands that tell about the others: help and completion.
  void add_usage();
  [[nodiscard]] int print_help() const;
  [[nodiscard]] CommandRow table() const;

  const Console& console_;
  CLI::App app_;
  Action action_;
  std::string repeatable_;
  std::string version_;
  std::vector<std::string> help_words_;
  bool man_page_ = false;
  std::string shell_;
};

/// Runs `program`; what it throws becomes a message and an exit code. Throws nothing.
int run_reporting(const Console& console, const std::function<int()>& program);

/// Default strings for help, which shows "none" where an option has no default string.
inline constexpr const char* kNoLimit = "no limit";

/// In place of a default string: the value that the variable has, or none.
enum class Standard { kOfVariable, kAbsent };
inline constexpr Standard kOwn = Standard::kOfVariable;

inline void set_standard(CLI::Option* option, const std::string& text) { option->default_str(text); }
inline void set_standard(CLI::Option* option, Standard standard) {
  if (standard == kOwn) option->capture_default_str();
}

/// Adds an option with one value. Help shows `shown` for the value, and `standard` for what it is where the option is not
/// given.
template <class Value, class Default = Standard, class... Checks>
CLI::Option* option(CLI::App* sub, const char* names, Value& to, const std::string& about, const char* shown,
                    const Default& standard = Standard::kAbsent, const Checks&... checks) {
  CLI::Option* made = sub->add_option(names, to, about)->option_text(shown);
  (made->check(checks), ...);
  set_standard(made, standard);
  return made;
}
/// An option with several values, separated by commas.
template <class Value, class Default = Standard, class... Checks>
CLI::Option* list_option(CLI::App* sub, const char* names, Value& to, const std::string& about, const char* shown,
                         const Default& standard = Standard::kAbsent, const Checks&... checks) {
  CLI::Option* made = sub->add_option(names, to, about)->delimiter(',')->option_text(shown);
  (made->check(checks), ...);
  set_standard(made, standard);
  return made;
}

void add_summary(CLI::App* sub, Summary& summary);
/// --format, for commands that write files of these formats.
void add_format(CLI::App* sub, std::string& format, const Formats& formats);
/// --csv-safe, for commands that write names to CSV files.
void add_csv_safe(CLI::App* sub, CsvCells& cells);
/// --node, --classes and --running, for commands that read an instance.
void add_node(CLI::App* sub, GivenNodes& nodes);
/// --scale, for commands that work on an instance derived from the one in the file.
void add_scale(CLI::App* sub, std::vector<std::string>& scales);
void add_file(CLI::App* sub, std::string& file);

/// An option that takes a duration.
CLI::Option* add_duration(CLI::App* sub, const char* name, std::string& text, const std::string& what);
/// Milliseconds, at least one. `option` is named where the text is no duration.
std::uint64_t parse_milliseconds(const std::string& option, const std::string& text);
/// A probability between 0 and 1, both excluded. `option` is named where it is none.
double parse_confidence(const std::string& option, const std::string& text);

}  // namespace stowage::cli
