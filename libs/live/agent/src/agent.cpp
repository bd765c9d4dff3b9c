// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/agent.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

namespace ebb::agent {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLast = 50;

double milliseconds_of(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

double seconds_of(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::int64_t bytes_of(DataSize size) { return size.count() / 8; }

using transport::Milliseconds;

constexpr Milliseconds kRecordEvery{500};
constexpr Milliseconds kRestoreLimit{2000};
constexpr int kFirst = -20;  // nice: before all others

TimePoint now() { return TimePoint(transport::Clock::now().time_since_epoch()); }

}  // namespace

// ---- the record

void Record::polled(TimePoint now) {
  if (!first_poll_) first_poll_ = last_poll_ = now;
  longest_gap_ = std::max(longest_gap_, now - last_poll_);
  last_poll_ = now;
  ++polls_;
}

void Record::saw(const Reading& reading) {
  Port& port = ports_[reading.port];
  port.waiting = reading.waiting;
  port.most_waiting = std::max(port.most_waiting, reading.waiting);
}

void Record::changed(TimePoint now, const Change& change, bool done) {
  if (!done) {
    ++refusals_;
    return;
  }
  ++(change.suppress ? diversions_ : returns_);
  if (change.suppress) {
    ++ports_[change.port].diversions;
    slowest_ = std::max(slowest_, now - change.seen);
  }
  last_.push_back({now, change});
  if (last_.size() > kLast) last_.pop_front();
}

Result<void> Record::write(const std::string& path, const Ports& suppressed) const {
  Json ports = Json::array();
  for (const auto& [number, port] : ports_) {
    ports.push_back({{"port", name_(number)},
                     {"suppressed", suppressed.contains(number)},
                     {"waiting_bytes", bytes_of(port.waiting)},
                     {"most_waiting_bytes", bytes_of(port.most_waiting)},
                     {"diversions", port.diversions}});
  }
  Json changes = Json::array();
  for (const Done& done : last_) {
    changes.push_back({{"at_s", seconds_of(done.at)},
                       {"port", name_(done.change.port)},
                       {"change", done.change.suppress ? "suppressed" : "used again"},
                       {"why", to_text(done.change.why)},
                       {"waiting_bytes", bytes_of(done.change.waiting)},
                       {"after_ms", milliseconds_of(done.at - done.change.seen)}});
  }
  const double watched = first_poll_ ? milliseconds_of(last_poll_ - *first_poll_) : 0;
  const Json all = {{"schema_version", 1},
                    {"diversions", diversions_},
                    {"returns", returns_},
                    {"refusals", refusals_},
                    {"slowest_diversion_ms", milliseconds_of(slowest_)},
                    {"polls", polls_},
                    {"watched_ms", watched},
                    {"longest_gap_ms", milliseconds_of(longest_gap_)},
                    {"ports", std::move(ports)},
                    {"changes", std::move(changes)}};
  {
    std::ofstream file(path + ".new");
    file << all.dump(1) << '\n';
    if (!file.flush()) return fail("cannot be written", {path});
  }
  if (std::rename((path + ".new").c_str(), path.c_str()) != 0)
    return fail("cannot be written", {path});
  return {};
}

// ---- the agent

Result<std::unique_ptr<Agent>> Agent::make(transport::Loop& loop, const AgentOptions& options) {
  auto queues = netlink::Queues::open();
  if (!queues) return fail(queues.error());
  auto agent = std::make_unique<Agent>(loop, options, std::move(*queues));
  auto watcher = netlink::InterfaceWatcher::open(
      loop, [self = agent.get()](const netlink::Interface& interface) {
        self->interface_changed(interface);
      });
  if (!watcher) return fail(watcher.error());
  agent->interfaces_ = std::move(*watcher);
  return agent;
}

Agent::Agent(transport::Loop& loop, AgentOptions options, netlink::Queues queues)
    : loop_(loop),
      options_(std::move(options)),
      queues_(std::move(queues)),
      diverter_(options_.limits),
      record_([this](PortNumber port) { return switch_.name_of(port); }),
      switch_(loop, options_.sockets,
              {.ready =
                   [this] {
                     diverter_.forget_suppressions(now());
                     static_cast<void>(interfaces_->report_all());
                   },
               .groups =
                   [this](const std::vector<Group>& groups) {
                     diverter_.set_groups(now(), groups);
                     carry_out();
                   }}) {}

void Agent::start() {
  // A late poll is a long queue. Without the right to do so it polls as others let it.
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kFirst));
  switch_.start();
  poll();
  write_record();
}

void Agent::interface_changed(const netlink::Interface& interface) {
  names_[interface.index] = interface.name;
  const auto port = switch_.number_of(interface.name);
  if (!port) return;
  diverter_.set_link(now(), *port, interface.up && interface.lower_up);
  carry_out();
}

void Agent::poll() {
  if (leaving_) return;
  loop_.after(options_.poll, [this] { poll(); });
  if (!switch_.is_here()) return;
  read_queues();
  carry_out();
}

void Agent::read_queues() {
  const auto queues = queues_.read();
  if (!queues) return;  // the kernel is short of memory: the next poll is soon
  const TimePoint at = now();
  record_.polled(at);
  std::vector<Reading> readings;
  for (const netlink::Queue& queue : *queues) {
    const auto name = names_.find(queue.interface);
    const auto port = name == names_.end() ? std::nullopt : switch_.number_of(name->second);
    if (!port || !switch_.is_prepared(*port)) continue;
    readings.push_back({*port, queue.waiting, queue.rate});
    record_.saw(readings.back());
  }
  diverter_.read(at, readings);
}

void Agent::carry_out() {
  for (const Change& change : diverter_.take_changes()) {
    switch_.set_suppressed(change.port, change.suppress, [this, change](bool done) {
      record_.changed(now(), change, done);
      if (done || !change.suppress) return;
      // Perhaps it was done, and the answer was lost.
      diverter_.refused(now(), change.port);
      switch_.set_suppressed(change.port, false, [](bool) {});
    });
  }
}

// The folder goes with the switch.
void Agent::write_record() {
  if (!record_.write(options_.record, diverter_.suppressed())) return loop_.stop();
  loop_.after(kRecordEvery, [this] { write_record(); });
}

void Agent::leave() {
  if (std::exchange(leaving_, true)) return;
  loop_.after(kRestoreLimit, [this] { loop_.stop(); });
  switch_.restore_ports([this] {
    diverter_.forget_suppressions(now());
    static_cast<void>(record_.write(options_.record, diverter_.suppressed()));
    loop_.stop();
  });
}

// ---- signals

TerminationSignals::TerminationSignals(transport::Loop& loop, std::function<void()> requested)
    : loop_(loop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  descriptor_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  loop_.watch(descriptor_, EPOLLIN, [this, requested = std::move(requested)](std::uint32_t) {
    signalfd_siginfo signal{};
    if (::read(descriptor_, &signal, sizeof signal) > 0) requested();
  });
}

TerminationSignals::~TerminationSignals() {
  loop_.forget(descriptor_);
  ::close(descriptor_);
}

}  // namespace ebb::agent
