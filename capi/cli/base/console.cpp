#include "capi/cli/base/console.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "capi/text/base/printable.h"

namespace stowage::cli {
namespace {

bool fancy(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

bool wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

}  // namespace

Console process_console() {
  const bool color = fancy(STDOUT_FILENO) && wants_color();
  // A message writes no output along: that could fail where nobody expects it.
  std::cerr.tie(nullptr);
  return {std::cout, std::cerr, color, fancy(STDERR_FILENO)};
}

Console answer_console(const Console& console, const std::vector<std::string>& outputs) {
  if (std::find(outputs.begin(), outputs.end(), "-") == outputs.end()) return console;
  return {console.err, console.err, console.progress && wants_color(), console.progress, console.program};
}

PassingNote::PassingNote(const Console& console, std::string_view text) : console_(console) {
  if (console_.progress) console_.err << "\r\x1b[K" << printable(text) << std::flush;
}

PassingNote::~PassingNote() {
  if (console_.progress) console_.err << "\r\x1b[K" << std::flush;
}

}  // namespace stowage::cli
