// The cluster of P3's testbed (section 4.2.1) from arrival to arrival.
#pragma once

#include "capi/lab/learning/testbed.h"
#include "capi/text/formats/instance_data.h"
#include "plan_generated.h"

namespace stowage::cli::lrasched {

/// Its servers, without apps.
InstanceData empty_testbed();
/// Adds an app that waits.
void arrive(const sizes::TestbedApp& app, InstanceData& data);
/// What the plan places runs from now on, where it is.
void keep_running(const wire::Plan& plan, InstanceData& data);

}  // namespace stowage::cli::lrasched
