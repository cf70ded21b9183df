#include "tests/soak/calls.h"

#include <utility>

#include "capi/src/codec.h"
#include "core/session/session.h"
#include "request_generated.h"

namespace stowage::soak {

Answer plan(const stowage_instance* instance, const Bytes& request, stowage_control* control) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_plan(instance, request.data(), request.size(), control, output, error);
  });
}
Answer verify(const stowage_instance* instance, const Bytes& plan, stowage_control* control) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_verify_watched(instance, plan.data(), plan.size(), control, output, error);
  });
}
Answer explain(const stowage_instance* instance, const Bytes& plan, stowage_control* control, std::uint32_t app) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_explain(instance, plan.data(), plan.size(), app, control, output, error);
  });
}
Answer headroom(const stowage_instance* instance, const Bytes& plan, std::uint32_t app, stowage_control* control) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_headroom_watched(instance, plan.data(), plan.size(), app, STOWAGE_NO_NODE, control, output, error);
  });
}
Answer headroom_of_apps(const stowage_instance* instance, const Bytes& plan, stowage_control* control) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_headroom_of_apps_watched(instance, plan.data(), plan.size(), 0, control, output, error);
  });
}
Answer order_moves(const stowage_instance* instance, const Bytes& plan, stowage_control* control) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_order_moves(instance, plan.data(), plan.size(), 2, 0.5, control, output, error);
  });
}
Answer losses(const stowage_instance* instance, const Bytes& plan, stowage_control* control) {
  return ask([&](stowage_buffer* output, stowage_error* error) {
    return stowage_losses(instance, plan.data(), plan.size(), nullptr, 0, nullptr, 0, control, output, error);
  });
}
Answer bound(const stowage_instance* instance, stowage_control* control) {
  return ask(
      [&](stowage_buffer* output, stowage_error* error) { return stowage_bound_watched(instance, control, output, error); });
}

InstanceHandle load(const Bytes& bytes, const stowage_limits* limits) {
  stowage_instance* handle = nullptr;
  stowage_error error{};
  const stowage_status status = stowage_instance_load(bytes.data(), bytes.size(), limits, &handle, &error);
  require(status == STOWAGE_OK, std::string("load: ") + error.path + " " + error.message);
  return InstanceHandle(handle);
}

ControlHandle new_control() {
  stowage_control* handle = nullptr;
  require(stowage_control_new(&handle, nullptr) == STOWAGE_OK, "no control");
  return ControlHandle(handle);
}

Bytes encode(const test::Generated& instance) {
  SessionContent content;
  content.data = instance.data;
  content.data.limits = {instance.row_begin, instance.limited, instance.at_most};
  content.extra.node_state.assign(instance.listed(), 0);
  for (NodeId n = 0; n < instance.data.closed.size(); ++n) {
    if (instance.data.closed[n] != 0) content.extra.node_state[n] = static_cast<std::uint8_t>(NodeCondition::kCordoned);
  }
  content.extra.class_number.assign(instance.data.classes.size(), 0);
  Watch nobody;
  auto encoded = capi::encode_snapshot(content, nobody);
  require(encoded.ok(), "an instance cannot be written");
  Bytes bytes(encoded.value().data, encoded.value().data + encoded.value().size);
  stowage_buffer buffer{encoded.value().data, encoded.value().size};
  stowage_buffer_free(&buffer);
  return bytes;
}

Bytes encode(const Request& request) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<wire::Option>> given;
  for (const RequestOption& option : request.options) {
    given.push_back(wire::CreateOption(builder, builder.CreateString(option.name), option.number));
  }
  const auto options = builder.CreateVector(given);
  const auto planner = builder.CreateString(request.planner);
  std::vector<wire::Kept> kept;
  for (const Kept& one : request.keep) kept.emplace_back(one.app, one.replicas);
  const auto keep = builder.CreateVectorOfStructs(kept);
  const auto survive = builder.CreateString(request.survive);
  const auto leave_free = builder.CreateString(request.leave_free);
  std::vector<flatbuffers::Offset<wire::PlanGoal>> goals;
  for (const PlanGoal& goal : request.goals) {
    goals.push_back(wire::CreatePlanGoal(builder, static_cast<wire::GoalKind>(goal.what), goal.resource, goal.beside,
                                         goal.weight, goal.tolerance));
  }
  const auto goal_list = builder.CreateVector(goals);
  wire::RequestBuilder fields(builder);
  fields.add_planner(planner);
  fields.add_options(options);
  fields.add_seed(request.seed);
  fields.add_deadline_ms(request.deadline_ms);
  fields.add_work_limit(request.work_limit);
  fields.add_threads(request.threads);
  fields.add_node_limit(request.node_limit);
  fields.add_ignore_running(request.ignore_running);
  fields.add_move_budget(request.move_budget);
  fields.add_objective(static_cast<wire::Objective>(request.objective));
  fields.add_all_or_nothing(request.all_or_nothing);
  fields.add_compact(request.compact);
  fields.add_soft(static_cast<wire::SoftPolicy>(request.soft));
  fields.add_soft_price(request.soft_price);
  fields.add_patience_ms(request.patience_ms);
  fields.add_fill(request.fill);
  fields.add_max_cost(request.max_cost);
  fields.add_keep(keep);
  fields.add_survive(survive);
  fields.add_leave_free(leave_free);
  fields.add_goals(goal_list);
  wire::FinishRequestBuffer(builder, fields.Finish());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

Plan decode_plan(const Bytes& bytes) {
  Watch watch;
  auto plan = capi::decode_plan(capi::AlignedBytes(bytes.data(), bytes.size(), watch), watch);
  require(plan.ok(), "the library wrote a plan that it cannot read");
  return std::move(plan.value());
}

}  // namespace stowage::soak
