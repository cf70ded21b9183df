#include <limits>

#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire/learning_fields.h"
#include "capi/src/wire_reader.h"

namespace stowage::capi {
namespace {

/// The body of a learning buffer; `what` is its name with an article.
template <class Body>
Result<const Body*> learning_body(const AlignedBytes& bytes, const char* what, WatchRef watch) {
  auto table = root<wire::Learning>(bytes, Kind::kLearning, watch);
  if (!table) return table.error();
  const Body* body = (*table)->template body_as<Body>();
  if (body == nullptr) return malformed(std::string("a learning buffer without ") + what);
  return body;
}

/// What read_body(body, copier, to) makes of the body of a learning buffer. Errors: those of learning_body(); kCancelled.
template <class Body, class To, class Read>
Result<To> decoded_body(const AlignedBytes& bytes, const char* what, WatchRef watch, Read read_body) {
  auto body = learning_body<Body>(bytes, what, watch);
  if (!body) return body.error();
  To to;
  Copier copier(watch);
  read_body(**body, copier, to);
  if (copier.ended()) return cancelled();
  return to;
}

void copy_samples(const wire::Samples& from, Copier& copier, Samples& to) {
  read_samples(from, copier, to);
  if (from.row_collocation() == nullptr) to.row_collocation.assign(to.row_app.size(), 1);
}

void copy_question(const wire::Question& from, Copier& copier, ModelQuestion& to) {
  copy_samples(*from.samples(), copier, to.samples);
  read_goal(*from.goal(), copier, to.goal);
  to.curves = from.curves();
}

void copy_usage(const wire::Usage& from, Copier& copier, UsageQuestion& to) {
  read_usage(from, copier, to);
  for (SizeRule& rule : to.options.rules) {
    if (rule.ceiling == 0) rule.ceiling = std::numeric_limits<double>::infinity();
  }
}

}  // namespace

Result<Samples> decode_samples(const AlignedBytes& bytes, WatchRef watch) {
  return decoded_body<wire::Samples, Samples>(bytes, "samples", watch, copy_samples);
}

Result<ModelQuestion> decode_question(const AlignedBytes& bytes, WatchRef watch) {
  return decoded_body<wire::Question, ModelQuestion>(bytes, "a question", watch, copy_question);
}

Result<UsageQuestion> decode_usage(const AlignedBytes& bytes, WatchRef watch) {
  return decoded_body<wire::Usage, UsageQuestion>(bytes, "usage", watch, copy_usage);
}

}  // namespace stowage::capi
