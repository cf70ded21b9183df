#include "tests/soak/soak.h"
#include "tests/unit/session/random_day.h"

namespace stowage::soak {

void check_session(Case& one) {
  const std::uint64_t seed = one.random.next();
  constexpr int kOperations = 1500;
  test::RandomDay day(seed, one.random.chance(0.2));
  day.run(kOperations);
  one.count("sessions: days");
  one.count("sessions: operations accepted", static_cast<std::uint64_t>(day.accepted));
  one.count("sessions: operations refused", static_cast<std::uint64_t>(day.refused));
  one.count("sessions: plans", static_cast<std::uint64_t>(day.plans));
  one.count("sessions: commits", static_cast<std::uint64_t>(day.as_planned + day.fitted));
  one.count("sessions: snapshots reopened", static_cast<std::uint64_t>(day.reopened));
}

}  // namespace stowage::soak
