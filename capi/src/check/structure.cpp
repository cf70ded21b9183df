// Nothing is read before it is known to lie within the buffer.

#include <cstring>
#include <string>

#include "capi/src/check/buffer_check.h"
#include "capi/src/check/utf8.h"

namespace stowage::capi {
namespace {

/// Size of an offset, and of the length of a text or column.
constexpr std::uint64_t kWord = 4;
/// A FlatBuffer is smaller than this.
constexpr std::uint64_t kMostBytes = 0x7FFFFFFF;
/// The layout that this library knows. The field stands first in every root.
constexpr std::uint16_t kKnownFormat = 1;
constexpr std::uint16_t kFormatSlot = 4;
/// What a text and a table count beside what they hold.
constexpr std::uint64_t kTextBytes = 32;
constexpr std::uint64_t kTableBytes = 64;
constexpr std::uint64_t kFieldBytes = 8;
/// Bytes of text between two looks at the watch.
constexpr std::size_t kPiece = std::size_t{1} << 20;

constexpr const char* kNames[] = {"an instance",          "a request",         "a plan",      "a report", "a catalogue",
                                  "an operations buffer", "a learning buffer", "a derivation"};

}  // namespace

bool BufferCheck::refuse(Code code, std::string_view message) { return refuse(code, message, nullptr, kNoEntry); }

bool BufferCheck::refuse(Code code, std::string_view message, const char* member, std::uint64_t index) {
  std::string path;
  for (std::size_t k = 0; k < depth_; ++k) {
    const std::uint64_t entry = k + 1 == depth_ && index != kNoEntry ? index : way_[k].entry;
    if (k > 0) path += '.';
    path += entry == kNoEntry ? std::string(way_[k].name) : indexed(way_[k].name, static_cast<std::size_t>(entry));
  }
  if (member != nullptr) path += std::string(".") + member;
  error_ = {code, std::string(message), std::move(path)};
  return false;
}

bool BufferCheck::out_of_form() {
  const char* name = kNames[static_cast<std::size_t>(kind_)];
  error_ = {Code::kMalformed, std::string("not a well-formed ") + (std::strchr(name, ' ') + 1), ""};
  return false;
}

Code BufferCheck::wrong() const {
  return kind_ == Kind::kPlan || kind_ == Kind::kReport || kind_ == Kind::kCatalogue ? Code::kMalformed : Code::kInvalid;
}

bool BufferCheck::go_on(std::uint64_t units) {
  if (!watch_.step(units)) return true;
  error_ = cancelled();
  return false;
}

bool BufferCheck::take(std::uint64_t bytes) {
  if (bytes > left_) {
    error_ = {Code::kLimitExceeded, "the buffer refers to the same parts so often that it unfolds to much more than its size",
              ""};
    return false;
  }
  left_ -= bytes;
  return true;
}

Error BufferCheck::structure() {
  static_assert(std::size(kRootRows) == static_cast<std::size_t>(Kind::kEnd) && std::size(kNames) == std::size(kRootRows));
  const RootRow& root = kRootRows[static_cast<std::size_t>(kind_)];
  const std::string what = kNames[static_cast<std::size_t>(kind_)];
  if (watch_.ended()) return cancelled();
  if (size_ < 2 * kWord) return {Code::kMalformed, "too short for " + what, ""};
  if (size_ >= kMostBytes) return {Code::kMalformed, "too long for " + what, ""};
  if (std::memcmp(bytes_ + kWord, root.identifier, kWord) != 0) {
    return {Code::kMalformed, "not " + what + ": the file identifier is not \"" + root.identifier + "\"", ""};
  }
  std::uint64_t position = 0;
  if (!reference(0, position) || !table(position, root.table)) return error_;
  const std::uint64_t format = field_at(position, kFormatSlot);
  if (format != 0 && at<std::uint16_t>(format) > kKnownFormat) {
    return {Code::kMalformed, "made for a later format than this library reads", ""};
  }
  return {};
}

std::uint64_t BufferCheck::field_at(std::uint64_t table, std::uint16_t slot) const {
  const auto vtable = static_cast<std::uint64_t>(static_cast<std::int64_t>(table) - at<std::int32_t>(table));
  if (slot + sizeof(std::uint16_t) > at<std::uint16_t>(vtable)) return 0;
  const auto offset = at<std::uint16_t>(vtable + slot);
  return offset == 0 ? 0 : table + offset;
}

BufferCheck::Column BufferCheck::column_at(std::uint64_t position) const {
  const std::uint64_t target = target_of(position);
  return {target + kWord, at<std::uint32_t>(target)};
}

bool BufferCheck::reference(std::uint64_t position, std::uint64_t& target) {
  const auto offset = at<std::uint32_t>(position);
  target = position + offset;
  return (offset != 0 && target % kWord == 0 && inside(target, kWord)) || out_of_form();
}

bool BufferCheck::table(std::uint64_t position, std::size_t which) {
  const TableRow& row = kTableRows[which];
  const std::int64_t vtable = static_cast<std::int64_t>(position) - at<std::int32_t>(position);
  constexpr std::uint64_t kHead = 2 * sizeof(std::uint16_t);
  if (vtable < 0 || vtable % 2 != 0 || !inside(static_cast<std::uint64_t>(vtable), kHead)) return out_of_form();
  const auto length = at<std::uint16_t>(static_cast<std::uint64_t>(vtable));
  if (length < kHead || length % 2 != 0 || !inside(static_cast<std::uint64_t>(vtable), length)) return out_of_form();
  if (!take(kTableBytes + kFieldBytes * (row.end - row.first)) || !go_on(row.end - row.first)) return false;
  for (std::size_t f = row.first; f < row.end; ++f) {
    if (!field(position, kFieldRows[f])) return false;
  }
  return true;
}

bool BufferCheck::field(std::uint64_t table, const FieldRow& row) {
  if (row.part == Part::kUnion) return union_of(table, row);
  const std::uint64_t position = field_at(table, row.slot);
  way_[depth_++] = {row.name, kNoEntry};
  if (position == 0) {
    if (row.required) return out_of_form();
    --depth_;
    return true;
  }
  const std::uint64_t alignment = row.part == Part::kNumber ? row.alignment : kWord;
  const std::uint64_t bytes = row.part == Part::kNumber ? row.size : kWord;
  if (position % alignment != 0 || !inside(position, bytes)) return out_of_form();
  std::uint64_t target = 0;
  Column found;
  switch (row.part) {
    case Part::kNumber:
      if (row.values != 0 && at<std::uint8_t>(position) >= row.values) return refuse(wrong(), "unknown value");
      break;
    case Part::kText:
      if (!text(position)) return false;
      break;
    case Part::kTable:
      if (!reference(position, target) || !this->table(target, row.what)) return false;
      break;
    default:
      if (!column(position, row, found) || !entries(found, row)) return false;
  }
  --depth_;
  return true;
}

bool BufferCheck::column(std::uint64_t position, const FieldRow& row, Column& found) {
  std::uint64_t target = 0;
  if (!reference(position, target)) return false;
  found = column_at(position);
  if (found.length > (size_ - found.first) / row.size) return out_of_form();
  if (found.length > 0 && found.first % row.alignment != 0) return out_of_form();
  return take(found.length * row.size);
}

bool BufferCheck::entries(const Column& column, const FieldRow& row) {
  if (row.part == Part::kNumbers) return row.values == 0 || values(column, row);
  if (row.part == Part::kStructs) return true;
  std::uint64_t& entry = way_[depth_ - 1].entry;
  for (std::uint64_t k = 0; k < column.length; ++k) {
    entry = k;
    const std::uint64_t position = column.first + k * kWord;
    std::uint64_t target = 0;
    const bool good = row.part == Part::kTexts ? text(position) : reference(position, target) && table(target, row.what);
    if (!good) return false;
  }
  entry = kNoEntry;
  return true;
}

bool BufferCheck::values(const Column& column, const FieldRow& row) {
  for (std::uint64_t k = 0; k < column.length; ++k) {
    if (at<std::uint8_t>(column.first + k) >= row.values) return refuse(wrong(), "unknown value", nullptr, k);
    if (!go_on(1)) return false;
  }
  return true;
}

bool BufferCheck::text(std::uint64_t position) {
  std::uint64_t target = 0;
  if (!reference(position, target)) return false;
  const auto [first, length] = column_at(position);
  // A byte of 0 follows.
  if (!inside(first, length + 1) || bytes_[first + length] != 0) return out_of_form();
  if (!take(kTextBytes + length) || !go_on(kTextBytes)) return false;
  std::string_view rest(reinterpret_cast<const char*>(bytes_ + first), length);
  while (rest.size() > kPiece) {
    std::size_t piece = kPiece;
    // Four bytes that continue a character are none.
    while (piece > kPiece - kWord && (static_cast<unsigned char>(rest[piece]) & 0xC0) == 0x80) --piece;
    if (!is_utf8(rest.substr(0, piece))) return refuse(Code::kMalformed, "a text that is not UTF-8");
    if (!go_on(piece)) return false;
    rest.remove_prefix(piece);
  }
  return is_utf8(rest) || refuse(Code::kMalformed, "a text that is not UTF-8");
}

bool BufferCheck::union_of(std::uint64_t table, const FieldRow& row) {
  const std::uint64_t type = field_at(table, row.slot);
  const std::uint64_t position = field_at(table, static_cast<std::uint16_t>(row.slot + sizeof(std::uint16_t)));
  if (position == 0) return !row.required || out_of_form();
  if (type == 0 || !inside(type, 1) || position % kWord != 0 || !inside(position, kWord)) return out_of_form();
  const auto which = at<std::uint8_t>(type);
  if (which == 0 || which > row.values) return refuse(Code::kMalformed, "unknown body");
  std::uint64_t target = 0;
  return reference(position, target) && this->table(target, kUnionRows[row.what + which - 1]);
}

}  // namespace stowage::capi
