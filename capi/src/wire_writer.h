// Shared by the encoders of all schemas.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capi/src/base/buffer.h"
#include "capi/src/codec.h"

namespace stowage::capi {

struct BuilderMemory : flatbuffers::Allocator {
  std::uint8_t* allocate(std::size_t size) override { return allocate_memory(size); }
  void deallocate(std::uint8_t* memory, std::size_t) override { free_memory(memory); }
};

/// A builder whose memory becomes that of the caller's buffer.
class Builder : private BuilderMemory, public flatbuffers::FlatBufferBuilder {
 public:
  explicit Builder(std::size_t first_bytes = 1024) : FlatBufferBuilder(first_bytes, this) {}
};

/// Takes what has been finished. The builder is empty afterwards.
inline stowage_buffer release(Builder& builder) {
  const std::size_t size = builder.GetSize();
  std::size_t all = 0;
  std::size_t offset = 0;
  std::uint8_t* memory = builder.ReleaseRaw(all, offset);
  return make_buffer(memory, memory + offset, size);
}

template <class From, class Encode>
auto encode_all(Builder& builder, const std::vector<From>& list, Encode encode) {
  std::vector<decltype(encode(list[0]))> offsets;
  offsets.reserve(list.size());
  for (const From& item : list) offsets.push_back(encode(item));
  return builder.CreateVector(offsets);
}

using Texts = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;
/// None once the watch has ended the call.
inline flatbuffers::Offset<Texts> encode_texts(Builder& builder, const std::vector<std::string>& list, WatchRef watch) {
  std::vector<flatbuffers::Offset<flatbuffers::String>> offsets;
  offsets.reserve(list.size());
  for (const std::string& text : list) {
    if (watch.step(16)) return {};
    offsets.push_back(builder.CreateString(text));
  }
  return builder.CreateVector(offsets);
}

}  // namespace stowage::capi
