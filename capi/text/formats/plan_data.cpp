#include "capi/text/formats/plan_data.h"

#include <algorithm>

#include "capi/text/base/failure.h"
#include "capi/text/records/plan_codec.h"

namespace stowage::cli {
namespace {

/// Nodes without replicas that a compact plan may stand for: as many as the library takes by default.
constexpr std::uint64_t kMostEmptyNodes = 10'000'000;

}  // namespace

flatbuffers::DetachedBuffer encode_plan(PlanData data) {
  for (std::vector<wire::Placed>* list : {&data.placed, &data.reserved}) {
    std::sort(list->begin(), list->end(), [](const wire::Placed& a, const wire::Placed& b) {
      return a.node() != b.node() ? a.node() < b.node() : a.app() < b.app();
    });
  }
  for (std::vector<wire::Unplaced>* list : {&data.unplaced, &data.unreserved}) {
    std::sort(list->begin(), list->end(), [](const wire::Unplaced& a, const wire::Unplaced& b) { return a.app() < b.app(); });
  }
  codec::Builder builder(65536 + data.placed.size() * sizeof(wire::Placed) + data.listed.size() * 8);
  if (std::all_of(data.copies.begin(), data.copies.end(), [](std::uint32_t copies) { return copies == 1; }))
    data.copies.clear();
  wire::FinishPlanBuffer(builder, codec::write_plan(builder, data));
  return builder.Release();
}

void refuse_dangling(const wire::Plan& plan, const wire::Instance& instance) {
  const auto refuse = [](const std::string& what) { throw Failure("the plan does not belong to the instance (" + what + ")"); };
  const std::uint32_t apps = instance.apps()->replicas()->size();
  const std::uint32_t listed = instance.nodes() == nullptr ? 0 : instance.nodes()->node_class()->size();
  const bool columns_fit = plan.copies() == nullptr || plan.copies()->size() == plan.node_class()->size();
  if (plan.node_class()->size() != plan.listed()->size() || !columns_fit) refuse("its node columns differ in length");
  for (std::uint32_t node = 0; node < plan.node_class()->size(); ++node) {
    if (plan.node_class()->Get(node) >= instance.classes()->size()) refuse("a node's class does not exist");
    if (plan.listed()->Get(node) != kNone && plan.listed()->Get(node) >= listed) refuse("a listed node does not exist");
    const bool alone = plan.listed()->Get(node) != kNone;
    if (copies_of(plan, node) == 0 || (alone && copies_of(plan, node) > 1)) refuse("a node stands for a wrong number of nodes");
  }
  for (const auto* list : {plan.placed(), plan.reserved()}) {
    if (list == nullptr) continue;
    const wire::Placed* before = nullptr;
    for (const wire::Placed* one : *list) {
      if (one->app() >= apps) refuse("an app does not exist");
      if (one->node() >= plan.node_class()->size()) refuse("a node does not exist");
      if (before != nullptr && std::pair(one->node(), one->app()) <= std::pair(before->node(), before->app())) {
        refuse("its entries are out of order");
      }
      before = one;
    }
  }
  for (const auto* list : {plan.unplaced(), plan.unreserved()}) {
    if (list == nullptr) continue;
    for (const wire::Unplaced* one : *list) {
      if (one->app() >= apps) refuse("an app does not exist");
    }
  }
  if (plan.copies() == nullptr) return;
  // A few bytes must not stand for any number of nodes.
  std::vector<std::uint64_t> left(instance.apps()->replicas()->begin(), instance.apps()->replicas()->end());
  std::vector<std::uint8_t> holds(plan.node_class()->size(), 0);
  for (const wire::Placed* one : *plan.placed()) {
    const std::uint64_t replicas = std::uint64_t{one->replicas()} * copies_of(plan, one->node());
    if (replicas > left[one->app()]) refuse("it places more replicas than there are");
    left[one->app()] -= replicas;
    if (one->replicas() > 0) holds[one->node()] = 1;
  }
  const bool may_be_empty = plan.survive() != nullptr || plan.reserved() != nullptr;
  std::uint64_t empty = 0;
  for (std::uint32_t node = 0; node < holds.size(); ++node) {
    if (holds[node] != 0 || copies_of(plan, node) == 1) continue;
    if (!may_be_empty) refuse("an empty node has copies");
    empty += copies_of(plan, node);
    if (empty > kMostEmptyNodes) refuse("it has too many nodes without replicas");
  }
}

const wire::Plan* checked_plan(std::span<const std::uint8_t> bytes, const std::string& name) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (bytes.size() > FLATBUFFERS_MAX_BUFFER_SIZE || !wire::VerifyPlanBuffer(verifier)) {
    throw Failure::in(name, "", "is damaged: not a well-formed plan", Fault::kForm);
  }
  return wire::GetPlan(bytes.data());
}

}  // namespace stowage::cli
