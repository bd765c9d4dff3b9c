// SPDX-License-Identifier: Apache-2.0
//
// Speeds and added latency under the stand-ins for Search and Advert.
#include "experiments/isca_runs.hpp"
#include "experiments/measure.hpp"

#include "ebb/netsim/experiment.hpp"

#include <string>

namespace ebb::repro {
namespace {

using netsim::Histogram;
using netsim::Report;

// States of the channels are asleep, changing, then the rates from slow to fast.
struct Shares {
  double slowest = 0;  // of the channels' time
  double fast = 0;     // at 10 Gb/s or more: the upper three of five rates
};

Shares shares_of(const Report& report) {
  const auto& residency = report.ledger.totals(power::ClassIndex{0}).residency;
  const auto& names = report.ledger.classes()[0].states;
  Shares shares;
  double all = 0;
  for (std::size_t s = 0; s < residency.size(); ++s) {
    const double time = static_cast<double>(residency[s].count());
    all += time;
    if (names[s] == "2.5Gb/s") shares.slowest += time;
    if (names[s] == "10Gb/s" || names[s] == "20Gb/s" || names[s] == "40Gb/s") shares.fast += time;
  }
  return {shares.slowest / all, shares.fast / all};
}

double added_us(const Histogram& slowed, const Histogram& fast) {
  return static_cast<double>((slowed.mean() - fast.mean()).count()) * 1e-6;
}

// Names end in the workload's.
Result<void> add_latencies(const power::Library& parts, const std::string& name,
                           Measurements& measured) {
  const auto fast = run_service(parts, name, {});
  if (!fast) return fail(fast.error());
  const auto independent = run_service(parts, name, {kIndependent});
  if (!independent) return fail(independent.error());
  const auto paired = run_service(parts, name, {kPaired});
  if (!paired) return fail(paired.error());
  measured.emplace_back("messages_" + name,
                        added_us(independent->message_latency, fast->message_latency));
  measured.emplace_back("packets_" + name,
                        added_us(independent->packet_latency, fast->packet_latency));
  measured.emplace_back("paired_" + name, added_us(paired->message_latency, fast->message_latency));
  return {};
}

}  // namespace

Result<Measurements> measure_isca_speeds(const power::Library& parts) {
  const auto paired = run_service(parts, "search", {kPaired});
  if (!paired) return fail(paired.error());
  const auto independent = run_service(parts, "search", {kIndependent});
  if (!independent) return fail(independent.error());
  const Shares tied = shares_of(*paired);
  const Shares free = shares_of(*independent);
  return Measurements{{"slowest_paired", 100 * tied.slowest},
                      {"slowest_independent", 100 * free.slowest},
                      {"fast_paired", 100 * tied.fast},
                      {"fast_independent", 100 * free.fast},
                      {"fast_ratio", free.fast / tied.fast}};
}

Result<Measurements> measure_isca_independent_latency(const power::Library& parts) {
  Measurements measured;
  for (const char* name : {"search", "advert"}) {
    if (const auto added = add_latencies(parts, name, measured); !added) return fail(added.error());
  }
  const auto fast = run_uniform(parts, {});
  if (!fast) return fail(fast.error());
  const auto independent = run_uniform(parts, {kIndependent});
  if (!independent) return fail(independent.error());
  measured.emplace_back("messages_uniform",
                        added_us(independent->message_latency, fast->message_latency));
  measured.emplace_back("packets_uniform",
                        added_us(independent->packet_latency, fast->packet_latency));
  return measured;
}

}  // namespace ebb::repro
