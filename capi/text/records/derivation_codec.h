// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/derivation_records.h"

namespace stowage::cli::codec {

inline flatbuffers::Offset<wire::ResourceFactors> write_resource_factors(Builder& builder, ResourceFactorsData& from) {
  const auto name = builder.put(from.name);
  return wire::CreateResourceFactors(builder, name, from.resource, from.demand, from.capacity, from.load);
}

inline flatbuffers::Offset<wire::AppChange> write_app_change(Builder& builder, AppChangeData& from) {
  const auto name = builder.put(from.name);
  const auto demand = builder.put(from.demand);
  return wire::CreateAppChange(builder, name, from.app, from.replicas, from.replica_factor, demand, from.demand_factor);
}

inline flatbuffers::Offset<wire::ClassChange> write_class_change(Builder& builder, ClassChangeData& from) {
  const auto name = builder.put(from.name);
  const auto capacity = builder.put(from.capacity);
  return wire::CreateClassChange(builder, name, from.node_class, from.count, capacity, from.capacity_factor, from.price);
}

inline flatbuffers::Offset<wire::Derivation> write_derivation(Builder& builder, DerivationData& from) {
  const auto name = builder.put(from.name);
  const auto by_resource = builder.all(from.by_resource, write_resource_factors);
  const auto by_app = builder.all(from.by_app, write_app_change);
  const auto by_class = builder.all(from.by_class, write_class_change);
  return wire::CreateDerivation(builder, 1, name, from.demand, from.replicas, from.capacity, from.load, from.price, from.limits, by_resource, by_app, by_class);
}

}  // namespace stowage::cli::codec
