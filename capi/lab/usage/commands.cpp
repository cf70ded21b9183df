// Usage of replicas: histories generated, and ways from usage to demand compared.

#include <cstdio>

#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/lab/commands/commands.h"
#include "capi/lab/usage/histories.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

using usage::Histories;
using usage::Verdict;

std::string fine_percent(double share) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3f %%", share * 100);
  return text.data();
}

void compare_policies(const Histories& histories, const usage::Split& split, const BenchUsageCommand& command, std::string& csv,
                      const Console& console) {
  std::uint64_t replicas = 0;
  for (const std::uint32_t count : histories.replicas) replicas += count;
  console.out << toned(console, Tone::kStrong, histories.name) << ": " << counted(histories.apps.size(), "app") << ", "
              << counted(replicas, "replica") << ", nodes of " << for_people(histories.capacity[usage::kCpu]) << " cores and "
              << for_people(histories.capacity[usage::kMemory]) << " GiB\n";
  TextTable table({"demand", "nodes", "cpu slack", "memory slack", "cpu exceeded", "memory exceeded", "nodes over cpu",
                   "nodes over memory"});
  for (const usage::Policy& policy : usage::policies(command.periods)) {
    const Verdict verdict = usage::judge_policy(histories, split, policy, command.request, console);
    const std::string nodes =
        std::to_string(verdict.nodes) + (verdict.unplaced > 0 ? " (" + std::to_string(verdict.unplaced) + " unplaced)" : "");
    const auto cell = [&](const auto& values, std::size_t resource) { return fine_percent(values[resource]); };
    const std::vector<std::string> row = {policy.name,
                                          nodes,
                                          percent_text(verdict.slack[usage::kCpu]),
                                          percent_text(verdict.slack[usage::kMemory]),
                                          cell(verdict.exceeded, usage::kCpu),
                                          cell(verdict.exceeded, usage::kMemory),
                                          cell(verdict.over, usage::kCpu),
                                          cell(verdict.over, usage::kMemory)};
    table.add(row);
    std::vector<std::string> fields = {histories.name, policy.name, std::to_string(verdict.nodes),
                                       std::to_string(verdict.unplaced)};
    for (const auto* values : {&verdict.slack, &verdict.exceeded, &verdict.over}) {
      for (const double value : *values) fields.push_back(shortest(value));
    }
    csv += csv_line(fields);
  }
  table.print(console);
}

}  // namespace

int run_generate_usage_command(const GenerateUsageCommand& command, const Console& console) {
  const Histories histories = usage::generate_usage(command.options);
  OutputFile file(command.output);
  std::string text = "app,time,replica,cpu,memory\n";
  for (std::size_t a = 0; a < histories.apps.size(); ++a) {
    const std::size_t first = histories.first_series(a);
    for (std::uint32_t k = 0; k < histories.replicas[a]; ++k) {
      for (std::size_t t = 0; t < histories.times; ++t) {
        const double* amount = histories.at(first + k, t);
        text += histories.apps[a] + "," + std::to_string(t * command.options.step) + "," + std::to_string(k) + "," +
                shortest(amount[usage::kCpu]) + "," + shortest(amount[usage::kMemory]) + "\n";
      }
      if (text.size() < OutputFile::kFlushSize) continue;
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
  if (command.output != "-") {
    console.out << command.output << ": " << counted(histories.amount.size() / usage::kUsageResources, "sample") << " of "
                << counted(histories.apps.size(), "app") << '\n';
  }
  return kExitOk;
}

int run_bench_usage_command(const BenchUsageCommand& command, const Console& console) {
  std::string csv =
      "history,demand,nodes,unplaced,cpu_slack,memory_slack,cpu_exceeded,memory_exceeded,nodes_over_cpu,nodes_over_memory\n";
  const InterruptGuard guard;
  const Histories generated = usage::generate_usage(command.options);
  const std::size_t last_day = generated.times - generated.times / command.options.days;
  compare_policies(generated, {[&](std::size_t t) { return t < last_day; }, [&](std::size_t t) { return t >= last_day; }},
                   command, csv, console);
  console.out << '\n';
  if (command.tianchi) {
    const Histories published = usage::tianchi_usage(*command.tianchi, command.options.apps);
    compare_policies(published, {[](std::size_t t) { return t % 2 == 0; }, [](std::size_t t) { return t % 2 == 1; }}, command,
                     csv, console);
  } else {
    console.out << "Tianchi: skipped; --tianchi names the folder with the published files\n";
  }
  if (command.csv) {
    OutputFile file(*command.csv);
    file.write(csv);
    file.commit();
  }
  return kExitOk;
}

}  // namespace stowage::cli::lab
