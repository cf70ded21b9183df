// The integer program, solved by HiGHS: against all placements of small clusters, and one formulation against the other.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "capi/highs/highs.h"
#include "capi/src/callers_solver.h"
#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/medea_cases.h"
#include "tests/unit/support/planning.h"

namespace stowage::test {
namespace {

stowage_solver highs_solver() {
  stowage_solver solver = STOWAGE_SOLVER_INIT;
  stowage_highs(&solver);
  return solver;
}

/// For the bound that needs no solver.
class FailingSolver final : public Solver {
 public:
  Answer solve(const Program& /*program*/, const SolverLimits& /*limits*/, const Control* /*control*/) override { return {}; }
};

Plan plan_by_highs(const Instance& instance, Request request, bool as_printed) {
  capi::CallersSolver solver(highs_solver(), nullptr);
  Control control;
  control.solver = &solver;
  request.options.push_back({"gap", 0, ""});
  request.options.push_back({"as-printed", as_printed ? 1.0 : 0.0, ""});
  return plan_by(instance, request, &control);
}

/// The largest score of any way to place what waits, or some of it.
class MedeaBruteForce {
 public:
  MedeaBruteForce(const Instance& instance, const Request& request) : instance_(instance), request_(request) {
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) nodes_.push_back({instance.data().node_class[n], n});
    held_.assign(nodes_.size(), std::vector<std::uint32_t>(instance.apps(), 0));
    for (const Residence& one : instance.data().running) held_[one.node][one.app] += one.replicas;
    std::vector<std::uint32_t> waiting = instance.data().replicas;
    for (const Residence& one : instance.data().running) waiting[one.app] -= one.replicas;
    for (AppId app = 0; app < instance.apps(); ++app) replicas_.insert(replicas_.end(), waiting[app], app);
  }
  double run() {
    place(0, 0);
    return best_;
  }

 private:
  // Replicas of an app are alike: each on the node of the one before, or a later one; behind all nodes, nowhere.
  void place(std::size_t k, std::size_t first) {
    if (k == replicas_.size()) return judge();
    const AppId app = replicas_[k];
    for (std::size_t n = first; n <= nodes_.size(); ++n) {
      if (n < nodes_.size()) ++held_[n][app];
      place(k + 1, k + 1 < replicas_.size() && replicas_[k + 1] == app ? n : 0);
      if (n < nodes_.size()) --held_[n][app];
    }
  }
  void judge() {
    Plan plan;
    std::vector<std::uint32_t> left = instance_.data().replicas;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      bool used = false;
      for (ResourceId r = 0; r < instance_.resources(); ++r) {
        double sum = 0;
        for (AppId app = 0; app < instance_.apps(); ++app) sum += held_[n][app] * instance_.demand(app, r, 0);
        if (sum > instance_.data().classes[nodes_[n].node_class].capacity[r]) return;
        used = used || sum > 0;
      }
      if (!used) continue;
      for (AppId app = 0; app < instance_.apps(); ++app) {
        left[app] -= held_[n][app];
        if (held_[n][app] > 0) plan.placed.push_back({app, static_cast<NodeId>(plan.nodes.size()), held_[n][app]});
      }
      plan.nodes.push_back(nodes_[n]);
    }
    if (request_.node_limit > 0 && plan.nodes.size() > request_.node_limit) return;
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (left[app] > 0) plan.unplaced.push_back({app, left[app]});
    }
    if (request_.all_or_nothing && !is_whole(plan)) return;
    plan.instance = instance_.fingerprint();
    plan.status = plan.unplaced.empty() ? PlanStatus::kComplete : PlanStatus::kPartial;
    const double score = score_of_medea(instance_, plan, request_);
    if (score <= best_) return;
    for (const Violation& one : check_plan(instance_, plan).violations) {
      if (!one.inherited && one.kind != ViolationKind::kFigures) return;
    }
    best_ = score;
  }
  // Of an application, everything that waits is placed, or nothing.
  bool is_whole(const Plan& plan) const {
    for (const Unplaced& one : plan.unplaced) {
      for (const Placed& placed : plan.placed) {
        if (instance_.application(placed.app) != instance_.application(one.app)) continue;
        std::uint32_t running = 0;
        for (const Residence& there : instance_.data().running) {
          if (there.app == placed.app && there.node == plan.nodes[placed.node].listed) running += there.replicas;
        }
        if (placed.replicas > running) return false;
      }
    }
    return true;
  }

  const Instance& instance_;
  const Request& request_;
  std::vector<PlannedNode> nodes_;
  std::vector<std::vector<std::uint32_t>> held_;
  std::vector<AppId> replicas_;
  double best_ = -1e9;
};

TEST(MedeaIlpByHighs, ReachesTheOptimumInBothFormulations) {
  int better_than_first = 0;
  for (std::uint64_t seed = 1; seed <= cases(60); ++seed) {
    SCOPED_TRACE(seed);
    const MedeaCase one = medea_case(seed);
    const Instance instance = one.builder.must_build();
    const double best = MedeaBruteForce(instance, one.request).run();
    FailingSolver failing;
    Control control;
    control.solver = &failing;
    const Plan unsolved = plan_by(instance, one.request, &control);
    EXPECT_GE(unsolved.score_bound, best - 1e-9);
    EXPECT_LE(unsolved.score, best + 1e-9);
    for (const bool as_printed : {false, true}) {
      SCOPED_TRACE(as_printed);
      const Plan plan = plan_by_highs(instance, one.request, as_printed);
      EXPECT_TRUE(check_plan(instance, plan).ok);
      EXPECT_NEAR(plan.score, score_of_medea(instance, plan, one.request), 1e-9);
      EXPECT_NEAR(plan.score, best, 1e-6);
      EXPECT_GE(plan.score_bound, best - 1e-6);
      EXPECT_GE(plan.score_gap, 0);
      EXPECT_LE(plan.score_gap, 1e-5);
      if (as_printed) continue;
      Request first = one.request;
      first.planner = "tag-search";
      first.options.clear();
      const double start = score_of_medea(instance, plan_by(instance, first), one.request);
      EXPECT_GE(plan.score, start - 1e-9);
      better_than_first += plan.score > start + 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GT(better_than_first, 0) << "the solver has found nothing that the first plan had not";
}

TEST(MedeaIlpByHighs, NodesThatAreAlikeDoNotMakeItLarger) {
  // Ten workers, five hundred nodes in racks of fifty, two workers a node at most, all in one rack.
  TaggedBuilder builder;
  builder.app("worker", 10, {"w"});
  builder.nodes(500, 8);
  std::vector<std::vector<std::uint32_t>> racks(10);
  for (std::uint32_t n = 0; n < 500; ++n) racks[n / 50].push_back(n);
  const std::uint32_t rack = builder.group("rack", racks);
  builder.soft(builder.replicas({"w"}, {"w"}, 9, kNone, rack));
  builder.soft(builder.replicas({"w"}, {"w"}, 0, 1));
  const Instance instance = builder.must_build();
  const Plan plan = plan_by_highs(instance, request_for("medea-ilp"), false);
  EXPECT_EQ(plan.rule_costs.violations, 0u);
  EXPECT_GE(plan.score_gap, 0);
  EXPECT_LE(plan.score_gap, 1e-6);
}

/// HiGHS at work on programs of a test, what it answers checked as a planner checks it.
Answer ask_highs(const Program& program, SolverLimits limits = {}) {
  return check_answer(program, capi::CallersSolver(highs_solver(), nullptr).solve(program, limits, nullptr));
}

TEST(HighsTest, SolvesSmallProgramsAsEnumerationDoes) {
  Random random(3);
  int feasible = 0;
  for (int round = 0; round < static_cast<int>(cases(200)); ++round) {
    Program program;
    const std::uint32_t columns = 2 + random.below(3);
    for (std::uint32_t c = 0; c < columns; ++c) {
      program.add_column(static_cast<double>(random.below(11)) - 5, 0, 1 + random.below(3), true);
    }
    for (std::uint32_t r = 1 + random.below(3); r > 0; --r) {
      std::vector<Program::Term> terms;
      for (std::uint32_t c = 0; c < columns; ++c) terms.push_back({c, static_cast<double>(random.below(7)) - 3});
      const double least = static_cast<double>(random.below(9)) - 4;
      program.add_row(random.below(3) == 0 ? -kInfinity : least, random.below(3) == 0 ? kInfinity : least + random.below(4),
                      terms);
    }
    std::optional<double> best;
    std::vector<double> values(columns, 0);
    const std::function<void(std::uint32_t)> walk = [&](std::uint32_t c) {
      if (c == columns) {
        const Answer answer = check_answer(program, {AnswerStatus::kFeasible, 0, -kInfinity, values, {}, 0});
        if (answer.status == AnswerStatus::kFeasible && (!best || answer.objective < *best)) best = answer.objective;
        return;
      }
      for (values[c] = 0; values[c] <= program.upper[c]; ++values[c]) walk(c + 1);
    };
    walk(0);
    const Answer answer = ask_highs(program);
    if (best) {
      ++feasible;
      ASSERT_EQ(answer.status, AnswerStatus::kOptimal);
      EXPECT_NEAR(answer.objective, *best, 1e-6);
      EXPECT_NEAR(answer.bound, *best, 1e-6);
    } else {
      EXPECT_EQ(answer.status, AnswerStatus::kInfeasible);
    }
  }
  EXPECT_GE(feasible, 60 / static_cast<int>(kShare));
}

TEST(HighsTest, LinearProgramsComeWithDuals) {
  // minimize x + 2 y subject to x + y >= 3, x <= 2: x = 2, y = 1; one more of the 3 costs 2.
  Program program;
  const std::uint32_t x = program.add_column(1, 0, 2, false);
  const std::uint32_t y = program.add_column(2, 0, kInfinity, false);
  program.add_row(3, kInfinity, std::vector<Program::Term>{{x, 1}, {y, 1}});
  const Answer answer = ask_highs(program);
  ASSERT_EQ(answer.status, AnswerStatus::kOptimal);
  EXPECT_NEAR(answer.objective, 4, 1e-9);
  ASSERT_EQ(answer.duals.size(), 1u);
  EXPECT_NEAR(answer.duals[0], 2, 1e-9);
}

TEST(HighsTest, SaysWhenThereIsNoEnd) {
  for (const bool whole : {false, true}) {
    Program program;
    const std::uint32_t x = program.add_column(-1, 0, kInfinity, whole);
    program.add_row(1, kInfinity, std::vector<Program::Term>{{x, 1}});
    EXPECT_EQ(ask_highs(program).status, AnswerStatus::kUnbounded);
  }
}

/// A market split program: few rows, no solution that is cheap to find.
Program hard_program() {
  Random random(9);
  Program program;
  for (int c = 0; c < 40; ++c) program.add_column(0, 0, 1, true);
  for (int r = 0; r < 5; ++r) {
    std::vector<Program::Term> terms;
    double sum = 0;
    for (std::uint32_t c = 0; c < 40; ++c) {
      terms.push_back({c, static_cast<double>(random.below(100))});
      sum += terms.back().factor;
    }
    const std::uint32_t over = program.add_column(1, 0, kInfinity, false);
    const std::uint32_t under = program.add_column(1, 0, kInfinity, false);
    terms.push_back({over, -1});
    terms.push_back({under, 1});
    program.add_row(std::floor(sum / 2), std::floor(sum / 2), terms);
  }
  return program;
}

TEST(HighsTest, EndsAtItsLimits) {
  SolverLimits limits;
  limits.seconds = 0.2;
  const Answer by_time = ask_highs(hard_program(), limits);
  EXPECT_TRUE(by_time.status == AnswerStatus::kFeasible || by_time.status == AnswerStatus::kUnsolved);
  limits = {};
  limits.nodes = 20;
  const Answer by_nodes = ask_highs(hard_program(), limits);
  EXPECT_TRUE(by_nodes.status == AnswerStatus::kFeasible || by_nodes.status == AnswerStatus::kUnsolved);
  EXPECT_LT(by_nodes.nodes, 1000u);
}

TEST(HighsTest, EndsWhenCancelled) {
  stowage_control* control = nullptr;
  ASSERT_EQ(stowage_control_new(&control, nullptr), STOWAGE_OK);
  stowage_control_cancel(control);
  const Answer answer = capi::CallersSolver(highs_solver(), control).solve(hard_program(), {}, nullptr);
  EXPECT_TRUE(answer.status == AnswerStatus::kFeasible || answer.status == AnswerStatus::kUnsolved);
  stowage_control_free(control);
}

}  // namespace
}  // namespace stowage::test
