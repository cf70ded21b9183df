// Scores of an app on a node: P0, section 4.3, table 3.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/instance.h"
#include "core/placement/residuals.h"
#include "core/simd/kernels.h"

namespace stowage {

enum class Score : std::uint8_t { kDotProduct, kL2Norm, kFitness, kTightFill };

inline constexpr Score kScores[] = {Score::kDotProduct, Score::kL2Norm, Score::kFitness, Score::kTightFill};

/// The score's spelling in planner names, such as "dotproduct".
constexpr std::string_view score_name(Score score) {
  switch (score) {
    case Score::kDotProduct:
      return "dotproduct";
    case Score::kL2Norm:
      return "l2norm";
    case Score::kFitness:
      return "fitness";
    case Score::kTightFill:
      return "tightfill";
  }
  return "";
}

/// Demand s_ih and residuals C_nh are in shares of the largest capacity of any class. Every score but L2Norm is the dot product
/// of a row of the app and a vector of the node; W_h is the total demand:
///   DotProduct  s_ih            x  C_nh
///   Fitness     s_ih / W_h      x  C_nh / sum over open nodes of C_kh
///   TightFill   s_ih            x  1 / C_nh
///   L2Norm      - sum of (C_nh - s_ih)^2
class ScoreMeasure {
 public:
  ScoreMeasure(const Instance& instance, Score score);

  /// Whether the score depends on the residual sums over all open nodes.
  [[nodiscard]] bool needs_totals() const { return score_ == Score::kFitness; }
  /// Writes the app's row, dims() entries.
  void app_row(AppId app, double* row) const;

  /// Makes the node the one that operator() scores, with its present residuals.
  template <class Unit>
  void look_at(const Residuals<Unit>& residuals, NodeId node) {
    look_at(residuals, node, residuals.totals());
  }
  /// The same with given residual sums over the open nodes.
  /// @param totals scaled units, dims() entries; may be empty unless needs_totals()
  template <class Unit>
  void look_at(const Residuals<Unit>& residuals, NodeId node, std::span<const std::int64_t> totals) {
    for (std::size_t h = 0; h < node_.size(); ++h) {
      const auto h32 = static_cast<std::uint32_t>(h);
      const double residual = residuals.residual(node, h32) * share_[h];
      switch (score_) {
        case Score::kDotProduct:
        case Score::kL2Norm:
          node_[h] = residual;
          break;
        case Score::kFitness: {
          const double total = static_cast<double>(totals[h]) * share_[h];
          node_[h] = total > 0 ? residual / total : 0;
          break;
        }
        case Score::kTightFill:
          node_[h] = residual > 0 ? 1 / residual : 0;
          break;
      }
    }
  }

  /// The vector of the node last looked at, dims() entries.
  [[nodiscard]] std::span<const double> node_vector() const { return node_; }
  /// Score of the app with this row on the node last looked at. Higher is better.
  [[nodiscard]] double operator()(const double* row) const {
    const std::size_t dims = node_.size();
    if (dims <= 4) {  // calling a kernel would cost more than the sum
      double sum = 0;
      for (std::size_t h = 0; h < dims; ++h) {
        sum += score_ == Score::kL2Norm ? -(node_[h] - row[h]) * (node_[h] - row[h]) : node_[h] * row[h];
      }
      return sum;
    }
    return score_ == Score::kL2Norm ? -kernels_->squared_distance(node_.data(), row, dims)
                                    : kernels_->dot(node_.data(), row, dims);
  }

 private:
  const Instance* instance_;
  const Kernels<std::int32_t>* kernels_;
  Score score_;
  std::vector<double> share_;       // per dimension: one scaled unit in shares of a node
  std::vector<double> per_demand_;  // per dimension: factor of the app's row, 1 / W_h for Fitness
  std::vector<double> node_;
};

}  // namespace stowage
