// The caller's solver behind the core's interface.
#pragma once

#include "capi/include/stowage.h"
#include "core/solver/mip.h"

namespace stowage::capi {

/// Hands programs to the caller's function. Its answers are unchecked; check_answer() decides which parts hold.
class CallersSolver final : public Solver {
 public:
  /// @param owner the control that is passed to the caller's function; may be null
  CallersSolver(const stowage_solver& solver, const stowage_control* owner) : solver_(solver), owner_(owner) {}
  Answer solve(const Program& program, const SolverLimits& limits, const Control* control) override;

 private:
  stowage_solver solver_;
  const stowage_control* owner_;
};

}  // namespace stowage::capi
