// What the words of answers and messages mean.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "capi/cli/commands/commands.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/table.h"

namespace stowage::cli {
namespace {

/// Lines of a word, a tab and what it means.
constexpr std::string_view kWords =
#include "words.inc"
    ;

struct Word {
  std::string_view word;
  std::string_view meaning;
};

std::vector<Word> all_entries() {
  std::vector<Word> words;
  for (std::string_view rest = kWords; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos) {
      words.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
  }
  return words;
}

std::string entry_text(const Word& word) {
  constexpr std::size_t kColumn = 18;
  return hanging_text("  " + std::string(word.word), word.meaning, kColumn, kTextWidth);
}

}  // namespace

std::string glossary() {
  std::string text;
  for (const Word& word : all_entries()) text += entry_text(word);
  return text;
}

int run_words_command(const std::string& word, const Console& console) {
  if (word.empty()) {
    console.out << glossary();
    return kExitOk;
  }
  const std::vector<Word> words = all_entries();
  // Two words that mean alike share a line.
  const auto found = std::find_if(words.begin(), words.end(), [&](const Word& one) {
    return one.word == word || one.word.starts_with(word + ",") || one.word.ends_with(", " + word);
  });
  if (found == words.end()) {
    std::vector<std::string_view> known;
    known.reserve(words.size());
    for (const Word& one : words) known.push_back(one.word);
    throw Failure("the glossary has no word \"" + word + "\"" + did_you_mean(word, known) + "; see stowage words");
  }
  console.out << entry_text(*found);
  return kExitOk;
}

}  // namespace stowage::cli
