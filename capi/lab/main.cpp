#include "capi/lab/app.h"

int main(int argc, char** argv) { return stowage::cli::lab::run_app({argv + 1, argv + argc}, stowage::cli::process_console()); }
