// The conformance set through the C ABI: every request of requests.tsv on every instance, and the fingerprints of the
// instances. expected.tsv holds the expected results; the bindings and the WebAssembly package compare with the same file.
//
// With STOWAGE_UPDATE_CONFORMANCE set, the file is written instead: scripts/update-conformance.sh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stowage.hpp>
#include <string>
#include <utility>
#include <vector>

#include "request_generated.h"
#include "tests/conformance/support.h"

namespace {

namespace wire = stowage::wire;
using stowage::conformance::hash_of;
using stowage::conformance::hex;
using stowage::conformance::kFolder;
using stowage::conformance::table;
using Outcomes = std::map<std::pair<std::string, std::string>, std::string>;

/// Goals, each as WORD:RESOURCE:BESIDE:WEIGHT:TOLERANCE.
flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::PlanGoal>>> goals_in(
    const std::string& cell, flatbuffers::FlatBufferBuilder& builder) {
  if (cell == "-") return 0;
  constexpr const char* kWords[] = {"cost", "nodes", "moves", "balance",  "evenness", "soft-rules",
                                    "ucac", "worst", "total", "admitted", "traffic"};
  std::vector<flatbuffers::Offset<wire::PlanGoal>> goals;
  std::istringstream list(cell);
  for (std::string one; std::getline(list, one, ',');) {
    std::istringstream parts(one);
    std::string word, resource, beside, weight, tolerance;
    for (std::string* part : {&word, &resource, &beside, &weight, &tolerance}) std::getline(parts, *part, ':');
    const auto what = std::find(std::begin(kWords), std::end(kWords), word) - std::begin(kWords);
    const auto index = resource == "-" ? 4294967295U : static_cast<std::uint32_t>(std::stoul(resource));
    goals.push_back(wire::CreatePlanGoal(builder, static_cast<wire::GoalKind>(what), index, beside == "1", std::stod(weight),
                                         std::stod(tolerance)));
  }
  return builder.CreateVector(goals);
}

flatbuffers::DetachedBuffer request_of(const std::vector<std::string>& cells) {
  const auto number = [&](std::size_t column) { return std::strtoull(cells.at(column).c_str(), nullptr, 10); };
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<wire::Option>> options;
  if (cells.at(8) != "-") {
    const std::size_t equals = cells[8].find('=');
    const auto name = builder.CreateString(cells[8].substr(0, equals));
    options.push_back(wire::CreateOption(builder, name, std::strtod(cells[8].c_str() + equals + 1, nullptr)));
  }
  const auto wire_options = options.empty() ? 0 : builder.CreateVector(options);
  const auto planner = builder.CreateString(cells.at(1));
  std::vector<wire::Kept> kept;
  if (cells.at(15) != "-") {
    std::istringstream pairs(cells[15]);
    for (std::string pair; std::getline(pairs, pair, ',');) {
      const auto part = [](const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); };
      kept.emplace_back(part(pair), part(pair.substr(pair.find(':') + 1)));
    }
  }
  const auto keep = kept.empty() ? 0 : builder.CreateVectorOfStructs(kept);
  const auto goals = goals_in(cells.at(18), builder);
  const auto survive = cells.at(16) == "-" ? 0 : builder.CreateString(cells[16]);
  const auto leave_free = cells.at(17) == "-" ? 0 : builder.CreateString(cells[17]);
  wire::RequestBuilder request(builder);
  request.add_planner(planner);
  request.add_options(wire_options);
  request.add_seed(number(2));
  request.add_work_limit(number(3));
  request.add_threads(static_cast<std::uint32_t>(number(4)));
  request.add_node_limit(static_cast<std::uint32_t>(number(5)));
  request.add_ignore_running(number(6) != 0);
  request.add_move_budget(static_cast<std::uint32_t>(number(7)));
  request.add_all_or_nothing(number(9) != 0);
  request.add_compact(number(10) != 0);
  request.add_soft(cells.at(11) == "price"  ? wire::SoftPolicy::Price
                   : cells.at(11) == "last" ? wire::SoftPolicy::Last
                                            : wire::SoftPolicy::First);
  request.add_soft_price(std::strtod(cells.at(12).c_str(), nullptr));
  request.add_fill(number(13) != 0);
  if (cells.at(14) == "admitted") request.add_objective(wire::Objective::Admitted);
  request.add_keep(keep);
  request.add_survive(survive);
  request.add_leave_free(leave_free);
  request.add_goals(goals);
  builder.Finish(request.Finish(), wire::RequestIdentifier());
  return builder.Release();
}

std::string outcome_of(const stowage::Instance& instance, const std::vector<std::string>& request) {
  try {
    return hex(hash_of(instance.plan(request_of(request))));
  } catch (const stowage::Error& error) {
    return std::string(stowage_status_text(error.status())) + " " + error.path();
  }
}

Outcomes outcomes() {
  Outcomes found;
  const auto requests = table(kFolder / "requests.tsv");
  for (const auto& entry : std::filesystem::directory_iterator(kFolder / "instances")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const stowage::Instance instance = stowage::Instance::load(bytes);
    const std::string name = entry.path().stem().string();
    found[{name, "fingerprint"}] = hex(instance.fingerprint());
    for (const auto& request : requests) found[{name, request[0]}] = outcome_of(instance, request);
  }
  return found;
}

TEST(Conformance, EveryRequestOnEveryInstance) {
  const Outcomes found = outcomes();
  if (std::getenv("STOWAGE_UPDATE_CONFORMANCE") != nullptr) {
    std::ofstream stream(kFolder / "expected.tsv");
    stream << "# Written by scripts/update-conformance.sh; README.md says what the outcomes are.\ninstance\trequest\toutcome\n";
    for (const auto& [key, outcome] : found) stream << key.first << '\t' << key.second << '\t' << outcome << '\n';
    GTEST_SKIP() << "expected.tsv is written, not compared";
  }
  Outcomes expected;
  for (const auto& row : table(kFolder / "expected.tsv")) expected[{row.at(0), row.at(1)}] = row.at(2);
  EXPECT_EQ(found, expected);
  std::size_t plans = 0;
  for (const auto& [key, outcome] : found) plans += outcome.find(' ') == std::string::npos ? 1 : 0;
  EXPECT_GE(plans, 40U);
}

}  // namespace
