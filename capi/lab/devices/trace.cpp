#include "capi/lab/devices/online.h"

#include <algorithm>
#include <array>
#include <random>

namespace stowage::cli::devices {
namespace {

constexpr std::array<std::uint32_t, 18> kParts = {460, 470, 320, 220, 810, 550, 110, 230, 650,
                                                  160, 440, 270, 590, 50,  900, 700, 380, 500};

class TraceRandom {
 public:
  explicit TraceRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(engine_() % count); }

 private:
  std::mt19937_64 engine_;  // the same on every platform
};

Shape draw_shape(TraceRandom& random) {
  const std::uint32_t kind = random.below(1000);
  if (kind < 133) return {4u << random.below(4), 0};
  if (kind < 511) {
    // The first sizes are drawn more often.
    const std::uint32_t part = std::min(random.below(kParts.size()), random.below(kParts.size()));
    return {2 * (1 + random.below(6)), kParts[part]};
  }
  if (kind < 991) return {4 * (1 + random.below(4)), kGpu};
  const std::uint32_t gpus = kind < 993 ? 2 : kind < 995 ? 4 : 8;
  return {gpus * (8 + 3 * random.below(2)), gpus * kGpu};
}

}  // namespace

std::uint64_t Trace::gpu_capacity() const {
  std::uint64_t sum = 0;
  for (const NodeModel& model : models) sum += std::uint64_t{model.gpus} * kGpu * model.count;
  return sum;
}

Trace generate_trace(std::uint32_t nodes, double load, std::uint64_t seed) {
  Trace trace;
  trace.models = {{32, 1, nodes * 3 / 20}, {64, 2, nodes / 4}, {96, 4, nodes / 5}, {128, 8, 0}};
  trace.models[3].count = nodes - trace.models[0].count - trace.models[1].count - trace.models[2].count;
  std::erase_if(trace.models, [](const NodeModel& model) { return model.count == 0; });
  TraceRandom random(seed);
  const double most = load * static_cast<double>(trace.gpu_capacity());
  std::vector<Shape> arrivals;
  for (std::uint64_t asked = 0;;) {
    arrivals.push_back(draw_shape(random));
    asked += arrivals.back().gpu;
    if (static_cast<double>(asked) >= most) break;
  }
  trace.shapes = arrivals;
  std::sort(trace.shapes.begin(), trace.shapes.end());
  trace.shapes.erase(std::unique(trace.shapes.begin(), trace.shapes.end()), trace.shapes.end());
  for (const Shape& shape : arrivals) {
    const auto at = std::lower_bound(trace.shapes.begin(), trace.shapes.end(), shape);
    trace.tasks.push_back(static_cast<std::uint32_t>(at - trace.shapes.begin()));
  }
  return trace;
}

}  // namespace stowage::cli::devices
