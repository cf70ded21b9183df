#include <limits>

#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire_reader.h"
#include "learning_generated.h"

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

Samples copy_samples(const wire::Samples& from, Copier& copier) {
  Samples to;
  to.measure = static_cast<SampledMeasure>(from.measure());
  to.resources = copier.texts(from.resources());
  to.apps = copier.texts(from.apps());
  if (from.features() != nullptr) {
    for (const wire::Feature* feature : *from.features()) {
      to.features.push_back({copier.text(feature->name()), copier.column(feature->numbers()), copier.texts(feature->words())});
      if (copier.step(1)) break;
    }
  }
  to.asked = copier.column(from.asked());
  to.row_app = copier.column(from.row_app());
  to.row_amounts = copier.column(from.row_amounts());
  to.row_collocation = copier.column(from.row_collocation());
  to.row_value = copier.column(from.row_value());
  if (from.row_collocation() == nullptr) to.row_collocation.assign(to.row_app.size(), 1);
  return to;
}

}  // namespace

Result<Samples> decode_samples(const AlignedBytes& bytes, WatchRef watch) {
  auto body = learning_body<wire::Samples>(bytes, "samples", watch);
  if (!body) return body.error();
  Copier copier(watch);
  Samples samples = copy_samples(**body, copier);
  if (copier.ended()) return cancelled();
  return samples;
}

Result<ModelQuestion> decode_question(const AlignedBytes& bytes, WatchRef watch) {
  auto body = learning_body<wire::Question>(bytes, "a question", watch);
  if (!body) return body.error();
  Copier copier(watch);
  const wire::Goal& from = *(*body)->goal();
  ModelQuestion to;
  to.samples = copy_samples(*(*body)->samples(), copier);
  to.goal.value = from.value();
  to.goal.confidence = from.confidence();
  to.goal.cost = copier.column(from.cost());
  to.goal.keep_asked = from.keep_asked();
  to.curves = (*body)->curves();
  if (copier.ended()) return cancelled();
  return to;
}

Result<UsageQuestion> decode_usage(const AlignedBytes& bytes, WatchRef watch) {
  auto body = learning_body<wire::Usage>(bytes, "usage", watch);
  if (!body) return body.error();
  const wire::Usage& from = **body;
  Copier copier(watch);
  UsageQuestion to;
  UsageHistory& history = to.history;
  history.apps = copier.texts(from.apps());
  history.resources = copier.texts(from.resources());
  history.app = copier.column(from.app());
  history.replica = copier.column(from.replica());
  history.time = copier.column(from.time());
  history.amount = copier.column(from.amount());
  history.out_of_memory = copier.column(from.out_of_memory());
  to.options.periods = from.periods();
  to.options.cycle = from.cycle();
  for (const wire::SizeRule* rule : *from.rules()) {
    if (copier.step(1)) break;
    SizeRule& one = to.options.rules.emplace_back();
    one.percentile = rule->percentile();
    one.half_life = rule->half_life();
    one.window = rule->window();
    one.margin = rule->margin();
    one.bump = rule->bump();
    one.floor = rule->floor();
    one.ceiling = rule->ceiling() == 0 ? std::numeric_limits<double>::infinity() : rule->ceiling();
    one.uncertain = rule->uncertain();
  }
  if (copier.ended()) return cancelled();
  return to;
}

}  // namespace stowage::capi
