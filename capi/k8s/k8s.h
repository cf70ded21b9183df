// Questions about a Kubernetes cluster, from what kubectl prints: the command `stowage k8s` and the function of stowage_k8s.h.
#pragma once

#include <stowage.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::k8s {

/// What a command line says before anything is read.
struct Call {
  std::string question;  ///< "" = everything
  std::vector<std::string> operands;
  std::vector<std::string> files;        ///< with objects; empty = standard input
  std::vector<std::string> prices;       ///< values of -price and -types
  std::vector<std::string> price_files;  ///< of these, the names of files
  std::string context, kubeconfig;       ///< where kubectl is to be asked
  bool help = false;
  std::vector<std::string> arguments;
};

/// Reads a command line, on which options and operands may be mixed. Fails where an option is unknown or has a wrong value.
/// @param is_file whether a value of --price names a file
Call read_call(const std::vector<std::string>& arguments, const std::function<bool(const std::string&)>& is_file);

/// What a program has to read for a call, as JSON: "files", "prices" (which may be names of files), "context", "kubeconfig"
/// and, where it asks for that, "help".
std::string described(const Call& call);

/// The options and questions, a line each.
std::string usage();

/// A text with objects, and what messages call it.
struct Input {
  std::string name;
  std::string_view text;
};

struct Outcome {
  std::string text;  ///< for people or, with -json, JSON
  int exit_code = 0;
};

/// Exit codes beside the usual: nothing is left over, but an object that is not in the input could change that.
inline constexpr int kExitUncertain = 4;

class At;

/// Answers. Fails, naming the place, where the input is not what it should be.
/// @param files  the texts of the call's price files
/// @param groups of the question which of them to grow, expand.cpp; nullptr = none
Outcome answer(const Call& call, const std::vector<Input>& inputs, const std::map<std::string, std::string>& files,
               stowage_control* control = nullptr, const At* groups = nullptr);

}  // namespace stowage::k8s
