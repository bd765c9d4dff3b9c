// SPDX-License-Identifier: Apache-2.0
//
// What happened before a moment, as the rank of the moment knows it.
#include "rank_run.hpp"

#include <algorithm>

namespace ebb::program {
namespace {

PathStep without_delay(const Moment& before) { return {{}, {}, std::nullopt, before}; }

}  // namespace

std::optional<Moment> RankRun::last() const {
  const auto latest = std::max_element(
      records_.begin(), records_.end(),
      [](const OperationRecord& a, const OperationRecord& b) { return a.end < b.end; });
  if (latest == records_.end()) return std::nullopt;
  return Moment{rank_, static_cast<std::uint32_t>(latest - records_.begin()), Moment::Kind::end, 0,
                latest->end};
}

PathStep RankRun::step_back(const Moment& moment) const {
  switch (moment.kind) {
    case Moment::Kind::start:
      return before_start(moment.operation);
    case Moment::Kind::end:
      return before_end(moment);
    case Moment::Kind::data_there:
      return before_data(moment);
    case Moment::Kind::answer_there:
      return before_answer(moment);
    case Moment::Kind::request_there:
      break;
  }
  return before_request(moment);
}

// An operation starts when its cause happens, so its time follows from that of others.
TimePoint RankRun::start_of(std::uint32_t operation) const {
  Duration overhead{};
  for (;;) {
    const Cause cause = records_[operation].started_by;
    const std::uint32_t other = cause.operation();
    switch (cause.kind()) {
      case Cause::Kind::job_start:
        return job_.start + overhead;
      case Cause::Kind::end_of:
        return records_[other].end + overhead;
      case Cause::Kind::cpu_of:
        if (operations_[other].kind != Operation::Kind::send) return records_[other].end + overhead;
        overhead += costs_.send_overhead;
        break;
      case Cause::Kind::start_of:
        break;
    }
    operation = other;
  }
}

std::uint32_t RankRun::source_of(std::uint32_t receive) const {
  const std::uint32_t peer = operations_[receive].peer;
  return peer == kAny ? sources_.at(receive) : peer;
}

PathStep RankRun::before_end(const Moment& moment) const {
  const Operation operation = operations_[moment.operation];
  const Moment start{rank_, moment.operation, Moment::Kind::start};
  if (operation.kind == Operation::Kind::receive)
    return before_receive_end(moment.operation, records_[moment.operation].end);
  if (operation.kind == Operation::Kind::compute) return {operation.time, {}, std::nullopt, start};
  if (is_eager(operation) || operation.peer >= job_.program.ranks()) return without_delay(start);
  return without_delay({operation.peer, moment.operation, Moment::Kind::answer_there, rank_,
                        records_[moment.operation].end});
}

PathStep RankRun::before_receive_end(std::uint32_t receive, TimePoint at) const {
  const OperationRecord& record = records_[receive];
  PathStep step{{}, costs_.receive_overhead, std::nullopt, std::nullopt};
  if (const auto cpu = taken_after_.find(receive); cpu != taken_after_.end()) {
    const PathStep cause = follow(cpu->second);
    step.overhead += cause.overhead;
    step.before = cause.before;
    return step;
  }
  const std::uint32_t source = source_of(receive);
  const bool eager = is_eager(job_.program.rank(source)[record.send]);
  step.before = eager && record.came_later == 0
                    ? Moment{rank_, receive, Moment::Kind::start}
                    : Moment{source, record.send, Moment::Kind::data_there, rank_,
                             at - costs_.receive_overhead};
  return step;
}

PathStep RankRun::before_start(std::uint32_t operation) const {
  return follow(records_[operation].started_by);
}

PathStep RankRun::follow(Cause cause) const {
  switch (cause.kind()) {
    case Cause::Kind::job_start:
      return {};
    case Cause::Kind::end_of:
      return without_delay({rank_, cause.operation(), Moment::Kind::end});
    case Cause::Kind::start_of:
      return without_delay({rank_, cause.operation(), Moment::Kind::start});
    case Cause::Kind::cpu_of:
      break;
  }
  // A send keeps its CPU for longer than it lasts.
  if (operations_[cause.operation()].kind != Operation::Kind::send)
    return without_delay({rank_, cause.operation(), Moment::Kind::end});
  return {{},
          costs_.send_overhead,
          std::nullopt,
          Moment{rank_, cause.operation(), Moment::Kind::start}};
}

// At the sender of data: eager data was created when its CPU was done with it, other data when the
// answer was there.
PathStep RankRun::before_data(const Moment& moment) const {
  const Operation send = operations_[moment.operation];
  const bool eager = is_eager(send);
  const TimePoint created =
      eager ? start_of(moment.operation) + costs_.send_overhead : records_[moment.operation].end;
  PathStep step;
  step.message =
      PathMessage{rank_, moment.other, number_of(Envelope::data, moment.operation),
                  send.size > DataSize{} ? send.size : costs_.control_size, moment.at - created};
  step.overhead = eager ? costs_.send_overhead : Duration{};
  step.before = Moment{rank_, moment.operation, eager ? Moment::Kind::start : Moment::Kind::end};
  return step;
}

// At the receiver: it answered when the receive was posted, or when the request was there.
PathStep RankRun::before_answer(const Moment& moment) const {
  const std::uint32_t receive = answered_.at(std::uint64_t{moment.other} << 32U | moment.operation);
  if (records_[receive].came_later == 1) {
    return without_delay(
        {moment.other, moment.operation, Moment::Kind::request_there, rank_, moment.at});
  }
  PathStep step;
  step.message = PathMessage{rank_, moment.other, number_of(Envelope::answer, moment.operation),
                             costs_.control_size, moment.at - start_of(receive)};
  step.before = Moment{rank_, receive, Moment::Kind::start};
  return step;
}

PathStep RankRun::before_request(const Moment& moment) const {
  const TimePoint created = start_of(moment.operation) + costs_.send_overhead;
  PathStep step;
  step.message = PathMessage{rank_,
                             moment.other,
                             number_of(Envelope::request, moment.operation),
                             costs_.control_size,
                             moment.at - created,
                             true};
  step.overhead = costs_.send_overhead;
  step.before = Moment{rank_, moment.operation, Moment::Kind::start};
  return step;
}

}  // namespace ebb::program
