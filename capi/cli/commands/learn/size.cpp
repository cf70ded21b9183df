// From usage to size: what replicas should ask for, by what monitoring saw.

#include <cmath>

#include "capi/cli/base/files.h"
#include "capi/cli/command_line.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/commands/learn/into.h"
#include "capi/cli/learn/usage_file.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "learning_generated.h"

namespace stowage::cli {
namespace {

using learn::UsageTable;
using Doubles = flatbuffers::Vector<double>;

/// What the report is about.
struct Sized {
  const SizeCommand& command;
  const std::string& file;
  const wire::Sizes& sizes;

  [[nodiscard]] std::size_t apps() const { return sizes.apps()->size(); }
  [[nodiscard]] std::size_t resources() const { return sizes.resources()->size(); }
  [[nodiscard]] std::string resource(std::size_t r) const {
    return sizes.resources()->Get(static_cast<flatbuffers::uoffset_t>(r))->str();
  }
  [[nodiscard]] std::string app(std::size_t a) const {
    return sizes.apps()->Get(static_cast<flatbuffers::uoffset_t>(a))->str();
  }
  /// Whether demand differs from the size.
  [[nodiscard]] bool has_demand() const { return sizes.periods() > 1 || sizes.variance() != nullptr; }
};

/// Asks the library; what it refuses is told with the line of the file.
Buffer sizes_of(const UsageTable& table, const flatbuffers::DetachedBuffer& usage, const std::string& file) {
  try {
    return size(usage);
  } catch (const Error& error) {
    const std::string path = error.path();
    const std::size_t open = path.find('[');
    const std::string column = path.substr(0, open);
    std::string place = file + ": ";
    if (open != std::string::npos && column != "rules") {
      const auto index = parse_whole(std::string_view(path).substr(open + 1, path.find(']') - open - 1));
      const std::size_t row =
          !index ? table.line.size() : static_cast<std::size_t>(*index) / (column == "amount" ? table.resources.size() : 1);
      if (row < table.line.size()) {
        place = file + ":" + std::to_string(table.line[row]) + ": " +
                (column == "amount" ? table.resources[*index % table.resources.size()] : column) + ": ";
      }
    } else if (!path.empty()) {
      place += path + ": ";
    }
    throw Failure(place + error.what());
  }
}

double cycle_seconds(const std::string& text) {
  if (text == "all") return 0;
  const auto duration = parse_duration(text);
  if (!duration || duration->count() < 1000)
    throw Failure("--cycle: \"" + text + "\" is neither a duration of at least a second (try 24h) nor all");
  return static_cast<double>(duration->count()) / 1000;
}

void write_resources(JsonWriter& json, const char* key, const Sized& sized, const Doubles& column, std::size_t app) {
  json.key(key).begin_object();
  for (std::size_t r = 0; r < sized.resources(); ++r) {
    const std::size_t cell = app * sized.resources() + r;
    if (std::isnan(sized.sizes.size()->Get(static_cast<flatbuffers::uoffset_t>(cell)))) continue;
    json.key(sized.resource(r)).number(column.Get(static_cast<flatbuffers::uoffset_t>(cell)));
  }
  json.end_object();
}

void write_demand(JsonWriter& json, const Sized& sized, std::size_t app) {
  const std::uint32_t periods = sized.sizes.periods();
  json.key("demand").begin_object();
  for (std::size_t r = 0; r < sized.resources(); ++r) {
    const double* demand = sized.sizes.demand()->data() + (app * sized.resources() + r) * periods;
    if (std::isnan(demand[0])) continue;
    json.key(sized.resource(r));
    if (periods == 1) {
      json.number(demand[0]);
      continue;
    }
    json.begin_array();
    for (std::uint32_t p = 0; p < periods; ++p) json.number(demand[p]);
    json.end_array();
  }
  json.end_object();
}

/// The mean of a column over all samples of a resource.
double overall(const Sized& sized, const Doubles& column, std::size_t resource) {
  double sum = 0;
  double samples = 0;
  for (std::size_t a = 0; a < sized.apps(); ++a) {
    const auto cell = static_cast<flatbuffers::uoffset_t>(a * sized.resources() + resource);
    const auto measured = static_cast<double>(sized.sizes.measured()->Get(cell));
    sum += measured * column.Get(cell);
    samples += measured;
  }
  return samples > 0 ? sum / samples : 0;
}

void write_overall(JsonWriter& json, const char* key, const Sized& sized, const Doubles& column) {
  json.key(key).begin_object();
  for (std::size_t r = 0; r < sized.resources(); ++r) json.key(sized.resource(r)).number(overall(sized, column, r));
  json.end_object();
}

std::uint64_t sample_count(const Sized& sized, std::size_t app) {
  std::uint64_t most = 0;
  for (std::size_t r = 0; r < sized.resources(); ++r) {
    most = std::max(most, sized.sizes.measured()->Get(static_cast<flatbuffers::uoffset_t>(app * sized.resources() + r)));
  }
  return most;
}

void print_sizes_json(const Sized& sized, const Console& console) {
  const wire::Sizes& sizes = sized.sizes;
  JsonObject json(console.out);
  json.key("file").text(sized.file).key("periods").whole(sizes.periods());
  write_overall(json, "slack", sized, *sizes.slack());
  write_overall(json, "exceeded", sized, *sizes.exceeded());
  if (sized.has_demand()) {
    write_overall(json, "demand_slack", sized, *sizes.demand_slack());
    write_overall(json, "demand_exceeded", sized, *sizes.demand_exceeded());
  }
  json.key("apps").begin_array();
  for (std::size_t a = 0; a < sized.apps(); ++a) {
    const auto at = static_cast<flatbuffers::uoffset_t>(a);
    json.begin_object().key("app").text(sized.app(a)).key("samples").whole(sample_count(sized, a));
    json.key("first").number(sizes.first()->Get(at)).key("last").number(sizes.last()->Get(at));
    json.key("killed").whole(sizes.killed()->Get(at));
    write_resources(json, "size", sized, *sizes.size(), a);
    write_resources(json, "slack", sized, *sizes.slack(), a);
    write_resources(json, "exceeded", sized, *sizes.exceeded(), a);
    if (sized.has_demand()) {
      write_demand(json, sized, a);
      if (sizes.variance() != nullptr) write_resources(json, "variance", sized, *sizes.variance(), a);
      write_resources(json, "demand_slack", sized, *sizes.demand_slack(), a);
      write_resources(json, "demand_exceeded", sized, *sizes.demand_exceeded(), a);
    }
    json.end_object();
  }
  json.end_array();
  json.print();
}

/// The demand of an app as one cell: a range where it changes, with its standard deviation where it is uncertain.
std::string demand_cell(const Sized& sized, std::size_t cell) {
  const std::uint32_t periods = sized.sizes.periods();
  const double* demand = sized.sizes.demand()->data() + cell * periods;
  const auto [least, most] = std::minmax_element(demand, demand + periods);
  std::string text = for_people(*least);
  if (*most > *least) text += " - " + for_people(*most);
  const double variance =
      sized.sizes.variance() == nullptr ? 0 : sized.sizes.variance()->Get(static_cast<flatbuffers::uoffset_t>(cell));
  if (variance > 0) text += " +- " + for_people(std::sqrt(variance));
  return text;
}

void print_sizes_text(const Sized& sized, const Console& console) {
  const wire::Sizes& sizes = sized.sizes;
  const std::uint64_t samples = [&] {
    std::uint64_t sum = 0;
    for (std::size_t a = 0; a < sized.apps(); ++a) sum += sample_count(sized, a);
    return sum;
  }();
  console.out << toned(console, Tone::kStrong, sized.file) << ": " << counted(samples, "sample") << " of "
              << counted(sized.apps(), "app") << '\n';
  std::vector<std::string> header = {"app", "resource", "samples", "size", "slack", "exceeded"};
  if (sized.has_demand()) header.insert(header.end(), {"demand", "slack", "exceeded"});
  TextTable table(header);
  table.right_from(2);
  const auto add = [&](std::size_t app, std::size_t r) {
    const std::size_t index = app * sized.resources() + r;
    const auto cell = static_cast<flatbuffers::uoffset_t>(index);
    std::vector<std::string> row = {sized.app(app), sized.resource(r),
                                    for_people(static_cast<double>(sizes.measured()->Get(cell)), 0)};
    if (std::isnan(sizes.size()->Get(cell))) {
      row.resize(header.size(), "not measured");
    } else {
      row.insert(row.end(), {for_people(sizes.size()->Get(cell)), percent_text(sizes.slack()->Get(cell)),
                             percent_text(sizes.exceeded()->Get(cell))});
      if (sized.has_demand()) {
        row.insert(row.end(), {demand_cell(sized, index), percent_text(sizes.demand_slack()->Get(cell)),
                               percent_text(sizes.demand_exceeded()->Get(cell))});
      }
    }
    table.add(std::move(row));
  };
  for (std::size_t a = 0; a < sized.apps(); ++a) {
    for (std::size_t r = 0; r < sized.resources(); ++r) add(a, r);
  }
  for (std::size_t r = 0; r < sized.resources() && sized.apps() > 1; ++r) {
    std::vector<std::string> row = {"(all)",
                                    sized.resource(r),
                                    "",
                                    "",
                                    percent_text(overall(sized, *sizes.slack(), r)),
                                    percent_text(overall(sized, *sizes.exceeded(), r))};
    if (sized.has_demand()) {
      row.insert(row.end(), {"", percent_text(overall(sized, *sizes.demand_slack(), r)),
                             percent_text(overall(sized, *sizes.demand_exceeded(), r))});
    }
    table.add(std::move(row));
  }
  table.print(console);
}

}  // namespace

int run_size_command(const SizeCommand& command, const Console& console) {
  const Console shown = check_into(command, console);
  std::optional<double> confidence;
  if (!command.confidence.empty()) {
    if (command.texts.uncertain.empty()) throw Failure("--confidence: needs --uncertain");
    confidence = parse_confidence("--confidence", command.confidence);
  }
  const double cycle = cycle_seconds(command.cycle);
  const InputFile input(command.file);
  const UsageTable table = [&] {
    const PassingNote note(console, "reading " + input.name());
    return learn::read_usage(input.text(), input.name());
  }();
  const auto rules = learn::size_rules(command.texts, table.resources);
  const Buffer answer = sizes_of(table, learn::encode_usage(table, rules, command.periods, cycle), input.name());
  const Sized sized{command, input.name(), *wire::GetLearning(answer.data())->body_as_Sizes()};
  if (command.into) write_demand_into(learn::learned_demand(sized.sizes, confidence), command, console);
  command.summary == Summary::kJson ? print_sizes_json(sized, shown) : print_sizes_text(sized, shown);
  return kExitOk;
}

}  // namespace stowage::cli
