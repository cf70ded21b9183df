// Commands of a session as people write them: one JSON object per line, an operation or another. docs/understand/sessions.md
// lists them.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <optional>
#include <string>
#include <string_view>

#include "capi/cli/library/library.h"
#include "capi/text/formats/session/operations_json.h"

namespace stowage::cli {

/// One line of a script.
struct SessionCommand {
  enum class Kind { kOperations, kPlan, kCommit, kReject, kSnapshot, kShow, kStatus };

  Kind kind = Kind::kStatus;
  flatbuffers::DetachedBuffer operations;           ///< kOperations, in wire form
  bool batch = false;                               ///< kOperations: whether they stood in a list
  RequestOptions request;                           ///< kPlan
  std::string file;                                 ///< kSnapshot; kPlan: where the plan is written, or empty
  stowage_commit_mode mode = STOWAGE_COMMIT_EXACT;  ///< kCommit
  std::optional<std::string> app;                   ///< kShow
  std::optional<std::string> node;
};

/// Reads a line. Fails, naming `source` and the path, where the line is not a command.
SessionCommand read_session_command(std::string_view line, const std::string& source, const SessionTerms& terms);

}  // namespace stowage::cli
