#include "capi/cli/base/papers.h"

#include <array>
#include <cctype>
#include <cstddef>

namespace stowage::cli {
namespace {

constexpr std::array<const char*, 5> kTitles = {
    "Affinity-Aware Resource Provisioning for Long-Running Applications in Shared Clusters",
    "Solving the Batch Stochastic Bin Packing Problem in Cloud: A Chance-constrained\n    Optimization Approach",
    "Medea: Scheduling of Long Running Applications in Shared Production Clusters",
    "LraSched: Admitting More Long-Running Applications via Auto-Estimating Container Size\n    and Affinity",
    "Optimizing egalitarian performance in the side-effects model of colocation for data\n    center resource management",
};

bool is_word(std::string_view text, std::size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

bool cites(std::string_view text, std::string_view paper) {
  for (std::size_t at = text.find(paper); at != std::string_view::npos; at = text.find(paper, at + 1)) {
    if ((at == 0 || !is_word(text, at - 1)) && !is_word(text, at + paper.size())) return true;
  }
  return false;
}

}  // namespace

std::string papers_legend(std::string_view text) {
  std::string legend;
  for (std::size_t i = 0; i < kTitles.size(); ++i) {
    const std::string paper = "P" + std::to_string(i);
    if (cites(text, paper)) legend += paper + "  " + kTitles[i] + "\n";
  }
  return legend;
}

}  // namespace stowage::cli
