// The form of schema_rows.h: what a reader has to know of the schemas before it may trust a buffer.
#pragma once

#include <cstdint>

namespace stowage::capi {

/// Things of which a buffer says how many there are.
enum class Count : std::uint8_t;

enum class Part : std::uint8_t { kNumber, kText, kTable, kUnion, kNumbers, kTexts, kStructs, kTables };

/// How the length of a column, or its entries, follow from others. scripts/generate/schema.py explains the words.
enum class Length : std::uint8_t { kAny, kCounts, kSquare, kPer, kStarts, kOwnStarts, kEnds };

struct Rule {
  Length length = Length::kAny;
  Count one[3] = {};      ///< kPer: factors of the length; kStarts and kEnds: rows and their entries; else what is counted
  Count another[3] = {};  ///< kPer: factors of the other length
  Count index = {};       ///< entries are indices of these; the first count: they are none
  bool or_none = false;   ///< or 4294967295
};
inline constexpr Rule kFree;

struct FieldRow {
  const char* name;
  std::uint16_t slot;  ///< offset in a vtable; of a union, that of its type, which the union follows
  Part part;
  std::uint8_t size;  ///< bytes of a number, or of an entry of a column
  std::uint8_t alignment;
  bool required;
  std::uint8_t values;    ///< values of the enumeration, or tables of the union; 0: no enumeration
  std::uint8_t what;      ///< position of the table or the struct, or of the union's first table
  std::uint32_t initial;  ///< of a number that counts something: its value where it is absent
  Rule rule;
};

/// The fields of a table are those from `first` to `end`.
struct TableRow {
  std::uint16_t first;
  std::uint16_t end;
  bool related;  ///< rules concern it, or what it refers to
};

/// A number of a struct that is an index.
struct MemberRow {
  const char* name;
  std::uint8_t offset;
  Count index;
  bool or_none;
};

struct StructRow {
  std::uint8_t first;
  std::uint8_t end;
};

/// The root of a kind of buffer.
struct RootRow {
  const char* identifier;
  std::uint8_t table;
};

}  // namespace stowage::capi
