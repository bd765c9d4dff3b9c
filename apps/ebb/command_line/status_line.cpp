// SPDX-License-Identifier: Apache-2.0
#include "command_line/status_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ebb::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLines(100);

// A line that wraps could not be replaced.
std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79U;
}

}  // namespace

StatusLine::StatusLine() : shown_(isatty(STDERR_FILENO) == 1) {}

bool StatusLine::due() {
  if (!shown_ || Clock::now() < next_) return false;
  next_ = Clock::now() + kBetweenLines;
  return true;
}

void StatusLine::write(std::string text) const {
  text.resize(std::min(text.size(), terminal_width()));
  fmt::print(stderr, "\r{}\033[K", text);
  std::fflush(stderr);
}

void StatusLine::clear() const {
  if (shown_) write("");
}

double StatusLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - began_).count();
}

std::string wall_text(double seconds) {
  const auto whole = std::llround(std::ceil(seconds));
  if (whole < 120) return fmt::format("{} s", whole);
  if (whole < 7200) return fmt::format("{} min", (whole + 59) / 60);
  return fmt::format("{:.1f} h", static_cast<double>(whole) / 3600);
}

}  // namespace ebb::cli
