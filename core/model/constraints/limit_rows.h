// Affinity limits in memory: per app, a sorted row of its neighbours in the affinity graph, in both directions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/data/instance_data.h"
#include "core/model/data/types.h"

namespace stowage {

/// The limits between an app and one neighbour. kNone = no limit in that direction.
struct Neighbour {
  AppId app;
  std::uint32_t imposes;  ///< beside the row's app, at most this many replicas of `app`
  std::uint32_t obeys;    ///< beside `app`, at most this many replicas of the row's app
};

/// Affinity limits as columns, with ascending apps in each row; all empty where there are none.
struct LimitLists {
  std::vector<std::uint32_t> row_begin;
  std::vector<AppId> app;
  std::vector<std::uint32_t> at_most;
  [[nodiscard]] LimitColumns view() const { return {row_begin, app, at_most}; }
};

/// An allocator that leaves numbers uninitialized: for large vectors that are written once.
template <class Value>
struct Unfilled : std::allocator<Value> {
  template <class Other>
  struct rebind {                   // NOLINT(readability-identifier-naming): the standard library's names
    using other = Unfilled<Other>;  // NOLINT(readability-identifier-naming)
  };
  template <class Other>
  void construct(Other* at) noexcept {
    ::new (static_cast<void*>(at)) Other;
  }
};

/// All affinity limits between different apps. An entry packs the neighbour's id and two codes into one word, so that one
/// search finds both directions of a pair: [id | code of imposes | code of obeys]. A code is an index into the sorted table of
/// distinct limit values; 0 stands for "no limit". Words have 32 bits where id and codes fit (as for 100,000 apps and 127
/// distinct values), else 64 bits. Self limits are kept apart, in self_limit().
class LimitRows {
 public:
  /// Reads the wire's columns. Errors: kInvalid with the path of the column entry (an id without an app, an app twice in a row,
  /// rows that do not add up), kLimitExceeded where ids and distinct values do not fit into 64 bits.
  static Result<LimitRows> build(const LimitColumns& columns, std::uint32_t apps, WatchRef watch = {});

  [[nodiscard]] std::uint32_t apps() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  [[nodiscard]] bool wide() const { return wide_; }
  [[nodiscard]] std::uint32_t code_bits() const { return code_bits_; }
  [[nodiscard]] std::uint64_t arc_count() const { return arc_count_; }
  [[nodiscard]] std::uint64_t self_limit_count() const { return self_limit_count_; }

  /// Number of distinct neighbours in either direction (the delta_i of P0, section 4.2).
  [[nodiscard]] std::uint32_t degree(AppId app) const { return begin_[app + 1] - begin_[app]; }

  /// At most this many replicas of the app on one node; kNone = no limit.
  [[nodiscard]] std::uint32_t self_limit(AppId app) const { return self_limit_.empty() ? kNone : self_limit_[app]; }

  /// Entries of a row; Word must be std::uint64_t if wide(), else std::uint32_t.
  template <class Word>
  [[nodiscard]] const Word* row(AppId app) const {
    return words<Word>().data() + begin_[app];
  }

  /// Id and codes of an entry.
  template <class Word>
  [[nodiscard]] AppId id_of(Word word) const {
    return static_cast<AppId>(word >> (2 * code_bits_));
  }
  template <class Word>
  [[nodiscard]] std::uint32_t codes_of(Word word) const {
    return static_cast<std::uint32_t>(word & ((Word{1} << (2 * code_bits_)) - 1));
  }
  [[nodiscard]] std::uint32_t imposes(std::uint32_t codes) const { return values_[codes >> code_bits_]; }
  [[nodiscard]] std::uint32_t obeys(std::uint32_t codes) const { return values_[codes & ((1u << code_bits_) - 1)]; }

  /// Codes of the pair (app, other), 0 where they are not neighbours. O(log degree).
  [[nodiscard]] std::uint32_t find(AppId app, AppId other) const {
    return wide_ ? find_in<std::uint64_t>(app, other) : find_in<std::uint32_t>(app, other);
  }

  /// Brings the words that find() reads for the pair into the cache, provided that the row's ids are spread evenly.
  void prefetch(AppId app, AppId other) const;
  /// Brings the row, or its first 8 KiB, into the cache: for searches that turn to the app soon.
  void prefetch(AppId app) const;

  /// k-th neighbour of an app, by ascending id.
  [[nodiscard]] Neighbour neighbour(AppId app, std::uint32_t k) const {
    return wide_ ? decode(row<std::uint64_t>(app)[k]) : decode(row<std::uint32_t>(app)[k]);
  }

  /// The limits that apps impose, on themselves too; those on themselves that allow any number are left out.
  /// They are not complete if the watch ends the call.
  [[nodiscard]] LimitLists lists(WatchRef watch = {}) const;

  [[nodiscard]] std::size_t memory_bytes() const {
    return narrow_words_.capacity() * 4 + wide_words_.capacity() * 8 + begin_.capacity() * 4 + self_limit_.capacity() * 4;
  }

 private:
  template <class Word>
  using Words = std::vector<Word, Unfilled<Word>>;
  template <class Word>
  [[nodiscard]] const Words<Word>& words() const {
    if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
      return wide_words_;
    } else {
      return narrow_words_;
    }
  }
  /// Fills the rows from columns whose targets ascend.
  /// @param in_degree per app, the number of other apps that limit it
  template <class Word>
  Error fill(const LimitColumns& columns, const std::vector<std::uint32_t>& in_degree, WatchRef watch);
  template <class Word>
  void list(LimitLists& lists, WatchRef watch) const;
  template <class Word>
  [[nodiscard]] Neighbour decode(Word word) const {
    const std::uint32_t codes = codes_of(word);
    return {id_of(word), imposes(codes), obeys(codes)};
  }
  template <class Word>
  [[nodiscard]] std::uint32_t find_in(AppId app, AppId other) const {
    const Word* const first = row<Word>(app);
    const std::uint32_t length = degree(app);
    if (length == 0) return 0;
    const Word key = static_cast<Word>(other) << (2 * code_bits_) | ((Word{1} << (2 * code_bits_)) - 1);
    const auto result = [&](const Word* at) { return id_of(*at) == other ? codes_of(*at) : 0; };
    if (length <= kLong) return result(last_not_above(first, length, key));
    // Most ids are spread evenly over the row and stand near the share that they have of all ids: the search then reads a few
    // cache lines instead of many.
    const Word* const near = first + near_begin(app, other);
    const Word* const at = last_not_above(near, kLong, key);
    const bool begins_late = *at > key && at > first;
    const bool ends_early = at + 1 == near + kLong && at + 1 < first + length && at[1] <= key;
    return result(begins_late || ends_early ? last_not_above(first, length, key) : at);
  }
  /// The last of ascending words that is not above the key, or the first word. Branch-free: the loads of a random search miss
  /// the cache, and mispredicted branches would double its time.
  template <class Word>
  static const Word* last_not_above(const Word* first, std::uint32_t length, Word key) {
    while (length > 1) {
      const std::uint32_t half = length / 2;
      first += first[half] <= key ? half : 0;
      length -= half;
    }
    return first;
  }
  /// Where the search for an id in a row longer than kLong begins.
  [[nodiscard]] std::uint32_t near_begin(AppId app, AppId other) const {
    const std::uint32_t length = degree(app);
    const auto guess = static_cast<std::uint32_t>(other * share_ * length >> 32);
    return std::min(guess - std::min(guess, kLong / 2), length - kLong);
  }

  /// Entries that a search in a longer row looks at first.
  static constexpr std::uint32_t kLong = 64;

  bool wide_ = false;
  std::uint32_t code_bits_ = 1;
  std::uint64_t arc_count_ = 0;
  std::uint64_t self_limit_count_ = 0;
  std::uint64_t share_ = 0;  // one app's of all, in 2^-32
  std::vector<std::uint32_t> begin_;
  Words<std::uint32_t> narrow_words_;
  Words<std::uint64_t> wide_words_;
  std::vector<std::uint32_t> values_{kNone};
  std::vector<std::uint32_t> self_limit_;
};

}  // namespace stowage
