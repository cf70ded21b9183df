// JSON of any size, one object at a time: a text is scanned once, and each object of a list is a small tree that is read and
// forgotten before the next one. Texts are views of the input, which has to outlive what was read.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::k8s {

/// Texts with escapes, decoded, and others that objects need and the input does not have. Addresses stay.
class Texts {
 public:
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  std::deque<std::string> kept_;
};

class At;

/// The tree of one object.
class Dom {
 public:
  enum class Kind : std::uint8_t { kNull, kFalse, kTrue, kNumber, kText, kList, kObject };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Value {
    std::string_view key;   ///< of a member
    std::string_view text;  ///< kNumber, kText; of others, where the value begins
    std::uint32_t parent = kNone;
    std::uint32_t first = kNone;  ///< kList, kObject
    std::uint32_t next = kNone;
    Kind kind = Kind::kNull;
  };

  /// The value itself.
  [[nodiscard]] At root() const;
  /// Where it is, for messages, such as "items[3]" of this file with this text.
  std::string place;
  std::string file;
  std::string_view input;

 private:
  friend class At;
  friend class Scanner;
  std::vector<Value> values_;
};

/// A value of a tree, or none. Functions that ask for a kind fail, naming the path, where the value is of another.
class At {
 public:
  At() = default;
  At(const Dom* dom, std::uint32_t index) : dom_(dom), index_(index) {}

  /// Whether there is a value, and it is not null.
  explicit operator bool() const { return index_ != Dom::kNone && value().kind != Dom::Kind::kNull; }
  /// The member of that name; none where there is none.
  [[nodiscard]] At operator[](std::string_view key) const;
  [[nodiscard]] std::string_view key() const { return value().key; }
  [[nodiscard]] bool is(Dom::Kind kind) const { return index_ != Dom::kNone && value().kind == kind; }
  /// "" where there is no value, as of the next three.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool flag(bool otherwise = false) const;
  [[nodiscard]] std::int64_t whole(std::int64_t otherwise = 0) const;
  /// Text or number, as it is written.
  [[nodiscard]] std::string_view written() const;
  /// Elements of a list, or members of an object.
  class Iterator {
   public:
    Iterator(const Dom* dom, std::uint32_t index) : dom_(dom), index_(index) {}
    At operator*() const { return {dom_, index_}; }
    Iterator& operator++() {
      index_ = dom_->values_[index_].next;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const Dom* dom_;
    std::uint32_t index_;
  };
  struct Range {
    Iterator first, last;
    [[nodiscard]] Iterator begin() const { return first; }
    [[nodiscard]] Iterator end() const { return last; }
  };
  [[nodiscard]] Range list() const { return range(Dom::Kind::kList, "a list"); }
  [[nodiscard]] Range members() const { return range(Dom::Kind::kObject, "an object"); }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  [[nodiscard]] const Dom::Value& value() const { return dom_->values_[index_]; }
  [[nodiscard]] Range range(Dom::Kind kind, const char* what) const;
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string line() const;

  const Dom* dom_ = nullptr;
  std::uint32_t index_ = Dom::kNone;
};

inline At Dom::root() const { return values_.empty() ? At() : At(this, 0); }

/// Calls `visit` for each object of a text: of JSON documents one after the other, each an object or a list of objects, as
/// kubectl and the API print them. `kind` is that of the list's elements where these have none. Fails, with line and column,
/// where the text is no JSON.
void scan_objects(std::string_view text, const std::string& file, Texts& texts,
                  const std::function<void(At object, std::string_view kind)>& visit);

/// A text that is one JSON value.
void scan_value(std::string_view text, const std::string& file, Texts& texts, Dom& into);

}  // namespace stowage::k8s
