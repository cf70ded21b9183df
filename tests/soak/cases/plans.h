// What every plan of the soak has to be.
#pragma once

#include "tests/soak/soak.h"

namespace stowage::soak {

/// What verify says of a plan that a planner made, beside what the plan says of itself.
void compare_with_verify(const stowage_instance* instance, const Bytes& bytes, const Plan& plan);

/// Holds a plan that the library made against verify, the judge and, for some plans, against plans that are made again.
/// Returns it.
Plan look_at_plan(Case& one, const stowage_instance* handle, const test::Generated& generated, const Instance& instance,
                  const Request& request, const Bytes& bytes);

/// Reports on a plan that the library made.
void ask_for_reports(const stowage_instance* instance, const Bytes& plan, std::uint32_t app, const std::string& planner);

}  // namespace stowage::soak
