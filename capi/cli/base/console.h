// The console of this process, and what a command tells there while it works.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capi/text/base/output.h"
#include "capi/text/base/table.h"

namespace stowage::cli {

/// The console of this process: colours and progress on terminals only, and none where NO_COLOR is set or TERM is "dumb".
Console process_console();

/// The console of a command's answer. Where standard output ("-") is among the outputs, it takes that alone, and the answer
/// goes to standard error.
Console answer_console(const Console& console, const std::vector<std::string>& outputs);

/// While it lives, a terminal shows `text`, which says what the command is doing.
class PassingNote {
 public:
  PassingNote(const PassingNote&) = delete;
  PassingNote(PassingNote&&) = delete;
  PassingNote& operator=(const PassingNote&) = delete;
  PassingNote& operator=(PassingNote&&) = delete;
  PassingNote(const Console& console, std::string_view text);
  ~PassingNote();

 private:
  const Console& console_;
};

}  // namespace stowage::cli
