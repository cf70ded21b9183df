// The interface to a solver of mixed-integer linear programs. The core has no solver: the library's caller may provide one.
// Answers of a solver are not trusted, they go through check_answer().
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace stowage {

struct Control;

/// Whether a caller can provide a solver in this build.
#ifdef STOWAGE_NO_SOLVERS
inline constexpr bool kSolversCanBeSet = false;
#else
inline constexpr bool kSolversCanBeSet = true;
#endif

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// minimize cost x subject to row_lower <= A x <= row_upper, lower <= x <= upper, and x whole where `whole` is 1.
struct Program {
  std::vector<double> cost;
  std::vector<double> lower;  ///< -kInfinity for none
  std::vector<double> upper;  ///< kInfinity for none
  std::vector<std::uint8_t> whole;
  std::vector<double> row_lower;
  std::vector<double> row_upper;
  std::vector<std::uint64_t> row_begin = {0};  ///< rows() + 1
  std::vector<std::uint32_t> entry_column;     ///< by row; no row has a column twice
  std::vector<double> entry_value;
  /// columns() values to start from, which need not be feasible; or empty.
  std::vector<double> start;

  struct Term {
    std::uint32_t column;
    double factor;
  };

  [[nodiscard]] std::size_t columns() const { return cost.size(); }
  [[nodiscard]] std::size_t rows() const { return row_lower.size(); }
  std::uint32_t add_column(double column_cost, double column_lower, double column_upper, bool is_whole);
  /// Adds a row; terms of the same column are summed.
  void add_row(double least, double most, std::span<const Term> terms);
};

struct SolverLimits {
  double seconds = 0;       ///< 0: none
  std::uint64_t nodes = 0;  ///< of a search tree; 0: none
  double gap = 0;           ///< ends where |objective - bound| <= gap x |objective|
  std::uint32_t threads = 1;
  std::uint64_t seed = 0;
};

enum class AnswerStatus : std::uint8_t {
  kFailed,      ///< nothing is known
  kOptimal,     ///< values within the requested gap
  kFeasible,    ///< values; a limit or the cancel flag ended the search
  kUnsolved,    ///< no values; a limit or the cancel flag ended the search
  kInfeasible,  ///< no values exist
  kUnbounded,   ///< values of any cost exist, or none do; solvers need not distinguish these
};

struct Answer {
  AnswerStatus status = AnswerStatus::kFailed;
  double objective = 0;
  double bound = -kInfinity;   ///< no values cost less
  std::vector<double> values;  ///< columns() values where the status is kOptimal or kFeasible
  std::vector<double> duals;   ///< rows() values for programs without whole columns, or empty
  std::uint64_t nodes = 0;     ///< of a search tree, counted as for SolverLimits::nodes
};

/// Solves any number of programs, one at a time.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver(Solver&&) = delete;
  Solver& operator=(const Solver&) = delete;
  Solver& operator=(Solver&&) = delete;
  virtual ~Solver() = default;
  /// @param control its cancel flag ends the solver; may be null
  virtual Answer solve(const Program& program, const SolverLimits& limits, const Control* control) = 0;
};

/// Relative tolerance of bounds and rows, and of whole values.
inline constexpr double kSolverTolerance = 1e-6;

/// The part of an answer that holds. Whole columns are rounded. An answer whose values are missing, no numbers, not whole, or
/// outside of bounds and rows becomes kFailed. The objective is recomputed from the values. A bound that the values contradict
/// is dropped; without a bound, kOptimal becomes kFeasible. Duals are dropped where there are not rows() numbers.
Answer check_answer(const Program& program, Answer answer);

}  // namespace stowage
