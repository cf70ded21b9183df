// The sessions of the conformance set through the C ABI: every step of session.tsv and its result, as expected by
// session-expected.tsv.
//
// With STOWAGE_UPDATE_CONFORMANCE set, that file is written instead: scripts/update-conformance.sh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <stowage.hpp>
#include <string>
#include <vector>

#include "report_generated.h"
#include "request_generated.h"
#include "session_generated.h"
#include "tests/conformance/support.h"

namespace {

namespace wire = stowage::wire;
using stowage::conformance::hash_of;
using stowage::conformance::hex;
using stowage::conformance::kFolder;
using stowage::conformance::table;

/// The parts of a text between separators; none for an empty text.
std::vector<std::string> split_cell(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// "AffinityLimit" is "affinity-limit".
std::string kebab(const std::string& name) {
  std::string words;
  for (const char letter : name) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    if (capital && !words.empty()) words += '-';
    words += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return words;
}

/// The arguments of a step by name.
class SessionStep {
 public:
  explicit SessionStep(const std::vector<std::string>& cells) : call_(cells.at(0)) {
    for (std::size_t k = 1; k < cells.size(); ++k) {
      const std::size_t equals = cells[k].find('=');
      arguments_[cells[k].substr(0, equals)] = cells[k].substr(equals + 1);
    }
  }

  [[nodiscard]] const std::string& call() const { return call_; }
  [[nodiscard]] bool has(const std::string& name) const { return arguments_.count(name) > 0; }
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto at = arguments_.find(name);
    return at == arguments_.end() ? std::string() : at->second;
  }
  [[nodiscard]] std::uint32_t number(const std::string& name, std::uint32_t otherwise = 0) const {
    return has(name) ? static_cast<std::uint32_t>(std::strtoul(text(name).c_str(), nullptr, 10)) : otherwise;
  }
  [[nodiscard]] std::vector<double> doubles(const std::string& name) const {
    std::vector<double> values;
    for (const std::string& value : split_cell(text(name), ',')) values.push_back(std::strtod(value.c_str(), nullptr));
    return values;
  }
  /// One half of each entry of a list: for "a:1,b:2", either "a" and "b" or "1" and "2".
  [[nodiscard]] std::vector<std::string> halves(const std::string& name, bool second) const {
    std::vector<std::string> found;
    for (const std::string& entry : split_cell(text(name), ',')) {
      const std::size_t colon = entry.find(':');
      found.push_back(second ? entry.substr(colon + 1) : entry.substr(0, colon));
    }
    return found;
  }

 private:
  std::string call_;
  std::map<std::string, std::string> arguments_;
};

using Builder = flatbuffers::FlatBufferBuilder;

flatbuffers::Offset<wire::NamedRule> encode_rule(Builder& builder, const SessionStep& step) {
  std::vector<flatbuffers::Offset<wire::NamedConjunction>> any_of;
  for (const std::string& conjunction : split_cell(step.text("any-of"), '|')) {
    std::vector<flatbuffers::Offset<wire::NamedCardinality>> all_of;
    for (const std::string& condition : split_cell(conjunction, '&')) {
      const std::vector<std::string> part = split_cell(condition, '/');
      const std::vector<std::string> kinds = {"replicas", "node-sets", "skew"};
      const auto kind = static_cast<std::uint8_t>(std::find(kinds.begin(), kinds.end(), part.at(0)) - kinds.begin());
      const auto subject = builder.CreateVectorOfStrings(split_cell(part.at(1), '+'));
      const auto target = builder.CreateVectorOfStrings(split_cell(part.at(2), '+'));
      const auto min = static_cast<std::uint32_t>(std::strtoul(part.at(3).c_str(), nullptr, 10));
      const std::uint32_t max =
          part.at(4) == "-" ? 0xFFFFFFFF : static_cast<std::uint32_t>(std::strtoul(part[4].c_str(), nullptr, 10));
      const auto group = builder.CreateString(part.at(5));
      all_of.push_back(wire::CreateNamedCardinality(builder, kind, subject, target, min, max, group, part.at(6) == "1"));
    }
    any_of.push_back(wire::CreateNamedConjunction(builder, builder.CreateVector(all_of)));
  }
  const double weight = step.has("soft") ? std::strtod(step.text("soft").c_str(), nullptr) : 1;
  const auto name = builder.CreateString(step.text("name"));
  return wire::CreateNamedRule(builder, name, builder.CreateVector(any_of), !step.has("soft"), weight,
                               static_cast<std::uint8_t>(step.number("operator")));
}

flatbuffers::Offset<wire::Operation> encode_step(Builder& builder, const SessionStep& step, wire::OperationKind kind) {
  const auto strings = [&](const std::vector<std::string>& all) {
    return all.empty() ? 0 : builder.CreateVectorOfStrings(all);
  };
  const auto doubles = [&](const char* name) { return step.has(name) ? builder.CreateVector(step.doubles(name)) : 0; };
  const auto app = builder.CreateString(step.text("app"));
  const auto node = builder.CreateString(step.text("node"));
  std::vector<std::uint32_t> at_most;
  for (const std::string& limit : step.halves("limits", true)) {
    at_most.push_back(static_cast<std::uint32_t>(std::strtoul(limit.c_str(), nullptr, 10)));
  }
  const auto demand = doubles("demand");
  const auto variance = doubles("variance");
  const auto support_min = doubles("support-min");
  const auto support_max = doubles("support-max");
  const auto tags = strings(split_cell(step.text("tags"), ','));
  const auto limit_app = strings(step.halves("limits", false));
  const auto limit_at_most = builder.CreateVector(at_most);
  const auto node_class = builder.CreateString(step.text("class"));
  const auto load = doubles("load");
  const auto load_variance = doubles("load-variance");
  const auto groups = strings(step.halves("sets", false));
  const auto sets = strings(step.halves("sets", true));
  const bool ruled = kind == wire::OperationKind::AddRule || kind == wire::OperationKind::RemoveRule;
  const auto rule = ruled ? encode_rule(builder, step) : 0;
  const auto peer = builder.CreateString(step.text("peer"));
  const double amount = step.has("amount") ? step.doubles("amount").front() : 0;
  return wire::CreateOperation(builder, kind, app, node, step.number("replicas"), demand,
                               static_cast<std::int32_t>(step.number("priority")), variance, support_min, support_max,
                               step.number("kind", 0xFFFFFFFF), tags, limit_app, limit_at_most, node_class, load, load_variance,
                               groups, sets, rule, 1, 0, 0, 0, peer, amount);
}

std::string outcome_of_commit(const stowage::Buffer& report) {
  const wire::Commit& commit = *wire::GetReport(report.data())->body_as_Commit();
  std::ostringstream text;
  text << (commit.committed() ? "committed" : "nothing") << " planned=" << commit.planned_version()
       << " version=" << commit.version() << " placed=" << commit.placed() << " moved=" << commit.moved()
       << " ended=" << commit.ended();
  for (const auto* name : *commit.opened()) text << " opened=" << name->str();
  for (const wire::Conflict* one : *commit.conflicts()) {
    text << ' ' << kebab(wire::EnumNameConflictKind(one->kind())) << ':' << (one->app() ? one->app()->str() : "") << ':'
         << (one->node() ? one->node()->str() : "") << ':' << one->wanted() << ':' << one->available();
  }
  return text.str();
}

class Sessions {
 public:
  std::string take(const SessionStep& step) {
    for (const wire::OperationKind kind : wire::EnumValuesOperationKind()) {
      if (kebab(wire::EnumNameOperationKind(kind)) == step.call()) {
        pending_.push_back(encode_step(*builder_, step, kind));
        return "-";
      }
    }
    try {
      return call(step);
    } catch (const stowage::Error& error) {
      return std::string(stowage_status_text(error.status())) + " " + error.path();
    }
  }

 private:
  std::string call(const SessionStep& step) {
    if (step.call() == "open") {
      std::string bytes = snapshot_;
      if (step.has("instance")) {
        std::ifstream stream(kFolder / "instances" / (step.text("instance") + ".stow"), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
      }
      session_.emplace(stowage::Session::open(bytes));
      return version();
    }
    if (step.call() == "apply") {
      const auto list = builder_->CreateVector(pending_);
      wire::FinishOperationsBuffer(*builder_, wire::CreateOperations(*builder_, 1, list));
      const flatbuffers::DetachedBuffer operations = builder_->Release();
      builder_.emplace();
      pending_.clear();
      session_->apply(operations);
      return version();
    }
    if (step.call() == "instance") return hex(session_->instance().fingerprint());
    if (step.call() == "plan") {
      Builder builder;
      const auto planner = builder.CreateString(step.text("planner"));
      wire::RequestBuilder request(builder);
      request.add_planner(planner);
      request.add_work_limit(step.number("work"));
      request.add_node_limit(step.number("nodes"));
      request.add_move_budget(step.number("moves"));
      request.add_all_or_nothing(step.number("whole") != 0);
      builder.Finish(request.Finish(), wire::RequestIdentifier());
      plan_ = session_->plan(builder.Release());
      return hex(hash_of(plan_));
    }
    if (step.call() == "commit") {
      const std::vector<std::string> modes = {"exact", "whole", "fitting"};
      const auto mode = std::find(modes.begin(), modes.end(), step.text("mode")) - modes.begin();
      return outcome_of_commit(session_->commit(plan_, static_cast<stowage_commit_mode>(mode)));
    }
    if (step.call() == "reject") {
      session_->reject(plan_);
      return version();
    }
    if (step.call() == "snapshot") {
      const stowage::Buffer snapshot = session_->snapshot();
      snapshot_.assign(snapshot.begin(), snapshot.end());
      return hex(hash_of(snapshot));
    }
    ADD_FAILURE() << "no such call: " << step.call();
    return "";
  }
  [[nodiscard]] std::string version() const { return "version " + std::to_string(session_->version()); }

  std::optional<stowage::Session> session_;
  stowage::Buffer plan_;
  std::string snapshot_;
  std::optional<Builder> builder_{std::in_place};
  std::vector<flatbuffers::Offset<wire::Operation>> pending_;
};

TEST(Conformance, EveryStepOfTheSessions) {
  Sessions sessions;
  std::vector<std::vector<std::string>> found;
  for (const auto& cells : table(kFolder / "session.tsv")) {
    const SessionStep step(cells);
    found.push_back({step.call(), sessions.take(step)});
  }
  if (std::getenv("STOWAGE_UPDATE_CONFORMANCE") != nullptr) {
    std::ofstream stream(kFolder / "session-expected.tsv");
    stream << "# Written by scripts/update-conformance.sh; README.md says what the outcomes are.\ncall\toutcome\n";
    for (const auto& row : found) stream << row[0] << '\t' << row[1] << '\n';
    GTEST_SKIP() << "session-expected.tsv is written, not compared";
  }
  EXPECT_EQ(found, table(kFolder / "session-expected.tsv"));
  EXPECT_GE(std::count_if(found.begin(), found.end(), [](const auto& row) { return row[0] == "snapshot"; }), 6);
}

}  // namespace
