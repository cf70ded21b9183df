// The ways to find the content that is worth most (best_content.h), by one relaxation: depth first, by a table, and by labels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/columns/best_content.h"

namespace stowage {

/// Relative to the sum of what is added up.
inline constexpr double kContentRounding = 1e-10;

class ContentSearch {
 public:
  ContentSearch(const BestContent& of, const BestContent::Part& part, std::span<const std::uint32_t> wanted, double floor,
                Effort& effort);

  /// Depth first, at most so many operations. Returns how many are left; 0: there is more to find.
  std::uint64_t descend(std::uint64_t most);
  /// Whether one dimension alone costs something at the relaxation's prices.
  [[nodiscard]] bool may_fill_table() const { return tight_.size() == 1; }
  /// The same with a table of what the items from each on are worth at most, by the room that is left. The table takes a part
  /// of the operations.
  std::uint64_t descend_by_table(std::uint64_t most);
  /// Whether what may be added to a content depends on nothing but its room.
  [[nodiscard]] bool may_label() const;
  /// The same by labels: contents of the first items, without those that another one dominates. Dimensions that cost nothing do
  /// not count between labels, so that some may be too large.
  std::uint64_t label(std::uint64_t most);

  /// No content is worth more, once a search has ended.
  [[nodiscard]] double upper() const { return std::max(floor_, too_large_); }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] std::vector<ItemContent>& contents() { return contents_; }

 private:
  using Worths = BestContent::Worths;
  /// So many of the largest worths bound what a few more replicas are worth.
  static constexpr std::size_t kLargest = 4;

  /// @param cells of all positions together
  void fill_table(std::size_t cells);
  /// What positions from p on may add at most, by the table.
  [[nodiscard]] double by_table(std::size_t p, double room) const {
    return table_[p * width_ + std::min(width_ - 1, static_cast<std::size_t>(room * cells_per_room_))];
  }
  /// Extends the content by positions from p on.
  void extend_by_table(std::size_t p, double value, double room);

  /// Steps of one item count as soon as its replicas are chosen, others when a content is complete.
  void sort_steps();
  [[nodiscard]] double worth_of(std::uint32_t p, std::uint32_t copies) const {
    double worth = worth_[p] * copies;
    for (const auto& [least, added] : single_[p]) worth += copies >= least ? added : 0;
    return worth;
  }
  struct Label {
    double value;
    double room;           // at the relaxation's prices
    std::uint32_t parent;  // of labels_
    std::uint32_t copies;  // of the item that was added
  };
  /// Sums over positions, and largest densities from a position on.
  void sum_up();
  /// What positions from p on may add at most.
  [[nodiscard]] double most_from(std::size_t p, double room) const;
  /// Adds any number of the item to each label. Returns the labels to go on from, whose rooms are in rooms_.
  std::vector<std::uint32_t> add_item(std::uint32_t p, const std::vector<std::uint32_t>& open);
  /// Those that no other one dominates.
  std::vector<std::uint32_t> undominated(const std::vector<std::uint32_t>& made);
  /// Whether no step leaves as much of both; then this becomes one.
  bool add_stair(std::map<std::int64_t, std::int64_t>& stairs, std::int64_t first, std::int64_t second);
  /// Whether none of the kept ones leaves as much.
  /// @param others, own what they and it leave where it counts: larger numbers are more
  bool is_undominated(const std::vector<std::int64_t>& others, std::size_t kept, const std::vector<std::int64_t>& own);
  /// Replicas that tight dimensions let in.
  [[nodiscard]] std::uint32_t tight_room_for(std::uint32_t p) const;
  [[nodiscard]] bool is_too_large() const;
  void take_label(const Label& label, std::uint32_t p);

  void count(std::uint64_t operations) {
    work_left_ = effort_.add(operations) ? 0 : work_left_ - std::min(work_left_, operations);
  }

  /// Extends the content by items of stack_[from, to), which are positions by density.
  void visit(std::size_t from, std::size_t to, double value, double room);
  void extend(std::size_t begin, std::size_t end, double value, double room);
  /// Keeps positions that have room. Returns how many replicas of them can be added together at most; 0 where they are not
  /// worth so much more.
  std::uint32_t keep_what_fits(std::size_t from, std::size_t to, double wanted);
  /// The best replica of stack_[begin, end), where there are no steps of several items.
  void add_one(std::size_t begin, std::size_t end, double value);
  /// The best two, likewise.
  void add_two(std::size_t begin, std::size_t end, double value);
  /// Whether one replica has room.
  [[nodiscard]] bool has_room(std::uint32_t p) const;
  /// Replicas that have room, also at the relaxation's prices.
  [[nodiscard]] std::uint32_t most_within(std::uint32_t p, double room) const;
  [[nodiscard]] std::uint32_t room_for(std::uint32_t p) const;
  [[nodiscard]] std::uint32_t room_at_confidence(std::uint32_t p) const;
  [[nodiscard]] std::uint32_t room_in(std::size_t d, std::uint32_t p, std::uint32_t most) const;
  [[nodiscard]] double relaxed(std::size_t at, std::size_t end, double room);
  void put(std::uint32_t p, std::uint32_t copies);
  void put_back(std::uint32_t p, std::uint32_t copies);
  /// Takes the content that is chosen, if it is worth more than the floor.
  /// @param value what it is worth without steps of several items, by the part's least use
  void take(double value);
  /// Used capacity of the content that is chosen beyond the part's least use, which is no less in the part's interval.
  [[nodiscard]] double more_use() const;

  const BestContent& of_;
  const BestContent::Part& part_;
  const ColumnProblem& problem_;
  const Worths& worths_;
  Effort& effort_;
  std::size_t dims_;
  double floor_;
  double fixed_;      // of any content
  double bonus_ = 0;  // what steps of several items may add
  std::uint64_t work_left_ = 0;
  double room_ = 0;                                              // at the relaxation's prices
  std::vector<std::size_t> tight_;                               // dimensions that cost something
  double too_large_ = -std::numeric_limits<double>::infinity();  // the most that a label is worth that does not fit
  // By position: items by density.
  std::vector<std::uint32_t> item_;
  std::vector<double> worth_;  // of a replica without steps, less the part's least use
  std::vector<double> unit_;   // the most that it is worth
  std::vector<double> price_;  // what capacity charges for it
  std::vector<std::uint32_t> most_;
  std::vector<std::int64_t> demand_;
  std::vector<double> density_;  // worth per demand, at most
  std::vector<std::int64_t> risk_;
  std::vector<ResourceId> of_dim_;  // empty where nothing is uncertain
  std::vector<std::vector<std::pair<std::uint32_t, double>>> single_;
  std::vector<std::uint32_t> position_;  // per item
  std::vector<const Worths::Step*> joint_;
  // The content at hand.
  std::vector<std::uint32_t> chosen_;
  std::vector<std::int64_t> left_;
  std::vector<std::int64_t> held_;  // of risk
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> by_worth_;                         // scratch
  std::vector<std::int64_t> least_;                             // scratch
  std::vector<double> densest_;                                 // scratch
  std::vector<std::pair<std::uint32_t, std::uint32_t>> saved_;  // (position, most) before limits of what was put
  std::vector<std::size_t> marks_;
  std::vector<ItemContent> contents_;
  // The table: by position, what it and those after it may add where so many cells of room are left.
  std::vector<double> table_;
  std::size_t width_ = 0;
  double cells_per_room_ = 0;
  // Labels, and those of the last item: left and held of each.
  std::vector<Label> labels_;
  std::vector<std::int64_t> rooms_;
  std::vector<double> prices_;
  std::vector<double> units_;
  std::vector<double> from_;
};

}  // namespace stowage
