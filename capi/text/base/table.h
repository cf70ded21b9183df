// Where text for people is written, what the other side can show, and tables.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

/// The format of what a command prints on standard output.
enum class Summary { kText, kJson };

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool color = false;               ///< of `out`
  bool progress = false;            ///< `err` is a terminal, on which a line can be replaced
  const char* program = "stowage";  ///< the command's name in messages
};

enum class Tone { kPlain, kStrong, kGood, kBad, kFaint };
/// The text in this tone, printable().
std::string toned(const Console& console, Tone tone, std::string_view text);

/// A table of text, with printable() cells. Each column is as wide as its widest cell; columns of numbers are right-aligned.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  /// Right-aligns this column and those after it; without a call, all but the first.
  TextTable& right_from(std::size_t column);
  /// Left-aligns the last column.
  TextTable& last_is_text();
  void add(std::vector<std::string> row);
  void print(const Console& console, int indent = 2) const;
  /// Whether it has no line but its header.
  [[nodiscard]] bool empty() const { return rows_.size() == 1; }
  /// The header and the lines, printable().
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  [[nodiscard]] bool is_right(std::size_t column) const {
    return column >= right_from_ && !(last_is_text_ && column + 1 == rows_.front().size());
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t right_from_ = 1;
  bool last_is_text_ = false;
};

/// The longest line of help and descriptions, in columns.
inline constexpr std::size_t kTextWidth = 100;
/// `head`, then the words of `text` in lines that begin at `column` and end before `width`. A head that reaches the column has
/// a line of its own.
std::string hanging_text(std::string head, std::string_view text, std::size_t column, std::size_t width);

/// "1 node", "2 nodes".
std::string counted(std::uint64_t count, std::string_view word);

/// "a", "a and b", "a, b and c"; `last` stands before the last one.
std::string enumerated(const std::vector<std::string>& parts, std::string_view last = " and ");

/// With a capital letter at its beginning.
std::string capitalized(std::string text);

/// "0.38 ms", "131 ms", "2.5 s": milliseconds below one second, else seconds.
std::string duration_text(double seconds);

/// "71 %" with at most one decimal.
std::string percent_text(double share);

}  // namespace stowage::cli
