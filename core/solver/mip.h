// The interface to a solver of linear programs, some of whose columns may have to be whole. The core has none: whoever calls
// the library brings one along. A solver is not believed: what it answers goes through check_answer().
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace stowage {

struct Control;

/// Whether a caller can bring a solver along in this build.
#ifdef STOWAGE_NO_SOLVERS
inline constexpr bool kSolversCanBeSet = false;
#else
inline constexpr bool kSolversCanBeSet = true;
#endif

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// minimize cost x subject to row_lower <= A x <= row_upper, lower <= x <= upper, and x whole where `whole` says so.
struct Program {
  std::vector<double> cost;
  std::vector<double> lower;  ///< -kInfinity for none
  std::vector<double> upper;  ///< kInfinity for none
  std::vector<std::uint8_t> whole;
  std::vector<double> row_lower;
  std::vector<double> row_upper;
  std::vector<std::uint64_t> row_begin = {0};  ///< rows() + 1
  std::vector<std::uint32_t> entry_column;     ///< by row; no column twice in a row
  std::vector<double> entry_value;
  /// Values to start from, columns() of them, or empty. They need not be feasible.
  std::vector<double> start;

  struct Term {
    std::uint32_t column;
    double factor;
  };

  [[nodiscard]] std::size_t columns() const { return cost.size(); }
  [[nodiscard]] std::size_t rows() const { return row_lower.size(); }
  std::uint32_t add_column(double column_cost, double column_lower, double column_upper, bool is_whole);
  /// Terms of the same column are added up.
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
  kFailed,      ///< nothing can be said
  kOptimal,     ///< within the gap that was asked for
  kFeasible,    ///< values, ended by a limit or cancelled
  kUnsolved,    ///< no values, ended by a limit or cancelled
  kInfeasible,  ///< there are no values
  kUnbounded,   ///< values of any cost, or none: solvers need not tell
};

struct Answer {
  AnswerStatus status = AnswerStatus::kFailed;
  double objective = 0;
  double bound = -kInfinity;   ///< no values cost less
  std::vector<double> values;  ///< columns() of them where the status says that there are any
  std::vector<double> duals;   ///< rows() of them for programs without whole columns, or empty
  std::uint64_t nodes = 0;     ///< of a search tree, as counted against SolverLimits::nodes
};

/// Any number of programs may be solved, one after the other.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver(Solver&&) = delete;
  Solver& operator=(const Solver&) = delete;
  Solver& operator=(Solver&&) = delete;
  virtual ~Solver() = default;
  /// @param control whose cancel flag the solver heeds; may be null
  virtual Answer solve(const Program& program, const SolverLimits& limits, const Control* control) = 0;
};

/// How far values may be outside of their bounds and rows, relative to the numbers involved, and whole ones from being whole.
inline constexpr double kSolverTolerance = 1e-6;

/// What of an answer holds. Whole values are rounded. With values that are missing, no numbers, not whole, or outside of bounds
/// and rows, the answer is kFailed. The objective is computed anew. A bound that the values contradict is dropped; without a
/// bound nothing is kOptimal. Duals of a wrong number, or that are no numbers, are dropped.
Answer check_answer(const Program& program, Answer answer);

}  // namespace stowage
