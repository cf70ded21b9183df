#include "tests/fuzz/support/scratch.h"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is not in <cstdlib>

#include <system_error>

#include "tests/fuzz/support/support.h"

namespace stowage::fuzz {

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "stowage-fuzz-XXXXXX").string();
  FUZZ_REQUIRE(mkdtemp(pattern.data()) != nullptr, "no temporary folder");
  folder_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace stowage::fuzz
