#include "capi/cli/generate/cluster/cluster.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/base/random.h"
#include "capi/cli/generate/cluster/draft.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::cluster {
namespace {

constexpr std::uint32_t kZoneGroup = 0;
constexpr double kConfidence = 0.99;
constexpr std::size_t kResources = 3;

double amount(std::int64_t thousandths) { return static_cast<double>(thousandths) / 1000; }

/// The day of an app: a hump above a floor. All times and widths are shares of a day.
struct Day {
  double floor;
  double peak;
  double width;
};

/// Most apps have their peak in the afternoon, the others at night.
Day draw_day(Random& random) {
  constexpr double kAfternoonShare = 0.7;
  constexpr double kAfternoon = 0.6;
  constexpr double kNight = 0.1;
  constexpr double kScatter = 0.06;
  Day day{};
  day.floor = 0.2 + 0.4 * random.uniform();
  day.width = 0.25 + 0.2 * random.uniform();
  day.peak = random.uniform() < kAfternoonShare ? kAfternoon : kNight;
  day.peak += kScatter * random.nearly_normal();
  return day;
}

double height_at(const Day& day, double time) {
  double apart = time - day.peak;
  apart -= std::floor(apart + 0.5);  // to the nearest peak, of this day or another
  const double slope = apart / day.width;
  if (slope * slope >= 1) return day.floor;
  const double hump = (1 - slope * slope) * (1 - slope * slope);
  return day.floor + (1 - day.floor) * hump;
}

/// Writes a draft as an instance.
class Writer {
 public:
  explicit Writer(const Options& options) : options_(options), draft_(draw(options)) {}

  InstanceData write() {
    data_.resources = {{"cpu", "cores"}, {"memory", "GiB"}, {"pods", ""}};
    data_.periods = options_.periods;
    name_instance();
    write_classes();
    for (std::uint32_t app = 0; app < draft_.apps.size(); ++app) write_app(app);
    write_limits();
    write_rules();
    if (options_.deviation > 0) data_.uncertainty = UncertaintyData{wire::ChanceModel::Gaussian, kConfidence, 0};
    if (options_.running > 0) draw_running(options_, draft_, data_);
    return std::move(data_);
  }

 private:
  void name_instance() {
    const std::size_t types = node_types(options_).size();
    data_.name = counted(options_.apps, "app") + ", " + counted(types, "node type") + " in " + counted(options_.zones, "zone");
    const auto percent = [](double share) { return for_people(share * 100) + " %"; };
    const auto add = [&](bool on, const std::string& text) {
      if (on) data_.name += ", " + text;
    };
    add(options_.continuous, "continuous demand");
    add(options_.limits > 0, percent(options_.limits) + " at most one per node");
    add(options_.selectors > 0, percent(options_.selectors) + " with a selector");
    add(options_.spread == Spread::kHard, "spread hard");
    add(options_.spread == Spread::kSoft, "spread soft");
    add(options_.soft_apart > 0, percent(options_.soft_apart) + " softly apart");
    add(options_.periods > 1, std::to_string(options_.periods) + " periods");
    add(options_.deviation > 0, "deviation " + percent(options_.deviation));
    add(options_.exclusions > 0, counted(options_.exclusions, "exclusion") + " per app");
    add(options_.near > 0, percent(options_.near) + " near another");
    add(options_.gather > 0, percent(options_.gather) + " in one zone");
    add(options_.priorities > 1, std::to_string(options_.priorities) + " priorities");
    add(options_.running > 0, "running at " + for_people(options_.running) + " times the bound");
    add(true, "seed " + std::to_string(options_.seed));
  }

  /// Every type in every zone.
  void write_classes() {
    for (std::uint32_t zone = 0; zone < options_.zones; ++zone) {
      const std::string letter(1, static_cast<char>('a' + zone));
      for (const NodeType& type : node_types(options_)) {
        const Amounts capacity = capacity_of(type);
        NodeClassData one;
        one.name = std::string(type.name) + "-" + letter;
        one.capacity = {amount(capacity.cpu), amount(capacity.memory), amount(capacity.pods)};
        one.labels = {"zone=" + letter, type.arm ? "arch=arm" : "arch=x86"};
        if (!options_.one_class) one.price = type.price;
        data_.classes.push_back(std::move(one));
      }
    }
  }

  void write_app(std::uint32_t index) {
    const App& app = draft_.apps[index];
    AppsData& apps = data_.apps;
    apps.names.push_back("app-" + std::to_string(index + 1));
    apps.replicas.push_back(app.replicas);
    if (options_.priorities > 1) apps.priority.push_back(app.priority);
    write_cpu(index, app.demand.cpu);
    apps.demand.insert(apps.demand.end(), options_.periods, amount(app.demand.memory));
    apps.demand.insert(apps.demand.end(), options_.periods, amount(app.demand.pods));
    if (options_.deviation > 0) {
      const double deviation = options_.deviation * amount(app.demand.cpu);
      apps.variance.insert(apps.variance.end(), {deviation * deviation, 0, 0});
    }
    if (draft_.groups == 0) return;
    if (apps.tag_begin.empty()) apps.tag_begin.push_back(0);
    if (app.group != kNone) apps.tag_index.push_back(tag(group_tag(app.group)));
    apps.tag_begin.push_back(static_cast<std::uint32_t>(apps.tag_index.size()));
  }

  void write_cpu(std::uint32_t index, std::int64_t highest) {
    if (options_.periods == 1) {
      data_.apps.demand.push_back(amount(highest));
      return;
    }
    constexpr double kRipple = 0.05;
    Random random(options_.seed, kDrawProfiles, index);
    const Day day = draw_day(random);
    for (std::uint32_t period = 0; period < options_.periods; ++period) {
      const double height = height_at(day, (period + 0.5) / options_.periods) * (1 - kRipple * random.uniform());
      const double cpu = std::floor(static_cast<double>(highest) * height + 0.5);
      data_.apps.demand.push_back(amount(std::max<std::int64_t>(1, static_cast<std::int64_t>(cpu))));
    }
  }

  void write_limits() {
    if (options_.limits == 0 && draft_.excluded.empty()) return;
    AffinityLimitsData& limits = data_.limits;
    limits.row_begin.push_back(0);
    for (std::uint32_t app = 0; app < draft_.apps.size(); ++app) {
      if (draft_.apps[app].limited) add_limit(app, 1);
      if (!draft_.excluded.empty()) {
        for (const std::uint32_t other : draft_.excluded[app]) add_limit(other, 0);
      }
      limits.row_begin.push_back(static_cast<std::uint32_t>(limits.app.size()));
    }
  }

  void add_limit(std::uint32_t app, std::uint32_t at_most) {
    data_.limits.app.push_back(app);
    data_.limits.at_most.push_back(at_most);
  }

  void write_rules() {
    if (options_.spread != Spread::kNone || draft_.groups > 0) {
      data_.groups.emplace_back();
      data_.groups.back().name = "zone";
      data_.groups.back().by_label = "zone";
    }
    for (std::uint32_t index = 0; index < draft_.apps.size(); ++index) {
      const App& app = draft_.apps[index];
      if (app.selects) add_rule(index, "on x86", replicas({tag("arch=x86")}, 1, kNone), true);
      if (app.near != kNone) {
        add_rule(index, "beside " + data_.apps.names[app.near], replicas({own_tag(app.near)}, 1, kNone), true);
      }
      if (app.spreads) {
        CardinalityData even;
        even.kind = wire::CardinalityKind::Skew;
        even.max = 1;
        even.group = kZoneGroup;
        add_rule(index, "even over zones", std::move(even), options_.spread == Spread::kHard);
      }
      if (app.apart) add_rule(index, "apart", replicas({own_tag(index)}, 0, 0), false);
    }
    for (std::uint32_t group = 0; group < draft_.groups; ++group) {
      CardinalityData together;
      together.kind = wire::CardinalityKind::NodeSets;
      together.max = 1;
      together.group = kZoneGroup;
      together.subject = {tag(group_tag(group))};
      write_rule(group_tag(group) + ": in one zone", std::move(together), true);
    }
  }

  static CardinalityData replicas(std::vector<std::uint32_t> target, std::uint32_t min, std::uint32_t max) {
    CardinalityData part;
    part.target = std::move(target);
    part.min = min;
    part.max = max;
    return part;
  }

  void add_rule(std::uint32_t app, const std::string& what, CardinalityData part, bool hard) {
    part.subject = {own_tag(app)};
    write_rule(data_.apps.names[app] + ": " + what, std::move(part), hard);
  }

  void write_rule(std::string name, CardinalityData part, bool hard) {
    PlacementRuleData rule;
    rule.name = std::move(name);
    rule.any_of.emplace_back().push_back(std::move(part));
    rule.hard = hard;
    data_.rules.push_back(std::move(rule));
  }

  static std::string group_tag(std::uint32_t group) { return "group:" + std::to_string(group + 1); }

  /// The tag that an app has by itself.
  std::uint32_t own_tag(std::uint32_t app) { return tag("appID:" + data_.apps.names[app]); }

  std::uint32_t tag(const std::string& name) {
    const auto [at, fresh] = tags_.emplace(name, static_cast<std::uint32_t>(data_.tags.size()));
    if (fresh) data_.tags.push_back(name);
    return at->second;
  }

  const Options& options_;
  Draft draft_;
  InstanceData data_;
  std::unordered_map<std::string, std::uint32_t> tags_;
};

void add_feature(std::string_view word, const std::string& option, Options& options) {
  const bool all = word == "all";
  if (word == "none") return;
  if (word == "limits" || all) options.limits = kLimits;
  if (word == "selectors" || all) options.selectors = kSelectors;
  if (word == "spread-hard" || all) options.spread = Spread::kHard;
  if (word == "soft-apart" || all) options.soft_apart = kSoftApart;
  if (all || word == "limits" || word == "selectors" || word == "spread-hard" || word == "soft-apart") return;
  if (word == "spread-soft") {
    options.spread = Spread::kSoft;
  } else if (word == "continuous") {
    options.continuous = true;
  } else if (word == "periods") {
    options.periods = kPeriods;
  } else if (word == "uncertain") {
    options.deviation = kDeviation;
  } else if (word == "exclusions") {
    options.exclusions = kExclusions;
  } else if (word == "near") {
    options.near = kNear;
  } else if (word == "gather") {
    options.gather = kGather;
  } else if (word == "one-class") {
    options.one_class = true;
  } else {
    throw Failure(option + ": \"" + std::string(word) +
                  "\" is not a feature; use none, limits, selectors, spread-hard, spread-soft, soft-apart, all, continuous, "
                  "periods, uncertain, exclusions, near, gather or one-class");
  }
}

}  // namespace

void add_features(std::string_view words, const std::string& option, Options& options) {
  for (;;) {
    const std::size_t end = words.find('+');
    add_feature(words.substr(0, end), option, options);
    if (end == std::string_view::npos) return;
    words.remove_prefix(end + 1);
  }
}

InstanceData generate(const Options& options) { return Writer(options).write(); }

}  // namespace stowage::cli::cluster
