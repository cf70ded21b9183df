#include "capi/cli/library/library.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/names.h"
#include "capi/text/records/derivation_codec.h"

namespace stowage::cli {
namespace {

constexpr std::array<std::string_view, 6> kScaled = {"demand", "replicas", "capacity", "load", "price", "limits"};

/// "WHAT=FACTOR" or "WHAT.NAME=FACTOR".
struct ScaleText {
  std::string_view what;
  std::string_view name;
  double factor = 1;
};

ScaleText parse_scale(std::string_view text) {
  const auto wrong = [&](const std::string& reason) {
    return Failure("--scale: \"" + printable(std::string(text)) + "\" " + reason);
  };
  // A name may contain the sign itself.
  const std::size_t equals = text.rfind('=');
  const auto factor = equals == std::string_view::npos ? std::nullopt : parse_number(text.substr(equals + 1));
  if (!factor) throw wrong("is not WHAT=FACTOR (such as demand=1.3 or demand.cpu=1.3)");
  if (*factor < 0) throw wrong("has a factor below 0");
  const std::string_view key = text.substr(0, equals);
  const std::size_t dot = std::min(key.find('.'), key.size());
  ScaleText scale{key.substr(0, dot), key.substr(std::min(dot + 1, key.size())), *factor};
  if (std::find(kScaled.begin(), kScaled.end(), scale.what) == kScaled.end()) {
    throw wrong("scales none of demand, replicas, capacity, load, price, limits" +
                did_you_mean(scale.what, {kScaled.begin(), kScaled.end()}));
  }
  if (dot < key.size() && (scale.what == "price" || scale.what == "limits"))
    throw wrong("names a part of what scales as a whole");
  if (dot < key.size() && scale.name.empty()) throw wrong("names nothing after the dot");
  return scale;
}

}  // namespace

flatbuffers::DetachedBuffer encode_derivation(const std::vector<std::string>& scales, const wire::Instance& instance) {
  DerivationData data;
  std::map<std::uint32_t, ResourceFactorsData> by_resource;
  std::set<std::string_view> given;
  for (const std::string& text : scales) {
    const ScaleText scale = parse_scale(text);
    if (!given.insert(std::string_view(text).substr(0, text.rfind('='))).second) {
      throw Failure("--scale: gives " + printable(text.substr(0, text.rfind('='))) + " twice");
    }
    if (scale.name.empty()) {
      const std::map<std::string_view, double*> factors = {{"demand", &data.demand},     {"replicas", &data.replicas},
                                                           {"capacity", &data.capacity}, {"load", &data.load},
                                                           {"price", &data.price},       {"limits", &data.limits}};
      *factors.at(scale.what) = scale.factor;
    } else if (scale.what == "replicas") {
      const std::uint32_t app = Names(instance).find_app(std::string(scale.name), "--scale");
      data.by_app.push_back({.app = app, .replica_factor = scale.factor});
    } else {
      const std::uint32_t resource = Names(instance).find_resource(scale.name, "--scale");
      ResourceFactorsData& of = by_resource[resource];
      of.resource = resource;
      (scale.what == "demand" ? of.demand : scale.what == "capacity" ? of.capacity : of.load) = scale.factor;
    }
  }
  for (const auto& [resource, factors] : by_resource) data.by_resource.push_back(factors);
  codec::Builder builder;
  wire::FinishDerivationBuffer(builder, codec::write_derivation(builder, data));
  return builder.Release();
}

}  // namespace stowage::cli
