// Import of the Alibaba Tianchi 2018 scheduling data: raw files as published, without header lines.
//
//   app resources     app, CPU samples, memory samples (both '|'-separated), disk, P, M, PM
//   app interference  app A, app B, k: beside one instance of A at most k of B; for A = B at most k + 1 instances in all
//   instance deploy   instance, app, machine it runs on (may be empty)
//   machine resources machine, cpu, memory, disk, P, M, PM
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

struct TianchiOptions {
  std::string apps;
  std::string interference;
  std::string deploy;
  std::string machines;  ///< may be empty where `node` is given
  /// Largest demand over the samples, one period, instead of one period per sample.
  bool fixed = false;
  /// Demand rounded up to whole numbers.
  bool round_up = false;
  /// Resources to keep, in the order of the files; empty: all.
  std::vector<std::string> resources;
  /// Capacity of one open-ended class instead of the machines; then nothing runs yet.
  std::optional<std::string> node;
  /// P0's setting: cpu and memory on open-ended nodes of 64 cores and 128 GiB, without limits of apps on themselves; fixed
  /// demand is rounded up.
  bool p0 = false;
};

InstanceData import_tianchi(TianchiOptions options);

}  // namespace stowage::cli
