// Any text as a CSV of usage: refused with its name and a reason, or columns of equal length with numbers in range.
#include <cmath>

#include "capi/cli/learn/usage_file.h"
#include "capi/text/base/failure.h"
#include "tests/fuzz/support/reasons.h"
#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string file = "usage.csv";
  try {
    const auto table = stowage::cli::learn::read_usage(text, file);
    const std::size_t samples = table.app.size();
    FUZZ_REQUIRE(samples > 0 && table.time.size() == samples && table.line.size() == samples, "samples are lost");
    FUZZ_REQUIRE(table.amount.size() == samples * table.resources.size(), "amounts are lost");
    for (const double time : table.time) FUZZ_REQUIRE(std::isfinite(time), "no time");
    for (const double amount : table.amount) FUZZ_REQUIRE(std::isnan(amount) || amount >= 0, "a negative amount");
    const auto rules = stowage::cli::learn::size_rules({}, table.resources);
    const auto question = stowage::cli::learn::encode_usage(table, rules, 3, 86'400);
    stowage_buffer sizes{nullptr, 0};
    stowage_error error{};
    const stowage_status status = stowage_size(question.data(), question.size(), &sizes, &error);
    stowage_buffer_free(&sizes);
    stowage::fuzz::require_status(status, error, {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_LIMIT_EXCEEDED});
  } catch (const stowage::cli::Failure& failure) {
    stowage::fuzz::require_reason(failure.what(), file, text);
  }
  return 0;
}
