// Any text as the objects of a Kubernetes cluster. The first byte chooses the question.
#include <stowage_k8s.h>

#include <array>
#include <string_view>

#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fuzz = stowage::fuzz;
  constexpr std::array<std::string_view, 6> kRequests = {
      R"({"arguments": ["all", "-json", "-placements", "-work", "2000"]})",
      R"({"arguments": ["fit", "-work", "2000"]})",
      R"({"arguments": ["drain", "n1", "-work", "2000"]})",
      R"({"arguments": ["explain", "web", "-work", "2000"]})",
      R"({"arguments": ["consolidate", "-moves", "1", "-work", "2000"]})",
      R"({"arguments": ["instance", "-json"]})",
  };
  if (size == 0) return 0;
  const std::string_view request = kRequests[data[0] % kRequests.size()];
  std::int32_t code = -1;
  stowage_buffer answer{};
  stowage_error error{};
  const stowage_status status = stowage_k8s_answer(request.data(), request.size(), reinterpret_cast<const char*>(data) + 1,
                                                   size - 1, nullptr, &code, &answer, &error);
  fuzz::require_status(
      status, error,
      {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_NOT_FOUND, STOWAGE_UNSUPPORTED, STOWAGE_LIMIT_EXCEEDED});
  if (status == STOWAGE_OK) {
    FUZZ_REQUIRE(code == 0 || code == 2 || code == 4, "an exit code that no page has");
    FUZZ_REQUIRE(answer.size > 0, "an answer that says nothing");
  }
  stowage_buffer_free(&answer);
  return 0;
}
