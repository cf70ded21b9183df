// Any text as a CSV of observations of side effects; the first byte selects the model. The text is refused with its name and a
// reason, or each kind has finite coefficients within their intervals.
#include <cmath>

#include "capi/cli/learn/interference/interference.h"
#include "capi/text/base/failure.h"
#include "tests/fuzz/support/reasons.h"
#include "tests/fuzz/support/support.h"

namespace {

namespace cli = stowage::cli;
namespace learn = stowage::cli::learn;

void require_estimate(const learn::Estimate& one) {
  FUZZ_REQUIRE(std::isfinite(one.value) && one.low >= 0, "no coefficient");
  FUZZ_REQUIRE(one.low <= one.value && one.value <= one.high, "an interval without its coefficient");
}

void require_fits(const learn::LearnedInterference& learned, const learn::FitOptions& options) {
  FUZZ_REQUIRE(learned.of.size() == learned.kinds.size(), "kinds are lost or made up");
  for (const learn::KindFit& fit : learned.of) {
    FUZZ_REQUIRE(fit.coefficient.size() == learned.kinds.size(), "coefficients are lost or made up");
    FUZZ_REQUIRE(fit.condition >= 1 - 1e-9 && fit.condition <= options.max_condition, "a condition out of range");
    FUZZ_REQUIRE(std::isfinite(fit.residual), "no residual");
    for (const learn::Estimate& one : fit.coefficient) require_estimate(one);
    require_estimate(fit.baseline);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  learn::FitOptions options;
  options.model.relative = (data[0] & 1) == 0;
  options.model.baseline = (data[0] & 2) != 0;
  if ((data[0] & 4) != 0) options.max_condition = 1e6;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string file = "observations.csv";
  try {
    const learn::Observations observations = learn::read_observations(text, file, options.model);
    require_fits(learn::learn_interference(observations, file, options), options);
  } catch (const cli::Failure& failure) {
    stowage::fuzz::require_reason(failure.what(), file, text);
  }
  return 0;
}
