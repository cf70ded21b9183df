#include "core/model/limit_rows.h"

#include <algorithm>
#include <limits>

namespace stowage {
namespace {

Error invalid(std::string message, std::string path) { return {Code::kInvalid, std::move(message), std::move(path)}; }

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

}  // namespace

Result<LimitRows> LimitRows::build(const LimitColumns& columns, std::uint32_t apps) {
  LimitRows rows;
  if (columns.row_begin.empty() && columns.app.empty() && columns.at_most.empty()) {
    rows.begin_.assign(std::size_t{apps} + 1, 0);
    return rows;
  }
  if (columns.row_begin.size() != std::size_t{apps} + 1) {
    return invalid("affinity limits need apps + 1 row starts", "limits.row_begin");
  }
  if (columns.app.size() != columns.at_most.size()) {
    return invalid("affinity limits need one value per entry", "limits.at_most");
  }
  if (columns.app.size() > std::numeric_limits<std::int32_t>::max()) {
    return Error{Code::kLimitExceeded, "more than 2^31 - 1 affinity limits", "limits.app"};
  }
  if (columns.row_begin[0] != 0) return invalid("the first row does not start at 0", "limits.row_begin[0]");
  for (std::uint32_t i = 0; i < apps; ++i) {
    if (columns.row_begin[i + 1] < columns.row_begin[i] || columns.row_begin[i + 1] > columns.app.size()) {
      return invalid("row starts decrease or pass the end of the entries", indexed("limits.row_begin", i + 1));
    }
  }
  if (columns.row_begin[apps] != columns.app.size()) {
    return invalid("the last row does not end at the last entry", indexed("limits.row_begin", apps));
  }
  for (std::size_t k = 0; k < columns.app.size(); ++k) {
    if (columns.app[k] >= apps) return invalid("there is no app with this index", indexed("limits.app", k));
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
  return rows.wide_ ? rows.fill<std::uint64_t>(columns, apps) : rows.fill<std::uint32_t>(columns, apps);
}

template <class Word>
Result<LimitRows> LimitRows::fill(const LimitColumns& columns, std::uint32_t apps) {
  const Codes code(values_);
  const std::uint32_t shift = 2 * code_bits_;

  // Two transpositions sort everything in linear time: into rows of obeyed limits (sources come out ascending), and, where
  // the input rows are not sorted, back into rows of imposed limits (targets come out ascending).
  std::vector<std::uint32_t> in_begin(std::size_t{apps} + 1, 0);
  std::uint64_t self_limits = 0;
  bool sorted = true;
  for (std::uint32_t i = 0; i < apps; ++i) {
    for (std::uint32_t k = columns.row_begin[i]; k < columns.row_begin[i + 1]; ++k) {
      const AppId target = columns.app[k];
      if (k > columns.row_begin[i] && target <= columns.app[k - 1]) sorted = false;
      if (target == i) {
        ++self_limits;
      } else {
        ++in_begin[target + 1];
      }
    }
  }
  if (self_limits > 0) self_limit_.assign(apps, kNone);
  for (std::uint32_t i = 0; i < apps; ++i) in_begin[i + 1] += in_begin[i];
  const std::size_t arcs = in_begin[apps];
  std::vector<Word> in_rows(arcs);
  {
    std::vector<std::uint32_t> next(in_begin.begin(), in_begin.end() - 1);
    for (std::uint32_t i = 0; i < apps; ++i) {
      bool has_self_limit = false;
      for (std::uint32_t k = columns.row_begin[i]; k < columns.row_begin[i + 1]; ++k) {
        const AppId target = columns.app[k];
        if (target == i) {
          if (has_self_limit) return invalid("this app stands twice in the row", indexed("limits.app", k));
          has_self_limit = true;
          self_limit_[i] = columns.at_most[k];
        } else {
          in_rows[next[target]++] = (static_cast<Word>(i) << shift) | code(columns.at_most[k]);
        }
      }
    }
  }
  std::vector<std::uint32_t> out_begin;
  std::vector<Word> out_rows;
  if (!sorted) {
    out_begin.assign(std::size_t{apps} + 1, 0);
    for (const Word word : in_rows) ++out_begin[static_cast<std::size_t>(word >> shift) + 1];
    for (std::uint32_t i = 0; i < apps; ++i) out_begin[i + 1] += out_begin[i];
    out_rows.resize(arcs);
    std::vector<std::uint32_t> next(out_begin.begin(), out_begin.end() - 1);
    for (std::uint32_t target = 0; target < apps; ++target) {
      for (std::uint32_t k = in_begin[target]; k < in_begin[target + 1]; ++k) {
        const Word word = in_rows[k];
        const Word codes = word & ((Word{1} << shift) - 1);
        out_rows[next[static_cast<std::size_t>(word >> shift)]++] = (static_cast<Word>(target) << shift) | codes;
      }
    }
    for (std::uint32_t i = 0; i < apps; ++i) {
      for (std::uint32_t k = out_begin[i] + 1; k < out_begin[i + 1]; ++k) {
        if ((out_rows[k] >> shift) != (out_rows[k - 1] >> shift)) continue;
        const auto twice = static_cast<AppId>(out_rows[k] >> shift);
        const auto first = columns.app.begin() + columns.row_begin[i];
        const auto last = columns.app.begin() + columns.row_begin[i + 1];
        const auto second = std::find(std::find(first, last, twice) + 1, last, twice);
        return invalid("this app stands twice in the row",
                       indexed("limits.app", static_cast<std::size_t>(second - columns.app.begin())));
      }
    }
  }

  // Merge the two sorted rows of each app into one. Which row goes on is as good as random, so the loop steps without branches.
  auto& words = [this]() -> std::vector<Word>& {
    if constexpr (sizeof(Word) == 8) {
      return wide_words_;
    } else {
      return narrow_words_;
    }
  }();
  words.resize(2 * arcs);
  begin_.assign(std::size_t{apps} + 1, 0);
  const Word code_mask = (Word{1} << shift) - 1;
  const auto merge = [&, shift, code_mask, code_bits = code_bits_, target = words.data(), in_words = in_rows.data()](
                         std::uint32_t i, std::size_t at, std::uint32_t out, std::uint32_t out_end, auto out_word) {
    std::uint32_t in = in_begin[i];
    const std::uint32_t in_end = in_begin[i + 1];
    const auto pack = [=](Word id, Word imposes, Word obeys) { return (id << shift) | (imposes << code_bits) | obeys; };
    while (in < in_end && out < out_end) {
      const Word from_in = in_words[in];
      const Word from_out = out_word(out);
      const Word in_id = from_in >> shift;
      const Word out_id = from_out >> shift;
      const Word id = std::min(in_id, out_id);
      const Word in_taken = in_id == id ? 1 : 0;
      const Word out_taken = out_id == id ? 1 : 0;
      target[at++] = pack(id, (from_out & code_mask) * out_taken, (from_in & code_mask) * in_taken);
      in += static_cast<std::uint32_t>(in_taken);
      out += static_cast<std::uint32_t>(out_taken);
    }
    for (; in < in_end; ++in) target[at++] = pack(in_words[in] >> shift, 0, in_words[in] & code_mask);
    for (; out < out_end; ++out) target[at++] = pack(out_word(out) >> shift, out_word(out) & code_mask, 0);
    return at;
  };
  for (std::uint32_t i = 0; i < apps; ++i) {
    std::size_t at = begin_[i];
    if (!sorted) {
      at = merge(i, at, out_begin[i], out_begin[i + 1], [row = out_rows.data()](std::uint32_t k) { return row[k]; });
    } else {
      // Self limits live apart: the row goes without that entry.
      const std::uint32_t first = columns.row_begin[i];
      std::uint32_t last = columns.row_begin[i + 1];
      const auto row_end = columns.app.begin() + last;
      const auto found = self_limits > 0 ? std::lower_bound(columns.app.begin() + first, row_end, i) : row_end;
      const bool has_self = found != row_end && *found == i;
      const std::uint32_t self = has_self ? static_cast<std::uint32_t>(found - columns.app.begin()) : last;
      if (has_self) --last;
      at = merge(i, at, first, last, [=, &code, app = columns.app.data(), at_most = columns.at_most.data()](std::uint32_t k) {
        const std::uint32_t entry = k + (k >= self ? 1 : 0);
        return (static_cast<Word>(app[entry]) << shift) | code(at_most[entry]);
      });
    }
    begin_[i + 1] = static_cast<std::uint32_t>(at);
  }
  words.resize(begin_[apps]);
  arc_count_ = arcs;
  self_limit_count_ = self_limits;
  return std::move(*this);
}

}  // namespace stowage
