#include "capi/cli/library/library.h"
#include "capi/lab/commands/commands.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {

int run_import_gavel_command(const ImportGavelCommand& command, const Console& console) {
  write_checked(InstanceBytes(encode_instance(import_gavel(command.options))), "gavel", command.output, console);
  return kExitOk;
}

int run_import_rasa_command(const ImportRasaCommand& command, const Console& console) {
  write_checked(InstanceBytes(encode_instance(import_rasa(command.cluster))), "rasa", command.output, console);
  return kExitOk;
}

}  // namespace stowage::cli::lab
