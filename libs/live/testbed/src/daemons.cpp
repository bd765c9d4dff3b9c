// SPDX-License-Identifier: Apache-2.0
#include "daemons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <string_view>

extern "C" {  // the header of glibc 2.36 forgets to say so
#include <sys/pidfd.h>
}

namespace ebb::testbed {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

bool runs_daemon(const fs::path& process) {
  std::error_code gone;
  std::string program = fs::read_symlink(process / "exe", gone).filename().string();
  program = program.substr(0, program.find(' '));  // "... (deleted)" after an upgrade
  constexpr std::array kDaemons = {"ovs-vswitchd", "ovsdb-server", "ebb-agent",
                                   "snmpd",        "ebb-agentx",   "ebb-gnmi-target"};
  return std::find(kDaemons.begin(), kDaemons.end(), program) != kDaemons.end();
}

bool was_told(const fs::path& process, const std::string& beginning) {
  std::ifstream file(process / "cmdline");
  for (std::string argument; std::getline(file, argument, '\0');) {
    if (argument.compare(0, beginning.size(), beginning) == 0) return true;
  }
  return false;
}

void signal_all(const std::vector<Descriptor>& daemons, int signal) {
  for (const Descriptor& daemon : daemons)
    static_cast<void>(pidfd_send_signal(daemon.number(), signal, nullptr, 0));  // it may be gone
}

// Whether all have ended in time.
bool ended(const std::vector<Descriptor>& daemons, std::chrono::milliseconds patience) {
  const auto until = Clock::now() + patience;
  for (const Descriptor& daemon : daemons) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    pollfd wait{daemon.number(), POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) != 1)
      return false;
  }
  return true;
}

}  // namespace

std::vector<Descriptor> find_daemons(const std::string& folder) {
  const std::string told = fmt::format("--pidfile={}/", folder);
  const std::string told_snmpd = fmt::format("-p{}/", folder);
  std::vector<Descriptor> daemons;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator("/proc", unreadable)) {
    const int number = std::atoi(entry.path().filename().c_str());
    if (number <= 0 || !runs_daemon(entry.path())) continue;
    Descriptor process(pidfd_open(number, 0));
    // Asked after the descriptor was opened: what it says is about the process that we hold.
    if (process.open() && runs_daemon(entry.path()) &&
        (was_told(entry.path(), told) || was_told(entry.path(), told_snmpd)))
      daemons.push_back(std::move(process));
  }
  return daemons;
}

Result<void> end_daemons(const std::string& folder) {
  constexpr auto kPatience = std::chrono::seconds(5);
  constexpr int kMostRounds = 5;  // one that is starting may leave a child behind
  for (int round = 0; round < kMostRounds; ++round) {
    const auto daemons = find_daemons(folder);
    if (daemons.empty()) return {};
    signal_all(daemons, SIGTERM);
    if (ended(daemons, kPatience)) continue;
    signal_all(daemons, SIGKILL);
    static_cast<void>(ended(daemons, kPatience));
  }
  return fail("daemons of the fabric do not end", {folder});
}

}  // namespace ebb::testbed
