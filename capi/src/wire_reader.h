// Shared by the decoders of all schemas: verified roots, and copies that the caller can end.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "capi/src/check/buffer_check.h"
#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/base/watched.h"

// Bulk columns are copied or viewed without conversion, and the wire is little-endian.
static_assert(std::endian::native == std::endian::little, "Stowage reads bulk columns in place and needs a little-endian host");

namespace stowage::capi {

inline Error malformed(std::string message) { return {Code::kMalformed, std::move(message), ""}; }

/// Copies parts of a buffer that BufferCheck::structure() has accepted. What is absent leaves the copy as it is. Once the watch
/// has ended the call, copies are cut short.
class Copier {
 public:
  explicit Copier(WatchRef watch) : watch_(watch) {}
  [[nodiscard]] bool ended() const { return watch_.ended(); }
  bool step(std::uint64_t units) { return watch_.step(units); }

  /// A column of numbers, or of structs or enumerators that are the same in memory.
  template <class From, class To>
  void read(const flatbuffers::Vector<From>* from, std::vector<To>& to) {
    static_assert(sizeof(To) == sizeof(std::remove_pointer_t<From>) && std::is_trivially_copyable_v<To>);
    if (from != nullptr) to = watched_copy(std::span(reinterpret_cast<const To*>(from->Data()), from->size()), watch_);
  }
  void read(const flatbuffers::String* from, std::string& to) {
    if (from != nullptr && !watch_.step(from->size() / 16 + 1)) to = from->str();
  }
  void read(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* from, std::vector<std::string>& to) {
    all(from, to, [](const flatbuffers::String& one, Copier& copier, std::string& text) { copier.read(&one, text); });
  }
  /// Each table of a list by read_one(table, copier, to).
  template <class From, class To, class Read>
  void all(const flatbuffers::Vector<flatbuffers::Offset<From>>* from, std::vector<To>& to, Read read_one) {
    if (from == nullptr) return;
    to.reserve(from->size());
    for (const From* one : *from) {
      read_one(*one, *this, to.emplace_back());
      if (watch_.step(1)) return;
    }
  }
  template <class From, class To, class Read>
  void some(const From* from, To& to, Read read_one) {
    if (from != nullptr) read_one(*from, *this, to);
  }
  template <class From, class To, class Read>
  void some(const From* from, std::optional<To>& to, Read read_one) {
    if (from != nullptr) read_one(*from, *this, to.emplace());
  }

 private:
  WatchRef watch_;
};

/// The root of a buffer of this kind, which is well-formed, whose texts are UTF-8 and whose enumerations have known values.
/// Errors: those of BufferCheck::structure().
template <class Root>
Result<const Root*> root(const AlignedBytes& bytes, Kind kind, WatchRef watch) {
  if (Error e = BufferCheck(kind, bytes.data(), bytes.size(), watch).structure(); failed(e)) return e;
  return flatbuffers::GetRoot<Root>(bytes.data());
}

/// What read_all(table, copier, to) makes of such a root. Errors: as root(); kCancelled.
template <class Root, class To, class Read>
Result<To> decoded(const AlignedBytes& bytes, Kind kind, WatchRef watch, Read read_all) {
  auto table = root<Root>(bytes, kind, watch);
  if (!table) return table.error();
  To to;
  Copier copier(watch);
  read_all(**table, copier, to);
  if (copier.ended()) return cancelled();
  return to;
}

}  // namespace stowage::capi
