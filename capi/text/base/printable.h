// Text from outside, on its way to people: characters that move the cursor or turn the direction of reading are shown, not
// obeyed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage::cli {

/// The first character of a text, and its number of bytes. A byte that begins no character of UTF-8 is a character of one byte
/// that is not `valid`; its code is the byte.
struct Character {
  char32_t code = 0;
  std::size_t size = 1;
  bool valid = true;
};
Character first_character(std::string_view text);

/// Whether a character is obeyed rather than shown: control characters (C0, DEL, C1), line separators, and the marks,
/// embeddings, overrides and isolates of Unicode's bidirectional algorithm.
bool is_steering(char32_t code);

/// Appends such a character as "\u001b".
void append_escaped(std::string& out, char32_t code);

/// `text` in one line, with such characters as "\u001b" and bytes that are not UTF-8 as "\xff".
std::string printable(std::string_view text);

/// `text` for XML and HTML: & < > and quotes are entities, other characters are printable().
std::string escaped(std::string_view text);

}  // namespace stowage::cli
