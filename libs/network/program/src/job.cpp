// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/job.hpp"

#include "rank_run.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::program {
namespace {

// Ranks of a stalled job that are named.
constexpr std::size_t kMostNamed = 10;

}  // namespace

Jobs::Jobs(std::uint32_t hosts, std::vector<Job> jobs, const HostCosts& costs)
    : jobs_(std::move(jobs)), costs_(costs), of_host_(hosts) {
  for (const Job& job : jobs_) {
    for (std::uint32_t rank = 0; rank < job.hosts.size(); ++rank)
      of_host_[job.hosts[rank]] = std::make_unique<RankRun>(job, rank, costs_);
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

std::optional<traffic::Message> Jobs::next(std::uint32_t host) {
  return of_host_[host] ? of_host_[host]->next() : std::nullopt;
}

void Jobs::delivered(std::uint32_t source, std::uint32_t destination, std::uint32_t number,
                     TimePoint at) {
  of_host_[destination]->delivered(of_host_[source]->rank(), number, at);
}

TimePoint Jobs::advance(std::uint32_t host, TimePoint now) {
  return of_host_[host] ? of_host_[host]->advance(now) : TimePoint::max();
}

std::vector<RankTimes> Jobs::ranks(std::size_t job) const {
  std::vector<RankTimes> times;
  for (const std::uint32_t host : jobs_[job].hosts) times.push_back(of_host_[host]->times());
  return times;
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

}  // namespace ebb::program
