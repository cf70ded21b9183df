// Tables for terminals and Markdown pages.
#pragma once

#include <string>
#include <vector>

#include "capi/cli/base/console.h"

namespace stowage::cli::lab {

/// The header and the rows; all have the same number of fields.
using Grid = std::vector<std::vector<std::string>>;

void print_grid(const Grid& grid, const Console& console);
std::string markdown_grid(const Grid& grid);

/// Markdown for the chart `name` of `folder`, linked relative to the page `path`.
std::string markdown_chart(const std::string& folder, const std::string& name, const std::string& title,
                           const std::string& path);

/// Fails in the cases in which write_between() fails.
void check_between(const std::string& path, const std::string& word);

/// Writes `text` between the lines "<!-- WORD: begin -->" and "<!-- WORD: end -->" of `path`. Makes the file, with these lines,
/// if it does not exist. Fails, and changes nothing, where an existing file lacks them.
void write_between(const std::string& path, const std::string& word, const std::string& text);

}  // namespace stowage::cli::lab
