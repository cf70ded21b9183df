// Writes an instance with a FlatBuffers of its own and plans it: other_flatbuffers REQUEST.
#include <flatbuffers/flatbuffers.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <stowage.hpp>
#include <vector>

#include "instance_generated.h"

namespace wire = stowage::wire;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream stream(argv[1], std::ios::binary);
  const std::vector<char> request{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};

  flatbuffers::FlatBufferBuilder builder;
  const std::vector<flatbuffers::Offset<wire::Resource>> cores = {wire::CreateResourceDirect(builder, "cores")};
  const std::vector<flatbuffers::Offset<flatbuffers::String>> names = {builder.CreateString("shop"),
                                                                       builder.CreateString("search")};
  const std::vector<double> capacity = {4};
  const std::vector<flatbuffers::Offset<wire::NodeClass>> node = {wire::CreateNodeClassDirect(builder, "node", &capacity)};
  const auto resources = builder.CreateVector(cores);
  const auto classes = builder.CreateVector(node);
  const std::vector<std::uint32_t> replicas = {3, 2};
  const std::vector<double> demand = {1, 2};
  const auto apps = wire::CreateAppsDirect(builder, &names, &replicas, &demand);
  wire::InstanceBuilder instance(builder);
  instance.add_resources(resources);
  instance.add_apps(apps);
  instance.add_classes(classes);
  wire::FinishInstanceBuffer(builder, instance.Finish());
  flatbuffers::Verifier verifier(builder.GetBufferPointer(), builder.GetSize());
  if (!wire::VerifyInstanceBuffer(verifier)) return 3;

  try {
    const std::vector<char> bytes(builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize());
    const stowage::Buffer plan = stowage::Instance::load(bytes).plan(request);
    std::cout << "a plan of " << plan.size() << " bytes\n";
  } catch (const stowage::Error& error) {
    std::cerr << error.path() << " " << error.what() << "\n";
    return 1;
  }
  return 0;
}
