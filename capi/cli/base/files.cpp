#include "capi/cli/base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "capi/cli/base/failure.h"

namespace stowage::cli {

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto fail = [&](int error) {
    if (descriptor > STDIN_FILENO) ::close(descriptor);
    throw Failure(name_ + ": cannot be read: " + std::strerror(error));
  };
  if (descriptor < 0) fail(errno);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    void* address = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address != MAP_FAILED) {
      mapping_ = address;
      data_ = static_cast<const std::uint8_t*>(address);
      size_ = static_cast<std::size_t>(status.st_size);
    }
  }
  if (mapping_ == nullptr) {
    constexpr std::size_t kStep = std::size_t{1} << 16;
    for (;;) {
      const std::size_t used = copy_.size();
      copy_.resize(used + kStep);
      const ssize_t got = ::read(descriptor, copy_.data() + used, kStep);
      if (got < 0 && errno == EINTR) {
        copy_.resize(used);
        continue;
      }
      if (got < 0) fail(errno);
      copy_.resize(used + static_cast<std::size_t>(got));
      if (got == 0) break;
    }
    data_ = copy_.data();
    size_ = copy_.size();
  }
  if (descriptor != STDIN_FILENO) ::close(descriptor);
}

InputFile::~InputFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, size_);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    // A device or a pipe is written to, not replaced.
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("cannot be written");
    return;
  }
  temporary_ = path_ + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary_.data());
  if (descriptor < 0) {
    temporary_.clear();
    fail("cannot be written");
  }
  // mkstemp keeps the file to its owner; a finished file has the permissions that any new file gets.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
  file_ = ::fdopen(descriptor, "wb");
  if (file_ == nullptr) {
    ::close(descriptor);
    fail("cannot be written");
  }
  std::setvbuf(file_, nullptr, _IOFBF, std::size_t{1} << 18);
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(const char* what) const { throw Failure(path_ + ": " + what + ": " + std::strerror(errno)); }

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot be written");
}

void OutputFile::write(std::span<const std::uint8_t> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::commit() {
  if (file_ == stdout) {
    if (std::fflush(stdout) != 0) fail("cannot be written");
    return;
  }
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail("cannot be written");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be replaced");
  temporary_.clear();
}

std::string extension(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos || dot == 0) return {};
  std::string result = name.substr(dot + 1);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

}  // namespace stowage::cli
