// Shared by the encoders of all schemas.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

#include "capi/src/codec.h"
#include "core/base/watched.h"

namespace stowage::capi {

using Builder = flatbuffers::FlatBufferBuilder;

/// Nothing if the watch ends the call.
inline EncodedBytes release(const Builder& builder, Watch& watch) {
  EncodedBytes bytes;
  bytes.size = builder.GetSize();
  bytes.data = static_cast<std::uint8_t*>(std::malloc(bytes.size));
  if (bytes.data == nullptr) throw std::bad_alloc();
  std::uint8_t* to = bytes.data;
  const bool complete = in_pieces(std::span<const std::uint8_t>(builder.GetBufferPointer(), bytes.size), watch,
                                  [&](std::span<const std::uint8_t> piece) {
                                    to = std::copy(piece.begin(), piece.end(), to);
                                    return true;
                                  });
  if (complete) return bytes;
  std::free(bytes.data);
  return {};
}

inline EncodedBytes release(const Builder& builder) {
  Watch unwatched;
  return release(builder, unwatched);
}

template <class From, class Encode>
auto encode_all(Builder& builder, const std::vector<From>& list, Encode encode) {
  std::vector<decltype(encode(list[0]))> offsets;
  offsets.reserve(list.size());
  for (const From& item : list) offsets.push_back(encode(item));
  return builder.CreateVector(offsets);
}

}  // namespace stowage::capi
