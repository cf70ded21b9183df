#include "core/planners/ask_solver.h"

#include <algorithm>
#include <optional>

namespace stowage {

Answer ask_solver(const PlannerInput& input, const Program& program) {
  SolverLimits limits;
  limits.gap = input.options.number("gap");
  limits.seed = input.request.seed;
  limits.threads = input.request.threads;
  const std::optional<double> seconds = input.run.clock.seconds_left();
  if (seconds) limits.seconds = std::max(*seconds, 1e-3);
  const std::optional<std::uint64_t> nodes = input.run.clock.work_left();
  if (nodes) limits.nodes = std::max<std::uint64_t>(*nodes, 1);
  Answer answer = check_answer(program, input.run.control->solver->solve(program, limits, input.run.control));
  input.run.clock.step(std::min<std::uint64_t>(answer.nodes, nodes.value_or(answer.nodes)));
  input.run.clock.look();
  return answer;
}

}  // namespace stowage
