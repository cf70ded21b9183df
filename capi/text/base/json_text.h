// JSON text: a reader that hands over large arrays element by element and knows the path of every value, and a writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stowage::cli {

struct JsonValue {
  enum class Type : std::uint8_t { kNull, kBool, kWhole, kNumber, kText, kArray, kObject };

  Type type = Type::kNull;
  bool flag = false;
  std::uint64_t whole = 0;  ///< kWhole: a number from 0 to 2^64 - 1 written without fraction
  double number = 0;        ///< kWhole and kNumber
  std::string text{};
  std::vector<std::string> keys{};  ///< kObject: name of each item, in the order of the text
  std::vector<JsonValue> items{};   ///< kArray, kObject

  /// The member of an object, or nullptr.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
};

/// What read_json() does with the members of the outermost object, or with the elements of the outermost list.
struct JsonVisitor {
  /// Whether the text may be a list. Its elements are passed to `element` with an empty key, and `member` is not called.
  bool list = false;
  /// Members whose value is passed on element by element where it is an array.
  std::vector<std::string> by_element;
  /// The members to keep of objects among these elements; empty keeps all.
  std::vector<std::string> keep;
  /// Called for every member, in the order of the text. A member that is passed on by element follows its last element, as an
  /// empty array.
  std::function<void(const std::string& key, const JsonValue& value)> member;
  std::function<void(const std::string& key, std::size_t index, const JsonValue& value)> element;
};

/// Reads a text that is one JSON object, or a list where the visitor takes one, and tells which of the two it is. Fails, with
/// line and column, where the text is anything else or an object has a key twice.
JsonValue::Type read_json(std::string_view text, const std::string& file, const JsonVisitor& visitor);

class JsonAt;
template <class Enum>
Enum word_at(const JsonAt& at);

/// A value and its place in the file. Functions that ask for a kind of value fail, naming file and path, where the value is of
/// another kind.
class JsonAt {
 public:
  JsonAt(const JsonValue& value, const std::string& file, std::string_view key) : value_(value), file_(file), key_(key) {}
  JsonAt(const JsonValue& value, const std::string& file, std::string_view key, std::size_t index)
      : value_(value), file_(file), key_(key), index_(index), indexed_(true) {}

  [[nodiscard]] const JsonValue& value() const { return value_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// Such as `apps[3].demand.cpu`.
  [[nodiscard]] std::string path() const;
  [[noreturn]] void fail(const std::string& message) const;

  [[nodiscard]] bool is(JsonValue::Type type) const { return value_.type == type; }
  [[nodiscard]] bool is_number() const { return is(JsonValue::Type::kWhole) || is(JsonValue::Type::kNumber); }
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] bool flag() const;
  /// A whole number from 0 to 4,294,967,295.
  [[nodiscard]] std::uint32_t count() const;
  [[nodiscard]] std::uint64_t whole() const;
  /// A whole number that an int32 holds.
  [[nodiscard]] std::int32_t integer() const;
  /// The one of these that the type of the number asks for.
  void read(double& to) const { to = number(); }
  void read(std::uint32_t& to) const { to = count(); }
  void read(std::int32_t& to) const { to = integer(); }
  void read(std::uint64_t& to) const { to = whole(); }
  void read(bool& to) const { to = flag(); }
  void read(std::string& to) const { to = text(); }
  template <class Value>
  void read(std::optional<Value>& to) const {
    read(to.emplace());
  }
  /// The value of a word: word_at() in formats/words.h.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void read(Enum& to) const { to = word_at<Enum>(*this); }

  /// Calls `visit(key, at)` for every member of an object, which looks like the example.
  void members(const std::function<void(const std::string& key, const JsonAt& at)>& visit, std::string_view example = {}) const;
  /// Calls `visit(index, at)` for every element of an array.
  void elements(const std::function<void(std::size_t index, const JsonAt& at)>& visit) const;
  /// Calls `visit(at)` for the member of that name if there is one.
  void member(std::string_view key, const std::function<void(const JsonAt& at)>& visit) const;
  /// Reads the member of that name, if there is one, as the type of `to` asks for.
  template <class Value>
  const JsonAt& read(std::string_view key, Value& to) const {
    member(key, [&](const JsonAt& at) { at.read(to); });
    return *this;
  }
  /// The same for a member that has to be there.
  void required(std::string_view key, const std::function<void(const JsonAt& at)>& visit) const;
  /// Fails where an object has a member that is not among `known`.
  void only(std::initializer_list<std::string_view> known) const { only(std::span(known.begin(), known.size())); }
  void only(std::span<const std::string_view> known) const;
  /// Fails where the value is of another kind. Where kinds say too little, an example says more.
  void expect(JsonValue::Type type, std::string_view example = {}) const;

 private:
  JsonAt(const JsonValue& value, const JsonAt& parent, std::string_view key)
      : value_(value), file_(parent.file_), parent_(&parent), key_(key) {}
  JsonAt(const JsonValue& value, const JsonAt& parent, std::size_t index)
      : value_(value), file_(parent.file_), parent_(&parent), index_(index), indexed_(true) {}

  const JsonValue& value_;
  const std::string& file_;
  const JsonAt* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
  bool indexed_ = false;
};

/// A member as part of a path: ".cpu", "cpu" where nothing is before it, or "[\"a b\"]".
std::string path_member(std::string_view key, bool is_first = false);

/// Our word for one of other formats and people: "memory" for "mem", in letters of any case. Empty where there is none.
std::string_view our_word(std::string_view word);

/// `word` where it is in `known` or close to one of them: " (did you mean "replicas"?)"; else empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);

/// The same or, where nothing is close, the words that there are: " (there are cpu and memory)".
std::string what_there_is(std::string_view word, const std::vector<std::string_view>& known);

/// Appends JSON to a string; keeps track of commas. Numbers are written in the shortest form that reads back the same.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  /// Null where the number is not finite.
  JsonWriter& number(double value);
  JsonWriter& whole(std::uint64_t value);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& flag(bool value);
  JsonWriter& null();
  /// A value that is JSON already.
  JsonWriter& json(std::string_view value);
  /// A member that is a list: add(element) writes each. Empty where there is no list.
  template <class Elements, class Add>
  JsonWriter& list(std::string_view name, const Elements* elements, Add&& add) {
    key(name).begin_array();
    if (elements != nullptr) {
      for (auto&& element : *elements) add(element);
    }
    return end_array();
  }
  template <class Elements, class Add>
  JsonWriter& list(std::string_view name, const Elements& elements, Add&& add) {
    return list(name, &elements, std::forward<Add>(add));
  }
  /// A member that is null where the number is not known.
  JsonWriter& number_or_null(std::string_view name, const std::optional<double>& value) {
    key(name);
    return value ? number(*value) : null();
  }
  /// Starts a line, indented by `indent` spaces, before the next key or element and after its comma.
  JsonWriter& line(int indent);

 private:
  void separate();
  void start_line();
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);

  std::string& out_;
  std::vector<bool> has_items_ = {false};
  bool after_key_ = false;
  int indent_ = -1;
};

struct JsonText {
  std::string text;
};
/// One object on a line of a stream.
class JsonObject : private JsonText, public JsonWriter {
 public:
  explicit JsonObject(std::ostream& out) : JsonWriter(JsonText::text), out_(out) { begin_object(); }
  using JsonWriter::text;
  /// Ends and prints it.
  void print() {
    end_object();
    out_ << JsonText::text << '\n';
  }

 private:
  std::ostream& out_;
};

/// Whether `text` is well-formed UTF-8, which JSON needs.
bool is_utf8(std::string_view text);
/// Whether the text can name a column: it is not empty, it is UTF-8, and it has no control characters.
[[nodiscard]] bool is_column_name(std::string_view text);

}  // namespace stowage::cli
