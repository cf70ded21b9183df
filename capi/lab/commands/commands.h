// The command line of stowage-lab, and the functions that add its commands: their options, and what they do with them.
#pragma once

#include <memory>

#include "capi/cli/command_line.h"
#include "capi/cli/usage/values.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::lab {

class LabLine final : public CommandLine {
 public:
  explicit LabLine(const Console& console);
  using CommandLine::command;
  using CommandLine::console;
  using CommandLine::repeatable;

  /// Adds a command that says its options in add_options(sub). Its run(console) returns the exit code; failures are thrown.
  template <class Command>
  void add(CLI::App* parent, const char* name, const char* summary, const char* footer) {
    const auto made = std::make_shared<Command>();
    made->add_options(command(*parent, name, summary, footer, [this, made] { return made->run(console()); }));
  }
};

void add_bench_paper(LabLine& line, CLI::App* parent);
void add_bench_stochastic(LabLine& line, CLI::App* parent);
void add_bench_medea(LabLine& line, CLI::App* parent);
void add_bench_clusters(LabLine& line, CLI::App* parent);
void add_bench_packing(LabLine& line, CLI::App* parent);
void add_bench_colocation(LabLine& line, CLI::App* parent);
void add_bench_devices(LabLine& line, CLI::App* parent);
void add_bench_lrasched(LabLine& line, CLI::App* parent);
void add_bench_usage(LabLine& line, CLI::App* parent);
void add_bench_sizes(LabLine& line, CLI::App* parent);
void add_generate_usage(LabLine& line, CLI::App* parent);
void add_generate_profiles(LabLine& line, CLI::App* parent);
void add_draw_curve(LabLine& line, CLI::App* parent);
void add_imports(LabLine& line, CLI::App* parent);

}  // namespace stowage::cli::lab
