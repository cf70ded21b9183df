// What a refusal of a table has to say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "capi/text/base/quantities.h"
#include "tests/fuzz/support/support.h"

namespace stowage::fuzz {

/// Requires "FILE: reason" or "FILE:LINE: reason", with an existing line.
inline void require_reason(std::string_view message, const std::string& file, std::string_view text) {
  FUZZ_REQUIRE(message.starts_with(file + ":"), "the file is not named: " + std::string(message));
  message.remove_prefix(file.size() + 1);
  const std::size_t end = message.find(": ");
  if (const auto line = cli::parse_whole(message.substr(0, end))) {
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    FUZZ_REQUIRE(*line > 0 && *line <= lines, "there is no such line: " + std::string(message));
    message.remove_prefix(end + 1);
  }
  FUZZ_REQUIRE(message.starts_with(' ') && message.size() > 1, "no reason: " + std::string(message));
}

}  // namespace stowage::fuzz
