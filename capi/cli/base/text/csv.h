// Fields of comma- or tab-separated lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::cli {

/// What cells hold: exactly what was asked for; or safe for spreadsheets, which take for a formula what begins with = + - @ or
/// a tab or carriage return. Safe cells of this kind, except numbers, begin with an apostrophe.
enum class CsvCells { kExact, kSafe };

/// `text` as a cell, in quotes where a comma-separated line needs them.
std::string csv_field(const std::string& text, CsvCells cells = CsvCells::kExact);

/// Cells joined by commas, with a line feed.
std::string csv_line(const std::vector<std::string>& fields, CsvCells cells = CsvCells::kExact);

/// The fields of one line, unquoted. A field with a line break is not possible.
std::vector<std::string> split_fields(std::string_view line, char separator);

/// The lines of a text without their line ends. Empty lines are left out.
std::vector<std::string_view> split_lines(std::string_view text);

/// Reads the records of a text, whose fields commas separate unless told otherwise, one by one. Empty lines are left out.
/// Quoted fields may hold line breaks.
class CsvReader {
 public:
  /// `file` is for messages.
  CsvReader(std::string_view text, std::string file, char separator = ',')
      : rest_(text), file_(std::move(file)), separator_(separator) {}

  /// Reads the unquoted fields of the next record; returns false at the end. Fails where a quoted field is not closed properly.
  bool next(std::vector<std::string>& fields);
  /// The line, counted from 1, in which the record that was read last begins.
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  void read_quoted(std::string& field);
  [[noreturn]] void fail(const char* what) const;

  std::string_view rest_;
  std::string file_;
  char separator_;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

/// A text of separated fields whose first line names its columns. Failures name the file and the line.
class CsvTable {
 public:
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);  ///< in place of a column

  /// Reads the first line. Fails where there is none, which is to name `columns`, and where it names a column twice.
  CsvTable(std::string_view text, std::string file, const std::string& columns, char separator = ',');
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  /// Reads the next row; returns false at the end. Fails where it has a different number of fields than the header.
  bool next();
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] std::size_t line() const { return csv_.line(); }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[noreturn]] void fail(const std::string& message) const { fail(line(), message); }
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;
  /// Fails where the column is absent.
  void require(const char* name, std::size_t column) const;
  [[nodiscard]] double number(const std::string& column, const std::string& text) const;

 private:
  std::string file_;
  CsvReader csv_;
  std::vector<std::string> header_;
  std::vector<std::string> fields_;
};

}  // namespace stowage::cli
