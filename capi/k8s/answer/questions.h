// The questions, each with its answer.
#pragma once

#include "capi/k8s/answer/options.h"
#include "capi/k8s/answer/output.h"

namespace stowage::k8s {

/// What nodes need, and which can go.
Outcome answer_parts(Objects& from, const ReadCall& with, const Parts& parts, const Control* control);
Outcome answer_what_if(Objects& from, const ReadCall& with, const Control* control);
Outcome answer_drain(Objects& from, const ReadCall& with, const Control* control);
Outcome answer_explain(Objects& from, const ReadCall& with, const Control* control);

/// 2 where something is left over, 4 where that depends on what is not in the input, else 0.
int exit_code_of(bool fits, const Cluster& of);

}  // namespace stowage::k8s
