#include <limits>

#include "capi/src/learning/learning_codec.h"
#include "capi/src/wire_reader.h"
#include "learning_generated.h"

namespace stowage::capi {
namespace {

using Names = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

/// The body of a learning buffer; `what` is its name with an article.
template <class Body>
Result<const Body*> learning_body(const AlignedBytes& bytes, const char* what) {
  constexpr std::uint32_t kMostTables = 1'000;
  auto table = root<wire::Learning>(bytes, wire::LearningIdentifier(), "a learning buffer", kMostTables);
  if (!table) return table.error();
  const Body* body = (*table)->template body_as<Body>();
  if (body == nullptr) return malformed(std::string("a learning buffer without ") + what);
  return body;
}

/// Copies names; refuses text that is not UTF-8, because answers return it.
Error copy_names(const Names* from, const std::string& path, Copier& copier, std::vector<std::string>& to) {
  to = copier.texts(from);
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (!is_utf8(to[k])) return {Code::kMalformed, "a name that is not UTF-8", indexed(path.c_str(), k)};
  }
  return {};
}

Result<SampleFeature> decode_feature(const wire::Feature& from, const std::string& path, Copier& copier) {
  SampleFeature to;
  to.name = copier.text(from.name());
  if (!is_utf8(to.name)) return Error{Code::kMalformed, "a name that is not UTF-8", path + ".name"};
  to.numbers = copier.column(from.numbers());
  if (Error error = copy_names(from.words(), path + ".words", copier, to.words); failed(error)) return error;
  return to;
}

Result<Samples> copy_samples(const wire::Samples& from, Copier& copier) {
  if (from.measure() > wire::Measure::MAX) return Error{Code::kInvalid, "unknown measure", "measure"};
  Samples to;
  to.measure = static_cast<SampledMeasure>(from.measure());
  if (Error error = copy_names(from.resources(), "resources", copier, to.resources); failed(error)) return error;
  if (Error error = copy_names(from.apps(), "apps", copier, to.apps); failed(error)) return error;
  for (std::size_t k = 0; k < length_of(from.features()); ++k) {
    if (!copier.take(sizeof(SampleFeature))) return out_of_proportion();
    auto feature =
        decode_feature(*from.features()->Get(static_cast<flatbuffers::uoffset_t>(k)), indexed("features", k), copier);
    if (!feature) return feature.error();
    to.features.push_back(std::move(*feature));
  }
  to.asked = copier.column(from.asked());
  to.row_app = copier.column(from.row_app());
  to.row_amounts = copier.column(from.row_amounts());
  to.row_collocation = copier.column(from.row_collocation());
  to.row_value = copier.column(from.row_value());
  if (from.row_collocation() == nullptr && copier.take(to.row_app.size() * sizeof(std::uint32_t))) {
    to.row_collocation.assign(to.row_app.size(), 1);
  }
  if (copier.exceeded()) return out_of_proportion();
  return to;
}

}  // namespace

Result<Samples> decode_samples(const AlignedBytes& bytes) {
  auto body = learning_body<wire::Samples>(bytes, "samples");
  if (!body) return body.error();
  Copier copier(bytes.size());
  return copy_samples(**body, copier);
}

Result<ModelQuestion> decode_question(const AlignedBytes& bytes) {
  auto body = learning_body<wire::Question>(bytes, "a question");
  if (!body) return body.error();
  Copier copier(bytes.size());
  auto samples = copy_samples(*(*body)->samples(), copier);
  if (!samples) return samples.error();
  const wire::Goal& from = *(*body)->goal();
  ModelQuestion to;
  to.samples = std::move(*samples);
  to.goal.value = from.value();
  to.goal.confidence = from.confidence();
  to.goal.cost = copier.column(from.cost());
  to.goal.keep_asked = from.keep_asked();
  to.curves = (*body)->curves();
  if (copier.exceeded()) return out_of_proportion();
  return to;
}

Result<UsageQuestion> decode_usage(const AlignedBytes& bytes) {
  auto body = learning_body<wire::Usage>(bytes, "usage");
  if (!body) return body.error();
  const wire::Usage& from = **body;
  Copier copier(bytes.size());
  UsageQuestion to;
  UsageHistory& history = to.history;
  if (Error error = copy_names(from.apps(), "apps", copier, history.apps); failed(error)) return error;
  if (Error error = copy_names(from.resources(), "resources", copier, history.resources); failed(error)) return error;
  history.app = copier.column(from.app());
  history.replica = copier.column(from.replica());
  history.time = copier.column(from.time());
  history.amount = copier.column(from.amount());
  history.out_of_memory = copier.column(from.out_of_memory());
  to.options.periods = from.periods();
  to.options.cycle = from.cycle();
  for (const wire::SizeRule* rule : *from.rules()) {
    if (!copier.take(sizeof(SizeRule))) break;
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
  if (copier.exceeded()) return out_of_proportion();
  return to;
}

}  // namespace stowage::capi
