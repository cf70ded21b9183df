#include "core/planners/rules/future_batches.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace stowage {
namespace {

/// Weight of a successor's rule, as a share of the original rule's weight.
constexpr double kWeightOfSuccessors = 1e-6;

/// Estimated size of a part of a rule, in numbers: its texts and lists, without its apps and sets.
constexpr std::uint64_t kSizeOfPart = 40;

/// Appends a copy of an app's entries, `width` per app. Columns that the instance lacks stay empty.
template <class Value>
void copy_entries(std::vector<Value>& column, std::size_t width, AppId app) {
  if (column.empty()) return;
  for (std::size_t k = 0; k < width; ++k) column.push_back(Value(column[app * width + k]));
}

std::span<const std::uint32_t> row_of(const IndexRows& rows, std::uint32_t row) {
  return {rows.index.data() + rows.begin[row], rows.begin[row + 1] - rows.begin[row]};
}

class Successors {
 public:
  explicit Successors(const Instance& instance)
      : instance_(instance),
        data_(instance.data()),
        apps_(instance.apps()),
        tag_copies_(data_.tags.size()),
        copies_of_(data_.tags.size()) {
    // Labels of nodes and groups refer to tags by text, so tags and apps keep theirs.
    texts_.insert(instance.data().tags.begin(), instance.data().tags.end());
    texts_.insert(instance.data().app_names.begin(), instance.data().app_names.end());
    if (data_.app_names.empty()) {
      for (AppId app = 0; app < apps_; ++app) data_.app_names.push_back(std::to_string(app));
    }
    data_.app_tags = instance.app_tags();
  }

  void settle(const NodeContents& now, std::span<const AppId> batch) {
    data_.running.clear();
    for (AppId app = 0; app < apps_; ++app) {
      if (!std::binary_search(batch.begin(), batch.end(), app)) data_.replicas[app] = 0;
    }
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      for (const Tenant& tenant : now.at(node)) {
        if (std::binary_search(batch.begin(), batch.end(), tenant.app)) continue;
        data_.running.push_back({tenant.app, node, tenant.replicas});
        data_.replicas[tenant.app] += tenant.replicas;
      }
    }
  }

  void add(std::span<const AppId> application) {
    for (const std::uint32_t tag : copied_tags_) tag_copies_[tag] = {};
    copied_tags_.clear();
    const auto first = static_cast<AppId>(data_.replicas.size());
    for (const AppId app : application) copy_app(app);
    rules_.clear();
    for (const AppId app : application) {
      for (const TagModel::Role& role : instance_.tag_model().subject_of(app)) {
        rules_.push_back(instance_.tag_model().part(role.part).rule);
      }
    }
    std::sort(rules_.begin(), rules_.end());
    rules_.erase(std::unique(rules_.begin(), rules_.end()), rules_.end());
    for (const std::uint32_t rule : rules_) copy_rule(rule);
    for (const std::uint32_t tag : copied_tags_) copies_of_[tag].push_back(tag_copies_[tag].tag);
    copy_limits(application, first);
  }

  Result<Instance> build() {
    tag_nodes();
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> other;
    std::vector<std::uint32_t> at_most;
    const LimitRows& rows = instance_.limit_rows();
    if (rows.arc_count() + rows.self_limit_count() > 0) {
      begin.push_back(0);
      for (AppId app = 0; app < apps_; ++app) {
        for_each_limit(app, [&](AppId neighbour, std::uint32_t limit) {
          other.push_back(neighbour);
          at_most.push_back(limit);
        });
        begin.push_back(static_cast<std::uint32_t>(other.size()));
      }
      for (const std::vector<Limit>& limits : limits_) {
        for (const Limit& limit : limits) {
          other.push_back(limit.app);
          at_most.push_back(limit.at_most);
        }
        begin.push_back(static_cast<std::uint32_t>(other.size()));
      }
    }
    data_.limits = {begin, other, at_most};
    return Instance::build(std::move(data_), instance_.limits());
  }

 private:
  struct TagCopy {
    std::uint32_t tag = kNone;
    std::vector<AppId> carriers;  // apps of the current application
  };
  struct Limit {
    AppId app;
    std::uint32_t at_most;
  };

  void copy_app(AppId app) {
    const std::size_t width = data_.resources.size();
    const std::size_t cells = data_.demand.size() / data_.replicas.size();
    copy_entries(data_.demand, cells, app);
    copy_entries(data_.variance, width, app);
    copy_entries(data_.support_min, width, app);
    copy_entries(data_.support_max, width, app);
    copy_entries(data_.priority, 1, app);
    copy_entries(data_.kind, 1, app);
    data_.app_names.push_back(new_name());
    data_.replicas.push_back(instance_.replicas(app));
    for (const std::uint32_t tag : row_of(instance_.app_tags(), app)) data_.app_tags.index.push_back(copied_tag(tag, app));
    data_.app_tags.begin.push_back(static_cast<std::uint32_t>(data_.app_tags.index.size()));
  }
  // Returns a name that no app and no tag has.
  std::string new_name() {
    for (;;) {
      std::string name = "copy-" + std::to_string(next_name_++);
      if (!texts_.contains(name) && !texts_.contains(std::string(kAppTagPrefix) + name)) return name;
    }
  }
  std::uint32_t copied_tag(std::uint32_t tag, AppId app) {
    TagCopy& copy = tag_copies_[tag];
    if (copy.tag == kNone) {
      copied_tags_.push_back(tag);
      copy.tag = static_cast<std::uint32_t>(data_.tags.size());
      const bool names_application = data_.tags[tag].starts_with(kAppTagPrefix);
      data_.tags.push_back((names_application ? std::string(kAppTagPrefix) : "") + new_name());
    }
    copy.carriers.push_back(app);
    return copy.tag;
  }
  // Whether an app of the current application carries all of these tags.
  [[nodiscard]] bool are_carried(const std::vector<std::uint32_t>& tags) const {
    const std::vector<AppId>* rarest = nullptr;
    for (const std::uint32_t tag : tags) {
      const std::vector<AppId>& carriers = tag_copies_[tag].carriers;
      if (rarest == nullptr || carriers.size() < rarest->size()) rarest = &carriers;
    }
    const auto has_all = [&](AppId app) {
      const auto own = row_of(instance_.app_tags(), app);
      return std::all_of(tags.begin(), tags.end(),
                         [&](std::uint32_t tag) { return std::binary_search(own.begin(), own.end(), tag); });
    };
    return rarest != nullptr && std::any_of(rarest->begin(), rarest->end(), has_all);
  }
  void copy_rule(std::uint32_t number) {
    PlacementRule rule = instance_.data().rules[number];
    // Tags are renamed only where one app carries all of them: a target that shares a single tag with the application may be
    // another application's.
    const auto rename = [&](std::vector<std::uint32_t>& tags) {
      if (!are_carried(tags)) return;
      for (std::uint32_t& tag : tags) tag = tag_copies_[tag].tag;
    };
    for (auto& conjunction : rule.any_of) {
      for (Cardinality& part : conjunction) {
        rename(part.subject);
        rename(part.target);
      }
    }
    rule.weight *= kWeightOfSuccessors;
    data_.rules.push_back(std::move(rule));
  }
  // A node with a copied tag, or a label of that text, gets all copies of the tag: it counts as a target for the copies too.
  void tag_nodes() {
    IndexRows rows;
    rows.begin.push_back(0);
    const auto add_copies = [&](std::uint32_t tag) {
      rows.index.insert(rows.index.end(), copies_of_[tag].begin(), copies_of_[tag].end());
    };
    std::map<std::string_view, std::uint32_t> tags;  // by text
    for (std::uint32_t tag = 0; tag < copies_of_.size(); ++tag) tags.emplace(instance_.data().tags[tag], tag);
    const IndexRows& given = instance_.data().node_tags;
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      if (!given.empty()) {
        for (const std::uint32_t tag : row_of(given, node)) {
          rows.index.push_back(tag);
          add_copies(tag);
        }
      }
      for (const std::string& label : data_.classes[data_.node_class[node]].labels) {
        if (const auto at = tags.find(label); at != tags.end()) add_copies(at->second);
      }
      rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
    }
    data_.node_tags = std::move(rows);
  }
  template <class Visit>
  void for_each_limit(AppId app, Visit&& visit) const {
    const LimitRows& rows = instance_.limit_rows();
    bool passed = rows.self_limit(app) == kNone;
    const auto self = [&] {
      visit(app, rows.self_limit(app));
      passed = true;
    };
    for (std::uint32_t k = 0; k < rows.degree(app); ++k) {
      const Neighbour neighbour = rows.neighbour(app, k);
      if (!passed && neighbour.app > app) self();
      if (neighbour.imposes != kNone) visit(neighbour.app, neighbour.imposes);
    }
    if (!passed) self();
  }
  void copy_limits(std::span<const AppId> application, AppId first) {
    for (const AppId app : application) {
      std::vector<Limit>& limits = limits_.emplace_back();
      for_each_limit(app, [&](AppId neighbour, std::uint32_t limit) {
        const auto at = std::lower_bound(application.begin(), application.end(), neighbour);
        if (at == application.end() || *at != neighbour) return;
        limits.push_back({first + static_cast<AppId>(at - application.begin()), limit});
      });
    }
  }

  const Instance& instance_;
  InstanceData data_;
  AppId apps_;
  std::set<std::string_view> texts_;  // tags and names of apps
  std::uint64_t next_name_ = 0;
  std::vector<std::uint32_t> rules_;                   // that the current application is subject to
  std::vector<TagCopy> tag_copies_;                    // of the current application, by tag
  std::vector<std::uint32_t> copied_tags_;             // tags that the current application has copied
  std::vector<std::vector<std::uint32_t>> copies_of_;  // by tag: all of its copies
  std::vector<std::vector<Limit>> limits_;             // per copied app, ordered by the other app
};

}  // namespace

bool has_no_more_nodes(const Instance& instance) {
  const InstanceData& data = instance.data();
  std::vector<std::uint32_t> listed(instance.classes(), 0);
  for (const ClassId c : data.node_class) ++listed[c];
  for (ClassId c = 0; c < instance.classes(); ++c) {
    if (data.classes[c].count == 0 || data.classes[c].count != listed[c]) return false;
  }
  return true;
}

std::uint64_t size_with_successors(const Instance& instance, std::span<const std::vector<AppId>> successors,
                                   std::uint64_t most) {
  const InstanceData& data = instance.data();
  const TagModel& model = instance.tag_model();
  const LimitRows& limits = instance.limit_rows();
  const auto of_part = [&](std::uint32_t p) {
    const std::uint32_t group = model.part(p).group;
    return kSizeOfPart + (group == kNone ? 0 : model.sets(group));
  };
  std::uint64_t size = data.demand.size() + data.load.size() + data.tags.size() + data.node_class.size() +
                       data.node_tags.index.size() + instance.app_tags().index.size() + limits.arc_count();
  for (const NodeGroup& group : data.groups) size += group.sets.index.size();
  for (std::uint32_t p = 0; p < model.parts(); ++p) size += of_part(p);
  std::vector<std::uint64_t> targets(model.parts(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) {
    for (const TagModel::Role& role : model.target_of(app)) ++targets[role.part];
    size += model.popularity(app);
  }
  if (size > most || successors.empty()) return size;

  std::vector<std::uint64_t> nodes_with(data.tags.size(), 0);
  for (const std::uint32_t tag : data.node_tags.index) ++nodes_with[tag];
  // Nodes by label. The classes are finite, and all of their nodes are listed.
  std::map<std::string_view, std::uint32_t> labelled;
  for (const NodeClass& of : data.classes) {
    for (const std::string& label : of.labels) labelled[label] += of.count;
  }
  for (std::uint32_t tag = 0; tag < data.tags.size(); ++tag) {
    if (const auto at = labelled.find(data.tags[tag]); at != labelled.end()) nodes_with[tag] += at->second;
  }
  std::vector<std::uint32_t> as_subject;
  std::vector<std::uint32_t> as_target;
  for (const std::vector<AppId>& application : successors) {
    as_subject.clear();
    as_target.clear();
    for (const AppId app : application) {
      for (const TagModel::Role& role : model.subject_of(app)) as_subject.push_back(role.part);
      for (const TagModel::Role& role : model.target_of(app)) as_target.push_back(role.part);
      size += instance.dims() + limits.degree(app) + model.popularity(app);
      for (const std::uint32_t tag : row_of(instance.app_tags(), app)) size += 1 + nodes_with[tag];
    }
    std::sort(as_subject.begin(), as_subject.end());
    as_subject.erase(std::unique(as_subject.begin(), as_subject.end()), as_subject.end());
    std::sort(as_target.begin(), as_target.end());
    for (const std::uint32_t p : as_subject) {
      // A rule about other applications keeps all of its targets.
      const bool of_others = !std::binary_search(as_target.begin(), as_target.end(), p);
      size += of_part(p) + (of_others ? targets[p] : 0);
    }
    if (size > most) break;
  }
  return size;
}

std::vector<std::vector<AppId>> successors_that_fit(const Instance& instance, std::span<const std::vector<AppId>> applications,
                                                    std::vector<std::int64_t> left, std::size_t most) {
  std::vector<std::vector<AppId>> successors;
  while (successors.size() < most) {
    const std::vector<AppId>& next = applications[successors.size() % applications.size()];
    for (const AppId app : next) {
      instance.visit_unit([&](auto unit) {
        const auto demand = instance.scaled_demand<decltype(unit)>(app);
        for (std::uint32_t h = 0; h < instance.dims(); ++h) left[h] -= std::int64_t{demand[h]} * instance.replicas(app);
      });
    }
    if (std::any_of(left.begin(), left.end(), [](std::int64_t units) { return units < 0; })) break;
    successors.push_back(next);
  }
  return successors;
}

Result<Instance> with_successors(const Instance& instance, const NodeContents& now, std::span<const AppId> batch,
                                 std::span<const std::vector<AppId>> successors) {
  Successors copies(instance);
  copies.settle(now, batch);
  for (const std::vector<AppId>& application : successors) copies.add(application);
  return copies.build();
}

}  // namespace stowage
