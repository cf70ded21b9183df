// Shared by the encoders of all schemas.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "capi/src/base/buffer.h"
#include "capi/src/codec.h"
#include "core/base/watched.h"

namespace stowage::capi {

struct BuilderMemory : flatbuffers::Allocator {
  std::uint8_t* allocate(std::size_t size) override { return allocate_memory(size); }
  void deallocate(std::uint8_t* memory, std::size_t) override { free_memory(memory); }
};

template <class Value>
using Column = flatbuffers::Offset<flatbuffers::Vector<Value>>;
using Text = flatbuffers::Offset<flatbuffers::String>;

/// A builder whose memory becomes that of the caller's buffer. What is written once the watch has ended the call means nothing.
class Builder : private BuilderMemory, public flatbuffers::FlatBufferBuilder {
 public:
  explicit Builder(std::size_t first_bytes = 1024, WatchRef watch = {}) : FlatBufferBuilder(first_bytes, this), watch_(watch) {}

  Text must(const std::string& text) { return CreateString(text); }
  template <class Value>
  Column<Value> must(std::span<const Value> values) {
    Value* to = nullptr;
    const auto offset = CreateUninitializedVector(values.size(), &to);
    watched_copy(values, to, watch_);
    return offset;
  }
  template <class Value>
  Column<Value> must(const std::vector<Value>& values) {
    return must(std::span(values));
  }
  /// A column of structs or enumerators that are the same in memory.
  template <class To, class From>
  auto must_column(const std::vector<From>& list) {
    static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
    const std::span values(reinterpret_cast<const To*>(list.data()), list.size());
    if constexpr (std::is_class_v<To>) {
      return CreateVectorOfStructs(values.data(), values.size());
    } else {
      return must(values);
    }
  }
  /// Tables, each by write_one(builder, item).
  template <class From, class Write>
  auto must_all(const std::vector<From>& list, Write write_one) {
    std::vector<decltype(write_one(*this, list[0]))> offsets;
    offsets.reserve(list.size());
    for (const From& one : list) {
      offsets.push_back(write_one(*this, one));
      if (watch_.step(16)) break;
    }
    return CreateVector(offsets);
  }
  Column<Text> must(const std::vector<std::string>& list) {
    return must_all(list, [](Builder& builder, const std::string& text) { return builder.CreateString(text); });
  }

  // As above, but nothing where the value is empty.
  template <class Value>
  auto put(const Value& value) {
    return value.empty() ? decltype(must(value))() : must(value);
  }
  template <class To, class From>
  auto column(const std::vector<From>& list) {
    return list.empty() ? decltype(must_column<To>(list))() : must_column<To>(list);
  }
  template <class From, class Write>
  auto all(const std::vector<From>& list, Write write_one) {
    return list.empty() ? decltype(must_all(list, write_one))() : must_all(list, write_one);
  }
  template <class From, class Write>
  auto some(const std::optional<From>& from, Write write_one) {
    return from ? write_one(*this, *from) : decltype(write_one(*this, *from))();
  }

 private:
  WatchRef watch_;
};

/// At least as many bytes as a column takes.
template <class Values>
std::uint64_t size_of(const Values& values) {
  return 16 + values.size() * sizeof(values[0]);
}
template <class From, class Size>
std::uint64_t size_of_all(const std::vector<From>& list, Size size_of_one) {
  std::uint64_t bytes = 16;
  for (const From& one : list) bytes += 4 + size_of_one(one);
  return bytes;
}
inline std::uint64_t size_of(const std::vector<std::string>& list) {
  return size_of_all(list, [](const std::string& text) { return size_of(text); });
}

/// Takes what has been finished. The builder is empty afterwards.
inline stowage_buffer release(Builder& builder) {
  const std::size_t size = builder.GetSize();
  std::size_t all = 0;
  std::size_t offset = 0;
  std::uint8_t* memory = builder.ReleaseRaw(all, offset);
  return make_buffer(memory, memory + offset, size);
}

}  // namespace stowage::capi
