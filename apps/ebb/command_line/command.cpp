// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/text.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace ebb::cli {
namespace {

// The only variables that a signal handler may touch.
volatile std::sig_atomic_t signal_seen = 0;  // NOLINT
volatile std::sig_atomic_t hangup_seen = 0;  // NOLINT

extern "C" void remember_signal(int number) { signal_seen = number; }
extern "C" void remember_hangup(int /*number*/) { hangup_seen = 1; }

}  // namespace

std::string error_text(const Errors& errors) {
  std::string text;
  for (const Error& error : errors) {
    std::string line = to_string(Errors{error});
    constexpr std::string_view kWord = "error:";
    if (const auto at = line.find(kWord); at != std::string::npos)
      line.replace(at, kWord.size(), coloured(kWord, Colour::error, stderr));
    text += line;
  }
  return text;
}

ExitCode refuse(const Errors& errors) {
  fmt::print(stderr, "{}", error_text(errors));
  return ExitCode::bad_input;
}

ExitCode failed_outside(const Errors& errors) {
  fmt::print(stderr, "{}", error_text(errors));
  return ExitCode::outside;
}

ExitCode write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (file.flush()) return ExitCode::done;
  fmt::print(stderr, "{}: error: cannot be written\n", path);
  return ExitCode::outside;
}

ExitCode make_folder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (!problem) return ExitCode::done;
  fmt::print(stderr, "{}: error: cannot be made: {}\n", path, problem.message());
  return ExitCode::outside;
}

void notice_interrupts() {
  std::signal(SIGINT, remember_signal);
  std::signal(SIGTERM, remember_signal);
}

void notice_hangups() { std::signal(SIGHUP, remember_hangup); }

bool hung_up() {
  const bool seen = hangup_seen != 0;
  hangup_seen = 0;
  return seen;
}

bool interrupted() { return signal_seen != 0; }

void end_interrupted() {
  const int number = signal_seen;
  std::signal(number, SIG_DFL);
  std::raise(number);
  std::abort();  // the signal was blocked
}

}  // namespace ebb::cli
