// Plans an instance: consumer INSTANCE REQUEST.
#include <fstream>
#include <iostream>
#include <iterator>
#include <stowage.hpp>
#include <vector>

namespace {

std::vector<char> read_file(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const stowage::Instance instance = stowage::Instance::load(read_file(argv[1]));
    const stowage::Buffer plan = instance.plan(read_file(argv[2]));
    std::cout << "stowage " << stowage::version() << ": a plan of " << plan.size() << " bytes\n";
  } catch (const stowage::Error& error) {
    std::cerr << stowage_status_text(error.status()) << ": " << error.path() << " " << error.what() << "\n";
    return 1;
  }
  return 0;
}
