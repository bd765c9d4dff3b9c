// SPDX-License-Identifier: Apache-2.0
#include "processes.hpp"

#include "interfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <span>
#include <sstream>
#include <string_view>
#include <sys/file.h>
#include <thread>
#include <utility>

extern "C" {  // the header of glibc 2.36 forgets to say so
#include <sys/pidfd.h>
}

namespace ebb::testbed {
namespace {

constexpr std::size_t kAtOnce = 8;  // they wait for the kernel and for daemons more than they work

Result<Child> start(const Step& step) {
  if (step.space.empty()) return Child::start(step.words, step.options);
  const auto visit = NamespaceVisit::enter(step.space);
  if (!visit) return fail(visit.error());
  return Child::start(step.words, step.options);
}

struct Running {
  const Step* step;
  Child child;
};

void finish_first(std::deque<Running>& running, Errors& errors) {
  const Finished done = running.front().child.wait();
  const Step& step = *running.front().step;
  running.pop_front();
  if (done.exit_code == 0) return;
  errors.push_back({fmt::format("{} failed ({}) {}{}{}", step.words[0], done.exit_code, step.space,
                                done.stderr_text.empty() ? "" : ": ", done.stderr_text),
                    {}});
}

}  // namespace

Result<void> run_all(const std::vector<Step>& steps) {
  Errors errors;
  std::deque<Running> running;
  for (const Step& step : steps) {
    if (running.size() == kAtOnce) finish_first(running, errors);
    if (!errors.empty()) break;
    auto child = start(step);
    if (!child) {
      errors = child.error();
      break;
    }
    running.push_back({&step, std::move(*child)});
  }
  while (!running.empty()) finish_first(running, errors);
  if (errors.empty()) return {};
  errors.resize(1);  // the others mostly repeat it
  return fail(std::move(errors));
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 6> kDaemons = {
    "ovs-vswitchd", "ovsdb-server", "ebb-agent", "snmpd", "ebb-agentx", "ebb-gnmi-target"};
// Of them those that are the switch itself.
constexpr std::size_t kSwitchDaemons = 2;

bool runs_one_of(const fs::path& process, std::span<const std::string_view> programs) {
  std::error_code gone;
  std::string program = fs::read_symlink(process / "exe", gone).filename().string();
  program = program.substr(0, program.find(' '));  // "... (deleted)" after an upgrade
  return std::find(programs.begin(), programs.end(), program) != programs.end();
}

bool was_told(const fs::path& process, const std::string& beginning) {
  std::ifstream file(process / "cmdline");
  for (std::string argument; std::getline(file, argument, '\0');) {
    if (argument.compare(0, beginning.size(), beginning) == 0) return true;
  }
  return false;
}

void signal_all(const std::vector<UniqueFd>& daemons, int signal) {
  for (const UniqueFd& daemon : daemons)
    static_cast<void>(pidfd_send_signal(daemon.number(), signal, nullptr, 0));  // it may be gone
}

// Whether all have ended in time.
bool ended(const std::vector<UniqueFd>& daemons, std::chrono::milliseconds timeout) {
  const auto until = Clock::now() + timeout;
  for (const UniqueFd& daemon : daemons) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    pollfd wait{daemon.number(), POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) != 1)
      return false;
  }
  return true;
}

}  // namespace

namespace {

std::vector<UniqueFd> find_running(const std::string& folder,
                                   std::span<const std::string_view> programs) {
  const std::string told = fmt::format("--pidfile={}/", folder);
  const std::string told_snmpd = fmt::format("-p{}/", folder);
  std::vector<UniqueFd> daemons;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator("/proc", unreadable)) {
    const int number = std::atoi(entry.path().filename().c_str());
    if (number <= 0 || !runs_one_of(entry.path(), programs)) continue;
    UniqueFd process(pidfd_open(number, 0));
    // Asked after the descriptor was opened: what it says is about the process that we hold.
    if (process.open() && runs_one_of(entry.path(), programs) &&
        (was_told(entry.path(), told) || was_told(entry.path(), told_snmpd)))
      daemons.push_back(std::move(process));
  }
  return daemons;
}

}  // namespace

std::vector<UniqueFd> find_daemons(const std::string& folder) {
  return find_running(folder, kDaemons);
}

Result<void> kill_switch_daemons(const std::string& device_folder) {
  constexpr auto kLimit = std::chrono::seconds(5);
  const auto daemons = find_running(device_folder, std::span(kDaemons).first(kSwitchDaemons));
  signal_all(daemons, SIGKILL);
  if (ended(daemons, kLimit)) return {};
  return fail("daemons of the switch do not end", {device_folder});
}

Result<void> end_daemons(const std::string& folder) {
  constexpr auto kLeaseTimeout = std::chrono::seconds(5);
  constexpr int kMostRounds = 5;  // one that is starting may leave a child behind
  for (int round = 0; round < kMostRounds; ++round) {
    const auto daemons = find_daemons(folder);
    if (daemons.empty()) return {};
    signal_all(daemons, SIGTERM);
    if (ended(daemons, kLeaseTimeout)) continue;
    signal_all(daemons, SIGKILL);
    static_cast<void>(ended(daemons, kLeaseTimeout));
  }
  return fail("daemons of the fabric do not end", {folder});
}

Result<UniqueFd> lock_fabric(const std::string& name, const StateFolder& state) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  constexpr int kMostPauses = 1500;  // 30 s: longer than a step of the largest fabric
  const std::string path = state.lock(name);
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) return fail(fmt::format("cannot lock: {}", std::strerror(errno)), {path});
  for (int pause = 0; flock(file.number(), LOCK_EX | LOCK_NB) != 0; ++pause) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return fail(fmt::format("cannot lock: {}", std::strerror(errno)), {path});
    if (pause == kMostPauses)
      return fail(fmt::format("another ebb is at work on fabric '{}'", name), {path});
    std::this_thread::sleep_for(kPause);
  }
  return file;
}

}  // namespace ebb::testbed
