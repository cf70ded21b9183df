#include "capi/cli/learn/interference/interference.h"

#include <algorithm>
#include <map>

#include "capi/cli/base/console.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"
#include "capi/text/base/table.h"

namespace stowage::cli::learn {
namespace {

/// Beyond some size, a condition number says no more than that columns are dependent.
std::string condition_text(double condition) { return condition < 1e9 ? for_people(condition, 1) : "infinite"; }

/// What makes the fits of all kinds impossible: a sentence per reason.
class Refusals {
 public:
  Refusals(const Observations& observations, const std::string& file, const FitOptions& options)
      : seen_(observations), file_(file), options_(options) {}

  /// Fails where there are too few observations of a kind to fit it.
  void check_counts() {
    const std::size_t needed = fitted_values(seen_.kinds.size(), options_.model);
    for (std::size_t t = 0; t < seen_.kinds.size(); ++t) {
      const std::size_t count = seen_.of[t].size();
      if (count == 0) {
        add("kind " + seen_.kinds[t] + " has a load, but no row observes it; add such rows, or leave out its load");
      } else if (count < needed) {
        add(counted(count, "observation") + " of kind " + seen_.kinds[t] + ", but " + counted(needed, "value") +
            " to fit; at least " + std::to_string(needed) + " are needed");
      }
    }
    throw_any();
  }

  /// Fails where one of the fits lacks something.
  void check_fits(const std::vector<KindFit>& fits) {
    std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> alike;  // the kinds that suffer, by the set
    for (std::size_t t = 0; t < fits.size(); ++t) {
      if (!fits[t].absent.empty()) {
        add("no observation of kind " + seen_.kinds[t] + " has a load of " + enumerated(names(fits[t].absent)) +
            "; observe them on one node");
      }
      for (const std::vector<std::uint32_t>& set : fits[t].inseparable) alike[set].push_back(t);
    }
    for (const auto& [set, suffering] : alike) add_alike(set, suffering, fits);
    throw_any();
  }

 private:
  /// The largest number of sentences in a message.
  static constexpr std::size_t kMostSentences = 20;

  void add(const std::string& sentence) { sentences_.push_back(file_ + ": " + sentence); }

  [[nodiscard]] std::vector<std::string> names(const std::vector<std::uint32_t>& columns) const {
    std::vector<std::string> names;
    names.reserve(columns.size());
    for (const std::uint32_t column : columns) {
      names.push_back(column == seen_.kinds.size() ? "the baseline" : seen_.kinds[column]);
    }
    return names;
  }

  void add_alike(const std::vector<std::uint32_t>& set, const std::vector<std::size_t>& suffering,
                 const std::vector<KindFit>& fits) {
    std::vector<std::string> kinds;
    double condition = 0;
    for (const std::size_t t : suffering) {
      kinds.push_back(seen_.kinds[t]);
      condition = std::max(condition, fits[t].condition);
    }
    const std::string why = " (observations of " + enumerated(kinds) + ": condition " + condition_text(condition) +
                            ", at most " + for_people(options_.max_condition, 1) + "); ";
    if (set.back() == seen_.kinds.size()) {
      const std::vector<std::string> constant = names({set.begin(), set.end() - 1});
      add("cannot tell the baseline from " + enumerated(constant, ", ") + why + "observe " + enumerated(constant) +
          " with other loads");
    } else {
      add(std::string("cannot tell these ") + (set.size() == 2 ? "two " : "") + "kinds apart: " + enumerated(names(set), ", ") +
          why + "vary their loads independently, or make them one kind");
    }
  }

  void throw_any() const {
    if (sentences_.empty()) return;
    std::vector<std::string> lines(
        sentences_.begin(), sentences_.begin() + static_cast<std::ptrdiff_t>(std::min(sentences_.size(), kMostSentences)));
    if (sentences_.size() > kMostSentences)
      lines.push_back("and " + std::to_string(sentences_.size() - kMostSentences) + " more");
    throw Failure(lines);
  }

  const Observations& seen_;
  const std::string& file_;
  const FitOptions& options_;
  std::vector<std::string> sentences_;
};

void warn(LearnedInterference& learned, const Observations& observations, const FitOptions& options) {
  const auto name = [&](std::uint32_t column) {
    return column == learned.kinds.size() ? std::string("the baseline") : learned.kinds[column];
  };
  for (std::size_t t = 0; t < learned.kinds.size(); ++t) {
    const KindFit& fit = learned.of[t];
    const std::string& kind = learned.kinds[t];
    if (fit.condition > kWarnedCondition) {
      learned.warnings.push_back({"condition", "observations of " + kind + " have the condition " +
                                                   condition_text(fit.condition) + ", above " + for_people(kWarnedCondition) +
                                                   ": small errors in them change the " + "coefficients much; the loads of " +
                                                   name(fit.most_alike.first) + " and " + name(fit.most_alike.second) +
                                                   " are most alike"});
    }
    if (observations.of[t].size() == fitted_values(learned.kinds.size(), options.model)) {
      learned.warnings.push_back({"no-freedom", "there are as many observations of " + kind +
                                                    " as values to fit, so that nothing is known of their errors"});
    }
    if (observations.without_own_load[t] > 0) {
      std::string text = counted(observations.without_own_load[t], "observation") + " of ";
      text.append(kind).append(" without a load of ").append(kind);
      learned.warnings.push_back({"own-load", text + ": loads must include that of the observed replica"});
    }
  }
}

}  // namespace

LearnedInterference learn_interference(const Observations& observations, const std::string& file, const FitOptions& options) {
  Refusals refusals(observations, file, options);
  refusals.check_counts();
  LearnedInterference learned;
  learned.kinds = observations.kinds;
  for (const KindObservations& of : observations.of) learned.of.push_back(fit_kind(of, learned.kinds.size(), options));
  refusals.check_fits(learned.of);
  warn(learned, observations, options);
  return learned;
}

std::vector<std::string> put_into(InstanceData& instance, const LearnedInterference& learned, const std::string& name) {
  if (!instance.interference || instance.apps.kind.empty()) {
    throw Failure(name +
                  ": its apps have no kinds; give each app a \"kind\", and the instance \"interference\" with the names of " +
                  "the kinds and any coefficients");
  }
  InterferenceData& table = *instance.interference;
  std::size_t count = 0;
  while (count * count < table.coefficient.size()) ++count;
  if (table.kinds.empty()) {
    if (count != learned.kinds.size()) {
      throw Failure(name + ": has " + counted(count, "kind") + " without names, but " + std::to_string(learned.kinds.size()) +
                    " were learned");
    }
    table.kinds = learned.kinds;
  }
  const NameIndex index(learned.kinds);
  std::vector<std::uint32_t> from;
  for (const std::string& kind : table.kinds) {
    from.push_back(index.find(kind));
    if (from.back() != kNone) continue;
    std::string text = name + ": its kind \"";
    text.append(kind).append("\" was not learned: there is no column load_").append(kind);
    throw Failure(text);
  }
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t u = 0; u < count; ++u) table.coefficient[t * count + u] = learned.of[from[t]].coefficient[from[u]].value;
  }
  std::vector<std::string> left_out;
  const NameIndex taken(table.kinds);
  for (const std::string& kind : learned.kinds) {
    if (taken.find(kind) == kNone) left_out.push_back(kind);
  }
  return left_out;
}

}  // namespace stowage::cli::learn
