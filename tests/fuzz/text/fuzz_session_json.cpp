// Any text as the lines of a session's script. Operations that are read are applied to a session.
#include "capi/cli/commands/session/session_json.h"

#include "capi/text/base/failure.h"
#include "tests/fuzz/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cli = stowage::cli;
  namespace fuzz = stowage::fuzz;
  static const fuzz::Bytes kBusy = fuzz::busy_instance();
  const cli::SessionTerms terms(*stowage::wire::GetInstance(kBusy.data()));
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_replicas = 10'000;
  limits.max_cells = 10'000;
  const stowage::Session session = stowage::Session::open(kBusy, limits);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (int lines = 0; !rest.empty() && lines < 40; ++lines) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    try {
      const cli::SessionCommand command = cli::read_session_command(line, "line", terms);
      if (command.kind != cli::SessionCommand::Kind::kOperations) continue;
      stowage_error error{};
      const stowage_status status =
          stowage_session_apply(session.get(), command.operations.data(), command.operations.size(), &error);
      fuzz::require_status(status, error,
                           {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_NOT_FOUND, STOWAGE_LIMIT_EXCEEDED});
    } catch (const cli::Failure& failure) {
      FUZZ_REQUIRE(failure.what()[0] != '\0', "a failure that says nothing");
    }
  }
  return 0;
}
