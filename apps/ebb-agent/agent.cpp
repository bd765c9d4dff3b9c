// SPDX-License-Identifier: Apache-2.0
#include "agent.hpp"

#include <sys/resource.h>
#include <utility>

namespace ebb::agent {
namespace {

using transport::Milliseconds;

constexpr Milliseconds kRecordEvery{500};
constexpr Milliseconds kFarewell{2000};
constexpr int kFirst = -20;  // nice: before all others

TimePoint now() { return TimePoint(transport::Clock::now().time_since_epoch()); }

}  // namespace

Result<std::unique_ptr<Agent>> Agent::make(transport::Loop& loop, const AgentOptions& options) {
  auto queues = Queues::open();
  if (!queues) return fail(queues.error());
  auto agent = std::make_unique<Agent>(loop, options, std::move(*queues));
  auto links = Links::open(loop, [self = agent.get()](const LinkSeen& link) { self->heard(link); });
  if (!links) return fail(links.error());
  agent->links_ = std::move(*links);
  return agent;
}

Agent::Agent(transport::Loop& loop, AgentOptions options, Queues queues)
    : loop_(loop),
      options_(std::move(options)),
      queues_(std::move(queues)),
      diverter_(options_.limits),
      record_([this](PortNumber port) { return switch_.name_of(port); }),
      switch_(loop, options_.sockets,
              {.ready =
                   [this] {
                     diverter_.forget_pauses(now());
                     static_cast<void>(links_->tell_all());
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

void Agent::heard(const LinkSeen& link) {
  names_[link.interface] = link.name;
  const auto port = switch_.number_of(link.name);
  if (!port) return;
  diverter_.set_link(now(), *port, link.up);
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
  for (const Queue& queue : *queues) {
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
    switch_.set_paused(change.port, change.pause, [this, change](bool done) {
      record_.changed(now(), change, done);
      if (done || !change.pause) return;
      // Perhaps it was done, and the answer was lost.
      diverter_.refused(now(), change.port);
      switch_.set_paused(change.port, false, [](bool) {});
    });
  }
}

// The folder goes with the switch.
void Agent::write_record() {
  if (!record_.write(options_.record, diverter_.paused())) return loop_.stop();
  loop_.after(kRecordEvery, [this] { write_record(); });
}

void Agent::leave() {
  if (std::exchange(leaving_, true)) return;
  loop_.after(kFarewell, [this] { loop_.stop(); });
  switch_.leave([this] {
    diverter_.forget_pauses(now());
    static_cast<void>(record_.write(options_.record, diverter_.paused()));
    loop_.stop();
  });
}

}  // namespace ebb::agent
