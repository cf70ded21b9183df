// Tables for terminals and Markdown pages.
#pragma once

#include <string>
#include <vector>

#include "capi/cli/base/console.h"

namespace stowage::cli::lab {

/// The header, then rows of as many fields.
using Grid = std::vector<std::vector<std::string>>;

void print_grid(const Grid& grid, const Console& console);
std::string markdown_grid(const Grid& grid);

/// A picture `name` of `folder` as seen from the page `path`.
std::string markdown_chart(const std::string& folder, const std::string& name, const std::string& title,
                           const std::string& path);

/// Fails where write_between() would.
void check_between(const std::string& path, const std::string& word);

/// Writes `text` between the lines "<!-- WORD: begin -->" and "<!-- WORD: end -->" of `path`; makes a file of these where there
/// is none. A file without them is left alone, as a failure.
void write_between(const std::string& path, const std::string& word, const std::string& text);

}  // namespace stowage::cli::lab
