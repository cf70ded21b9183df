// The buffer is well-formed here: structure() has accepted it.

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "capi/src/check/buffer_check.h"

namespace stowage::capi {
namespace {

constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint32_t kNoIndex = 4294967295;
/// Entries between two looks at the watch.
constexpr std::uint64_t kBlock = std::uint64_t{1} << 14;

}  // namespace

std::uint64_t BufferCheck::product(const Count (&factors)[3]) const {
  std::uint64_t result = 1;
  for (const Count factor : factors) {
    const std::uint64_t number = factor == Count::kOne ? 1 : counts_[static_cast<std::size_t>(factor)];
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    result = number != 0 && result > kMost / number ? kMost : result * number;
  }
  return result;
}

Error BufferCheck::relations(const Limits& limits) {
  const RootRow& root = kRootRows[static_cast<std::size_t>(kind_)];
  if (!kTableRows[root.table].related) return {};
  const std::uint64_t position = target_of(0);
  count(position, root.table);
  const bool good = (kind_ != Kind::kInstance || counts_within(limits)) && related(position, root.table);
  return good ? Error{} : error_;
}

Error BufferCheck::session_relations() {
  const RootRow& root = kRootRows[static_cast<std::size_t>(Kind::kInstance)];
  const std::uint64_t position = target_of(0);
  count(position, root.table);
  for (std::size_t f = kTableRows[root.table].first; f < kTableRows[root.table].end; ++f) {
    const FieldRow& row = kFieldRows[f];
    if (std::strcmp(row.name, "session") == 0 && !field_related(position, row)) return error_;
  }
  return {};
}

bool BufferCheck::counts_within(const Limits& limits) {
  const auto within = [&](Count what, std::uint64_t most, const char* path, const char* message) {
    if (number_of(what) <= most) return true;
    error_ = too_large(path, message);
    return false;
  };
  return within(Count::kApps, limits.max_apps, "apps.replicas", "more apps than max_apps allows") &&
         within(Count::kNodes, limits.max_nodes, "nodes.node_class", "more listed nodes than max_nodes allows") &&
         within(Count::kLimits, limits.max_limits, "limits.app", "more affinity limits than max_limits allows") &&
         within(Count::kPeriods, limits.max_cells, "apps.demand", "more demand entries than max_cells allows");
}

void BufferCheck::count(std::uint64_t table, std::size_t which) {
  for (std::size_t f = kTableRows[which].first; f < kTableRows[which].end; ++f) {
    const FieldRow& row = kFieldRows[f];
    const std::uint64_t position = row.part == Part::kUnion ? 0 : field_at(table, row.slot);
    if (row.part == Part::kTable && position != 0) count(target_of(position), row.what);
    const std::uint64_t length = position == 0 || row.part == Part::kNumber ? 0 : column_at(position).length;
    std::uint64_t& number = number_of(row.rule.one[0]);
    switch (row.rule.length) {
      case Length::kCounts:
        number = row.part == Part::kNumber ? (position == 0 ? row.initial : at<std::uint32_t>(position)) : length;
        break;
      case Length::kOwnStarts:
        number = length == 0 ? 0 : length - 1;
        break;
      case Length::kSquare:
        for (number = 0; number * number < length;) ++number;
        break;
      default:
        break;
    }
  }
}

bool BufferCheck::related(std::uint64_t table, std::size_t which) {
  for (std::size_t f = kTableRows[which].first; f < kTableRows[which].end; ++f) {
    if (!field_related(table, kFieldRows[f])) return false;
  }
  return true;
}

bool BufferCheck::field_related(std::uint64_t table, const FieldRow& row) {
  if (row.part == Part::kUnion) {
    const std::uint64_t body = target_of(field_at(table, static_cast<std::uint16_t>(row.slot + sizeof(std::uint16_t))));
    const std::size_t which = kUnionRows[row.what + at<std::uint8_t>(field_at(table, row.slot)) - 1];
    count(body, which);
    return related(body, which);
  }
  const std::uint64_t position = field_at(table, row.slot);
  way_[depth_++] = {row.name, kNoEntry};
  bool good = true;
  if (row.part == Part::kNumber) {
    const std::uint64_t value = position == 0 ? row.initial : at<std::uint32_t>(position);
    const Count index = row.rule.index;
    const bool free = index == Count::kOne || (row.rule.or_none && value == kNoIndex);
    good = free || value < number_of(index) || refuse(wrong(), "there is nothing with this index");
  } else if (row.part == Part::kTable) {
    good = position == 0 || !kTableRows[row.what].related || related(target_of(position), row.what);
  } else if (row.part != Part::kText) {
    const Column column = position == 0 ? Column{} : column_at(position);
    good = length_fits(row, column) && indices_fit(column, row.size, row.rule.index, row.rule.or_none, nullptr);
    if (good && row.part == Part::kStructs) {
      for (std::size_t m = kStructRows[row.what].first; m < kStructRows[row.what].end && good; ++m) {
        const MemberRow& member = kMemberRows[m];
        good = indices_fit({column.first + member.offset, column.length}, row.size, member.index, member.or_none, member.name);
      }
    }
    if (good && row.part == Part::kTables && kTableRows[row.what].related) {
      for (std::uint64_t k = 0; k < column.length && good; ++k) {
        way_[depth_ - 1].entry = k;
        const std::uint64_t entry = target_of(column.first + k * kWordBytes);
        count(entry, row.what);
        good = go_on(kTableRows[row.what].end - kTableRows[row.what].first) && related(entry, row.what);
      }
    }
  }
  --depth_;
  return good;
}

bool BufferCheck::length_fits(const FieldRow& row, const Column& column) {
  switch (row.rule.length) {
    case Length::kSquare: {
      const std::uint64_t side = number_of(row.rule.one[0]);
      return side * side == column.length || refuse(wrong(), "the number of entries is no square");
    }
    case Length::kPer: {
      if (!row.required && column.length == 0) return true;
      if (column.length == product(row.rule.one) || column.length == product(row.rule.another)) return true;
      return refuse(wrong(), "has " + std::to_string(column.length) + " entries, where other columns ask for " +
                                 std::to_string(product(row.rule.one)));
    }
    case Length::kStarts:
    case Length::kOwnStarts:
    case Length::kEnds:
      return starts_fit(row, column);
    default:
      return true;
  }
}

bool BufferCheck::starts_fit(const FieldRow& row, const Column& column) {
  const bool with_first = row.rule.length != Length::kEnds;
  const std::uint64_t entries = number_of(row.rule.one[1]);
  if (!row.required && column.length == 0) return entries == 0 || refuse(wrong(), "rows are missing");
  if (row.rule.length == Length::kStarts && column.length != number_of(row.rule.one[0]) + 1) {
    return refuse(wrong(), "needs one start per row and the end");
  }
  std::uint64_t before = 0;
  for (std::uint64_t k = 0; k < column.length; ++k) {
    const std::uint64_t value = at<std::uint32_t>(column.first + k * kWordBytes);
    if (k == 0 && with_first && value != 0) return refuse(wrong(), "the first row does not start at 0", nullptr, k);
    if (value < before || value > entries) {
      return refuse(wrong(), "rows decrease or pass the end of the entries", nullptr, k);
    }
    before = value;
    if (!go_on(1)) return false;
  }
  return before == entries || refuse(wrong(), "the last row does not end at the last entry", nullptr, column.length - 1);
}

bool BufferCheck::indices_fit(const Column& column, std::uint64_t stride, Count count, bool or_none, const char* member) {
  if (count == Count::kOne) return true;
  const std::uint64_t most = number_of(count);
  const auto wrong_at = [&](std::uint64_t k) {
    const auto value = at<std::uint32_t>(column.first + k * stride);
    return value >= most && !(or_none && value == kNoIndex);
  };
  for (std::uint64_t first = 0; first < column.length; first += kBlock) {
    const std::uint64_t end = std::min(column.length, first + kBlock);
    bool found = false;
    for (std::uint64_t k = first; k < end; ++k) found |= wrong_at(k);
    for (std::uint64_t k = first; found && k < end; ++k) {
      if (wrong_at(k)) return refuse(wrong(), "there is nothing with this index", member, k);
    }
    if (!go_on(end - first)) return false;
  }
  return true;
}

}  // namespace stowage::capi
