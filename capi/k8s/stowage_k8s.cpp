// The function of stowage_k8s.h.
#include <stowage_k8s.h>
#include <stowage.hpp>

#include <cstring>

#include "capi/k8s/k8s.h"
#include "capi/k8s/read/json_dom.h"
#include "capi/src/base/boundary.h"
#include "capi/src/base/buffer.h"
#include "capi/text/base/failure.h"

namespace {

using stowage::cli::Failure;
using stowage::cli::Fault;

struct Request {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> files;
};

Request read_request(std::string_view text) {
  stowage::k8s::Texts texts;
  stowage::k8s::Dom dom;
  stowage::k8s::scan_value(text, "the request", texts, dom);
  Request made;
  for (const stowage::k8s::At member : dom.root().members()) {
    if (member.key() == "arguments") {
      for (const stowage::k8s::At one : member.list()) made.arguments.emplace_back(one.text());
    } else if (member.key() == "files") {
      for (const stowage::k8s::At one : member.members()) made.files.emplace(one.key(), one.text());
    } else {
      member.fail("there is no such member; there are arguments and files");
    }
  }
  return made;
}

stowage_status status_of(Fault fault) { return fault == Fault::kForm ? STOWAGE_MALFORMED : STOWAGE_INVALID; }

}  // namespace

stowage_status stowage_k8s_answer(const char* request, size_t request_size, const char* objects, size_t size, stowage_control* control,
                                  int32_t* code, stowage_buffer* answer, stowage_error* error) {
  namespace capi = stowage::capi;
  if (answer != nullptr) *answer = {nullptr, 0};
  for (const auto& [pointer, name] : {std::pair<const void*, const char*>{request, "request"}, {objects, "objects"}, {code, "code"}, {answer, "answer"}}) {
    if (pointer == nullptr) return capi::null_argument(error, name);
  }
  return capi::guarded(error, [&] {
    try {
      const Request asked = read_request({request, request_size});
      const auto known = [&](const std::string& name) { return asked.files.contains(name); };
      const stowage::k8s::Call call = stowage::k8s::read_call(asked.arguments, known);
      const stowage::k8s::Outcome found = stowage::k8s::answer(call, {{"the input", {objects, size}}}, asked.files, control);
      std::uint8_t* const memory = capi::allocate_memory(found.text.size() + 1);
      std::memcpy(memory, found.text.c_str(), found.text.size() + 1);
      *answer = capi::make_buffer(memory, memory, found.text.size());
      *code = found.exit_code;
      return STOWAGE_OK;
    } catch (const stowage::Error& failed) {
      return capi::fill_error(error, failed.status(), failed.what(), failed.path());
    } catch (const Failure& failure) {
      return capi::fill_error(error, status_of(failure.fault()), failure.message(), failure.path());
    }
  });
}
