// The options of a call, read.
#pragma once

#include "capi/k8s/answer/planning.h"
#include "capi/k8s/k8s.h"
#include "capi/k8s/questions/change.h"

namespace stowage::k8s {

struct ReadCall {
  Call call;
  Options options;
  Change change;
  std::vector<std::string> prices, types;
};

ReadCall read_options(const std::vector<std::string>& arguments);

}  // namespace stowage::k8s
