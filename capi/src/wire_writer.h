// Shared by the encoders of all schemas.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "capi/src/codec.h"

namespace stowage::capi {

using Builder = flatbuffers::FlatBufferBuilder;

inline EncodedBytes release(const Builder& builder) {
  EncodedBytes bytes;
  bytes.size = builder.GetSize();
  bytes.data = static_cast<std::uint8_t*>(std::malloc(bytes.size));
  if (bytes.data == nullptr) throw std::bad_alloc();
  std::memcpy(bytes.data, builder.GetBufferPointer(), bytes.size);
  return bytes;
}

template <class From, class Encode>
auto encode_all(Builder& builder, const std::vector<From>& list, Encode encode) {
  std::vector<decltype(encode(list[0]))> offsets;
  offsets.reserve(list.size());
  for (const From& item : list) offsets.push_back(encode(item));
  return builder.CreateVector(offsets);
}

}  // namespace stowage::capi
