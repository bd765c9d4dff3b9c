// SPDX-License-Identifier: Apache-2.0

#include "collectors.hpp"

#include <algorithm>
#include <utility>

namespace ebb::netsim {

OfferedLoadCounter::OfferedLoadCounter(MessageSource& source, const std::vector<DataRate>& rates)
    : source_(source), fetched_(rates.size()) {
  for (std::size_t h = 0; h < rates.size(); ++h) fetched_[h].rate = rates[h];
}

std::optional<traffic::Message> OfferedLoadCounter::next(std::uint32_t host) {
  Host& mine = fetched_[host];
  if (mine.kept.empty()) {
    fetch(host);
    return mine.last;
  }
  const traffic::Message message = mine.kept.back();
  mine.kept.pop_back();
  return message;
}

void OfferedLoadCounter::fetch(std::uint32_t host) {
  Host& mine = fetched_[host];
  mine.last = source_.next(host);
  if (!mine.last) return;
  const Duration time = serialization_time(mine.last->size, mine.rate);
  mine.free_before = mine.free;
  mine.free = std::max(mine.free, mine.last->at) + time;
  if (mine.last->at < to_) mine.times.add(time);
  count(mine);
  count_busy_with_last(mine);
}

// The part of it that is measured. Before the measurement nothing is.
void OfferedLoadCounter::count_busy(Host& host, TimePoint begin, TimePoint end) const {
  const auto overlap = [&](TimePoint from) {
    return std::max(Duration{}, std::min(end, to_) - std::max(begin, from));
  };
  if (from_ == TimePoint::max()) return;
  host.busy += overlap(from_);
  host.busy_from_middle += overlap(middle_);
}

void OfferedLoadCounter::count_busy_with_last(Host& host) const {
  count_busy(host, std::max(host.free_before, host.last->at), host.free);
}

void OfferedLoadCounter::count(Host& host) const {
  if (!host.last || host.last->at < from_ || host.last->at >= to_) return;
  const Duration time = serialization_time(host.last->size, host.rate);
  const Int128 nanoseconds = time.count() / 1000;
  ++host.messages;
  host.time += time;
  host.time_cubes += nanoseconds * nanoseconds * nanoseconds;
  host.data += host.last->size;
  if (host.last->at >= middle_) host.from_middle += host.last->size;
}

void OfferedLoadCounter::open(TimePoint from, TimePoint middle, TimePoint to) {
  from_ = from;
  middle_ = middle;
  to_ = to;
  // A host has fetched at most one message that is not created yet.
  for (Host& host : fetched_) {
    count(host);
    // What came before the last message has been created, so its link has no pause from now on.
    count_busy(host, from, host.last ? host.free_before : host.free);
    if (host.last) count_busy_with_last(host);
  }
}

void OfferedLoadCounter::fetch_rest() {
  for (std::uint32_t h = 0; h < fetched_.size(); ++h) {
    Host& host = fetched_[h];
    while (host.last && host.last->at < to_) {
      fetch(h);
      if (host.last) host.kept.push_back(*host.last);
    }
    std::reverse(host.kept.begin(), host.kept.end());
  }
}

std::uint64_t OfferedLoadCounter::messages() const {
  std::uint64_t total = 0;
  for (const Host& host : fetched_) total += host.messages;
  return total;
}

DataSize OfferedLoadCounter::data() const {
  DataSize total;
  for (const Host& host : fetched_) total += host.data;
  return total;
}

DataSize OfferedLoadCounter::data_from_middle() const {
  DataSize total;
  for (const Host& host : fetched_) total += host.from_middle;
  return total;
}

DataSize OfferedLoadCounter::sendable_from_middle() const {
  DataSize total;
  for (const Host& host : fetched_) total += data_carried(host.rate, host.busy_from_middle);
  return total;
}

DataSize OfferedLoadCounter::data_of_overloaded() const {
  DataSize total;
  for (const Host& host : fetched_) {
    if (host.busy >= to_ - from_) total += host.data;
  }
  return total;
}

LinkTimes OfferedLoadCounter::link_times() const {
  LinkTimes total;
  for (const Host& host : fetched_) {
    total += {host.time, host.busy_from_middle, host.time_cubes, host.messages > 0 ? 1U : 0U};
  }
  return total;
}

MessageTimes OfferedLoadCounter::times() const {
  MessageTimes total;
  for (const Host& host : fetched_) total += host.times;
  return total;
}

void gather_latencies(const std::vector<LatencyCollector>& collectors,
                      mpi::Communicator& communicator, Report& report) {
  Bytes mine;
  for (const LatencyCollector& collector : collectors) {
    collector.messages().append_to(mine);
    collector.packets().append_to(mine);
    collector.lateness().append_to(mine);
  }
  for (const Bytes& bytes : communicator.gather(mine)) {
    ByteReader reader(bytes);
    while (!reader.empty()) {
      report.message_latency += Histogram::taken_from(reader);
      report.packet_latency += Histogram::taken_from(reader);
      report.lateness += Histogram::taken_from(reader);
    }
  }
}

namespace {

// Numbered as the ledger's states are (meters.cpp).
std::uint8_t numbered(policy::State state) {
  if (state.changing) return 1;
  return state.mode == policy::Mode::asleep
             ? 0
             : static_cast<std::uint8_t>(index(state.rate_level) + 2);
}

}  // namespace

SeriesRecorder::SeriesRecorder(Network& network, Duration every)
    : network_(network), frame_end_(network.now() + every), before_(network.snapshot()) {
  series_.every = every;
  series_.channels = static_cast<std::uint32_t>(before_.size());
}

void SeriesRecorder::run_until(TimePoint end) {
  while (frame_end_ <= end) {
    network_.run_until(frame_end_);
    close_frame();
  }
  network_.run_until(end);
}

void SeriesRecorder::close_frame() {
  std::vector<Network::ChannelSnapshot> now = network_.snapshot();
  for (std::size_t c = 0; c < now.size(); ++c) {
    series_.busy.push_back(now[c].use.busy - before_[c].use.busy);
    series_.sent.push_back(now[c].use.sent - before_[c].use.sent);
    series_.energy.push_back(now[c].energy - before_[c].energy);
    series_.queued.push_back(now[c].queued);
    series_.states.push_back(numbered(now[c].state));
  }
  before_ = std::move(now);
  series_.ends.push_back(network_.now());
  frame_end_ = network_.now() + series_.every;
}

Series SeriesRecorder::finish() && {
  if (network_.now() > frame_end_ - series_.every) close_frame();
  return std::move(series_);
}

}  // namespace ebb::netsim
