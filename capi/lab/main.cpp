#include "capi/cli/base/process.h"
#include "capi/lab/app.h"

int main(int argc, char** argv) {
  stowage::cli::settle_process("stowage-lab");
  return stowage::cli::lab::run_app({argv + 1, argv + argc}, stowage::cli::process_console());
}
