#include "capi/cli/formats/instance/yaml_text.h"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"

namespace stowage::cli {
namespace {

using Json = nlohmann::ordered_json;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The characters at the start of `text` that are digits. They are taken away from it.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

/// A decimal number of YAML as one of JSON; none where the text is no number.
std::optional<std::string> json_number(std::string_view text) {
  std::string number;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') number = '-';
    text.remove_prefix(1);
  }
  std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  number += whole.empty() ? "0" : whole;
  if (!fraction.empty()) (number += '.') += fraction;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    const std::size_t sign = text.size() > 1 && (text[1] == '-' || text[1] == '+') ? 1 : 0;
    number += text.substr(0, 1 + sign);
    text.remove_prefix(1 + sign);
    const std::string_view power = take_digits(text);
    if (power.empty()) return std::nullopt;
    number += power;
  }
  return text.empty() ? std::optional(number) : std::nullopt;
}

/// What a scalar without quotes means in JSON: YAML 1.2, section 10.3.2, "Tag Resolution". None: it is a text.
std::optional<std::string> json_word(std::string_view plain) {
  constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
  constexpr std::array<std::string_view, 3> kTrue = {"true", "True", "TRUE"};
  constexpr std::array<std::string_view, 3> kFalse = {"false", "False", "FALSE"};
  if (std::ranges::find(kNull, plain) != kNull.end()) return "null";
  if (std::ranges::find(kTrue, plain) != kTrue.end()) return "true";
  if (std::ranges::find(kFalse, plain) != kFalse.end()) return "false";
  return json_number(plain);
}

std::string_view view_of(const yaml_char_t* text) { return text == nullptr ? "" : reinterpret_cast<const char*>(text); }

/// Ends with what the library holds for it.
struct Event : yaml_event_t {
  Event() : yaml_event_t() {}
  Event(const Event&) = delete;
  Event(Event&&) = delete;
  Event& operator=(const Event&) = delete;
  Event& operator=(Event&&) = delete;
  ~Event() { yaml_event_delete(this); }
};

class YamlReader {
 public:
  YamlReader(const YamlReader&) = delete;
  YamlReader(YamlReader&&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  YamlReader& operator=(YamlReader&&) = delete;
  YamlReader(std::string_view text, const std::string& file, bool many = false)
      : file_(file), many_(many), most_json_(kGrowth * text.size() + kSmall) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~YamlReader() { yaml_parser_delete(&parser_); }

  std::string read() {
    for (;;) {
      Event event;
      next(event);
      if (event.type == YAML_STREAM_END_EVENT) break;
      if (event.type == YAML_DOCUMENT_START_EVENT && documents_++ > 0) {
        if (!many_) fail(event.start_mark, "a second document begins; an instance is one");
        json_ += '\n';
        anchors_.clear();
      }
      take(event);
    }
    if (documents_ == 0) throw Failure(file_ + ": is empty");
    return std::move(json_);
  }

 private:
  static constexpr std::size_t kGrowth = 16;
  static constexpr std::size_t kSmall = 4096;
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  /// A list or mapping that is open.
  struct Level {
    bool mapping = false;
    std::size_t parts = 0;  ///< elements; keys and values
    std::string anchor{};
  };
  /// Where in the JSON the value of an anchor is.
  struct Anchored {
    std::size_t begin = 0;
    std::size_t size = kOpen;
  };

  [[noreturn]] void fail(const yaml_mark_t& mark, const std::string& message) const {
    throw Failure(file_ + ": line " + std::to_string(mark.line + 1) + ", column " + std::to_string(mark.column + 1) + ": " +
                  message);
  }

  void next(Event& event) {
    if (yaml_parser_parse(&parser_, &event) != 0) return;
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    // The library counts bytes, and has no place in its lines, where the text is not UTF-8.
    if (parser_.error == YAML_READER_ERROR) {
      throw Failure(file_ + ": byte " + std::to_string(parser_.problem_offset) + ": " + parser_.problem);
    }
    const bool has_context = parser_.context != nullptr;
    fail(parser_.problem_mark, (has_context ? std::string(parser_.context) + ", " : std::string()) + parser_.problem);
  }

  void take(const Event& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        return scalar(event);
      case YAML_ALIAS_EVENT:
        return alias(event);
      case YAML_SEQUENCE_START_EVENT:
        expect_json_tag(event, view_of(event.data.sequence_start.tag), "tag:yaml.org,2002:seq");
        return open(event, false, view_of(event.data.sequence_start.anchor));
      case YAML_MAPPING_START_EVENT:
        expect_json_tag(event, view_of(event.data.mapping_start.tag), "tag:yaml.org,2002:map");
        return open(event, true, view_of(event.data.mapping_start.anchor));
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return close();
      default:
        return;
    }
  }

  [[nodiscard]] bool at_key() const { return !levels_.empty() && levels_.back().mapping && levels_.back().parts % 2 == 0; }

  void expect_json_tag(const Event& event, std::string_view tag, std::string_view of_json) const {
    if (!tag.empty() && tag != "!" && tag != of_json) {
      fail(event.start_mark, "the tag " + std::string(tag) + " has no meaning here");
    }
  }

  /// Writes what comes before a value or key, and counts it. Returns where it begins.
  std::size_t begin_part() {
    if (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.mapping && level.parts % 2 == 1) {
        json_ += ':';
      } else if (level.parts > 0) {
        json_ += ',';
      }
      ++level.parts;
    }
    return json_.size();
  }

  void add_text(std::string_view text) { JsonWriter(json_).text(text); }

  void scalar(const Event& event) {
    const auto& scalar = event.data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const std::string_view tag = view_of(scalar.tag);
    const bool is_plain = scalar.style == YAML_PLAIN_SCALAR_STYLE && tag.empty();
    expect_json_tag(event, tag, "tag:yaml.org,2002:str");
    const bool is_key = at_key();
    if (is_key && is_plain && text == "<<") fail(event.start_mark, "merge keys are not read; write the members themselves");
    const std::size_t begin = begin_part();
    const std::optional<std::string> word = is_plain && !is_key ? json_word(text) : std::nullopt;
    if (word) {
      json_ += *word;
    } else {
      add_text(text);
    }
    if (scalar.anchor != nullptr) anchors_[std::string(view_of(scalar.anchor))] = {begin, json_.size() - begin};
  }

  void alias(const Event& event) {
    const std::string name(view_of(event.data.alias.anchor));
    if (at_key()) fail(event.start_mark, "a key is an alias (*" + name + "); write its text");
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) fail(event.start_mark, "there is no anchor &" + name + " above");
    if (found->second.size == kOpen) fail(event.start_mark, "*" + name + " is within what &" + name + " stands for");
    if (json_.size() + found->second.size > most_json_) {
      fail(event.start_mark, "aliases make the text more than " + std::to_string(kGrowth) + " times as large");
    }
    begin_part();
    // The text to copy is part of what grows.
    const std::string value = json_.substr(found->second.begin, found->second.size);
    json_ += value;
  }

  void open(const Event& event, bool mapping, std::string_view anchor) {
    if (at_key()) fail(event.start_mark, "a key is a list or mapping; a text is needed");
    const std::size_t begin = begin_part();
    if (!anchor.empty()) anchors_[std::string(anchor)] = {begin, kOpen};
    json_ += mapping ? '{' : '[';
    levels_.push_back({mapping, 0, std::string(anchor)});
  }

  void close() {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    json_ += level.mapping ? '}' : ']';
    if (level.anchor.empty()) return;
    Anchored& anchored = anchors_[level.anchor];
    // The same anchor may have been given to a part.
    if (anchored.size == kOpen) anchored.size = json_.size() - anchored.begin;
  }

  const std::string& file_;
  bool many_;
  std::size_t most_json_;
  yaml_parser_t parser_{};
  std::string json_;
  std::vector<Level> levels_;
  std::map<std::string, Anchored> anchors_;
  int documents_ = 0;
};

/// Whether some reader of YAML takes a text without quotes for another type: words of YAML 1.1, numbers, times and dates.
bool needs_quotes(std::string_view text) {
  constexpr std::array<std::string_view, 12> kQuotedWords = {"",   "~",  "null", "true", "false", "yes",
                                                             "no", "on", "off",  "y",    "n",     "="};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (std::ranges::find(kQuotedWords, lower) != kQuotedWords.end() || text.starts_with("<<") || text.starts_with('.'))
    return true;
  const bool like_number = is_digit(text.front()) || text.front() == '-' || text.front() == '+';
  return like_number && lower.find_first_not_of("0123456789+-.:_xoabcdeftz ") == std::string::npos;
}

class YamlWriter {
 public:
  YamlWriter(const YamlWriter&) = delete;
  YamlWriter(YamlWriter&&) = delete;
  YamlWriter& operator=(const YamlWriter&) = delete;
  YamlWriter& operator=(YamlWriter&&) = delete;
  YamlWriter() {
    if (yaml_emitter_initialize(&emitter_) == 0) throw std::bad_alloc();
    yaml_emitter_set_encoding(&emitter_, YAML_UTF8_ENCODING);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, -1);
    yaml_emitter_set_output(
        &emitter_,
        [](void* out, unsigned char* text, std::size_t size) {
          static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(text), size);
          return 1;
        },
        &yaml_);
  }
  ~YamlWriter() { yaml_emitter_delete(&emitter_); }

  std::string write(const Json& root) {
    yaml_event_t event{};
    emit(event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(event, yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1));
    value(root);
    emit(event, yaml_document_end_event_initialize(&event, 1));
    emit(event, yaml_stream_end_event_initialize(&event));
    return std::move(yaml_);
  }

 private:
  /// The emitter takes the event, also where it fails, which only memory makes it.
  void emit(yaml_event_t& event, int made) {
    if (made == 0 || yaml_emitter_emit(&emitter_, &event) == 0) throw std::bad_alloc();
  }

  void scalar(std::string_view text, bool quoted) {
    yaml_event_t event{};
    const auto* const begin = reinterpret_cast<const yaml_char_t*>(text.data());
    emit(event, yaml_scalar_event_initialize(&event, nullptr, nullptr, begin, static_cast<int>(text.size()), 1, 1,
                                             quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE));
  }

  void text(const std::string& text) { scalar(text, needs_quotes(text)); }

  void value(const Json& value) {
    if (!value.is_structured())
      return value.is_string() ? text(value.get_ref<const std::string&>()) : scalar(value.dump(), false);
    const bool on_one_line = std::none_of(value.begin(), value.end(), [](const Json& part) { return part.is_structured(); });
    yaml_event_t event{};
    if (value.is_array()) {
      const auto style = on_one_line ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE;
      emit(event, yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, style));
      for (const Json& element : value) this->value(element);
      emit(event, yaml_sequence_end_event_initialize(&event));
      return;
    }
    const auto style = on_one_line ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE;
    emit(event, yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, style));
    for (const auto& [key, member] : value.items()) {
      text(key);
      this->value(member);
    }
    emit(event, yaml_mapping_end_event_initialize(&event));
  }

  std::string yaml_;
  yaml_emitter_t emitter_{};
};

}  // namespace

bool looks_like_yaml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || line[start] == '#') continue;
    if (line.starts_with("---") || line.starts_with("%YAML")) return true;
    const std::size_t colon = line.find(':');
    const bool ends_key = colon != std::string_view::npos && line.find_first_not_of(" \t\r", colon + 1) != colon + 1;
    return ends_key && line.find_first_of("\"{[,;\t") > colon;
  }
  return false;
}

std::string json_of_yaml(std::string_view text, const std::string& file) { return YamlReader(text, file).read(); }

std::string json_documents_of_yaml(std::string_view text, const std::string& file) {
  const std::string all = YamlReader(text, file, true).read();
  std::string documents;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string_view line = std::string_view(all).substr(begin, end - begin);
    if (!line.empty() && line != "null") documents.append(line).append(" ");
    begin = end + 1;
  }
  return documents;
}

std::string yaml_of_json(std::string_view json) { return YamlWriter().write(Json::parse(json)); }

}  // namespace stowage::cli
