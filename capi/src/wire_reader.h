// Shared by the decoders of all schemas: verified roots, and copies that the caller can end.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capi/src/check/buffer_check.h"
#include "capi/src/codec.h"
#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/base/watched.h"
#include "core/model/data/instance_data.h"
#include "instance_generated.h"

// Bulk columns are copied or viewed without conversion, and the wire is little-endian.
static_assert(std::endian::native == std::endian::little, "Stowage reads bulk columns in place and needs a little-endian host");

namespace stowage::capi {

inline Error malformed(std::string message) { return {Code::kMalformed, std::move(message), ""}; }

template <class Value>
std::span<const Value> view(const flatbuffers::Vector<Value>* column) {
  return column == nullptr ? std::span<const Value>() : std::span<const Value>(column->data(), column->size());
}

/// Copies parts of a buffer that BufferCheck::structure() has accepted. Once the watch has ended the call, copies are cut
/// short.
class Copier {
 public:
  explicit Copier(WatchRef watch) : watch_(watch) {}
  [[nodiscard]] bool ended() const { return watch_.ended(); }
  bool step(std::uint64_t units) { return watch_.step(units); }

  template <class Value>
  std::vector<Value> column(const flatbuffers::Vector<Value>* from) {
    return watched_copy(view(from), watch_);
  }
  std::string text(const flatbuffers::String* from) {
    if (from == nullptr || watch_.step(from->size() / 16 + 1)) return {};
    return from->str();
  }
  std::vector<std::string> texts(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* list) {
    std::vector<std::string> to;
    if (list == nullptr) return to;
    to.reserve(list->size());
    for (const flatbuffers::String* string : *list) {
      to.push_back(text(string));
      if (watch_.ended()) break;
    }
    return to;
  }
  /// A copy of structs, each by make(struct).
  template <class To, class From, class Make>
  std::vector<To> structs(const flatbuffers::Vector<const From*>* list, Make make) {
    std::vector<To> to;
    if (list == nullptr) return to;
    to.reserve(list->size());
    for (const From* one : *list) {
      to.push_back(make(*one));
      if (watch_.step()) break;
    }
    return to;
  }
  std::vector<Residence> residences(const flatbuffers::Vector<const wire::Residence*>* list) {
    return structs<Residence>(list, [](const wire::Residence& r) { return Residence{r.app(), r.node(), r.replicas()}; });
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

}  // namespace stowage::capi
