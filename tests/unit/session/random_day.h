// A random day of a cluster: operations, plans, commits and reopened snapshots, compared with a slow reference model.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/session/session.h"
#include "tests/unit/session/reference_cluster.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

/// Failures are GoogleTest's, and end the day.
class RandomDay {
 public:
  RandomDay(std::uint64_t seed, bool uncertain) : random_(seed), uncertain_(uncertain), data_(cluster()), reference_(data_) {
    auto opened = Session::open(data_, Limits{}, nullptr);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    session_.emplace(std::move(*opened));
  }

  void run(int operations) {
    // Earlier failures of the process, in programs that go on after them, do not end this day.
    const bool failed = testing::Test::HasFailure();
    for (int done = 0; done < operations && (failed || !testing::Test::HasFailure());) {
      const std::uint32_t what = random_.below(100);
      if (what < 3) {
        plan();
      } else if (what < 6) {
        if (!made_.empty()) commit(random_.below(static_cast<std::uint32_t>(made_.size())));
      } else if (what == 6) {
        reopen();
      } else {
        std::vector<Operation> batch(1 + (random_.chance(0.1) ? random_.below(3) : 0));
        for (Operation& one : batch) one = operation();
        done += static_cast<int>(batch.size());
        const Error error = session_->apply(batch);
        const Code expected = reference_.apply(batch);
        ASSERT_EQ(static_cast<int>(error.code), static_cast<int>(expected))
            << "operation " << done << " of kind " << static_cast<int>(batch[0].kind) << ": " << error.path << " "
            << error.message;
        ++(error.code == Code::kOk ? accepted : refused);
        ASSERT_EQ(session_->version(), reference_.version);
      }
      // Not after every operation, because comparing the whole content takes longer than an operation.
      if (done % 16 == 0) compare(done);
    }
    compare(operations);
  }

  int accepted = 0;
  int refused = 0;
  int plans = 0;
  int reopened = 0;
  int as_planned = 0;
  int fitted = 0;
  int partly = 0;
  int conflicts = 0;
  std::uint64_t placed = 0;

 private:
  struct Made {
    Plan plan;
    ReferenceCluster::View view;
  };

  [[nodiscard]] InstanceData cluster() const {
    InstanceData data;
    data.name = "a day";
    data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
    data.periods = 2;
    data.classes = {
        {"small", {8, 16}, 0, 1, {}, {}}, {"large", {16, 32}, 4, 1.5, {"ssd"}, {}}, {"huge", {32, 48}, 2, 3, {}, {}}};
    data.groups.push_back({"rack", {}, {}, {}});
    if (uncertain_) data.has_uncertainty = true;
    return data;
  }

  void compare(int done) {
    const std::string difference = reference_.difference(session_->content());
    ASSERT_EQ(difference, "") << "after operation " << done;
  }

  std::string app_name() { return "app" + std::to_string(random_.below(24)); }
  /// Mostly the name of an existing node.
  std::string node_name() {
    if (reference_.nodes.empty() || random_.chance(0.05)) return "node" + std::to_string(random_.below(20));
    auto node = reference_.nodes.begin();
    std::advance(node, random_.below(static_cast<std::uint32_t>(reference_.nodes.size())));
    return node->first;
  }
  std::vector<double> amounts(std::uint32_t most) {
    std::vector<double> row(random_.chance(0.3) ? 4 : 2);
    for (double& value : row) value = 0.5 * random_.between(1, most);
    return row;
  }

  Operation operation() {
    Operation o;
    const std::uint32_t what = random_.below(110);
    if (what < 26) {
      o.kind = OperationKind::kSubmit;
      o.app = app_name();
      o.replicas = random_.below(7);
      o.demand = amounts(10);
      o.priority = static_cast<std::int32_t>(random_.below(3)) - 1;
      if (uncertain_) o.variance = {0.25 * random_.below(4), 0};
      if (random_.chance(0.3)) o.tags = {"tag" + std::to_string(random_.below(4)), "tag9"};
      for (std::uint32_t k = random_.below(4); k > 0; --k) {
        o.limit_app.push_back(random_.chance(0.2) ? o.app : app_name());
        o.limit_at_most.push_back(random_.below(4));
      }
    } else if (what < 46) {
      o.kind = OperationKind::kScale;
      o.app = app_name();
      o.replicas = random_.below(9);
    } else if (what < 64) {
      o.kind = OperationKind::kRemove;
      o.app = app_name();
    } else if (what < 69) {
      o.kind = OperationKind::kPin;
      o.app = app_name();
      o.node = node_name();
      o.replicas = random_.below(3);
    } else if (what < 75) {
      o.kind = OperationKind::kAddNode;
      o.node = "node" + std::to_string(random_.below(20));
      o.node_class = random_.chance(0.05) ? "none" : reference_.classes[random_.below(3)].name;
      if (random_.chance(0.3)) o.load = amounts(4);
      if (random_.chance(0.3)) o.tags = {"gpu"};
      if (random_.chance(0.5)) {
        o.groups = {random_.chance(0.05) ? "zone" : "rack"};
        o.sets = {"r" + std::to_string(random_.below(3))};
      }
    } else if (what < 83) {
      o.kind = OperationKind::kRemoveNode;
      o.node = node_name();
    } else if (what < 94) {
      constexpr OperationKind kStates[] = {OperationKind::kCordon, OperationKind::kUncordon, OperationKind::kUncordon,
                                           OperationKind::kDrain, OperationKind::kFail};
      o.kind = kStates[random_.below(5)];
      o.node = node_name();
    } else if (what < 99) {
      o.kind = OperationKind::kLoad;
      o.node = node_name();
      if (random_.chance(0.7)) o.load = amounts(12);
    } else if (what >= 100) {
      o.kind = OperationKind::kTraffic;
      o.app = app_name();
      o.peer = app_name();
      o.amount = random_.below(4);
    } else {
      // Adds or removes a rule. While there is one, nothing is planned, because the reference does not implement rules.
      o.kind = random_.chance(0.3) ? OperationKind::kAddRule : OperationKind::kRemoveRule;
      o.rule.name = "rule";
      NamedCardinality part;
      part.subject = {"tag1"};
      part.target = {"tag2"};
      part.group = "rack";
      o.rule.any_of = {{part}};
    }
    return o;
  }

  void plan() {
    if (!reference_.rules.empty()) return;
    Request request;
    const std::uint32_t which = random_.below(4);
    request.planner = which < 2 ? "auto" : which == 2 ? "ff" : "bfd-avg";
    if (which < 2) request.work_limit = 2'000;
    // The reference implements neither uncertain demand nor moves.
    request.ignore_running = random_.chance(0.1);
    const auto plan = session_->plan(request, nullptr);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    ++plans;
    made_.push_back({plan.value(), reference_.view()});
    if (made_.size() > 4) made_.pop_front();
    if (random_.chance(0.3)) commit(made_.size() - 1);
  }

  void commit(std::size_t which) {
    if (!reference_.rules.empty()) return;
    const Made made = made_[which];
    const bool present = made.view.version == reference_.version;
    const auto mode = static_cast<CommitMode>(random_.below(uncertain_ ? 1 : 3));
    const auto outcome = session_->commit(made.plan, mode);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    placed += outcome.value().placed;
    // If several versions had this content, the session takes the last of them.
    const std::uint64_t planned = outcome.value().planned_version;
    ASSERT_TRUE(planned == made.view.version || planned > made.view.version);
    if (planned == reference_.version) {
      ASSERT_TRUE(outcome.value().committed);
      ASSERT_EQ(reference_.commit_as_planned(reference_.view(), made.plan), outcome.value().opened);
      ++as_planned;
    } else if (mode == CommitMode::kExact) {
      ASSERT_FALSE(present || outcome.value().committed);
      ASSERT_EQ(outcome.value().conflicts.at(0).kind, ConflictKind::kVersion);
      ++conflicts;
    } else if (made.plan.moves > 0) {
      ASSERT_FALSE(outcome.value().committed);
      ASSERT_EQ(outcome.value().conflicts.at(0).kind, ConflictKind::kMoves);
    } else {
      const auto view = std::find_if(made_.begin(), made_.end(), [&](const Made& one) { return one.view.version == planned; });
      ASSERT_NE(view, made_.end());
      const auto expected = reference_.commit_what_fits(view->view, made.plan, mode == CommitMode::kWhole);
      std::set<std::string> left;
      for (const Conflict& conflict : outcome.value().conflicts) left.insert(conflict.app);
      ASSERT_EQ(outcome.value().committed, expected.committed) << told(outcome.value().conflicts);
      ASSERT_EQ(left, expected.left);
      ASSERT_EQ(outcome.value().opened, expected.opened);
      ++fitted;
      if (!left.empty() && outcome.value().committed) ++partly;
      conflicts += left.empty() ? 0 : 1;
    }
    compare(-1);
  }

  static std::string told(const std::vector<Conflict>& conflicts) {
    std::string text;
    for (const Conflict& c : conflicts) {
      text += std::to_string(static_cast<int>(c.kind)) + " " + c.app + " on " + c.node + ": " + std::to_string(c.wanted) +
              " of " + std::to_string(c.available) + "\n";
    }
    return text;
  }

  void reopen() {
    SessionContent content = session_->content();
    const auto before = Instance::build(session_->content().data);
    ASSERT_TRUE(before.ok()) << before.error().path << " " << before.error().message;
    const SessionExtra extra = content.extra;
    auto opened = Session::open(std::move(content.data), Limits{}, &extra);
    ASSERT_TRUE(opened.ok()) << opened.error().path << " " << opened.error().message;
    const auto after = opened->batch();
    ASSERT_TRUE(after.ok());
    ASSERT_EQ((*after.value()).fingerprint(), before.value().fingerprint());
    ++reopened;
    // The opened session does not remember the batches of the old one. Sometimes, the day goes on with the opened session.
    if (random_.chance(0.3)) {
      session_.emplace(std::move(*opened));
      made_.clear();
    }
    compare(-2);
  }

  Random random_;
  bool uncertain_;
  InstanceData data_;
  ReferenceCluster reference_;
  std::optional<Session> session_;
  std::deque<Made> made_;
};

}  // namespace stowage::test
