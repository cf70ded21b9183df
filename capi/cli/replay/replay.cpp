#include "capi/cli/replay/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "capi/text/base/failure.h"
#include "capi/text/base/name_map.h"
#include "capi/text/formats/names.h"
#include "capi/text/records/session_codec.h"
#include "capi/text/words/use.h"

namespace stowage::cli::replay {
namespace {

/// Operations that are applied together.
class Batch {
 public:
  void submit(const TraceApp& app) {
    OperationData& operation = list_.emplace_back();
    operation.kind = wire::OperationKind::Submit;
    operation.app = app.name;
    operation.replicas = app.replicas;
    operation.demand = app.demand;
    operation.priority = app.priority;
    for (const auto& [other, most] : app.limits) {
      operation.limit_app.push_back(other);
      operation.limit_at_most.push_back(most);
    }
  }
  void remove_app(const std::string& app) { list_.push_back({.kind = wire::OperationKind::Remove, .app = app}); }
  void remove_node(const std::string& node) { list_.push_back({.kind = wire::OperationKind::RemoveNode, .node = node}); }

  [[nodiscard]] bool empty() const { return list_.empty(); }
  void apply(Session& session) {
    codec::Builder builder;
    const auto operations = builder.must_all(list_, codec::write_operation);
    wire::FinishOperationsBuffer(builder, wire::CreateOperations(builder, 1, operations));
    session.apply({builder.GetBufferPointer(), builder.GetSize()});
  }

 private:
  std::vector<OperationData> list_;
};

class Replayer {
 public:
  Replayer(const InstanceBytes& cluster, const std::string& source, const std::vector<TraceApp>& trace, double interval,
           const RequestOptions& request, const Console& console)
      : source_(source),
        trace_(trace),
        interval_(interval),
        request_(request),
        console_(console),
        session_(Session::open(cluster.bytes())),
        waiting_(trace.size(), 0) {
    const wire::Instance& root = cluster.root();
    for (const wire::NodeClass* one : *root.classes()) endless_.push_back(one->count() == 0);
  }

  Replay run() {
    const double first = trace_.front().arrives;
    for (double interval = 0; std::isfinite(interval);) {
      if (InterruptGuard::interrupted()) {
        result_.interrupted = true;
        break;
      }
      step(first + interval * interval_);
      // An event takes effect at the end of its interval. Where a plan moved something, the next interval plans again.
      const double at_event = std::ceil((next_event() - first) / interval_);
      interval = moved_ ? interval + 1 : std::max(interval + 1, at_event);
    }
    for (const std::uint64_t replicas : waiting_) result_.still_waiting += replicas;
    for (const auto& [seconds, replicas] : waits_) result_.waits.push_back({seconds, replicas});
    return std::move(result_);
  }

 private:
  /// The time of the next arrival or departure; infinite: there is none.
  [[nodiscard]] double next_event() const {
    double next = arrived_ < trace_.size() ? trace_[arrived_].arrives : std::numeric_limits<double>::infinity();
    if (!departures_.empty()) next = std::min(next, departures_.begin()->first);
    return next;
  }

  void step(double time) {
    Batch batch;
    while (!departures_.empty() && departures_.begin()->first <= time) {
      depart(departures_.begin()->second, batch);
      departures_.erase(departures_.begin());
    }
    while (arrived_ < trace_.size() && trace_[arrived_].arrives <= time) {
      const TraceApp& app = trace_[arrived_];
      if (app.departs <= time) {
        result_.never_ran += app.replicas;
      } else {
        batch.submit(app);
        present_.emplace(app.name, arrived_);
        waiting_[arrived_] = app.replicas;
        if (std::isfinite(app.departs)) departures_.emplace(app.departs, arrived_);
      }
      ++arrived_;
    }
    if (batch.empty() && !moved_) return;
    if (!batch.empty()) batch.apply(session_);
    remove_empty_nodes();
    plan(time);
  }

  void depart(std::size_t app, Batch& batch) {
    result_.never_ran += waiting_[app];
    waiting_[app] = 0;
    present_.erase(trace_[app].name);
    batch.remove_app(trace_[app].name);
  }

  void remove_empty_nodes() {
    if (opened_.empty()) return;
    const Buffer snapshot = session_.snapshot();
    const wire::Instance& instance = *wire::GetInstance(snapshot.data());
    const wire::Nodes& nodes = *instance.nodes();
    std::vector<std::uint8_t> busy(nodes.node_class()->size(), 0);
    for (const auto* list : {instance.running(), instance.pinned()}) {
      if (list == nullptr) continue;
      for (const wire::Residence* one : *list) busy[one->node()] = 1;
    }
    Batch batch;
    for (std::uint32_t n = 0; n < busy.size(); ++n) {
      const std::string name = nodes.names()->Get(n)->str();
      if (busy[n] != 0 || !endless_[nodes.node_class()->Get(n)] || opened_.erase(name) == 0) continue;
      batch.remove_node(name);
    }
    if (!batch.empty()) batch.apply(session_);
  }

  void plan(double time) {
    const Workload workload{source_, InstanceBytes(session_.snapshot()), session_.instance()};
    const PlanRun run = run_plan(session_, workload, request_, console_);
    const wire::Plan& plan = run.root();
    const Buffer report = session_.commit(run.plan);
    const wire::Commit& commit = *wire::GetReport(report.data())->body_as_Commit();
    if (!commit.committed()) throw Failure("a plan for the present cluster was refused", kExitInternal);
    for (const flatbuffers::String* name : *commit.opened()) opened_.insert(name->str());

    Step step;
    step.time = time;
    const wire::Apps& apps = *workload.root().apps();
    step.apps = apps.replicas()->size();
    step.nodes = nodes_in_use(plan);
    step.running = replicas_placed(plan);
    step.use = utilization(plan, workload.root());
    step.cost = plan.cost();
    step.violations = plan.rule_violations();
    step.moves = plan.moves();
    step.planning_seconds = run.seconds;
    std::vector<std::uint64_t> left(apps.replicas()->size(), 0);
    for (const wire::Unplaced* one : *plan.unplaced()) {
      left[one->app()] = one->replicas();
      step.waiting += one->replicas();
    }
    for (std::uint32_t a = 0; a < left.size(); ++a) {
      const auto found = present_.find(apps.names()->Get(a)->str());
      if (found == present_.end()) continue;  // it was there before the trace
      const std::uint64_t started = waiting_[found->second] - left[a];
      waiting_[found->second] = left[a];
      if (started > 0) waits_[time - trace_[found->second].arrives] += started;
      step.started += started;
    }
    moved_ = plan.moves() > 0;
    result_.steps.push_back(std::move(step));
  }

  const std::string& source_;
  const std::vector<TraceApp>& trace_;
  double interval_;
  const RequestOptions& request_;
  const Console& console_;
  Session session_;
  std::vector<bool> endless_;                      // per class
  std::size_t arrived_ = 0;                        // applications of the trace that have come
  std::multimap<double, std::size_t> departures_;  // of those that are there
  NameMap<std::string, std::size_t> present_;      // by name: the position in the trace
  std::vector<std::uint64_t> waiting_;             // per application: replicas
  std::map<double, std::uint64_t> waits_;          // by seconds: replicas
  std::set<std::string> opened_;                   // nodes that plans have taken into use
  bool moved_ = false;                             // whether the last plan moved something
  Replay result_;
};

}  // namespace

Replay replay(const InstanceBytes& cluster, const std::string& source, const std::vector<TraceApp>& trace, double interval,
              const RequestOptions& request, const Console& console) {
  try {
    return Replayer(cluster, source, trace, interval, request, console).run();
  } catch (const Error& error) {
    const bool internal = error.status() == STOWAGE_INTERNAL || error.status() == STOWAGE_OUT_OF_MEMORY;
    throw Failure(source + ": " + describe_error(error, nullptr), internal ? kExitInternal : kExitInput);
  }
}

}  // namespace stowage::cli::replay
