// Shared by the decoders of all schemas: verified roots, and copies whose size stays in proportion to the buffer.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/model/data/instance_data.h"
#include "instance_generated.h"

// Bulk columns are copied or viewed without conversion, and the wire is little-endian.
static_assert(std::endian::native == std::endian::little, "Stowage reads bulk columns in place and needs a little-endian host");

namespace stowage::capi {

inline constexpr std::uint16_t kFormat = 1;

inline Error malformed(std::string message) { return {Code::kMalformed, std::move(message), ""}; }

/// Copies parts of a buffer within a budget of 2^24 + 16 x the buffer's size in bytes. A buffer may refer to one string, vector
/// or table from several places, so that a few kilobytes can unfold to gigabytes. Beyond the budget, copies are empty and
/// exceeded() is true.
class Copier {
 public:
  explicit Copier(std::uint64_t buffer_size) : left_(kFree + kProportion * buffer_size) {}
  [[nodiscard]] bool exceeded() const { return exceeded_; }

  /// Takes `bytes` off the budget; false where too little is left. 64 bits also where std::size_t has 32.
  bool take(std::uint64_t bytes) {
    exceeded_ = exceeded_ || bytes > left_;
    if (exceeded_) return false;
    left_ -= bytes;
    return true;
  }
  template <class Value>
  std::vector<Value> column(const flatbuffers::Vector<Value>* from) {
    if (from == nullptr || !take(std::uint64_t{from->size()} * sizeof(Value))) return {};
    return {from->data(), from->data() + from->size()};
  }
  std::string text(const flatbuffers::String* from) {
    if (from == nullptr || !take(std::uint64_t{from->size()} + sizeof(std::string))) return {};
    return from->str();
  }
  std::vector<std::string> texts(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* list) {
    std::vector<std::string> result;
    if (list == nullptr || !take(std::uint64_t{list->size()} * sizeof(std::string))) return result;
    result.reserve(list->size());
    for (const flatbuffers::String* string : *list) result.push_back(text(string));
    return result;
  }
  std::vector<Residence> residences(const flatbuffers::Vector<const wire::Residence*>* list) {
    std::vector<Residence> result;
    if (list == nullptr || !take(std::uint64_t{list->size()} * sizeof(Residence))) return result;
    result.reserve(list->size());
    for (const wire::Residence* r : *list) result.push_back({r->app(), r->node(), r->replicas()});
    return result;
  }

 private:
  // Short strings and small tables take up to about this many times their size on the wire.
  static constexpr std::uint64_t kProportion = 16;
  static constexpr std::uint64_t kFree = std::uint64_t{1} << 24;

  std::uint64_t left_;
  bool exceeded_ = false;
};

template <class Value>
std::span<const Value> view(const flatbuffers::Vector<Value>* column) {
  return column == nullptr ? std::span<const Value>() : std::span<const Value>(column->data(), column->size());
}

inline Error out_of_proportion() {
  return {Code::kLimitExceeded, "the buffer refers to the same parts so often that it unfolds to much more than its size", ""};
}

template <class Entry>
std::size_t length_of(const flatbuffers::Vector<Entry>* list) {
  return list == nullptr ? 0 : list->size();
}

/// True where the tables in one vector of the root share lists of strings so often that the verifier, which follows every
/// reference, would not end in reasonable time: their strings exceed 2^20 + the buffer's size in bytes. The bytes need not be
/// verified yet.
/// @param strings number of strings in the lists of an item
template <class Item, class Strings>
bool shares_strings(const AlignedBytes& bytes, flatbuffers::voffset_t field, Strings strings) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (verifier.VerifyOffset(std::size_t{0}) == 0) return false;
  const auto* table = flatbuffers::GetRoot<flatbuffers::Table>(bytes.data());
  if (!table->VerifyTableStart(verifier) || !table->VerifyOffset(verifier, field)) return false;
  const auto* items = table->GetPointer<const flatbuffers::Vector<flatbuffers::Offset<Item>>*>(field);
  if (items == nullptr || !verifier.VerifyVector(items)) return false;
  std::size_t left = (std::size_t{1} << 20) + bytes.size();
  for (flatbuffers::uoffset_t k = 0; k < items->size(); ++k) {
    if (!items->Get(k)->Verify(verifier)) return false;
    const std::size_t size = strings(*items->Get(k));
    if (size > left) return true;
    left -= size;
  }
  return false;
}

template <class Root>
Result<const Root*> root(const AlignedBytes& bytes, const char* identifier, const char* what, std::uint32_t max_tables) {
  if (bytes.size() < 8) return malformed(std::string("too short for ") + what);
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) return malformed(std::string("too long for ") + what);
  if (!flatbuffers::BufferHasIdentifier(bytes.data(), identifier)) {
    return malformed(std::string("not ") + what + ": the file identifier is not \"" + identifier + "\"");
  }
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 64, max_tables);
  if (!verifier.VerifyBuffer<Root>(identifier)) return malformed(std::string("not a well-formed ") + (what + 2));
  const Root* table = flatbuffers::GetRoot<Root>(bytes.data());
  if (table->format() > kFormat) return malformed("made for a later format than this library reads");
  return table;
}

/// Whether the text is UTF-8, which clients need to print it and to write it as JSON.
inline bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  for (std::size_t k = 0; k < text.size();) {
    const unsigned lead = byte(k);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || k + length > text.size()) return false;
    for (std::size_t next = k + 1; next < k + length; ++next) {
      if ((byte(next) & 0xC0) != 0x80) return false;
    }
    // Refuses overlong forms, surrogates and values above U+10FFFF.
    if ((lead == 0xE0 && byte(k + 1) < 0xA0) || (lead == 0xED && byte(k + 1) > 0x9F) || (lead == 0xF0 && byte(k + 1) < 0x90) ||
        (lead == 0xF4 && byte(k + 1) > 0x8F)) {
      return false;
    }
    k += length;
  }
  return true;
}

}  // namespace stowage::capi
