// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/job.hpp"

#include "rank_run.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::program {
namespace {

// Ranks of a stalled job that are named.
constexpr std::size_t kMostNamed = 10;

}  // namespace

Jobs::Jobs(std::uint32_t hosts, std::vector<Job> jobs, const HostCosts& costs)
    : jobs_(std::move(jobs)), costs_(costs), places_(hosts), of_host_(hosts) {
  for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
    const std::vector<std::uint32_t>& its_hosts = jobs_[job].hosts;
    for (std::uint32_t rank = 0; rank < its_hosts.size(); ++rank)
      places_[its_hosts[rank]] = Place{job, rank};
  }
}

Jobs::~Jobs() = default;

Errors Jobs::validate(std::uint32_t hosts, const std::vector<Job>& jobs) {
  Errors errors;
  std::vector<bool> taken(hosts);
  for (const Job& job : jobs) {
    const std::uint32_t ranks = job.program.ranks();
    const auto report = [&](std::string what) {
      errors.push_back({std::move(what), {job.program.name()}});
    };
    if (job.hosts.size() != ranks)
      report(fmt::format("{} hosts for {} ranks", job.hosts.size(), ranks));
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      if (job.program.rank(rank).size() > kMostOperations)
        report(fmt::format("rank {} has more than {} operations", rank, kMostOperations));
    }
    for (const std::uint32_t host : job.hosts) {
      if (host >= hosts) {
        report(fmt::format("host {} does not exist: there are {}", host, hosts));
      } else if (taken[host]) {
        report(fmt::format("host {} has two ranks", host));
      } else {
        taken[host] = true;
      }
    }
  }
  return errors;
}

// Two threads may ask for different hosts at once.
RankRun* Jobs::run_on(std::uint32_t host) {
  if (!places_[host]) return nullptr;
  std::unique_ptr<RankRun>& run = of_host_[host];
  if (!run) {
    run = std::make_unique<RankRun>(jobs_[places_[host]->job], places_[host]->rank, costs_,
                                    observer_);
  }
  return run.get();
}

const RankRun* Jobs::run_of(std::size_t job, std::uint32_t rank) const {
  return of_host_[jobs_[job].hosts[rank]].get();
}

std::optional<traffic::Message> Jobs::next(std::uint32_t host) {
  RankRun* run = run_on(host);
  return run != nullptr ? run->next() : std::nullopt;
}

void Jobs::delivered(std::uint32_t source, std::uint32_t destination, std::uint32_t number,
                     TimePoint at) {
  EBB_CHECK(places_[source].has_value(), "a message of a job is of one of its hosts");
  run_on(destination)->delivered(places_[source]->rank, number, at);
}

TimePoint Jobs::advance(std::uint32_t host, TimePoint now) {
  RankRun* run = run_on(host);
  return run != nullptr ? run->advance(now) : TimePoint::max();
}

void Jobs::look_ahead(std::uint32_t host, Duration time) {
  if (RankRun* run = run_on(host)) run->look_ahead(time);
}

std::optional<traffic::PlannedMessage> Jobs::next_planned(std::uint32_t host) {
  RankRun* run = run_on(host);
  return run != nullptr ? run->next_planned() : std::nullopt;
}

std::string Jobs::name_of(std::uint32_t host) const {
  if (!places_[host]) return {};
  std::string rank = fmt::format("rank {}", places_[host]->rank);
  if (jobs_.size() == 1) return rank;
  const std::string& name = jobs_[places_[host]->job].name;
  return fmt::format("{}, {}", name.empty() ? fmt::format("job {}", places_[host]->job) : name,
                     rank);
}

std::vector<RankTimes> Jobs::ranks(std::size_t job) const {
  std::vector<RankTimes> times;
  times.reserve(jobs_[job].hosts.size());
  for (std::uint32_t rank = 0; rank < jobs_[job].hosts.size(); ++rank) {
    const RankRun* run = run_of(job, rank);
    times.push_back(run != nullptr ? run->times() : RankTimes{});
  }
  return times;
}

TimePoint Jobs::latest_end(std::size_t job) const {
  TimePoint latest = jobs_[job].start;
  for (std::uint32_t rank = 0; rank < jobs_[job].hosts.size(); ++rank) {
    if (const RankRun* run = run_of(job, rank)) latest = std::max(latest, run->times().end);
  }
  return latest;
}

std::uint32_t Jobs::done(std::size_t job) const {
  std::uint32_t count = 0;
  for (std::uint32_t rank = 0; rank < jobs_[job].hosts.size(); ++rank) {
    const RankRun* run = run_of(job, rank);
    count += run != nullptr && run->times().is_done ? 1U : 0U;
  }
  return count;
}

bool Jobs::all_wait() const {
  return std::ranges::all_of(of_host_, [](const auto& run) { return !run || run->only_waits(); });
}

Errors Jobs::stalled() const {
  Errors errors;
  for (const auto& run : of_host_) {
    if (!run || run->times().is_done || errors.size() >= kMostNamed) continue;
    const auto waits = run->waits();
    if (waits) errors.push_back(waits_for(run->job().program, run->rank(), *waits, run->left()));
  }
  return errors;
}

std::optional<Moment> Jobs::last(std::size_t job) const {
  std::optional<Moment> last;
  for (std::uint32_t rank = 0; rank < jobs_[job].hosts.size(); ++rank) {
    const RankRun* run = run_of(job, rank);
    const auto moment = run != nullptr ? run->last() : std::nullopt;
    if (moment && (!last || moment->at > last->at)) last = moment;
  }
  return last;
}

std::optional<PathStep> Jobs::step_back(std::size_t job, const Moment& moment) const {
  const RankRun* run = run_of(job, moment.rank);
  return run != nullptr ? std::optional(run->step_back(moment)) : std::nullopt;
}

}  // namespace ebb::program
