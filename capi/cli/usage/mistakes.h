// What is wrong with a command line, in plain words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace stowage::cli {

/// Why `app` did not take the arguments that it has just parsed.
std::string mistake_text(const CLI::App& app, const CLI::ParseError& error);

/// The command that is named by these words, or nullptr. `app` is the program; a hidden command is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);
/// "there is no command "pln" (did you mean "plan"?)".
std::string no_command_text(const CLI::App& app, const std::string& name);

}  // namespace stowage::cli
