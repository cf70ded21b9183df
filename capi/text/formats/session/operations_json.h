// Operations on a session as people write them: JSON objects, converted to session.fbs. docs/understand/sessions.md lists them.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/base/json_text.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

/// What operations refer to: resources, periods and kinds of interference. A session never changes them.
struct SessionTerms {
  explicit SessionTerms(const wire::Instance& instance);

  std::vector<ResourceData> resources;
  std::uint32_t periods = 1;
  std::vector<std::string> kinds;
};

/// The member of an object that has to be there and to be a string.
const std::string& required_text(const JsonAt& at, std::string_view key);

/// The words for operations that "op" can have.
std::vector<std::string_view> operation_words();
/// Whether an object with this "op" is an operation, or a batch of them.
bool is_operation(std::string_view op);

/// Reads one operation, or a batch. Fails, naming file and path, where the object is another one, and where the wire form would
/// pass `most_bytes` or 2 GiB.
flatbuffers::DetachedBuffer read_operation(const JsonAt& at, const SessionTerms& terms, std::uint64_t most_bytes);

/// Reads a text: a list of operations, or an object as read_operation() does.
flatbuffers::DetachedBuffer read_operations_json(std::string_view text, const std::string& file, const SessionTerms& terms,
                                                 std::uint64_t most_bytes);

}  // namespace stowage::cli
