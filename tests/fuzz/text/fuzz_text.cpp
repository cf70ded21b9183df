// Any bytes as what the functions of stowage_text.h take: JSON of an instance, JSON and bytes of a plan, JSON of operations, a
// report, and the bytes of an instance. What is made of JSON, the other direction accepts; operations, a session takes or
// refuses.
#include "stowage_text.h"

#include <initializer_list>
#include <string>

#include "tests/fuzz/support/support.h"

namespace {

using stowage::fuzz::Bytes;

const Bytes& instance_bytes() {
  static const Bytes kBytes = stowage::fuzz::busy_instance();
  return kBytes;
}

const Bytes& plan_bytes() {
  static const Bytes kBytes = [] {
    const auto instance = stowage::fuzz::load(instance_bytes().data(), instance_bytes().size());
    const auto plan = stowage::fuzz::plan(*instance, *stowage::wire::GetInstance(instance_bytes().data()), {});
    return Bytes(plan->begin(), plan->end());
  }();
  return kBytes;
}

/// What a function returns; empty where it refuses, with a documented status.
template <class Call>
stowage::Buffer asked(Call&& call) {
  stowage_buffer buffer{nullptr, 0};
  stowage_error error{};
  const stowage_status status = call(&buffer, &error);
  stowage::Buffer answer(buffer);
  stowage::fuzz::require_status(status, error,
                                {STOWAGE_OK, STOWAGE_MALFORMED, STOWAGE_INVALID, STOWAGE_UNSUPPORTED, STOWAGE_LIMIT_EXCEEDED});
  FUZZ_REQUIRE(answer.empty() == (status != STOWAGE_OK), "answer and status disagree");
  return answer;
}

/// Bytes that the library made are well-formed operations, whatever a session says to them.
void apply(const stowage::Buffer& operations) {
  stowage_limits limits = STOWAGE_LIMITS_INIT;
  limits.max_replicas = 10'000;
  limits.max_cells = 10'000;
  const stowage::Session session = stowage::Session::open(instance_bytes(), limits);
  stowage_error error{};
  const stowage_status status = stowage_session_apply(session.get(), operations.data(), operations.size(), &error);
  stowage::fuzz::require_status(status, error, {STOWAGE_OK, STOWAGE_INVALID, STOWAGE_NOT_FOUND, STOWAGE_LIMIT_EXCEEDED});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* text = reinterpret_cast<const char*>(data);
  const Bytes& instance = instance_bytes();
  asked([&](auto* to, auto* error) { return stowage_instance_to_json(data, size, nullptr, to, error); });
  const stowage::Buffer read =
      asked([&](auto* to, auto* error) { return stowage_instance_from_json(text, size, nullptr, to, error); });
  if (!read.empty() && stowage::fuzz::load(read.data(), read.size())) {
    FUZZ_REQUIRE(!asked([&](auto* to, auto* error) {
                    return stowage_instance_to_json(read.data(), read.size(), nullptr, to, error);
                  }).empty(),
                 "an instance of JSON that loads cannot be written");
  }
  asked([&](auto* to, auto* error) {
    return stowage_plan_to_json(instance.data(), instance.size(), data, size, nullptr, to, error);
  });
  const stowage::Buffer plan = asked([&](auto* to, auto* error) {
    return stowage_plan_from_json(instance.data(), instance.size(), text, size, nullptr, to, error);
  });
  if (!plan.empty()) {
    FUZZ_REQUIRE(!asked([&](auto* to, auto* error) {
                    return stowage_plan_to_json(instance.data(), instance.size(), plan.data(), plan.size(), nullptr, to, error);
                  }).empty(),
                 "a plan of JSON cannot be written");
  }
  asked([&](auto* to, auto* error) {
    return stowage_plan_to_text(instance.data(), instance.size(), data, size, 10, nullptr, to, error);
  });
  asked([&](auto* to, auto* error) {
    return stowage_plan_to_html(instance.data(), instance.size(), data, size, nullptr, to, error);
  });
  asked([&](auto* to, auto* error) {
    return stowage_plan_to_svg(instance.data(), instance.size(), data, size, nullptr, to, error);
  });
  const stowage::Buffer operations = asked([&](auto* to, auto* error) {
    return stowage_operations_from_json(instance.data(), instance.size(), text, size, nullptr, to, error);
  });
  if (!operations.empty()) apply(operations);
  asked([&](auto* to, auto* error) {
    return stowage_explanation_to_text(instance.data(), instance.size(), plan_bytes().data(), plan_bytes().size(), data, size,
                                       nullptr, to, error);
  });
  return 0;
}
