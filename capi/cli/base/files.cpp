#include "capi/cli/base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
// Input that zlib does not write to.
#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// Where symbolic links lead to, also where nothing is there yet. Empty, and errno is set, where they lead in a circle.
std::string followed(std::string path) {
  constexpr int kMostLinks = 40;
  for (int links = 0; links < kMostLinks; ++links) {
    std::array<char, 4096> link;
    const ssize_t size = ::readlink(path.c_str(), link.data(), link.size());
    if (size < 0) return path;
    const std::string next(link.data(), static_cast<std::size_t>(size));
    path = next.starts_with('/') ? next : folder_of(path).append("/").append(next);
  }
  errno = ELOOP;
  return {};
}

/// Has the disk take what was written. True also where a file system does not know of that.
bool synchronized(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS; }

/// The same for the names in the folder of `path`. Not every system can.
void synchronize_folder(const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

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
  constexpr off_t kLarge = off_t{1} << 24;
  if (S_ISREG(status.st_mode) && status.st_size > kLarge) {
    void* address = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address != MAP_FAILED) {
      mapping_ = address;
      data_ = static_cast<const std::uint8_t*>(address);
      size_ = static_cast<std::size_t>(status.st_size);
    }
  }
  if (mapping_ == nullptr) {
    if (const int error = read_all(descriptor); error != 0) fail(error);
    data_ = copy_.get();
  }
  if (descriptor != STDIN_FILENO) ::close(descriptor);
  if (mapping_ == nullptr && size_ > kMostRead) {
    throw Failure(name_ + ": has more than " + for_people(static_cast<double>(kMostRead), 0) +
                  " bytes, the most that is read of what is no regular file");
  }
  if (text().starts_with("\x1F\x8B")) inflate();
}

/// Replaces compressed bytes by what they stand for: one stream after the other, as gzip writes them.
void InputFile::inflate() {
  constexpr std::size_t kFree = std::size_t{1} << 26, kTimes = 200;
  const std::size_t most = std::min(kMostRead, kFree + kTimes * size_);
  std::unique_ptr<std::uint8_t, Free> made;
  std::size_t room = 0, size = 0;
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (::inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, ::inflateEnd);
  std::size_t taken = 0;
  for (int status = Z_OK; status != Z_STREAM_END || taken < size_;) {
    if (status == Z_STREAM_END) ::inflateReset(&stream);
    if (size == room) {
      room = std::min(std::max(std::size_t{1} << 16, 2 * room), most + 1);
      auto* larger = static_cast<std::uint8_t*>(std::realloc(made.get(), room));
      if (larger == nullptr) throw std::bad_alloc();
      static_cast<void>(made.release());
      made.reset(larger);
    }
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
    const std::size_t given = std::min(size_ - taken, kMostAtOnce), free = std::min(room - size, kMostAtOnce);
    stream.next_in = data_ + taken;
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = made.get() + size;
    stream.avail_out = static_cast<uInt>(free);
    status = ::inflate(&stream, Z_NO_FLUSH);
    taken += given - stream.avail_in;
    size += free - stream.avail_out;
    if (status != Z_OK && status != Z_STREAM_END) throw Failure(name_ + ": the compressed file is damaged");
    if (size > most) throw Failure(name_ + ": the compressed file stands for more than " + std::to_string(most) + " bytes");
  }
  unmap();
  copy_ = std::move(made);
  data_ = copy_.get();
  size_ = size;
}

int InputFile::read_all(int descriptor) {
  std::size_t room = 0;
  for (;;) {
    if (size_ == room) {
      constexpr std::size_t kLeast = std::size_t{1} << 16;
      room = std::min(std::max(kLeast, 2 * room), kMostRead + 1);
      auto* larger = static_cast<std::uint8_t*>(std::realloc(copy_.get(), room));
      if (larger == nullptr) return ENOMEM;
      static_cast<void>(copy_.release());
      copy_.reset(larger);
    }
    const ssize_t got = ::read(descriptor, copy_.get() + size_, room - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    size_ += static_cast<std::size_t>(got);
    if (got == 0 || size_ > kMostRead) return 0;
  }
}

void InputFile::unmap() {
  if (mapping_ != nullptr) ::munmap(mapping_, size_);
  mapping_ = nullptr;
}

InputFile::~InputFile() { unmap(); }

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  target_ = followed(path_);
  if (target_.empty()) fail("cannot be written");
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  // A file that may not be written is not replaced either.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot be written");
  if (!exists || S_ISREG(old.st_mode)) temporary_.emplace(target_);
  if (!temporary_ || (exists && temporary_->descriptor() < 0)) {
    // A device or a pipe; or the folder takes no new files, while the file may still be written.
    temporary_.reset();
    file_ = std::fopen(target_.c_str(), "wbe");
  } else if (temporary_->descriptor() >= 0) {
    const int descriptor = temporary_->descriptor();
    in_place_ = exists && (!imitate(descriptor, old) || old.st_nlink > 1);
    if (!exists) {
      // A finished file has the permissions that any new file gets.
      const mode_t mask = ::umask(0);
      ::umask(mask);
      ::fchmod(descriptor, 0666 & ~mask);
    }
    file_ = ::fdopen(descriptor, "wb");
    if (file_ == nullptr) ::close(descriptor);
  }
  if (file_ == nullptr) fail("cannot be written");
  std::setvbuf(file_, nullptr, _IOFBF, std::size_t{1} << 18);
}

bool OutputFile::imitate(int descriptor, const struct stat& old) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return false;
  const bool same = status.st_uid == old.st_uid && status.st_gid == old.st_gid;
  if (!same && ::fchown(descriptor, old.st_uid, old.st_gid) != 0) return false;
  return ::fchmod(descriptor, old.st_mode & 07777) == 0;
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void OutputFile::fail(const char* what) const {
  throw Failure((path_ == "-" ? "standard output" : path_) + ": " + what + ": " + std::strerror(errno));
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot be written");
}

void OutputFile::write(std::span<const std::uint8_t> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail("cannot be written");
  if (file_ == stdout) return;
  if (temporary_) {
    if (!synchronized(::fileno(file_))) fail("cannot be written");
    // A mount point (EBUSY) cannot be replaced.
    if (!in_place_ && !temporary_->rename_to(target_)) {
      if (errno != EBUSY) fail("cannot be replaced");
      in_place_ = true;
    }
    if (in_place_) copy_into_target();
    synchronize_folder(target_);
  }
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail("cannot be written");
}

void OutputFile::copy_into_target() const {
  const int target = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (target < 0) fail("cannot be written");
  const auto give_up = [&] {
    const int why = errno;
    ::close(target);
    errno = why;
    fail("cannot be written");
  };
  std::vector<char> buffer(kFlushSize);
  off_t at = 0;
  for (;;) {
    const ssize_t got = ::pread(::fileno(file_), buffer.data(), buffer.size(), at);
    if (got < 0) give_up();
    if (got == 0) break;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::pwrite(target, buffer.data() + done, static_cast<std::size_t>(got - done), at + done);
      if (put < 0) give_up();
      done += put;
    }
    at += got;
  }
  if (::ftruncate(target, at) != 0 || !synchronized(target)) give_up();
  if (::close(target) != 0) fail("cannot be written");
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
