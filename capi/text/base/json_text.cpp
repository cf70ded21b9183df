#include "capi/text/base/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "capi/text/base/failure.h"
#include "capi/text/base/name_map.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

constexpr std::size_t kMaxDepth = 64;

std::string place(std::string_view text, std::size_t byte) {
  std::string_view before = text.substr(0, std::min(byte, text.size()));
  if (before.ends_with('\n')) before.remove_suffix(1);  // the end of a line belongs to it
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? before.size() : before.size() - start - 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

/// What stands around a position without quotes, such as "500m".
std::string_view bare_word(std::string_view text, std::size_t position) {
  constexpr std::size_t kLongest = 32;
  const auto part = [&](std::size_t at) {
    const char c = text[at];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  };
  std::size_t begin = position;
  std::size_t end = position;
  while (begin > 0 && position - begin < kLongest && part(begin - 1)) --begin;
  while (end < text.size() && end - position < kLongest && part(end)) ++end;
  return text.substr(begin, end - begin);
}

/// Why there is no value where one is looked for; empty where the parser's reason is the best one.
/// @param last the position of the character that was read last
std::string usual_literal(std::string_view text, std::size_t last, bool is_key) {
  const char here = text[last];
  const char next = last + 1 < text.size() ? text[last + 1] : '\0';
  if (here == '#' || (here == '/' && (next == '/' || next == '*'))) return "JSON knows no comments";
  if (here == '\'') return "names and texts stand in double quotes";
  if (here == '.' || here == '+') return "a number begins with a digit or a minus sign";
  const std::string word(bare_word(text, last));
  if (word.empty()) return {};
  if (is_key) return "a name stands in double quotes, as in \"" + word + "\"";
  return word + " is no value of JSON; texts stand in double quotes";
}

/// The usual reasons why a text is no JSON, in place of what the parser says; empty where it is none of them.
/// @param token the string or number that was read last, if it was one
/// @param end   the position behind what was read
std::string usual_reason(std::string_view parser, const std::string& token, std::string_view text, std::size_t end) {
  constexpr std::string_view kSpace = " \t\r\n";
  constexpr std::size_t kShort = 32;
  const auto says = [&](std::string_view part) { return parser.find(part) != std::string_view::npos; };
  if (text.find_first_not_of(kSpace) == std::string_view::npos) return "the text is empty";
  if (says("unexpected end of input")) return "the text ends before all of its brackets are closed";
  if (says("expected end of input")) return "the value ends before this, and nothing may follow it";
  const std::size_t last = std::max<std::size_t>(1, std::min(end, text.size())) - 1;
  if (says("(LF)")) return "a quote is not closed on its line";
  if (says("invalid literal")) return usual_literal(text, last, says("object key"));
  if (says("unexpected '}'") || says("unexpected ']'")) {
    const std::size_t before = last == 0 ? std::string_view::npos : text.find_last_not_of(kSpace, last - 1);
    return before != std::string_view::npos && text[before] == ',' ? "the comma before this bracket is one too many" : "";
  }
  const bool could_end = parser.ends_with("expected '}'") || parser.ends_with("expected ']'");
  if (!could_end) return {};
  if (says("'{'; ") || says("'['; ")) return std::string("a comma is missing before ") + text[last];
  const bool has_token = (says("string literal; ") || says("number literal; ")) && token.size() <= kShort;
  return says(" literal; ") ? "a comma is missing before " + (has_token ? token : "this") : "";
}

/// Builds values from the parser's events and passes them to the visitor: members of the outermost object, elements of its
/// lists that are passed on by element, and elements of an outermost list.
class Handler {
 public:
  Handler(std::string_view text, const std::string& file, const JsonVisitor& visitor)
      : text_(text), file_(file), visitor_(visitor) {}

  bool null() { return add({}); }
  bool boolean(bool flag) { return add({.type = JsonValue::Type::kBool, .flag = flag}); }
  bool number_integer(std::int64_t number) { return number_float(static_cast<double>(number), {}); }
  bool number_unsigned(std::uint64_t whole) {
    return add({.type = JsonValue::Type::kWhole, .whole = whole, .number = static_cast<double>(whole)});
  }
  bool number_float(double number, const std::string& /*text*/) {
    return add({.type = JsonValue::Type::kNumber, .number = number});
  }
  bool string(std::string& text) { return add({.type = JsonValue::Type::kText, .text = std::move(text)}); }
  bool binary(nlohmann::json::binary_t& /*bytes*/) { return false; }

  bool start_object(std::size_t /*size*/) { return start(JsonValue::Type::kObject); }
  bool end_object() { return end(); }
  bool start_array(std::size_t /*size*/) { return start(JsonValue::Type::kArray); }
  bool end_array() { return end(); }
  [[nodiscard]] JsonValue::Type outermost() const { return outermost_; }

  bool key(std::string& name) {
    if (skip_depth_ > 0) return true;
    if (stack_.empty() && depth_ == 1) {
      if (!members_.insert(name).second) throw Failure::in(file_, "", "key \"" + name + "\" occurs twice", Fault::kForm);
      member_ = std::move(name);
      return true;
    }
    if (stack_.size() == 1 && streaming() && !visitor_.keep.empty() &&
        std::find(visitor_.keep.begin(), visitor_.keep.end(), name) == visitor_.keep.end()) {
      skip_next_ = true;
      return true;
    }
    stack_.back().keys.push_back(std::move(name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& exception) {
    std::string reason = exception.what();
    // What comes first is the parser's own name and place of the error.
    if (const std::size_t bracket = reason.find("] "); bracket != std::string::npos) reason = reason.substr(bracket + 2);
    if (const std::size_t colon = reason.find(": "); reason.starts_with("parse error") && colon != std::string::npos) {
      reason = reason.substr(colon + 2);
    }
    if (const std::string usual = usual_reason(reason, token, text_, position); !usual.empty()) reason = usual;
    throw Failure::in(file_, "", place(text_, position) + ": not well-formed JSON: " + reason, Fault::kForm);
  }

 private:
  bool start(JsonValue::Type type) {
    if (++depth_ > kMaxDepth)
      throw Failure::in(file_, "", "JSON nested more than " + std::to_string(kMaxDepth) + " deep", Fault::kForm);
    if (depth_ == 1) {
      outermost_ = type;
      if (type == JsonValue::Type::kArray) {
        if (!visitor_.list) refuse_outermost();
        streamed_depth_ = 1;
      }
      return true;
    }
    if (skip_depth_ > 0 || skip_next_) {
      skip_next_ = false;
      ++skip_depth_;
      return true;
    }
    if (depth_ == 2 && !streaming() && type == JsonValue::Type::kArray &&
        std::find(visitor_.by_element.begin(), visitor_.by_element.end(), member_) != visitor_.by_element.end()) {
      streamed_depth_ = 2;
      index_ = 0;
      return true;
    }
    stack_.emplace_back().type = type;
    return true;
  }

  bool end() {
    --depth_;
    if (depth_ == 0) return true;
    if (skip_depth_ > 0) {
      --skip_depth_;
      return true;
    }
    if (depth_ == 1 && streamed_depth_ == 2) {
      streamed_depth_ = 0;
      visitor_.member(member_, {.type = JsonValue::Type::kArray});
      return true;
    }
    JsonValue value = std::move(stack_.back());
    stack_.pop_back();
    refuse_duplicates(value);
    return add_finished(std::move(value));
  }

  bool add(JsonValue&& value) {
    if (depth_ == 0) refuse_outermost();
    if (skip_depth_ > 0) return true;
    if (skip_next_) {
      skip_next_ = false;
      return true;
    }
    return add_finished(std::move(value));
  }

  bool add_finished(JsonValue&& value) {
    if (!stack_.empty()) {
      stack_.back().items.push_back(std::move(value));
    } else if (streaming()) {
      visitor_.element(member_, index_++, value);
    } else {
      visitor_.member(member_, value);
    }
    return true;
  }

  [[nodiscard]] bool streaming() const { return streamed_depth_ > 0; }

  [[noreturn]] void refuse_outermost() const {
    throw Failure::in(file_, "", visitor_.list ? "must be a JSON list or object" : "must be a JSON object", Fault::kForm);
  }

  [[noreturn]] void fail_duplicate(const std::string& name) const {
    std::string where = member_;
    if (streaming()) where += "[" + std::to_string(index_) + "]";
    throw Failure::in(file_, where, "key \"" + name + "\" occurs twice in one object", Fault::kForm);
  }

  void refuse_duplicates(const JsonValue& value) const {
    if (value.keys.size() < 2) return;
    NameSet<std::string_view> seen;
    seen.reserve(value.keys.size());
    for (const std::string& name : value.keys) {
      if (!seen.insert(name).second) fail_duplicate(name);
    }
  }

  std::string_view text_;
  const std::string& file_;
  const JsonVisitor& visitor_;
  NameSet<std::string> members_;
  std::string member_;
  std::vector<JsonValue> stack_;
  std::size_t depth_ = 0;
  std::size_t skip_depth_ = 0;
  bool skip_next_ = false;
  std::size_t streamed_depth_ = 0;  ///< of the list that is passed on by element, where the parser is in one
  std::size_t index_ = 0;
  JsonValue::Type outermost_ = JsonValue::Type::kNull;
};

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_' || letter == '-';
  });
}

const char* describe(JsonValue::Type type) {
  switch (type) {
    case JsonValue::Type::kNull:
      return "null";
    case JsonValue::Type::kBool:
      return "true or false";
    case JsonValue::Type::kWhole:
      return "a whole number";
    case JsonValue::Type::kNumber:
      return "a number";
    case JsonValue::Type::kText:
      return "a string";
    case JsonValue::Type::kArray:
      return "an array";
    case JsonValue::Type::kObject:
      return "an object";
  }
  return "a value";
}

/// The least number of letters to insert, drop, replace or swap with a neighbour that turns one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      rows[i][j] = std::min({rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), rows[i - 1][j] + 1, rows[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows.back().back();
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

JsonValue::Type read_json(std::string_view text, const std::string& file, const JsonVisitor& visitor) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Handler handler(text, file, visitor);
  nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &handler);
  return handler.outermost();
}

std::string path_member(std::string_view key, bool is_first) {
  if (is_identifier(key)) return (is_first ? "" : ".") + std::string(key);
  return "[\"" + std::string(key) + "\"]";
}

std::string JsonAt::path() const {
  std::string path = parent_ == nullptr ? std::string() : parent_->path();
  // The text as a whole has no name.
  if (!key_.empty() || (!indexed_ && parent_ != nullptr)) {
    path += path_member(key_, path.empty());
  }
  if (indexed_) path += "[" + std::to_string(index_) + "]";
  return path;
}

void JsonAt::fail(const std::string& message) const { throw Failure::in(file_, path(), message); }

void JsonAt::expect(JsonValue::Type type, std::string_view example) const {
  if (is(type)) return;
  std::string text = std::string("must be ") + describe(type);
  if (!example.empty()) text.append(" such as ").append(example);
  text += std::string(", not ") + describe(value_.type);
  const bool is_written = (type == JsonValue::Type::kWhole && is(JsonValue::Type::kText) && parse_whole(value_.text)) ||
                          (type == JsonValue::Type::kNumber && is(JsonValue::Type::kText) && parse_number(value_.text));
  fail(is_written ? text + " (write " + value_.text + " without quotes)" : text);
}

const std::string& JsonAt::text() const {
  expect(JsonValue::Type::kText);
  return value_.text;
}

double JsonAt::number() const {
  if (!is_number()) expect(JsonValue::Type::kNumber);
  if (!std::isfinite(value_.number)) fail("is too large");
  return value_.number;
}

bool JsonAt::flag() const {
  expect(JsonValue::Type::kBool);
  return value_.flag;
}

std::uint64_t JsonAt::whole() const {
  if (is(JsonValue::Type::kNumber)) {
    // Tables of numbers write 12.0 for 12.
    constexpr double kMostExact = 0x1p53;
    const double number = value_.number;
    if (!(number >= 0 && number == std::floor(number))) fail("must be a whole number of at least 0");
    if (number > kMostExact) fail("is too large");
    return static_cast<std::uint64_t>(number);
  }
  expect(JsonValue::Type::kWhole);
  return value_.whole;
}

std::uint32_t JsonAt::count() const {
  if (is_number() && value_.number > UINT32_MAX) fail("must be at most 4294967295");
  return static_cast<std::uint32_t>(whole());
}

std::int32_t JsonAt::integer() const {
  if (!is_number()) expect(JsonValue::Type::kWhole);
  const double value = number();
  if (value != std::floor(value) || value < INT32_MIN || value > INT32_MAX) {
    fail("must be a whole number from -2147483648 to 2147483647");
  }
  return static_cast<std::int32_t>(value);
}

void JsonAt::members(const std::function<void(const std::string& key, const JsonAt& at)>& visit,
                     std::string_view example) const {
  expect(JsonValue::Type::kObject, example);
  for (std::size_t i = 0; i < value_.items.size(); ++i) visit(value_.keys[i], JsonAt(value_.items[i], *this, value_.keys[i]));
}

void JsonAt::elements(const std::function<void(std::size_t index, const JsonAt& at)>& visit) const {
  expect(JsonValue::Type::kArray);
  for (std::size_t i = 0; i < value_.items.size(); ++i) visit(i, JsonAt(value_.items[i], *this, i));
}

void JsonAt::member(std::string_view key, const std::function<void(const JsonAt& at)>& visit) const {
  expect(JsonValue::Type::kObject);
  const JsonValue* found = value_.find(key);
  if (found != nullptr) visit(JsonAt(*found, *this, key));
}

void JsonAt::required(std::string_view key, const std::function<void(const JsonAt& at)>& visit) const {
  if (value_.find(key) == nullptr) fail("has no \"" + std::string(key) + "\"");
  member(key, visit);
}

void JsonAt::only(std::span<const std::string_view> known) const {
  expect(JsonValue::Type::kObject);
  for (const std::string& key : value_.keys) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      JsonAt(value_, *this, key).fail("unknown key" + what_there_is(key, {known.begin(), known.end()}));
    }
  }
}

std::string_view our_word(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kWords = {{{"mem", "memory"},
                                                                                     {"ram", "memory"},
                                                                                     {"core", "cpu"},
                                                                                     {"cores", "cpu"},
                                                                                     {"cpus", "cpu"},
                                                                                     {"vcpu", "cpu"},
                                                                                     {"vcpus", "cpu"},
                                                                                     {"request", "demand"},
                                                                                     {"requests", "demand"},
                                                                                     {"resources", "demand"},
                                                                                     {"instances", "replicas"},
                                                                                     {"pods", "replicas"},
                                                                                     {"cost", "price"},
                                                                                     {"hourly_price", "price"}}};
  const auto same = [](char x, char y) { return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y; };
  for (const auto& [other, ours] : kWords) {
    if (std::equal(word.begin(), word.end(), other.begin(), other.end(), same)) return ours;
  }
  return {};
}

std::string what_there_is(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kMostNamed = 16;
  if (std::string meant = did_you_mean(word, known); !meant.empty() || known.empty()) return meant;
  std::string text = " (there ";
  text += known.size() == 1 ? "is " : "are ";
  for (std::size_t k = 0; k < std::min(known.size(), kMostNamed); ++k) {
    if (k > 0) text += k + 1 == known.size() ? " and " : ", ";
    text += known[k];
  }
  return text + (known.size() > kMostNamed ? ", ...)" : ")");
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  // The distance takes time and memory by the product of the lengths, and texts may be hostile.
  constexpr std::size_t kLongest = 64;
  // Who typed this many letters of a name or more means that name, rather than a short one that is like them.
  constexpr std::size_t kBeginning = 3;
  if (word.size() > kLongest) return {};
  std::string_view best;
  const std::string_view ours = our_word(word);
  if (std::find(known.begin(), known.end(), ours) != known.end()) best = ours;
  std::size_t least = best.empty() ? std::max<std::size_t>(2, word.size() / 3) + 1 : 0;
  const bool any_begins = best.empty() && word.size() >= kBeginning &&
                          std::any_of(known.begin(), known.end(),
                                      [&](std::string_view one) { return one.starts_with(word) && one.size() <= kLongest; });
  if (any_begins) least = kLongest;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kLongest || (any_begins && !candidate.starts_with(word))) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best.empty() ? std::string() : " (did you mean \"" + std::string(best) + "\"?)";
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.back()) out_ += indent_ >= 0 ? "," : ", ";
  has_items_.back() = true;
  start_line();
}

void JsonWriter::start_line() {
  if (indent_ < 0) return;
  out_ += '\n';
  out_.append(static_cast<std::size_t>(indent_), ' ');
  indent_ = -1;
}

JsonWriter& JsonWriter::line(int indent) {
  indent_ = indent;
  return *this;
}

JsonWriter& JsonWriter::begin(char bracket) {
  separate();
  out_ += bracket;
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  has_items_.pop_back();
  start_line();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  text(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::json(std::string_view value) {
  separate();
  out_ += value;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  if (!is_utf8(value)) throw Failure("a name is not valid UTF-8, so that it cannot be written as JSON");
  out_ += '"';
  while (!value.empty()) {
    const Character next = first_character(value);
    switch (next.code) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\t':
        out_ += "\\t";
        break;
      default:
        // Also what JSON allows, so that it is safe on a terminal.
        if (is_steering(next.code)) {
          append_escaped(out_, next.code);
        } else {
          out_ += value.substr(0, next.size);
        }
    }
    value.remove_prefix(next.size);
  }
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  out_ += std::isfinite(value) ? shortest(value) : "null";
  return *this;
}

JsonWriter& JsonWriter::whole(std::uint64_t value) {
  separate();
  std::array<char, 24> text;
  out_.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  separate();
  std::array<char, 24> text;
  out_.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
  return *this;
}

JsonWriter& JsonWriter::flag(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_character(text);
    if (!next.valid) return false;
    text.remove_prefix(next.size);
  }
  return true;
}

bool is_column_name(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  return !text.empty() && is_utf8(text) && std::none_of(text.begin(), text.end(), is_control);
}

}  // namespace stowage::cli
