// SPDX-License-Identifier: Apache-2.0
#include "command_line/progress.hpp"

#include "command_line/text.hpp"

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

void show_steps(StatusLine& line, std::string_view step, std::size_t done, std::size_t all) {
  if (!line.due()) return;
  const double rate = static_cast<double>(done) / std::max(line.seconds(), 1e-6);
  line.write(fmt::format("{} {} of {}, {:.3g} {}s/s, {} left", step, done, all, rate, step,
                         wall_text(static_cast<double>(all - done) / rate)));
}

namespace {

constexpr double kTooSoonToTell = 0.3;  // seconds

std::string_view to_text(netsim::Phase phase) {
  switch (phase) {
    case netsim::Phase::warm_up:
      return "warming up";
    case netsim::Phase::measure:
      return "measuring";
    case netsim::Phase::tail:
      return "waiting for the last messages";
  }
  return "";
}

}  // namespace

void ProgressLine::show(const netsim::Progress& progress) {
  simulated_ = progress.now;
  if (!line_.due()) return;
  // Flows have no hops to count.
  const double hops = static_cast<double>(progress.packet_hops) / std::max(line_.seconds(), 1e-6);
  const std::string speed =
      progress.packet_hops == 0 ? "" : fmt::format(", {} packet-hops/s", short_count(hops));
  if (progress.ranks > 0) {
    line_.write(fmt::format("running jobs: {} simulated, {} of {} ranks done{}",
                            short_text(progress.now.time_since_epoch()), progress.ranks_done,
                            progress.ranks, speed));
    return;
  }
  line_.write(fmt::format("{}: {} of {} simulated{}{}", to_text(progress.phase),
                          short_text(progress.now.time_since_epoch()), short_text(total(progress)),
                          speed, time_left(progress)));
}

// Simulated time when the run will end; a warm-up or a tail may end before its limit.
Duration ProgressLine::total(const netsim::Progress& progress) const {
  const Duration end = progress.end.time_since_epoch();
  return progress.phase == netsim::Phase::warm_up ? end + schedule_.measure : end;
}

// As if the run went on at its speed so far. A warm-up may end before its limit, a tail as well.
std::string ProgressLine::time_left(const netsim::Progress& progress) const {
  const auto done = static_cast<double>(progress.now.time_since_epoch().count());
  if (line_.seconds() < kTooSoonToTell || done <= 0) return "";
  const Duration ahead = total(progress) - progress.now.time_since_epoch();
  const bool may_end_before = progress.phase == netsim::Phase::tail ||
                              (progress.phase == netsim::Phase::warm_up && !schedule_.warm_up);
  return fmt::format(", {}{} left", may_end_before ? "at most " : "",
                     wall_text(line_.seconds() * static_cast<double>(ahead.count()) / done));
}

void ProgressLine::finish(const netsim::Report& report) {
  if (!line_.shown()) return;
  const double time = std::max(line_.seconds(), 1e-6);
  line_.write(fmt::format("{} simulated in {:.1f} s: {} packet-hops/s, {} events/s",
                          short_text(simulated_.time_since_epoch()), time,
                          short_count(static_cast<double>(report.packet_hops) / time),
                          short_count(static_cast<double>(report.events) / time)));
  fmt::print(stderr, "\n");
}

}  // namespace ebb::cli
