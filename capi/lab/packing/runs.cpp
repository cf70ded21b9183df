#include "capi/lab/packing/runs.h"

#include <tuple>

#include "capi/cli/base/console.h"
#include "capi/cli/base/files.h"
#include "capi/cli/base/text/csv.h"
#include "capi/cli/formats/plan_file.h"
#include "capi/cli/generate/packing.h"
#include "capi/text/base/failure.h"

namespace stowage::cli::packing {
namespace {

using lab::RunReader;

const std::vector<std::string>& packing_columns() {
  static const std::vector<std::string> kColumns = {
      "class", "dims",     "items",      "merged",  "seed",         "planner", "deadline_ms", "status", "nodes",
      "bound", "unplaced", "violations", "seconds", "call_seconds", "repeats", "machine",     "build"};
  return kColumns;
}

Run read_packing_run(RunReader& reader) {
  Run run;
  run.of.word = reader.text();
  try {
    check_class(run.of.word, "class");
  } catch (const Failure&) {
    reader.refuse();
  }
  run.of.dims = reader.count();
  run.of.items = reader.count();
  const std::uint32_t merged = reader.count();
  if (merged > 1) reader.refuse();
  run.merged = merged == 1;
  run.seed = reader.whole();
  lab::read_contender(reader, run);
  run.nodes = reader.whole();
  run.bound = reader.optional_number();
  lab::read_defects(reader, run);
  lab::read_origin(reader, run);
  return run;
}

const std::vector<std::uint32_t>& published_items(const std::string& word) {
  static const std::vector<std::uint32_t> kUniform = {120, 250, 500};
  static const std::vector<std::uint32_t> kTriplets = {60, 120, 249};
  static const std::vector<std::uint32_t> kVectors = {60, 120, 249, 500};
  return word == "u" ? kUniform : word == "t" ? kTriplets : kVectors;
}

}  // namespace

std::string class_text(const Class& of) {
  return of.word + ", " + counted(of.dims, "dimension") + ", " + counted(of.items, "item");
}

std::vector<Class> classes_of(const std::vector<std::string>& words, const std::vector<std::uint32_t>& dims,
                              const std::vector<std::uint32_t>& items) {
  std::vector<Class> all;
  for (const std::string& word : words) {
    const bool vectors = word.starts_with("ct");
    for (const std::uint32_t one : vectors ? dims : std::vector<std::uint32_t>{usual_dims(word)}) {
      for (const std::uint32_t count : items.empty() ? published_items(word) : items) {
        if (word != "t" || count % 3 == 0) all.push_back({word, one, count});
      }
    }
  }
  return all;
}

bool Run::proven() const { return status == status_word(wire::PlanStatus::Optimal); }

void write_runs(const std::vector<Run>& runs, const std::string& path) {
  OutputFile out(path);
  out.write(csv_line(packing_columns()));
  for (const Run& run : runs) {
    out.write(csv_line(lab::joined({{run.of.word, std::to_string(run.of.dims), std::to_string(run.of.items),
                                     run.merged ? "1" : "0", std::to_string(run.seed)},
                                    lab::contender_fields(run),
                                    {std::to_string(run.nodes), lab::optional_text(run.bound)},
                                    lab::defect_fields(run),
                                    lab::origin_fields(run)})));
  }
  out.commit();
}

std::vector<Run> read_runs(const std::string& path) {
  return lab::read_distinct_runs(path, packing_columns(), read_packing_run, [](const Run& run) {
    return std::tuple(run.of, run.merged, run.seed, run.label, run.deadline_ms);
  });
}

}  // namespace stowage::cli::packing
