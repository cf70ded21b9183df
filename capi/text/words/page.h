// A plan as a page for a browser and for paper.
#pragma once

#include <cstddef>
#include <string>

#include "capi/text/formats/names.h"
#include "plan_generated.h"
#include "report_generated.h"

namespace stowage::cli {

/// Lines of the table of nodes of a page.
inline constexpr std::size_t kNodesOfAPage = 400;

/// An HTML document that needs no other file and runs no script: the answer, how sure it is, what decides, the picture
/// (picture.h), and tables of goals, classes and nodes. `verification` is the checker's report on the plan, which belongs to
/// the instance of `names`.
/// @param source the file of the instance; empty: none is named
std::string page_of(const wire::Plan& plan, const wire::Verification& verification, const Names& names,
                    const std::string& source = {});

}  // namespace stowage::cli
