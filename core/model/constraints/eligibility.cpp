#include "core/model/constraints/eligibility.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/watched.h"

namespace stowage {
namespace {

std::span<const std::uint32_t> tags_of_row(const IndexRows& rows, std::size_t row) {
  if (rows.begin.empty()) return {};
  return {rows.index.data() + rows.begin[row], rows.begin[row + 1] - rows.begin[row]};
}

std::vector<std::uint32_t> in_order(std::span<const std::uint32_t> tags) {
  std::vector<std::uint32_t> result(tags.begin(), tags.end());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Whether the app carries all of the tags.
bool app_carries(const IndexRows& app_tags, AppId app, std::span<const std::uint32_t> tags) {
  const auto own = tags_of_row(app_tags, app);
  return std::all_of(tags.begin(), tags.end(),
                     [&](std::uint32_t tag) { return std::binary_search(own.begin(), own.end(), tag); });
}

/// Separates the parts of a key.
constexpr std::uint32_t kEndOfPart = kNone;

// What is taken off the budget of memory.
/// A selector's condition asked of an app.
constexpr std::uint64_t kAskedBytes = 64;
/// An answer for a kind of nodes: a bit, for which tags are looked up.
constexpr std::uint64_t kAnswerBytes = 8;

}  // namespace

std::vector<std::uint8_t> find_selectors(const InstanceData& data, const std::vector<PlacementRule>& rules,
                                         const IndexRows& app_tags, WatchRef watch) {
  std::vector<std::vector<AppId>> carriers(rules.empty() ? 0 : data.tags.size());
  for (AppId app = 0; app < data.replicas.size() && !rules.empty(); ++app) {
    const auto tags = tags_of_row(app_tags, app);
    if (watch.step(4 + 4 * tags.size())) return {};
    for (const std::uint32_t tag : tags) carriers[tag].push_back(app);
  }
  const auto is_static = [&](const Cardinality& part) {
    // What is negated and always holds is an error, which TagModel reports.
    const bool never = part.negated && part.min == 0 && part.max == kNone;
    if (part.kind != CardinalityKind::kReplicas || part.group != kNone || never) return false;
    const auto rarest = *std::min_element(part.target.begin(), part.target.end(), [&](std::uint32_t a, std::uint32_t b) {
      return carriers[a].size() < carriers[b].size();
    });
    return std::none_of(carriers[rarest].begin(), carriers[rarest].end(),
                        [&](AppId app) { return watch.step(16) || app_carries(app_tags, app, part.target); });
  };
  std::vector<std::uint8_t> is_selector(rules.size(), 0);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const auto all_static = [&](const auto& parts) { return std::all_of(parts.begin(), parts.end(), is_static); };
    is_selector[r] = rules[r].hard && std::all_of(rules[r].any_of.begin(), rules[r].any_of.end(), all_static) ? 1 : 0;
  }
  return is_selector;
}

class Eligibility::Builder {
 public:
  Builder(const InstanceData& data, const Limits& limits, MemoryBudget& budget, const std::vector<PlacementRule>& rules,
          const std::vector<std::uint8_t>& is_selector, const IndexRows& app_tags, WatchRef watch)
      : data_(data),
        limits_(limits),
        budget_(budget),
        app_tags_(app_tags),
        watch_(watch),
        subject_to_(data.tags.size()),
        is_spoken_of_(data.tags.size(), 0) {
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
      if (is_selector[r] == 0) continue;
      read_selector(rules[r]);
      selectors_.push_back(r);
    }
  }

  Result<Eligibility> run() {
    Eligibility result;
    if (data_.app_only.index.empty() && data_.app_not.index.empty() && questions_.empty()) return result;
    speak_of(data_.app_only.index);
    speak_of(data_.app_not.index);
    if (watch_.ended()) return cancelled();
    if (Error e = take_asked(); failed(e)) return e;
    for (AppId app = 0; app < data_.replicas.size(); ++app) {
      if (watch_.step(64)) return cancelled();
      key_of_app_.push_back(keys_.try_emplace(key_of(app), static_cast<std::uint32_t>(keys_.size())).first->second);
    }
    find_kinds(result);
    if (watch_.ended()) return cancelled();
    result.classes_ = static_cast<std::uint32_t>(data_.classes.size());
    result.words_ = (tags_of_kind_.size() + 63) / 64;
    const std::uint64_t rows = keys_.size() + tests_.size() + needs_.size();
    if (rows * result.words_ * sizeof(std::uint64_t) > limits_.max_cells) {
      return too_large("apps.only_index",
                       "apps of different eligibility and nodes of different tags are more than max_cells allows together");
    }
    if (Error e = budget_.take(rows * tags_of_kind_.size(), kAnswerBytes, "apps.only_index"); failed(e)) return e;
    fill(result);
    if (watch_.ended()) return cancelled();
    return result;
  }

 private:
  using Row = std::vector<std::uint64_t>;  // a bit per kind
  /// `only` and `not` of an app, and the numbers of its needs.
  using Key = std::vector<std::uint32_t>;
  /// Tags of the target, ascending, and whether the condition holds where a node carries all of them, and where it does not.
  using Test = std::tuple<std::vector<std::uint32_t>, bool, bool>;
  /// What a selector asks for an app: one of these conjunctions, each of numbers of tests and kEndOfPart.
  using Need = std::vector<std::uint32_t>;
  /// A condition of a selector.
  struct Question {
    std::uint32_t selector;
    std::uint32_t conjunction;
    std::uint32_t test;
    const std::vector<std::uint32_t>* subject;
  };

  template <class What>
  static std::uint32_t number(std::map<What, std::uint32_t>& numbers, What what) {
    return numbers.try_emplace(std::move(what), static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  template <class What>
  static std::vector<const What*> in_order_of_number(const std::map<What, std::uint32_t>& numbers) {
    std::vector<const What*> list(numbers.size());
    for (const auto& [what, number] : numbers) list[number] = &what;
    return list;
  }

  void read_selector(const PlacementRule& rule) {
    for (std::uint32_t c = 0; c < rule.any_of.size(); ++c) {
      for (const Cardinality& part : rule.any_of[c]) {
        const bool with = (part.min <= 1 && part.max >= 1) != part.negated;
        const bool without = (part.min == 0) != part.negated;
        speak_of(part.target);
        subject_to_[part.subject.front()].push_back(static_cast<std::uint32_t>(questions_.size()));
        questions_.push_back({static_cast<std::uint32_t>(selectors_.size()), c,
                              number(tests_, Test{in_order(part.target), with, without}), &part.subject});
      }
    }
  }

  /// Takes off the budget what key_of() will ask of all apps.
  Error take_asked() {
    std::uint64_t asked = 0;
    for (const std::uint32_t tag : app_tags_.index) {
      if (watch_.step()) return cancelled();
      asked += subject_to_[tag].size();
    }
    return budget_.take(asked, kAskedBytes, "rules");
  }

  /// Incomplete where the watch ends it: nobody uses it then.
  Key key_of(AppId app) {
    Key key = in_order(tags_of_row(data_.app_only, app));
    key.push_back(kEndOfPart);
    const std::vector<std::uint32_t> refused = in_order(tags_of_row(data_.app_not, app));
    key.insert(key.end(), refused.begin(), refused.end());
    key.push_back(kEndOfPart);
    std::vector<std::uint32_t> asked;
    for (const std::uint32_t tag : tags_of_row(app_tags_, app)) {
      for (const std::uint32_t q : subject_to_[tag]) {
        if (watch_.step(16)) return key;
        if (app_carries(app_tags_, app, *questions_[q].subject)) asked.push_back(q);
      }
    }
    asked = in_order(asked);
    std::vector<std::uint32_t> needs;
    for (std::size_t k = 0; k < asked.size();) {
      Need need;
      const std::uint32_t selector = questions_[asked[k]].selector;
      for (std::uint32_t last = kNone; k < asked.size() && questions_[asked[k]].selector == selector; ++k) {
        const Question& question = questions_[asked[k]];
        if (last != kNone && question.conjunction != last) need.push_back(kEndOfPart);
        need.push_back(question.test);
        last = question.conjunction;
      }
      need.push_back(kEndOfPart);
      needs.push_back(number(needs_, std::move(need)));
    }
    needs = in_order(needs);
    key.insert(key.end(), needs.begin(), needs.end());
    return key;
  }
  void speak_of(std::span<const std::uint32_t> tags) {
    in_pieces(tags, watch_, [&](std::span<const std::uint32_t> piece) {
      for (const std::uint32_t tag : piece) is_spoken_of_[tag] = 1;
      return true;
    });
  }

  /// Incomplete where the watch ends it: nobody uses them then.
  void find_kinds(Eligibility& result) {
    std::map<std::string_view, std::uint32_t> named;
    for (std::uint32_t tag = 0; tag < data_.tags.size(); ++tag) {
      if (is_spoken_of_[tag] == 0) continue;
      if (watch_.step(64)) return;
      named.emplace(data_.tags[tag], tag);
    }
    for (ClassId c = 0; c < data_.classes.size(); ++c) {
      std::vector<std::uint32_t> tags;
      for (const std::string& label : data_.classes[c].labels) {
        if (watch_.step(32)) return;
        if (const auto tag = named.find(label); tag != named.end()) tags.push_back(tag->second);
      }
      tags_of_kind_.push_back(in_order(tags));
      class_of_kind_.push_back(c);
    }
    std::map<std::pair<ClassId, std::vector<std::uint32_t>>, std::uint32_t> known;
    result.kind_of_listed_.reserve(data_.node_class.size());
    std::vector<std::uint32_t> carried;
    for (NodeId listed = 0; listed < data_.node_class.size(); ++listed) {
      const ClassId c = data_.node_class[listed];
      const auto own = tags_of_row(data_.node_tags, listed);
      if (watch_.step(16 + own.size())) return;
      carried.clear();
      for (const std::uint32_t tag : own) {
        if (is_spoken_of_[tag] != 0) carried.push_back(tag);
      }
      std::vector<std::uint32_t> tags;
      if (!carried.empty()) {
        if (watch_.step(64)) return;
        carried.insert(carried.end(), tags_of_kind_[c].begin(), tags_of_kind_[c].end());
        tags = in_order(carried);
      }
      std::uint32_t kind = c;
      if (tags.size() > tags_of_kind_[c].size()) {
        const auto [at, fresh] = known.try_emplace({c, tags}, static_cast<std::uint32_t>(tags_of_kind_.size()));
        kind = at->second;
        if (fresh) {
          tags_of_kind_.push_back(std::move(tags));
          class_of_kind_.push_back(c);
        }
      }
      result.kind_of_listed_.push_back(kind);
    }
  }

  /// Incomplete where the watch ends it.
  template <class Holds>
  [[nodiscard]] Row row_of(const Holds& holds) const {
    Row row((tags_of_kind_.size() + 63) / 64, 0);
    for (std::uint32_t kind = 0; kind < tags_of_kind_.size(); ++kind) {
      if (watch_.step(8)) return row;
      if (holds(kind)) row[kind / 64] |= std::uint64_t{1} << (kind % 64);
    }
    return row;
  }
  [[nodiscard]] bool carries(std::uint32_t kind, std::uint32_t tag) const {
    return std::binary_search(tags_of_kind_[kind].begin(), tags_of_kind_[kind].end(), tag);
  }

  // Per need: the kinds on which it holds. Incomplete where the watch ends it.
  [[nodiscard]] std::vector<Row> rows_of_needs() const {
    std::vector<Row> of_test;
    for (const Test* test : in_order_of_number(tests_)) {
      if (watch_.ended()) return {};
      const auto& [target, with, without] = *test;
      of_test.push_back(row_of([&, with = with, without = without, &tags = target](std::uint32_t kind) {
        return std::all_of(tags.begin(), tags.end(), [&](std::uint32_t tag) { return carries(kind, tag); }) ? with : without;
      }));
    }
    std::vector<Row> of_need;
    for (const Need* need : in_order_of_number(needs_)) {
      Row any(of_test.front().size(), 0);
      Row all(any.size(), ~std::uint64_t{0});
      for (const std::uint32_t test : *need) {
        if (watch_.step(any.size())) return {};
        for (std::size_t w = 0; w < any.size(); ++w) {
          if (test == kEndOfPart) {
            any[w] |= all[w];
            all[w] = ~std::uint64_t{0};
          } else {
            all[w] &= of_test[test][w];
          }
        }
      }
      of_need.push_back(std::move(any));
    }
    return of_need;
  }

  [[nodiscard]] Row row_of_key(const Key& key, const std::vector<Row>& of_need) const {
    const auto end_of_only = std::find(key.begin(), key.end(), kEndOfPart);
    const auto end_of_not = std::find(end_of_only + 1, key.end(), kEndOfPart);
    Row row = row_of([&](std::uint32_t kind) {
      const auto has = [&](std::uint32_t tag) { return carries(kind, tag); };
      return std::all_of(key.begin(), end_of_only, has) && std::none_of(end_of_only + 1, end_of_not, has);
    });
    for (auto need = end_of_not + 1; need != key.end() && !watch_.step(row.size()); ++need) {
      for (std::size_t w = 0; w < row.size(); ++w) row[w] &= of_need[*need][w];
    }
    return row;
  }

  /// Incomplete where the watch ends it: nobody uses it then.
  void fill(Eligibility& result) {
    const std::vector<Row> of_need = rows_of_needs();
    const Row every = row_of([](std::uint32_t) { return true; });
    std::map<Row, std::uint32_t> groups;
    std::vector<std::uint32_t> group_of_key;
    bool any = false;
    for (const Key* key : in_order_of_number(keys_)) {
      if (watch_.step(16 + every.size())) return;
      Row row = row_of_key(*key, of_need);
      any = any || row != every;
      const std::size_t known = groups.size();
      group_of_key.push_back(number(groups, row));
      if (groups.size() > known) result.table_.insert(result.table_.end(), row.begin(), row.end());
    }
    if (!any) {
      result = {};
      return;
    }
    if (watch_.ended()) return;
    result.group_.reserve(key_of_app_.size());
    for (const std::uint32_t key : key_of_app_) {
      if (watch_.step()) return;
      result.group_.push_back(group_of_key[key]);
    }
    result.groups_ = static_cast<std::uint32_t>(groups.size());
    find_reach(result);
    result.selectors_ = std::move(selectors_);
    result.tags_of_kind_ = std::move(tags_of_kind_);
  }

  void find_reach(Eligibility& result) const {
    std::vector<std::uint64_t> listed_of(data_.classes.size(), 0);
    std::vector<std::uint8_t> exists(tags_of_kind_.size(), 0);
    for (NodeId listed = 0; listed < data_.node_class.size(); ++listed) {
      if (watch_.step(2)) return;
      ++listed_of[data_.node_class[listed]];
      exists[result.kind_of_listed_[listed]] = 1;
    }
    for (ClassId c = 0; c < data_.classes.size(); ++c) {
      if (data_.classes[c].count == 0 || data_.classes[c].count > listed_of[c]) exists[c] = 1;
    }
    result.reaches_.assign(std::size_t{result.groups_} * data_.classes.size(), 0);
    for (std::uint32_t group = 0; group < result.groups_ && !watch_.step(exists.size()); ++group) {
      for (std::uint32_t kind = 0; kind < exists.size(); ++kind) {
        const std::uint64_t bit = result.table_[std::size_t{group} * result.words_ + kind / 64] >> (kind % 64) & 1;
        if (bit != 0 && exists[kind] != 0)
          result.reaches_[std::size_t{group} * data_.classes.size() + class_of_kind_[kind]] = 1;
      }
    }
  }

  const InstanceData& data_;
  const Limits& limits_;
  MemoryBudget& budget_;
  const IndexRows& app_tags_;
  WatchRef watch_;
  std::vector<std::uint32_t> selectors_;
  std::vector<Question> questions_;
  std::vector<std::vector<std::uint32_t>> subject_to_;  // per tag: questions whose subject begins with it
  std::map<Test, std::uint32_t> tests_;
  std::map<Need, std::uint32_t> needs_;
  std::map<Key, std::uint32_t> keys_;
  std::vector<std::uint32_t> key_of_app_;
  std::vector<std::uint8_t> is_spoken_of_;                // per tag: whether some app asks for it
  std::vector<std::vector<std::uint32_t>> tags_of_kind_;  // those that are spoken of; ascending
  std::vector<ClassId> class_of_kind_;
};

Result<Eligibility> Eligibility::build(const InstanceData& data, const Limits& limits, MemoryBudget& budget,
                                       const std::vector<PlacementRule>& rules, const std::vector<std::uint8_t>& is_selector,
                                       const IndexRows& app_tags, WatchRef watch) {
  return Builder(data, limits, budget, rules, is_selector, app_tags, watch).run();
}

}  // namespace stowage
