// Words of enumerations, from the schemas.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "capi/text/base/json_text.h"
#include "capi/text/records/words.h"

namespace stowage::cli {

/// The word of a value, which may be given as a number; "unknown" where it has none.
template <class Enum, class Value>
const char* word_of(Value value) {
  const auto at = static_cast<std::size_t>(value);
  return at < Words<Enum>::kAll.size() ? Words<Enum>::kAll[at] : "unknown";
}

template <class Enum>
std::optional<Enum> find_word(std::string_view word) {
  const auto& all = Words<Enum>::kAll;
  const auto found = std::find(all.begin(), all.end(), word);
  if (found == all.end()) return std::nullopt;
  return static_cast<Enum>(found - all.begin());
}

/// The words in quotes, with commas between them.
template <class Enum>
std::string all_words() {
  std::string list;
  for (const char* word : Words<Enum>::kAll) list += (list.empty() ? "\"" : ", \"") + std::string(word) + "\"";
  return list;
}

/// The value of a word in JSON; fails where it is none.
template <class Enum>
Enum word_at(const JsonAt& at) {
  const auto value = find_word<Enum>(at.text());
  if (!value) at.fail("must be one of " + all_words<Enum>());
  return *value;
}

}  // namespace stowage::cli
