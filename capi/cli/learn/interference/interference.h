// The coefficients between all kinds of a file of observations: what is refused, what is warned of, and the way into an
// instance.
#pragma once

#include <string>
#include <vector>

#include "capi/cli/learn/interference/interference_fit.h"
#include "capi/cli/learn/interference/observations.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli::learn {

struct Warning {
  const char* code;  ///< "condition", "own-load", "no-freedom"
  std::string text;
};

struct LearnedInterference {
  std::vector<std::string> kinds;
  std::vector<KindFit> of;  ///< what each kind suffers
  std::vector<Warning> warnings;
};

/// Fits what each kind suffers. Fails where a kind is observed too rarely or where kinds cannot be told apart; the message
/// names `file` and the kinds.
LearnedInterference learn_interference(const Observations& observations, const std::string& file, const FitOptions& options);

/// Writes the coefficients into an instance, where apps keep their kinds. Learned kinds that the instance does not name are
/// left out and returned. An instance that has kinds without names takes all names in the order learned. Fails where apps have
/// no kind, or one that was not learned; `name` is that of the instance in messages.
std::vector<std::string> put_into(InstanceData& instance, const LearnedInterference& learned, const std::string& name);

}  // namespace stowage::cli::learn
