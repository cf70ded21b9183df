#include "capi/text/base/table.h"

#include <algorithm>
#include <utility>

#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

/// Characters, as opposed to bytes of UTF-8.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0) != 0x80; }));
}

}  // namespace

std::string toned(const Console& console, Tone tone, std::string_view text) {
  if (!console.color || tone == Tone::kPlain) return printable(text);
  const char* code = "1";
  switch (tone) {
    case Tone::kPlain:
    case Tone::kStrong:
      break;
    case Tone::kGood:
      code = "32";
      break;
    case Tone::kBad:
      code = "31";
      break;
    case Tone::kFaint:
      code = "2";
      break;
  }
  std::string result = "\x1b[";
  result += code;
  result += 'm';
  result += printable(text);
  result += "\x1b[0m";
  return result;
}

TextTable::TextTable(std::vector<std::string> header) { add(std::move(header)); }

TextTable& TextTable::right_from(std::size_t column) {
  right_from_ = column;
  return *this;
}

TextTable& TextTable::last_is_text() {
  last_is_text_ = true;
  return *this;
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

void TextTable::print(const Console& console, int indent) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line(static_cast<std::size_t>(indent), ' ');
    for (std::size_t c = 0; c < rows_[r].size(); ++c) {
      const std::string padding(widths[c] - width(rows_[r][c]), ' ');
      if (c > 0) line += "  ";
      line += is_right(c) ? padding + rows_[r][c] : rows_[r][c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    console.out << (r == 0 ? toned(console, Tone::kFaint, line) : line) << '\n';
  }
}

std::string hanging_text(std::string head, std::string_view text, std::size_t column, std::size_t width) {
  std::string lines = std::move(head);
  std::size_t at = lines.size();
  if (at >= column) {
    lines += '\n';
    at = 0;
  }
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (at > column && at + 1 + end > width) {
      lines += '\n';
      at = 0;
    }
    const std::size_t gap = at < column ? column - at : 1;
    lines.append(gap, ' ').append(text.substr(0, end));
    at += gap + end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + '\n';
}

std::string counted(std::uint64_t count, std::string_view word) {
  std::string text = for_people(static_cast<double>(count), 0);
  text += ' ';
  text += word;
  if (count != 1) text += word.ends_with("ss") ? "es" : "s";
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string enumerated(const std::vector<std::string>& parts, std::string_view last) {
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k > 0) text += k + 1 == parts.size() ? last : ", ";
    text += parts[k];
  }
  return text;
}

std::string duration_text(double seconds) {
  if (seconds < 1) return for_people(seconds * 1000, seconds < 0.01 ? 2 : 0) + " ms";
  return for_people(seconds, 2) + " s";
}

std::string percent_text(double share) { return for_people(share * 100, 1) + " %"; }

}  // namespace stowage::cli
