// --into and --output: what was learned goes into an instance.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/commands/commands.h"
#include "capi/cli/learn/demand.h"

namespace stowage::cli {

/// Fails where --output is given without --into, --into is standard input, or check_outputs() refuses the output. Returns the
/// console of the answer.
Console check_into(const LearnCommand& command, const Console& console);

/// Changes the instance of --into by change(data), checks it and writes it to --output or, where absent, in its place. Says on
/// the console what is left out: the sentences that change() returns.
void write_into(const LearnCommand& command, const Console& console,
                const std::function<std::vector<std::string>(InstanceData& data)>& change);
/// The same with learned demand.
void write_demand_into(const learn::LearnedDemand& learned, const LearnCommand& command, const Console& console);

}  // namespace stowage::cli
