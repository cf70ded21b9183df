// What the generated code beside it reads and writes with.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace stowage::cli::codec {

using Text = flatbuffers::Offset<flatbuffers::String>;
template <class Value>
using Column = flatbuffers::Offset<flatbuffers::Vector<Value>>;

/// Copies parts of a well-formed buffer. What is absent leaves the copy as it is.
struct Copier {
  /// A column of numbers, structs or enumerators.
  template <class From, class To>
  void read(const flatbuffers::Vector<From>* from, std::vector<To>& to) {
    static_assert(std::is_same_v<std::remove_cv_t<std::remove_pointer_t<From>>, To>);
    if (from == nullptr) return;
    const auto* const first = reinterpret_cast<const To*>(from->Data());
    to.assign(first, first + from->size());
  }
  void read(const flatbuffers::String* from, std::string& to) {
    if (from != nullptr) to = from->str();
  }
  void read(const flatbuffers::Vector<Text>* from, std::vector<std::string>& to) {
    all(from, to, [](const flatbuffers::String& one, Copier&, std::string& text) { text = one.str(); });
  }
  /// Each table of a list by read_one(table, copier, to).
  template <class From, class To, class Read>
  void all(const flatbuffers::Vector<flatbuffers::Offset<From>>* from, std::vector<To>& to, Read read_one) {
    if (from == nullptr) return;
    to.reserve(from->size());
    for (const From* one : *from) read_one(*one, *this, to.emplace_back());
  }
  template <class From, class To, class Read>
  void some(const From* from, To& to, Read read_one) {
    if (from != nullptr) read_one(*from, *this, to);
  }
  template <class From, class To, class Read>
  void some(const From* from, std::optional<To>& to, Read read_one) {
    if (from != nullptr) read_one(*from, *this, to.emplace());
  }
};

/// A builder that takes columns: it releases the memory of each as soon as the buffer holds a copy.
class Builder : public flatbuffers::FlatBufferBuilder {
 public:
  using FlatBufferBuilder::FlatBufferBuilder;

  Text must(const std::string& text) { return CreateString(text); }
  template <class Value>
  Column<Value> must(std::vector<Value>& values) {
    const auto offset = CreateVector(values);
    std::vector<Value>().swap(values);
    return offset;
  }
  Column<Text> must(std::vector<std::string>& list) { return CreateVectorOfStrings(list); }
  /// A column of structs.
  template <class Value>
  auto must_column(const std::vector<Value>& list) {
    return CreateVectorOfStructs(list);
  }
  /// Tables, each by write_one(builder, item).
  template <class From, class Write>
  auto must_all(std::vector<From>& list, Write write_one) {
    std::vector<decltype(write_one(*this, list[0]))> offsets;
    offsets.reserve(list.size());
    for (From& one : list) offsets.push_back(write_one(*this, one));
    return CreateVector(offsets);
  }

  // As above, but nothing where the value is empty.
  template <class Value>
  auto put(Value& value) {
    return value.empty() ? decltype(must(value))() : must(value);
  }
  template <class Value>
  auto column(const std::vector<Value>& list) {
    return list.empty() ? decltype(must_column<Value>(list))() : must_column<Value>(list);
  }
  template <class From, class Write>
  auto all(std::vector<From>& list, Write write_one) {
    return list.empty() ? decltype(must_all(list, write_one))() : must_all(list, write_one);
  }
  template <class From, class Write>
  auto some(std::optional<From>& from, Write write_one) {
    return from ? write_one(*this, *from) : decltype(write_one(*this, *from))();
  }
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
template <class From, class Size>
std::uint64_t size_of_some(const std::optional<From>& from, Size size_of_one) {
  return from ? size_of_one(*from) : 0;
}

}  // namespace stowage::cli::codec
