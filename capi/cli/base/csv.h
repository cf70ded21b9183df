// Fields of comma- or tab-separated lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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

/// The records of a comma-separated text, one after the other; empty lines are left out. Quoted fields may hold line breaks.
class CsvReader {
 public:
  /// `file` is for messages.
  CsvReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  /// The fields of the next record, unquoted; false where there is none. Fails where a quoted field does not end as one.
  bool next(std::vector<std::string>& fields);
  /// In which the last record begins.
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  void read_quoted(std::string& field);
  [[noreturn]] void fail(const char* what) const;

  std::string_view rest_;
  std::string file_;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

}  // namespace stowage::cli
