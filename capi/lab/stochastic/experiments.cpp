#include <algorithm>
#include <array>
#include <map>

#include "capi/cli/base/console.h"
#include "capi/lab/stochastic/runs.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::stochastic {
namespace {

constexpr std::array<Table, 4> kTables = {{
    {1, "scale-down", Case::kScaleDown, "busy machines, fewer containers than before"},
    {2, "scale-up", Case::kScaleUp, "busy machines, more containers than before"},
    {3, "empty", Case::kEmpty, "empty machines"},
    {kWeekTable, "week", Case::kEmpty, "seven working days, one after the other"},
}};

/// The week has all services of table 5, at P1's confidence.
constexpr std::uint32_t kWeekServices = 17;
constexpr double kWeekConfidence = 0.999;

/// Monday to Friday, then Monday and Tuesday: P1's nine days without the weekend. On average 1.246, with which the total is
/// about that of its table 4.
constexpr std::array<double, 7> kWeekdays = {1.21, 1.27, 1.29, 1.27, 1.18, 1.22, 1.28};

struct Planner {
  const char* contender;
  const char* paper_name;
};
constexpr std::array<Planner, 7> kPlanners = {{{"bf-nsigma", "BF-nσ"},
                                               {"bf-ucac", "BF-UCaC"},
                                               {"biheu", "BiHeu"},
                                               {"csp-ucac", "CSP-UCaC"},
                                               {"csp-mac", "CSP-Mac"},
                                               {"bf-nsigma:n=1.15", "BF-1.15σ"},
                                               {"bf-nsigma:n=1.23", "BF-1.23σ"}}};

struct PrintedEntry {
  int table;
  std::uint32_t services;
  const char* contender;
  Printed at_999;
  Printed at_99;
};

/// P1, tables 1 to 3, as printed.
constexpr std::array<PrintedEntry, 48> kPrinted = {{
    {1, 5, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.03}},  {1, 5, "bf-ucac", {0.94, 0.71, 0.04}, {0.96, 0.75, 0.47}},
    {1, 5, "biheu", {0.94, 0.71, 0.02}, {0.96, 0.75, 0.62}},      {1, 5, "csp-ucac", {0.94, 0.71, 0.02}, {0.96, 0.75, 0.46}},
    {1, 5, "csp-mac", {1.02, 0.71, 0.06}, {1.04, 0.75, 0.90}},    {1, 10, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.01}},
    {1, 10, "bf-ucac", {0.94, 0.70, 0.04}, {0.96, 0.73, 0.52}},   {1, 10, "biheu", {0.93, 0.70, 0.07}, {0.95, 0.73, 0.79}},
    {1, 10, "csp-ucac", {0.94, 0.70, 0.07}, {0.95, 0.73, 0.80}},  {1, 10, "csp-mac", {1.01, 0.70, 0.06}, {1.04, 0.73, 0.82}},
    {1, 15, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.02}}, {1, 15, "bf-ucac", {0.94, 0.70, 0.06}, {0.96, 0.76, 0.69}},
    {1, 15, "biheu", {0.93, 0.70, 0.04}, {0.95, 0.76, 0.57}},     {1, 15, "csp-ucac", {0.93, 0.70, 0.11}, {0.95, 0.76, 0.26}},
    {1, 15, "csp-mac", {1.00, 0.70, 0.15}, {1.03, 0.76, 0.57}},   {1, 20, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.00}},
    {1, 20, "bf-ucac", {0.94, 0.74, 0.04}, {0.96, 0.77, 0.51}},   {1, 20, "biheu", {0.93, 0.74, 0.07}, {0.95, 0.77, 0.69}},
    {1, 20, "csp-ucac", {0.94, 0.74, 0.02}, {0.96, 0.77, 0.26}},  {1, 20, "csp-mac", {1.01, 0.74, 0.00}, {1.05, 0.77, 0.53}},
    {2, 5, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.00}},  {2, 5, "bf-ucac", {0.94, 0.66, 0.06}, {0.96, 0.70, 0.79}},
    {2, 5, "biheu", {0.94, 0.65, 0.07}, {0.95, 0.69, 0.60}},      {2, 5, "csp-ucac", {0.93, 0.64, 0.06}, {0.95, 0.68, 0.97}},
    {2, 5, "csp-mac", {0.93, 0.64, 0.09}, {0.95, 0.68, 0.85}},    {2, 10, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.00}},
    {2, 10, "bf-ucac", {0.93, 0.64, 0.03}, {0.95, 0.67, 0.76}},   {2, 10, "biheu", {0.93, 0.64, 0.08}, {0.95, 0.67, 0.79}},
    {2, 10, "csp-ucac", {0.92, 0.63, 0.13}, {0.94, 0.66, 0.86}},  {2, 10, "csp-mac", {0.92, 0.63, 0.14}, {0.94, 0.66, 1.13}},
    {2, 15, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.00}}, {2, 15, "bf-ucac", {0.93, 0.66, 0.07}, {0.95, 0.69, 0.66}},
    {2, 15, "biheu", {0.93, 0.65, 0.08}, {0.94, 0.68, 0.80}},     {2, 15, "csp-ucac", {0.92, 0.64, 0.12}, {0.95, 0.69, 0.42}},
    {2, 15, "csp-mac", {0.92, 0.64, 0.12}, {0.95, 0.69, 0.56}},   {2, 20, "bf-nsigma", {1.00, 1.00, 0.00}, {1.00, 1.00, 0.00}},
    {2, 20, "bf-ucac", {0.94, 0.66, 0.03}, {0.95, 0.69, 0.52}},   {2, 20, "biheu", {0.93, 0.65, 0.00}, {0.95, 0.68, 0.96}},
    {2, 20, "csp-ucac", {0.94, 0.68, 0.07}, {0.95, 0.70, 0.70}},  {2, 20, "csp-mac", {0.94, 0.68, 0.03}, {0.96, 0.70, 0.51}},
    {3, 5, "csp-ucac", {32360, 1035, 0.1}, {29604, 942, 0.9}},    {3, 5, "csp-mac", {32366, 1035, 0.1}, {29614, 941, 1.1}},
    {3, 10, "csp-ucac", {33156, 1056, 0.2}, {30160, 958, 0.8}},   {3, 10, "csp-mac", {33177, 1054, 0.1}, {30163, 957, 1.0}},
    {3, 15, "csp-ucac", {33708, 1070, 0.1}, {30670, 1008, 0.5}},  {3, 15, "csp-mac", {33713, 1069, 0.1}, {30721, 1005, 0.5}},
    {3, 20, "csp-ucac", {33413, 1118, 0.0}, {30255, 995, 0.4}},   {3, 20, "csp-mac", {33456, 1110, 0.1}, {30295, 994, 0.7}},
}};

struct PrintedWeek {
  const char* contender;
  Printed entry;
};

/// Not in P1: contenders with few moves a day.
constexpr const char* kMovingContender = "auto:moves=100";

/// P1, table 4; BF-3.09 sigma is what BF-n-sigma is at 99.9 %.
constexpr std::array<PrintedWeek, 7> kPrintedWeek = {{{"bf-nsigma:n=1.15", {41293.5, 1305, 4.4}},
                                                      {"bf-nsigma:n=1.23", {41558.8, 1337, 3.8}},
                                                      {"bf-nsigma", {46038.3, 2144, 0.0}},
                                                      {"csp-mac", {42582.0, 1395, 1.9}},
                                                      {"bf-ucac", {41738.5, 1350, 2.6}},
                                                      {"biheu", {41450.4, 1333, 2.4}},
                                                      {"csp-ucac", {41402.3, 1332, 2.0}}}};

/// The row of a table with this contender, or nullptr.
template <class Rows>
auto find_row(const Rows& rows, std::string_view contender) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return contender == row.contender; });
  return found == rows.end() ? nullptr : &*found;
}

void class_fields(ClusterClass& of, lab::RunLine& line) {
  const auto find_number = [](const std::string& word) -> std::optional<int> {
    for (const Table& table : kTables) {
      if (word == table.word) return table.number;
    }
    return std::nullopt;
  };
  line.word(
      "case", of.table, [](int number) { return find_table(number).word; }, find_number);
  line.field("services", of.services).field("confidence", of.confidence);
}

/// A machine of a plan.
struct OneUse {
  ClusterClass of;
  std::uint64_t seed = 0;
  std::string label;
  double ucac = 0;

  void fields(lab::RunLine& line) {
    class_fields(of, line);
    line.field("seed", seed).label(label).field("ucac", ucac);
  }
};

}  // namespace

const Table& find_table(int number) {
  if (number < 1 || number > static_cast<int>(kTables.size())) {
    throw Failure("--tables: " + std::to_string(number) + " is not one of P1's tables with results; use 1 to 4");
  }
  return kTables[static_cast<std::size_t>(number - 1)];
}

std::string confidence_text(double confidence) { return for_people(confidence * 100, 6) + " %"; }

std::string class_text(const ClusterClass& one) {
  return std::string(find_table(one.table).word) + ", " + counted(one.services, "service") + ", confidence " +
         confidence_text(one.confidence);
}

std::vector<ClusterClass> classes_of(const Table& table, const Scale& scale) {
  if (table.number == kWeekTable) return {{kWeekTable, kWeekServices, kWeekConfidence}};
  std::vector<ClusterClass> classes;
  for (const double confidence : scale.confidences) {
    for (const std::uint32_t services : scale.services) classes.push_back({table.number, services, confidence});
  }
  return classes;
}

double day_scale(std::uint32_t day) { return kWeekdays[day % kWeekdays.size()]; }

std::vector<std::string> table_contenders(const Table& table) {
  std::vector<std::string> contenders;
  if (table.number == kWeekTable) {
    for (const PrintedWeek& one : kPrintedWeek) contenders.emplace_back(one.contender);
    contenders.emplace_back(kMovingContender);
  } else {
    for (std::size_t p = 0; p < 5; ++p) contenders.emplace_back(kPlanners[p].contender);
  }
  return contenders;
}

const char* paper_name(std::string_view contender) {
  const Planner* found = find_row(kPlanners, contender);
  return found == nullptr ? nullptr : found->paper_name;
}

const Printed* find_printed(const ClusterClass& one, std::string_view contender) {
  if (one.table == kWeekTable) {
    const PrintedWeek* found = find_row(kPrintedWeek, contender);
    return found == nullptr ? nullptr : &found->entry;
  }
  for (const PrintedEntry& entry : kPrinted) {
    if (entry.table != one.table || entry.services != one.services || contender != entry.contender) continue;
    if (one.confidence == 0.999) return &entry.at_999;
    if (one.confidence == 0.99) return &entry.at_99;
  }
  return nullptr;
}

void Run::fields(lab::RunLine& line) {
  class_fields(of, line);
  line.field("machines", machines).field("layout", layout).field("usage", usage).field("seed", seed);
  line.field("day", day).contender(*this).field("requested", requested).field("nodes", nodes);
  line.field("ucac", ucac).field("ucac_bound", ucac_bound).field("node_bound", node_bound).defects(*this);
  line.field("samples", samples).field("observations", observations).field("exceeded", exceeded);
  line.refuse_if(exceeded > observations).origin(*this);
}

void write_uses(const std::vector<MachineUse>& uses, const std::string& path) {
  std::vector<OneUse> all;
  for (const MachineUse& use : uses) {
    for (const double ucac : use.ucac) all.push_back({use.of, use.seed, use.label, ucac});
  }
  lab::write_runs(all, path);
}

std::vector<MachineUse> read_uses(const std::string& path) {
  std::vector<MachineUse> uses;
  std::map<std::tuple<ClusterClass, std::uint64_t, std::string>, std::size_t> lines;
  lab::read_lines(path, lab::columns_of<OneUse>(), [&](lab::RunLine& line) {
    OneUse one;
    one.fields(line);
    if (uses.empty() || uses.back().of != one.of || uses.back().seed != one.seed || uses.back().label != one.label) {
      const auto [first, is_new] = lines.emplace(std::tuple(one.of, one.seed, one.label), line.line());
      if (!is_new) line.fail("belongs to the plan that line " + std::to_string(first->second) + " begins");
      uses.push_back({one.of, one.seed, one.label, {}});
    }
    std::vector<double>& ucac = uses.back().ucac;
    if (!ucac.empty() && one.ucac > ucac.back()) line.fail("is a fuller machine than the one before it");
    ucac.push_back(one.ucac);
  });
  return uses;
}

}  // namespace stowage::cli::stochastic
