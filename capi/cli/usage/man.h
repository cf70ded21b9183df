// The manual page of a program.
#pragma once

#include <string>

#include "capi/cli/usage/table.h"

namespace stowage::cli {

/// The page in the macros of man(7). `legend` lists the papers that the help texts cite, as lines of text.
std::string man_page(const CommandRow& program, const std::string& version, const std::string& legend);

}  // namespace stowage::cli
