#include "core/model/limit_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace stowage {
namespace {

// Distinct limit values, ascending. Limits are small numbers in practice, so a bitmap of the first 64 Ki comes first.
std::vector<std::uint32_t> distinct_values(std::span<const std::uint32_t> values) {
  constexpr std::uint32_t kSmall = 1u << 16;
  std::vector<std::uint8_t> seen(kSmall, 0);
  std::vector<std::uint32_t> large;
  for (const std::uint32_t value : values) {
    if (value < kSmall) {
      seen[value] = 1;
    } else {
      large.push_back(value);
      if (large.size() >= 2 * kSmall) {
        std::sort(large.begin(), large.end());
        large.erase(std::unique(large.begin(), large.end()), large.end());
      }
    }
  }
  std::sort(large.begin(), large.end());
  large.erase(std::unique(large.begin(), large.end()), large.end());
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t value = 0; value < kSmall; ++value) {
    if (seen[value] != 0) distinct.push_back(value);
  }
  distinct.insert(distinct.end(), large.begin(), large.end());
  return distinct;
}

// Code of each value: a direct table for small values, a search for the others.
class Codes {
 public:
  explicit Codes(const std::vector<std::uint32_t>& values) : values_(values) {
    for (std::size_t code = 1; code < values.size() && values[code] < (1u << 16); ++code) {
      table_.resize(values[code] + 1, 0);
      table_[values[code]] = static_cast<std::uint32_t>(code);
    }
  }
  [[nodiscard]] std::uint32_t operator()(std::uint32_t value) const {
    if (value < table_.size()) return table_[value];
    return static_cast<std::uint32_t>(std::lower_bound(values_.begin() + 1, values_.end(), value) - values_.begin());
  }

 private:
  const std::vector<std::uint32_t>& values_;
  std::vector<std::uint32_t> table_;
};

// Entries of all rows with ascending targets.
struct SortedTargets {
  std::vector<AppId> app;
  std::vector<std::uint32_t> at_most;
};

// Errors: an app that stands twice in a row.
Error sort_rows(const LimitColumns& columns, std::uint32_t apps, SortedTargets& sorted) {
  // Two transpositions sort all rows in linear time: by target, then back by source.
  const std::size_t entries = columns.app.size();
  struct Entry {
    AppId other;
    std::uint32_t at_most;
  };
  std::vector<std::uint32_t> begin(std::size_t{apps} + 1, 0);
  for (const AppId target : columns.app) ++begin[target + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Entry> by_target(entries);
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (AppId i = 0; i < apps; ++i) {
    for (std::uint32_t k = columns.row_begin[i]; k < columns.row_begin[i + 1]; ++k) {
      by_target[next[columns.app[k]]++] = {i, columns.at_most[k]};
    }
  }
  sorted.app.resize(entries);
  sorted.at_most.resize(entries);
  next.assign(columns.row_begin.begin(), columns.row_begin.end() - 1);
  for (AppId target = 0; target < apps; ++target) {
    for (std::uint32_t k = begin[target]; k < begin[target + 1]; ++k) {
      const std::uint32_t to = next[by_target[k].other]++;
      sorted.app[to] = target;
      sorted.at_most[to] = by_target[k].at_most;
    }
  }
  for (AppId i = 0; i < apps; ++i) {
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

/// No app has the largest id, so that this word ends a row.
template <class Word>
constexpr Word kEndOfRow = std::numeric_limits<Word>::max();

// Merges what one app obeys (sources, ascending) with what it imposes (targets, ascending) into one row. Which of the two goes
// on is as good as random, so a step has no branch on it.
template <class Word>
struct RowMerge {
  Word ids;  ///< mask of the id in a word
  const Word* in = nullptr;
  const Word* out = nullptr;
  Word* to = nullptr;
  std::vector<Word> out_row{};

  bool step() {
    const Word in_id = *in & ids;
    const Word out_id = *out & ids;
    const Word id = std::min(in_id, out_id);
    if (id == (kEndOfRow<Word> & ids)) return false;
    const Word takes_in = in_id == id ? 1 : 0;
    const Word takes_out = out_id == id ? 1 : 0;
    *to++ = (*in & (Word{0} - takes_in)) | (*out & (Word{0} - takes_out));
    in += takes_in;
    out += takes_out;
    return true;
  }
};

// Writes what the apps from `first` on, before `last`, obey: their rows lie in `in_rows` where `next` says, per app from
// `first` on, and are filled by ascending source. Each source goes on in its row at `cursor`. A function of its own, so that
// all it needs stays in registers.
template <class Word>
void transpose_block(const LimitColumns& columns, const Codes& code, std::uint32_t shift, AppId first, AppId last,
                     std::vector<std::uint32_t>& cursor, std::vector<std::size_t>& next, std::vector<Word>& in_rows) {
  const AppId* const app = columns.app.data();
  const std::uint32_t* const at_most = columns.at_most.data();
  std::size_t* const to = next.data();
  Word* const rows = in_rows.data();
  const auto apps = static_cast<AppId>(cursor.size());
  for (AppId i = 0; i < apps; ++i) {
    const std::uint32_t end = columns.row_begin[i + 1];
    const Word id = static_cast<Word>(i) << shift;
    std::uint32_t k = cursor[i];
    for (; k < end && app[k] < last; ++k) {
      if (app[k] != i) rows[to[app[k] - first]++] = id | code(at_most[k]);
    }
    cursor[i] = k;
  }
}

}  // namespace

Result<LimitRows> LimitRows::build(const LimitColumns& columns, std::uint32_t apps) {
  LimitRows rows;
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
  bool ascending = true;  // and all ids are valid
  for (std::uint32_t i = 0; i < apps; ++i) {
    for (std::uint32_t k = columns.row_begin[i] + 1; k < columns.row_begin[i + 1]; ++k) {
      ascending &= columns.app[k - 1] < columns.app[k];
    }
    const bool empty = columns.row_begin[i] == columns.row_begin[i + 1];
    ascending &= empty || columns.app[columns.row_begin[i + 1] - 1] < apps;
  }
  SortedTargets sorted;
  LimitColumns ordered = columns;
  if (!ascending) {
    for (std::size_t k = 0; k < columns.app.size(); ++k) {
      if (columns.app[k] >= apps) return invalid(indexed("limits.app", k), "there is no app with this index");
    }
    if (Error e = sort_rows(columns, apps, sorted); e.code != Code::kOk) return e;
    ordered.app = sorted.app;
    ordered.at_most = sorted.at_most;
  }
  const std::vector<std::uint32_t> distinct = distinct_values(columns.at_most);
  rows.values_.assign(1, kNone);
  rows.values_.insert(rows.values_.end(), distinct.begin(), distinct.end());
  rows.code_bits_ = std::max(1u, static_cast<std::uint32_t>(std::bit_width(distinct.size())));
  const auto id_bits = static_cast<std::uint32_t>(std::bit_width(apps));
  if (rows.code_bits_ > 15) {
    return Error{Code::kLimitExceeded, "more than 32767 distinct limit values", "limits.at_most"};
  }
  rows.wide_ = id_bits + 2 * rows.code_bits_ > 32;
  if (rows.wide_) {
    rows.fill<std::uint64_t>(ordered, apps);
  } else {
    rows.fill<std::uint32_t>(ordered, apps);
  }
  return rows;
}

template <class Word>
void LimitRows::fill(const LimitColumns& columns, std::uint32_t apps) {
  const Codes code(values_);
  const std::uint32_t shift = 2 * code_bits_;

  std::vector<std::uint32_t> in_degree(apps, 0);
  for (AppId i = 0; i < apps; ++i) {
    for (std::uint32_t k = columns.row_begin[i]; k < columns.row_begin[i + 1]; ++k) {
      if (columns.app[k] != i) {
        ++in_degree[columns.app[k]];
        continue;
      }
      if (self_limit_.empty()) self_limit_.assign(apps, kNone);
      self_limit_[i] = columns.at_most[k];
      ++self_limit_count_;
    }
  }
  arc_count_ = columns.app.size() - self_limit_count_;

  // The rows of obeyed limits are the transposed matrix. A block of targets is transposed at a time, small enough that what
  // is written at random stays in the cache, large enough that rows are read in long stretches, and merged at once with what
  // these apps impose.
  constexpr std::size_t kBlockWords = std::size_t{1} << 20;
  constexpr Word kEnd = kEndOfRow<Word>;
  std::vector<Word>& words = [this]() -> std::vector<Word>& {
    if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
      return wide_words_;
    } else {
      return narrow_words_;
    }
  }();
  words.reserve(2 * arc_count_ + self_limit_count_ + apps);
  begin_.assign(std::size_t{apps} + 1, 0);
  std::vector<std::uint32_t> cursor(columns.row_begin.begin(), columns.row_begin.end() - 1);
  std::vector<Word> in_rows;
  std::vector<std::size_t> in_begin;
  std::vector<std::size_t> next;
  const Word ids = ~((Word{1} << shift) - 1);
  // Each step of a merge waits for the one before. Some rows side by side keep the processor busy.
  constexpr AppId kSideBySide = 4;
  std::array<RowMerge<Word>, kSideBySide> merges;
  merges.fill({ids});
  for (AppId first = 0; first < apps;) {
    in_begin.assign(1, 0);
    AppId last = first;
    std::size_t imposed = 0;
    while (last < apps && (last == first || in_begin.back() < kBlockWords)) {
      in_begin.push_back(in_begin.back() + in_degree[last] + 1);
      imposed += columns.row_begin[last + 1] - columns.row_begin[last];
      ++last;
    }
    in_rows.assign(in_begin.back(), kEnd);
    next.assign(in_begin.begin(), in_begin.end() - 1);
    transpose_block(columns, code, shift, first, last, cursor, next, in_rows);

    const auto start = [&](RowMerge<Word>& merge, AppId app, Word* to) {
      merge.out_row.clear();
      for (std::uint32_t k = columns.row_begin[app]; k < columns.row_begin[app + 1]; ++k) {
        if (columns.app[k] == app) continue;
        merge.out_row.push_back((static_cast<Word>(columns.app[k]) << shift) |
                                (static_cast<Word>(code(columns.at_most[k])) << code_bits_));
      }
      merge.out_row.push_back(kEnd);
      merge.in = in_rows.data() + in_begin[app - first];
      merge.out = merge.out_row.data();
      merge.to = to;
    };
    const std::size_t done = words.size();
    words.resize(done + in_rows.size() + imposed);
    Word* to = words.data() + done;
    for (AppId i = first; i < last; i += kSideBySide) {
      const AppId rows = std::min(kSideBySide, last - i);
      std::array<Word*, kSideBySide> row;
      Word* after = to;
      for (AppId k = 0; k < kSideBySide; ++k) {
        row[k] = after;
        if (k < rows) {
          start(merges[k], i + k, after);
          after += in_degree[i + k] + merges[k].out_row.size();
        } else {
          merges[k].in = merges[k].out = &kEndOfRow<Word>;
        }
      }
      // A merge at its end stays there.
      for (bool more = true; more;) {
        more = false;
        for (RowMerge<Word>& merge : merges) more |= merge.step();
      }
      for (AppId k = 0; k < rows; ++k) {
        to = k == 0 ? merges[k].to : std::copy(row[k], merges[k].to, to);
        begin_[i + k + 1] = static_cast<std::uint32_t>(to - words.data());
      }
    }
    words.resize(static_cast<std::size_t>(to - words.data()));
    first = last;
  }
}

// Not inline: some compilers drop calls of what does nothing but prefetch.
void LimitRows::prefetch(AppId app) const {
  constexpr std::size_t kMostBytes = 8192;
  constexpr std::size_t kLine = 64;
  const auto fetch = [&](const auto* row) {
    const auto* first = reinterpret_cast<const char*>(row);
    const std::size_t bytes = std::min(degree(app) * sizeof(*row), kMostBytes);
    for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(first + at);
  };
  if (wide_) {
    fetch(row<std::uint64_t>(app));
  } else {
    fetch(row<std::uint32_t>(app));
  }
}

}  // namespace stowage
