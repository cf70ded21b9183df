// A picture of a plan: all nodes, and what takes them.
#pragma once

#include <string>

#include "capi/text/formats/names.h"
#include "capi/text/words/use.h"
#include "plan_generated.h"

namespace stowage::cli {

/// Colours and fonts of a picture, for light and dark surroundings, as a style sheet.
std::string picture_style();

/// An SVG element of at most 960 units of width. Nodes are columns, as wide as they are large, by class; a strip per resource,
/// of at most four, the scarcest ones, shows what the largest apps, the others and the load take of each in the period in which
/// most is taken. Listed nodes that are not in use are empty columns. Of more nodes than a screen has room for, a column stands
/// for several, the fullest first. `style` is put into the element; empty where a document has it.
/// Of names, what XML cannot hold is in it as "\u001b". O(nodes + placed).
std::string picture_of(const wire::Plan& plan, const UseTable& use, const Names& names, const std::string& style);

}  // namespace stowage::cli
