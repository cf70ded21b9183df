// Completion of command lines in shells.
#pragma once

#include <string>

#include "capi/cli/usage/table.h"

namespace stowage::cli {

/// The script that makes a shell ("bash", "zsh" or "fish") complete the program's commands, options, values and files. It calls
/// no program.
std::string completion_script(const CommandRow& program, const std::string& shell);

}  // namespace stowage::cli
