// Calls that have to end in time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tests/soak/soak.h"

namespace stowage::soak {

/// What ends a call: its own deadline, or a cancel.
enum class Cut { kDeadline, kCancel };

/// What a finding says of a call that was late.
inline constexpr std::string_view kGoesOn = " goes on for ";

/// Makes a call that has to end `delay_ms` after its start. Where it goes on for longer than the case allows, it is made again,
/// because the machine may have stopped this process at the wrong moment; three times too long are a finding. The longest time
/// between two looks at the clock is noted.
/// @param control what the call is given; it is set back first
Answer timed(Case& one, const std::string& name, Cut cut, double delay_ms, stowage_control* control,
             const std::function<Answer()>& call);

}  // namespace stowage::soak
