// Any text as a plan of a small busy instance, in JSON or CSV, and any bytes as a plan to be written as text. verify must read
// every plan that is read; a plan that verify accepts must survive the conversion to text and back.
#include <memory>

#include "capi/cli/formats/plan_file.h"
#include "capi/text/base/failure.h"
#include "tests/fuzz/support/scratch.h"
#include "tests/fuzz/support/support.h"

namespace {

namespace cli = stowage::cli;
using stowage::fuzz::Bytes;
using stowage::fuzz::Loaded;
using stowage::fuzz::Scratch;

const Bytes& instance_bytes() {
  static const Bytes kBytes = stowage::fuzz::busy_instance();
  return kBytes;
}

const stowage::wire::Instance& wire_instance() { return *stowage::wire::GetInstance(instance_bytes().data()); }

const Loaded& instance() {
  static const Loaded kInstance = *stowage::fuzz::load(instance_bytes().data(), instance_bytes().size());
  return kInstance;
}

std::uint64_t fingerprint() {
  static const std::uint64_t kFingerprint = [] {
    const auto plan = stowage::fuzz::plan(instance(), wire_instance(), stowage::fuzz::RequestData{});
    return stowage::wire::GetPlan(plan->data())->instance();
  }();
  return kFingerprint;
}

cli::PlanBytes read_plan(const std::string& path) {
  return cli::read_plan(std::make_unique<cli::InputFile>(path), wire_instance(), fingerprint);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = Scratch::folder().file("plan", {reinterpret_cast<const char*>(data), size});
  std::optional<cli::PlanBytes> read;
  try {
    read = read_plan(path);
  } catch (const cli::Failure&) {
    return 0;
  }
  const auto ok = stowage::fuzz::verified(instance(), read->bytes().data(), read->bytes().size());
  if (ok != true) return 0;
  for (const char* name : {"plan.json", "plan.csv", "plan.stow"}) {
    const std::string written = Scratch::folder().path(name);
    try {
      cli::write_plan(read->bytes(), wire_instance(), {}, written);
    } catch (const cli::Failure&) {
      return 0;  // refused with a message, such as a .stow whose entries are out of order
    }
    try {
      const cli::PlanBytes again = read_plan(written);
      // A .csv holds placements and nothing else.
      if (std::string_view(name) == "plan.csv") continue;
      FUZZ_REQUIRE(stowage::fuzz::verified(instance(), again.bytes().data(), again.bytes().size()) == true,
                   std::string("the way to text and back breaks the plan: ") + name);
    } catch (const cli::Failure& failure) {
      FUZZ_REQUIRE(false, std::string("what was written is not read again: ") + failure.what());
    }
  }
  return 0;
}
