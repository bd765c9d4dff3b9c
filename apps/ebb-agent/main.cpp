// SPDX-License-Identifier: Apache-2.0
//
// ebb-agent FOLDER: suppresses the ports of the Open vSwitch of this network namespace whose queues
// are long.
#include "shell_integration/program.hpp"

#include "ebb/agent/agent.hpp"
#include "ebb/core/process.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace ebb::agent {
namespace {

struct Options {
  std::string folder;
  std::string bridge = "br0";
  std::string pid_file;
  bool detach = false;
  int poll_ms = 1;
  std::string high = ebb::to_text(Limits{}.high);
  std::string low = ebb::to_text(Limits{}.low);
  std::string hold = ebb::to_text(Limits{}.hold);
  std::string least = ebb::to_text(Limits{}.least);
  std::uint32_t polls = Limits{}.polls;
  double share = Limits{}.share;
};

// Codes as those of ebb: 2 bad usage, 3 the outside world failed.
constexpr int kBadUsage = 2;
constexpr int kFailed = 3;
constexpr transport::Milliseconds kUntilReady{20'000};

int refuse(const Errors& errors, int code) {
  fmt::print(stderr, "{}", to_string(errors));
  return code;
}

Result<Limits> limits_of(const Options& options) {
  Limits limits{.polls = options.polls, .share = options.share};
  for (const auto& [text, time, name] : {std::tuple(&options.high, &limits.high, "--high"),
                                         std::tuple(&options.low, &limits.low, "--low"),
                                         std::tuple(&options.hold, &limits.hold, "--hold"),
                                         std::tuple(&options.least, &limits.least, "--least")}) {
    const auto parsed = parse<Duration>(*text);
    if (!parsed) return fail(fmt::format("{}: {}", name, parsed.error().front().message));
    if (*parsed < Duration::zero()) return fail(fmt::format("{}: less than nothing", name));
    *time = *parsed;
  }
  if (limits.low >= limits.high) return fail("--low must be less than --high");
  return limits;
}

AgentOptions agent_options(const Options& options, const Limits& limits) {
  return {.sockets = {.folder = options.folder, .bridge = options.bridge},
          .record = options.folder + "/agent.json",
          .limits = limits,
          .poll = transport::Milliseconds(options.poll_ms)};
}

Result<void> work(const Options& options, const Limits& limits) {
  std::optional<Daemon> daemon;
  if (options.detach) {
    auto entered = Daemon::enter();
    if (!entered) return fail(entered.error());
    daemon = *entered;
  }
  std::optional<PidFile> pid_file;
  if (!options.pid_file.empty()) {
    auto written = PidFile::write(options.pid_file);
    if (!written) return fail(written.error());
    pid_file.emplace(std::move(*written));
  }
  transport::Loop loop;
  auto agent = Agent::make(loop, agent_options(options, limits));
  if (!agent) return fail(agent.error());
  bool asked = false;
  const TerminationSignals signals(loop, [&] {
    asked = true;
    (*agent)->leave();
  });
  (*agent)->start();
  if (!loop.run_until([&] { return asked || (*agent)->is_ready(); }, kUntilReady))
    return fail((*agent)->problem(), {options.folder});
  if (daemon) daemon->ready();
  loop.run();
  return {};
}

int run(const Options& options) {
  const auto limits = limits_of(options);
  if (!limits) return refuse(limits.error(), kBadUsage);
  const auto done = work(options, *limits);
  return done ? 0 : refuse(done.error(), kFailed);
}

}  // namespace
}  // namespace ebb::agent

int main(int argc, char** argv) {
  CLI::App app("ebb-agent: frames take the detour while the queue of an output is long",
               "ebb-agent");
  ebb::agent::Options options;
  app.add_option("folder", options.folder,
                 "Of the switch's sockets: db.sock, ovs-vswitchd.ctl or .PID.ctl")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--bridge", options.bridge, "Its bridge")->capture_default_str();
  app.add_option("--high", options.high, "A queue is long that takes longer than this to send")
      ->capture_default_str();
  app.add_option("--low", options.low, "And short, when it takes no longer than this")
      ->capture_default_str();
  app.add_option("--polls", options.polls, "Long at so many polls in a row: the port is suppressed")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--hold", options.hold, "Short for so long: it is used again")
      ->capture_default_str();
  app.add_option("--least", options.least, "Between two changes of a port")->capture_default_str();
  app.add_option("--share", options.share, "Of ports that may be suppressed; one may always")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--poll-ms", options.poll_ms, "Between two readings")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--pidfile", options.pid_file, "Keep the process number there")->type_name("FILE");
  app.add_flag("--detach", options.detach, "Go on in the background when ready");
  if (const auto code = ebb::shell::parse(app, EBB_VERSION, argc, argv)) return *code;
  return ebb::agent::run(options);
}
