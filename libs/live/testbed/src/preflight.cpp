// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight.hpp"

#include "ebb/core/process.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"
#include "ebb/transport/tls.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <unistd.h>
#include <utility>

namespace ebb::testbed::preflight {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      break;
  }
  return "fail";
}

CheckResult check_user() {
  if (geteuid() == 0) return {"user", Verdict::ok, "root"};
  return {"user", Verdict::fail, fmt::format("number {}, not root", geteuid()),
          "run as root; a controller of switches elsewhere (--listen) needs no privilege"};
}

std::span<const Program> fabric_programs() {
  static const std::array kPrograms = {
      Program{"ovs-vswitchd", "--version", "openvswitch-switch", Verdict::fail, "the switches"},
      Program{"ovsdb-server", "--version", "openvswitch-switch", Verdict::fail, "their databases"},
      Program{"ovsdb-tool", "--version", "openvswitch-switch", Verdict::fail, "makes these"},
      Program{"ovs-vsctl", "--version", "openvswitch-switch", Verdict::fail, "configures switches"},
      Program{"ip", "-V", "iproute2", Verdict::fail, "namespaces and cables"},
      Program{"tc", "-V", "iproute2", Verdict::fail, "rates of ports"},
      Program{"openssl", "version", "openssl", Verdict::warn, "makes certificates for TLS"},
      Program{"fping", "--version", "fping", Verdict::warn, "asks hosts, with --live"}};
  return kPrograms;
}

CheckResult check_program(const Program& program) {
  const auto path = program_path(program.name);
  if (!path) {
    return {program.name, program.without, fmt::format("not on the path ({})", program.purpose),
            "Debian: apt-get install " + program.package};
  }
  const auto said = run_program({*path, program.version_option});
  if (!said || said->exit_code != 0) {
    return {program.name, program.without, fmt::format("{} does not run", *path),
            "Debian: apt-get install --reinstall " + program.package};
  }
  return {program.name, Verdict::ok, said->output.substr(0, said->output.find('\n'))};
}

namespace {

struct Trial {
  std::string subject;
  std::vector<std::string> words;
  std::string remedy;
};

std::vector<Trial> trials(const std::string& space) {
  return {
      {"network namespaces",
       {"ip", "netns", "add", space},
       "run as root, in a container with CAP_SYS_ADMIN; kernel: CONFIG_NET_NS"},
      {"virtual cables",
       {"ip", "-n", space, "link", "add", "name", "left", "type", "veth", "peer", "name", "right"},
       "modprobe veth; kernel: CONFIG_VETH"},
      {"port rates",
       {"tc", "-n", space, "qdisc", "add", "dev", "left", "root", "tbf", "rate", "10mbit", "burst",
        "16kb", "limit", "200kb"},
       "modprobe sch_tbf; kernel: CONFIG_NET_SCH_TBF"}};
}

CheckResult attempt(Trial trial) {
  const auto done = run_program(std::move(trial.words));
  if (done && done->exit_code == 0) return {std::move(trial.subject), Verdict::ok, "can be made"};
  const std::string said = done ? done->stderr_text : to_string(done.error());
  return {std::move(trial.subject), Verdict::fail, said.substr(0, said.find('\n')),
          std::move(trial.remedy)};
}

}  // namespace

CheckResults check_kernel() {
  // No other process has it.
  const std::string space = fmt::format("ebb-doctor-{}", getpid());
  CheckResults results;
  for (Trial& trial : trials(space)) {
    results.push_back(attempt(std::move(trial)));
    if (results.back().verdict != Verdict::ok) break;
  }
  if (results[0].verdict == Verdict::ok)
    static_cast<void>(run_program({"ip", "netns", "del", space}));
  return results;
}

namespace {

// Nothing: it can be written to.
std::string problem_of_writing(const std::string& path) {
  std::string probe = path + "/doctor-XXXXXX";
  const int file = mkstemp(probe.data());
  if (file < 0) return std::strerror(errno);
  close(file);
  unlink(probe.c_str());
  return "";
}

}  // namespace

CheckResult check_folder(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    const auto above = std::filesystem::path(path).parent_path().string();
    if (const auto problem = problem_of_writing(above); !problem.empty()) {
      return {"state folder", Verdict::fail, fmt::format("{}: cannot be made: {}", path, problem),
              "--state DIR, or run as a user who may write to " + above};
    }
    return {"state folder", Verdict::ok, path + " will be made"};
  }
  if (const auto problem = problem_of_writing(path); !problem.empty()) {
    return {"state folder", Verdict::fail, fmt::format("{}: {}", path, problem),
            "--state DIR, or run as a user who may write to it"};
  }
  if ((facts.st_mode & S_IWOTH) != 0) {
    return {"state folder", Verdict::fail,
            fmt::format("{}: every user may write to it, and so command switches", path),
            "chmod o-w " + path};
  }
  return {"state folder", Verdict::ok, fmt::format("{}, mode {:o}", path, facts.st_mode & 07777U)};
}

std::uint64_t descriptors_needed(std::uint32_t switches) {
  // Of each switch: the listener, the stream, its database, and one more while it comes again.
  constexpr std::uint64_t kPerSwitch = 4;
  // Log, audit trail, transcript, status, metrics, operators, clocks.
  constexpr std::uint64_t kOthers = 64;
  return kOthers + kPerSwitch * switches;
}

CheckResult check_descriptors(std::uint32_t switches) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const std::uint64_t needed = descriptors_needed(switches);
  CheckResult finding{"open files", Verdict::ok,
                      fmt::format("{} at a time, {} needed", limit.rlim_cur, needed)};
  if (limit.rlim_cur < needed) {
    finding.verdict = Verdict::fail;
    finding.remedy = fmt::format("ulimit -n {0}; in a unit LimitNOFILE={0}", needed);
  }
  return finding;
}

CheckResult check_clock() {
  constexpr std::time_t kBeforeEbb = 1'767'225'600;  // 2026-01-01: no ebb was there
  if (std::time(nullptr) < kBeforeEbb)
    return {"clock", Verdict::fail, "before 2026", "set the time; certificates are not valid yet"};
  timex state{};
  if (adjtimex(&state) == TIME_ERROR || (state.status & STA_UNSYNC) != 0) {
    return {"clock", Verdict::warn, "nothing keeps it right",
            "apt-get install systemd-timesyncd; or the host of this container does it"};
  }
  return {"clock", Verdict::ok, "kept right from outside"};
}

namespace {

using Days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;

CheckResult look_at_validity(const std::string& subject, const std::string& file) {
  constexpr Days kSoon{30};
  const auto left = transport::validity(file);
  if (!left) {
    return {subject, Verdict::fail, to_string(left.error().front()), "name a PEM file"};
  }
  if (left->begins_in.count() > 0)
    return {subject, Verdict::fail, file + " is not valid yet", "look at the clock"};
  if (left->ends_in.count() <= 0)
    return {subject, Verdict::fail, file + " has expired", "have it signed anew"};
  const auto days = std::chrono::floor<Days>(left->ends_in);
  CheckResult finding{subject, Verdict::ok,
                      fmt::format("{}: valid for {} days", file, days.count())};
  if (days < kSoon) {
    finding.verdict = Verdict::warn;
    finding.remedy = "have it signed anew soon";
  }
  return finding;
}

CheckResult look_at_key(const std::string& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0)
    return {"key", Verdict::fail, file + ": no such file", "name a PEM file"};
  if ((facts.st_mode & (S_IROTH | S_IWOTH)) != 0)
    return {"key", Verdict::fail, file + ": every user may read it", "chmod 640 " + file};
  return {"key", Verdict::ok, fmt::format("{}, mode {:o}", file, facts.st_mode & 07777U)};
}

CheckResult look_at_pair(const transport::TlsFiles& files) {
  if (const auto context = transport::TlsContext::load(files); !context) {
    return {"TLS", Verdict::fail, to_string(context.error().front()),
            "certificate and key must belong together, all in PEM"};
  }
  return {"TLS", Verdict::ok, "certificate, key and authority can be used"};
}

}  // namespace

CheckResults check_certificates(const transport::TlsFiles& files) {
  return {look_at_pair(files), look_at_validity("certificate", files.certificate),
          look_at_validity("authority", files.authority), look_at_key(files.key)};
}

CheckResult check_listen_address(const transport::Address& address) {
  // Whether the port is free has nothing to do with TLS.
  transport::Address plain = address;
  if (plain.kind == transport::Kind::tls) plain.kind = transport::Kind::tcp;
  transport::Loop loop;
  const auto listener =
      transport::Listener::open(loop, plain, {.other_machines = true}, [](transport::Stream) {});
  if (listener) return {"listening", Verdict::ok, to_text(address) + " is free"};
  return {"listening", Verdict::fail, listener.error().front().message,
          "end what listens there, or choose another address; `ss -ltnp` lists them"};
}

}  // namespace ebb::testbed::preflight
