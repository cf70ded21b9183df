// What the tests of stowage-lab share beside those of stowage.
#pragma once

#include "capi/lab/app.h"
#include "tests/cli/test_support.h"

namespace stowage::cli::testing {

inline Outcome run_lab(const std::vector<std::string>& arguments) { return run_with(lab::run_app, arguments); }

}  // namespace stowage::cli::testing
