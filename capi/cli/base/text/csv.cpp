#include "capi/cli/base/text/csv.h"

#include <algorithm>
#include <array>

#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

namespace {

bool is_formula(const std::string& text) {
  if (text.find_first_of("=+-@\t\r") != 0) return false;
  const std::string_view rest = std::string_view(text).substr(1);
  const bool is_number = (text.front() == '+' || text.front() == '-') && rest.find_first_of(".0123456789") == 0 &&
                         rest.back() != ' ' && rest.back() != '\t' && parse_number(rest);
  return !is_number;
}

}  // namespace

std::string csv_field(const std::string& text, CsvCells cells) {
  if (cells == CsvCells::kSafe && is_formula(text)) return csv_field("'" + text);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& fields, CsvCells cells) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_field(fields[i], cells);
  }
  return line + "\n";
}

std::vector<std::string> split_fields(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (quoted) {
      if (letter != '"') {
        fields.back() += letter;
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += line[++i];
      } else {
        quoted = false;
      }
    } else if (letter == '"' && fields.back().empty()) {
      quoted = true;
    } else if (letter == separator) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return fields;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t end = rest_.starts_with("\r\n") ? 2 : rest_.starts_with('\n') ? 1 : 0;
    if (end == 0) break;
    rest_.remove_prefix(end);
    ++next_line_;
  }
  if (rest_.empty()) return false;
  line_ = next_line_;
  for (;;) {
    std::string& field = fields.emplace_back();
    if (rest_.starts_with('"')) {
      read_quoted(field);
    } else {
      const std::array<char, 2> ends = {separator_, '\n'};
      const std::size_t end = std::min(rest_.find_first_of(std::string_view(ends.data(), ends.size())), rest_.size());
      field = rest_.substr(0, end);
      rest_.remove_prefix(end);
      if (!rest_.starts_with(separator_) && field.ends_with('\r')) field.pop_back();
    }
    if (rest_.empty()) return true;
    const bool last = rest_.front() == '\n';
    rest_.remove_prefix(1);
    if (!last) continue;
    ++next_line_;
    return true;
  }
}

void CsvReader::read_quoted(std::string& field) {
  rest_.remove_prefix(1);
  for (;;) {
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) fail("a quoted field has no end");
    field += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (!rest_.starts_with('"')) break;
    field += '"';
    rest_.remove_prefix(1);
  }
  next_line_ += static_cast<std::size_t>(std::count(field.begin(), field.end(), '\n'));
  if (rest_ == "\r" || rest_.starts_with("\r\n")) rest_.remove_prefix(1);
  if (!rest_.empty() && rest_.front() != separator_ && rest_.front() != '\n') fail("a quoted field goes on after its end");
}

CsvTable::CsvTable(std::string_view text, std::string file, const std::string& columns, char separator)
    : file_(std::move(file)), csv_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text, file_, separator) {
  if (!csv_.next(header_)) throw Failure(file_ + ": is empty; its first line must name the columns " + columns);
  if (const auto twice = NameIndex(header_).duplicate()) fail("the column \"" + header_[twice->first] + "\" stands twice");
}

bool CsvTable::next() {
  if (!csv_.next(fields_)) return false;
  if (fields_.size() != header_.size()) fail("has a different number of fields than the header");
  return true;
}

void CsvTable::fail(std::size_t line, const std::string& message) const {
  throw Failure(file_ + ":" + std::to_string(line) + ": " + message);
}

void CsvTable::require(const char* name, std::size_t column) const {
  if (column == kAbsent) fail(std::string("there is no column \"") + name + "\"");
}

double CsvTable::number(const std::string& column, const std::string& text) const {
  const auto value = parse_number(text);
  if (!value) fail(column + ": \"" + text + "\" is not a number");
  return *value;
}

void CsvReader::fail(const char* what) const { throw Failure(file_ + ":" + std::to_string(line_) + ": " + what); }

}  // namespace stowage::cli
