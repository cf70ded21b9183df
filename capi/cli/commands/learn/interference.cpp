// What plans need to know and measurements tell: the coefficients of the side-effects model.

#include <array>
#include <cmath>
#include <cstdio>

#include "capi/cli/base/files.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/commands/learn/into.h"
#include "capi/cli/learn/interference/interference.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

using learn::Estimate;
using learn::KindFit;
using learn::LearnedInterference;

/// What the report is about.
struct Lesson {
  const LearnInterferenceCommand& command;
  const std::string& file;
  const learn::Observations& observations;
  const LearnedInterference& learned;
};

/// A kinds x kinds table of one part of the coefficients.
void write_table(JsonWriter& json, const char* key, const LearnedInterference& learned, double Estimate::*part) {
  json.list(key, learned.of, [&](const KindFit& fit) {
    json.begin_array();
    for (const Estimate& one : fit.coefficient) json.number(one.*part);
    json.end_array();
  });
}

void write_texts(JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  json.list(key, texts, [&](const std::string& text) { json.text(text); });
}

void print_json(const Lesson& lesson, const Console& console) {
  const learn::Observations& observations = lesson.observations;
  const LearnedInterference& learned = lesson.learned;
  const learn::FitOptions& options = lesson.command.options;
  JsonObject json(console.out);
  json.key("file").text(lesson.file).key("observations").whole(observations.count);
  json.key("errors").text(options.model.relative ? "relative" : "absolute").key("baseline").flag(options.model.baseline);
  json.key("max_condition").number(options.max_condition);
  write_texts(json, "kinds", learned.kinds);
  write_table(json, "coefficient", learned, &Estimate::value);
  json.key("interval").text("student-95");
  write_table(json, "low", learned, &Estimate::low);
  write_table(json, "high", learned, &Estimate::high);
  json.key("fits").begin_array();
  for (std::size_t t = 0; t < learned.kinds.size(); ++t) {
    const KindFit& fit = learned.of[t];
    json.begin_object().key("kind").text(learned.kinds[t]).key("observations").whole(observations.of[t].size());
    json.key("residual").number(fit.residual).key("condition").number(fit.condition);
    if (options.model.baseline) {
      json.key("baseline").number(fit.baseline.value).key("baseline_low").number(fit.baseline.low).key("baseline_high");
      json.number(fit.baseline.high);
    }
    json.end_object();
  }
  json.end_array().list("warnings", learned.warnings, [&](const learn::Warning& warning) {
    json.begin_object().key("code").text(warning.code).key("text").text(warning.text).end_object();
  });
  write_texts(json, "ignored", observations.ignored);
  json.print();
}

/// A number of any size for people.
std::string three_digits(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::vector<std::string> estimate_cells(const Estimate& one) {
  return {three_digits(one.value),
          std::isfinite(one.high) ? three_digits(one.low) + " - " + three_digits(one.high) : std::string("unknown")};
}

void print_text(const Lesson& lesson, const Console& console) {
  const learn::Observations& observations = lesson.observations;
  const LearnedInterference& learned = lesson.learned;
  const learn::Model& model = lesson.command.options.model;
  console.out << toned(console, Tone::kStrong, lesson.file) << ": " << counted(observations.count, "observation") << " of "
              << counted(learned.kinds.size(), "kind") << '\n';
  TextTable fits({"kind", "observations", "residual", "condition"});
  for (std::size_t t = 0; t < learned.kinds.size(); ++t) {
    const KindFit& fit = learned.of[t];
    fits.add({learned.kinds[t], for_people(static_cast<double>(observations.of[t].size()), 0),
              model.relative ? percent_text(fit.residual) : three_digits(fit.residual), for_people(fit.condition)});
  }
  fits.print(console);
  console.out << "\nWhat a load of 1 costs:\n";
  TextTable table({"a replica of", "beside load of", "costs", "95 % interval"});
  table.right_from(2);
  for (std::size_t t = 0; t < learned.kinds.size(); ++t) {
    const auto add = [&](const std::string& beside, const Estimate& one) {
      std::vector<std::string> row = estimate_cells(one);
      row.insert(row.begin(), {learned.kinds[t], beside});
      table.add(std::move(row));
    };
    for (std::size_t u = 0; u < learned.kinds.size(); ++u) add(learned.kinds[u], learned.of[t].coefficient[u]);
    if (model.baseline) add("(baseline)", learned.of[t].baseline);
  }
  table.print(console);
  for (const learn::Warning& warning : learned.warnings) {
    console.out << hanging_text(toned(console, Tone::kBad, "Warning:"), printable(warning.text), 9, kTextWidth);
  }
  if (!observations.ignored.empty()) {
    console.out << toned(console, Tone::kFaint, "Columns that are not read: " + enumerated(observations.ignored, ", ")) << '\n';
  }
}

void write_coefficients(const Lesson& lesson, const Console& console) {
  write_into(lesson.command, console, [&](InstanceData& data) {
    std::vector<std::string> left_out = learn::put_into(data, lesson.learned, *lesson.command.into);
    for (std::string& kind : left_out) kind.insert(0, "has no kind \"").append("\", which is left out");
    return left_out;
  });
}

}  // namespace

int run_learn_interference_command(const LearnInterferenceCommand& command, const Console& console) {
  const Console answer = check_into(command, console);
  const InputFile input(command.file);
  const learn::Observations observations = [&] {
    const PassingNote note(console, "reading " + input.name());
    return learn::read_observations(input.text(), input.name(), command.options.model);
  }();
  const LearnedInterference learned = learn::learn_interference(observations, input.name(), command.options);
  const Lesson lesson{command, input.name(), observations, learned};
  if (command.into) write_coefficients(lesson, console);
  command.summary == Summary::kJson ? print_json(lesson, answer) : print_text(lesson, answer);
  return kExitOk;
}

}  // namespace stowage::cli
