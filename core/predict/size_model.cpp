#include "core/predict/size_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/numbers/amounts.h"
#include "core/base/numbers/quantile.h"
#include "core/base/state_bytes.h"
#include "core/base/watched.h"
#include "core/predict/linear/elementary.h"
#include "core/predict/population.h"
#include "core/predict/posterior.h"
#include "core/predict/tables/profile_table.h"
#include "core/predict/tables/sample_bytes.h"

namespace stowage {
namespace {

constexpr std::uint64_t kSizeModelMagic = 0x0000'3130'4D57'5453;  // "STWM01"

// Where no configuration is safe yet, none costs this share of the costliest one: the more, the safer samples are taken first.
constexpr double kCostOfNone = 2;
// Where not even the lowest degree of collocation is safe, it counts as this share of it.
constexpr double kDegreeOfNone = 0.25;
// Samples with less to gain are not worth their time.
constexpr double kLeastGain = 1e-3;
/// Steps of a watch that it takes to find a word or a row's configuration.
constexpr std::uint64_t kStepsPerFeature = 64;
constexpr std::uint64_t kStepsPerQuestionRow = 128;

bool no_more(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](double left, double right) { return left <= right; });
}

}  // namespace

class SizeModel::Content {
 public:
  /// Of no use where the watch has ended.
  Content(Samples thinned, std::vector<SampledConfiguration> configurations, WatchRef watch)
      : profiles(std::move(thinned)), table(tabulated(profiles, std::move(configurations), watch)) {
    for (const SampleFeature& feature : table.features) {
      if (watch.step(kStepsPerFeature * feature.words.size())) return;
      std::vector<std::string> list = feature.words;
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      words.push_back(std::move(list));
      names.push_back(feature.name);
    }
    for (std::uint32_t c = 0; c < table.configurations.size(); ++c)
      if (c == 0 || table.configurations[c].amounts != table.configurations[c - 1].amounts) sizes.push_back(c);
    if (watch.ended()) return;
    populations.push_back(std::make_unique<Population>(table, words, std::vector<char>(table.features.size(), 1), watch));
    if (!table.features.empty() && !watch.ended())
      populations.push_back(std::make_unique<Population>(table, words, std::vector<char>(table.features.size(), 0), watch));
  }

  Samples profiles;
  ProfileTable table;
  WordLists words;
  std::vector<std::string> names;    ///< of features
  std::vector<std::uint32_t> sizes;  ///< the configuration of each size with the lowest degree of collocation
  std::vector<std::unique_ptr<Population>> populations;  ///< with all features, and with none
};

namespace {

using Content = SizeModel::Content;

/// Samples of new apps in terms of the model.
struct Question {
  std::vector<KnownFeatures> features;             ///< per app
  std::vector<std::vector<PlacedSample>> samples;  ///< per app
  std::vector<std::vector<double>> asked;          ///< per app; empty where unknown
};

std::string described(const Samples& samples, std::span<const double> amounts) {
  std::string text;
  for (std::size_t r = 0; r < amounts.size(); ++r) {
    std::string number = std::to_string(amounts[r]);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    text += (r > 0 ? ", " : "") + samples.resources[r] + "=" + number;
  }
  return text;
}

/// For each resource of the model, its index in the samples.
Result<std::vector<std::size_t>> match_resources(const Content& model, const Samples& samples) {
  std::vector<std::size_t> from;
  for (const std::string& name : model.table.resources) {
    const auto at = std::find(samples.resources.begin(), samples.resources.end(), name);
    if (at == samples.resources.end()) return invalid("resources", "The samples lack the model's resource \"" + name + "\".");
    from.push_back(static_cast<std::size_t>(at - samples.resources.begin()));
  }
  for (std::size_t r = 0; r < samples.resources.size(); ++r) {
    if (std::find(from.begin(), from.end(), r) == from.end())
      return invalid(indexed("resources", r), "The model does not know the resource \"" + samples.resources[r] + "\".");
  }
  return from;
}

Error read_features(const Content& model, const Samples& samples, Question& question, WatchRef watch) {
  const std::size_t count = model.names.size();
  const KnownFeatures unknown{std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()),
                              std::vector<std::uint32_t>(count, KnownFeatures::kUnknownWord)};
  question.features.reserve(samples.apps.size());
  while (question.features.size() < samples.apps.size()) {
    question.features.push_back(unknown);
    if (watch.step(kStepsPerQuestionRow + count)) return cancelled();
  }
  for (std::size_t k = 0; k < samples.features.size(); ++k) {
    const SampleFeature& feature = samples.features[k];
    const auto at = std::find(model.names.begin(), model.names.end(), feature.name);
    if (at == model.names.end())
      return invalid(indexed("features", k), "The model does not know the feature \"" + feature.name + "\".");
    const auto f = static_cast<std::size_t>(at - model.names.begin());
    const bool of_words = !model.table.features[f].words.empty();
    if (of_words != !feature.words.empty() && !samples.apps.empty()) {
      return invalid(indexed("features", k),
                     "The feature \"" + feature.name + "\" is of " + (of_words ? "words" : "numbers") + " in the model.");
    }
    const std::vector<std::string>& words = model.words[f];
    for (std::size_t app = 0; app < samples.apps.size(); ++app) {
      if (watch.step(of_words ? kStepsPerFeature : 1)) return cancelled();
      if (!of_words) {
        question.features[app].number[f] = feature.numbers[app];
        continue;
      }
      const auto word = std::lower_bound(words.begin(), words.end(), feature.words[app]);
      // A word that no profile has says nothing, like none.
      if (!feature.words[app].empty() && word != words.end() && *word == feature.words[app])
        question.features[app].word[f] = static_cast<std::uint32_t>(word - words.begin());
    }
  }
  return {};
}

Result<Question> read_question(const Content& model, const Samples& samples, const Goal& goal, WatchRef watch) {
  if (samples.measure != model.table.measure)
    return invalid("measure", "The samples are of another measure than the profiles.");
  Result<std::vector<std::size_t>> from = match_resources(model, samples);
  if (!from) return from.error();
  Question question;
  if (Error error = read_features(model, samples, question, watch); failed(error)) return error;
  const std::size_t resources = from->size();
  const auto permuted = [&](const std::vector<double>& all, std::size_t at) {
    std::vector<double> amounts;
    for (const std::size_t r : *from) amounts.push_back(all[at * resources + r]);
    return amounts;
  };
  question.samples.resize(samples.apps.size());
  question.asked.resize(samples.apps.size());
  for (std::size_t row = 0; row < samples.rows(); ++row) {
    const std::size_t c = model.table.find(permuted(samples.row_amounts, row), samples.row_collocation[row]);
    if (c == kNowhere) {
      return invalid(indexed("rows", row), "App \"" + samples.apps[samples.row_app[row]] + "\" has a sample with " +
                                               described(samples, {&samples.row_amounts[row * resources], resources}) +
                                               ", collocation=" + std::to_string(samples.row_collocation[row]) +
                                               ", which no profile has.");
    }
    std::vector<PlacedSample>& own = question.samples[samples.row_app[row]];
    if (watch.step(kStepsPerQuestionRow + own.size())) return cancelled();
    // Rows of one configuration have one value.
    if (std::none_of(own.begin(), own.end(), [&](const PlacedSample& sample) { return sample.configuration == c; })) {
      own.push_back(
          {c, to_scale(model.table.measure, samples.row_value[row]), steepness(model.table.measure, samples.row_value[row])});
    }
  }
  for (std::size_t app = 0; app < samples.apps.size(); ++app) {
    if (!samples.asked.empty() && !std::isnan(samples.asked[app * resources]))
      question.asked[app] = permuted(samples.asked, app);
    if (watch.step(kStepsPerQuestionRow + (goal.keep_asked ? 4 * model.sizes.size() : 0))) return cancelled();
    if (!goal.keep_asked) continue;
    const auto same = [&](std::uint32_t c) { return model.table.configurations[c].amounts == question.asked[app]; };
    if (std::none_of(model.sizes.begin(), model.sizes.end(), same)) {
      return invalid(indexed("asked", app * resources), "App \"" + samples.apps[app] + "\" asks for no size of the profiles.");
    }
  }
  return question;
}

Error check_goal(const Content& model, const Goal& goal) {
  const bool performance = model.table.measure == SampledMeasure::kPerformance;
  if (performance && !(goal.value > 0 && goal.value <= 1)) return invalid("goal", "A goal of performance lies in (0, 1].");
  if (!performance && !(goal.value >= 1e-12 && goal.value <= 1e12))
    return invalid("goal", "A goal of latency is above 0 and finite: from 1e-12 to 1e12 ms.");
  if (!(goal.confidence > 0 && goal.confidence < 1)) return invalid("confidence", "The confidence lies in (0, 1).");
  if (goal.cost.empty()) return {};
  if (goal.cost.size() != model.table.resources.size())
    return invalid("cost", "A cost is given for each resource, or for none.");
  if (Error error = check_amounts(goal.cost, "cost"); failed(error)) return error;
  if (*std::max_element(goal.cost.begin(), goal.cost.end()) <= 0) return invalid("cost", "Not all costs are 0.");
  return {};
}

/// Cost of a unit of each resource.
std::vector<double> unit_costs(const Content& model, const Goal& goal) {
  if (!goal.cost.empty()) return goal.cost;
  std::vector<double> most(model.table.resources.size(), 0.0);
  for (const SampledConfiguration& configuration : model.table.configurations)
    for (std::size_t r = 0; r < most.size(); ++r) most[r] = std::max(most[r], configuration.amounts[r]);
  for (double& one : most) one = 1 / one;
  return most;
}

double cost_of(std::span<const double> amounts, std::span<const double> unit) {
  double sum = 0;
  for (std::size_t r = 0; r < unit.size(); ++r) sum += amounts[r] * unit[r];
  return sum;
}

/// Answers for app after app. Where the watch has ended, what it gives is incomplete and nobody uses it.
class Advisor {
 public:
  Advisor(const Content& model, const Question& question, const Goal& goal, WatchRef watch)
      : model_(model),
        question_(question),
        goal_(goal),
        watch_(watch),
        unit_(unit_costs(model, goal)),
        place_(to_scale(model.table.measure, goal.value)) {
    for (const SampledConfiguration& configuration : model.table.configurations)
      cost_.push_back(cost_of(configuration.amounts, unit_));
    costliest_ = *std::max_element(cost_.begin(), cost_.end());
    for (std::size_t a = 0; a < model.sizes.size(); ++a) {
      for (std::size_t b = 0; b < model.sizes.size(); ++b)
        if (a != b && below(model.sizes[a], model.sizes[b])) below_.emplace_back(a, b);
    }
  }

  Recommendation recommend(std::size_t app);
  void curve(std::size_t app, std::span<CurvePoint> points);

 private:
  /// That `a` has no more of any resource, and no less collocation, than `b`.
  [[nodiscard]] bool below(std::uint32_t a, std::uint32_t b) const {
    const SampledConfiguration& left = model_.table.configurations[a];
    const SampledConfiguration& right = model_.table.configurations[b];
    return left.collocation >= right.collocation && no_more(left.amounts, right.amounts);
  }
  [[nodiscard]] bool sampled(std::size_t app, std::size_t configuration) const {
    const std::vector<PlacedSample>& own = question_.samples[app];
    return std::any_of(own.begin(), own.end(), [&](const PlacedSample& s) { return s.configuration == configuration; });
  }
  const Population& population_for(const KnownFeatures& features);
  void choose_size(std::size_t app, const Posterior& posterior, Recommendation& result);
  void choose_degree(std::size_t app, const Posterior& posterior, std::uint32_t size, Recommendation& result);
  void account(std::size_t app, Recommendation& result) const;

  const Content& model_;
  const Question& question_;
  const Goal& goal_;
  WatchRef watch_;
  std::vector<double> unit_;
  double place_;
  std::vector<double> cost_;  ///< per configuration
  double costliest_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> below_;  ///< sizes of which the first has no more of any resource
  std::vector<std::unique_ptr<Population>> more_;           ///< through other sets of features
};

const Population& Advisor::population_for(const KnownFeatures& features) {
  std::vector<char> uses;
  for (std::size_t f = 0; f < model_.names.size(); ++f) uses.push_back(features.knows(f) ? 1 : 0);
  for (const std::span<const std::unique_ptr<Population>> list :
       {std::span(model_.populations), std::span(std::as_const(more_))}) {
    for (const std::unique_ptr<Population>& population : list)
      if (population->uses() == uses) return *population;
  }
  more_.push_back(std::make_unique<Population>(model_.table, model_.words, std::move(uses), watch_));
  return *more_.back();
}

void Advisor::choose_size(std::size_t app, const Posterior& posterior, Recommendation& result) {
  const std::vector<std::uint32_t>& sizes = model_.sizes;
  std::vector<double> raw(sizes.size());
  posterior.probabilities(sizes, place_, raw);
  std::vector<double> probability = raw;
  for (const auto& [a, b] : below_) probability[b] = std::max(probability[b], raw[a]);
  std::size_t choice = sizes.size();
  std::size_t likeliest = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    // Of equal ones the last, which has no less: once it is sampled and falls short, nothing is left to try.
    if (probability[k] >= probability[likeliest]) likeliest = k;
    if (probability[k] >= goal_.confidence && (choice == sizes.size() || cost_[sizes[k]] < cost_[sizes[choice]])) choice = k;
  }
  const bool chosen = choice < sizes.size();
  result.probability = probability[chosen ? choice : likeliest];
  if (chosen) {
    result.choice = sizes[choice];
  } else {
    result.runner_up = sizes[likeliest];
  }
  const double current = chosen ? cost_[sizes[choice]] : kCostOfNone * costliest_;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (cost_[sizes[k]] >= current) continue;
    if (chosen && (!result.runner_up || probability[k] > result.runner_up_probability)) {
      result.runner_up = sizes[k];
      result.runner_up_probability = probability[k];
    }
    const double gain = probability[k] * (current - cost_[sizes[k]]) / costliest_;
    if (gain > std::max(result.next_saving, kLeastGain) && !sampled(app, sizes[k])) {
      result.next_sample = sizes[k];
      result.next_saving = gain;
    }
  }
  if (!chosen) result.runner_up_probability = result.probability;
}

/// The largest degree of collocation of a size that meets the goal. `size`: its configuration of the lowest degree.
void Advisor::choose_degree(std::size_t app, const Posterior& posterior, std::uint32_t size, Recommendation& result) {
  const std::vector<SampledConfiguration>& all = model_.table.configurations;
  std::vector<std::uint32_t> degrees;
  for (std::uint32_t c = size; c < all.size() && all[c].amounts == all[size].amounts; ++c) degrees.push_back(c);
  if (degrees.size() == 1 && result.choice) return;
  std::vector<double> probability(degrees.size());
  posterior.probabilities(degrees, place_, probability);
  for (std::size_t k = degrees.size() - 1; k-- > 0;) probability[k] = std::max(probability[k], probability[k + 1]);
  if (result.choice) probability[0] = std::max(probability[0], result.probability);
  std::size_t choice = degrees.size();
  for (std::size_t k = 0; k < degrees.size(); ++k)
    if (probability[k] >= goal_.confidence) choice = k;
  const bool chosen = choice < degrees.size();
  result.probability = probability[chosen ? choice : 0];
  if (chosen) {
    result.choice = degrees[choice];
  } else {
    result.runner_up = degrees[0];
    result.runner_up_probability = probability[0];
  }
  if (result.next_sample) return;
  // What is saved is nodes: n containers take n / degree of them.
  const double current = chosen ? all[degrees[choice]].collocation : kDegreeOfNone * all[degrees[0]].collocation;
  for (std::size_t k = 0; k < degrees.size(); ++k) {
    const double gain = probability[k] * (1 - current / all[degrees[k]].collocation);
    if (gain <= std::max(result.next_saving, kLeastGain) || sampled(app, degrees[k])) continue;
    result.next_sample = degrees[k];
    result.next_saving = gain;
  }
}

void Advisor::account(std::size_t app, Recommendation& result) const {
  const bool chosen = result.choice.has_value();
  // A guess from other apps is no reason to give up.
  const bool hopeless = !chosen && result.probability < 1 - goal_.confidence && sampled(app, *result.runner_up);
  result.reason = chosen     ? RecommendationReason::kMeetsGoal
                  : hopeless ? RecommendationReason::kGoalOutOfReach
                             : RecommendationReason::kNotEnoughEvidence;
  if (result.reason == RecommendationReason::kGoalOutOfReach) {
    result.next_sample.reset();
    result.next_saving = 0;
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& asked = question_.asked[app];
  result.cost = chosen ? cost_[*result.choice] : 0;
  result.saving_largest = chosen ? 1 - result.cost / costliest_ : kNone;
  const double cost_asked = asked.empty() ? 0 : cost_of(asked, unit_);
  result.saving_asked = chosen && cost_asked > 0 ? 1 - result.cost / cost_asked : kNone;
}

Recommendation Advisor::recommend(std::size_t app) {
  const Population& population = population_for(question_.features[app]);
  if (watch_.ended()) return {};
  const Prior prior = population.prior(question_.features[app]);
  const Posterior posterior(population, prior, question_.samples[app], watch_);
  if (watch_.ended()) return {};
  Recommendation result;
  result.app = static_cast<std::uint32_t>(app);
  result.samples = static_cast<std::uint32_t>(question_.samples[app].size());
  result.similar = static_cast<std::uint32_t>(std::lround(posterior.similar()));
  if (goal_.keep_asked) {
    const auto same = [&](std::uint32_t c) { return model_.table.configurations[c].amounts == question_.asked[app]; };
    choose_degree(app, posterior, *std::find_if(model_.sizes.begin(), model_.sizes.end(), same), result);
  } else {
    choose_size(app, posterior, result);
    if (result.choice) choose_degree(app, posterior, *result.choice, result);
  }
  account(app, result);
  return result;
}

void Advisor::curve(std::size_t app, std::span<CurvePoint> points) {
  const Population& population = population_for(question_.features[app]);
  if (watch_.ended()) return;
  const Prior prior = population.prior(question_.features[app]);
  const Posterior posterior(population, prior, question_.samples[app], watch_);
  if (watch_.ended()) return;
  const SampledMeasure measure = model_.table.measure;
  std::vector<double> raw(points.size());
  for (std::uint32_t c = 0; c < points.size(); ++c) {
    posterior.probabilities({&c, 1}, place_, {&raw[c], 1});
    if (watch_.ended()) return;
    const Posterior::Parts parts = posterior.parts(c);
    // Gauss and Hermite, three points.
    const double step = 1.7320508075688772 * parts.deviation;
    double low = parts.mean[0];
    double high = parts.mean[0];
    for (std::size_t k = 0; k < parts.mean.size(); ++k) {
      const double mean = parts.mean[k];
      low = std::min(low, mean);
      high = std::max(high, mean);
      points[c].mean += parts.weight[k] *
                        (4 * from_scale(measure, mean) + from_scale(measure, mean - step) + from_scale(measure, mean + step)) /
                        6;
    }
    const auto quantile = [&](double share) {
      double from = low - 4 * parts.deviation;
      double to = high + 4 * parts.deviation;
      for (int halving = 0; halving < 40 && !watch_.ended(); ++halving) {
        const double middle = (from + to) / 2;
        double above = 0;
        posterior.probabilities({&c, 1}, middle, {&above, 1});
        (1 - above < share ? from : to) = middle;
      }
      return from_scale(measure, (from + to) / 2);
    };
    points[c].low = quantile(0.05);
    points[c].high = quantile(0.95);
    if (points[c].low > points[c].high) std::swap(points[c].low, points[c].high);
  }
  for (std::uint32_t b = 0; b < points.size(); ++b) {
    for (std::uint32_t a = 0; a < points.size(); ++a)
      if (a == b || below(a, b)) points[b].probability = std::max(points[b].probability, raw[a]);
  }
}

Error check_question(const Content& model, const Samples& samples, const Goal& goal, WatchRef watch) {
  if (Error error = check_goal(model, goal); failed(error)) return error;
  return check_samples(samples, {}, watch);
}

}  // namespace

Result<SizeModel> SizeModel::learn(const Samples& profiles, const SampleLimits& limits, WatchRef watch) {
  if (Error error = check_samples(profiles, limits, watch); failed(error)) return error;
  if (profiles.rows() == 0) return invalid("rows", "There are no profiles to learn from.");
  Samples kept = thinned(profiles, watch);
  if (watch.look()) return cancelled();
  std::vector<SampledConfiguration> configurations = configurations_of(kept, watch);
  if (watch.look()) return cancelled();
  if (configurations.size() > limits.configurations) {
    return too_large("rows", "The profiles have " + std::to_string(configurations.size()) + " configurations, more than " +
                                 std::to_string(limits.configurations) + ".");
  }
  auto content = std::make_shared<const Content>(std::move(kept), std::move(configurations), watch);
  if (watch.ended()) return cancelled();
  return SizeModel(std::move(content));
}

Result<std::vector<Recommendation>> SizeModel::recommend(const Samples& samples, const Goal& goal, WatchRef watch) const {
  if (Error error = check_question(*content_, samples, goal, watch); failed(error)) return error;
  Result<Question> question = read_question(*content_, samples, goal, watch);
  if (!question) return question.error();
  Advisor advisor(*content_, *question, goal, watch);
  std::vector<Recommendation> result;
  for (std::size_t app = 0; app < samples.apps.size(); ++app) {
    if (watch.look()) return cancelled();
    result.push_back(advisor.recommend(app));
  }
  if (watch.ended()) return cancelled();
  return result;
}

Result<std::vector<CurvePoint>> SizeModel::curves(const Samples& samples, const Goal& goal, WatchRef watch) const {
  if (Error error = check_question(*content_, samples, goal, watch); failed(error)) return error;
  Result<Question> question = read_question(*content_, samples, goal, watch);
  if (!question) return question.error();
  Advisor advisor(*content_, *question, goal, watch);
  const std::size_t configurations = content_->table.configurations.size();
  std::vector<CurvePoint> points;
  watched_resize(points, samples.apps.size() * configurations, watch);
  for (std::size_t app = 0; app < samples.apps.size(); ++app) {
    if (watch.look()) return cancelled();
    advisor.curve(app, std::span(points).subspan(app * configurations, configurations));
  }
  if (watch.ended()) return cancelled();
  return points;
}

SampledMeasure SizeModel::measure() const { return content_->table.measure; }
std::span<const std::string> SizeModel::resources() const { return content_->table.resources; }
std::span<const SampledConfiguration> SizeModel::configurations() const { return content_->table.configurations; }
std::size_t SizeModel::apps() const { return content_->table.apps; }
std::span<const std::string> SizeModel::features() const { return content_->names; }
bool SizeModel::is_word(std::size_t feature) const { return !content_->table.features[feature].words.empty(); }

double SizeModel::cost(std::size_t configuration, const Goal& goal) const {
  return cost_of(content_->table.configurations[configuration].amounts, unit_costs(*content_, goal));
}

std::vector<std::uint8_t> SizeModel::bytes() const {
  StateWriter writer(kSizeModelMagic);
  write_samples(content_->profiles, writer);
  return std::move(writer).finish();
}

Result<SizeModel> SizeModel::from_bytes(std::span<const std::uint8_t> bytes, const SampleLimits& limits, WatchRef watch) {
  StateReader reader(bytes, kSizeModelMagic);
  const Samples samples = read_samples(reader, watch);
  if (watch.look()) return cancelled();
  if (Error error = reader.error("The model"); failed(error)) return error;
  return learn(samples, limits, watch);
}

}  // namespace stowage
