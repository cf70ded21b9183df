#include "capi/cli/app.h"
#include "capi/cli/base/process.h"

int main(int argc, char** argv) {
  stowage::cli::settle_process("stowage");
  return stowage::cli::run_app({argv + 1, argv + argc}, stowage::cli::process_console());
}
