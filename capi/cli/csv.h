// Fields of comma- or tab-separated lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

/// `text`, in quotes where a comma-separated line needs them.
std::string csv_field(const std::string& text);

/// Fields joined by commas, with a line feed.
std::string csv_line(const std::vector<std::string>& fields);

/// The fields of one line, unquoted. A field with a line break is not possible.
std::vector<std::string> split_fields(std::string_view line, char separator);

/// The lines of a text, without their ends; empty ones are left out.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace stowage::cli
