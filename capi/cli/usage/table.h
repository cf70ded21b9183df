// The commands and options of a program as a table, for what is made of it: help, manual page, completion.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace stowage::cli {

struct OptionRow {
  std::vector<std::string> names;   ///< such as "-o", "--output"; of an argument, its one name
  std::string value;                ///< what stands for the value in help; empty for flags and arguments
  std::string text;                 ///< what it does, and its default
  std::vector<std::string> values;  ///< all that are possible; empty where they are not known
  bool takes_value = false;
  bool required = false;
  bool takes_file = false;  ///< where values are not known: they are files
};

struct CommandRow {
  std::string path;  ///< "stowage generate medea"
  std::string name;  ///< "medea"
  std::string text;
  std::string footer;  ///< remarks and examples
  std::vector<OptionRow> arguments;
  std::vector<OptionRow> options;
  std::vector<CommandRow> commands;
};

/// Values that the help of an option of a command does not list: such as the names of planners.
using KnownValues = std::function<std::vector<std::string>(const std::string& command, const std::string& option)>;

/// The visible part of `app`. `path` is what stands before its own name.
CommandRow table_of(const CLI::App& app, const KnownValues& known, const std::string& path = {});

/// Calls `visit(command)` for a command and all below it.
void visit_commands(const CommandRow& command, const std::function<void(const CommandRow&)>& visit);

/// What an option does, and that it is required, or its default.
std::string description_of(const CLI::Option& option);

/// Of an option that the command itself requires, because the parser would ask for it beside a subcommand as well.
inline constexpr const char* kRequired = "required";

/// The script that makes a shell ("bash", "zsh" or "fish") complete the program's commands, options, values and files. It calls
/// no program.
std::string completion_script(const CommandRow& program, const std::string& shell);

/// The page in the macros of man(7). `legend` lists the papers that the help texts cite, as lines of text.
std::string man_page(const CommandRow& program, const std::string& version, const std::string& legend);

}  // namespace stowage::cli
