// What a learned model is asked, from files and options.
#pragma once

#include <stowage.hpp>

#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/learn/samples_file.h"
#include "capi/text/base/failure.h"

namespace stowage::cli {

/// Reads the file as learn::read_samples() does, with a note on the console.
learn::SamplesTable read_table(const InputFile& input, const Console& console);

/// Calls the library; what it refuses is told with the place in the file.
template <class Call>
auto with_places(const learn::SamplesTable& table, const std::string& file, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Failure(learn::place_of(error.path(), table, file) + error.what());
  }
}

/// Fails, naming the file, where it holds no model.
Model load_model(const std::string& path);

/// The goal as the options say it.
struct AskedGoal {
  wire::Measure measure = wire::Measure::Performance;
  double value = 0;
  double confidence = 0.8;
  std::vector<double> cost;
};

/// Fails where the options contradict each other or the table of `file`.
AskedGoal read_goal(const GoalOptions& command, const learn::SamplesTable& table, const std::string& file);

/// The Question in wire form.
/// @param curves whether the answer has what is known of every configuration
flatbuffers::DetachedBuffer encode_question(const learn::SamplesTable& table, const AskedGoal& goal, bool keep_size,
                                            bool curves);

}  // namespace stowage::cli
