#include <string>

#include "capi/src/codec.h"
#include "capi/src/wire_reader.h"
#include "derivation_generated.h"

namespace stowage::capi {

Result<Derivation> decode_derivation(const AlignedBytes& bytes, WatchRef watch) {
  auto table = root<wire::Derivation>(bytes, Kind::kDerivation, watch);
  if (!table) return table.error();
  const wire::Derivation& from = **table;
  Derivation to;
  Copier copier(watch);
  to.name = copier.text(from.name());
  to.demand = from.demand();
  to.replicas = from.replicas();
  to.capacity = from.capacity();
  to.load = from.load();
  to.price = from.price();
  to.limits = from.limits();
  if (from.by_resource() != nullptr) {
    for (const wire::ResourceFactors* one : *from.by_resource()) {
      if (copier.step(1)) break;
      to.by_resource.push_back({copier.text(one->name()), one->resource(), one->demand(), one->capacity(), one->load()});
    }
  }
  if (from.by_app() != nullptr) {
    for (const wire::AppChange* one : *from.by_app()) {
      if (copier.step(1)) break;
      to.by_app.push_back({copier.text(one->name()), one->app(), one->replicas(), one->replica_factor(),
                           copier.column(one->demand()), one->demand_factor()});
    }
  }
  if (from.by_class() != nullptr) {
    for (const wire::ClassChange* one : *from.by_class()) {
      if (copier.step(1)) break;
      to.by_class.push_back({copier.text(one->name()), one->node_class(), one->count(), copier.column(one->capacity()),
                             one->capacity_factor(), one->price()});
    }
  }
  if (copier.ended()) return cancelled();
  return to;
}

}  // namespace stowage::capi
