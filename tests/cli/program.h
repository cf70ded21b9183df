// The built program from outside. STOWAGE_PROGRAM is its path.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace stowage::cli::testing {

inline std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Exit code of a child, or 1000 + the signal that ended it.
inline int exit_code(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

struct Child {
  pid_t pid;
  int out;
};

/// Starts a shell command in which $S is the program; its output and errors can be read from `out`.
inline Child start(const std::string& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::setenv("S", STOWAGE_PROGRAM, 1);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[1]);
  return {pid, ends[0]};
}

struct Result {
  int code;
  std::string text;
};

inline Result shell(const std::string& command) {
  const Child child = start(command);
  std::string text = read_all(child.out);
  ::close(child.out);
  return {exit_code(child.pid), std::move(text)};
}

}  // namespace stowage::cli::testing
