#include <cstdint>

#include "capi/src/codec.h"
#include "capi/src/wire/fields.h"
#include "capi/src/wire_writer.h"

namespace stowage::capi {
namespace {

/// Leaves out empty columns, so that decoding returns the same content.
/// @param limits in place of those of the data
/// @param extra  the further fields of a snapshot, or null
/// @param what   is written, with its article
Result<stowage_buffer> encode(const InstanceData& data, const LimitColumns& limits, const SessionExtra* extra,
                              const std::string& what, WatchRef watch) {
  const std::uint64_t most_bytes = 1024 + size_of_instance(data) + size_of_nodes(data) + size_of_affinity_limits(limits) +
                                   size_of_interference(data.interference) + (extra != nullptr ? size_of_session(*extra) : 0);
  if (most_bytes >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Error{Code::kLimitExceeded, what + " would be larger than a buffer can be", ""};
  }
  // The builder does not grow, which would copy it.
  Builder builder(static_cast<std::size_t>(most_bytes), watch);
  wire::FinishInstanceBuffer(builder, write_instance(builder, data, limits, extra));
  if (watch.look()) return cancelled();
  return release(builder);
}

}  // namespace

stowage_buffer encode_commit(const CommitOutcome& outcome, WatchRef watch) {
  Builder builder(1024, watch);
  const auto commit = write_commit(builder, outcome);
  if (watch.ended()) return {};
  wire::FinishReportBuffer(builder, wire::CreateReport(builder, 1, wire::ReportBody::Commit, commit.Union()));
  return release(builder);
}

Result<stowage_buffer> encode_snapshot(const SessionContent& content, WatchRef watch) {
  return encode(content.data, content.data.limits, &content.extra, "the snapshot", watch);
}

Result<stowage_buffer> encode_instance(const InstanceData& data, const LimitColumns& limits, WatchRef watch) {
  return encode(data, limits, nullptr, "the instance", watch);
}

}  // namespace stowage::capi
