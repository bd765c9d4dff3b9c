// SPDX-License-Identifier: Apache-2.0
//
// What a large fabric costs its controller: the real controller, LiveFabric and OpenFlow
// connections over unix sockets, against switches that another process plays
// (FakeOpenFlowSwitches). By default the 5x200 flattened butterfly: 1,000 switches, 101,500 links
// between them, counters of all ports read once a second, a decision a second. Prints what starting
// takes, then for a quiet fabric whose links go to sleep and for a busy one whose links come back:
//
//   decision   from the sample to the last order that follows from it
//   action     from the order until the link sleeps, or carries frames again
//   CPU        of the controller's process, which has one thread; the other core plays switches
//   headroom   how many times as often samples could come before that thread is full: one second
//              through the CPU time for a sample, with all decisions and orders that came with it
//
//   ebb_bench_fabric_load [--dims 5x200] [--hosts 1] [--at-once 2000] [--seconds 20] [--check]
//
// --check: exits with 1 unless links slept, all came back, the headroom is at least 2, and the
// reachability index answers at least 20 times as quickly as walking every pair of hosts.
#include "support/fake_openflow_switches.hpp"

#include "ebb/drivers/live_fabric.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/transport/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ebb::bench {
namespace {

using namespace std::chrono_literals;
using controller::LinkState;
using transport::Clock;
using transport::Milliseconds;

struct Options {
  std::string dims = "5x200";
  std::string hosts = "1";
  std::uint32_t max_concurrent = 2000;
  int seconds = 20;
  bool check = false;
};

constexpr double kQuiet = 0.01;
constexpr double kBusy = 0.60;

topology::Graph network(const Options& options) {
  return *topology::build("fbfly", {{"hosts", options.hosts}, {"dims", options.dims}},
                          {gigabits_per_second(100)});
}

// ---- the other process

volatile std::sig_atomic_t busy = 0;
volatile std::sig_atomic_t cut = 0;

// The first link between switches: one of the core, which carries the detours of others.
topology::LinkId first_link(const topology::Graph& graph) {
  std::uint32_t link = 0;
  while (!graph.connects_switches(topology::LinkId{link})) ++link;
  return topology::LinkId{link};
}

void follow_signals(transport::Loop& loop, const topology::Graph& graph,
                    test::FakeOpenFlowSwitches& fabric, bool was_cut) {
  if (was_cut != (cut != 0)) fabric.cut(first_link(graph), cut != 0);
  loop.after(20ms, [&, is_cut = cut != 0] { follow_signals(loop, graph, fabric, is_cut); });
}

[[noreturn]] void play_switches(const Options& options, const std::string& socket) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGUSR1, [](int) { busy = 1; });
  std::signal(SIGUSR2, [](int) { cut = 1 - cut; });
  const topology::Graph graph = network(options);
  transport::Loop loop;
  test::FakeOpenFlowSwitches fabric(loop, graph,
                                    {.kind = transport::Kind::unix_socket, .path = socket},
                                    [] { return busy != 0 ? kBusy : kQuiet; });
  follow_signals(loop, graph, fabric, false);
  loop.run();
  std::_Exit(0);
}

// ---- measuring

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double megabytes(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what + ":")) return std::stod(line.substr(what.size() + 1)) / 1024;
  }
  return 0;
}

// Seconds by the clock and of CPU since it was made.
struct Watch {
  Clock::time_point began = Clock::now();
  double cpu_began = cpu_seconds();

  [[nodiscard]] double wall() const {
    return std::chrono::duration<double>(Clock::now() - began).count();
  }
  [[nodiscard]] double cpu() const { return cpu_seconds() - cpu_began; }
};

void print_step(const std::string& what, const Watch& watch) {
  fmt::print("{:34} {:7.2f} s {:7.2f} s CPU {:7.0f} MB\n", what, watch.wall(), watch.cpu(),
             megabytes("VmRSS"));
  std::fflush(stdout);
}

std::string spread(std::vector<double> seconds) {
  if (seconds.empty()) return "none";
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return 1000 *
           seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  return fmt::format("median {:.0f} ms, 99 % {:.0f} ms, most {:.0f} ms, of {}", at(0.5), at(0.99),
                     at(1), seconds.size());
}

// Notes how long after its sample each decision was carried out.
class Timed final : public policy::Policy {
 public:
  explicit Timed(std::unique_ptr<policy::Policy> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] Duration sample_period() const override { return inner_->sample_period(); }
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override {
    at_ = sample.at;
    // Every channel that is awake sends something between two readings.
    std::uint32_t awake = 0;
    std::uint32_t read = 0;
    for (const policy::ChannelSample& channel : sample.channels) {
      if (channel.state.mode == policy::Mode::asleep || channel.state.changing) continue;
      ++awake;
      read += channel.sent > DataSize{} ? 1 : 0;
    }
    if (awake > 0) samples += static_cast<double>(read) / awake;
    std::vector<policy::Action> actions = inner_->decide(sample);
    left_ = actions.size();
    if (left_ == 0) note();
    return actions;
  }
  void on_outcome(const policy::Outcome& outcome) override {
    inner_->on_outcome(outcome);
    if (--left_ == 0) note();
  }

  std::function<TimePoint()> now = [] { return TimePoint{}; };
  std::vector<double> decisions;  // seconds
  double samples = 0;             // of all ports whose counters came in time for a decision

 private:
  void note() { decisions.push_back(std::chrono::duration<double>(now() - at_).count()); }

  std::unique_ptr<policy::Policy> inner_;
  TimePoint at_{};
  std::size_t left_ = 0;
};

// ---- the controller

drivers::Description describe(const Options& options) {
  topology::Graph graph = network(options);
  forwarding::AddressPlan plan = *forwarding::AddressPlan::make(graph);
  drivers::Description made{std::move(graph), std::move(plan), {}};
  made.tables = *forwarding::fabric_tables(made.graph, made.plan);
  return made;
}

// Ports are read once a second, so what needs two readings takes its time.
controller::Safety safety(const Options& options) {
  controller::Safety made;
  made.times.drain_limit = 10s;
  made.times.wake_limit = 30s;
  made.min_decision_interval = 1s;
  made.max_concurrent = options.max_concurrent;
  made.counter_interval = 1s;
  made.max_counter_age = 5s;
  return made;
}

// How many times quicker the reachability index says whether everyone is reached without a link
// than walking every pair of hosts does, which is what a controller would else do for every link it
// considers.
double gain_of_reachability_index(const forwarding::TableWalker& reach,
                                  const forwarding::SleepableLinks& sleepable) {
  const Watch walking;
  (void)reach.all_reachable(std::vector<bool>(sleepable.may_sleep.size()));
  const double by_walking = walking.cpu();
  const forwarding::ReachabilityIndex reachability(reach);
  const Watch asking;
  int asked = 0;
  for (std::uint32_t link = 0; link < sleepable.may_sleep.size() && asked < 1000; ++link) {
    if (!sleepable.may_sleep[link]) continue;
    (void)reachability.all_reachable_without(topology::LinkId{link});
    ++asked;
  }
  const double kept = asking.cpu() / asked;
  fmt::print("everyone reached without a link?  {:.3g} us, by walking {:.3g} us: {:.0f} times\n",
             1e6 * kept, 1e6 * by_walking, by_walking / kept);
  return by_walking / kept;
}

// The controller under load, and what is seen of it.
class Trial {
 public:
  Trial(const Options& options, const drivers::Description& description,
        const forwarding::TableWalker& reach, const forwarding::SleepableLinks& sleepable,
        const std::string& socket)
      : timed_(std::move(policy::make_policy("stages", {{"period", "1s"}})->policy)),
        controller_(description.graph, reach, sleepable,
                    controller::channel_facts(description.graph, sleepable, {watts(1), {}}),
                    safety(options), timed_),
        live_(loop_, description, controller_, {},
              [this](const drivers::OperatorEvent& event) { say(event.text); }),
        listener_(*transport::Listener::open(
            loop_, {.kind = transport::Kind::unix_socket, .path = socket}, {},
            [this](transport::Stream stream) { live_.admit(std::move(stream), {}); })) {
    live_.lead(1, [this](drivers::RoleReplyKind, const std::string& why) { say(why); });
    timed_.now = [this] { return live_.now(); };
  }

  bool run_until(const std::function<bool()>& condition, Milliseconds limit) {
    return loop_.run_until(condition, limit);
  }
  [[nodiscard]] std::size_t members() const { return live_.members(); }
  [[nodiscard]] bool is_whole() const { return live_.is_whole(); }
  [[nodiscard]] std::uint32_t count(LinkState state) const { return controller_.count(state); }
  // Links that were woken by a failure, as far as was watched.
  [[nodiscard]] std::uint32_t woken() const { return woken_; }

  // For so long, or until all that moved have come to rest in that state.
  double watch(const std::string& what, LinkState from, LinkState to, Milliseconds time,
               const std::function<bool()>& over) {
    (void)controller_.take_journal();
    timed_.decisions.clear();
    timed_.samples = 0;
    const Watch watch;
    (void)loop_.run_until(over, time);
    // On a machine that is busy with other things fewer samples come than were asked for.
    const double samples = timed_.samples;
    const double each = watch.cpu() / samples;
    fmt::print("\n{}: {:.1f} s\n", what, watch.wall());
    fmt::print("  links  {} active, {} draining, {} asleep, {} waking, {} failed\n",
               count(LinkState::active), count(LinkState::draining), count(LinkState::asleep),
               count(LinkState::waking), count(LinkState::failed));
    fmt::print("  decision  {}\n", spread(timed_.decisions));
    fmt::print("  action  {}\n", spread(actions(from, to)));
    fmt::print(
        "  CPU  {:.2f} s for each of {:.1f} samples of all ports: {:.0f} % of two cores at one "
        "a second; headroom {:.1f}\n",
        each, samples, 50 * each, 1 / each);
    fmt::print("  memory  {:.0f} MB\n", megabytes("VmRSS"));
    std::fflush(stdout);
    return 1 / each;
  }

 private:
  void say(const std::string& line) {
    if (line.ends_with(" is here")) return;
    if (++said_ <= 10) fmt::print("  {}\n", line);
    std::fflush(stdout);
  }

  // How long links took from one state to the other.
  std::vector<double> actions(LinkState from, LinkState to) {
    std::map<topology::LinkId, TimePoint> began;
    std::vector<double> took;
    for (const controller::Entry& entry : controller_.take_journal()) {
      if (entry.state == from) began[entry.link] = entry.at;
      if (entry.state == LinkState::waking && entry.why.starts_with("a link has failed")) ++woken_;
      const auto first = began.find(entry.link);
      if (entry.state == to && first != began.end())
        took.push_back(std::chrono::duration<double>(entry.at - first->second).count());
    }
    return took;
  }

  Timed timed_;
  controller::Controller controller_;
  transport::Loop loop_;
  drivers::LiveFabric live_;
  transport::Listener listener_;
  int said_ = 0;
  std::uint32_t woken_ = 0;
};

// Links that share a switch with it, or that have it on a detour.
std::uint32_t touched_by(const topology::Graph& graph, const forwarding::SleepableLinks& sleepable,
                         topology::LinkId failed) {
  const topology::Link& ends = graph.link(failed);
  std::uint32_t touched = 0;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::Link& link = graph.link(topology::LinkId{which});
    if (!sleepable.may_sleep[which]) continue;
    bool is_near = link.a == ends.a || link.a == ends.b || link.b == ends.a || link.b == ends.b;
    for (const std::uint32_t channel : {2 * which, 2 * which + 1}) {
      for (const topology::ChannelId backup : sleepable.backup_channels[channel])
        is_near = is_near || topology::link_of(backup) == failed;
    }
    touched += is_near ? 1 : 0;
  }
  return touched;
}

// A link of the core fails while all others sleep that may: who wakes, and whether nobody else
// does.
bool one_link_fails(Trial& trial, const topology::Graph& graph,
                    const forwarding::SleepableLinks& sleepable, pid_t switches) {
  const std::uint32_t touched = touched_by(graph, sleepable, first_link(graph));
  kill(switches, SIGUSR2);
  trial.watch("a link fails", LinkState::waking, LinkState::active, 12s, [] { return false; });
  const std::uint32_t woken = trial.woken();
  const auto may_sleep =
      static_cast<double>(std::count(sleepable.may_sleep.begin(), sleepable.may_sleep.end(), true));
  fmt::print("  woken  {} links; it touches {}, and {:.3f} % of those that may sleep still may\n",
             woken, touched, 100 * (1 - touched / may_sleep));
  kill(switches, SIGUSR2);
  (void)trial.run_until([&] { return trial.count(LinkState::failed) == 0; }, 60s);
  return woken > 0 && woken <= touched;
}

int run(const Options& options, const std::string& socket, pid_t switches) {
  Watch step;
  const drivers::Description description = describe(options);
  const topology::Graph& graph = description.graph;
  fmt::print("fbfly {}: {} switches, {} hosts, {} links between switches\n", options.dims,
             graph.switch_count(), graph.host_count(), graph.link_count() - graph.host_count());
  print_step("tables", step);
  step = {};
  const forwarding::TableWalker reach(graph, description.plan, description.tables);
  const forwarding::SleepableLinks sleepable =
      forwarding::sleepable_links(graph, description.plan, description.tables);
  print_step("which links may sleep", step);
  const double gain = gain_of_reachability_index(reach, sleepable);
  step = {};
  Trial trial(options, description, reach, sleepable, socket);
  print_step("controller", step);
  step = {};
  if (!trial.run_until([&] { return trial.members() == graph.switch_count(); }, 600s)) return 1;
  print_step("all switches are here", step);
  step = {};
  if (!trial.run_until([&] { return trial.is_whole(); }, 600s)) return 1;
  print_step("cables are known", step);

  const Milliseconds time = std::chrono::seconds(options.seconds);
  const double quiet = trial.watch("links go to sleep", LinkState::draining, LinkState::asleep,
                                   time, [] { return false; });
  const std::uint32_t slept = trial.count(LinkState::asleep);
  const bool is_scoped = one_link_fails(trial, graph, sleepable, switches);
  kill(switches, SIGUSR1);
  const auto all_active = [&] { return trial.count(LinkState::active) == graph.link_count(); };
  const double busy_headroom =
      trial.watch("links come back", LinkState::waking, LinkState::active, time, all_active);
  fmt::print("\nmost memory  {:.0f} MB\n", megabytes("VmHWM"));
  if (!options.check) return 0;
  const bool as_it_should = slept > 0 && is_scoped && all_active();
  return as_it_should && std::min(quiet, busy_headroom) >= 2 && gain >= 20 ? 0 : 1;
}

int main_of(const Options& options) {
  std::string folder = "/tmp/ebb-fabric-load-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 3;
  const std::string socket = folder + "/controller";
  const pid_t switches = fork();
  if (switches == 0) play_switches(options, socket);
  const int code = run(options, socket, switches);
  kill(switches, SIGKILL);
  waitpid(switches, nullptr, 0);
  rmdir(folder.c_str());
  return code;
}

}  // namespace
}  // namespace ebb::bench

int main(int argc, char** argv) {
  ebb::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--check") {
      options.check = true;
      continue;
    }
    if (i + 1 == argc) return 2;
    const std::string value = argv[++i];
    if (name == "--dims") {
      options.dims = value;
    } else if (name == "--hosts") {
      options.hosts = value;
    } else if (name == "--at-once") {
      options.max_concurrent = static_cast<std::uint32_t>(std::stoul(value));
    } else if (name == "--seconds") {
      options.seconds = std::stoi(value);
    } else {
      return 2;
    }
  }
  return ebb::bench::main_of(options);
}
