// The command line: options, help, and which command they call.
#pragma once

#include <string>
#include <vector>

#include "capi/cli/base/console.h"

namespace stowage::cli {

/// Runs the command that `arguments` (without the program's name) ask for; returns its exit code. Throws nothing.
int run_app(const std::vector<std::string>& arguments, const Console& console);

}  // namespace stowage::cli
