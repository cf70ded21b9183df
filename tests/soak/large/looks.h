// How long a call goes without a look at the clock. A program that links looks.cpp reads the steady clock through it
// (LINKER:--wrap, see CMakeLists.txt).
#pragma once

#include <cstdint>

namespace stowage::soak {

/// Between two looks of the calling thread, its beginning and its end included.
struct Looks {
  double longest = 0;  ///< milliseconds of processor time
  std::uint64_t count = 0;
};

/// Begins to measure the calling thread.
void begin_looks();
/// Ends that.
Looks end_looks();

}  // namespace stowage::soak
