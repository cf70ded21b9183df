// The papers that sources cite by the short names P0 to P4.
#pragma once

#include <string>
#include <string_view>

namespace stowage::cli {

/// One line for each of P0 to P4 that stands in `text`, with the paper's title; "" where none does.
std::string papers_legend(std::string_view text);

}  // namespace stowage::cli
