#include <algorithm>
#include <span>

#include "capi/src/codec.h"
#include "capi/src/wire/fields.h"
#include "capi/src/wire_reader.h"

namespace stowage::capi {
namespace {

template <class Value>
std::span<const Value> view(const flatbuffers::Vector<Value>* column) {
  return column == nullptr ? std::span<const Value>() : std::span<const Value>(column->data(), column->size());
}

void decode_interference(const wire::Interference& from, Copier& copier, InstanceData& to) {
  to.has_interference = true;
  read_interference(from, copier, to.interference);
  // The table is square: its size tells the number of kinds.
  std::uint32_t kinds = 0;
  while (std::uint64_t{kinds} * kinds < to.interference.coefficient.size()) ++kinds;
  to.interference.kind_count = kinds;
}

// The bound on what is left over.
Error decode_left_over(const wire::Plan& from, Copier& copier, Plan& to) {
  const auto* entries = from.left_over_bound();
  if (entries == nullptr || entries->size() == 0) return {};
  constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 53;
  LeftOver bound;
  std::int64_t above = std::int64_t{1} << 32;
  for (flatbuffers::uoffset_t k = 0; k < entries->size() && !copier.step(1); ++k) {
    const wire::LeftOver& entry = *entries->Get(k);
    const auto path = [k] { return indexed("left_over_bound", k); };
    if (entry.replicas() == 0 || entry.replicas() > kMostCounted) {
      return {Code::kMalformed, "a number of replicas out of range", path() + ".replicas"};
    }
    if (entry.priority() >= above) return {Code::kMalformed, "priorities must descend", path() + ".priority"};
    above = entry.priority();
    bound.add(entry.priority(), entry.replicas(), 1);
  }
  to.left_over_bound = std::move(bound);
  return {};
}

}  // namespace

AlignedBytes::AlignedBytes(const std::uint8_t* bytes, std::size_t size, WatchRef watch) : data_(bytes), size_(size) {
  constexpr std::size_t kAlignment = alignof(std::uint64_t);
  if (size == 0 || reinterpret_cast<std::uintptr_t>(bytes) % kAlignment == 0) return;
  copy_.reset(new std::uint64_t[(size + kAlignment - 1) / kAlignment]);
  auto* const copy = reinterpret_cast<std::uint8_t*>(copy_.get());
  watched_copy(std::span(bytes, size), copy, watch);
  data_ = copy;
}

Result<InstanceData> decode_instance(const AlignedBytes& bytes, const Limits& limits, WatchRef watch) {
  if (bytes.size() > limits.max_bytes || bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Error{Code::kLimitExceeded, "the buffer is larger than max_bytes allows", ""};
  }
  auto table = root<wire::Instance>(bytes, Kind::kInstance, watch);
  if (!table) return table.error();
  const wire::Instance& from = **table;
  if (from.session() != nullptr) {
    if (Error e = BufferCheck(Kind::kInstance, bytes.data(), bytes.size(), watch).session_relations(); failed(e)) return e;
  }
  if (from.apps()->replicas()->size() > limits.max_apps) {
    return Error{Code::kLimitExceeded, "more apps than max_apps allows", "apps.replicas"};
  }
  InstanceData to;
  Copier copier(watch);
  read_instance(from, copier, to);
  if (from.nodes() != nullptr) read_nodes(*from.nodes(), copier, to);
  if (const wire::AffinityLimits* rows = from.limits(); rows != nullptr) {
    to.limits = {view(rows->row_begin()), view(rows->app()), view(rows->at_most())};
    if (to.limits.row_begin.empty())
      return Error{Code::kInvalid, "affinity limits need apps + 1 row starts", "limits.row_begin"};
  }
  to.has_uncertainty = from.uncertainty() != nullptr;
  copier.some(from.uncertainty(), to.uncertainty, read_uncertainty);
  if (from.interference() != nullptr) decode_interference(*from.interference(), copier, to);
  if (copier.ended()) return cancelled();
  return to;
}

Result<std::optional<SessionExtra>> decode_session_extra(const AlignedBytes& bytes, WatchRef watch) {
  std::optional<SessionExtra> to;
  Copier copier(watch);
  copier.some(flatbuffers::GetRoot<wire::Instance>(bytes.data())->session(), to, read_session);
  if (copier.ended()) return cancelled();
  return to;
}

Result<Request> decode_request(const AlignedBytes& bytes, WatchRef watch) {
  return decoded<wire::Request, Request>(bytes, Kind::kRequest, watch,
                                         [](const wire::Request& from, Copier& copier, Request& to) {
                                           read_request(from, copier, to);
                                           to.threads = std::max(1u, to.threads);
                                         });
}

Result<Plan> decode_plan(const AlignedBytes& bytes, WatchRef watch) {
  auto table = root<wire::Plan>(bytes, Kind::kPlan, watch);
  if (!table) return table.error();
  const wire::Plan& from = **table;
  Copier copier(watch);
  Plan to;
  if (from.listed()->size() != from.node_class()->size()) {
    return Error{Code::kMalformed, "needs one entry per node", "listed"};
  }
  if (from.copies() != nullptr && from.copies()->size() != from.node_class()->size()) {
    return Error{Code::kMalformed, "needs one entry per node", "copies"};
  }
  to.nodes.reserve(from.node_class()->size());
  for (flatbuffers::uoffset_t n = 0; n < from.node_class()->size() && !copier.step(1); ++n) {
    to.nodes.push_back(
        {from.node_class()->Get(n), from.listed()->Get(n), from.copies() == nullptr ? 1 : from.copies()->Get(n)});
  }
  read_plan(from, copier, to);
  if (Error e = decode_left_over(from, copier, to); failed(e)) return e;
  if (copier.ended()) return cancelled();
  return to;
}

Result<Derivation> decode_derivation(const AlignedBytes& bytes, WatchRef watch) {
  return decoded<wire::Derivation, Derivation>(bytes, Kind::kDerivation, watch, read_derivation);
}

static_assert(static_cast<std::uint8_t>(wire::OperationKind::MAX) == kLastOperationKind);

Result<std::vector<Operation>> decode_operations(const AlignedBytes& bytes, WatchRef watch) {
  using Operations = std::vector<Operation>;
  return decoded<wire::Operations, Operations>(
      bytes, Kind::kOperations, watch,
      [](const wire::Operations& from, Copier& copier, Operations& to) { copier.all(from.operations(), to, read_operation); });
}

}  // namespace stowage::capi
