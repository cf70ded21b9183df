// --into and --output: what was learned goes into an instance.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "capi/cli/base/console.h"
#include "capi/cli/learn/demand.h"

namespace stowage::cli {

/// Fails where --output is given without --into, or one of them is standard input or output.
void check_into(const std::optional<std::string>& into, const std::optional<std::string>& output);

/// Changes the instance `into` by change(data), checks it and writes it to `output` or, where absent, in its place. Says on the
/// console what is left out: the sentences that change() returns.
void write_into(const std::string& into, const std::optional<std::string>& output, const Console& console,
                const std::function<std::vector<std::string>(InstanceData& data)>& change);
/// The same with learned demand.
void write_demand_into(const learn::LearnedDemand& learned, const std::string& into, const std::optional<std::string>& output,
                       const Console& console);

}  // namespace stowage::cli
