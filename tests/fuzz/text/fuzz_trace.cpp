// Any text as a trace of applications that come and go: refused with its name and a reason, or applications in order.
#include <algorithm>
#include <cmath>

#include "capi/cli/replay/replay.h"
#include "capi/text/base/failure.h"
#include "capi/text/formats/instance_json.h"
#include "tests/fuzz/support/reasons.h"
#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using stowage::cli::replay::TraceApp;
  static const auto kCluster = stowage::cli::encode_instance(stowage::cli::read_instance_json(
      R"({"stowage": 1, "resources": {"cpu": "cores", "memory": "GiB"}, "apps": [{"name": "base", "demand": {"cpu": 1}}],
          "classes": [{"name": "n", "capacity": {"cpu": 4, "memory": 8}}]})",
      "cluster.json", std::uint64_t{1} << 20));
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string file = "trace.csv";
  try {
    const auto trace = stowage::cli::replay::read_trace(text, file, *stowage::wire::GetInstance(kCluster.data()));
    FUZZ_REQUIRE(!trace.empty(), "no application");
    FUZZ_REQUIRE(
        std::is_sorted(trace.begin(), trace.end(), [](const TraceApp& a, const TraceApp& b) { return a.arrives < b.arrives; }),
        "not in order");
    for (const TraceApp& app : trace) {
      FUZZ_REQUIRE(!app.name.empty() && app.name != "base", "a name that is taken");
      FUZZ_REQUIRE(std::isfinite(app.arrives) && app.departs >= app.arrives, "no time");
      FUZZ_REQUIRE(app.demand.size() == 2, "demand is lost");
      for (const double amount : app.demand) FUZZ_REQUIRE(std::isfinite(amount) && amount >= 0, "no amount");
    }
  } catch (const stowage::cli::Failure& failure) {
    stowage::fuzz::require_reason(failure.what(), file, text);
  }
  return 0;
}
