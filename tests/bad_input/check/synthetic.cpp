#include "tests/bad_input/check/synthetic.h"

#include <cstring>

namespace stowage::test {
namespace {

using capi::Count;
using capi::FieldRow;
using capi::kFieldRows;
using capi::kTableRows;
using capi::Length;
using capi::Part;

using Offset = flatbuffers::uoffset_t;

/// How many of each thing there are: at least 2, and different from each other where columns belong to several of them.
std::size_t number_of(Count count) {
  switch (count) {
    case Count::kOne:
      return 1;
    case Count::kResources:
      return 2;
    case Count::kApps:
      return 3;
    case Count::kPeriods:
      return 4;
    default:
      return 2 + static_cast<std::size_t>(count);
  }
}

std::size_t length_of(const capi::Rule& rule) {
  switch (rule.length) {
    case Length::kCounts:
      return number_of(rule.one[0]);
    case Length::kSquare:
      return number_of(rule.one[0]) * number_of(rule.one[0]);
    case Length::kPer:
      return number_of(rule.one[0]) * number_of(rule.one[1]) * number_of(rule.one[2]);
    case Length::kStarts:
    case Length::kOwnStarts:
      return number_of(rule.one[0]) + 1;
    default:
      return 2;
  }
}

class Maker {
 public:
  Offset table(std::size_t which, std::size_t body) {
    const auto [first, end, related] = kTableRows[which];
    std::vector<Offset> parts;
    for (std::size_t f = first; f < end; ++f) parts.push_back(part(kFieldRows[f], body));
    const Offset start = builder_.StartTable();
    for (std::size_t f = first; f < end; ++f) {
      const FieldRow& row = kFieldRows[f];
      if (row.part == Part::kNumber) {
        number(row);
      } else if (row.part == Part::kUnion) {
        builder_.AddElement<std::uint8_t>(row.slot, static_cast<std::uint8_t>(body + 1));
        builder_.AddOffset(static_cast<flatbuffers::voffset_t>(row.slot + 2), flatbuffers::Offset<void>(parts[f - first]));
      } else {
        builder_.AddOffset(row.slot, flatbuffers::Offset<void>(parts[f - first]));
      }
    }
    return builder_.EndTable(start);
  }

  std::vector<std::uint8_t> finish(Offset root, const char* identifier) {
    builder_.Finish(flatbuffers::Offset<void>(root), identifier);
    return {builder_.GetBufferPointer(), builder_.GetBufferPointer() + builder_.GetSize()};
  }

  Maker() { builder_.ForceDefaults(true); }

 private:
  void number(const FieldRow& row) {
    const bool counts = row.rule.length == Length::kCounts;
    const auto value = counts ? number_of(row.rule.one[0]) : row.values != 0 ? row.values - 1u : row.slot == 4 ? 1u : 0u;
    switch (row.size) {
      case 1:
        return builder_.AddElement(row.slot, static_cast<std::uint8_t>(value));
      case 2:
        return builder_.AddElement(row.slot, static_cast<std::uint16_t>(value));
      case 4:
        return builder_.AddElement(row.slot, static_cast<std::uint32_t>(value));
      default:
        return builder_.AddElement(row.slot, static_cast<std::uint64_t>(0));
    }
  }

  Offset part(const FieldRow& row, std::size_t body) {
    const std::size_t length = length_of(row.rule);
    std::vector<flatbuffers::Offset<void>> list;
    switch (row.part) {
      case Part::kNumber:
        return 0;
      case Part::kText:
        return builder_.CreateString("text").o;
      case Part::kTable:
        return table(row.what, body);
      case Part::kUnion:
        return table(capi::kUnionRows[row.what + body], body);
      case Part::kNumbers:
        return column(row, length);
      case Part::kStructs: {
        builder_.StartVector(length * row.size / row.alignment, row.alignment);
        const std::vector<std::uint8_t> zeros(length * row.size, 0);
        builder_.PushBytes(zeros.data(), zeros.size());
        return builder_.EndVector(length);
      }
      default:
        for (std::size_t k = 0; k < length; ++k) {
          list.emplace_back(row.part == Part::kTexts ? builder_.CreateString("text " + std::to_string(k)).o
                                                     : table(row.what, body));
        }
        return builder_.CreateVector(list).o;
    }
  }

  Offset column(const FieldRow& row, std::size_t length) {
    std::vector<std::uint8_t> bytes(length * row.size, 0);
    for (std::size_t k = 0; k < length && row.size == 4; ++k) {
      std::uint32_t value = 0;
      if (row.rule.index != Count::kOne) value = static_cast<std::uint32_t>(k % number_of(row.rule.index));
      const bool rows =
          row.rule.length == Length::kStarts || row.rule.length == Length::kOwnStarts || row.rule.length == Length::kEnds;
      // The last row has all entries.
      if (rows && k + 1 == length) value = static_cast<std::uint32_t>(number_of(row.rule.one[1]));
      std::memcpy(bytes.data() + k * sizeof value, &value, sizeof value);
    }
    builder_.StartVector(length, row.size);
    builder_.PushBytes(bytes.data(), bytes.size());
    return builder_.EndVector(length);
  }

  flatbuffers::FlatBufferBuilder builder_;
};

/// Finds the fields again.
class Finder {
 public:
  explicit Finder(Synthetic& made) : made_(made) {}

  void table(std::size_t position, std::size_t which, const std::string& path) {
    const std::size_t vtable = position - static_cast<std::size_t>(static_cast<std::ptrdiff_t>(read<std::int32_t>(position)));
    for (std::size_t f = kTableRows[which].first; f < kTableRows[which].end; ++f) {
      const FieldRow& row = kFieldRows[f];
      const bool is_union = row.part == Part::kUnion;
      Place place{&row, path + (path.empty() ? "" : ".") + row.name, vtable + row.slot + (is_union ? 2 : 0)};
      place.at = position + read<std::uint16_t>(place.slot);
      if (is_union) {
        place.path = path;
        place.type_at = position + read<std::uint16_t>(vtable + row.slot);
      }
      made_.places.push_back(place);
      const std::size_t target = row.part == Part::kNumber ? 0 : place.at + read<std::uint32_t>(place.at);
      if (row.part == Part::kTable) table(target, row.what, place.path);
      if (is_union) table(target, capi::kUnionRows[row.what + made_.bytes[place.type_at] - 1u], path);
      if (row.part == Part::kTables) {
        for (std::size_t k = 0; k < read<std::uint32_t>(target); ++k) {
          const std::size_t entry = target + 4 + 4 * k;
          table(entry + read<std::uint32_t>(entry), row.what, place.path + "[" + std::to_string(k) + "]");
        }
      }
    }
  }

 private:
  template <class Value>
  [[nodiscard]] Value read(std::size_t position) const {
    Value value;
    std::memcpy(&value, made_.bytes.data() + position, sizeof value);
    return value;
  }

  Synthetic& made_;
};

const FieldRow* union_of(std::uint32_t kind) {
  const auto [first, end, related] = kTableRows[capi::kRootRows[kind].table];
  for (std::size_t f = first; f < end; ++f) {
    if (kFieldRows[f].part == Part::kUnion) return &kFieldRows[f];
  }
  return nullptr;
}

}  // namespace

std::size_t bodies(std::uint32_t kind) { return union_of(kind) == nullptr ? 1 : union_of(kind)->values; }

Synthetic synthetic(std::uint32_t kind, std::size_t body) {
  const auto [identifier, table] = capi::kRootRows[kind];
  Maker maker;
  Synthetic made;
  made.bytes = maker.finish(maker.table(table, body), identifier);
  std::uint32_t root = 0;
  std::memcpy(&root, made.bytes.data(), sizeof root);
  Finder(made).table(root, table, "");
  return made;
}

}  // namespace stowage::test
