// How calls inside the core fail: a code, one sentence, and the path of the offending field.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace stowage {

/// Why a call failed. Mirrors stowage_status, number by number.
enum class Code : std::uint32_t {
  kOk = 0,
  kInvalidArgument = 1,
  kMalformed = 2,
  kInvalid = 3,
  kUnsupported = 4,
  kLimitExceeded = 5,
  kNotFound = 6,
  kOutOfMemory = 7,
  kInternal = 8,
  kCancelled = 9,
  kBusy = 10,
};

struct Error {
  Code code = Code::kOk;
  std::string message;  ///< one English sentence
  std::string path;     ///< such as "apps.demand[51]", or empty
};

[[nodiscard]] inline bool failed(const Error& error) { return error.code != Code::kOk; }
inline Error invalid(std::string path, std::string message) { return {Code::kInvalid, std::move(message), std::move(path)}; }

/// The answer of a call that its caller's cancel or deadline ends before it has another one.
inline Error cancelled() { return {Code::kCancelled, "the call was cancelled, or its deadline was reached", ""}; }

inline Error too_large(std::string path, std::string message) {
  return {Code::kLimitExceeded, std::move(message), std::move(path)};
}

/// A value, or the error why there is none.
template <class Value>
class Result {
 public:
  Result(Value value) : content_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }
  [[nodiscard]] Value& value() { return std::get<0>(content_); }
  [[nodiscard]] const Value& value() const { return std::get<0>(content_); }
  Value* operator->() { return &value(); }
  Value& operator*() { return value(); }

 private:
  std::variant<Value, Error> content_;
};

/// Path of an element: indexed("apps.demand", 51) is "apps.demand[51]".
std::string indexed(const char* vector, std::size_t index);
/// Names in a message: "a, b, c".
std::string listed(std::span<const std::string> names);

}  // namespace stowage
