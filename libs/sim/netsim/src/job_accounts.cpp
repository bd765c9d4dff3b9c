// SPDX-License-Identifier: Apache-2.0
#include "job_accounts.hpp"

#include "idle_latency.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace ebb::netsim {
namespace {

using program::Moment;
using program::PathMessage;
using program::RankTimes;

Power power_at_full_rate(const Experiment& experiment) {
  Power sum = experiment.switch_core * experiment.graph.switch_count();
  for (const topology::Link& link : experiment.graph.links())
    sum += 2 * experiment.models[link.rate_table].rate_levels.back().power;
  return sum;
}

// What is left of `time` after `part`, of which no more is taken than there is.
Duration take(Duration& time, Duration part) {
  const Duration taken = std::min(time, part);
  time -= taken;
  return taken;
}

}  // namespace

Energy PowerChanges::until(TimePoint time) const {
  Energy energy = settled_energy_ + settled_ * (time - settled_until_);
  for (const Change& change : changes_) {
    if (change.at < time) energy += change.by * (time - change.at);
  }
  return energy;
}

void PowerChanges::settle(TimePoint time) {
  settled_energy_ = until(time);
  settled_until_ = time;
  const auto later = std::partition(changes_.begin(), changes_.end(),
                                    [&](const Change& change) { return change.at >= time; });
  for (auto settled = later; settled != changes_.end(); ++settled) settled_ += settled->by;
  changes_.erase(later, changes_.end());
}

JobAccounts::JobAccounts(const Experiment& experiment, std::uint32_t partitions)
    : experiment_(experiment),
      communicator_(experiment.communicator),
      jobs_(*experiment.jobs),
      levels_(topology::link_levels(experiment.graph)),
      at_full_rate_(power_at_full_rate(experiment)),
      states_(jobs_.jobs().size()) {
  for (std::uint32_t i = 0; i < partitions; ++i) collectors_.emplace_back(levels_);
}

void JobAccounts::look_at_jobs() {
  Bytes mine;
  for (std::size_t job = 0; job < states_.size(); ++job) {
    append(mine, jobs_.done(job));
    append(mine, jobs_.latest_end(job));
  }
  std::vector<JobState> sums(states_.size());
  for (const Bytes& bytes : communicator_.all_gather(mine)) {
    ByteReader reader(bytes);
    for (JobState& sum : sums) {
      sum.ranks_done += reader.take<std::uint32_t>();
      sum.end = std::max(sum.end, reader.take<TimePoint>());
    }
  }
  for (std::size_t job = 0; job < states_.size(); ++job) {
    if (states_[job].done) continue;
    states_[job] = sums[job];
    states_[job].done = sums[job].ranks_done == jobs_.jobs()[job].hosts.size();
  }
}

Energy JobAccounts::energy_until(TimePoint time) {
  Energy changes;
  for (JobCollector& collector : collectors_) changes += collector.power().until(time);
  return at_full_rate_ * time.time_since_epoch() + mpi::all_reduce(communicator_, changes);
}

void JobAccounts::keep_energy(TimePoint time, TimePoint now) {
  if (time < now_ || time > now || energies_.contains(time)) return;
  energies_.emplace(time, energy_until(time));
}

void JobAccounts::advance(TimePoint now) {
  look_at_jobs();
  for (std::size_t job = 0; job < states_.size(); ++job) {
    keep_energy(jobs_.jobs()[job].start, now);
    if (states_[job].done) keep_energy(states_[job].end, now);
  }
  for (JobCollector& collector : collectors_) collector.power().settle(now);
  now_ = now;
}

bool JobAccounts::all_done() const {
  return std::ranges::all_of(states_, [](const JobState& state) { return state.done; });
}

void JobAccounts::add_to(Progress& progress) const {
  for (std::size_t job = 0; job < states_.size(); ++job) {
    progress.ranks += static_cast<std::uint32_t>(jobs_.jobs()[job].hosts.size());
    progress.ranks_done += states_[job].ranks_done;
  }
}

bool JobAccounts::all_wait() const {
  return mpi::all_reduce(communicator_, jobs_.all_wait() ? 0U : 1U) == 0;
}

std::vector<std::string> JobAccounts::stalled() const {
  Bytes mine;
  for (const Error& error : jobs_.stalled()) append_text(mine, to_string(error));
  std::vector<std::string> lines;
  for (const Bytes& bytes : communicator_.all_gather(mine)) {
    ByteReader reader(bytes);
    while (!reader.empty()) lines.push_back(reader.take_text());
  }
  return lines;
}

// Between two moments at which a job begins or ends, those that run share what the network takes,
// by the number of their hosts. What cannot be divided is the first one's.
void JobAccounts::share_energy(std::vector<JobReport>& reports) const {
  for (auto at = energies_.begin(); at != energies_.end() && std::next(at) != energies_.end();
       ++at) {
    const auto next = std::next(at);
    std::vector<std::size_t> running;
    std::int64_t hosts = 0;
    for (std::size_t job = 0; job < reports.size(); ++job) {
      if (reports[job].start > at->first || reports[job].end < next->first) continue;
      running.push_back(job);
      hosts += static_cast<std::int64_t>(jobs_.jobs()[job].hosts.size());
    }
    if (running.empty() || hosts == 0) continue;
    const Energy taken = next->second - at->second;
    const Energy steady = at_full_rate_ * (next->first - at->first);
    Energy rest = taken;
    Energy steady_rest = steady;
    for (const std::size_t job : running) {
      const auto its = static_cast<std::int64_t>(jobs_.jobs()[job].hosts.size());
      const Energy share = attojoules(taken.count() * its / hosts);
      const Energy steady_share = attojoules(steady.count() * its / hosts);
      reports[job].energy += share;
      reports[job].at_full_rate += steady_share;
      rest -= share;
      steady_rest -= steady_share;
    }
    reports[running.front()].energy += rest;
    reports[running.front()].at_full_rate += steady_rest;
  }
}

std::vector<JobReport> JobAccounts::finish() {
  std::vector<JobReport> reports(states_.size());
  for (std::size_t job = 0; job < states_.size(); ++job) {
    const program::Job& its = jobs_.jobs()[job];
    JobReport& report = reports[job];
    report.name = its.name;
    report.program = its.program.name();
    report.start = its.start;
    report.done = states_[job].done;
    report.end = report.done ? states_[job].end : std::max(its.start, now_);
    keep_energy(report.end, now_);
    report.ranks = ranks_of(job);
  }
  share_energy(reports);
  for (std::size_t job = 0; job < states_.size(); ++job) {
    if (reports[job].done) reports[job].path = critical_path(job);
  }
  return reports;
}

std::vector<RankTimes> JobAccounts::ranks_of(std::size_t job) const {
  std::vector<RankTimes> ranks = jobs_.ranks(job);
  if (communicator_.is_serial()) return ranks;
  Bytes mine;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (!jobs_.is_here(job, rank)) continue;
    append(mine, rank);
    append(mine, ranks[rank]);
  }
  for (const Bytes& bytes : communicator_.gather(mine)) {
    ByteReader reader(bytes);
    while (!reader.empty()) {
      const auto rank = reader.take<std::uint32_t>();
      ranks[rank] = reader.take<RankTimes>();
    }
  }
  return ranks;
}

// Each process walks as long as the path stays with its ranks, then tells all where it left.
std::vector<PathMessage> JobAccounts::walk(std::size_t job, CriticalPath& path) const {
  const auto tell = [&](const std::optional<Moment>& moment) {
    Bytes bytes;
    append(bytes, moment.value_or(Moment{}));
    append(bytes, moment.has_value());
    return bytes;
  };
  std::optional<Moment> at;
  for (const Bytes& bytes : communicator_.all_gather(tell(jobs_.last(job)))) {
    ByteReader reader(bytes);
    const auto theirs = reader.take<Moment>();
    if (!reader.take<bool>()) continue;
    const auto is_later = [&] {
      return theirs.at > at->at || (theirs.at == at->at && theirs.rank < at->rank);
    };
    if (!at || is_later()) at = theirs;
  }
  std::vector<PathMessage> messages;
  while (at) {
    Bytes mine;
    if (auto step = jobs_.step_back(job, *at)) {
      std::optional<Moment> before = at;
      for (; step; step = before ? jobs_.step_back(job, *before) : std::nullopt) {
        path.computing += step->computing;
        path.overhead += step->overhead;
        if (step->message) messages.push_back(*step->message);
        before = step->before;
      }
      mine = tell(before);
    }
    for (const Bytes& bytes : communicator_.all_gather(mine)) {
      if (bytes.empty()) continue;
      ByteReader reader(bytes);
      const auto next = reader.take<Moment>();
      at = reader.take<bool>() ? std::optional(next) : std::nullopt;
    }
  }
  return messages;
}

// Every process knows what messages met on its channels.
std::vector<Held> JobAccounts::held(std::size_t job,
                                    const std::vector<PathMessage>& messages) const {
  const std::vector<std::uint32_t>& hosts = jobs_.jobs()[job].hosts;
  Bytes mine;
  for (const PathMessage& message : messages) {
    Held sum;
    for (const JobCollector& collector : collectors_) {
      sum += collector.held(hosts[message.source], message.number);
      if (!message.answered) continue;
      const std::uint32_t answer =
          program::number_of(program::Envelope::answer, message.number / 4);
      sum += collector.held(hosts[message.destination], answer);
    }
    append(mine, sum);
  }
  std::vector<Held> sums(messages.size());
  for (const Bytes& bytes : communicator_.all_gather(mine)) {
    ByteReader reader(bytes);
    for (Held& sum : sums) sum += reader.take<Held>();
  }
  return sums;
}

// Of the time of a message, first what it takes in an idle network, then what power states explain;
// the rest is queueing. Levels are passed one after the other, so waits at each add up; a slow link
// hides slow links behind it, so of these the slowest level counts.
CriticalPath JobAccounts::critical_path(std::size_t job) const {
  CriticalPath mine;
  Bytes found;
  append_list(found, walk(job, mine));
  append(found, mine.computing);
  append(found, mine.overhead);
  CriticalPath path;
  std::vector<PathMessage> messages;
  for (const Bytes& bytes : communicator_.all_gather(found)) {
    ByteReader reader(bytes);
    const auto theirs = reader.take_list<PathMessage>();
    messages.insert(messages.end(), theirs.begin(), theirs.end());
    path.computing += reader.take<Duration>();
    path.overhead += reader.take<Duration>();
  }
  path.messages = messages.size();
  const std::vector<Held> costs = held(job, messages);
  IdleLatency idle(experiment_.graph, experiment_.hardware);
  const std::vector<std::uint32_t>& hosts = jobs_.jobs()[job].hosts;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const PathMessage& message = messages[i];
    Duration rest = message.time;
    const Duration least = idle.of(hosts[message.source], hosts[message.destination], message.size);
    path.transmission += take(rest, message.answered ? 2 * least : least);
    for (std::size_t level = 0; level < kLinkLevels; ++level)
      path.waking[level] += take(rest, costs[i].waking[level]);
    path.slower += take(rest, *std::ranges::max_element(costs[i].slower));
    path.queueing += rest;
  }
  return path;
}

}  // namespace ebb::netsim
