#include "capi/text/base/failure.h"

#include "capi/cli/library/library.h"
#include "capi/lab/commands/commands.h"

namespace stowage::cli::lab {

int run_import_tianchi_command(const ImportTianchiCommand& command, const Console& console) {
  write_checked(InstanceBytes(encode_instance(import_tianchi(command.options))), "tianchi", command.output, console);
  return kExitOk;
}

}  // namespace stowage::cli::lab
