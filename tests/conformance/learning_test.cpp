// The learning case of the conformance set through the C ABI: what a model of learning/profiles.tsv recommends for
// learning/samples.tsv, and the sizes by learning/usage.tsv. README.md states the goal and the rules.
//
// With STOWAGE_UPDATE_CONFORMANCE set, the expected files are written instead: scripts/update-conformance.sh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "learning_generated.h"
#include "tests/conformance/support.h"

namespace {

namespace wire = stowage::wire;
using stowage::conformance::kFolder;
using stowage::conformance::table;
using Rows = std::vector<std::vector<std::string>>;
using Builder = flatbuffers::FlatBufferBuilder;

/// The amount in a cell; "-" is not known.
double amount_of(const std::string& cell) {
  return cell == "-" ? std::numeric_limits<double>::quiet_NaN() : std::strtod(cell.c_str(), nullptr);
}

std::uint32_t count_of(const std::string& cell) { return static_cast<std::uint32_t>(std::strtoul(cell.c_str(), nullptr, 10)); }

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// The apps of a table, whose first column names them, in the order of their first rows; and the app of each row.
struct AppColumn {
  explicit AppColumn(const Rows& rows) {
    for (const auto& cells : rows) {
      const auto at = std::find(names.begin(), names.end(), cells.at(0));
      of_row.push_back(static_cast<std::uint32_t>(at - names.begin()));
      if (at == names.end()) {
        first_rows.push_back(cells);
        names.push_back(cells[0]);
      }
    }
  }

  std::vector<std::string> names;
  std::vector<std::uint32_t> of_row;
  Rows first_rows;
};

const std::vector<std::string> kResources = {"cpu", "memory"};

flatbuffers::Offset<wire::Samples> encode_samples(Builder& builder, const std::string& file) {
  const Rows rows = table(kFolder / "learning" / file);
  const AppColumn apps(rows);
  std::vector<std::string> families;
  std::vector<double> loads;
  for (const auto& cells : apps.first_rows) {
    families.push_back(cells.at(1) == "-" ? "" : cells[1]);
    loads.push_back(amount_of(cells.at(2)));
  }
  std::vector<double> amounts;
  std::vector<double> values;
  std::vector<std::uint32_t> collocation;
  for (const auto& cells : rows) {
    amounts.push_back(amount_of(cells.at(3)));
    amounts.push_back(amount_of(cells.at(4)));
    collocation.push_back(count_of(cells.at(5)));
    values.push_back(amount_of(cells.at(6)));
  }
  const auto family = wire::CreateFeature(builder, builder.CreateString("family"), 0, builder.CreateVectorOfStrings(families));
  const auto load = wire::CreateFeature(builder, builder.CreateString("load"), builder.CreateVector(loads));
  const std::vector<flatbuffers::Offset<wire::Feature>> features = {family, load};
  const auto resources = builder.CreateVectorOfStrings(kResources);
  const auto names = builder.CreateVectorOfStrings(apps.names);
  const auto known = builder.CreateVector(features);
  const auto row_app = builder.CreateVector(apps.of_row);
  const auto row_amounts = builder.CreateVector(amounts);
  const auto row_collocation = builder.CreateVector(collocation);
  return wire::CreateSamples(builder, wire::Measure::Performance, resources, names, known, 0, row_app, row_amounts,
                             row_collocation, builder.CreateVector(values));
}

template <class Body>
flatbuffers::DetachedBuffer finish(Builder& builder, flatbuffers::Offset<Body> body) {
  wire::FinishLearningBuffer(builder,
                             wire::CreateLearning(builder, 1, wire::LearningBodyTraits<Body>::enum_value, body.Union()));
  return builder.Release();
}

flatbuffers::DetachedBuffer profiles() {
  Builder builder;
  return finish(builder, encode_samples(builder, "profiles.tsv"));
}

flatbuffers::DetachedBuffer question() {
  Builder builder;
  const auto samples = encode_samples(builder, "samples.tsv");
  const auto goal = wire::CreateGoal(builder, 0.75, 0.8);
  return finish(builder, wire::CreateQuestion(builder, samples, goal));
}

flatbuffers::DetachedBuffer usage() {
  const Rows rows = table(kFolder / "learning" / "usage.tsv");
  const AppColumn apps(rows);
  std::vector<std::uint32_t> replicas;
  std::vector<double> times;
  std::vector<double> amounts;
  std::vector<std::uint8_t> killed;
  for (const auto& cells : rows) {
    replicas.push_back(count_of(cells.at(1)));
    times.push_back(amount_of(cells.at(2)));
    amounts.push_back(amount_of(cells.at(3)));
    amounts.push_back(amount_of(cells.at(4)));
    killed.push_back(cells.at(5) == "1" ? 1 : 0);
  }
  Builder builder;
  const std::vector<flatbuffers::Offset<wire::SizeRule>> rules = {
      wire::CreateSizeRule(builder, 0.9, 43'200, 0, 0.1),
      wire::CreateSizeRule(builder, 1, 0, 14'400, 0, 1.25, 1),
  };
  const auto names = builder.CreateVectorOfStrings(apps.names);
  const auto resources = builder.CreateVectorOfStrings(kResources);
  const auto app = builder.CreateVector(apps.of_row);
  const auto replica = builder.CreateVector(replicas);
  const auto time = builder.CreateVector(times);
  const auto amount = builder.CreateVector(amounts);
  const auto out_of_memory = builder.CreateVector(killed);
  return finish(builder, wire::CreateUsage(builder, names, resources, app, replica, time, amount, out_of_memory,
                                           builder.CreateVector(rules), 2, 86'400));
}

std::string configuration_of(const wire::Recommendations& answer, std::uint32_t index) {
  if (index >= answer.collocation()->size()) return "-";
  return text_of(answer.amounts()->Get(2 * index)) + "/" + text_of(answer.amounts()->Get(2 * index + 1)) + "/" +
         std::to_string(answer.collocation()->Get(index));
}

Rows recommended() {
  const stowage::Buffer bytes = stowage::Model::learn(profiles()).recommend(question());
  const wire::Recommendations& answer = *wire::GetLearning(bytes.data())->body_as_Recommendations();
  const std::vector<std::string> reasons = {"meets-goal", "not-enough-evidence", "goal-out-of-reach"};
  Rows rows;
  for (std::uint32_t k = 0; k < answer.apps()->size(); ++k) {
    rows.push_back({answer.apps()->Get(k)->str(), reasons.at(static_cast<std::size_t>(answer.reason()->Get(k))),
                    configuration_of(answer, answer.choice()->Get(k)), configuration_of(answer, answer.next_sample()->Get(k)),
                    std::to_string(answer.samples()->Get(k)), text_of(answer.probability()->Get(k)),
                    text_of(answer.cost()->Get(k))});
  }
  return rows;
}

Rows sized() {
  const stowage::Buffer bytes = stowage::size(usage());
  const wire::Sizes& answer = *wire::GetLearning(bytes.data())->body_as_Sizes();
  Rows rows;
  for (std::uint32_t k = 0; k < answer.size()->size(); ++k) {
    rows.push_back({answer.apps()->Get(k / 2)->str(), answer.resources()->Get(k % 2)->str(),
                    std::to_string(answer.measured()->Get(k)), std::to_string(answer.killed()->Get(k / 2)),
                    text_of(answer.size()->Get(k)), text_of(answer.slack()->Get(k)), text_of(answer.exceeded()->Get(k)),
                    text_of(answer.demand()->Get(2 * k)), text_of(answer.demand()->Get(2 * k + 1))});
  }
  return rows;
}

/// Compares with an expected file, whose cells from `first_number` on may differ by 1e-9 of themselves, or writes it.
void compare(const std::string& file, const std::string& columns, const Rows& found, std::size_t first_number) {
  if (std::getenv("STOWAGE_UPDATE_CONFORMANCE") != nullptr) {
    std::ofstream stream(kFolder / "learning" / file);
    stream << "# Written by scripts/update-conformance.sh; ../README.md says what the columns are.\n" << columns << '\n';
    for (const auto& row : found) {
      for (std::size_t k = 0; k < row.size(); ++k) stream << (k == 0 ? "" : "\t") << row[k];
      stream << '\n';
    }
    GTEST_SKIP() << file << " is written, not compared";
  }
  const Rows expected = table(kFolder / "learning" / file);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t row = 0; row < found.size(); ++row) {
    ASSERT_EQ(found[row].size(), expected[row].size());
    for (std::size_t k = 0; k < found[row].size(); ++k) {
      const double wanted = amount_of(expected[row][k]);
      if (k < first_number) {
        EXPECT_EQ(found[row][k], expected[row][k]) << file << ", row " << row + 1;
      } else {
        EXPECT_NEAR(amount_of(found[row][k]), wanted, 1e-9 * std::abs(wanted)) << file << ", row " << row + 1 << ", cell " << k;
      }
    }
  }
}

TEST(Conformance, WhatAModelRecommends) {
  const Rows found = recommended();
  std::set<std::string> reasons;
  for (const auto& row : found) reasons.insert(row[1]);
  EXPECT_EQ(reasons.size(), 3U) << "the case has an app for each reason";
  compare("recommended.tsv", "app\treason\tchoice\tnext_sample\tsamples\tprobability\tcost", found, 5);
}

TEST(Conformance, SizesByUsage) {
  compare("sized.tsv", "app\tresource\tmeasured\tkilled\tsize\tslack\texceeded\tdemand_1\tdemand_2", sized(), 4);
}

}  // namespace
