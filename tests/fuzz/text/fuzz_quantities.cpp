// Any text as a number, quantity, duration or share. A result is finite, and is read again from its shortest form.
#include "capi/text/base/quantities.h"

#include <cmath>
#include <string_view>

#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cli = stowage::cli;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t space = text.find('\n');
  const std::string_view unit = space == std::string_view::npos ? "GiB" : text.substr(space + 1);
  const std::string_view amount = text.substr(0, space);

  for (const std::string_view u : {unit, std::string_view("cores"), std::string_view()}) {
    const auto quantity = cli::parse_quantity(amount, u);
    if (quantity) {
      FUZZ_REQUIRE(std::isfinite(*quantity), "a quantity that is not finite");
      FUZZ_REQUIRE(cli::parse_quantity(cli::shortest(*quantity), u) == quantity, "the shortest form is another quantity");
    } else {
      cli::suggest_quantity(amount, u);
    }
  }
  if (const auto number = cli::parse_number(amount)) {
    FUZZ_REQUIRE(cli::parse_number(cli::shortest(*number)) == number, "the shortest form is another number");
    FUZZ_REQUIRE(!cli::for_people(*number).empty(), "no text");
  }
  if (const auto whole = cli::parse_whole(amount)) {
    FUZZ_REQUIRE(cli::parse_whole(std::to_string(*whole)) == whole, "the digits are another number");
  }
  if (const auto duration = cli::parse_duration(amount)) FUZZ_REQUIRE(duration->count() >= 0, "a negative duration");
  if (const auto share = cli::parse_share(amount)) FUZZ_REQUIRE(*share >= 0 && *share <= 1, "a share that is none");
  return 0;
}
