#include "capi/lab/learning/simulator.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "capi/text/base/quantities.h"
#include "core/base/numbers/quantile.h"
#include "core/predict/linear/elementary.h"

namespace stowage::cli::profiles {
namespace {

enum Purpose : std::uint64_t { kDrawProfile = 701, kDrawNoise, kDrawConfigurations };

struct Range {
  double low;
  double high;
};

struct Family {
  const char* name;
  Range service_ms;
  Range serial;
  double most_coherence;
  double median_data;
  double data_deviation;
  Range skew;
  Range miss_penalty;
  double fixed_gib;
  Range network_ms;
  Range contention;
};

constexpr Family kFamilies[] = {
    {"cassandra", {.6, 1.5}, {.01, .06}, .001, 8, .7, {.5, .85}, {2, 6}, 1, {.3, 1}, {.3, 1}},
    {"hbase", {.8, 2}, {.02, .08}, .0015, 10, .7, {.4, .8}, {3, 8}, 1.5, {.5, 2}, {.3, 1.2}},
    {"memcached", {.05, .15}, {.03, .15}, .003, 5, .8, {.6, .95}, {10, 40}, .1, {.05, .2}, {.5, 2}},
    {"apache", {1, 4}, {.005, .03}, .0003, 1, .7, {.6, .95}, {1, 4}, .3, {.1, .5}, {.1, .6}},
};

/// base^exponent for a base of at least 0.
double power(double base, double exponent) { return base > 0 ? natural_exp(exponent * natural_log(base)) : 0; }

double uniform(Random& random, const Range& range) { return range.low + (range.high - range.low) * random.uniform(); }
double log_uniform(Random& random, const Range& range) {
  return natural_exp(uniform(random, {natural_log(range.low), natural_log(range.high)}));
}

/// Universal scalability law (Gunther, 1993).
double speed_up(const App& app, double cores) {
  return cores / (1 + app.serial * (cores - 1) + app.coherence * cores * (cores - 1));
}

/// S: misses of a cache of what the memory holds make a request longer, and so do neighbours.
double service_time(const App& app, double memory, double slow) {
  const double cached = std::max(memory - app.fixed_gib, 0.05 * memory);
  const double hits = std::min(1.0, power(cached / app.data_gib, 1 - app.skew));
  return app.service_ms * (1 + app.miss_penalty * (1 - hits)) * slow;
}

/// 99th percentile of the time in service and queue, as of a queue with u servers.
double queue_ms(const App& app, double cores, double memory, double slow) {
  const double service = service_time(app, memory, slow);
  const double u = speed_up(app, cores);
  const double rho = app.load * service / u;
  const double busy = std::min(rho, 0.95);
  const double waits = std::min(1.0, power(busy, std::sqrt(2 * (u + 1)) - 1));
  const double waiting = service / u * natural_log(std::max(1.0, 100 * waits)) / (1 - busy);
  return (4.6 * service + waiting) * (1 + 20 * std::max(0.0, rho - 0.95));
}

constexpr Range kLoadShare = {.15, 2};

/// The load at which 4 cores and 8 GiB are busy all the time.
double full_load(const App& app) { return speed_up(app, 4) / service_time(app, 8, 1); }

/// Everything but the load.
App draw_of(const Family& family, Random& random) {
  return {.family = family.name,
          .service_ms = log_uniform(random, family.service_ms),
          .serial = uniform(random, family.serial),
          .coherence = family.most_coherence * random.uniform(),
          .data_gib = family.median_data * natural_exp(family.data_deviation * random.nearly_normal()),
          .skew = uniform(random, family.skew),
          .miss_penalty = uniform(random, family.miss_penalty),
          .fixed_gib = family.fixed_gib,
          .network_ms = uniform(random, family.network_ms),
          .contention = uniform(random, family.contention),
          .contention_exp = uniform(random, {1, 2}),
          .load = 0};
}

/// With four significant digits, so that decimal text holds the value.
double rounded(double value) {
  if (value <= 0) return 0;
  double unit = 1e-12;
  while (value / unit >= 10000) unit *= 10;
  const double digits = std::floor(value / unit + 0.5);
  return unit < 1 ? digits / std::floor(1 / unit + 0.5) : digits * unit;
}

}  // namespace

App draw_app(std::uint64_t seed, std::uint32_t index) {
  Random random(seed, kDrawProfile, index);
  App app = draw_of(kFamilies[random.below(std::size(kFamilies))], random);
  app.load = full_load(app) * log_uniform(random, kLoadShare);
  return app;
}

std::optional<App> draw_alike(const App& app, Random& random) {
  const Family& family =
      *std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const Family& one) { return app.family == one.name; });
  App alike = draw_of(family, random);
  alike.load = app.load;
  alike.data_gib = app.data_gib;
  // The load is log-uniform in a range, and as probable at every place in it.
  const double share = alike.load / full_load(alike);
  if (share < kLoadShare.low || share > kLoadShare.high) return std::nullopt;
  return alike;
}

double latency_ms(const App& app, double cores, double memory) { return queue_ms(app, cores, memory, 1) + app.network_ms; }

double latency_ms(const App& app, double cores, double memory, std::uint32_t degree) {
  const double neighbours = static_cast<double>(degree - 1);
  const double slow = 1 + app.contention * power(std::min(cores * neighbours / 32, 8.0), app.contention_exp);
  return queue_ms(app, cores, memory, slow) + 3 * app.network_ms * (1 - neighbours / 15);
}

std::vector<Measurement> measure(const App& app, const Options& options, std::uint32_t index) {
  std::vector<Measurement> all;
  for (const double cores : kCores) {
    for (const double memory : kMemory) {
      if (!options.degrees) all.push_back({cores, memory, 1, 0, latency_ms(app, cores, memory)});
      for (const std::uint32_t degree : kDegrees)
        if (options.degrees) all.push_back({cores, memory, degree, 0, latency_ms(app, cores, memory, degree)});
    }
  }
  if (!options.latency) {
    double least = all.front().exact;
    for (const Measurement& one : all) least = std::min(least, one.exact);
    for (Measurement& one : all) one.exact = least / one.exact;
  }
  Random random(options.seed, kDrawNoise, index);
  for (Measurement& one : all) {
    one.measured = one.exact * (1 + kNoise * random.nearly_normal());
    one.measured = rounded(options.latency ? one.measured : std::clamp(one.measured, 0.0, 1.0));
  }
  return all;
}

std::string csv(const Options& options) {
  std::string text = options.features ? "app,x_family,x_load,x_data,cpu,memory,collocation," : "app,cpu,memory,collocation,";
  text += options.latency ? "latency_ms\n" : "performance\n";
  for (std::uint32_t index = 0; index < options.apps; ++index) {
    const App app = draw_app(options.seed, index);
    std::vector<Measurement> all = measure(app, options, index);
    if (options.samples > 0 && options.samples < all.size()) {
      Random random(options.seed, kDrawConfigurations, index);
      draw_first(random, all, options.samples);
      all.resize(options.samples);
    }
    std::string head = "app-" + std::to_string(index + 1) + ",";
    if (options.features) head += app.family + "," + shortest(rounded(app.load)) + "," + shortest(rounded(app.data_gib)) + ",";
    for (const Measurement& one : all) {
      text += head + shortest(one.cores) + "," + shortest(one.memory) + "," + std::to_string(one.degree) + "," +
              shortest(one.measured) + "\n";
    }
  }
  return text;
}

}  // namespace stowage::cli::profiles
