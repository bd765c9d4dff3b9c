// SPDX-License-Identifier: Apache-2.0
//
// A service that answers queries, and the distributed file system under it. A quarter of the hosts,
// drawn by the seed, are file servers, the others run the application. Three kinds of jobs arrive
// as Poisson processes of the whole network:
//
//   queries  an application host asks `fan_out` others at once; each answers a service time later,
//            all nearly together. A job is a train of such queries
//   read     a client asks a file server for chunks of a file, one after the other
//   write    a client sends chunks to a file server, which passes each on to a second, and that one
//            to a third, while it arrives
//
// The number of queries or chunks of a job is Pareto, and within a job they come at such a pace
// that the busiest host link is busy half of the time. Open loop: an answer is created a service
// time after its request was created, whether or not the request has arrived by then.
// docs/models/workloads.md has the reasons.

#include "injections/draws.hpp"
#include "kinds.hpp"
#include "workloads/jobs.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ebb::traffic {
namespace {

constexpr std::uint32_t kFewestHosts = 8;
// Times are whole picoseconds in 63 bits: these leave room for the longest job and pause.
constexpr double kLongestPiece = 1;      // second
constexpr double kLongestJobGap = 3600;  // seconds

struct Work {
  std::string name;
  std::unique_ptr<const Job> job;
  double gap = 0;  // between jobs, in picoseconds, on average
};

class Service final : public Workload {
 public:
  Service(std::uint32_t hosts, std::vector<Work> works)
      : Workload(hosts), works_(std::move(works)) {}

  [[nodiscard]] std::unique_ptr<MessageSource> start(const Start& start) const override {
    const Roles roles(hosts(), start.seed);
    auto trace = std::make_unique<Trace>(hosts(), start);
    for (const Work& work : works_) add(work, roles, start, *trace);
    trace->sort();
    return trace;
  }

  [[nodiscard]] Errors validate(TimePoint until) const override {
    double messages = 0;
    for (const Work& work : works_) {
      const double jobs = static_cast<double>(until.time_since_epoch().count()) / work.gap;
      messages += jobs * work.job->pieces() * static_cast<double>(work.job->piece_messages());
    }
    return too_many_messages(messages, until);
  }

 private:
  // Jobs begin long before time 0, so that the load is there from then on.
  static void add(const Work& work, const Roles& roles, const Start& start, Trace& trace) {
    RandomStream arrivals(start.seed, "traffic/service/" + work.name);
    TimePoint at = TimePoint() - work.job->longest();
    for (std::uint64_t n = 0;; ++n) {
      at += rounded(arrivals.exponential() * work.gap);
      if (at >= start.until) return;
      RandomStream own(start.seed, fmt::format("traffic/service/{}/{}", work.name, n));
      work.job->run(at, roles, own, trace);
    }
  }

  std::vector<Work> works_;
};

// Application hosts beside the one that asks are the most that can be asked.
std::uint32_t fan_out_of(const Parameters& parameters, std::uint32_t hosts) {
  const auto wanted = static_cast<std::uint32_t>(parameters.integer("fan_out"));
  return std::min(wanted, hosts - Roles::servers_of(hosts) - 1);
}

// Double precision, but from integers by * and / alone: the same bits everywhere.
double gap_between(const Job& job, double share, double bits_per_second) {
  const double bits = job.pieces() * static_cast<double>(job.piece_size().count());
  return bits * 1e12 / (share * bits_per_second);
}

Errors validation_errors(const Shape& shape, DataRate host_rate, const Parameters& parameters) {
  Errors errors;
  const auto add = [&](std::string message, std::string path) {
    errors.push_back({std::move(message), {.path = std::move(path)}});
  };
  if (shape.hosts < kFewestHosts) {
    add(fmt::format("a service needs {} hosts or more to give out its parts, got {}", kFewestHosts,
                    shape.hosts),
        "");
  }
  if (parameters.ratio("reads").to_double() + parameters.ratio("writes").to_double() > 1) {
    add("'reads' and 'writes' are shares of all data: together at most 1", "reads");
  }
  const DataSize answer = parameters.size("answer");
  if (answer.count() % 8 != 0) {
    add(fmt::format("'answer' must be whole bytes, got {}", to_text(answer)), "answer");
  }
  const double answers = static_cast<double>(parameters.integer("fan_out") * answer.count());
  const double rate = static_cast<double>(host_rate.count());
  if (std::max(answers, static_cast<double>(kChunk.count())) > kLongestPiece * rate) {
    add(fmt::format("a chunk of {} or the answers to a query take longer than a second at {}",
                    to_text(kChunk), to_text(host_rate)),
        "answer");
  }
  return errors;
}

// Texts as a user would give them.
struct ServiceDefaults {
  std::string load;
  std::string reads;
  std::string writes;
  std::string fan_out;
  std::string answer;
};

std::vector<Parameter> service_parameters(const ServiceDefaults& defaults) {
  Parameter load = load_parameter(Ratio(1, 1'000'000));
  load.fallback = defaults.load;
  load.help = "share of the host rate that is sent, on average over all hosts";
  const Range<Ratio> share{Ratio(0, 1), Ratio(1, 1)};
  return {load,
          {"reads", share, defaults.reads, "share of the data that file reads are"},
          {"writes", share, defaults.writes, "the same of writes, copies included; queries: rest"},
          {"fan_out", Range<std::int64_t>{1, 1'000}, defaults.fan_out,
           "servers that a query asks; on small networks all other application hosts"},
          {"answer", Range<DataSize>{bytes(1), bytes(std::int64_t{1} << 30U)}, defaults.answer,
           "size of each answer to a query"}};
}

Result<std::unique_ptr<Workload>> make_service(const Shape& shape, DataRate host_rate,
                                               const Parameters& parameters) {
  if (Errors errors = validation_errors(shape, host_rate, parameters); !errors.empty())
    return fail(std::move(errors));
  const double total = parameters.ratio("load").to_double() *
                       static_cast<double>(host_rate.count()) * static_cast<double>(shape.hosts);
  const double reads = parameters.ratio("reads").to_double();
  const double writes = parameters.ratio("writes").to_double();
  std::vector<Work> works;
  const auto add = [&](const char* name, double share, std::unique_ptr<const Job> job) {
    if (share <= 0) return;
    const double gap = gap_between(*job, share, total);
    works.push_back({name, std::move(job), gap});
  };
  add("queries", 1 - reads - writes,
      std::make_unique<QueryTrain>(fan_out_of(parameters, shape.hosts), parameters.size("answer"),
                                   host_rate));
  add("reads", reads, std::make_unique<FileRead>(host_rate));
  add("writes", writes, std::make_unique<FileWrite>(host_rate));
  if (std::any_of(works.begin(), works.end(),
                  [](const Work& work) { return work.gap > kLongestJobGap * 1e12; })) {
    return fail("jobs are more than an hour apart; give a larger load", {.path = "load"});
  }
  return std::make_unique<Service>(shape.hosts, std::move(works));
}

}  // namespace
}  // namespace ebb::traffic

// A stand-in for the trace "Search" of Abts et al., Energy Proportional Datacenter Networks (ISCA
// 2010), which was not published: a web search service and its file system at 6 % of the host
// links. docs/models/workloads.md has the reason for every number.
namespace ebb::traffic::search {

WorkloadKind kind() {
  return {.name = "search",
          .summary = "web search: each query asks many index servers, and file reads prevail",
          .parameters = service_parameters(
              {.load = "6%", .reads = "40%", .writes = "15%", .fan_out = "43", .answer = "16kB"}),
          .make = make_service};
}

}  // namespace ebb::traffic::search

// A stand-in for the trace "Advert" of Abts et al., Energy Proportional Datacenter Networks (ISCA
// 2010), which was not published: an advertising service and its file system at 5 % of the host
// links. docs/models/workloads.md has the reason for every number.
namespace ebb::traffic::advert {

WorkloadKind kind() {
  return {.name = "advert",
          .summary = "advertising: each query asks a few servers, and logs are written",
          .parameters = service_parameters(
              {.load = "5%", .reads = "30%", .writes = "40%", .fan_out = "8", .answer = "4kB"}),
          .make = make_service};
}

}  // namespace ebb::traffic::advert
