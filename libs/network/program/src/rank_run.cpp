// SPDX-License-Identifier: Apache-2.0
#include "rank_run.hpp"

#include <algorithm>

namespace ebb::program {
namespace {

traffic::HostWork::Kind work_of(Operation::Kind kind) {
  switch (kind) {
    case Operation::Kind::send:
      return traffic::HostWork::Kind::sends;
    case Operation::Kind::receive:
      return traffic::HostWork::Kind::receives;
    default:
      return traffic::HostWork::Kind::computes;
  }
}

}  // namespace

RankRun::RankRun(const Job& job, std::uint32_t rank, const HostCosts& costs,
                 traffic::HostObserver* observer)
    : job_(job),
      rank_(rank),
      costs_(costs),
      observer_(observer),
      operations_(job.program.rank(rank)),
      progress_(operations_),
      records_(operations_.size()) {
  times_.end = job.start;
  times_.is_done = progress_.is_done();
  progress_.begin(ready_);
  make_ready(job.start, {});
}

void RankRun::delivered(std::uint32_t source_rank, std::uint32_t number, TimePoint at) {
  events_.push({at, Event::Kind::arrival, number, source_rank});
}

TimePoint RankRun::advance(TimePoint now) {
  while (!events_.empty() && events_.top().at <= now) {
    const Event event = events_.top();
    events_.pop();
    take(event);
  }
  return events_.empty() ? TimePoint::max() : events_.top().at;
}

std::optional<traffic::Message> RankRun::next() {
  if (created_.empty()) return std::nullopt;
  const traffic::Message message = created_.front();
  created_.pop_front();
  return message;
}

std::optional<std::uint32_t> RankRun::waits() const {
  const auto waiting = mailbox_.waiting();
  return waiting.empty() ? std::nullopt : std::optional(waiting.front());
}

void RankRun::take(const Event& event) {
  switch (event.kind) {
    case Event::Kind::arrival:
      return arrive(event);
    case Event::Kind::ended:
      return end(event.operation, event.at);
    case Event::Kind::create:
      return create(event);
    case Event::Kind::ready:
      return begin(event);
    case Event::Kind::take:
      return take_message(event);
    case Event::Kind::plan:
      return plan(event);
  }
}

void RankRun::make_ready(TimePoint at, Cause cause) {
  for (const std::uint32_t operation : ready_)
    events_.push({at, Event::Kind::ready, operation, 0, cause});
  ready_.clear();
}

void RankRun::end(std::uint32_t operation, TimePoint at) {
  progress_.ended(operation, ready_);
  make_ready(at, Cause(Cause::Kind::end_of, operation));
  records_[operation].end = at;
  times_.end = std::max(times_.end, at);
  times_.is_done = progress_.is_done();
}

bool RankRun::has_free_cpu(const Event& event, std::uint8_t cpu) {
  if (cpus_.size() <= cpu) cpus_.resize(cpu + std::size_t{1});
  const Cpu& wanted = cpus_[cpu];
  if (wanted.free <= event.at) return true;
  Event again = event;
  again.at = wanted.free;
  again.cause = Cause(Cause::Kind::cpu_of, wanted.last);
  events_.push(again);
  return false;
}

// One that would end after all times never ends.
void RankRun::occupy(std::uint8_t cpu, const Event& event, Duration time) {
  const TimePoint end = event.at + std::min(time, TimePoint::max() - event.at);
  cpus_[cpu] = {end, event.operation};
  times_.busy += std::max(Duration{}, end - std::max(event.at, busy_until_));
  busy_until_ = std::max(busy_until_, end);
  if (observer_ == nullptr) return;
  const Operation::Kind kind = operations_[event.operation].kind;
  observer_->host_works(job_.hosts[rank_], {work_of(kind), cpu, event.at, end});
}

void RankRun::begin(const Event& event) {
  const Operation operation = operations_[event.operation];
  if (operation.kind == Operation::Kind::receive) return post(event, operation);
  if (!has_free_cpu(event, operation.cpu)) return;
  records_[event.operation].started_by = event.cause;
  progress_.started(event.operation, ready_);
  make_ready(event.at, Cause(Cause::Kind::start_of, event.operation));
  if (operation.kind == Operation::Kind::send) {
    occupy(operation.cpu, event, costs_.send_overhead);
    return begin_send(event, operation);
  }
  occupy(operation.cpu, event, operation.time);
  const TimePoint end = cpus_[operation.cpu].free;
  times_.computing += end - event.at;
  if (look_ahead_ > Duration{} && end > event.at) plan_sends_after(event.operation, end, event.at);
  events_.push({end, Event::Kind::ended, event.operation, 0});
}

void RankRun::begin_send(const Event& event, const Operation& operation) {
  times_.overhead += costs_.send_overhead;
  if (operation.peer >= job_.program.ranks()) return end(event.operation, event.at);  // a marker
  const Envelope envelope = is_eager(operation) ? Envelope::data : Envelope::request;
  events_.push({event.at + costs_.send_overhead, Event::Kind::create, event.operation,
                static_cast<std::uint32_t>(envelope)});
  if (envelope == Envelope::data) end(event.operation, event.at);
}

void RankRun::create(const Event& event) {
  const auto envelope = static_cast<Envelope>(event.other);
  const Operation operation = operations_[event.operation];
  const bool has_data = envelope == Envelope::data && operation.size > DataSize();
  send(operation.peer, has_data ? operation.size : costs_.control_size, envelope, event.operation,
       event.at);
}

// A rank that sends to itself needs no network.
void RankRun::send(std::uint32_t to_rank, DataSize size, Envelope envelope, std::uint32_t send,
                   TimePoint at) {
  ++times_.sent;
  times_.sent_data += size;
  if (to_rank == rank_) return delivered(rank_, number_of(envelope, send), at);
  created_.push_back({.at = at,
                      .source = job_.hosts[rank_],
                      .destination = job_.hosts[to_rank],
                      .size = size,
                      .number = number_of(envelope, send)});
}

void RankRun::arrive(const Event& event) {
  const auto envelope = static_cast<Envelope>(event.operation % 4);
  const std::uint32_t send = event.operation / 4;
  if (envelope == Envelope::answer) {  // to a request of this rank
    end(send, event.at);
    return create(
        {event.at, Event::Kind::create, send, static_cast<std::uint32_t>(Envelope::data)});
  }
  const Operation sent = job_.program.rank(event.other)[send];
  if (envelope == Envelope::data && !is_eager(sent)) {  // its receive is known
    const auto receive = answered_.find(std::uint64_t{event.other} << 32U | send);
    events_.push({event.at, Event::Kind::take, receive->second, 0});
    return;
  }
  const auto receive = mailbox_.arrive(event.other, sent.tag, event.operation);
  if (!receive) return;
  records_[*receive].came_later = 1;
  matched(*receive, event.other, event.operation, event.at);
}

void RankRun::post(const Event& event, const Operation& operation) {
  records_[event.operation].started_by = event.cause;
  progress_.started(event.operation, ready_);
  make_ready(event.at, Cause(Cause::Kind::start_of, event.operation));
  const auto message = mailbox_.post(operation.peer, operation.tag, event.operation);
  if (message) matched(event.operation, message->source, message->message, event.at);
}

void RankRun::matched(std::uint32_t receive, std::uint32_t source, std::uint32_t number,
                      TimePoint at) {
  const std::uint32_t sent = number / 4;
  records_[receive].send = sent & kMostOperations;
  if (operations_[receive].peer == kAny) sources_.emplace(receive, source);
  if (static_cast<Envelope>(number % 4) == Envelope::data)
    return events_.push({at, Event::Kind::take, receive, 0});
  answered_.emplace(std::uint64_t{source} << 32U | sent, receive);
  send(source, costs_.control_size, Envelope::answer, sent, at);
}

void RankRun::take_message(const Event& event) {
  const std::uint8_t cpu = operations_[event.operation].cpu;
  if (!has_free_cpu(event, cpu)) return;
  if (event.cause.kind() == Cause::Kind::cpu_of) taken_after_.emplace(event.operation, event.cause);
  occupy(cpu, event, costs_.receive_overhead);
  times_.overhead += costs_.receive_overhead;
  events_.push({cpus_[cpu].free, Event::Kind::ended, event.operation, 0});
}

}  // namespace ebb::program
