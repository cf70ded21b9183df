// What earlier versions wrote (tests/data/kept) is read: instances have the fingerprints they had, requests give plans, plans
// verify, sessions go on from their snapshots, and models recommend what they recommended.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "learning_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "tests/conformance/support.h"

namespace {

namespace wire = stowage::wire;
using stowage::conformance::hex;
using stowage::conformance::table;

const std::filesystem::path kKept = STOWAGE_KEPT;

std::string bytes_of(const std::string& file) {
  std::ifstream stream(kKept / file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

template <class Bytes>
const wire::Plan& plan_in(const Bytes& bytes) {
  return *wire::GetPlan(bytes.data());
}

void expect_verified(const stowage::Instance& instance, stowage::ByteView plan, const std::string& file) {
  const stowage::Buffer report = instance.verify(plan);
  const wire::Verification& found = *wire::GetReport(report.data())->body_as_Verification();
  EXPECT_TRUE(found.ok()) << file << ": " << found.violation_count() << " violations";
}

std::string read_instance(const std::string& file, const std::string&) {
  return hex(stowage::Instance::load(bytes_of(file)).fingerprint());
}

std::string read_request(const std::string& file, const std::string& of) {
  const stowage::Instance instance = stowage::Instance::load(bytes_of(of));
  const stowage::Buffer plan = instance.plan(bytes_of(file));
  expect_verified(instance, plan, file);
  return plan_in(plan).planner()->str();
}

std::string read_plan(const std::string& file, const std::string& of) {
  const std::string bytes = bytes_of(file);
  stowage::check(STOWAGE_KIND_PLAN, bytes);
  expect_verified(stowage::Instance::load(bytes_of(of)), bytes, file);
  const wire::Plan& plan = plan_in(bytes);
  std::uint64_t nodes = 0;
  for (std::uint32_t n = 0; n < plan.node_class()->size(); ++n) nodes += plan.copies() == nullptr ? 1 : plan.copies()->Get(n);
  return std::to_string(nodes);
}

std::string read_snapshot(const std::string& file, const std::string&) {
  const std::string bytes = bytes_of(file);
  const stowage::Session session = stowage::Session::open(bytes);
  EXPECT_EQ(stowage::conformance::hash_of(stowage::Session::open(session.snapshot()).snapshot()),
            stowage::conformance::hash_of(session.snapshot()));
  return std::to_string(session.version());
}

std::string read_model(const std::string& file, const std::string& of) {
  const stowage::Buffer answer = stowage::Model::load(bytes_of(file)).recommend(bytes_of(of));
  std::string choices;
  for (const std::uint32_t choice : *wire::GetLearning(answer.data())->body_as_Recommendations()->choice()) {
    choices += (choices.empty() ? "" : ",") + (choice == 0xFFFFFFFF ? std::string("-") : std::to_string(choice));
  }
  return choices;
}

TEST(Kept, WhatEarlierVersionsWroteIsRead) {
  const std::map<std::string, std::function<std::string(const std::string&, const std::string&)>> readers = {
      {"cluster.stow", read_instance},  {".stowreq", read_request}, {".stowplan", read_plan},
      {"snapshot.stow", read_snapshot}, {".stowmodel", read_model},
  };
  std::map<std::string, int> read;
  for (const std::vector<std::string>& row : table(kKept / "kept.tsv")) {
    const std::filesystem::path file = row.at(0);
    const std::string kind = file.extension() == ".stow" ? file.string() : file.extension().string();
    EXPECT_EQ(readers.at(kind)(file.string(), row.at(1)), row.at(2)) << file;
    ++read[kind];
  }
  EXPECT_EQ(read.size(), readers.size());
}

}  // namespace
