// HiGHS behind the solver interface of stowage.h. Uses the C API of HiGHS, which does not depend on the C++ library that HiGHS
// was compiled with.

#include "capi/highs/highs.h"

#include <interfaces/highs_c_api.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

namespace {

struct DestroyHighs {
  void operator()(void* highs) const { Highs_destroy(highs); }
};

void interrupt_when_cancelled(int /*kind*/, const char* /*message*/, const HighsCallbackDataOut* /*out*/,
                              HighsCallbackDataIn* in, void* watched) {
  if (in == nullptr) return;
  stowage_progress progress = STOWAGE_PROGRESS_INIT;
  const stowage_control* control = *static_cast<const stowage_control**>(watched);
  const bool known = stowage_control_progress(control, &progress) == STOWAGE_OK;
  in->user_interrupt = known && progress.cancelled != 0 ? 1 : 0;
}

bool pass_program(void* highs, const stowage_program& program) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<HighsInt>::max());
  if (std::max({program.columns, program.rows, program.entries}) >= kMost) return false;
  const double infinity = Highs_getInfinity(highs);
  const auto finite = [&](const double* from, std::uint64_t count) {
    std::vector<double> to(from, from + count);
    for (double& value : to) value = std::clamp(value, -infinity, infinity);
    return to;
  };
  const std::vector<double> lower = finite(program.lower, program.columns);
  const std::vector<double> upper = finite(program.upper, program.columns);
  const std::vector<double> row_lower = finite(program.row_lower, program.rows);
  const std::vector<double> row_upper = finite(program.row_upper, program.rows);
  const std::vector<HighsInt> begin(program.row_begin, program.row_begin + program.rows + 1);
  const std::vector<HighsInt> column(program.entry_column, program.entry_column + program.entries);
  std::vector<HighsInt> kind(program.columns);
  for (std::uint64_t c = 0; c < program.columns; ++c) {
    kind[c] = program.whole[c] != 0 ? kHighsVarTypeInteger : kHighsVarTypeContinuous;
  }
  const bool linear = std::find(program.whole, program.whole + program.columns, 1) == program.whole + program.columns;
  const auto columns = static_cast<HighsInt>(program.columns);
  const auto rows = static_cast<HighsInt>(program.rows);
  const auto entries = static_cast<HighsInt>(program.entries);
  if (linear) {
    return Highs_passLp(highs, columns, rows, entries, kHighsMatrixFormatRowwise, kHighsObjSenseMinimize, 0, program.cost,
                        lower.data(), upper.data(), row_lower.data(), row_upper.data(), begin.data(), column.data(),
                        program.entry_value) != kHighsStatusError;
  }
  return Highs_passMip(highs, columns, rows, entries, kHighsMatrixFormatRowwise, kHighsObjSenseMinimize, 0, program.cost,
                       lower.data(), upper.data(), row_lower.data(), row_upper.data(), begin.data(), column.data(),
                       program.entry_value, kind.data()) != kHighsStatusError;
}

std::uint32_t status_of_highs(HighsInt model, bool has_values) {
  switch (model) {
    case kHighsModelStatusOptimal:
    case kHighsModelStatusModelEmpty:
      return STOWAGE_ANSWER_OPTIMAL;
    case kHighsModelStatusInfeasible:
      return STOWAGE_ANSWER_INFEASIBLE;
    case kHighsModelStatusUnbounded:
    case kHighsModelStatusUnboundedOrInfeasible:
      return STOWAGE_ANSWER_UNBOUNDED;
    case kHighsModelStatusTimeLimit:
    case kHighsModelStatusIterationLimit:
    case kHighsModelStatusSolutionLimit:
    case kHighsModelStatusInterrupt:
    case kHighsModelStatusObjectiveBound:
    case kHighsModelStatusObjectiveTarget:
      return has_values ? STOWAGE_ANSWER_FEASIBLE : STOWAGE_ANSWER_UNSOLVED;
    default:
      return STOWAGE_ANSWER_FAILED;
  }
}

void solve_by_highs(const stowage_program& program, const stowage_control* control, stowage_answer& answer) {
  const std::unique_ptr<void, DestroyHighs> owner(Highs_create());
  void* highs = owner.get();
  if (highs == nullptr) return;
  Highs_setBoolOptionValue(highs, "output_flag", 0);
  Highs_setIntOptionValue(highs, "threads", 1);
  Highs_setStringOptionValue(highs, "parallel", "off");
  Highs_setIntOptionValue(highs, "random_seed", static_cast<HighsInt>(program.seed % 1'000'000));
  Highs_setDoubleOptionValue(highs, "mip_rel_gap", program.gap);
  Highs_setDoubleOptionValue(highs, "mip_abs_gap", 0);
  Highs_setDoubleOptionValue(highs, "mip_feasibility_tolerance", 1e-7);
  if (program.seconds > 0) Highs_setDoubleOptionValue(highs, "time_limit", program.seconds);
  if (program.max_nodes > 0) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<HighsInt>::max());
    Highs_setIntOptionValue(highs, "mip_max_nodes", static_cast<HighsInt>(std::min(program.max_nodes, kMost)));
  }
  if (!pass_program(highs, program)) return;
  if (program.start != nullptr) Highs_setSolution(highs, program.start, nullptr, nullptr, nullptr);
  if (control != nullptr) {
    Highs_setCallback(highs, interrupt_when_cancelled, &control);
    for (const HighsInt kind : {kHighsCallbackSimplexInterrupt, kHighsCallbackIpmInterrupt, kHighsCallbackMipInterrupt}) {
      Highs_startCallback(highs, kind);
    }
  }
  if (Highs_run(highs) == kHighsStatusError) return;
  HighsInt primal = kHighsSolutionStatusNone;
  Highs_getIntInfoValue(highs, "primal_solution_status", &primal);
  const bool has_values = primal == kHighsSolutionStatusFeasible;
  answer.status = status_of_highs(Highs_getModelStatus(highs), has_values);
  std::vector<double> column_dual(program.columns);
  std::vector<double> row_value(program.rows);
  std::vector<double> row_dual(program.rows);
  Highs_getSolution(highs, answer.values, column_dual.data(), row_value.data(), row_dual.data());
  if (answer.duals != nullptr) {
    std::copy(row_dual.begin(), row_dual.end(), answer.duals);
    // Without integer columns, the optimum is its own bound.
    if (answer.status == STOWAGE_ANSWER_OPTIMAL) answer.bound = Highs_getObjectiveValue(highs);
  } else {
    Highs_getDoubleInfoValue(highs, "mip_dual_bound", &answer.bound);
    std::int64_t nodes = 0;
    Highs_getInt64InfoValue(highs, "mip_node_count", &nodes);
    answer.nodes = nodes > 0 ? static_cast<std::uint64_t>(nodes) : 0;
  }
}

void solve_guarded(void* /*context*/, const stowage_program* program, const stowage_control* control, stowage_answer* answer) {
  try {
    solve_by_highs(*program, control, *answer);
  } catch (const std::bad_alloc&) {
    answer->status = STOWAGE_ANSWER_FAILED;
  }
}

}  // namespace

extern "C" void stowage_highs(stowage_solver* solver) {
  solver->solve = solve_guarded;
  solver->context = nullptr;
}
