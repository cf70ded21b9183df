#include "capi/lab/experiment/gnuplot.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "capi/cli/base/files.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::lab {
namespace {

constexpr int kNotFound = 127;

/// By Okabe and Ito.
constexpr std::array<const char*, kColors> kPalette = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                                       "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F"};

/// Runs gnuplot in `folder`; its exit code, kNotFound where there is none.
int run_gnuplot(const std::string& folder, const char* argument) {
  const pid_t child = ::fork();
  if (child < 0) throw Failure(std::string("gnuplot: cannot be started: ") + std::strerror(errno), kExitInternal);
  if (child == 0) {
    if (::chdir(folder.c_str()) == 0) {
      // The version that gnuplot prints must not appear among the results.
      if (std::strcmp(argument, "--version") == 0) ::close(STDOUT_FILENO);
      ::execlp("gnuplot", "gnuplot", argument, static_cast<char*>(nullptr));
    }
    ::_exit(kNotFound);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Failure(std::string("gnuplot: ") + std::strerror(errno), kExitInternal);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kNotFound + WTERMSIG(status);
}

}  // namespace

void need_gnuplot() {
  if (run_gnuplot(".", "--version") != 0) {
    throw Failure("charts need gnuplot: install it (on Debian the package gnuplot-nox), or pass --no-charts");
  }
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') result += '\'';
    result += letter;
  }
  return result + "'";
}

std::string row_of(const std::vector<double>& values) {
  std::string row;
  for (const double value : values) row += (row.empty() ? "" : " ") + (std::isnan(value) ? "NaN" : shortest(value));
  return row + "\n";
}

std::string script_head(const std::string& name, int width, int height) {
  return "# Draw with: gnuplot " + name + ".gp\nset terminal svg size " + std::to_string(width) + "," + std::to_string(height) +
         " font 'sans-serif,12' background '#FFFFFF' noenhanced\nset output " + quoted(name + ".svg") +
         "\nset datafile missing 'NaN'\nset grid lc rgb '#DDDDDD' lt 1\nset border 3 lc rgb '#555555'\nset tics nomirror\n"
         "set format y '%g'\n";
}

std::string colored(std::size_t n, const std::string& title) {
  const std::string color = " lc rgb " + quoted(kPalette[n % kColors]);
  return color + (title.empty() ? " notitle" : " title " + quoted(title));
}

std::string tics(const std::vector<std::string>& labels) {
  std::string text;
  for (std::size_t k = 0; k < labels.size(); ++k) text += (k > 0 ? ", " : "") + quoted(labels[k]) + " " + std::to_string(k);
  return text;
}

void Plot::add(const std::string& block, const std::string& rows, const std::string& style) {
  if (rows.empty()) return;
  block_ = block;
  text_ += "$" + block + " << EOD\n" + rows + "EOD\n";
  plots_ += (plots_.empty() ? "plot $" : ", $") + block + " " + style;
}

void draw_chart(const std::string& folder, const std::string& name, const std::string& script) {
  const std::string file = name + ".gp";
  OutputFile out((std::filesystem::path(folder) / file).string());
  out.write(script);
  out.commit();
  const int code = run_gnuplot(folder, file.c_str());
  if (code != 0) {
    throw Failure((std::filesystem::path(folder) / file).string() + ": gnuplot ended with exit code " + std::to_string(code),
                  kExitInternal);
  }
}

}  // namespace stowage::cli::lab
