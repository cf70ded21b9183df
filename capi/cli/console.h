// Where a command writes, and what the other side can show.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

/// What a command prints on standard output.
enum class Summary { kText, kJson };

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool color = false;     ///< of `out`
  bool progress = false;  ///< whether `err` is a terminal, so that a line can be drawn anew
};

/// The console of this process: colours and progress on terminals only, and none where NO_COLOR is set or TERM is "dumb".
Console process_console();

/// Says on a terminal what takes a while, until it is over.
class PassingNote {
 public:
  PassingNote(const Console& console, std::string_view text);
  ~PassingNote();
  PassingNote(const PassingNote&) = delete;
  PassingNote(PassingNote&&) = delete;
  PassingNote& operator=(const PassingNote&) = delete;
  PassingNote& operator=(PassingNote&&) = delete;

 private:
  const Console& console_;
};

enum class Tone { kPlain, kStrong, kGood, kBad, kFaint };
std::string toned(const Console& console, Tone tone, std::string_view text);

/// Columns of text, padded to their widest cell; numbers stand right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  /// Columns from here on stand right.
  TextTable& right_from(std::size_t column);
  void add(std::vector<std::string> row);
  void print(const Console& console, int indent = 2) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t right_from_ = 1;
};

/// "1 node", "2 nodes".
std::string counted(std::uint64_t count, std::string_view word);

/// Milliseconds or seconds, as people would say.
std::string duration_text(double seconds);

/// "71 %" with at most one decimal.
std::string percent_text(double share);

}  // namespace stowage::cli
