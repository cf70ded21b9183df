// Tables of instance types: what a node of each has, and what it costs.
#pragma once

#include <functional>
#include <string>

#include "capi/k8s/model/prices.h"

namespace stowage::k8s {

View trimmed(View text);
/// Calls `visit` for each line of a table that is neither empty nor a comment, with its number from 1.
void for_lines(View text, const std::function<void(int number, View line)>& visit);
/// Whether a text is a price, which is then in `amount`.
bool read_price(View text, double& amount);

/// Reads a table of types that may be added: CSV with the columns type, resources by their names in Kubernetes, price, zones
/// (with spaces between), arch and most. Fails, naming the line, where a value is wrong.
/// @param text outlives `to`
void read_types(View text, const std::string& file, Objects& to, Prices& prices);

/// Adds a kind for each type and zone of which there is none.
void add_types(Cluster& to);

}  // namespace stowage::k8s
