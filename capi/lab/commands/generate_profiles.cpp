#include "capi/cli/base/files.h"
#include "capi/lab/commands/commands.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {

int run_generate_profiles_command(const GenerateProfilesCommand& command) {
  OutputFile file(command.output);
  file.write(profiles::csv(command.options));
  file.commit();
  return kExitOk;
}

}  // namespace stowage::cli::lab
