// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <vector>

namespace stowage {

/// Columns of numbers that apps may have; instance.fbs says what they mean.
struct NumbersOfApps {
  std::vector<std::int32_t> priority{};
  std::vector<double> weight{};
};

/// What one app has of them.
struct AppNumbers {
  std::int32_t priority = 0;
  double weight = 1;
};

/// Calls visit(name, column, number, whether a number is above 0) for each of them.
template <class Visit>
void visit_app_numbers(Visit&& visit) {
  visit("priority", &NumbersOfApps::priority, &AppNumbers::priority, false);
  visit("weight", &NumbersOfApps::weight, &AppNumbers::weight, true);
}

}  // namespace stowage
