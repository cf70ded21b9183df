#include "capi/cli/base/files.h"
#include "capi/cli/library/library.h"
#include "capi/lab/commands/commands.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {
namespace {

int write_import(InstanceData data, const char* source, const std::string& output, const Console& console) {
  write_checked(InstanceBytes(encode_instance(std::move(data))), source, output, console);
  return kExitOk;
}

}  // namespace

int run_generate_profiles_command(const GenerateProfilesCommand& command) {
  OutputFile file(command.output);
  file.write(profiles::csv(command.options));
  file.commit();
  return kExitOk;
}

int run_import_gavel_command(const ImportGavelCommand& command, const Console& console) {
  return write_import(import_gavel(command.options), "gavel", command.output, console);
}

int run_import_rasa_command(const ImportRasaCommand& command, const Console& console) {
  return write_import(import_rasa(command.cluster), "rasa", command.output, console);
}

int run_import_tianchi_command(const ImportTianchiCommand& command, const Console& console) {
  return write_import(import_tianchi(command.options), "tianchi", command.output, console);
}

}  // namespace stowage::cli::lab
