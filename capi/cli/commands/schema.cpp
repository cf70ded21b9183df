// Prints the JSON Schemas of what the command reads and writes.

#include <string>
#include <string_view>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/commands/commands.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/table.h"

namespace stowage::cli {
namespace {

struct JsonSchema {
  std::string_view name;
  std::string_view json;
};
constexpr JsonSchema kSchemas[] = {
#include "schemas.inc"
};

/// What the schema is of.
std::string schema_title(const JsonSchema& schema) {
  constexpr std::string_view kKey = "\"title\": \"";
  const std::string_view from = schema.json.substr(schema.json.find(kKey) + kKey.size());
  return std::string(from.substr(0, from.find('"')));
}

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const JsonSchema& one : kSchemas) names.emplace_back(one.name);
  return names;
}

int run_schema_command(const std::string& name, const Console& console) {
  if (name.empty()) {
    constexpr std::size_t kColumn = 22;
    for (const JsonSchema& one : kSchemas) {
      console.out << hanging_text("  " + std::string(one.name), schema_title(one), kColumn, kTextWidth);
    }
    return kExitOk;
  }
  std::vector<std::string_view> known;
  for (const JsonSchema& one : kSchemas) {
    if (one.name == name) {
      console.out << one.json;
      return kExitOk;
    }
    known.push_back(one.name);
  }
  throw Failure("there is no schema \"" + name + "\"" + did_you_mean(name, known) + "; stowage schema lists them");
}

}  // namespace stowage::cli
