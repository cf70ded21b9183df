// The functions of stowage_text.h. They are clients of stowage.h, which checks instances and verifies plans.
#include <stowage.h>
#include <stowage_text.h>
#include <stowage.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <locale>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/src/base/boundary.h"
#include "capi/src/base/buffer.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/output.h"
#include "capi/text/formats/instance_json.h"
#include "capi/text/formats/names.h"
#include "capi/text/formats/plan_json.h"
#include "capi/text/formats/session/operations_json.h"
#include "capi/text/words/answer.h"
#include "capi/text/words/page.h"
#include "capi/text/words/picture.h"
#include "capi/text/words/render.h"
#include "capi/text/words/use.h"
#include "report_generated.h"

namespace stowage::cli {
namespace {

/// What stowage.h said no to; it has filled the caller's error.
struct Refused {
  stowage_status status;
};

void require(stowage_status status) {
  if (status != STOWAGE_OK) throw Refused{status};
}

stowage_status status_of(Fault fault) {
  switch (fault) {
    case Fault::kForm:
      return STOWAGE_MALFORMED;
    case Fault::kSize:
      return STOWAGE_LIMIT_EXCEEDED;
    case Fault::kValue:
      break;
  }
  return STOWAGE_INVALID;
}

/// Runs body(limits) of a call that fills `output`, where no argument is NULL, and turns every exception into a status. The
/// limits are the caller's, with this library's default for the bytes of texts; an unknown struct_size is an argument that is
/// refused.
template <class Body>
stowage_status text_call(std::initializer_list<std::pair<const void*, const char*>> arguments, const stowage_limits* given,
                         stowage_buffer* output, const char* output_name, stowage_error* error, Body&& body) {
  if (output != nullptr) *output = {nullptr, 0};
  for (const auto& [pointer, name] : arguments) {
    if (pointer == nullptr) return capi::null_argument(error, name);
  }
  if (output == nullptr) return capi::null_argument(error, output_name);
  stowage_limits limits;
  if (!capi::copy_limits(given, &limits, error)) return STOWAGE_INVALID_ARGUMENT;
  if (limits.max_bytes == 0) limits.max_bytes = 0x7FFFFFFF;
  return capi::guarded(error, [&] {
    try {
      body(limits);
      return STOWAGE_OK;
    } catch (const Refused& refused) {
      return refused.status;
    } catch (const Failure& failure) {
      return capi::fill_error(error, status_of(failure.fault()), failure.message(), failure.path());
    }
  });
}

std::string_view limited_text(const char* text, std::size_t size, const stowage_limits& limits) {
  if (size > limits.max_bytes) {
    throw Failure::in("the text", "",
                      "has " + std::to_string(size) + " bytes; at most " + std::to_string(limits.max_bytes) + " are allowed",
                      Fault::kSize);
  }
  return {text, size};
}

std::uint64_t column_bytes(std::size_t text_size, const stowage_limits& limits) {
  return limits.max_memory != 0 ? limits.max_memory : default_column_bytes(text_size);
}

/// Bytes at an address that FlatBuffers can be read at: the caller's, or a copy.
class ReadableBytes {
 public:
  ReadableBytes(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes, size) {
    if (reinterpret_cast<std::uintptr_t>(bytes) % alignof(std::uint64_t) == 0) return;
    copy_.resize(size / sizeof(std::uint64_t) + 1);
    std::memcpy(copy_.data(), bytes, size);
    bytes_ = {reinterpret_cast<const std::uint8_t*>(copy_.data()), size};
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint64_t> copy_;
  std::span<const std::uint8_t> bytes_;
};

/// An instance that the library has accepted.
class AcceptedInstance {
 public:
  AcceptedInstance(const std::uint8_t* bytes, std::size_t size, const stowage_limits& limits, stowage_error* error)
      : bytes_(bytes, size) {
    stowage_instance* handle = nullptr;
    require(stowage_instance_load(bytes_.bytes().data(), size, &limits, &handle, error));
    handle_.reset(handle);
  }
  [[nodiscard]] const stowage_instance* handle() const { return handle_.get(); }
  [[nodiscard]] const wire::Instance& root() const { return *wire::GetInstance(bytes_.bytes().data()); }

 private:
  struct FreeInstance {
    void operator()(stowage_instance* handle) const { stowage_instance_free(handle); }
  };

  ReadableBytes bytes_;
  std::unique_ptr<stowage_instance, FreeInstance> handle_;
};

/// A well-formed plan whose nodes, classes and apps the instance has.
const wire::Plan& accepted_plan(const ReadableBytes& bytes, const wire::Instance& instance) {
  const wire::Plan& plan = *checked_plan(bytes.bytes(), "the plan");
  refuse_dangling(plan, instance);
  return plan;
}

/// What the checker says of a plan.
class Verified {
 public:
  Verified(const AcceptedInstance& instance, const ReadableBytes& plan, stowage_error* error) {
    stowage_buffer report{nullptr, 0};
    require(stowage_verify(instance.handle(), plan.bytes().data(), plan.bytes().size(), &report, error));
    report_.emplace(report);
  }
  [[nodiscard]] const wire::Verification& report() const {
    return *wire::GetReport(report_->data())->body_as<wire::Verification>();
  }

 private:
  std::optional<stowage::Buffer> report_;
};

/// What print(console) prints.
template <class Print>
std::string in_words(Print&& print) {
  std::ostringstream out;
  // A stream would otherwise take the separators of the process's global locale.
  out.imbue(std::locale::classic());
  print(Console{out, out});
  return std::move(out).str();
}

/// Copies into memory that stowage_buffer_free() frees, with a NUL behind.
void hand_out(const void* bytes, std::size_t size, stowage_buffer* to) {
  std::uint8_t* memory = capi::allocate_memory(size + 1);
  std::memcpy(memory, bytes, size);
  memory[size] = 0;
  *to = capi::make_buffer(memory, memory, size);
}

void hand_out(std::string_view text, stowage_buffer* to) { hand_out(text.data(), text.size(), to); }
void hand_out(const flatbuffers::DetachedBuffer& bytes, stowage_buffer* to) { hand_out(bytes.data(), bytes.size(), to); }

/// A call that makes a text of an instance and one of its plans, by make(instance, bytes of the plan, plan).
template <class Make>
stowage_status plan_call(const std::uint8_t* bytes, std::size_t size, const std::uint8_t* plan, std::size_t plan_size,
                         const stowage_limits* limits, stowage_buffer* output, const char* output_name, stowage_error* error,
                         Make&& make) {
  return text_call({{bytes, "bytes"}, {plan, "plan"}}, limits, output, output_name, error, [&](const stowage_limits& known) {
    const AcceptedInstance instance(bytes, size, known, error);
    const ReadableBytes readable(plan, plan_size);
    const wire::Plan& root = accepted_plan(readable, instance.root());
    hand_out(std::string_view(make(instance, readable, root)), output);
  });
}

const wire::Explanation& checked_explanation(std::span<const std::uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  if (bytes.size() > FLATBUFFERS_MAX_BUFFER_SIZE || !wire::VerifyReportBuffer(verifier)) {
    throw Failure::in("the report", "", "is damaged: not a well-formed report", Fault::kForm);
  }
  const wire::Explanation* explanation = wire::GetReport(bytes.data())->body_as<wire::Explanation>();
  if (explanation == nullptr) throw Failure::in("the report", "", "is not an explanation");
  return *explanation;
}

}  // namespace
}  // namespace stowage::cli

using namespace stowage::cli;  // NOLINT(google-build-using-namespace)
namespace wire = stowage::wire;

stowage_status stowage_instance_from_json(const char* json, size_t size, const stowage_limits* limits, stowage_buffer* instance,
                                          stowage_error* error) {
  return text_call({{json, "json"}}, limits, instance, "instance", error, [&](const stowage_limits& known) {
    const std::string_view text = limited_text(json, size, known);
    hand_out(encode_instance(read_instance_json(text, "the instance", column_bytes(size, known))), instance);
  });
}

stowage_status stowage_instance_to_json(const uint8_t* bytes, size_t size, const stowage_limits* limits, stowage_buffer* json,
                                        stowage_error* error) {
  return text_call({{bytes, "bytes"}}, limits, json, "json", error, [&](const stowage_limits& known) {
    const AcceptedInstance instance(bytes, size, known, error);
    TextOutput out;
    write_instance_json(instance.root(), out);
    hand_out(out.text(), json);
  });
}

stowage_status stowage_plan_from_json(const uint8_t* bytes, size_t size, const char* json, size_t json_size,
                                      const stowage_limits* limits, stowage_buffer* plan, stowage_error* error) {
  return text_call({{bytes, "bytes"}, {json, "json"}}, limits, plan, "plan", error, [&](const stowage_limits& known) {
    const AcceptedInstance instance(bytes, size, known, error);
    const std::string_view text = limited_text(json, json_size, known);
    const auto fingerprint = [&] { return stowage_instance_fingerprint(instance.handle()); };
    const auto made = encode_plan(read_plan_json(text, "the plan", instance.root(), fingerprint));
    // What is read can be written again.
    refuse_dangling(*wire::GetPlan(made.data()), instance.root());
    hand_out(made, plan);
  });
}

stowage_status stowage_plan_to_json(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                    const stowage_limits* limits, stowage_buffer* json, stowage_error* error) {
  return plan_call(bytes, size, plan, plan_size, limits, json, "json", error,
                   [](const AcceptedInstance& instance, const ReadableBytes&, const wire::Plan& root) {
                     TextOutput out;
                     write_plan_json(root, Names(instance.root()), out);
                     return out.text();
                   });
}

stowage_status stowage_operations_from_json(const uint8_t* bytes, size_t size, const char* json, size_t json_size,
                                            const stowage_limits* limits, stowage_buffer* operations, stowage_error* error) {
  return text_call({{bytes, "bytes"}, {json, "json"}}, limits, operations, "operations", error,
                   [&](const stowage_limits& known) {
                     const AcceptedInstance instance(bytes, size, known, error);
                     const std::string_view text = limited_text(json, json_size, known);
                     const SessionTerms terms(instance.root());
                     hand_out(read_operations_json(text, "the operations", terms, column_bytes(json_size, known)), operations);
                   });
}

stowage_status stowage_plan_to_text(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size, uint32_t shown,
                                    const stowage_limits* limits, stowage_buffer* text, stowage_error* error) {
  return plan_call(
      bytes, size, plan, plan_size, limits, text, "text", error,
      [&](const AcceptedInstance& instance, const ReadableBytes& readable, const wire::Plan& root) {
        const Verified verified(instance, readable, error);
        const Names names(instance.root(), Summary::kText);
        return in_words([&](const Console& console) { print_answer(console, root, verified.report(), names, shown); });
      });
}

stowage_status stowage_plan_to_html(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                    const stowage_limits* limits, stowage_buffer* html, stowage_error* error) {
  return plan_call(bytes, size, plan, plan_size, limits, html, "html", error,
                   [&](const AcceptedInstance& instance, const ReadableBytes& readable, const wire::Plan& root) {
                     const Verified verified(instance, readable, error);
                     return page_of(root, verified.report(), Names(instance.root(), Summary::kText));
                   });
}

stowage_status stowage_plan_to_svg(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                   const stowage_limits* limits, stowage_buffer* svg, stowage_error* error) {
  return plan_call(bytes, size, plan, plan_size, limits, svg, "svg", error,
                   [](const AcceptedInstance& instance, const ReadableBytes&, const wire::Plan& root) {
                     const UseTable use(root, instance.root());
                     return picture_of(root, use, Names(instance.root(), Summary::kText), picture_style());
                   });
}

stowage_status stowage_explanation_to_text(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                           const uint8_t* report, size_t report_size, const stowage_limits* limits,
                                           stowage_buffer* text, stowage_error* error) {
  return text_call({{bytes, "bytes"}, {plan, "plan"}, {report, "report"}}, limits, text, "text", error,
                   [&](const stowage_limits& known) {
                     const AcceptedInstance instance(bytes, size, known, error);
                     const ReadableBytes readable_plan(plan, plan_size);
                     const wire::Plan& root = accepted_plan(readable_plan, instance.root());
                     const ReadableBytes readable_report(report, report_size);
                     const wire::Explanation& explanation = checked_explanation(readable_report.bytes());
                     const Verified verified(instance, readable_plan, error);
                     const Names names(instance.root(), Summary::kText);
                     hand_out(in_words([&](const Console& console) {
                                print_explanation(console, explanation, verified.report(), root, names, names.plan_nodes(root));
                              }),
                              text);
                   });
}
