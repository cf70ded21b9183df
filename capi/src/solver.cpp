#include "capi/src/callers_solver.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "capi/src/call.h"

namespace stowage::capi {

static_assert(static_cast<int>(AnswerStatus::kUnbounded) == STOWAGE_ANSWER_UNBOUNDED &&
              STOWAGE_ANSWER_END == STOWAGE_ANSWER_UNBOUNDED + 1);

Answer CallersSolver::solve(const Program& program, const SolverLimits& limits, const Control* /*control*/) {
  stowage_program given = {};
  given.struct_size = sizeof given;
  given.columns = program.columns();
  given.rows = program.rows();
  given.entries = program.entry_column.size();
  given.cost = program.cost.data();
  given.lower = program.lower.data();
  given.upper = program.upper.data();
  given.whole = program.whole.data();
  given.row_lower = program.row_lower.data();
  given.row_upper = program.row_upper.data();
  given.row_begin = program.row_begin.data();
  given.entry_column = program.entry_column.data();
  given.entry_value = program.entry_value.data();
  given.start = program.start.empty() ? nullptr : program.start.data();
  given.seconds = limits.seconds;
  given.gap = limits.gap;
  given.max_nodes = limits.nodes;
  given.seed = limits.seed;
  given.threads = limits.threads;

  Answer found;
  found.values.resize(program.columns());
  const bool linear = std::find(program.whole.begin(), program.whole.end(), 1) == program.whole.end();
  if (linear) found.duals.resize(program.rows());
  stowage_answer answer = {};
  answer.struct_size = sizeof answer;
  answer.bound = found.bound;
  answer.values = found.values.data();
  answer.duals = linear ? found.duals.data() : nullptr;
  solver_.solve(solver_.context, &given, owner_, &answer);
  found.bound = answer.bound;
  found.nodes = answer.nodes;
  const bool known = answer.status < STOWAGE_ANSWER_END;
  found.status = known ? static_cast<AnswerStatus>(answer.status) : AnswerStatus::kFailed;
  return found;
}

}  // namespace stowage::capi

extern "C" {

stowage_status stowage_control_set_solver(stowage_control* control, const stowage_solver* solver, stowage_error* error) {
  namespace call = stowage::capi;
  if (control == nullptr) return call::null_argument(error, "control");
  stowage_solver known = STOWAGE_SOLVER_INIT;
  if (solver != nullptr) {
    if (solver->struct_size < sizeof(size_t) || solver->struct_size > sizeof known) {
      return call::fail(error, stowage::Code::kInvalidArgument, "unknown struct_size", "solver.struct_size");
    }
    std::memcpy(&known, solver, solver->struct_size);
    if (known.solve == nullptr) return call::null_argument(error, "solver.solve");
  }
  const call::Use use(&control->in_use);
  if (!use.granted()) return call::fail(error, stowage::Code::kBusy, "a call uses the control", "control");
  return call::guarded(error, [&]() -> stowage_status {
    std::unique_ptr<stowage::Solver> next;
    if (solver != nullptr) next = std::make_unique<call::CallersSolver>(known, control);
    control->solver = std::move(next);
    control->control.solver = control->solver.get();
    return STOWAGE_OK;
  });
}

}  // extern "C"
