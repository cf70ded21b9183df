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
  bool look = false;  ///< only at the arguments
  bool read = false;  ///< `objects` have what the arguments name
  stowage::k8s::At groups;
  stowage::k8s::Texts texts;
  stowage::k8s::Dom dom;
};

void read_request(std::string_view text, Request& made) {
  stowage::k8s::scan_value(text, "the request", made.texts, made.dom);
  for (const stowage::k8s::At member : made.dom.root().members()) {
    if (member.key() == "arguments") {
      for (const stowage::k8s::At one : member.list()) made.arguments.emplace_back(one.text());
    } else if (member.key() == "files") {
      for (const stowage::k8s::At one : member.members()) made.files.emplace(one.key(), one.text());
    } else if (member.key() == "expand") {
      made.groups = member;
    } else if (member.key() == "look") {
      made.look = member.flag();
    } else if (member.key() == "read") {
      made.read = member.flag();
    } else {
      member.fail("there is no such member; there are arguments, files, expand, look and read");
    }
  }
}

/// Fails where the arguments name objects that nobody has read.
void check_read(const stowage::k8s::Call& call) {
  std::string named = call.context.empty() ? call.kubeconfig : call.context;
  if (!call.files.empty()) named = call.files.front();
  if (!named.empty()) throw Failure("\"" + named + "\" is not read: the objects are given with the call");
}

stowage_buffer buffer_of(const std::string& text) {
  std::uint8_t* const memory = stowage::capi::allocate_memory(text.size() + 1);
  std::memcpy(memory, text.c_str(), text.size() + 1);
  return stowage::capi::make_buffer(memory, memory, text.size());
}

stowage_status status_of(Fault fault) { return fault == Fault::kForm ? STOWAGE_MALFORMED : STOWAGE_INVALID; }

}  // namespace

stowage_status stowage_k8s_answer(const char* request, size_t request_size, const char* objects, size_t size,
                                  stowage_control* control, int32_t* code, stowage_buffer* answer, stowage_error* error) {
  namespace capi = stowage::capi;
  if (answer != nullptr) *answer = {nullptr, 0};
  for (const auto& [pointer, name] :
       {std::pair<const void*, const char*>{request, "request"}, {objects, "objects"}, {code, "code"}, {answer, "answer"}}) {
    if (pointer == nullptr) return capi::null_argument(error, name);
  }
  return capi::guarded(error, [&] {
    try {
      Request asked;
      read_request({request, request_size}, asked);
      const auto known = [&](const std::string& name) { return asked.files.contains(name); };
      const stowage::k8s::Call call = stowage::k8s::read_call(asked.arguments, known);
      if (asked.look) {
        *answer = buffer_of(stowage::k8s::described(call));
        *code = 0;
        return STOWAGE_OK;
      }
      if (!asked.read) check_read(call);
      std::vector<stowage::k8s::Input> inputs;
      if (size > 0 || !asked.groups) inputs.push_back({"the input", {objects, size}});
      const stowage::k8s::Outcome found =
          stowage::k8s::answer(call, inputs, asked.files, control, asked.groups ? &asked.groups : nullptr);
      *answer = buffer_of(found.text);
      *code = found.exit_code;
      return STOWAGE_OK;
    } catch (const stowage::Error& failed) {
      return capi::fill_error(error, failed.status(), failed.what(), failed.path());
    } catch (const Failure& failure) {
      return capi::fill_error(error, status_of(failure.fault()), failure.message(), failure.path());
    }
  });
}
