// Shared by the encoders of all schemas.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "capi/src/codec.h"
#include "core/base/watched.h"

namespace stowage::capi {

using Builder = flatbuffers::FlatBufferBuilder;

/// Nothing if the watch ends the call.
inline EncodedBytes release(const Builder& builder, WatchRef watch = {}) {
  EncodedBytes bytes;
  bytes.size = builder.GetSize();
  bytes.data = static_cast<std::uint8_t*>(std::malloc(bytes.size));
  if (bytes.data == nullptr) throw std::bad_alloc();
  const std::span<const std::uint8_t> made(builder.GetBufferPointer(), bytes.size);
  if (watched_copy(made, bytes.data, watch)) return bytes;
  std::free(bytes.data);
  return {};
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
