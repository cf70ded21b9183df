#include "core/model/constraints/limit_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/base/prefetch.h"
#include "core/base/watched.h"

namespace stowage {
namespace {

// Distinct limit values. Limits are small numbers in practice: a table holds those below 64 Ki.
class DistinctValues {
 public:
  void add(std::span<const std::uint32_t> values) {
    std::uint8_t* const seen = seen_.data();
    for (const std::uint32_t value : values) {
      if (value < kSmall) {
        seen[value] = 1;
      } else {
        large_.push_back(value);
        if (large_.size() >= 2 * kSmall) compress();
        // There are more values than codes: not all of them have to be known and sorted.
        if (large_.size() >= 2 * kSmall) large_.resize(kSmall);
      }
    }
  }
  std::vector<std::uint32_t> ascending() {
    compress();
    std::vector<std::uint32_t> values;
    for (std::uint32_t value = 0; value < kSmall; ++value) {
      if (seen_[value] != 0) values.push_back(value);
    }
    values.insert(values.end(), large_.begin(), large_.end());
    return values;
  }

 private:
  static constexpr std::uint32_t kSmall = 1u << 16;

  void compress() {
    std::sort(large_.begin(), large_.end());
    large_.erase(std::unique(large_.begin(), large_.end()), large_.end());
  }

  std::vector<std::uint8_t> seen_ = std::vector<std::uint8_t>(kSmall, 0);
  std::vector<std::uint32_t> large_;
};

// Codes of values below 64 Ki, by value, 0 where a value has none. `values` is by code.
std::vector<std::uint32_t> code_table(std::span<const std::uint32_t> values) {
  std::vector<std::uint32_t> table;
  for (std::size_t code = 1; code < values.size() && values[code] < (1u << 16); ++code) {
    table.resize(values[code] + 1, 0);
    table[values[code]] = static_cast<std::uint32_t>(code);
  }
  return table;
}

// The code of a value: from the table for small values, else by a search.
struct Codes {
  std::span<const std::uint32_t> values;
  std::span<const std::uint32_t> table;

  std::uint32_t operator()(std::uint32_t value) const {
    if (value < table.size()) return table[value];
    return static_cast<std::uint32_t>(std::lower_bound(values.begin() + 1, values.end(), value) - values.begin());
  }
};

// Entries of all rows with ascending targets.
struct SortedTargets {
  std::vector<AppId> app;
  std::vector<std::uint32_t> at_most;
};

// Errors: an app that stands twice in a row.
Error sort_rows(const LimitColumns& columns, std::uint32_t apps, SortedTargets& sorted, WatchRef watch) {
  // Two transpositions sort all rows in linear time: by target, then back by source.
  const std::size_t entries = columns.app.size();
  struct Entry {
    AppId other;
    std::uint32_t at_most;
  };
  std::vector<std::uint32_t> begin(std::size_t{apps} + 1, 0);
  in_pieces(columns.app, watch, [&](std::span<const AppId> piece) {
    for (const AppId target : piece) ++begin[target + 1];
    return true;
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Entry> by_target;
  watched_resize(by_target, entries, watch);
  if (watch.ended()) return cancelled();
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  // Writes go all over the memory, so that each counts as some steps.
  constexpr std::uint64_t kStepsEach = 4;
  const auto steps = [&](std::uint32_t from, std::uint32_t to) { return watch.step(kStepsEach * (to - from) + 1); };
  for (AppId i = 0; i < apps && !steps(columns.row_begin[i], columns.row_begin[i + 1]); ++i) {
    for (std::uint32_t k = columns.row_begin[i]; k < columns.row_begin[i + 1]; ++k) {
      by_target[next[columns.app[k]]++] = {i, columns.at_most[k]};
    }
  }
  watched_resize(sorted.app, entries, watch);
  watched_resize(sorted.at_most, entries, watch);
  if (watch.ended()) return cancelled();
  next.assign(columns.row_begin.begin(), columns.row_begin.end() - 1);
  for (AppId target = 0; target < apps && !steps(begin[target], begin[target + 1]); ++target) {
    for (std::uint32_t k = begin[target]; k < begin[target + 1]; ++k) {
      const std::uint32_t to = next[by_target[k].other]++;
      sorted.app[to] = target;
      sorted.at_most[to] = by_target[k].at_most;
    }
  }
  if (watch.ended()) return cancelled();
  for (AppId i = 0; i < apps; ++i) {
    if (steps(columns.row_begin[i], columns.row_begin[i + 1])) return cancelled();
    for (std::uint32_t k = columns.row_begin[i] + 1; k < columns.row_begin[i + 1]; ++k) {
      if (sorted.app[k] != sorted.app[k - 1]) continue;
      const auto first = columns.app.begin() + columns.row_begin[i];
      const auto last = columns.app.begin() + columns.row_begin[i + 1];
      const auto second = std::find(std::find(first, last, sorted.app[k]) + 1, last, sorted.app[k]);
      return invalid(indexed("limits.app", static_cast<std::size_t>(second - columns.app.begin())),
                     "this app stands twice in the row");
    }
  }
  return {};
}

// What one walk over the entries counts.
struct EntryCounts {
  std::vector<std::uint32_t> in_degree;   ///< per app, how many others limit it
  std::vector<std::uint32_t> self_limit;  ///< per app; empty where none has one
  std::uint64_t self_limit_count = 0;
  DistinctValues values;
};

// Counts rows until one has a target that does not ascend or does not exist, or until the watch ends the call; whether none
// has.
bool count_entries(const LimitColumns& columns, std::uint32_t apps, EntryCounts& counts, WatchRef watch) {
  counts.in_degree.assign(apps, 0);
  for (AppId i = 0; i < apps; ++i) {
    const std::size_t entries = columns.row_begin[i + 1] - columns.row_begin[i];
    if (watch.step(2 * entries + 1)) return false;
    if (entries == 0) continue;
    const auto row = columns.app.subspan(columns.row_begin[i], entries);
    const auto at_most = columns.at_most.subspan(columns.row_begin[i], entries);
    std::uint32_t wrong = row.back() < apps ? 0 : 1;
    for (std::size_t k = 1; k < entries; ++k) wrong |= row[k - 1] < row[k] ? 0 : 1;
    if (wrong != 0) return false;
    for (const AppId target : row) ++counts.in_degree[target];
    counts.values.add(at_most);
    const auto self = std::lower_bound(row.begin(), row.end(), i);
    if (self == row.end() || *self != i) continue;
    if (counts.self_limit.empty()) counts.self_limit.assign(apps, kNone);
    counts.self_limit[i] = at_most[static_cast<std::size_t>(self - row.begin())];
    ++counts.self_limit_count;
    --counts.in_degree[i];
  }
  return true;
}

/// Ends a row. No app has the largest id, and words of 64 bits do not use their first bit.
template <class Word>
constexpr Word kEndOfRow = static_cast<Word>(std::numeric_limits<std::int64_t>::max());

// Merges what apps obey (sources, ascending) with what they impose (targets, ascending), row after row. Inputs and output have
// an end word after each row. Which input is ahead is random in effect, so that a step has no branch on it, and no comparison
// that a compiler could turn into a branch.
template <class Word>
struct RowMerge {
  const Word* in = nullptr;
  const Word* in_end = nullptr;
  const Word* out = nullptr;
  const Word* out_end = nullptr;
  Word* to = nullptr;

  [[nodiscard]] std::size_t least_steps() const { return static_cast<std::size_t>(std::max(in_end - in, out_end - out)); }
  void step(Word ids) {
    const Word in_word = *in;
    const Word out_word = *out;
    const std::int64_t ahead = static_cast<std::int64_t>(in_word & ids) - static_cast<std::int64_t>(out_word & ids);
    const std::int64_t only_in = ahead >> 63;  // no bit or all
    const std::int64_t only_out = -ahead >> 63;
    *to++ = static_cast<Word>((in_word & ~only_out) | (out_word & ~only_in));
    in += 1 + only_out;
    out += 1 + only_in;
  }
};

// Each step of a merge waits for the one before. This number of merges side by side keeps the processor busy, and its registers
// hold them.
constexpr std::size_t kSideBySide = 3;

template <class Word>
void merge_side_by_side(std::array<RowMerge<Word>, kSideBySide>& merges, Word ids) {
  RowMerge<Word> a = merges[0];
  RowMerge<Word> b = merges[1];
  RowMerge<Word> c = merges[2];
  while (const std::size_t steps = std::min({a.least_steps(), b.least_steps(), c.least_steps()})) {
    for (std::size_t k = 0; k < steps; ++k) {
      a.step(ids);
      b.step(ids);
      c.step(ids);
    }
  }
  for (RowMerge<Word>* rest : {&a, &b, &c}) {
    while (rest->least_steps() > 0) rest->step(ids);
  }
  merges = {a, b, c};
}

// Writes what some apps impose, each row with its end word, and returns the end. This function and the next one are not
// inlined, so that their loops run in registers.
template <class Word>
[[gnu::noinline]] Word* write_imposed(const LimitColumns& columns, Codes code, std::uint32_t code_bits, AppId first, AppId last,
                                      Word* to) {
  const AppId* const target = columns.app.data();
  const std::uint32_t* const at_most = columns.at_most.data();
  for (AppId app = first; app < last; ++app) {
    const std::uint32_t end = columns.row_begin[app + 1];
    for (std::uint32_t k = columns.row_begin[app]; k < end; ++k) {
      if (target[k] == app) continue;
      *to++ = ((static_cast<Word>(target[k]) << code_bits) | code(at_most[k])) << code_bits;
    }
    *to++ = kEndOfRow<Word>;
  }
  return to;
}

// Writes what the apps in [first, last) obey into `in_rows`, by ascending source. `next` has the next place in each of these
// apps' rows. Each source continues in its own row at `cursor`.
template <class Word>
[[gnu::noinline]] void transpose_block(const LimitColumns& columns, Codes code, std::uint32_t shift, AppId first, AppId last,
                                       std::vector<std::uint32_t>& cursor, std::vector<std::uint32_t>& next,
                                       std::vector<Word>& in_rows) {
  const AppId* const target = columns.app.data();
  const std::uint32_t* const at_most = columns.at_most.data();
  std::uint32_t* const to = next.data();
  Word* const rows = in_rows.data();
  const auto apps = static_cast<AppId>(cursor.size());
  for (AppId source = 0; source < apps; ++source) {
    const std::uint32_t end = columns.row_begin[source + 1];
    const Word id = static_cast<Word>(source) << shift;
    std::uint32_t k = cursor[source];
    for (; k < end && target[k] < last; ++k) {
      if (target[k] != source) rows[to[target[k] - first]++] = id | code(at_most[k]);
    }
    cursor[source] = k;
  }
}

}  // namespace

Result<LimitRows> LimitRows::build(const LimitColumns& columns, std::uint32_t apps, WatchRef watch) {
  LimitRows rows;
  rows.share_ = (std::uint64_t{1} << 32) / std::max(apps, 1u);
  if (columns.row_begin.empty() && columns.app.empty() && columns.at_most.empty()) {
    rows.begin_.assign(std::size_t{apps} + 1, 0);
    return rows;
  }
  if (columns.row_begin.size() != std::size_t{apps} + 1) {
    return invalid("limits.row_begin", "affinity limits need apps + 1 row starts");
  }
  if (columns.app.size() != columns.at_most.size()) {
    return invalid("limits.at_most", "affinity limits need one value per entry");
  }
  if (columns.app.size() > std::numeric_limits<std::int32_t>::max()) {
    return Error{Code::kLimitExceeded, "more than 2^31 - 1 affinity limits", "limits.app"};
  }
  if (columns.row_begin[0] != 0) return invalid("limits.row_begin[0]", "the first row does not start at 0");
  for (std::uint32_t i = 0; i < apps; ++i) {
    if (columns.row_begin[i + 1] < columns.row_begin[i] || columns.row_begin[i + 1] > columns.app.size()) {
      return invalid(indexed("limits.row_begin", i + 1), "row starts decrease or pass the end of the entries");
    }
  }
  if (columns.row_begin[apps] != columns.app.size()) {
    return invalid(indexed("limits.row_begin", apps), "the last row does not end at the last entry");
  }
  EntryCounts counts;
  SortedTargets sorted;
  LimitColumns ordered = columns;
  if (!count_entries(columns, apps, counts, watch)) {
    for (std::size_t k = 0; k < columns.app.size(); ++k) {
      if (columns.app[k] >= apps) return invalid(indexed("limits.app", k), "there is no app with this index");
      if (watch.step()) return cancelled();
    }
    if (Error e = sort_rows(columns, apps, sorted, watch); failed(e)) return e;
    ordered.app = sorted.app;
    ordered.at_most = sorted.at_most;
    counts = {};
    count_entries(ordered, apps, counts, watch);
  }
  rows.self_limit_ = std::move(counts.self_limit);
  rows.self_limit_count_ = counts.self_limit_count;
  rows.arc_count_ = columns.app.size() - counts.self_limit_count;
  const std::vector<std::uint32_t> distinct = counts.values.ascending();
  rows.values_.assign(1, kNone);
  rows.values_.insert(rows.values_.end(), distinct.begin(), distinct.end());
  rows.code_bits_ = std::max(1u, static_cast<std::uint32_t>(std::bit_width(distinct.size())));
  const auto id_bits = static_cast<std::uint32_t>(std::bit_width(apps));
  if (rows.code_bits_ > 15) {
    return Error{Code::kLimitExceeded, "more than 32767 distinct limit values", "limits.at_most"};
  }
  rows.wide_ = id_bits + 2 * rows.code_bits_ > 32;
  if (watch.ended()) return cancelled();
  Error error = rows.wide_ ? rows.fill<std::uint64_t>(ordered, counts.in_degree, watch)
                           : rows.fill<std::uint32_t>(ordered, counts.in_degree, watch);
  if (failed(error)) return error;
  return rows;
}

template <class Word>
Error LimitRows::fill(const LimitColumns& columns, const std::vector<std::uint32_t>& in_degree, WatchRef watch) {
  const std::vector<std::uint32_t> table = code_table(values_);
  const Codes code{values_, table};
  const std::uint32_t shift = 2 * code_bits_;
  const auto apps = static_cast<AppId>(in_degree.size());
  Words<Word>& words = [this]() -> Words<Word>& {
    if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
      return wide_words_;
    } else {
      return narrow_words_;
    }
  }();
  words.resize(2 * arc_count_);
  begin_.assign(std::size_t{apps} + 1, 0);

  // The rows of obeyed limits are the transposed matrix. One block of targets after the other is transposed and merged with
  // what these apps impose. A block is small enough for its random writes to stay in the cache, and large enough for rows to be
  // read in long stretches.
  constexpr std::size_t kBlockWords = std::size_t{1} << 21;
  constexpr std::size_t kMergeWords = std::size_t{1} << 12;
  std::vector<std::uint32_t> cursor(columns.row_begin.begin(), columns.row_begin.end() - 1);
  std::vector<Word> in_rows;
  std::vector<std::uint32_t> in_begin;
  std::vector<std::uint32_t> next;
  std::array<std::vector<Word>, kSideBySide> out_rows;
  std::array<std::vector<Word>, kSideBySide> merged;
  Word* to = words.data();
  for (AppId first = 0; first < apps;) {
    if (watch.look()) return cancelled();
    in_begin.assign(1, 0);
    AppId last = first;
    while (last < apps && (last == first || in_begin.back() < kBlockWords)) {
      in_begin.push_back(in_begin.back() + in_degree[last] + 1);
      ++last;
    }
    if (in_rows.size() < in_begin.back()) in_rows.resize(in_begin.back());
    next.assign(in_begin.begin(), in_begin.end() - 1);
    transpose_block(columns, code, shift, first, last, cursor, next, in_rows);
    for (const std::uint32_t end : next) in_rows[end] = kEndOfRow<Word>;

    for (AppId app = first; app < last;) {
      // The merges side by side get about the same number of entries each.
      std::array<RowMerge<Word>, kSideBySide> merges;
      std::array<AppId, kSideBySide + 1> rows{app};
      for (std::size_t m = 0; m < kSideBySide; ++m) {
        AppId end = rows[m];
        std::size_t in_size = 0;
        std::size_t out_size = 0;
        for (; end < last && in_size + out_size < kMergeWords; ++end) {
          in_size += in_degree[end] + 1;
          out_size += columns.row_begin[end + 1] - columns.row_begin[end] + 1;
        }
        if (out_rows[m].size() < out_size) out_rows[m].resize(out_size);
        if (merged[m].size() < in_size + out_size) merged[m].resize(in_size + out_size);
        const Word* const in = in_rows.data() + in_begin[rows[m] - first];
        const Word* const out_end = write_imposed(columns, code, code_bits_, rows[m], end, out_rows[m].data());
        merges[m] = {in, in + in_size, out_rows[m].data(), out_end, merged[m].data()};
        rows[m + 1] = end;
      }
      merge_side_by_side(merges, static_cast<Word>(~((Word{1} << shift) - 1)));
      for (std::size_t m = 0; m < kSideBySide; ++m) {
        const Word* row = merged[m].data();
        for (; app < rows[m + 1]; ++app) {
          const Word* const end = std::find(row, static_cast<const Word*>(merges[m].to), kEndOfRow<Word>);
          to = std::copy(row, end, to);
          begin_[app + 1] = static_cast<std::uint32_t>(to - words.data());
          row = end + 1;
        }
      }
    }
    first = last;
  }
  words.resize(static_cast<std::size_t>(to - words.data()));
  return {};
}

// Neither is inline, and nothing stands between them and stowage::prefetch(), for the reason given there.
void LimitRows::prefetch(AppId app) const {
  constexpr std::size_t kMostBytes = 8192;
  if (wide_) {
    stowage::prefetch(row<std::uint64_t>(app), std::min(degree(app) * sizeof(std::uint64_t), kMostBytes));
  } else {
    stowage::prefetch(row<std::uint32_t>(app), std::min(degree(app) * sizeof(std::uint32_t), kMostBytes));
  }
}

void LimitRows::prefetch(AppId app, AppId other) const {
  const std::uint32_t length = degree(app);
  const std::uint32_t begin = length > kLong ? near_begin(app, other) : 0;
  if (wide_) {
    stowage::prefetch(row<std::uint64_t>(app) + begin, std::min(length, kLong) * sizeof(std::uint64_t));
  } else {
    stowage::prefetch(row<std::uint32_t>(app) + begin, std::min(length, kLong) * sizeof(std::uint32_t));
  }
}

template <class Word>
void LimitRows::list(LimitLists& lists, WatchRef watch) const {
  for (AppId app = 0; app < apps() && !watch.step(2 * degree(app) + 1); ++app) {
    const std::uint32_t own = self_limit(app);
    bool is_own_left = own != kNone;
    const auto add = [&](AppId other, std::uint32_t at_most) {
      lists.app.push_back(other);
      lists.at_most.push_back(at_most);
    };
    const Word* const words = row<Word>(app);
    for (std::uint32_t k = 0; k < degree(app); ++k) {
      const AppId other = id_of(words[k]);
      const std::uint32_t codes = codes_of(words[k]);
      if (codes >> code_bits_ == 0) continue;
      if (is_own_left && other > app) {
        add(app, own);
        is_own_left = false;
      }
      add(other, imposes(codes));
    }
    if (is_own_left) add(app, own);
    lists.row_begin.push_back(static_cast<std::uint32_t>(lists.app.size()));
  }
}

LimitLists LimitRows::lists(WatchRef watch) const {
  LimitLists lists;
  if (arc_count_ + self_limit_count_ == 0) return lists;
  lists.row_begin.reserve(std::size_t{apps()} + 1);
  lists.row_begin.push_back(0);
  lists.app.reserve(arc_count_ + self_limit_count_);
  lists.at_most.reserve(arc_count_ + self_limit_count_);
  wide_ ? list<std::uint64_t>(lists, watch) : list<std::uint32_t>(lists, watch);
  if (lists.app.empty()) lists.row_begin.clear();
  return lists;
}

}  // namespace stowage
