#include "capi/lab/usage/histories.h"

#include <algorithm>

#include "capi/cli/learn/demand.h"

namespace stowage::cli::lab::usage {
namespace {

constexpr double kCycle = 86'400;
/// Below this share, a node that is asked for more than it has is a matter of rounding.
constexpr double kRoundingShare = 1e-9;

learn::SizeTexts texts_of(const Policy& policy) {
  learn::SizeTexts texts;
  texts.percentile.given = policy.percentile;
  texts.half_life.given = policy.half_life;
  texts.peaks.given = policy.peaks;
  texts.margin.given = policy.margin;
  if (policy.confidence > 0) texts.uncertain = "all";
  return texts;
}

InstanceData bare_instance(const Histories& histories) {
  InstanceData data;
  data.resources = {{"cpu", "cores"}, {"memory", "GiB"}};
  data.classes.push_back({"node", {histories.capacity[kCpu], histories.capacity[kMemory]}, 0, -1, {}});
  data.apps.names = histories.apps;
  data.apps.replicas = histories.replicas;
  data.apps.demand.assign(histories.apps.size() * kUsageResources, 0);
  return data;
}

std::size_t period_at(const Histories& histories, std::size_t time, std::uint32_t periods) {
  const double day = static_cast<double>(time) * histories.step / kCycle;
  const double share = day - static_cast<double>(static_cast<std::int64_t>(day));
  return std::min<std::size_t>(static_cast<std::size_t>(share * periods), periods - 1);
}

/// How demand held per replica.
void judge_replicas(const Histories& histories, const Split& split, const learn::LearnedDemand& learned, Verdict& verdict) {
  double samples = 0;
  for (std::size_t a = 0; a < histories.apps.size(); ++a) {
    const std::size_t first = histories.first_series(a);
    for (std::uint32_t k = 0; k < histories.replicas[a]; ++k) {
      for (std::size_t t = 0; t < histories.times; ++t) {
        if (!split.judge(t)) continue;
        const double* usage = histories.at(first + (histories.shared ? 0 : k), t);
        samples += 1;
        for (std::size_t r = 0; r < kUsageResources; ++r) {
          const double demand = learned.apps[a].demand[r][period_at(histories, t, learned.periods)];
          if (usage[r] > demand) verdict.exceeded[r] += 1;
          if (usage[r] < demand) verdict.slack[r] += (demand - usage[r]) / demand;
        }
      }
    }
  }
  for (std::size_t r = 0; r < kUsageResources; ++r) {
    verdict.slack[r] /= samples;
    verdict.exceeded[r] /= samples;
  }
}

/// How often a node of the plan is asked for more than it has.
void judge_nodes(const Histories& histories, const Split& split, const wire::Plan& plan, Verdict& verdict) {
  verdict.nodes = plan.node_class()->size();
  for (const wire::Unplaced* one : *plan.unplaced()) verdict.unplaced += one->replicas();
  // The series of each placed replica, by node: replicas of an app are taken in order.
  std::vector<std::vector<std::size_t>> series(verdict.nodes);
  std::vector<std::uint32_t> taken(histories.apps.size(), 0);
  for (const wire::Placed* placed : *plan.placed()) {
    const std::size_t first = histories.first_series(placed->app());
    for (std::uint32_t k = 0; k < placed->replicas(); ++k) {
      series[placed->node()].push_back(first + (histories.shared ? 0 : taken[placed->app()]++));
    }
  }
  double samples = 0;
  for (const std::vector<std::size_t>& node : series) {
    for (std::size_t t = 0; t < histories.times; ++t) {
      if (!split.judge(t)) continue;
      samples += 1;
      std::array<double, kUsageResources> sum{};
      for (const std::size_t one : node) {
        for (std::size_t r = 0; r < kUsageResources; ++r) sum[r] += histories.at(one, t)[r];
      }
      for (std::size_t r = 0; r < kUsageResources; ++r) {
        if (sum[r] > histories.capacity[r] * (1 + kRoundingShare)) verdict.over[r] += 1;
      }
    }
  }
  for (double& share : verdict.over) share /= std::max(samples, 1.0);
}

}  // namespace

std::vector<Policy> policies(std::uint32_t periods) {
  std::vector<Policy> list;
  for (const char* percentile : {"100%", "99%", "98%", "95%", "90%", "80%", "70%", "60%", "50%"}) {
    list.push_back({std::string("percentile ") + percentile, percentile});
  }
  list.push_back({"defaults of stowage size", "95%,memory=98%", "12h,memory=48h", "none", "15%"});
  list.push_back({"90 % of daily peaks", "90%", "24h", "24h", "15%"});
  const std::string over = std::to_string(periods) + " periods, ";
  for (const char* percentile : {"100%", "99%", "98%", "95%", "90%", "80%", "70%", "60%"}) {
    list.push_back({over + percentile, percentile, "none", "none", "0", periods});
  }
  for (const double confidence : {0.9999, 0.999, 0.99, 0.95, 0.9}) {
    const std::string share = std::to_string(confidence * 100)
                                  .substr(0, confidence > 0.999  ? 5
                                             : confidence > 0.99 ? 4
                                                                 : 2) +
                              " %";
    list.push_back({"mean, variance at " + share, "95%", "none", "none", "0", 1, confidence});
    list.push_back(
        {std::string(over).append("mean, variance at ").append(share), "95%", "none", "none", "0", periods, confidence});
  }
  return list;
}

Verdict judge_policy(const Histories& histories, const Split& split, const Policy& policy, const RequestOptions& request,
                     const Console& console) {
  const learn::UsageTable table = samples_of(histories, split.learn);
  const auto rules = learn::size_rules(texts_of(policy), table.resources);
  const Buffer answer = size(learn::encode_usage(table, rules, policy.periods, kCycle));
  const auto confidence = policy.confidence > 0 ? std::optional(policy.confidence) : std::nullopt;
  const learn::LearnedDemand learned = learn::learned_demand(*wire::GetLearning(answer.data())->body_as_Sizes(), confidence);
  Verdict verdict;
  judge_replicas(histories, split, learned, verdict);
  InstanceData data = bare_instance(histories);
  learn::put_into(data, learned, histories.name);
  InstanceBytes bytes(encode_instance(std::move(data)));
  Instance instance = load_bytes(bytes, histories.name);
  const Workload workload{histories.name, std::move(bytes), std::move(instance)};
  const PlanRun run = run_plan(workload, request, console);
  judge_nodes(histories, split, run.root(), verdict);
  return verdict;
}

}  // namespace stowage::cli::lab::usage
