#include <algorithm>
#include <cstdint>
#include <span>

#include "capi/src/codec.h"
#include "capi/src/wire_writer.h"
#include "core/base/watched.h"
#include "instance_generated.h"
#include "report_generated.h"

namespace stowage::capi {
namespace {

/// Leaves out empty columns, so that decoding returns the same content.
class InstanceEncoder {
 public:
  /// @param limits in place of those of the data
  /// @param extra  the further fields of a snapshot, or null
  InstanceEncoder(const InstanceData& data, const LimitColumns& limits, const SessionExtra* extra, WatchRef watch)
      : data_(data), limits_(limits), extra_(extra), watch_(watch), most_bytes_(count_bytes()), builder_(first_bytes()) {}

  /// Upper bound on the size of the buffer, in bytes.
  [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

  /// Errors: kCancelled.
  Result<stowage_buffer> run() {
    finish();
    if (watch_.look()) return cancelled();
    return release(builder_);
  }

 private:
  /// Bytes of the builder's first buffer: it does not grow, which would copy it.
  [[nodiscard]] std::size_t first_bytes() const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(most_bytes_, FLATBUFFERS_MAX_BUFFER_SIZE));
  }

  [[nodiscard]] std::uint64_t count_bytes() const {
    std::uint64_t bytes = 1024;
    const auto column = [&bytes](const auto& values) { bytes += 16 + values.size() * sizeof(values[0]); };
    const auto text = [&bytes](const std::string& string) { bytes += string.size() + 16; };
    const auto texts = [&](const std::vector<std::string>& list) {
      bytes += 16;
      for (const std::string& one : list) text(one);
    };
    const auto rows = [&](const IndexRows& r) {
      column(r.begin);
      column(r.index);
    };
    text(data_.name);
    for (const Resource& r : data_.resources) bytes += r.name.size() + r.unit.size() + 64;
    texts(data_.app_names);
    column(data_.replicas);
    for (const auto* values :
         {&data_.demand, &data_.variance, &data_.support_min, &data_.support_max, &data_.load, &data_.load_variance,
          &data_.daemon, &data_.interference.coefficient, &data_.interference.max_cost, &data_.weight}) {
      column(*values);
    }
    column(data_.priority);
    column(data_.kind);
    rows(data_.app_tags);
    rows(data_.app_only);
    rows(data_.app_not);
    for (const NodeClass& c : data_.classes) {
      bytes += c.name.size() + 96;
      column(c.capacity);
      column(c.daemon);
      texts(c.labels);
    }
    column(data_.node_class);
    texts(data_.node_names);
    column(data_.closed);
    rows(data_.node_tags);
    column(limits_.row_begin);
    column(limits_.app);
    column(limits_.at_most);
    column(data_.running);
    column(data_.pinned);
    column(data_.traffic);
    texts(data_.tags);
    for (const NodeGroup& g : data_.groups) {
      bytes += g.name.size() + g.by_label.size() + 96;
      rows(g.sets);
      texts(g.set_names);
    }
    for (const PlacementRule& rule : data_.rules) {
      bytes += rule.name.size() + 96;
      for (const auto& conjunction : rule.any_of) {
        bytes += 64;
        for (const Cardinality& part : conjunction) {
          bytes += 96;
          column(part.subject);
          column(part.target);
        }
      }
    }
    texts(data_.interference.kinds);
    if (extra_ != nullptr) {
      column(extra_->node_state);
      column(extra_->class_number);
      column(extra_->waiting_pins);
      column(extra_->waiting_limit_begin);
      texts(extra_->waiting_limit_app);
      column(extra_->waiting_limit_at_most);
    }
    return bytes;
  }

  void finish() {
    const auto name = text(data_.name);
    const auto resources = encode_all(builder_, data_.resources, [this](const Resource& r) {
      const auto resource_name = builder_.CreateString(r.name);
      const auto unit = text(r.unit);
      return wire::CreateResource(builder_, resource_name, unit, r.device);
    });
    const auto apps = encode_apps();
    const auto classes = encode_all(builder_, data_.classes, [this](const NodeClass& c) {
      const auto class_name = text(c.name);
      const auto capacity = builder_.CreateVector(c.capacity);
      const auto labels = texts(c.labels);
      return wire::CreateNodeClass(builder_, class_name, capacity, c.count, c.price, labels, column(c.daemon));
    });
    flatbuffers::Offset<wire::Nodes> nodes;
    if (!data_.node_class.empty() || !data_.node_tags.empty()) nodes = encode_nodes();
    flatbuffers::Offset<wire::AffinityLimits> limits;
    if (!limits_.app.empty()) {
      const auto begin = full_column(limits_.row_begin);
      const auto app = full_column(limits_.app);
      const auto at_most = full_column(limits_.at_most);
      limits = wire::CreateAffinityLimits(builder_, begin, app, at_most);
    }
    const auto running = residences(data_.running);
    const auto pinned = residences(data_.pinned);
    const auto tags = texts(data_.tags);
    const auto groups = encode_groups();
    const auto rules = encode_rules();
    flatbuffers::Offset<wire::Uncertainty> uncertainty;
    if (data_.has_uncertainty) {
      const Uncertainty& u = data_.uncertainty;
      uncertainty = wire::CreateUncertainty(builder_, static_cast<wire::ChanceModel>(u.model), u.confidence, u.factor);
    }
    flatbuffers::Offset<wire::Interference> interference;
    if (data_.has_interference) {
      const auto kinds = texts(data_.interference.kinds);
      const auto coefficient = builder_.CreateVector(data_.interference.coefficient);
      const std::vector<double>& most = data_.interference.max_cost;
      const auto max_cost = most.empty() ? 0 : builder_.CreateVector(most);
      interference = wire::CreateInterference(builder_, kinds, coefficient, data_.interference.resource, max_cost);
    }
    std::vector<wire::Traffic> pairs;
    for (const Traffic& one : data_.traffic) pairs.emplace_back(one.app, one.peer, one.amount);
    const auto traffic = pairs.empty() ? 0 : builder_.CreateVectorOfStructs(pairs);
    flatbuffers::Offset<wire::Session> session;
    if (extra_ != nullptr) session = encode_extra(*extra_);
    wire::FinishInstanceBuffer(
        builder_, wire::CreateInstance(builder_, 1, name, resources, data_.periods, apps, classes, nodes, limits, running,
                                       pinned, tags, groups, rules, uncertainty, interference, session, traffic));
  }

  /// A column that may be empty.
  template <class Value>
  flatbuffers::Offset<flatbuffers::Vector<Value>> full_column(std::span<const Value> values) {
    Value* to = nullptr;
    const auto offset = builder_.CreateUninitializedVector(values.size(), &to);
    watched_copy(values, to, watch_);
    return offset;
  }
  template <class Value>
  flatbuffers::Offset<flatbuffers::Vector<Value>> full_column(const std::vector<Value>& values) {
    return full_column(std::span(values));
  }
  template <class Value>
  flatbuffers::Offset<flatbuffers::Vector<Value>> column(const std::vector<Value>& values) {
    return values.empty() ? flatbuffers::Offset<flatbuffers::Vector<Value>>() : full_column(values);
  }
  flatbuffers::Offset<flatbuffers::String> text(const std::string& string) {
    return string.empty() ? flatbuffers::Offset<flatbuffers::String>() : builder_.CreateString(string);
  }
  flatbuffers::Offset<Texts> texts(const std::vector<std::string>& list) {
    return list.empty() ? flatbuffers::Offset<Texts>() : encode_texts(builder_, list, watch_);
  }
  flatbuffers::Offset<flatbuffers::Vector<const wire::Residence*>> residences(const std::vector<Residence>& list) {
    static_assert(sizeof(Residence) == sizeof(wire::Residence));
    if (list.empty()) return {};
    return builder_.CreateVectorOfStructs(reinterpret_cast<const wire::Residence*>(list.data()), list.size());
  }

  flatbuffers::Offset<wire::Apps> encode_apps() {
    const auto names = texts(data_.app_names);
    const auto replicas = full_column(data_.replicas);
    const auto demand = full_column(data_.demand);
    const auto priority = column(data_.priority);
    const auto variance = column(data_.variance);
    const auto support_min = column(data_.support_min);
    const auto support_max = column(data_.support_max);
    const auto kind = column(data_.kind);
    const auto tag_begin = column(data_.app_tags.begin);
    const auto tag_index = column(data_.app_tags.index);
    const auto weight = column(data_.weight);
    const auto only_begin = column(data_.app_only.begin);
    const auto only_index = column(data_.app_only.index);
    const auto not_begin = column(data_.app_not.begin);
    const auto not_index = column(data_.app_not.index);
    return wire::CreateApps(builder_, names, replicas, demand, priority, variance, support_min, support_max, kind, tag_begin,
                            tag_index, weight, only_begin, only_index, not_begin, not_index);
  }

  flatbuffers::Offset<wire::Nodes> encode_nodes() {
    const auto node_class = full_column(data_.node_class);
    const auto names = texts(data_.node_names);
    const auto load = column(data_.load);
    const auto load_variance = column(data_.load_variance);
    const auto closed = column(data_.closed);
    const auto tag_begin = column(data_.node_tags.begin);
    const auto tag_index = column(data_.node_tags.index);
    const auto daemon = column(data_.daemon);
    return wire::CreateNodes(builder_, node_class, names, load, load_variance, closed, tag_begin, tag_index, daemon);
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::NodeGroup>>> encode_groups() {
    if (data_.groups.empty()) return {};
    return encode_all(builder_, data_.groups, [this](const NodeGroup& g) {
      const auto name = builder_.CreateString(g.name);
      const auto begin = column(g.sets.begin);
      const auto node = column(g.sets.index);
      const auto set_names = texts(g.set_names);
      const auto by_label = text(g.by_label);
      return wire::CreateNodeGroup(builder_, name, begin, node, set_names, by_label);
    });
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::PlacementRule>>> encode_rules() {
    if (data_.rules.empty()) return {};
    return encode_all(builder_, data_.rules, [this](const PlacementRule& rule) {
      const auto any_of = encode_all(builder_, rule.any_of, [this](const std::vector<Cardinality>& conjunction) {
        const auto all_of = encode_all(builder_, conjunction, [this](const Cardinality& part) {
          const auto subject = builder_.CreateVector(part.subject);
          const auto target = column(part.target);
          return wire::CreateCardinality(builder_, static_cast<wire::CardinalityKind>(part.kind), subject, target, part.min,
                                         part.max, part.group, part.negated);
        });
        return wire::CreateConjunction(builder_, all_of);
      });
      const auto name = text(rule.name);
      return wire::CreatePlacementRule(builder_, name, any_of, rule.hard, rule.weight,
                                       rule.from_operator ? wire::Origin::Operator : wire::Origin::Application);
    });
  }

  flatbuffers::Offset<wire::Session> encode_extra(const SessionExtra& extra) {
    std::vector<wire::NodeState> states;
    for (const std::uint8_t state : extra.node_state) states.push_back(static_cast<wire::NodeState>(state));
    const auto node_state = builder_.CreateVector(states);
    const auto class_number = builder_.CreateVector(extra.class_number);
    const auto pins = residences(extra.waiting_pins);
    const auto begin = column(extra.waiting_limit_begin);
    const auto app = texts(extra.waiting_limit_app);
    const auto at_most = column(extra.waiting_limit_at_most);
    return wire::CreateSession(builder_, extra.version, node_state, class_number, pins, begin, app, at_most);
  }

  const InstanceData& data_;
  const LimitColumns& limits_;
  const SessionExtra* extra_;
  WatchRef watch_;
  std::uint64_t most_bytes_;
  Builder builder_;
};

}  // namespace

stowage_buffer encode_commit(const CommitOutcome& outcome, WatchRef watch) {
  Builder builder;
  const auto name = [&](const std::string& string) {
    return string.empty() ? flatbuffers::Offset<flatbuffers::String>() : builder.CreateString(string);
  };
  const auto conflicts = encode_all(builder, outcome.conflicts, [&](const Conflict& c) {
    const auto app = name(c.app);
    const auto node = name(c.node);
    return wire::CreateConflict(builder, static_cast<wire::ConflictKind>(c.kind), app, node, c.wanted, c.available);
  });
  const auto opened = encode_texts(builder, outcome.opened, watch);
  if (watch.ended()) return {};
  const auto commit = wire::CreateCommit(builder, outcome.committed, outcome.planned_version, outcome.version, outcome.placed,
                                         outcome.moved, outcome.ended, opened, conflicts);
  wire::FinishReportBuffer(builder, wire::CreateReport(builder, 1, wire::ReportBody::Commit, commit.Union()));
  return release(builder);
}

Result<stowage_buffer> encode_snapshot(const SessionContent& content, WatchRef watch) {
  InstanceEncoder encoder(content.data, content.data.limits, &content.extra, watch);
  if (encoder.most_bytes() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Error{Code::kLimitExceeded, "the snapshot would be larger than a buffer can be", ""};
  }
  return encoder.run();
}

Result<stowage_buffer> encode_instance(const InstanceData& data, const LimitColumns& limits, WatchRef watch) {
  InstanceEncoder encoder(data, limits, nullptr, watch);
  if (encoder.most_bytes() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Error{Code::kLimitExceeded, "the instance would be larger than a buffer can be", ""};
  }
  return encoder.run();
}

}  // namespace stowage::capi
