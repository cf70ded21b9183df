// What a caller shares with a run, to cancel it and to read its progress from any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stowage {

class Solver;

/// Mirrors stowage_phase.
enum class Phase : std::uint32_t { kIdle, kPrepare, kPlan, kImprove, kBound, kVerify, kDone, kEnd };

/// Other threads set `cancelled` and read the rest; the run writes the rest. All accesses are relaxed: no field orders another.
struct Control {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint32_t> phase{0};
  std::atomic<std::uint64_t> done{0};   ///< of `total`, in units of the phase
  std::atomic<std::uint64_t> total{0};  ///< 0: unknown
  std::atomic<std::uint64_t> best{0};   ///< nodes of the best complete plan; 0: there is none
  std::atomic<std::uint64_t> work{0};
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Phase::kEnd)> nanoseconds{};  ///< spent per phase
  Solver* solver = nullptr;  ///< for planners that need one; may change only while no run is active
};

}  // namespace stowage
