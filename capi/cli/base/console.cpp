#include "capi/cli/base/console.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "capi/text/base/printable.h"

namespace stowage::cli {
namespace {

bool fancy(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

Console process_console() {
  const char* no_color = std::getenv("NO_COLOR");
  const bool color = fancy(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0');
  // A message writes no output along: that could fail where nobody expects it.
  std::cerr.tie(nullptr);
  return {std::cout, std::cerr, color, fancy(STDERR_FILENO)};
}

PassingNote::PassingNote(const Console& console, std::string_view text) : console_(console) {
  if (console_.progress) console_.err << "\r\x1b[K" << printable(text) << std::flush;
}

PassingNote::~PassingNote() {
  if (console_.progress) console_.err << "\r\x1b[K" << std::flush;
}

}  // namespace stowage::cli
