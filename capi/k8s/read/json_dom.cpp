#include "capi/k8s/read/json_dom.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"

namespace stowage::k8s {

using cli::Failure;

/// Reads values from a text.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, Texts& texts) : text_(text), file_(file), texts_(texts) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  /// The next character that is no space; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(std::string("expected '") + wanted + "'");
  }
  [[nodiscard]] std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }

  /// Reads a value into an empty tree.
  void value(Dom& into) {
    into.values_.clear();
    into.file = file_;
    into.input = text_;
    value(into, Dom::kNone, {}, 0);
  }

  std::string_view text() {
    expect('"');
    const std::size_t begin = at_;
    for (;;) {
      // Most texts are short and plain.
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && static_cast<unsigned char>(text_[at_]) >= 0x20) {
        ++at_;
      }
      if (at_ >= text_.size()) fail("a text does not end");
      if (text_[at_] == '"') return checked(text_.substr(begin, at_++ - begin), begin);
      if (text_[at_] != '\\') fail("a text has a control character");
      return escaped(begin);
    }
  }

  /// Goes past a value without keeping it.
  void skip() {
    int depth = 0;
    do {
      switch (peek()) {
        case '{':
        case '[':
          ++depth;
          ++at_;
          break;
        case '}':
        case ']':
          --depth;
          ++at_;
          break;
        case ',':
        case ':':
          ++at_;
          continue;
        case '"':
          text();
          break;
        case '\0':
          fail("unexpected end of JSON input");
        default:
          word();
      }
    } while (depth > 0 || peek() == ':');
  }

  [[noreturn]] void fail(const std::string& message) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.find_last_of('\n');
    const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    throw Failure::in(file_, "", "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message,
                      cli::Fault::kForm);
  }

 private:
  static constexpr int kMostLevels = 200;

  std::uint32_t value(Dom& into, std::uint32_t parent, std::string_view key, int depth) {
    if (depth > kMostLevels) fail("more than " + std::to_string(kMostLevels) + " levels");
    const auto index = static_cast<std::uint32_t>(into.values_.size());
    Dom::Value& made = into.values_.emplace_back();
    made.parent = parent;
    made.key = key;
    switch (peek()) {
      case '{':
        made.kind = Dom::Kind::kObject;
        made.text = text_.substr(at_, 1);
        return children(into, index, depth, '}');
      case '[':
        made.kind = Dom::Kind::kList;
        made.text = text_.substr(at_, 1);
        return children(into, index, depth, ']');
      case '"':
        made.kind = Dom::Kind::kText;
        made.text = text();
        return index;
      case '\0':
        fail("unexpected end of JSON input");
      default:
        break;
    }
    made.text = word();
    if (made.text == "true" || made.text == "false") {
      made.kind = made.text == "true" ? Dom::Kind::kTrue : Dom::Kind::kFalse;
    } else if (made.text != "null") {
      made.kind = Dom::Kind::kNumber;
      if (!is_number(made.text)) fail("\"" + std::string(made.text.substr(0, 20)) + "\" is no value");
    }
    return index;
  }

  std::uint32_t children(Dom& into, std::uint32_t index, int depth, char end) {
    ++at_;
    std::uint32_t last = Dom::kNone;
    if (take(end)) return index;
    do {
      std::string_view key;
      if (end == '}') {
        peek();
        key = text();
        expect(':');
      }
      const std::uint32_t child = value(into, index, key, depth + 1);
      (last == Dom::kNone ? into.values_[index].first : into.values_[last].next) = child;
      last = child;
    } while (take(','));
    expect(end);
    return index;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-' ||
                                  text_[at_] == '+' || text_[at_] == '.')) {
      ++at_;
    }
    if (at_ == begin) fail(std::string("unexpected '") + text_[at_] + "'");
    return text_.substr(begin, at_ - begin);
  }

  static bool is_number(std::string_view word) {
    const auto digits = [&] {
      const std::size_t all = std::min(word.find_first_not_of("0123456789"), word.size());
      word.remove_prefix(all);
      return all > 0;
    };
    const auto take_one_of = [&](std::string_view marks) {
      const bool taken = !word.empty() && marks.find(word.front()) != std::string_view::npos;
      if (taken) word.remove_prefix(1);
      return taken;
    };
    take_one_of("-");
    if (!digits() || (take_one_of(".") && !digits())) return false;
    if (take_one_of("eE")) {
      take_one_of("+-");
      if (!digits()) return false;
    }
    return word.empty();
  }

  std::string_view checked(std::string_view plain, std::size_t begin) {
    const bool ascii = ranges::all_of(plain, [](char c) { return static_cast<signed char>(c) >= 0; });
    if (!ascii && !cli::is_utf8(plain)) {
      at_ = begin;
      fail("a text is not UTF-8");
    }
    return plain;
  }

  unsigned four_digits() {
    unsigned code = 0;
    const char* const begin = text_.data() + at_;
    if (at_ + 4 > text_.size() || std::from_chars(begin, begin + 4, code, 16).ptr != begin + 4) fail("\\u needs four digits");
    at_ += 4;
    return code;
  }

  static void add_code(std::string& to, unsigned code) {
    if (code < 0x80) {
      to += static_cast<char>(code);
    } else if (code < 0x800) {
      to += static_cast<char>(0xC0 | (code >> 6));
    } else if (code < 0x10000) {
      to += static_cast<char>(0xE0 | (code >> 12));
      to += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    } else {
      to += static_cast<char>(0xF0 | (code >> 18));
      to += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
      to += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    }
    if (code >= 0x80) to += static_cast<char>(0x80 | (code & 0x3F));
  }

  /// A text with escapes; at_ is at the first.
  std::string_view escaped(std::size_t begin) {
    std::string made(text_.substr(begin, at_ - begin));
    while (at_ < text_.size() && text_[at_] != '"') {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a text has a control character");
      if (text_[at_] != '\\') {
        made += text_[at_++];
        continue;
      }
      const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      at_ += 2;
      constexpr std::string_view kLetters = "\"\\/bfnrt";
      constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
      if (letter == 'u') {
        unsigned code = four_digits();
        const bool pair = code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u";
        if (pair) {
          at_ += 2;
          code = 0x10000 + ((code - 0xD800) << 10) + ((four_digits() - 0xDC00) & 0x3FF);
        } else if (code >= 0xD800 && code < 0xE000) {
          code = 0xFFFD;
        }
        add_code(made, code);
      } else if (const std::size_t known = kLetters.find(letter); letter != '\0' && known != std::string_view::npos) {
        made += kMeanings[known];
      } else {
        fail("a text has an unknown escape");
      }
    }
    if (at_ >= text_.size()) fail("a text does not end");
    ++at_;
    return checked(texts_.keep(std::move(made)), begin);
  }

  std::string_view text_;
  const std::string& file_;
  Texts& texts_;
  std::size_t at_ = 0;
};

At At::operator[](std::string_view key) const {
  if (!*this) return {};
  if (value().kind != Dom::Kind::kObject) fail("must be an object");
  for (std::uint32_t k = value().first; k != Dom::kNone; k = dom_->values_[k].next) {
    if (dom_->values_[k].key == key) return {dom_, k};
  }
  return {};
}

std::string_view At::text() const {
  if (!*this) return {};
  if (value().kind != Dom::Kind::kText) fail("must be a text");
  return value().text;
}

std::string_view At::written() const {
  if (!*this) return {};
  if (value().kind != Dom::Kind::kText && value().kind != Dom::Kind::kNumber) fail("must be a text or a number");
  return value().text;
}

bool At::flag(bool otherwise) const {
  if (!*this) return otherwise;
  if (value().kind != Dom::Kind::kTrue && value().kind != Dom::Kind::kFalse) fail("must be true or false");
  return value().kind == Dom::Kind::kTrue;
}

std::int64_t At::whole(std::int64_t otherwise) const {
  if (!*this) return otherwise;
  std::int64_t number = 0;
  const std::string_view written = value().text;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
  if (value().kind != Dom::Kind::kNumber || error != std::errc() || end != written.data() + written.size()) {
    fail("must be a whole number");
  }
  return number;
}

At::Range At::range(Dom::Kind kind, const char* what) const {
  if (!*this) return {{dom_, Dom::kNone}, {dom_, Dom::kNone}};
  if (value().kind != kind) fail(std::string("must be ") + what);
  return {{dom_, value().first}, {dom_, Dom::kNone}};
}

std::string At::path() const {
  std::string made;
  for (std::uint32_t k = index_; dom_->values_[k].parent != Dom::kNone; k = dom_->values_[k].parent) {
    const std::uint32_t parent = dom_->values_[k].parent;
    if (dom_->values_[parent].kind == Dom::Kind::kList) {
      int position = 0;
      for (std::uint32_t j = dom_->values_[parent].first; j != k; j = dom_->values_[j].next) ++position;
      made = "[" + std::to_string(position) + "]" + made;
    } else {
      made = cli::path_member(dom_->values_[k].key) + made;
    }
  }
  return dom_->place.empty() && made.starts_with('.') ? made.substr(1) : dom_->place + made;
}

/// " (line 7)" of an input in several lines. Texts with escapes are elsewhere: their line is that of what they are in.
std::string At::line() const {
  const std::string_view input = dom_->input;
  if (input.find('\n') == std::string_view::npos) return "";
  const std::less_equal<const char*> ordered;
  for (std::uint32_t k = index_; k != Dom::kNone; k = dom_->values_[k].parent) {
    const char* const at = dom_->values_[k].text.data();
    if (ordered(input.data(), at) && ordered(at, input.data() + input.size()))
      return " (line " + std::to_string(std::count(input.data(), at, '\n') + 1) + ")";
  }
  return "";
}

void At::fail(const std::string& message) const { throw Failure::in(dom_->file, path(), message + line()); }

namespace {

/// How deep lists may stand in lists. kubectl prints one.
constexpr int kMostLists = 8;

class ObjectScan {
 public:
  ObjectScan(std::string_view text, const std::string& file, Texts& texts,
             const std::function<void(At, std::string_view)>& visit)
      : scanner_(text, file, texts), visit_(visit) {}

  void run() {
    if (scanner_.peek() == '\0') scanner_.fail("the input is empty: unexpected end of JSON input");
    while (scanner_.peek() != '\0') {
      object("", "", 0);
      scanner_.take(',');
    }
  }

 private:
  /// The kind that a list gives its elements: "Node" of "NodeList", and none of "List".
  static std::string_view element_kind(std::string_view list) { return list == "List" ? "" : list.substr(0, list.size() - 4); }

  /// One object or list. Lists are taken element by element.
  void object(const std::string& place, std::string_view kind, int depth) {
    if (scanner_.peek() == '[') return elements(place, kind, depth + 1);
    const std::size_t begin = scanner_.position();
    if (scanner_.peek() != '{') scanner_.fail("expected an object");
    if (const Shape shape = look(); shape.items != 0 && shape.kind.ends_with("List")) {
      const std::size_t end = scanner_.position();
      scanner_.go_to(shape.items);
      if (scanner_.peek() == '[') elements(place.empty() ? "items" : place + ".items", element_kind(shape.kind), depth + 1);
      scanner_.go_to(end);
      return;
    }
    scanner_.go_to(begin);
    dom_.place = place;
    scanner_.value(dom_);
    visit_(dom_.root(), kind);
  }

  struct Shape {
    std::string_view kind;
    std::size_t items = 0;  ///< where the member begins
  };
  /// The kind of an object, and where its items are. Stops early where it is no list.
  Shape look() {
    Shape shape;
    scanner_.expect('{');
    if (scanner_.take('}')) return shape;
    do {
      scanner_.peek();
      const std::string_view key = scanner_.text();
      scanner_.expect(':');
      if (key == "kind" && scanner_.peek() == '"') {
        shape.kind = scanner_.text();
        if (!shape.kind.ends_with("List")) return shape;
      } else if (key == "spec" || key == "data") {
        return {};
      } else {
        if (key == "items") shape.items = scanner_.position();
        scanner_.skip();
      }
    } while (scanner_.take(','));
    scanner_.expect('}');
    return shape;
  }

  void elements(const std::string& place, std::string_view kind, int depth) {
    if (depth > kMostLists) scanner_.fail("more than " + std::to_string(kMostLists) + " lists in each other");
    scanner_.expect('[');
    if (scanner_.take(']')) return;
    std::size_t index = 0;
    do {
      object(place + "[" + std::to_string(index++) + "]", kind, depth);
    } while (scanner_.take(','));
    scanner_.expect(']');
  }

  Scanner scanner_;
  const std::function<void(At, std::string_view)>& visit_;
  Dom dom_;
};

}  // namespace

void scan_objects(std::string_view text, const std::string& file, Texts& texts,
                  const std::function<void(At object, std::string_view kind)>& visit) {
  ObjectScan(text, file, texts, visit).run();
}

void scan_value(std::string_view text, const std::string& file, Texts& texts, Dom& into) {
  Scanner scanner(text, file, texts);
  scanner.value(into);
  if (scanner.peek() != '\0') scanner.fail("something follows the value");
}

}  // namespace stowage::k8s
