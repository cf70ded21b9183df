// Finds the group of apps with the best score on a node, which node-centric and matching planners need at every step.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/measures/score.h"
#include "core/placement/residuals.h"
#include "core/planners/lists/app_groups.h"
#include "core/planners/lists/group_columns.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Groups are sorted by priority and demand; 64 groups form a block, and 64 blocks a table. At both levels, two tests run over
/// 64 lanes at once: whether the node has room (see GroupColumns), and whether the score can reach the best one found so far.
/// The second test compares an upper bound that is linear in a few coefficients of the group. Groups that pass are scored
/// exactly.
///
/// The bound: all scores of P0, table 3 are sums of s_h w_h (L2Norm: 2 s_h w_h - s_h^2 - w_h^2), with s of the group and w of
/// the node. Over a stretch of n periods, with S the sum of s, m the mean of w, and |.| the norm of deviations from the mean,
/// the sum of s_h w_h is at most S m + |s| |w| (Cauchy-Schwarz). With up to 4 periods each stretch is one period, and the bound
/// is the score. A margin covers rounding.
template <class Unit>
class GroupScores {
 public:
  struct Best {
    std::uint32_t group = kNone;
    std::int32_t priority = 0;
    double score = 0;
  };

  GroupScores(const Instance& instance, const Residuals<Unit>& residuals, const AppGroups<Unit>& groups, Score score)
      : instance_(&instance),
        kernels_(&best_kernels<Unit>()),
        is_distance_(score == Score::kL2Norm),
        score_(instance, score),
        dims_(instance.dims()),
        columns_(groups.size(), residuals.column_count()),
        stretches_(std::min(instance.periods(), kMostStretches)) {
    width_ = instance.resources() * stretches_ * (has_deviations() ? 2 : 1) + (is_distance_ ? 1 : 0);
    weight_.resize(width_);
    rows_.resize(std::size_t{groups.size()} * dims_);
    needs_.resize(groups.size());
    priority_.resize(groups.size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      const AppId first = groups.members(g)[0];
      score_.app_row(first, row(g));
      residuals.prepare(first, needs_[g]);
      priority_[g] = instance.priority(first);
    }
    fill_table();
  }

  [[nodiscard]] bool needs_totals() const { return score_.needs_totals(); }
  [[nodiscard]] const typename Residuals<Unit>::Need& need(std::uint32_t group) const { return needs_[group]; }

  /// Excludes the group for good.
  void drop(std::uint32_t group) { columns_.drop(slot_of_[group]); }
  /// Excludes the group until include_all().
  void exclude(std::uint32_t group) {
    const std::size_t slot = slot_of_[group];
    excluded_[slot / kBlock] |= std::uint64_t{1} << (slot % kBlock);
    touched_.push_back(static_cast<std::uint32_t>(slot / kBlock));
  }
  void include_all() {
    for (const std::uint32_t block : touched_) excluded_[block] = 0;
    touched_.clear();
  }

  /// Reads the node's current residuals for best().
  void look_at(const Residuals<Unit>& residuals, NodeId node) { look_at(residuals, node, residuals.totals()); }
  /// The same with residual sums from another time.
  void look_at(const Residuals<Unit>& residuals, NodeId node, std::span<const std::int64_t> totals) {
    node_ = node;
    residuals_ = &residuals;
    columns_.look_at(residuals, node);
    score_.look_at(residuals, node, totals);
    weigh_node();
  }

  /// Of the groups that fit on the node last looked at and are not excluded: the one with the highest priority, then the
  /// highest score, then the lowest index. Groups that fit by the columns, but not by the full vector, are excluded.
  Best best() {
    Best best;
    double bounds[kBlock];
    for (std::size_t table = 0; table < columns_.tables(); ++table) {
      std::uint64_t fitting = columns_.fitting_blocks(table);
      if (fitting == 0) continue;
      ++work_;
      if ((fitting & (fitting - 1)) == 0 && best.group == kNone) {
        search_block(table * kBlock + static_cast<std::size_t>(std::countr_zero(fitting)), best);
        continue;
      }
      kernels_->block_dot(block_coefficients_.data() + table * kBlock, block_slots_, weight_.data(), width_, bounds);
      // Search the block with the highest bound first: its best score rules out most other blocks.
      std::size_t first = static_cast<std::size_t>(std::countr_zero(fitting));
      const std::int32_t priority = block_priority_[table * kBlock + first];
      for (std::uint64_t rest = fitting & (fitting - 1); rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        if (bounds[lane] > bounds[first] && block_priority_[table * kBlock + lane] == priority) first = lane;
      }
      if (best.group == kNone) {
        search_block(table * kBlock + first, best);
        fitting &= ~(std::uint64_t{1} << first);
      }
      for (; fitting != 0; fitting &= fitting - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(fitting));
        const std::size_t block = table * kBlock + lane;
        if (best.group != kNone) {
          // Blocks are sorted by priority.
          if (block_priority_[block] < best.priority) return best;
          const bool one_priority = block_priority_[block] == best.priority;
          if (one_priority && bounds[lane] * kMargin + offset_ < best.score) continue;
        }
        search_block(block, best);
      }
    }
    return best;
  }

  /// Blocks and tables searched since the last call.
  std::uint64_t take_work() {
    const std::uint64_t work = work_;
    work_ = 0;
    return work;
  }

 private:
  static constexpr std::uint32_t kMostStretches = 4;
  static constexpr double kMargin = 1 + 1e-9;

  [[nodiscard]] bool has_deviations() const { return instance_->periods() > stretches_; }
  [[nodiscard]] double* row(std::uint32_t group) { return rows_.data() + std::size_t{group} * dims_; }
  [[nodiscard]] const double* row(std::uint32_t group) const { return rows_.data() + std::size_t{group} * dims_; }

  void fill_table() {
    const auto groups = static_cast<std::uint32_t>(needs_.size());
    sort_slots();
    slot_of_.resize(groups);
    slots_ = columns_.blocks() * kBlock;
    block_slots_ = columns_.tables() * kBlock;
    coefficients_.assign(width_ * slots_, 0.0);
    block_coefficients_.assign(width_ * block_slots_, -std::numeric_limits<double>::infinity());
    excluded_.assign(columns_.blocks(), 0);
    block_priority_.assign(columns_.blocks(), 0);
    std::vector<double> coefficients(width_);
    for (std::size_t slot = 0; slot < groups; ++slot) {
      const std::uint32_t group = group_at_[slot];
      const std::size_t block = slot / kBlock;
      slot_of_[group] = static_cast<std::uint32_t>(slot);
      if (slot % kBlock == 0) block_priority_[block] = priority_[group];
      columns_.set(slot, needs_[group]);
      weigh_group(group, coefficients.data());
      for (std::uint32_t k = 0; k < width_; ++k) {
        coefficients_[k * slots_ + slot] = coefficients[k];
        double& largest = block_coefficients_[k * block_slots_ + block];
        largest = std::max(largest, coefficients[k]);
      }
    }
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t block = columns_.blocks(); block < block_slots_; ++block)
        block_coefficients_[k * block_slots_ + block] = 0;
    }
  }

  // Bounds and fits of a block are tighter when its groups are similar. So groups are sorted by their need of the first
  // resource, and strips of that order by their need of the second.
  void sort_slots() {
    const auto groups = static_cast<std::uint32_t>(needs_.size());
    group_at_.resize(groups);
    std::iota(group_at_.begin(), group_at_.end(), 0);
    std::vector<double> size(groups);
    const auto sort = [&](auto first, auto last, ResourceId resource) {
      const std::uint32_t periods = instance_->periods();
      for (auto at = first; at != last; ++at) {
        const double* of_resource = row(*at) + std::size_t{resource} * periods;
        size[*at] = std::accumulate(of_resource, of_resource + periods, 0.0);
      }
      std::stable_sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
        return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : size[a] > size[b];
      });
    };
    sort(group_at_.begin(), group_at_.end(), 0);
    if (instance_->resources() == 1) return;
    const std::size_t strip = kBlock * static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(columns_.blocks()))));
    for (std::size_t first = 0; first < groups; first += strip) {
      const std::size_t last = std::min<std::size_t>(groups, first + strip);
      sort(group_at_.begin() + static_cast<std::ptrdiff_t>(first), group_at_.begin() + static_cast<std::ptrdiff_t>(last), 1);
    }
  }

  // Calls visit(first, length) for every stretch of every resource.
  template <class Visit>
  void for_each_stretch(Visit&& visit) const {
    const std::uint32_t periods = instance_->periods();
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      for (std::uint32_t k = 0; k < stretches_; ++k) {
        const std::uint32_t first = k * periods / stretches_;
        visit(r * periods + first, (k + 1) * periods / stretches_ - first);
      }
    }
  }
  static double deviation(const double* values, std::uint32_t length, double mean) {
    double sum = 0;
    for (std::uint32_t h = 0; h < length; ++h) sum += (values[h] - mean) * (values[h] - mean);
    return std::sqrt(sum);
  }

  void weigh_group(std::uint32_t group, double* coefficients) const {
    const double* s = row(group);
    for_each_stretch([&](std::uint32_t first, std::uint32_t length) {
      const double sum = std::accumulate(s + first, s + first + length, 0.0);
      *coefficients++ = sum;
      if (has_deviations()) *coefficients++ = deviation(s + first, length, sum / length);
    });
    if (is_distance_) *coefficients = -std::inner_product(s, s + dims_, s, 0.0);
  }
  void weigh_node() {
    const double* w = score_.node_vector().data();
    const double factor = is_distance_ ? 2 : 1;
    double* weight = weight_.data();
    for_each_stretch([&](std::uint32_t first, std::uint32_t length) {
      const double mean = std::accumulate(w + first, w + first + length, 0.0) / length;
      *weight++ = factor * mean;
      if (has_deviations()) *weight++ = factor * deviation(w + first, length, mean);
    });
    offset_ = 0;
    if (is_distance_) {
      *weight = 1;
      offset_ = -std::inner_product(w, w + dims_, w, 0.0) * (1 - 8 * (kMargin - 1));
    }
  }

  void search_block(std::size_t block, Best& best) {
    std::uint64_t fitting = columns_.fitting_slots(block) & ~excluded_[block];
    if (fitting == 0) return;
    ++work_;
    double bounds[kBlock];
    kernels_->block_dot(coefficients_.data() + block * kBlock, slots_, weight_.data(), width_, bounds);
    for (; fitting != 0; fitting &= fitting - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(fitting));
      const std::uint32_t group = group_at_[block * kBlock + lane];
      if (best.group != kNone) {
        if (priority_[group] < best.priority) return;
        if (priority_[group] == best.priority && bounds[lane] * kMargin + offset_ < best.score) continue;
      }
      if (!residuals_->fits(needs_[group], node_)) {
        exclude(group);
        continue;
      }
      const double score = score_(row(group));
      const bool better = best.group == kNone || priority_[group] > best.priority || score > best.score ||
                          (score == best.score && group < best.group);
      if (better) best = {group, priority_[group], score};
    }
  }

  const Instance* instance_;
  const Kernels<Unit>* kernels_;
  bool is_distance_;
  ScoreMeasure score_;
  std::uint32_t dims_;
  GroupColumns<Unit> columns_;
  std::uint32_t stretches_;
  std::uint32_t width_ = 0;  // coefficients per group
  std::vector<double> rows_;
  std::vector<typename Residuals<Unit>::Need> needs_;
  std::vector<std::int32_t> priority_;

  std::vector<std::uint32_t> group_at_;  // by slot
  std::vector<std::uint32_t> slot_of_;
  std::size_t slots_ = 0;
  std::size_t block_slots_ = 0;
  std::vector<double> coefficients_;          // by coefficient and slot
  std::vector<double> block_coefficients_;    // maxima, by coefficient and block
  std::vector<std::int32_t> block_priority_;  // of each block's first group
  std::vector<std::uint64_t> excluded_;
  std::vector<std::uint32_t> touched_;  // blocks with excluded groups

  const Residuals<Unit>* residuals_ = nullptr;
  NodeId node_ = kNone;
  std::vector<double> weight_;
  double offset_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace stowage
