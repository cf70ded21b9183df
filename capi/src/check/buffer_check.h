// Whether a buffer may be read: by this library, and by readers that trust what they read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "capi/src/check/schema_rows.h"
#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/data/instance_data.h"

namespace stowage::capi {

/// The kinds of buffers. Mirrors stowage_kind, number by number.
enum class Kind : std::uint32_t {
  kInstance,
  kRequest,
  kPlan,
  kReport,
  kCatalogue,
  kOperations,
  kLearning,
  kDerivation,
  kEnd,
};

/// Reads a buffer by the schemas, in time that is proportional to its size.
///
/// A buffer may refer to one text, column or table from several places, so that a few kilobytes unfold to gigabytes in whoever
/// copies what they read. What a reader copies of an accepted buffer is at most 2^24 bytes + 16 x the size of the buffer, where
/// a text counts 32 bytes more than its length, and a table 64 bytes and 8 per field.
class BufferCheck {
 public:
  /// @param bytes of any alignment; they and the watch outlive this
  BufferCheck(Kind kind, const std::uint8_t* bytes, std::size_t size, WatchRef watch)
      : kind_(kind), bytes_(bytes), size_(size), watch_(watch), left_(kFreeBytes + kProportion * size) {}

  /// Size, identifier and format; that everything lies within the buffer and is aligned in it; that nothing that is required is
  /// absent; values of enumerations; that texts are UTF-8; and the budget above.
  /// Errors: kMalformed, kLimitExceeded, kInvalid (enumerations of what a caller makes), kCancelled.
  Error structure();

  /// Lengths of columns that belong together, and ranges of indices, as relations.txt states them. Requires that structure()
  /// has accepted the buffer. Errors: kInvalid for what a caller makes, kMalformed for what the library makes; kLimitExceeded
  /// for counts of an instance; kCancelled.
  Error relations(const Limits& limits);
  /// The same for the session's table of an instance only.
  Error session_relations();

 private:
  static constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 24;
  static constexpr std::uint64_t kProportion = 16;
  /// Tables in tables, as the schemas have them.
  static constexpr std::size_t kDeepest = 8;

  struct Column {
    std::uint64_t first = 0;  ///< where the entries begin
    std::uint64_t length = 0;
  };

  template <class Value>
  [[nodiscard]] Value at(std::uint64_t position) const {
    Value value;
    std::memcpy(&value, bytes_ + position, sizeof value);
    return value;
  }
  [[nodiscard]] bool inside(std::uint64_t position, std::uint64_t bytes) const {
    return position <= size_ && bytes <= size_ - position;
  }
  /// Position of a field, or 0 where the table lacks it. The table has been verified.
  [[nodiscard]] std::uint64_t field_at(std::uint64_t table, std::uint16_t slot) const;
  [[nodiscard]] std::uint64_t target_of(std::uint64_t position) const { return position + at<std::uint32_t>(position); }
  [[nodiscard]] Column column_at(std::uint64_t position) const;

  // All of these return false where error_ is set.
  bool table(std::uint64_t position, std::size_t which);
  bool field(std::uint64_t table, const FieldRow& row);
  bool reference(std::uint64_t position, std::uint64_t& target);
  bool text(std::uint64_t position);
  bool column(std::uint64_t position, const FieldRow& row, Column& found);
  bool values(const Column& column, const FieldRow& row);
  bool entries(const Column& column, const FieldRow& row);
  bool union_of(std::uint64_t table, const FieldRow& row);
  bool take(std::uint64_t bytes);

  void count(std::uint64_t table, std::size_t which);
  bool related(std::uint64_t table, std::size_t which);
  bool length_fits(const FieldRow& row, const Column& column);
  bool starts_fit(const FieldRow& row, const Column& column);
  bool indices_fit(const Column& column, std::uint64_t stride, Count count, bool or_none, const char* member);
  bool field_related(std::uint64_t table, const FieldRow& row);
  bool counts_within(const Limits& limits);
  [[nodiscard]] std::uint64_t product(const Count (&factors)[3]) const;
  [[nodiscard]] std::uint64_t& number_of(Count count) { return counts_[static_cast<std::size_t>(count)]; }

  bool refuse(Code code, std::string_view message);
  bool refuse(Code code, std::string_view message, const char* member, std::uint64_t index);
  bool out_of_form();
  /// The code of what is well-formed and wrong.
  [[nodiscard]] Code wrong() const;
  [[nodiscard]] bool go_on(std::uint64_t units);

  Kind kind_;
  const std::uint8_t* bytes_;
  std::uint64_t size_;
  WatchRef watch_;
  std::uint64_t left_;
  std::array<std::uint64_t, static_cast<std::size_t>(Count::kEnd)> counts_{};
  Error error_;
  // The way to the present place: fields, and the entry in each, or kNoEntry.
  static constexpr std::uint64_t kNoEntry = ~std::uint64_t{0};
  struct Step {
    const char* name;
    std::uint64_t entry;
  };
  std::array<Step, kDeepest> way_{};
  std::size_t depth_ = 0;
};

}  // namespace stowage::capi
