// A table of measurements as part of a state in bytes.
#pragma once

#include "core/base/state_bytes.h"
#include "core/predict/tables/samples.h"

namespace stowage {

void write_samples(const Samples& samples, StateWriter& writer);
/// What was written; the reader says whether it failed. The content is to be checked by check_samples(). Where the watch ends
/// it, it is incomplete and nobody uses it.
Samples read_samples(StateReader& reader, WatchRef watch = {});

}  // namespace stowage
