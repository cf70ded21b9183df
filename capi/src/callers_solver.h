// A solver that the caller brings along, as the core sees it.
#pragma once

#include "capi/include/stowage.h"
#include "core/solver/mip.h"

namespace stowage::capi {

/// Hands programs to the caller's function. What comes back is as good as that is: check_answer() says what of it holds.
class CallersSolver final : public Solver {
 public:
  /// @param owner the control that the function is called with; may be null
  CallersSolver(const stowage_solver& solver, const stowage_control* owner) : solver_(solver), owner_(owner) {}
  Answer solve(const Program& program, const SolverLimits& limits, const Control* control) override;

 private:
  stowage_solver solver_;
  const stowage_control* owner_;
};

}  // namespace stowage::capi
