// Any text as a table from which a bench continues; the first byte selects the table. The table is refused with its name and a
// reason, or it is written with the same values, and rewriting it gives the same bytes.
#include <array>
#include <cmath>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/lab/medea/runs.h"
#include "capi/lab/paper/runs.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"
#include "tests/fuzz/support/reasons.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

namespace {

namespace cli = stowage::cli;
using stowage::fuzz::require_reason;
using stowage::fuzz::Scratch;

/// Reads one file and writes its content into another.
using Copy = void (*)(const std::string& from, const std::string& to);
template <class Run>
void copy_runs(const std::string& from, const std::string& to) {
  cli::lab::write_runs(cli::lab::read_runs<Run>(from), to);
}
constexpr std::array<Copy, 4> kCopies = {
    copy_runs<cli::paper::Run>, copy_runs<cli::stochastic::Run>,
    [](const std::string& from, const std::string& to) { cli::stochastic::write_uses(cli::stochastic::read_uses(from), to); },
    copy_runs<cli::medea::Run>};

/// The same text or the same number. Times keep nanoseconds.
bool same_value(const std::string& read, const std::string& written, const std::string& column) {
  if (read == written) return true;
  const auto before = cli::parse_number(read);
  const auto after = cli::parse_number(written);
  if (!before || !after) return false;
  return std::abs(*before - *after) <= (column == "seconds" || column == "call_seconds" ? 1e-9 : 0);
}

void require_same_values(std::string_view read, std::string_view written) {
  cli::CsvReader before(read, "read");
  cli::CsvReader after(written, "written");
  std::vector<std::string> columns;
  std::vector<std::string> fields;
  std::vector<std::string> kept;
  FUZZ_REQUIRE(before.next(columns) && after.next(kept) && columns == kept, "another header");
  for (;;) {
    const bool more = before.next(fields);
    FUZZ_REQUIRE(after.next(kept) == more, "lines are lost or made up");
    if (!more) return;
    FUZZ_REQUIRE(fields.size() == columns.size() && kept.size() == columns.size(), "fields are lost or made up");
    for (std::size_t f = 0; f < columns.size(); ++f) {
      FUZZ_REQUIRE(same_value(fields[f], kept[f], columns[f]), columns[f] + ": " + fields[f] + " is written as " + kept[f]);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Copy copy = kCopies[data[0] % kCopies.size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string path = Scratch::folder().file("runs.csv", text);
  const std::string written = Scratch::folder().path("written.csv");
  const std::string again = Scratch::folder().path("again.csv");
  try {
    copy(path, written);
  } catch (const cli::Failure& failure) {
    require_reason(failure.what(), path, text);
    return 0;
  }
  require_same_values(text, cli::InputFile(written).text());
  try {
    copy(written, again);
  } catch (const cli::Failure& failure) {
    FUZZ_REQUIRE(false, std::string("what was written is not read again: ") + failure.what());
  }
  FUZZ_REQUIRE(cli::InputFile(written).text() == cli::InputFile(again).text(), "a second round changes the table");
  return 0;
}
